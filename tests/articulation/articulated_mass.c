/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/articulated_mass.c: the sparse mass matrix of a tree and its factors,
 * against the dense one, inverse dynamics, kinetic energy and LAPACK. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_tree.h"
#include "reference.h"
#include "scarce.h"

/* Roundings of sums over up to 200 bodies that pass through as many joints. */
static const double rounding = 1e-12;

/* Sparse rows spread into a dense, symmetric matrix. */
static double *spread(const perp_articulation *tree, const double *rows)
{
    const size_t n = tree->n;
    double *H = reals(n * n);

    for (size_t i = 0; i < n; i++) {
        size_t at = tree->row[i + 1];

        for (int32_t j = (int32_t)i; j >= 0; j = tree->above[j]) {
            H[n * i + (size_t)j] = H[n * (size_t)j + i] = rows[--at];
        }
        CU_ASSERT_EQUAL(at, tree->row[i]);
    }
    return H;
}

static double *sparse_mass(perp_articulation *tree)
{
    double *rows = reals(tree->row[tree->n]);

    perp_articulation_mass(tree, rows);
    return rows;
}

static void check_same(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *rows = sparse_mass(tree);
    double *sparse = spread(tree, rows);
    double *H = reals(n * n);

    perp_articulation_crba(tree, H);
    CU_ASSERT(memcmp(H, sparse, n * n * sizeof *H) == 0);
}

TEST(sparse_and_dense_matrices_have_the_same_bits)
{
    each_tree(check_same);
}

/* Column j: the forces that accelerate coordinate j alone, but for those at rest. */
static void check_columns(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *rows = sparse_mass(tree);
    double *H = spread(tree, rows);
    double *still = reals(n);
    double *tau = reals(n);
    double *qdd = reals(n);

    perp_articulation_rnea(tree, NULL, NULL, still);
    for (size_t j = 0; j < n; j++) {
        double scale = 0.0;

        qdd[j] = 1.0;
        perp_articulation_rnea(tree, qdd, NULL, tau);
        qdd[j] = 0.0;
        scale = test_largest(n, tau) + test_largest(n, still);
        for (size_t i = 0; i < n; i++) {
            tau[i] -= still[i];
        }
        CU_ASSERT(test_distance(n, tau, H + n * j) <= rounding * scale);
    }
}

TEST(its_columns_are_forces_of_unit_accelerations)
{
    each_tree(check_columns);
}

/* On a base at rest T is quadratic: T(e_i + e_j) - T(e_i) - T(e_j) = H(i,j), without a
 * step's error. */
static void check_energy(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *qd = reals(n);
    double *alone = reals(n);
    double *rows = NULL;
    double *H = NULL;

    memset(tree->base_u, 0, 6 * tree->count * sizeof *tree->base_u);
    put_state(tree, tree->q, tree->qd);
    rows = sparse_mass(tree);
    H = spread(tree, rows);
    for (size_t i = 0; i < n; i++) {
        qd[i] = 1.0;
        alone[i] = perp_articulation_kinetic(tree, qd);
        qd[i] = 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        size_t j = (7 * i + 3) % n;
        double both = 0.0;

        qd[i] += 1.0;
        qd[j] += 1.0;
        both = perp_articulation_kinetic(tree, qd);
        qd[i] = qd[j] = 0.0;
        CU_ASSERT(fabs(both - alone[i] - alone[j] - H[n * i + j]) <=
                  rounding * (both + alone[i] + alone[j]));
    }
}

TEST(its_entries_are_differences_of_kinetic_energy)
{
    each_tree(check_energy);
}

/* L^T D L of the factors. */
static double *product(const perp_articulation *tree, const double *factors)
{
    const size_t n = tree->n;
    double *H = reals(n * n);

    for (size_t k = 0; k < n; k++) {
        const double *row = factors + tree->row[k];
        size_t count = tree->row[k + 1] - tree->row[k];
        size_t a = count;

        for (int32_t i = (int32_t)k; i >= 0; i = tree->above[i]) {
            double one = --a == count - 1 ? 1.0 : row[a];
            size_t b = count;

            for (int32_t j = (int32_t)k; j >= 0; j = tree->above[j]) {
                double other = --b == count - 1 ? 1.0 : row[b];

                H[n * (size_t)i + (size_t)j] += one * row[count - 1] * other;
            }
        }
    }
    return H;
}

static void check_factors(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *rows = sparse_mass(tree);
    double *H = spread(tree, rows);
    double *again = NULL;

    CU_ASSERT_FATAL(perp_articulation_sparse_ltdl(tree, rows));
    again = product(tree, rows);
    CU_ASSERT(test_distance(n * n, again, H) <= rounding * test_largest(n * n, H));
}

TEST(its_factors_give_it_back)
{
    each_tree(check_factors);
}

/* Residual of an answer, and its distance from that of Cholesky as far as the condition
 * lets two ways agree; dense factors of the same matrix have the same bits. */
