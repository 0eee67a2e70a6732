/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/articulated_factors.c: factors of H + dt D + dt^2 K along the tree,
 * answers to forces, and rows as innovations, against dense matrices. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_tree.h"
#include "reference.h"

/* As many roundings as sums have terms; conditions of these trees are below 1e5, and
 * solutions are compared. */
static const double rounding = 1e-11;

static const tree_how hows[] = {
    {.count = 6, .shape = TREE_CHAIN, .passive = true, .seed = 11},
    {.count = 15, .shape = TREE_BUSHY, .floating = true, .passive = true, .seed = 12},
    {.count = 30, .shape = TREE_BUSHY, .moving = true, .passive = true, .seed = 13},
    {.count = 30,
     .shape = TREE_BUSHY,
     .mobilizer = "revolute",
     .floating = true,
     .seed = 14},
};

static void each(void (*check)(perp_articulation *tree))
{
    for (size_t k = 0; k < sizeof hows / sizeof *hows; k++) {
        perp_articulation *tree = random_tree(&hows[k]);

        test_note("tree %zu of seed %llu", k, (unsigned long long)hows[k].seed);
        check(tree);
    }
}

/* x := (H + dt D + dt^2 K)^-1 x, densely, columns of x. */
static void dense_solve(perp_articulation *tree, double dt, double *x, size_t columns)
{
    const size_t n = tree->n;
    double *H = reals(n * n);

    perp_articulation_crba(tree, H);
    for (size_t k = 0; k < tree->count; k++) {
        for (size_t i = 0; i < tree->links[k].mobilizer->dof; i++) {
            H[(n + 1) * (tree->first[k] + i)] +=
                dt * tree->links[k].damping[i] + dt * dt * tree->links[k].stiffness[i];
        }
    }
    CU_ASSERT_EQUAL_FATAL(
        LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (int)n, (int)columns, H, (int)n, x, (int)n),
        0);
}

/* World-axes Jacobian of link k, rows (v, omega), 6 x n. */
static double *world_jacobian(const perp_articulation *tree, size_t k)
{
    const size_t rows = 6 * tree->count;
    double *J = reals(rows * tree->n);
    double *out = reals(6 * tree->n);

    perp_articulation_jacobian(tree, J, NULL);
    for (size_t j = 0; j < tree->n; j++) {
        mat3_apply(tree->E[k].R, J + rows * j + 6 * k + 3, out + 6 * j);
        mat3_apply(tree->E[k].R, J + rows * j + 6 * k, out + 6 * j + 3);
    }
    return out;
}

static void check_respond(perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;
    const double steps[] = {0.0, 0.3};
    double *tau = drawn(n, 1);
    double *f = drawn(rows, 2);
    double *x = reals(n);
    double *qdd = reals(n);
    double *a = reals(rows);

    for (int s = 0; s < 2; s++) {
        memcpy(x, tau, n * sizeof *x);
        for (size_t k = 0; k < tree->count; k++) {
            double *J = world_jacobian(tree, k);

            for (size_t i = 0; i < 6 * n; i++) {
                x[i / 6] += J[i] * f[6 * k + i % 6];
            }
        }
        dense_solve(tree, steps[s], x, 1);
        OK(perp_articulation_factor(tree, steps[s], NULL));
        perp_articulation_solve_mass(tree, tau, f, qdd, a);
        CU_ASSERT(test_distance(n, qdd, x) <= rounding * test_largest(n, x));
        for (size_t k = 0; k < tree->count; k++) {
            double *J = world_jacobian(tree, k);
            double sum[6] = {0};

            for (size_t i = 0; i < 6 * n; i++) {
                sum[i % 6] += J[i] * qdd[i / 6];
            }
            CU_ASSERT(test_distance(6, a + 6 * k, sum) <=
                      rounding * test_largest(rows, a));
        }
        /* without forces, and without joint forces */
        memcpy(x, tau, n * sizeof *x);
        dense_solve(tree, steps[s], x, 1);
        perp_articulation_solve_mass(tree, tau, NULL, qdd, NULL);
        CU_ASSERT(test_distance(n, qdd, x) <= rounding * test_largest(n, x));
        perp_articulation_solve_mass(tree, NULL, NULL, qdd, NULL);
        CU_ASSERT_EQUAL(test_largest(n, qdd), 0.0);
    }
}

