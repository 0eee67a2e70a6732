/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/global.c: global problems condensed. */
#include <config.h>

#include "helpers.h"

/* Sparse random n_v x n: about one entry in three, each row and column with some. */
static perp_operator *random_sparse(size_t rows, size_t cols, perp_random *g,
                                    double diagonal)
{
    perp_operator *A = test_new_dense(rows, cols);

    for (size_t j = 0; j < cols; j++) {
        for (size_t i = 0; i < rows; i++) {
            bool there = perp_random_unit(g) < 0.35 || i == j;
            double a = perp_random_uniform(g, -1.0, 1.0);

            A->x[i + j * A->ld] = (there ? a : 0.0) + (i == j ? diagonal : 0.0);
        }
    }
    return A;
}

/* n_v velocities, contacts of dimension 3, l equations; symmetric M on demand. */
static perp_problem *global_problem(uint64_t seed, size_t n_v, size_t contacts, size_t l,
                                    bool symmetric)
{
    perp_random g = {seed};
    perp_problem *p = NULL;

    OK(perp_problem_new(&p, NULL));
    p->n = 3 * contacts + l;
    p->global = calloc(1, sizeof *p->global);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    /* diagonally heavy: its condition is below 10 */
    p->global->M = random_sparse(n_v, n_v, &g, 5.0 * (double)n_v);
    if (symmetric) {
        perp_operator *S = NULL;

        OK(perp_operator_symmetric_part(&S, p->global->M, NULL));
        perp_operator_free(p->global->M);
        p->global->M = S;
    }
    p->global->H = random_sparse(n_v, 3 * contacts, &g, 0.0);
    p->global->G = l ? random_sparse(n_v, l, &g, 0.0) : NULL;
    p->global->f = perp_reals_new(n_v);
    p->b = perp_reals_new(p->n);
    OK(perp_set_new(&p->set, p->n, NULL));
    for (size_t i = 0; i < n_v; i++) {
        p->global->f[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    for (size_t k = 0; k < contacts; k++) {
        perp_set_add_cone(p->set, 3, 0.5);
    }
    for (size_t k = 0; k < l; k++) {
        perp_set_add_free(p->set);
    }
    return p;
}

/* Solve M v = h by LAPACK on a dense copy. */
static void dense_solve(const perp_operator *M, double *v)
{
    lapack_int *pivots = test_alloc(M->rows + 1, sizeof *pivots);
    perp_operator *D = test_convert(M, PERP_STORAGE_DENSE, 1);

    CU_ASSERT_EQUAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)D->rows, 1, D->x,
                                  (lapack_int)D->ld, pivots, v, (lapack_int)D->rows),
                    0);
}

