/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/enumerate.c: which of several solutions is returned, and the list of all. */
#include <config.h>

#include <stdio.h>

#include <perp/solutions.h>

#include "answers.h"
#include "families.h"

static const double exact = 1e-12; /* a fresh LU of at most 16 rows */

/* A = -I, b = 1: each row has z = 0, w = 1 or z = 1, w = 0; the last row has z = 1. */
TEST(two_to_the_n_solutions_of_minus_the_identity)
{
    double A[81] = {0};
    double b[9];

    for (int i = 0; i < 9; i++) {
        A[10 * i] = i < 8 ? -1.0 : 1.0;
        b[i] = -A[10 * i];
    }
    perp_problem *p = test_lcp(9, A, b);
    perp_result *r =
        test_solve_from(p, (double[]){2, 0, 0, 0, 0.4, 0.6, 0, 0, 0}, "enumerate", NULL);
    test_solved(p, r, exact);
    CU_ASSERT(test_ran(r, "512 active sets, 256 solutions"));
    for (int i = 0; i < 8; i++) { /* the nearest to the start */
        CU_ASSERT_EQUAL(r->z[i], i == 0 || i == 5 ? 1.0 : 0.0);
    }
}

TEST(a_solution_of_all_other_pivoting_methods_is_among_them)
{
    for (int seed = 1; seed <= 6; seed++) {
        char call[64];
        perp_problem *p = NULL;
        perp_result *lemke = NULL;

        snprintf(call, sizeof call, "integer-spd:n=12,seed=%d", seed);
        OK(perp_family_make(call, &p, NULL));
        perp_result *r = test_solve(p, "enumerate", NULL);
        lemke = test_solve(p, "lemke", NULL);
        test_solved(p, r, exact);
        CU_ASSERT(test_distance(p->n, r->z, lemke->z) <=
                  1e-10); /* unique, condition 1e4 */
        perp_problem_free(p);
    }
}

/* The list of a problem; each point solves. */
TEST_FREED(solutions)

static perp_solutions *all_of(const perp_problem *p)
{
    perp_solutions *s = NULL;

    OK(perp_solutions_find(p, &s, NULL));
    CU_ASSERT_TRUE(s->complete);
    for (size_t k = 0; k < s->count; k++) {
        CU_ASSERT(perp_residual(p, s->z + k * s->n) <= 1e-10);
    }
    return test_keep(s, test_free_solutions);
}

static bool lists(const perp_solutions *s, const double *z, perp_solution_kind kind)
{
    for (size_t k = 0; k < s->count; k++) {
        if (test_distance(s->n, s->z + k * s->n, z) <= 1e-12) {
            return s->kind[k] == kind;
        }
    }
    return false;
}

TEST(all_solutions_of_small_problems_are_listed)
{
    const double turned[4] = {0, 0, 1, -1}, minus[1] = {-1}, flat[4] = {1, 1, 1, 1};
    perp_solutions *s = all_of(test_lcp(1, minus, (double[]){1}));

    CU_ASSERT_EQUAL(s->count, 2);
    CU_ASSERT(lists(s, (double[]){0}, PERP_SOLUTION_ISOLATED));
    CU_ASSERT(lists(s, (double[]){1}, PERP_SOLUTION_ISOLATED));
    /* The rays (2 + t, 0) and (2 + t, t), whose end is no basic solution. */
    s = all_of(test_lcp(2, turned, (double[]){0, -2}));
    CU_ASSERT_EQUAL_FATAL(s->count, 1);
    CU_ASSERT(lists(s, (double[]){2, 0}, PERP_SOLUTION_UNBOUNDED));
    CU_ASSERT_EQUAL_FATAL(s->ray_count, 2);
    CU_ASSERT(test_distance(2, s->ray, (double[]){1, 0}) <= 1e-12);
    CU_ASSERT(test_distance(2, s->ray + 2, (double[]){1, 1}) <= 1e-12);
    /* The segment z1 + z2 = 1. */
    s = all_of(test_lcp(2, flat, (double[]){-1, -1}));
    CU_ASSERT_EQUAL_FATAL(s->count, 2);
    CU_ASSERT(lists(s, (double[]){1, 0}, PERP_SOLUTION_ON_FACE));
    CU_ASSERT(lists(s, (double[]){0, 1}, PERP_SOLUTION_ON_FACE));
    CU_ASSERT_TRUE(s->joined[1]);
}