TEST(answers_to_forces_are_those_of_the_dense_matrix)
{
    each(check_respond);
}

static void check_kept(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *tau = drawn(n, 1);
    double *x = reals(n);
    double *qdd = reals(n);

    OK(perp_articulation_factor(tree, 0.3, NULL));
    perp_articulation_solve_mass(tree, tau, NULL, x, NULL);
    OK(perp_articulation_aba(tree, tau, NULL, qdd, NULL));
    perp_articulation_solve_mass(tree, tau, NULL, qdd, NULL);
    CU_ASSERT_EQUAL(memcmp(x, qdd, n * sizeof *x), 0);
}

TEST(factors_stay_while_accelerations_are_found)
{
    each(check_kept);
}

/* A = E Delta^-1 E^T of rows on links i and j against J_c H^-1 J_c^T. */
static void check_row(perp_articulation *tree, int32_t i, int32_t j, size_t rows,
                      double dt)
{
    const size_t n = tree->n;
    double *f_i = drawn(6 * rows, 3);
    double *f_j = drawn(6 * rows, 4);
    double *G = reals(n * rows); /* J_c^T */
    double *X = reals(n * rows);
    double *E = reals(n * rows); /* E^T */
    double *A = reals(rows * rows);
    double *B = reals(rows * rows);
    double *value = reals(rows * 2 * n);
    int32_t *index = test_alloc(2 * n + 1, sizeof *index);
    size_t count = 0;

    for (int s = 0; s < 2; s++) {
        const int32_t link = s == 0 ? i : j;
        const double *f = s == 0 ? f_i : f_j;
        double *J = link < 0 ? NULL : world_jacobian(tree, (size_t)link);

        for (size_t r = 0; J && r < rows; r++) {
            for (size_t k = 0; k < 6 * n; k++) {
                G[n * r + k / 6] += J[k] * f[6 * r + k % 6];
            }
        }
        free(J);
    }
    memcpy(X, G, n * rows * sizeof *X);
    dense_solve(tree, dt, X, rows);
    count = perp_articulation_innovations(tree, i, j, rows, f_i, f_j, index, value);
    CU_ASSERT(count <= (i < 0 ? 0 : tree->depth[i]) + (j < 0 ? 0 : tree->depth[j]));
    for (size_t k = 0; k < count; k++) {
        CU_ASSERT(k == 0 || index[k - 1] < index[k]);
        for (size_t r = 0; r < rows; r++) {
            E[n * r + (size_t)index[k]] = value[k * rows + r];
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t s = 0; s < rows; s++) {
            for (size_t k = 0; k < n; k++) {
                A[rows * r + s] += G[n * r + k] * X[n * s + k];
            }
            for (size_t k = 0; k < tree->count; k++) {
                const size_t dof = tree->links[k].mobilizer->dof;
                const double *e = E + n * r + tree->first[k];
                const double *g = E + n * s + tree->first[k];
                double inverse[36];

                perp_articulation_inverse(tree, k, inverse);
                for (size_t a = 0; a < dof * dof; a++) {
                    B[rows * r + s] += e[a / dof] * inverse[a] * g[a % dof];
                }
            }
        }
    }
    CU_ASSERT(test_distance(rows * rows, A, B) <=
              rounding * test_largest(rows * rows, A));
}

