/* SPDX-License-Identifier: Apache-2.0
 * tests/pivoting/lemke_forms.c: the two forms of Lemke's basis against each other on
 * families of problems; warm starts; proofs that there is no solution; memory. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "answers.h"

static const char *const forms[] = {"form=tableau", "form=kernel"};

/* Pivoting ends in a fresh factorisation: RES is rounding, 10 eps per unit of growth. */
static const double exact = 1e-12;

/* M = B B^T / r + shift I, entries of B in (-1, 1), or integers -3 .. 3 when whole. */
typedef struct family {
    size_t n, rank;
    double shift;
    bool whole;
    uint64_t seed;
} family;

static double *matrix_of(const family *f, perp_random *g)
{
    double *B = test_reals(f->n * f->rank);
    double *M = test_reals(f->n * f->n);

    for (size_t k = 0; k < f->n * f->rank; k++) {
        B[k] = f->whole ? (double)perp_random_integer(g, -3, 3)
                        : perp_random_uniform(g, -1.0, 1.0);
    }
    for (size_t i = 0; i < f->n; i++) {
        for (size_t j = 0; j < f->n; j++) {
            double dot = 0.0;

            for (size_t k = 0; k < f->rank; k++) {
                dot += B[i * f->rank + k] * B[j * f->rank + k];
            }
            M[i * f->n + j] =
                (f->whole ? dot : dot / (double)f->rank) + (i == j ? f->shift : 0.0);
        }
    }
    return M;
}

/* q = w - M z for a pair (z, w) that is active, inactive or both zero, a third each. The
 * parts of the pair are whole numbers, so that integer problems are exact. */
static perp_problem *planted(const family *f, double *z)
{
    perp_random g = {f->seed};
    double *M = matrix_of(f, &g);
    double *q = test_reals(f->n);

    for (size_t i = 0; i < f->n; i++) {
        long mode = perp_random_integer(&g, 0, 2);

        z[i] = mode == 0 ? (double)perp_random_integer(&g, 1, 9) : 0.0;
        q[i] = mode == 1 ? (double)perp_random_integer(&g, 1, 9) : 0.0;
    }
    for (size_t i = 0; i < f->n; i++) {
        for (size_t j = 0; j < f->n; j++) {
            q[i] -= M[i * f->n + j] * z[j];
        }
    }
    return test_lcp(f->n, M, q);
}

/* Both forms take the same path to a solution of p. */
static double check_both(const perp_problem *p)
{
    perp_result *a = test_solve(p, "lemke", forms[0], NULL);
    perp_result *b = test_solve(p, "lemke", forms[1], NULL);
    double pivots = b->work.pivots;

    test_solved(p, a, exact);
    test_solved(p, b, exact);
    CU_ASSERT_EQUAL(a->work.pivots, b->work.pivots);
    CU_ASSERT(pivots <= 3.0 * (double)p->n);
    CU_ASSERT(a->work.flops_factor >= 0.0 && b->work.flops_factor >= 0.0);
    if (a->work.pivots != b->work.pivots) {
        test_note("n = %zu: %g and %g pivots", p->n, a->work.pivots, b->work.pivots);
    }
    return pivots;
}

static void check_families(double shift, bool whole, size_t (*rank)(size_t n))
{
    double z[40];

    for (uint64_t seed = 1; seed <= 40; seed++) {
        size_t n = 2 + seed % 39;
        family f = {n, rank(n), shift, whole, seed};
        perp_problem *p = planted(&f, z);

        check_both(p);
    }
}

static size_t rank_full(size_t n)
{
    return n;
}

static size_t rank_half(size_t n)
{
    return (n + 1) / 2;
}

static size_t rank_few(size_t n)
{
    return 1 + n / 8;
}

TEST(both_forms_take_the_same_path_on_positive_definite_problems)
{
    check_families(1.0, false, rank_full);
}

TEST(both_forms_take_the_same_path_on_integers_full_of_ties)
{
    check_families(1.0, true, rank_full);
}

TEST(both_forms_take_the_same_path_on_semidefinite_problems)
{
    check_families(0.0, false, rank_half);
    check_families(0.0, true, rank_half);
}

TEST(both_forms_take_the_same_path_on_problems_of_low_rank)
{
    check_families(0.0, true, rank_few);
}

/* Contacts of a heap: A = J J^T of half the rank, some pressed, open, or grazing. */
TEST(solves_contacts_of_half_the_rank)
{
    static const size_t sizes[] = {20, 60, 120, 200};
    double z[200];

    for (size_t k = 0; k < 4; k++) {
        family f = {sizes[k], sizes[k] / 2, 0.0, false, 11 + k};
        perp_problem *p = planted(&f, z);

        check_both(p);
    }
}

/* Row of J of a body at x for a contact at `point`: sign (normal, 1.6 (point - x) x
 * normal), 1.6 being the root of a ball's mass over its inertia. */
