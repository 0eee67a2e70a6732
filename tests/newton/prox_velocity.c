/* SPDX-License-Identifier: Apache-2.0
 * tests/newton/prox_velocity.c: prox-newton and nsgs+newton on piles of boxes, W in factors. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "core/solvers.h"

static const char *const names[] = {"prox-newton", "nsgs+newton"};

/* Unit boxes, joints and contacts, at rest but for one step of gravity. */
enum { BOXES = 40, CONTACTS = 160 };

typedef struct pile {
    size_t boxes, contacts;
    double J[36 * CONTACTS], inverse_mass[BOXES], inverse_inertia[9 * BOXES];
    int32_t body[6 * CONTACTS];
    double centre[3 * BOXES], speed[3 * BOXES];
} pile;

static const double fall = 9.81 / 60.0;

static int32_t pile_add_box(pile *s, double x, double z, double mass)
{
    size_t k = s->boxes++;

    s->centre[3 * k] = x;
    s->centre[3 * k + 2] = z;
    s->speed[3 * k + 2] = mass > 0.0 ? -fall : 0.0;
    s->inverse_mass[k] = mass > 0.0 ? 1.0 / mass : 0.0;
    for (size_t d = 0; d < 3; d++) {
        s->inverse_inertia[9 * k + 4 * d] = 6.0 * s->inverse_mass[k];
    }
    return (int32_t)k;
}

/* Rows along `axes` (n, t1, t2) at a point of body b against body a, or -1. */
static void pile_add_rows(pile *s, int32_t a, int32_t b, const double point[3],
                          const double axes[3][3])
{
    for (size_t row = 3 * s->contacts; row < 3 * s->contacts + 3; row++) {
        const double *axis = axes[row % 3];

        for (size_t side = 0; side < 2; side++) {
            int32_t body = side == 0 ? a : b;
            double sign = side == 0 ? -1.0 : 1.0;
            double *J = s->J + 12 * row + 6 * side;
            double arm[3];

            s->body[2 * row + side] = body;
            for (size_t d = 0; body >= 0 && d < 3; d++) {
                arm[d] = point[d] - s->centre[3 * (size_t)body + d];
            }
            for (size_t d = 0; body >= 0 && d < 3; d++) {
                size_t e = (d + 1) % 3, f = (d + 2) % 3;

                J[d] = sign * axis[d];
                J[3 + d] = sign * (arm[e] * axis[f] - arm[f] * axis[e]);
            }
        }
    }
    s->contacts++;
}