static void check_rows(perp_articulation *tree)
{
    const int32_t last = (int32_t)tree->count - 1;
    const double steps[] = {0.0, 0.2};

    for (int s = 0; s < 2; s++) {
        OK(perp_articulation_factor(tree, steps[s], NULL));
        for (size_t rows = 1; rows <= 8; rows++) {
            check_row(tree, last, -1, rows, steps[s]);
            check_row(tree, -1, last / 2, rows, steps[s]);
            check_row(tree, last, last - 1, rows, steps[s]);
            check_row(tree, last / 3, last, rows, steps[s]);
            check_row(tree, last, tree->links[last].parent, rows, steps[s]);
            check_row(tree, last, last, rows, steps[s]);
        }
        check_row(tree, -1, -1, 3, steps[s]);
    }
}

TEST(rows_make_the_matrix_of_contacts)
{
    each(check_rows);
}

/* Whether coordinate j is of the link of coordinate i, or of one above it. */
static bool above(const perp_articulation *tree, size_t i, size_t j)
{
    int32_t k = (int32_t)tree->count - 1;

    while (tree->first[k] > i) {
        k--;
    }
    while (k >= 0 && tree->first[k] > j) {
        k = tree->links[k].parent;
    }
    return k >= 0 && j < tree->first[k + 1];
}

static void check_ltdl(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *H = reals(n * n);
    double *K = reals(n * n);
    double *tau = drawn(n, 5);
    double *x = reals(n);

    perp_articulation_crba(tree, H);
    memcpy(K, H, n * n * sizeof *K);
    memcpy(x, tau, n * sizeof *x);
    CU_ASSERT_FATAL(perp_articulation_ltdl(tree, H));
    perp_articulation_ltdl_solve(tree, H, x);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i;
             j++) { /* no fill, and the upper triangle is not touched */
            CU_ASSERT(H[n * j + i] == 0.0 || above(tree, i, j));
            CU_ASSERT(H[n * i + j] == K[n * i + j]);
        }
    }
    dense_solve(tree, 0.0, tau, 1);
    CU_ASSERT(test_distance(n, x, tau) <= rounding * test_largest(n, tau));
    H[0] = -1.0;
    CU_ASSERT_FALSE(perp_articulation_ltdl(tree, H));
}

TEST(sparse_factors_solve_without_fill)
{
    each(check_ltdl);
}

/* A carriage of mass 2 with a pendulum of mass 1, length 1 on it, hanging: by hand,
 * H = [3 1; 1 1]; H^-1 = [1/2 -1/2; -1/2 3/2]. */
TEST(a_pendulum_on_a_carriage_is_solved_by_hand)
{
    perp_link links[2] = {plain_link("carriage", -1, "prismatic"),
                          plain_link("pendulum", 0, "revolute")};
    const double tau[2] = {1.0, 0.0};
    const double other[2] = {0.0, 1.0};
    const double f[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    perp_articulation *tree = NULL;
    double qdd[2];
    double a[12];

    vec3_set(links[0].axes, 1.0, 0.0, 0.0);
    links[0].mass = 2.0;
    vec3_set(links[1].axes, 0.0, -1.0, 0.0); /* so that it swings towards +x */
    vec3_set(links[1].Ec.p, 0.0, 0.0, -1.0);
    memset(links[1].inertia, 0, sizeof links[1].inertia);
    OK(perp_articulation_new(&tree, links, 2, NULL));
    OK(perp_articulation_update(tree, NULL));
    OK(perp_articulation_factor(tree, 0.0, NULL));
    perp_articulation_solve_mass(tree, tau, NULL, qdd, NULL);
    test_agree("push on the carriage", qdd, (double[]){0.5, -0.5}, 2, 1e-15);
    perp_articulation_solve_mass(tree, other, NULL, qdd, NULL);
    test_agree("torque on the pendulum", qdd, (double[]){-0.5, 1.5}, 2, 1e-15);
    /* a push on the bob moves the bob alone */
    perp_articulation_solve_mass(tree, NULL, f, qdd, a);
    test_agree("push on the bob", qdd, (double[]){0.0, 1.0}, 2, 1e-15);
    test_agree("bob", a + 6, (double[]){1.0, 0.0, 0.0, 0.0, -1.0, 0.0}, 6, 1e-15);
}