/* w = A z + b must be (H^T v + b_u, G^T v + b_l) with M v = H r + G l + f. */
static void judge_condensed(const perp_problem *p, const perp_reform *t, uint64_t seed)
{
    const perp_global *f = p->global;
    perp_random g = {seed};
    size_t n_v = f->M->rows;
    size_t n_r = f->H->cols;
    double *z = test_reals(p->n);
    double *w = test_reals(p->n);
    double *u = test_reals(p->n);
    double *v = test_reals(n_v);
    double *more = test_reals(n_v);
    double worst = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        z[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    perp_operator_apply(f->H, z, v);
    if (f->G) {
        perp_operator_apply(f->G, z + n_r, more);
    }
    for (size_t i = 0; i < n_v; i++) {
        v[i] += more[i] + f->f[i];
    }
    dense_solve(f->M, v);
    perp_operator_apply_transposed(f->H, v, u);
    if (f->G) {
        perp_operator_apply_transposed(f->G, v, u + n_r);
    }
    test_w(t->to, z, w);
    double largest = test_largest(p->n, w);
    for (size_t i = 0; i < p->n; i++) {
        /* two solves that differ by rounding times the condition of M, up to some 1e4 */
        CU_ASSERT(fabs(w[i] - (u[i] + p->b[i])) <= 1e-11 * largest);
        worst = fmax(worst, fabs(w[i] - (u[i] + p->b[i])) / largest);
    }
    test_note("%zu rows: worst %.1e", p->n, worst);
}

static perp_reform *condensed(const perp_problem *p)
{
    perp_reform *t = NULL;
    perp_error err = {0};

    if (perp_reform_condense(&t, p, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    return t;
}

TEST(condensed_problems_say_what_the_global_form_says)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        bool symmetric = seed % 2 == 0;
        size_t l = seed % 4 < 2 ? 0 : 3;
        perp_problem *p = global_problem(seed, 11 + seed * 5, 4 + seed, l, symmetric);
        perp_reform *t = condensed(p);

        CU_ASSERT_EQUAL(t->to->n, p->n);
        CU_ASSERT_PTR_NULL(t->to->global);
        OK(perp_problem_check(t->to, NULL));
        CU_ASSERT_EQUAL(t->to->A->type->storage, l ? PERP_STORAGE_CSR : PERP_STORAGE_BSR);
        CU_ASSERT(!symmetric || perp_operator_asymmetry(t->to->A) == 0.0);
        judge_condensed(p, t, seed);
        perp_operator_add_diagonal(t->to->A, 1.0); /* the diagonal is stored */
    }
}

/* M of many blocks, as of bodies: columns of H that touch different blocks share a right-hand
 * side of M. The blocks have 1 to 4 velocities that are not consecutive. */
TEST(bodies_apart_are_condensed_together)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_random g = {seed};
        perp_problem *p = global_problem(seed, 40, 30, 2, seed % 2 == 0);
        perp_operator *M = p->global->M;
        perp_operator *H = p->global->H;

        for (size_t i = 0; i < 40 * 40; i++) {
            bool together = i / 40 % 13 == i % 40 % 13;

            M->x[i] = together ? M->x[i] : 0.0;
        }
        for (size_t i = 0; i < 40 * 90;
             i++) { /* two blocks of each contact, 0 at times 12 */
            size_t body = i % 40 % 13;
            size_t contact = i / 120;

            H->x[i] = body == contact % 12 || body == contact / 2
                          ? perp_random_uniform(&g, -1.0, 1.0)
                          : 0.0;
        }
        perp_reform *t = condensed(p);
        CU_ASSERT(t->to->A->count < p->n * p->n / 2);
        judge_condensed(p, t, seed);
    }
}

/* Contacts on different bodies share no entry. */
TEST(contacts_that_share_no_body_stay_apart)
{
    const int32_t index[] = {0, 1, 2, 3, 4, 5};
    const double mass[] = {1, 1, 1, 2, 2, 2};
    const double one[] = {1, 1, 1, 1, 1, 1};
    const double mu[] = {0.5, 0.5};
    perp_problem *p = NULL;
    perp_reform *t = NULL;

    OK(perp_problem_new(&p, NULL));
    p->n = 6;
    p->global = calloc(1, sizeof *p->global);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    OK(perp_operator_new_from_triplets(&p->global->M, 6, 6, 6, index, index, mass, NULL));
    OK(perp_operator_new_from_triplets(&p->global->H, 6, 6, 6, index, index, one, NULL));
    p->global->f = perp_reals_new(6);
    p->b = perp_reals_new(6);
    OK(perp_set_new_cones(&p->set, 3, 2, mu, NULL));
    OK(perp_reform_condense(&t, p, NULL));
    CU_ASSERT_EQUAL(t->to->A->count, 2);
    CU_ASSERT_EQUAL(perp_operator_entry(t->to->A, 1, 1), 1.0);
    CU_ASSERT_EQUAL(perp_operator_entry(t->to->A, 4, 4), 0.5);
}