static void contact_row(double *row, double sign, const double *normal,
                        const double *point, double x)
{
    const double arm[3] = {point[0] - x, point[1], point[2]};

    for (size_t k = 0; k < 3; k++) {
        const size_t l = (k + 1) % 3, m = (k + 2) % 3;

        row[k] = sign * normal[k];
        row[3 + k] = sign * 1.6 * (arm[l] * normal[m] - arm[m] * normal[l]);
    }
}

/* M = J J^T of a chain of bodies at distance 1, twelve contacts a body, each with one
 * that is at most four away: half the rank, with blocks that are nearly singular. Half of
 * the rows are active, a third degenerate. */
static perp_problem *chain(size_t n, uint64_t seed)
{
    const size_t bodies = n / 12, width = 6 * bodies;
    perp_random g = {seed};
    double *J = test_alloc(n * width, sizeof *J);
    double *M = test_reals(n * n), *q = test_reals(n), *z = test_reals(n);

    for (size_t i = 0; i < n; i++) {
        const size_t b = i % bodies, reach = (size_t)perp_random_integer(&g, 1, 4);
        const double share = perp_random_unit(&g), value = 0.5 + perp_random_unit(&g);
        double normal[3], point[3];

        for (size_t k = 0; k < 3; k++) {
            normal[k] = perp_random_uniform(&g, -1.0, 1.0);
            point[k] = perp_random_uniform(&g, -0.7, 0.7) + (k == 0 ? (double)b : 0.0);
        }
        contact_row(J + i * width + 6 * b, 1.0, normal, point, (double)b);
        if (b >= reach) {
            contact_row(J + i * width + 6 * (b - reach), -1.0, normal, point,
                        (double)(b - reach));
        }
        z[i] = share < 0.5 ? value : 0.0;
        q[i] = share > 0.8 ? value : 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double dot = 0.0;

            for (size_t k = 0; k < width; k++) {
                dot += J[i * width + k] * J[j * width + k];
            }
            M[i * n + j] = dot;
            q[i] -= dot * z[j];
        }
    }
    return test_lcp(n, M, q);
}

/* The condition of the basis grows until z0 is as small as the rounding of M. */
TEST(keeps_to_its_path_where_the_basis_becomes_singular)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_problem *p = chain(240, seed);
        perp_result *r = test_solve(p, "lemke", "form=kernel", NULL);

        CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(perp_residual(p, r->z) <= 1e-10); /* z0 ends at 1e-13 .. 1e-10 */
        CU_ASSERT_EQUAL(r->work.rounds, 0.0);
        CU_ASSERT(r->work.pivots <= 1.5 * (double)p->n); /* 0.8 .. 1.1 n are seen */
    }
}

/* Twelve times the same contact beside others: every pivot on them is tied. */
TEST(solves_contacts_that_are_doubled)
{
    family f = {24, 4, 0.0, true, 5};
    perp_random g = {f.seed};
    double *M = matrix_of(&f, &g);
    double q[24];

    for (size_t i = 0; i < f.n; i++) {
        for (size_t j = 0; j < f.n; j++) {
            M[i * f.n + j] = M[i % 2 * f.n + j % 2];
        }
        q[i] = -1.0;
    }
    {
        perp_problem *p = test_lcp(f.n, M, q);

        check_both(p);
    }
}

/* Entries in [0, 1), the diagonal at least 0.1: unsymmetric and not monotone, but
 * strictly copositive, so that every q has a solution. */
TEST(solves_nonnegative_matrices_with_positive_diagonal)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_random g = {seed};
        size_t n = 3 + seed;
        double *M = test_reals(n * n);
        double *q = test_reals(n);

        for (size_t k = 0; k < n * n; k++) {
            M[k] = perp_random_unit(&g) + (k % (n + 1) == 0 ? 0.1 : 0.0);
        }
        for (size_t i = 0; i < n; i++) {
            q[i] = perp_random_uniform(&g, -1.0, 0.5);
        }
        perp_problem *p = test_lcp(n, M, q);
        check_both(p);
    }
}

TEST(scaling_q_keeps_the_path)
{
    double z[30];
    family f = {30, 15, 0.0, true, 3};
    perp_problem *p = planted(&f, z);
    double pivots = check_both(p);
    static const double factors[] = {1e-9, 0.3, 7.0, 1e9};

    for (size_t k = 0; k < 4; k++) {
        perp_problem *scaled = test_copy(p);

        for (size_t i = 0; i < p->n; i++) {
            scaled->b[i] *= factors[k];
        }
        CU_ASSERT_EQUAL(check_both(scaled), pivots);
    }
}

/* ---- warm starts ---- */