/* M = 0, q = 0: all z >= 0; and in a box of one row. */
TEST(a_cone_of_solutions_has_its_corner_and_its_edges)
{
    const double zero[9] = {0};
    perp_solutions *s = all_of(test_lcp(3, zero, zero));

    CU_ASSERT_EQUAL(s->count, 1);
    CU_ASSERT_EQUAL(s->ray_count, 3);
    CU_ASSERT(lists(s, zero, PERP_SOLUTION_UNBOUNDED));
}

/* Random LCPs of two and three rows, entries -2 .. 2, with a zero row: where a grid of halves has a
 * solution, one is listed, and each solution of the grid lies in what the list spans. */
TEST(no_solution_of_a_grid_is_missed)
{
    perp_random g = {12};
    size_t with = 0;

    for (int k = 0; k < 600; k++) {
        const size_t n = 2 + (size_t)k % 2;
        double M[9], q[3], z[3] = {0};
        size_t solutions = 0;

        for (size_t i = 0; i < n * n; i++) {
            M[i] = i % n == 0 ? 0.0 : (double)perp_random_integer(&g, -2, 2);
        }
        for (size_t i = 0; i < n; i++) {
            q[i] = (double)perp_random_integer(&g, -2, 2);
        }
        perp_problem *p = test_lcp(n, M, q);
        perp_solutions *s = all_of(p);
        for (size_t point = 0; point < (n == 2 ? 81u : 729u); point++) {
            size_t digits = point;

            for (size_t i = 0; i < n; i++) {
                z[i] = 0.5 * (double)(digits % 9);
                digits /= 9;
            }
            solutions += perp_residual(p, z) <= 1e-12;
        }
        with += solutions > 0;
        CU_ASSERT(solutions == 0 || s->count > 0);
        CU_ASSERT(solutions <= 1 || s->count > 1 || s->ray_count > 0);
    }
    CU_ASSERT(with > 100);
}

/* A start that solves is one of two, and free rows with equal columns make a line. */
TEST(the_start_ends_nothing_and_lines_are_counted)
{
    const double minus[4] = {-1, 0, 0, -1}, both[4] = {1, 1, 1, 1};
    perp_problem *p = test_lcp(2, minus, (double[]){1, 1});
    perp_result *r = test_solve(p, "enumerate", NULL);

    CU_ASSERT(test_ran(r, "4 active sets, 4 solutions"));
    p = test_lcp(2, both, (double[]){-2, -2});
    for (size_t k = 0; k < 2; k++) {
        p->set->blocks[k].kind = PERP_SET_FREE;
        p->set->blocks[k].lo = -INFINITY;
        p->set->blocks[k].hi = INFINITY;
    }
    perp_solutions *s = all_of(p);
    CU_ASSERT_EQUAL(s->lines, 1);
    CU_ASSERT_EQUAL(s->count, 1);
    CU_ASSERT(lists(s, (double[]){2, 0}, PERP_SOLUTION_UNBOUNDED));
}

/* k contacts with W = [1 2 0; 2 5 0; 0 0 5], b = (1, 4, 0), mu = 1 each: open z = 0; sliding
 * z_N = 1, z_T = -1, w_T = 4 + 2 - 5; sticking z = -W^-1 b = (3, -2, 0). Other directions of sliding do not solve. */
static perp_problem *jamming(size_t count, size_t dim)
{
    static const double W[3][3] = {{1, 2, 0}, {2, 5, 0}, {0, 0, 5}}, b[3] = {1, 4, 0};
    static const double mu[3] = {1, 1, 1};
    const size_t n = dim * count;
    double A[81] = {0}, q[9];

    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < dim; i++) {
            q[dim * c + i] = b[i];
            for (size_t j = 0; j < dim; j++) {
                A[(dim * c + i) * n + dim * c + j] = W[i][j];
            }
        }
    }
    return test_cones(dim, count, A, q, mu);
}

