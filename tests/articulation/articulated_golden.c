/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/articulated_golden.c: trees of bodies against values of another code. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_tree.h"
#include "reference.h"

/* Column-major, m x n, from row-major golden values. */
static void agree_matrix(const golden_case *c, const char *key, const double *A, size_t m,
                         size_t n)
{
    double *rows = reals(m * n);

    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            rows[n * i + j] = A[m * j + i];
        }
    }
    golden_agree(c, key, rows, m * n);
}

static void visit(const golden_case *c,
                  void (*check)(const golden_case *c, perp_articulation *tree,
                                const double *f, const double *tau))
{
    double *f = NULL;
    double *tau = NULL;
    perp_articulation *tree = golden_tree(c, &f, &tau);

    check(c, tree, f, tau);
    free(f);
    free(tau);
}

static void check_motion(const golden_case *c, perp_articulation *tree, const double *f,
                         const double *tau)
{
    const size_t N = tree->count;
    double *E = reals(16 * N);
    double *phi = reals(6 * N);
    double *J = reals(6 * N * tree->n);
    double *Jdot = reals(6 * N * tree->n);

    (void)f;
    (void)tau;
    for (size_t k = 0; k < N; k++) {
        for (size_t i = 0; i < 3; i++) {
            memcpy(E + 16 * k + 4 * i, tree->E[k].R + 3 * i, 3 * sizeof *E);
            E[16 * k + 4 * i + 3] = tree->E[k].p[i];
        }
        E[16 * k + 15] = 1.0;
        mat3_apply_transposed(tree->E[k].R, tree->u + 6 * k + 3, phi + 6 * k);
        mat3_apply_transposed(tree->E[k].R, tree->u + 6 * k, phi + 6 * k + 3);
    }
    golden_agree(c, "E", E, 16 * N);
    golden_agree(c, "phi", phi, 6 * N);
    perp_articulation_jacobian(tree, J, Jdot);
    agree_matrix(c, "J", J, 6 * N, tree->n);
    agree_matrix(c, "Jdot", Jdot, 6 * N, tree->n);
}

static void check_forces(const golden_case *c, perp_articulation *tree, const double *f,
                         const double *tau)
{
    const size_t n = tree->n;
    double *H = reals(n * n);
    double *bias = reals(n);
    double *qdd = reals(n);
    double *x = reals(n);

    perp_articulation_crba(tree, H);
    agree_matrix(c, "H", H, n, n);
    perp_articulation_rnea(tree, NULL, f, bias);
    golden_agree(c, "rnea_bias", bias, n);
    OK(perp_articulation_aba(tree, tau, f, qdd, NULL));
    golden_agree(c, "qdd", qdd, n);
    /* and by sparse factors of H */
    for (size_t i = 0; i < n; i++) {
        x[i] = tau[i] - bias[i];
    }
    CU_ASSERT(perp_articulation_ltdl(tree, H));
    perp_articulation_ltdl_solve(tree, H, x);
    golden_agree(c, "qdd", x, n);
}

/* Jacobian of the golden point of the last link, 3 x n. */
static double *point_jacobian(const perp_articulation *tree, const double p[3])
{
    const size_t N = tree->count;
    const size_t last = N - 1;
    double *J = reals(6 * N * tree->n);
    double *Jc = reals(3 * tree->n);

    perp_articulation_jacobian(tree, J, NULL);
    for (size_t j = 0; j < tree->n; j++) {
        const double *column = J + 6 * N * j + 6 * last;
        double v[3];

        vec3_cross(column, p, v);
        vec3_add(v, 1.0, column + 3, v);
        mat3_apply(tree->E[last].R, v, Jc + 3 * j);
    }
    return Jc;
}

/* Jc H^-1 Jc^T by sparse factors of H. */
static void contact_by_ltdl(perp_articulation *tree, const double *Jc, double A[9])
{
    const size_t n = tree->n;
    double *H = reals(n * n);
    double *x = reals(n);

    perp_articulation_crba(tree, H);
    CU_ASSERT_FATAL(perp_articulation_ltdl(tree, H));
    for (size_t k = 0; k < 3; k++) {
        for (size_t j = 0; j < n; j++) {
            x[j] = Jc[3 * j + k];
        }
        perp_articulation_ltdl_solve(tree, H, x);
        vec3_set(A + 3 * k, 0.0, 0.0, 0.0);
        for (size_t j = 0; j < n; j++) {
            vec3_add(A + 3 * k, x[j], Jc + 3 * j, A + 3 * k);
        }
    }
}