/* Box b stands on a, or on the floor, at four corners between x = left and right. */
static void pile_stand(pile *s, int32_t a, int32_t b, double left, double right)
{
    const double up[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    double z = s->centre[3 * (size_t)b + 2] - 0.5;

    for (int i = 0; i < 4; i++) {
        pile_add_rows(s, a, b, (double[]){i < 2 ? left : right, i % 2 - 0.5, z}, up);
    }
}

/* b := J v of the falling boxes; the operator borrows the pile. */
static perp_problem *pile_problem(const pile *s, perp_set *set, const double *C)
{
    const perp_pairs pairs = {.rows = 3 * s->contacts,
                              .J = s->J,
                              .body = s->body,
                              .C = C,
                              .bodies = s->boxes,
                              .inverse_mass = s->inverse_mass,
                              .inverse_inertia = s->inverse_inertia};
    double *b = test_reals(pairs.rows);

    for (size_t i = 0; i < 2 * pairs.rows; i++) {
        for (size_t d = 0; s->body[i] >= 0 && d < 3; d++) {
            b[i / 2] += s->J[6 * i + d] * s->speed[3 * (size_t)s->body[i] + d];
        }
    }
    perp_operator *A = test_new_pairs(&pairs);
    return test_new_problem(A, b, set, PERP_LAW_COULOMB);
}

static perp_set *cones(size_t count, double mu)
{
    perp_set *set = test_new_set(count);

    for (size_t i = 0; i < count; i++) {
        perp_set_add_cone(set, 3, mu);
    }
    return set;
}

static perp_problem *stack_problem(pile *s, size_t boxes, double ratio)
{
    memset(s, 0, sizeof *s);
    for (size_t k = 0; k < boxes; k++) {
        int32_t b = pile_add_box(s, 0.0, 0.5 + (double)k, pow(ratio, (double)k));

        pile_stand(s, b - 1, b, -0.5, 0.5);
    }
    return pile_problem(s, cones(s->contacts, 0.5), NULL);
}

static perp_problem *pyramid_problem(pile *s, size_t levels, double slide)
{
    int32_t below = 0;

    memset(s, 0, sizeof *s);
    for (size_t j = 0; j < levels; j++) {
        int32_t first = (int32_t)s->boxes;

        for (size_t k = 0; k + j < levels; k++) {
            double x = 1.125 * (double)k + 0.5625 * (double)j;
            int32_t b = pile_add_box(s, x, 0.5 + (double)j, 1.0);

            s->speed[3 * (size_t)b] = slide;
            if (j == 0) {
                pile_stand(s, -1, b, x - 0.5, x + 0.5);
            } else {
                pile_stand(s, below + (int32_t)k, b, x - 0.5, x - 0.0625);
                pile_stand(s, below + (int32_t)k + 1, b, x + 0.0625, x + 0.5);
            }
        }
        below = first;
    }
    return pile_problem(s, cones(s->contacts, 0.5), NULL);
}

/* Solved with W in factors. */
static perp_result *solve_in_factors(const perp_problem *p, const double *z,
                                     const char *name)
{
    perp_result *r = test_solve_from(p, z, name, "tolerance=1e-10", NULL);

    if (!test_solved(p, r, 1e-10)) {
        test_note("%s: %s", name, r->reason);
    }
    CU_ASSERT(!test_ran(r, "stored as"));
    return r;
}

/* The floor carries every box: the normal impulses under box k sum to the momentum that
 * gravity gave to all from k on. */
static void stack_carries(size_t boxes, double ratio, double accuracy)
{
    static pile s;

    for (size_t which = 0; which < 2; which++) {
        perp_problem *p = stack_problem(&s, boxes, ratio);
        perp_result *r = solve_in_factors(p, NULL, names[which]);
        double above = 0.0;

        for (size_t k = boxes; k-- > 0;) {
            double sum = 0.0;

            for (size_t i = 0; i < 4; i++) {
                sum += r->z[12 * k + 3 * i];
            }
            above += fall * pow(ratio, (double)k);
            CU_ASSERT_DOUBLE_EQUAL(sum / above, 1.0, accuracy);
        }
    }
}

TEST(a_hyperstatic_stack_carries_its_weight)
{
    stack_carries(20, 1.0, 1e-7); /* 1e-10 times the boxes squared */
}

TEST(masses_may_differ_by_a_million)
{
    stack_carries(2, 1e6, 1e-4); /* 1e-10 times the ratio */
    stack_carries(2, 1e-6, 1e-7);
    stack_carries(4, 100.0, 1e-4);
}

/* mu g dt of its speed is lost; a box has 4 contacts, of which W sees the sum. */
TEST(a_sliding_box_slows_down_by_friction)
{
    static pile s;

    for (size_t which = 0; which < 2; which++) {
        perp_problem *p = pyramid_problem(&s, 1, 1.0);
        perp_result *r = solve_in_factors(p, NULL, names[which]);

        for (size_t i = 0; i < 4; i++) {
            CU_ASSERT_DOUBLE_EQUAL(r->w[3 * i], 0.0, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(r->w[3 * i + 1], 1.0 - 0.5 * fall, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(r->w[3 * i + 2], 0.0, 1e-9);
        }
    }
}

/* The motion of a pile at rest is unique: none. */
TEST(pyramids_rest)
{
    static pile s;

    for (size_t levels = 1; levels <= 5; levels++) {
        for (size_t which = 0; which < 2; which++) {
            perp_problem *p = pyramid_problem(&s, levels, 0.0);
            perp_result *r = solve_in_factors(p, NULL, names[which]);

            CU_ASSERT(test_largest(p->n, r->w) <= 1e-8);
        }
    }
}

TEST(a_body_of_infinite_mass_carries_others)
{
    static pile s;

    memset(&s, 0, sizeof s);
    pile_add_box(&s, 0.0, 0.5, 0.0);
    int32_t b = pile_add_box(&s, 0.25, 1.5, 1.0);
    pile_stand(&s, 0, b, -0.25, 0.5);
    perp_problem *p = pile_problem(&s, cones(4, 0.5), NULL);
    perp_result *r = solve_in_factors(p, NULL, "prox-newton");
    /* the left pair stands 0.5 before the centre, the right pair 0.25 behind it */
    CU_ASSERT_DOUBLE_EQUAL(r->z[0] + r->z[3], fall / 3.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(r->z[6] + r->z[9], 2.0 * fall / 3.0, 1e-9);
}

/* Boxes that do not touch each other move as each alone. */
TEST(islands_of_one_body_are_solved_together)
{
    static pile s;

    memset(&s, 0, sizeof s);
    for (int k = 0; k < 10; k++) {
        int32_t b = pile_add_box(&s, 2.0 * k, 0.5, 1.0 + k);

        s.speed[3 * k] = 0.02 * k;
        pile_stand(&s, -1, b, 2.0 * k - 0.5, 2.0 * k + 0.5);
    }
    perp_problem *p = pile_problem(&s, cones(s.contacts, 0.5), NULL);
    perp_result *r = solve_in_factors(p, NULL, "prox-newton");
    for (size_t k = 0; k < 10; k++) {
        CU_ASSERT_DOUBLE_EQUAL(r->w[12 * k + 1], fmax(0.0, 0.02 * (double)k - 0.5 * fall),
                               1e-9);
    }
}

/* A bar of five boxes, welded by two ball joints each, C = 0, which is one row too many, on two
 * feet: it stands, and each joint carries the weight beyond it less that of its foot. */
TEST(joints_without_compliance_hold)
{
    const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    static pile s;

    for (size_t which = 0; which < 2; which++) {

        memset(&s, 0, sizeof s);
        for (int k = 0; k < 5; k++) {
            pile_add_box(&s, k, 0.5, 1.0);
            for (int i = 0; k > 0 && i < 2; i++) {
                pile_add_rows(&s, k - 1, k, (double[]){k - 0.5, i - 0.5, 0.5}, axes);
            }
        }
        pile_add_rows(&s, 3, 4, (double[]){3.5, 0.5, 1.0}, axes);
        pile_add_rows(&s, 0, 1, (double[]){0.5, 0.5, 1.0}, axes);
        pile_add_rows(&s, 1, 2, (double[]){1.5, 0.5, 1.0}, axes);
        pile_add_rows(&s, 2, 3, (double[]){2.5, 0.5, 1.0}, axes);
        pile_stand(&s, -1, 0, 0.0, 0.0);
        pile_stand(&s, -1, 4, 4.0, 4.0);
        perp_set *set = test_new_set(44);
        for (int i = 0; i < 36; i++) {
            perp_set_add_free(set);
        }
        for (int i = 0; i < 8; i++) {
            perp_set_add_cone(set, 3, 0.5);
        }
        perp_problem *p = pile_problem(&s, set, NULL);
        perp_result *r = solve_in_factors(p, NULL, names[which]);
        CU_ASSERT(test_largest(p->n, r->w) <= 1e-9);
        /* half of the weight on each foot, of which the first joint but one passes on what
         * exceeds two boxes */
        CU_ASSERT_DOUBLE_EQUAL(r->z[36] + r->z[39] + r->z[42] + r->z[45], 2.5 * fall,
                               1e-8);
        CU_ASSERT_DOUBLE_EQUAL(r->z[6] + r->z[9] + r->z[30], 0.5 * fall, 1e-8);
    }
}

/* Box friction: the bounds of two rows follow the normal before them. */
TEST(friction_rows_follow_their_normals)
{
    static pile s;

    for (size_t k = 0; k < 4; k++) {
        perp_problem *p = pyramid_problem(&s, 2, k < 2 ? 0.0 : 1.0);
        perp_set *set = test_new_set(p->n);

        for (size_t i = 0; i < p->n; i += 3) {
            perp_set_add_nonneg(set);
            perp_set_add_friction(set, 0.5, i);
            perp_set_add_friction(set, 0.5, i);
        }
        test_give_set(p, set);
        perp_result *r = solve_in_factors(p, NULL, names[k % 2]);
        for (size_t i = 0; i < 24; i += 3) { /* of the floor */
            CU_ASSERT_DOUBLE_EQUAL(r->w[i + 1], k < 2 ? 0.0 : 1.0 - 0.5 * fall, 1e-8);
        }
    }
}

/* From a disturbed solution few steps are left, and from a start worse than 0 it begins at 0. */
TEST(a_good_start_saves_factorisations_and_a_bad_one_is_dropped)
{
    static pile s;

    for (size_t k = 0; k < 4; k++) {
        perp_problem *p =
            k % 2 ? stack_problem(&s, 20, 1.0) : pyramid_problem(&s, 5, 0.0);
        perp_result *cold = solve_in_factors(p, NULL, names[k / 2]);
        double *z = test_reals(p->n);

        for (size_t i = 0; i < p->n; i++) {
            z[i] = cold->z[i] * (1.0 + 1e-6 * sin((double)i));
        }
        perp_result *near = solve_in_factors(p, z, names[k / 2]);
        CU_ASSERT(near->work.factorizations <= 4.0);
        for (size_t i = 0; i < p->n; i++) {
            z[i] = 1e3 * sin((double)i);
        }
        perp_result *far = solve_in_factors(p, z, names[k / 2]);
        if (k < 2) {
            CU_ASSERT_EQUAL(far->work.factorizations, cold->work.factorizations);
        }
    }
}

/* Between bodies that cannot move W = 0; two joints ask for different velocities. */
TEST(what_has_no_solution_gets_a_certificate)
{
    const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    static pile s;

    for (size_t which = 0; which < 4; which++) {
        perp_problem *p = NULL;
        perp_set *set = NULL;

        memset(&s, 0, sizeof s);
        pile_add_box(&s, 0.0, 0.5, 1.0);
        if (which < 2) {
            pile_add_box(&s, 0.0, 1.5, 0.0);
            pile_stand(&s, -1, 0, -0.5, 0.5);
            pile_stand(&s, -1, 1, -0.5, 0.5);
            p = pile_problem(&s, cones(8, 0.5), NULL);
            p->b[12] = -1.0;
        } else {
            pile_add_rows(&s, -1, 0, (double[]){0, 0, 0}, axes);
            pile_add_rows(&s, -1, 0, (double[]){0, 0, 0}, axes);
            OK(perp_set_new(&set, 6, NULL));
            for (int i = 0; i < 6; i++) {
                perp_set_add_free(set);
            }
            p = pile_problem(&s, set, NULL);
            p->b[0] += 1.0;
        }
        perp_result *r = test_solve(p, names[which % 2], NULL);
        test_infeasible(p, r);
    }
}

TEST(the_same_input_gives_the_same_bits)
{
    static pile s;

    for (size_t which = 0; which < 2; which++) {
        perp_problem *p = pyramid_problem(&s, 4, 1.0);
        perp_result *r = solve_in_factors(p, NULL, names[which]);
        perp_result *x = solve_in_factors(p, NULL, names[which]);

        CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
        CU_ASSERT_EQUAL(r->work.factorizations, x->work.factorizations);
        CU_ASSERT(r->work.factorizations <= (double)r->iterations);
    }
}