static void has_states(const perp_solutions *s, size_t count, size_t dim)
{
    static const double known[3][3] = {{0, 0, 0}, {1, -1, 0}, {3, -2, 0}};
    size_t sets = 1;

    for (size_t c = 0; c < count; c++) {
        sets *= 3;
    }
    CU_ASSERT_EQUAL(s->count, sets);
    for (size_t k = 0; k < s->count; k++) {
        CU_ASSERT_EQUAL(s->kind[k], PERP_SOLUTION_ISOLATED);
        for (size_t c = 0; c < count; c++) {
            const double *z = s->z + k * s->n + dim * c;
            size_t found = 0;

            for (size_t q = 0; q < 3; q++) {
                found += fabs(z[0] - known[q][0]) < 1e-9 &&
                         fabs(z[1] - known[q][1]) < 1e-9 &&
                         (dim == 2 || fabs(z[2]) < 1e-9);
            }
            CU_ASSERT_EQUAL(found, 1);
        }
    }
}

TEST(contacts_that_jam_have_an_open_a_sliding_and_a_sticking_state)
{
    for (size_t dim = 2; dim <= 3; dim++) {
        for (size_t count = 1; count <= 3; count++) {
            perp_solutions *s = NULL;

            OK(perp_solutions_find(jamming(count, dim), &s, NULL));
            CU_ASSERT(s->complete || (dim == 3 && count == 3));
            has_states(s, count, dim);
            perp_solutions_free(s);
        }
    }
}

/* Positive definite W and little friction: one solution, that of other solvers. */
TEST(contacts_with_little_friction_have_one_solution)
{
    static const double mu[2] = {0.2, 0.1};

    for (uint64_t seed = 1; seed <= 30; seed++) {
        perp_random g = {seed};
        perp_operator *W = test_spd(6, seed);
        double A[36], b[6];
        perp_solutions *s = NULL;

        for (size_t i = 0; i < 6; i++) {
            b[i] = perp_random_unit(&g) - (i % 3 == 0 ? 1.2 : 0.5);
        }
        for (size_t k = 0; k < 36; k++) {
            A[k] = perp_operator_entry(W, k / 6, k % 6);
        }
        perp_problem *p = test_cones(3, 2, A, b, mu);
        perp_result *r = test_solve(p, "nsgs tolerance=1e-12", NULL);
        OK(perp_solutions_find(p, &s, NULL));
        CU_ASSERT_EQUAL_FATAL(s->count, 1);
        CU_ASSERT(test_distance(6, s->z, r->z) <= 1e-9);
        perp_solutions_free(s);
    }
}

/* A force of sticking splits in many ways between the directions of the LCP: one solution of the problem. */
TEST(box_friction_lists_solutions_of_the_problem_and_not_of_its_lcp)
{
    static const double A[4] = {2, 0, 0, 1}, b[2] = {-2, 0.25};
    perp_problem *p = test_lcp(2, A, b);
    perp_solutions *s = NULL;

    p->set->blocks[1] = (perp_block){
        .kind = PERP_SET_FRICTION, .dim = 1, .first = 1, .mu = 0.5, .normal = 0};
    OK(perp_solutions_find(p, &s, NULL));
    CU_ASSERT_EQUAL_FATAL(s->count, 1);
    CU_ASSERT(fabs(s->z[0] - 1.0) < exact && fabs(s->z[1] + 0.25) < exact);
    CU_ASSERT_EQUAL(s->kind[0], PERP_SOLUTION_ISOLATED);
    perp_solutions_free(s);
}

/* Two contacts share a load along the line that joins them: the set in which both stick is singular. */
TEST(loads_that_contacts_share_make_the_list_incomplete)
{
    double A[36] = {0}, b[6] = {-1, 0, 0, -1, 0, 0};
    static const double mu[2] = {0.5, 0.5};
    perp_solutions *s = NULL;

    for (size_t i = 0; i < 6; i++) {
        A[7 * i] = 1.0;
    }
    A[1 * 6 + 4] = A[4 * 6 + 1] = 1.0;
    OK(perp_solutions_find(test_cones(3, 2, A, b, mu), &s, NULL));
    CU_ASSERT(!s->complete && s->singular > 0);
    perp_solutions_free(s);
}
