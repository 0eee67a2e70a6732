/* SPDX-License-Identifier: Apache-2.0
 * tests/splitting/locality.c: sweeps in the order of the bodies are those in natural
 * order over the problem put in that order by hand, and are taken where storage jumps. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "core/solver_list.h"
#include "core/solvers.h"
#include "couples.h"
#include "pile.h"
#include "splitting/colors.h"
#include "splitting/locality.h"

static const unsigned contacts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};
static const unsigned mixed[] = {3, 1, 5, 3, 1, 1, 3, 2, 3, 2, 3, 1, 5, 3, 1, 1, 0};

/* Contacts and, of mixed rows, all other kinds of blocks; it borrows from s. */
static perp_problem *locality_problem(couples *s, const unsigned *dims, uint64_t seed)
{
    perp_random g = {seed};

    couples_draw(s, (couples_kind)(seed % 3), dims, seed);
    perp_operator *A = test_new_pairs(&s->pairs);
    perp_set *set = test_new_set(COUPLES_ROWS);
    for (size_t k = 0; dims[k] > 0; k++) {
        if (dims[k] == 5) {
            perp_set_add_rolling(set, 0.4, 0.1);
        } else if (dims[k] > 1) {
            perp_set_add_cone(set, dims[k], 0.2 + 0.1 * (double)(k % 5));
        } else if (k % 4 == 3) {
            perp_set_add_friction(set, 0.5, 3);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    for (size_t i = 0; i < p->n; i++) { /* contacts close */
        p->b[i] -= 0.6;
    }
    return p;
}

/* Block order[k] of p becomes block k of a dense problem; from[i] is the row of p of row
 * i. */
static perp_problem *permuted(const perp_problem *p, const size_t *order, size_t *from)
{
    perp_problem *dense = test_stored(p, PERP_STORAGE_DENSE, 1), *q = NULL;
    size_t n = p->n, next = 0, *to = test_alloc(n, sizeof *to);

    OK(perp_problem_copy(&q, dense, NULL));
    for (size_t k = 0; k < p->set->count; k++) {
        q->set->blocks[k] = p->set->blocks[order[k]];
        q->set->blocks[k].first = next;
        for (unsigned i = 0; i < q->set->blocks[k].dim; i++) {
            from[next] = p->set->blocks[order[k]].first + i;
            to[from[next]] = next;
            next++;
        }
    }
    CU_ASSERT_EQUAL_FATAL(next, n);
    for (size_t k = 0; k < q->set->count; k++) {
        if (q->set->blocks[k].kind == PERP_SET_FRICTION) {
            q->set->blocks[k].normal = to[q->set->blocks[k].normal];
        }
    }
    for (size_t j = 0; j < n; j++) {
        q->b[j] = p->b[from[j]];
        for (size_t i = 0; i < n; i++) {
            q->A->x[i + j * q->A->ld] = dense->A->x[from[i] + from[j] * dense->A->ld];
        }
    }
    return q;
}

/* Rounding apart, as sums over W and over bodies differ: a thousand of it after 20
 * sweeps. */
static void check_iterates(const perp_problem *p, const char *solver)
{
    static const char *const sweeps[] = {"max-iterations=1", "max-iterations=3",
                                         "max-iterations=20"};
    size_t *order = NULL, *from = test_alloc(p->n, sizeof *from);
    double *z = test_reals(p->n);

    perp_workspace *ws = test_new_workspace(0);
    OK(perp_locality_order(p, &order, ws, NULL));
    CU_ASSERT_FATAL(order != NULL);
    perp_problem *q = permuted(p, order, from);
    for (size_t k = 0; k < 3; k++) {
        perp_result *r = test_solve(p, solver, sweeps[k], "tolerance=0", "scale=no",
                                    "order=local", NULL);
        perp_result *x = test_solve(q, solver, sweeps[k], "tolerance=0", "scale=no",
                                    "order=natural", NULL);

        for (size_t i = 0; i < p->n; i++) {
            z[from[i]] = x->z[i];
        }
        if (!(test_distance(p->n, r->z, z) <= 1e-12 * test_largest(p->n, z))) {
            test_note("%s, %s: %.1e", solver, sweeps[k], test_distance(p->n, r->z, z));
            CU_FAIL("not the iterates of the permuted problem");
        }
        CU_ASSERT(test_largest(p->n, z) > 0.0);
    }
}

TEST(iterates_over_bodies_are_those_of_the_permuted_problem)
{
    for (uint64_t seed = 1; seed <= 9; seed++) {
        couples s;
        perp_problem *p = locality_problem(&s, seed % 2 ? contacts : mixed, seed);

        check_iterates(p, "nsgs");
        check_iterates(p, "pgs");
        check_iterates(p, "spgs");
    }
}

TEST(iterates_over_sparse_rows_are_those_of_the_permuted_problem)
{
    perp_problem *p = test_pile(4, 4, true, 3);
    static const perp_storage storages[] = {PERP_STORAGE_FACTORED, PERP_STORAGE_CSR,
                                            PERP_STORAGE_BSR};

    for (size_t k = 0; k < 3; k++) {
        perp_problem *q = test_multiplied(p, storages[k]);

        check_iterates(q, "nsgs");
        check_iterates(q, "psor");
    }
}

/* The answer, too, under a loop that changes b and the diagonal and starts warm. */
TEST(answers_are_those_of_other_orders_and_all_runs_alike)
{
    static const char *const solvers[] = {"nsgs", "pgs", "prox:nsgs", "nncg"};

    for (uint64_t seed = 1; seed <= 3; seed += 2) {
        couples s;
        perp_problem *p = locality_problem(&s, contacts, seed);

        for (size_t i = 0; i < 4; i++) {
            perp_result *r = test_solve(p, solvers[i], "order=local", NULL);
            perp_result *again = test_solve(p, solvers[i], "order=local", NULL);
            perp_result *x = test_solve(p, solvers[i], "order=natural", NULL);

            CU_ASSERT(test_solved(p, r, 1e-8));
            CU_ASSERT(test_ran(r, "blocks in the order of their bodies"));
            CU_ASSERT_EQUAL(memcmp(r->z, again->z, p->n * sizeof *r->z), 0);
            /* C makes W well conditioned: errors are some hundred residuals */
            CU_ASSERT(test_distance(p->n, r->z, x->z) <= 1e-5 * test_largest(p->n, x->z));
        }
    }
}

TEST(a_dense_matrix_is_swept_as_it_stands_and_what_ran_says_so)
{
    perp_problem *pile = test_pile(2, 2, true, 3);
    perp_problem *p = test_multiplied(pile, PERP_STORAGE_DENSE);
    perp_result *r = test_solve(p, "nsgs", "order=local", "max-iterations=5", NULL);
    perp_result *x = test_solve(p, "nsgs", "order=natural", "max-iterations=5", NULL);

    CU_ASSERT(test_ran(r, "natural order: a dense matrix"));
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
}

/* Spheres in a row, contact k between body k and the next, the first one held. */
typedef struct row_of_spheres {
    perp_pairs pairs;
    int32_t *body;
    double *J, *inverse_mass, *inverse_inertia;
} row_of_spheres;

static void write_sphere_rows(row_of_spheres *s, size_t c, size_t left)
{
    for (size_t i = 0; i < 3; i++) {
        double *J = s->J + 12 * (3 * c + i);

        s->body[2 * (3 * c + i)] = (int32_t)left - 1;
        s->body[2 * (3 * c + i) + 1] = (int32_t)left;
        J[i] = left > 0 ? -1.0 : 0.0; /* normal x, arms half a unit along it */
        J[6 + i] = 1.0;
        if (i > 0) { /* arm x F_i: x by y is z, x by z is -y */
            J[3 + (3 - i)] = left > 0 ? (i == 1 ? -0.5 : 0.5) : 0.0;
            J[9 + (3 - i)] = i == 1 ? -0.5 : 0.5;
        }
    }
}

/* Contact c is stored where c times an odd step says: 1 is in order. */
static perp_problem *spheres_problem(row_of_spheres *s, size_t count, size_t step)
{
    perp_random g = {11};

    s->body = calloc(6 * count, sizeof *s->body);
    s->J = perp_reals_new(36 * count);
    s->inverse_mass = perp_reals_new(count);
    s->inverse_inertia = perp_reals_new(9 * count);
    CU_ASSERT_FATAL(s->body && s->J && s->inverse_mass && s->inverse_inertia);
    perp_set *set = test_new_set(count);
    for (size_t c = 0; c < count; c++) {
        write_sphere_rows(s, c * step % count, c);
        s->inverse_mass[c] = 1.0;
        for (size_t d = 0; d < 3; d++) {
            s->inverse_inertia[9 * c + 4 * d] = 10.0;
        }
        perp_set_add_cone(set, 3, 0.5);
    }
    s->pairs = (perp_pairs){.rows = 3 * count,
                            .J = s->J,
                            .body = s->body,
                            .bodies = count,
                            .inverse_mass = s->inverse_mass,
                            .inverse_inertia = s->inverse_inertia};
    perp_operator *A = test_new_pairs(&s->pairs);
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

static void spheres_free(row_of_spheres *s)
{
    free(s->body);
    free(s->J);
    free(s->inverse_mass);
    free(s->inverse_inertia);
}

/* Whether a solver with this setting takes the order of the bodies by itself. */
static bool takes_local(const perp_problem *p, const char *solver, const char *setting)
{
    perp_result *r = test_solve(p, solver, "max-iterations=2", setting, NULL);
    bool told =
        test_ran(r, "blocks in the order of their bodies: the stored order jumps");

    return told;
}

enum { MANY = 20011, FEW = 19997, STEP = 7019 }; /* primes */

TEST(the_order_of_bodies_is_taken_where_storage_jumps)
{
    row_of_spheres s;
    perp_problem *p = spheres_problem(&s, MANY, STEP);

    CU_ASSERT(perp_locality_jump(p) > 0.2);
    CU_ASSERT(takes_local(p, "nsgs", "tolerance=0"));
    CU_ASSERT(takes_local(p, "pgs", "tolerance=0"));
    CU_ASSERT_FALSE(takes_local(p, "nsgs", "order=natural"));
    CU_ASSERT_FALSE(takes_local(p, "nsgs", "order=colored"));
    perp_result *r = test_solve(p, "nsgs", "max-iterations=2", NULL);
    perp_result *x = test_solve(p, "nsgs", "max-iterations=2", "order=local", NULL);
    CU_ASSERT_EQUAL(memcmp(r->z, x->z, p->n * sizeof *r->z), 0);
    x = test_solve(p, "nsgs", "max-iterations=2", "order=natural", NULL);
    CU_ASSERT(test_distance(p->n, r->z, x->z) > 0.0);
    spheres_free(&s);
}

TEST(storage_in_order_and_small_problems_are_left_as_they_are)
{
    row_of_spheres s;
    perp_problem *p = spheres_problem(&s, MANY, 1);

    CU_ASSERT(perp_locality_jump(p) <= 1.0 / (double)MANY);
    CU_ASSERT_FALSE(takes_local(p, "nsgs", "tolerance=0"));
    spheres_free(&s);
    p = spheres_problem(&s, FEW, STEP);
    CU_ASSERT(perp_locality_jump(p) > 0.2);
    CU_ASSERT_FALSE(takes_local(p, "nsgs", "tolerance=0"));
    spheres_free(&s);
}

/* A row of spheres is walked from end to end, however it is stored. */
TEST(a_chain_is_swept_from_end_to_end)
{
    enum { N = 101 };
    row_of_spheres s;
    perp_problem *p = spheres_problem(&s, N, 37);
    size_t *order = NULL;
    perp_workspace *ws = test_new_workspace(0);

    OK(perp_locality_order(p, &order, ws, NULL));
    for (size_t k = 1; k < N; k++) {
        int32_t a = s.body[6 * order[k - 1] + 1], b = s.body[6 * order[k] + 1];

        CU_ASSERT_EQUAL(abs(a - b), 1);
    }
    spheres_free(&s);
}

/* Contacts with the ground alone jump as much: one body of each is held. */
TEST(blocks_of_one_body_count_as_jumps)
{
    row_of_spheres s;
    perp_problem *p = spheres_problem(&s, 1009, 503);

    CU_ASSERT(perp_locality_jump(p) > 0.2);
    for (size_t i = 0; i < p->n; i++) {
        s.body[2 * i] = -1;
    }
    CU_ASSERT(perp_locality_jump(p) > 0.2);
    spheres_free(&s);
}

/* Neighbours share a sphere, whichever of the two bodies of their rows it is. */
TEST(neighbours_in_a_row_have_two_colours)
{
    enum { N = 101 };
    row_of_spheres s;
    perp_problem *p = spheres_problem(&s, N, 37);
    size_t color_of[N + 1] = {0}; /* by sphere on the right */
    colors c;
    perp_workspace *ws = test_new_workspace(0);

    OK(perp_colors_make(&c, p, 1, ws, NULL));
    CU_ASSERT(c.count >= 2 && c.count <= 3);
    for (size_t a = 0; a < c.count; a++) {
        for (size_t i = c.from[a]; i < c.from[a + 1]; i++) {
            color_of[s.body[6 * c.order[i] + 1]] = a + 1;
        }
    }
    for (size_t k = 1; k < N; k++) {
        CU_ASSERT_NOT_EQUAL(color_of[k], color_of[k - 1]);
    }
    spheres_free(&s);
}

TEST(failing_memory_is_survived)
{
    couples s;
    perp_problem *p = locality_problem(&s, contacts, 3);
    perp_options opt;

    perp_options_init(&opt, &perp_solver_nsgs, NULL, NULL);
    OK(perp_options_set(&opt, "order", "local", NULL));
    CU_ASSERT(test_memory_needed(p, &perp_solver_nsgs, &opt, "memory") > 0);
}