TEST(a_singular_mass_matrix_is_named)
{
    perp_problem *p = global_problem(3, 6, 2, 0, false);
    perp_reform *t = NULL;
    perp_error err = {0};

    /* a zero row: structure and numbers */
    for (size_t j = 0; j < 6; j++) {
        p->global->M->x[2 + j * p->global->M->ld] = 0.0;
    }
    CU_ASSERT_EQUAL(perp_reform_condense(&t, p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "M is singular"));
    /* row 2 twice row 3, up to rounding */
    for (size_t j = 0; j < 6; j++) {
        p->global->M->x[2 + j * p->global->M->ld] =
            (1.0 / 3.0) * p->global->M->x[3 + j * p->global->M->ld];
    }
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_reform_condense(&t, p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "M is singular"));
}

TEST(extents_that_disagree_are_refused)
{
    perp_problem *p = global_problem(4, 6, 2, 1, false);
    perp_reform *t = NULL;
    perp_error err = {0};

    p->global->M->cols = 5;
    CU_ASSERT_EQUAL(perp_reform_condense(&t, p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected a square"));
    p->global->M->cols = 6;
    p->global->H->cols = 5;
    CU_ASSERT_EQUAL(perp_reform_condense(&t, p, NULL), PERP_ERR_DATA);
    p->global->H->cols = 6;
    p->global->H->rows = 5;
    CU_ASSERT_EQUAL(perp_reform_condense(&t, p, NULL), PERP_ERR_DATA);
    p->global->H->rows = 6;
    OK(perp_reform_condense(&t, p, NULL));
    {
        perp_reform *again = NULL;

        CU_ASSERT_EQUAL(perp_reform_condense(&again, t->to, NULL), PERP_ERR_ARGUMENT);
    }
}

/* Real problems, from single contacts to 82 boxes in a stack; one M spans 1e4..1e-4. */
TEST(real_global_problems_are_condensed)
{
    static const char *const files[] = {
        "siconos-gfc3d/GFC3D_Example00_badly_scaled.dat",
        "siconos-gfc3d/GFC3D_Example1.dat",
        "siconos-gfc3d/GFC3D_TwoRods1.dat",
        "siconos-gfc3d/gfc2d_granularflowonwall_00069_00350.dat",
        "fclib/Box_Stacks-i0122-82-5.hdf5",
        "fclib/CubeH8.hdf5",
        "fclib/Chute-ndof-768-nc-4-3.hdf5"};

    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        perp_problem *p = test_dataset(files[k]);
        perp_reform *t = condensed(p);

        test_note("%s: %s", files[k], t->what);
        CU_ASSERT_EQUAL(t->to->A->type->storage, PERP_STORAGE_BSR);
        judge_condensed(p, t, k);
    }
}

TEST(a_global_problem_is_not_reformulated_before_it_is_condensed)
{
    perp_problem *p = global_problem(6, 6, 1, 1, true);
    perp_reform *t = NULL;

    CU_ASSERT_EQUAL(perp_reform_pyramid(&t, p, 4, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_box_to_lcp(&t, p, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_scale(&t, p, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_associated(&t, p, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(perp_reform_store(&t, p, PERP_STORAGE_CSR, NULL), PERP_ERR_ARGUMENT);
    p->set->blocks[0].kind = PERP_SET_NONNEG;
    CU_ASSERT_EQUAL(perp_reform_eliminate_free(&t, p, NULL, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(t);
}

TEST(no_contact_and_no_velocity_are_legal)
{
    perp_problem *p = global_problem(5, 6, 0, 0, true);
    perp_reform *t = NULL;

    OK(perp_reform_condense(&t, p, NULL));
    CU_ASSERT_EQUAL(t->to->n, 0);
    p = global_problem(5, 0, 1, 0, true);
    OK(perp_reform_condense(&t, p, NULL));
    CU_ASSERT_EQUAL(perp_operator_max(t->to->A), 0.0);
    CU_ASSERT_EQUAL(t->to->b[1], p->b[1]);
}