/* The point's answers to unit forces on it; r: the point from the centre of mass. */
static void contact_by_answers(perp_articulation *tree, const double r[3],
                               const double rows[18], double A[9])
{
    const size_t last = tree->count - 1;
    double *force = reals(6 * tree->count);
    double *a = reals(6 * tree->count);
    double *qdd = reals(tree->n);

    for (size_t k = 0; k < 3; k++) {
        memcpy(force + 6 * last, rows + 6 * k, 6 * sizeof *rows);
        perp_articulation_solve_mass(tree, NULL, force, qdd, a);
        vec3_cross(a + 6 * last + 3, r, A + 3 * k);
        vec3_add(A + 3 * k, 1.0, a + 6 * last, A + 3 * k);
    }
}

static void contact_by_innovations(perp_articulation *tree, const double rows[18],
                                   double A[9])
{
    const size_t last = tree->count - 1;
    double *value = reals(3 * tree->n);
    double *e = reals(3 * tree->n);
    int32_t *index = test_alloc(tree->n + 1, sizeof *index);
    const size_t count = perp_articulation_innovations(tree, (int32_t)last, -1, 3, rows,
                                                       NULL, index, value);

    CU_ASSERT_EQUAL(count, tree->depth[last]);
    memset(A, 0, 9 * sizeof *A);
    for (size_t s = 0; s < count; s++) {
        memcpy(e + 3 * index[s], value + 3 * s, 3 * sizeof *e);
    }
    for (size_t k = 0; k < tree->count; k++) {
        const size_t dof = tree->links[k].mobilizer->dof;
        const double *at = e + 3 * tree->first[k];
        double inverse[36];

        perp_articulation_inverse(tree, k, inverse);
        for (size_t s = 0; s < 9; s++) {
            for (size_t i = 0; i < dof * dof; i++) {
                A[s] +=
                    at[3 * (i % dof) + s % 3] * inverse[i] * at[3 * (i / dof) + s / 3];
            }
        }
    }
}

static void check_contact(const golden_case *c, perp_articulation *tree, const double *f,
                          const double *tau)
{
    double rows[18] = {0};
    double A[3][9];
    double p[3];
    double r[3];
    double *Jc = NULL;

    (void)f;
    (void)tau;
    golden_reals(c->in, "contact_point_body", 3, p);
    mat3_apply(tree->E[tree->count - 1].R, p, r);
    for (int k = 0; k < 3; k++) { /* a unit force along axis k at the point */
        rows[6 * k + k] = 1.0;
        vec3_cross(r, rows + 6 * k, rows + 6 * k + 3);
    }
    Jc = point_jacobian(tree, p);
    agree_matrix(c, "Jc", Jc, 3, tree->n);
    OK(perp_articulation_factor(tree, 0.0, NULL));
    contact_by_ltdl(tree, Jc, A[0]);
    contact_by_answers(tree, r, rows, A[1]);
    contact_by_innovations(tree, rows, A[2]);
    for (int k = 0; k < 3; k++) {
        agree_matrix(c, "contact_A", A[k], 3, 3);
    }
}

static void visit_motion(const golden_case *c)
{
    visit(c, check_motion);
}

static void visit_forces(const golden_case *c)
{
    visit(c, check_forces);
}

static void visit_contact(const golden_case *c)
{
    visit(c, check_contact);
}

TEST(poses_and_jacobians_are_the_golden_ones)
{
    golden_each("articulated", NULL, visit_motion);
}

TEST(inertia_bias_and_accelerations_are_the_golden_ones)
{
    golden_each("articulated", NULL, visit_forces);
}

TEST(contact_matrices_are_the_golden_ones_in_three_ways)
{
    golden_each("articulated", NULL, visit_contact);
}
