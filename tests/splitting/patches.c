/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/patches.c: contacts of one pair of bodies, solved together. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solver_list.h"
#include "core/solvers.h"

enum { BOXES = 10, ROWS = 12 * BOXES };

/* Unit boxes of 1 kg on each other and on the ground, which move by v before impulses. */
typedef struct stack {
    perp_pairs pairs;
    double J[12 * ROWS], C[ROWS];
    double inverse_mass[BOXES], inverse_inertia[9 * BOXES];
    int32_t body[2 * ROWS];
} stack;

/* One row at a point of the lower and of the upper box. */
static void write_row(stack *s, size_t row, size_t box, const double *point,
                      const double *direction)
{
    double *J = s->J + 12 * row;
    double below[3] = {point[0], point[1], 0.5}, above[3] = {point[0], point[1], -0.5};

    for (size_t i = 0; i < 3; i++) {
        J[i] = -direction[i];
        J[6 + i] = direction[i];
    }
    perp_cross(direction, below, J + 3);
    perp_cross(above, direction, J + 9);
    s->body[2 * row] = (int32_t)box - 1; /* -1: the ground */
    s->body[2 * row + 1] = (int32_t)box;
}

static void write_stack(stack *s, size_t boxes)
{
    static const double frame[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    static const double corner[4][2] = {
        {-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}};

    memset(s, 0, sizeof *s);
    for (size_t row = 0; row < 12 * boxes; row++) {
        write_row(s, row, row / 12, corner[row / 3 % 4], frame[row % 3]);
    }
    for (size_t k = 0; k < boxes; k++) {
        s->inverse_mass[k] = 1.0;
        for (size_t i = 0; i < 9; i += 4) {
            s->inverse_inertia[9 * k + i] = 6.0;
        }
    }
    s->pairs = (perp_pairs){.rows = 12 * boxes,
                            .J = s->J,
                            .body = s->body,
                            .C = s->C,
                            .bodies = boxes,
                            .inverse_mass = s->inverse_mass,
                            .inverse_inertia = s->inverse_inertia};
}

/* b = J v, with the same velocity of all boxes. */
static perp_problem *stack_problem(const stack *s, double mu, const double *v)
{
    perp_random g = {1};
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_set(s->pairs.rows);

    for (size_t k = 0; k < s->pairs.rows / 3; k++) {
        perp_set_add_cone(set, 3, mu);
    }
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    for (size_t i = 0; i < p->n; i++) {
        const double *J = s->J + 12 * i;

        p->b[i] = 0.0;
        for (size_t k = 0; k < 6; k++) {
            p->b[i] += (J[6 + k] + (s->body[2 * i] < 0 ? 0.0 : J[k])) * v[k];
        }
    }
    return p;
}

static const double falls[6] = {0, 0, -1, 0, 0, 0};

/* Four corners stop one box that falls by 1 m/s: a quarter of 1 N s each. One by one, a sweep
 * turns it. */
TEST(a_box_that_falls_flat_is_stopped_by_one_sweep)
{
    stack s;

    write_stack(&s, 1);
    perp_problem *p = stack_problem(&s, 0.5, falls);
    perp_result *r = test_solve(p, "nsgs", "max-iterations=1", "answer=last", NULL);
    perp_result *x =
        test_solve(p, "nsgs", "max-iterations=1", "answer=last", "patches=off", NULL);
    for (size_t i = 0; i < p->n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r->z[i], i % 3 == 0 ? 0.25 : 0.0, 1e-14);
    }
    CU_ASSERT(test_solved(p, r, 1e-8));
    CU_ASSERT(x->residual > 1e-3);
}

/* Any motion that all contacts can stop by impulses within their cones; by the frames that the
 * caller gives as well as by those that are read from rows of any length. */
TEST(a_box_that_slides_and_turns_is_stopped_by_one_sweep)
{
    const double moves[6] = {0.1, -0.05, -1.0, 0.02, 0.01, 0.05};
    stack s;

    write_stack(&s, 1);
    for (size_t k = 0; k < 36; k++) {
        s.J[36 + k] *= 2.0; /* the second contact */
    }
    perp_problem *p = stack_problem(&s, 0.9, moves);
    perp_result *r =
        test_solve(p, "nsgs", "max-iterations=1", "answer=last", "scale=off", NULL);
    CU_ASSERT(test_solved(p, r, 1e-12));
    CU_ASSERT(r->z[0] > 0.01 && fabs(r->z[1]) > 0.001);
}

/* The answers of single contacts, to the last bit: the box slides, lifts off on one side, or
 * contacts are compliant. */
TEST(contacts_that_cannot_stick_are_solved_one_by_one)
{
    const struct {
        double mu, compliance, v[6];
    } cases[] = {
        {0.1, 0.0, {1.0, 0, -1, 0, 0, 0}},
        {0.5, 0.0, {0, 0, -0.5, 0, 4, 0}},
        {0.5, 0.0, {0, 0, 1, 0, 0, 0}},
        {0.5, 1e-3, {0, 0, -1, 0, 0, 0}},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        stack s;

        write_stack(&s, 1);
        for (size_t i = 0; i < 12; i++) {
            s.C[i] = cases[k].compliance;
        }
        perp_problem *p = stack_problem(&s, cases[k].mu, cases[k].v);
        perp_result *r = test_solve(p, "nsgs", NULL);
        perp_result *x = test_solve(p, "nsgs", "patches=off", NULL);
        CU_ASSERT(test_solved(p, r, 1e-8));
        CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    }
}