static perp_result *solve_from(const perp_problem *p, const double *z, double factor,
                               const char *form, const char *warm)
{
    double start[80];

    CU_ASSERT_FATAL(p->n <= sizeof start / sizeof *start);
    for (size_t i = 0; i < p->n; i++) {
        start[i] = factor * z[i];
    }
    return test_solve_from(p, start, "lemke", form, warm, NULL);
}

/* Half of the solution is not one, but has its support. */
TEST(the_right_support_needs_no_pivot)
{
    double z[70];

    for (size_t k = 0; k < 2; k++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            family f = {2 + 8 * seed, 2 + 8 * seed, 0.5, seed % 2 == 0, seed};
            perp_problem *p = planted(&f, z);
            perp_result *r = solve_from(p, z, 0.5, forms[k], "warm=on");

            test_solved(p, r, exact);
            CU_ASSERT_EQUAL(r->work.pivots, 0.0);
        }
    }
}

/* q moves by 5 %: from the old support few pivots are left, the same in both forms. */
TEST(a_neighbouring_support_saves_pivots)
{
    double z[40];
    double cold = 0.0, warm[2] = {0.0, 0.0};

    for (uint64_t seed = 1; seed <= 10; seed++) {
        family f = {40, 40, 0.5, false, seed};
        perp_random g = {seed};
        perp_problem *p = planted(&f, z);

        for (size_t i = 0; i < p->n; i++) {
            p->b[i] *= perp_random_uniform(&g, 0.95, 1.05);
        }
        for (size_t k = 0; k < 2; k++) {
            perp_result *r = solve_from(p, z, 1.0, forms[k], "warm=on");

            test_solved(p, r, exact);
            warm[k] += r->work.pivots;
        }
        cold += check_both(p);
    }
    CU_ASSERT_EQUAL(warm[0], warm[1]);
    CU_ASSERT(warm[0] > 0.0);
    CU_ASSERT(warm[0] < 0.5 * cold);
}

/* All rows in the support of a matrix of rank 3: no basis; the path begins at w = q. */
TEST(a_singular_support_is_not_used)
{
    double z[12];
    family f = {12, 3, 0.0, true, 4};
    perp_problem *p = planted(&f, z);

    for (size_t i = 0; i < p->n; i++) {
        z[i] = 1.0;
    }
    for (size_t k = 0; k < 2; k++) {
        perp_result *r = solve_from(p, z, 1.0, forms[k], "warm=on");
        perp_result *cold = solve_from(p, z, 0.0, forms[k], "warm=off");

        test_solved(p, r, exact);
        CU_ASSERT_EQUAL(r->work.pivots, cold->work.pivots);
    }
}

/* M e = 0 and e.q < 0, so that e.w < 0 for every z. All numbers are whole: rounded, M may be definite by a few
 * units of rounding, and then there is a solution. */
TEST(proves_that_singular_problems_have_no_solution)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        perp_random g = {seed};
        size_t n = 2 + seed % 20;
        family f = {n, 1 + n / 2, 0.0, true, seed};
        double *M = matrix_of(&f, &g);
        double *q = test_reals(n);

        for (int side = 0; side < 2; side++) { /* M := P M P with P = n I - e e^T */
            for (size_t i = 0; i < n; i++) {
                double sum = 0.0;

                for (size_t j = 0; j < n; j++) {
                    sum += side ? M[j * n + i] : M[i * n + j];
                }
                for (size_t j = 0; j < n; j++) {
                    double *m = &M[side ? j * n + i : i * n + j];

                    *m = (double)n * *m - sum;
                }
            }
        }
        for (size_t i = 0; i < n; i++) {
            q[i] = perp_random_uniform(&g, -1.0, 0.5) - 0.5;
        }
        perp_problem *p = test_lcp(n, M, q);
        for (size_t k = 0; k < 2; k++) {
            perp_result *r = test_solve(p, "lemke", forms[k], NULL);

            test_infeasible(p, r);
        }
    }
}

/* Any amount of memory either is enough or is refused in words. */
TEST(too_little_memory_is_an_error)
{
    double z[50];
    family f = {50, 50, 1.0, false, 1};
    perp_problem *p = planted(&f, z);
    size_t refused = 0;

    for (size_t k = 0; k < 2; k++) {
        for (double limit = 1e-4; limit < 1.0; limit *= 1.2) {
            const perp_solver_type *type = perp_solver_find("lemke");
            perp_options opt;
            perp_error err = {0};
            perp_result *r = test_new_result(p->n);

            perp_options_init(&opt, type, NULL, NULL);
            perp_options_set(&opt, "form", strchr(forms[k], '=') + 1, NULL);
            perp_options_set_real(&opt, "memory-limit", limit, NULL);
            perp_status status = perp_solve(type, p, &opt, r, &err);
            CU_ASSERT(status == PERP_OK || status == PERP_ERR_MEMORY);
            CU_ASSERT_EQUAL(err.status, status);
            refused += status == PERP_ERR_MEMORY;
        }
    }
    CU_ASSERT(refused > 20);
}