static void check_answers(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *rows = sparse_mass(tree);
    double *H = spread(tree, rows);
    double *L = spread(tree, rows);
    double *b = drawn(n, 17);
    double *x = reals(n);
    double *y = reals(n);

    CU_ASSERT_FATAL(perp_articulation_sparse_ltdl(tree, rows));
    memcpy(x, b, n * sizeof *x);
    memcpy(y, b, n * sizeof *y);
    perp_articulation_sparse_ltdl_solve(tree, rows, x);
    for (size_t i = 0; i < n; i++) {
        double sum = dot(H + n * i, x, n) - b[i];

        CU_ASSERT(fabs(sum) <= rounding * (double)n *
                                   (test_largest(n * n, H) * test_largest(n, x) + 1.0));
    }
    CU_ASSERT_FATAL(perp_articulation_ltdl(tree, L));
    perp_articulation_ltdl_solve(tree, L, y);
    CU_ASSERT(memcmp(x, y, n * sizeof *x) == 0);
    if (n > 0) {
        double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', (int)n, (int)n, H, (int)n);
        double inverse = 0.0;

        CU_ASSERT_EQUAL_FATAL(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', (int)n, H, (int)n),
                              0);
        CU_ASSERT_EQUAL(
            LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', (int)n, H, (int)n, norm, &inverse), 0);
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', (int)n, 1, H, (int)n, b, (int)n);
        CU_ASSERT(test_distance(n, x, b) <= 1e-14 / inverse * test_largest(n, b));
    }
}

TEST(answers_are_those_of_dense_factors)
{
    each_tree(check_answers);
}

/* A negative diagonal stays negative, since others are only subtracted from it. */
static void check_negative(perp_articulation *tree)
{
    double *rows = sparse_mass(tree);
    size_t size = tree->row[tree->n];
    double *spoilt = reals(size);

    for (size_t k = 0; k < tree->n; k++) {
        memcpy(spoilt, rows, size * sizeof *rows);
        spoilt[tree->row[k + 1] - 1] = -1.0;
        CU_ASSERT_FALSE(perp_articulation_sparse_ltdl(tree, spoilt));
        memcpy(spoilt, rows, size * sizeof *rows);
        spoilt[tree->row[k + 1] - 1] = NAN;
        CU_ASSERT_FALSE(perp_articulation_sparse_ltdl(tree, spoilt));
    }
}

TEST(a_pivot_that_is_not_positive_ends_the_factors)
{
    each_tree(check_negative);
}

/* A carriage of mass 2, on it a pendulum of mass 1 and length 1 that hangs, and beside it
 * a free slider of mass 4: H = [3 1 0; 1 1 0; 0 0 4], D = (2, 1, 4), L(1,0) = 1. */
TEST(a_pendulum_on_a_carriage_is_factored_by_hand)
{
    perp_link links[3] = {plain_link("carriage", -1, "prismatic"),
                          plain_link("pendulum", 0, "revolute"),
                          plain_link("prismatic", -1, "prismatic")};
    double x[3] = {1.0, 2.0, 8.0};
    perp_articulation *tree = NULL;
    double H[4];

    vec3_set(links[0].axes, 1.0, 0.0, 0.0);
    links[0].mass = 2.0;
    vec3_set(links[1].axes, 0.0, -1.0, 0.0); /* so that it swings towards +x */
    vec3_set(links[1].Ec.p, 0.0, 0.0, -1.0);
    memset(links[1].inertia, 0, sizeof links[1].inertia);
    links[2].mass = 4.0;
    OK(perp_articulation_new(&tree, links, 3, NULL));
    OK(perp_articulation_update(tree, NULL));
    CU_ASSERT_EQUAL_FATAL(tree->row[3], 4);
    perp_articulation_mass(tree, H);
    test_agree("H", H, (double[]){3.0, 1.0, 1.0, 4.0}, 4, 1e-15);
    CU_ASSERT(perp_articulation_sparse_ltdl(tree, H));
    test_agree("factors", H, (double[]){2.0, 1.0, 1.0, 4.0}, 4, 1e-15);
    perp_articulation_sparse_ltdl_solve(tree, H, x); /* H (-1/2, 5/2, 2) = (1, 2, 8) */
    test_agree("answer", x, (double[]){-0.5, 2.5, 2.0}, 3, 1e-15);
}

TEST(dense_factors_without_memory_say_so)
{
    const tree_how how = {.count = 6, .shape = TREE_BUSHY, .floating = true, .seed = 21};
    perp_articulation *tree = random_tree(&how);
    double *H = reals(tree->n * tree->n);
    double *K = reals(tree->n * tree->n);

    perp_articulation_crba(tree, H);
    memcpy(K, H, tree->n * tree->n * sizeof *K);
    scarce_begin(0);
    CU_ASSERT_FALSE(perp_articulation_ltdl(tree, H));
    CU_ASSERT(scarce_end());
    CU_ASSERT(memcmp(H, K, tree->n * tree->n * sizeof *K) == 0);
    CU_ASSERT(perp_articulation_ltdl(tree, H));
}