/* Rows at the corners of one box on the ground in frames of their own: turned, left-handed,
 * tilted, longer. */
static void write_own_frames(stack *s)
{
    static const double frame[4][3][3] = {{{0, 0, 1}, {0.6, 0.8, 0}, {-0.8, 0.6, 0}},
                                          {{0, 0, 2}, {0, 2, 0}, {2, 0, 0}},
                                          {{0, 0.28, 0.96}, {1, 0, 0}, {0, 0.96, -0.28}},
                                          {{0, 0, 0.5}, {0.3, 0.4, 0}, {-0.4, 0.3, 0}}};
    static const double corner[4][2] = {
        {-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}};

    write_stack(s, 1);
    for (size_t row = 0; row < 12; row++) {
        write_row(s, row, 0, corner[row / 3], frame[row / 3][row % 3]);
    }
    s->inverse_inertia[0] = 3.0;
    s->inverse_inertia[1] = s->inverse_inertia[3] = 1.0;
    s->inverse_inertia[8] = 9.0;
}

/* One sweep stops all corners, whatever their frames are. */
TEST(corners_in_frames_of_their_own_are_stopped_by_one_sweep)
{
    const double turns[6] = {0.1, 0.05, -1, 0.02, -0.03, 0.1};
    stack s;
    double w[ROWS];

    write_own_frames(&s);
    perp_problem *p = stack_problem(&s, 10.0, turns);
    perp_result *r = test_solve(p, "nsgs", "max-iterations=1", "answer=last", NULL);
    test_w(p, r->z, w);
    for (size_t i = 0; i < p->n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(w[i], 0.0, 1e-14);
    }
    CU_ASSERT(test_solved(p, r, 1e-12));
}

/* The velocities of an answer, which are unique at rest, agree. */
static void check_velocities(const perp_problem *p, const perp_result *r,
                             const perp_result *x)
{
    double w[ROWS], y[ROWS];

    CU_ASSERT_FATAL(p->n <= ROWS);
    test_w(p, r->z, w);
    test_w(p, x->z, y);
    CU_ASSERT(test_distance(p->n, w, y) <= 1e-6);
}

/* One corner is higher than the plane of the others: no twist stops all four. The steps of single
 * contacts must still end, at a corner that is open. */
TEST(faces_that_are_not_plane_are_solved_exactly)
{
    for (int k = -3; k <= -1; k++) { /* sweeps are slow on smaller steps */
        for (size_t corner = 0; corner < 4; corner++) {
            stack s;

            write_stack(&s, 2);
            perp_problem *p = stack_problem(&s, 0.5, falls);
            p->b[12 + 3 * corner] += pow(10.0, k);
            perp_result *r = test_solve(p, "nsgs", NULL);
            perp_result *x = test_solve(p, "prox-newton", NULL);
            CU_ASSERT(test_solved(p, r, 1e-8));
            CU_ASSERT(test_solved(p, x, 1e-8));
            check_velocities(p, r, x);
        }
    }
}

/* Of ten boxes sweeps carry the load from face to face, but no longer turn boxes. In any order
 * that sweeps neighbours one after the other, from any start. */
TEST(a_stack_needs_a_tenth_of_the_sweeps)
{
    static const char *const orders[] = {"order=natural", "order=alternating",
                                         "order=local"};
    static const char *const solvers[] = {"nsgs", "nncg"};
    stack s;

    write_stack(&s, BOXES);
    perp_problem *p = stack_problem(&s, 0.5, falls);
    for (size_t k = 0; k < 6; k++) {
        perp_result *r = test_solve(p, solvers[k / 3], orders[k % 3], NULL);
        perp_result *x = test_solve(p, solvers[k / 3], orders[k % 3], "patches=off",
                                    "max-iterations=100000", NULL);

        CU_ASSERT(test_solved(p, r, 1e-8));
        CU_ASSERT(10 * r->iterations <= x->iterations);
        test_note("%s %s: %zu instead of %zu", solvers[k / 3], orders[k % 3],
                  r->iterations, x->iterations);
        for (size_t i = 0; i < p->n; i += 3) {
            double load = (double)(BOXES - i / 12);

            CU_ASSERT_DOUBLE_EQUAL(r->z[i], 0.25 * load, 1e-4);
        }
    }
}

/* A loop around the sweeps adds to the diagonal, so that contacts no longer stick as one, and
 * changes b: its path is that over W. */
TEST(a_proximal_loop_solves_contacts_one_by_one)
{
    stack s;

    write_stack(&s, 2);
    perp_problem *p = stack_problem(&s, 0.5, falls);
    perp_problem *q = test_stored(p, PERP_STORAGE_BSR, 3);
    perp_result *r = test_solve(p, "prox:nsgs", NULL);
    perp_result *x = test_solve(q, "prox:nsgs", NULL);
    CU_ASSERT_EQUAL(r->iterations, x->iterations);
    CU_ASSERT(test_distance(p->n, r->z, x->z) <= 1e-6 * test_largest(p->n, x->z));
}

TEST(too_little_memory_is_refused)
{
    stack s;
    perp_options opt;

    write_stack(&s, 3);
    perp_problem *p = stack_problem(&s, 0.5, falls);
    perp_options_init(&opt, &perp_solver_nsgs, NULL, NULL);
    CU_ASSERT(test_memory_needed(p, &perp_solver_nsgs, &opt, "memory") > 0);
}
