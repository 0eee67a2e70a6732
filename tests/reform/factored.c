/* SPDX-License-Identifier: Apache-2.0
 * tests/reform/factored.c: global problems kept in factors are those that condensing
 * forms. */
#include <config.h>

#include "helpers.h"
#include "matrix/storages.h"
#include "reform/reforms.h"
#include "scarce.h"

/* A body a block: full blocks of `edge` velocities, symmetric or not, and one contact
 * between each two bodies that follow one another; the last has joints (l rows of G) as
 * well. */
static perp_problem *chain(uint64_t seed, size_t bodies, size_t edge, size_t l,
                           bool symmetric)
{
    perp_random g = {seed};
    perp_problem *p = NULL;
    perp_global *f = NULL;
    size_t nv = bodies * edge;
    size_t contacts = bodies - 1;

    OK(perp_problem_new(&p, NULL));
    p->global = f = calloc(1, sizeof *f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    p->n = 3 * contacts + l;
    f->f = perp_reals_new(nv);
    p->b = perp_reals_new(p->n);
    OK(perp_operator_new_dense(&f->M, nv, nv, NULL));
    OK(perp_operator_new_dense(&f->H, nv, 3 * contacts, NULL));
    CU_ASSERT_FATAL(f->M && f->H && f->f && p->b);
    for (size_t i = 0; i < nv; i++) {
        f->f[i] = perp_random_uniform(&g, -1.0, 1.0);
        for (size_t j = i / edge * edge; j <= i; j++) {
            double m = perp_random_uniform(&g, -1.0, 1.0);

            f->M->x[i + j * f->M->ld] = m + (i == j ? 2.0 * (double)edge : 0.0);
            f->M->x[j + i * f->M->ld] =
                symmetric || i == j ? f->M->x[i + j * f->M->ld] : -0.5 * m;
        }
    }
    for (size_t c = 0; c < 3 * contacts; c++) {
        for (size_t k = 0; k < 2 * edge; k++) {
            f->H->x[c / 3 * edge + k + c * f->H->ld] =
                k % 4 == c % 3 ? 0.0 : perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    if (l > 0) {
        OK(perp_operator_new_dense(&f->G, nv, l, NULL));
        for (size_t c = 0; c < l; c++) {
            f->G->x[nv - 1 - c + c * f->G->ld] = 1.0;
        }
    }
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    OK(perp_set_new(&p->set, p->n, NULL));
    for (size_t c = 0; c < contacts; c++) {
        perp_set_add_cone(p->set, 3, 0.5);
    }
    for (size_t c = 0; c < l; c++) {
        perp_set_add_free(p->set);
    }
    return p;
}

/* The two ways give A and b apart by the rounding of two inverses of M, to `tolerance`
 * times the largest number. */
static void compare(const perp_problem *p, double tolerance)
{
    perp_reform *condensed = NULL;
    perp_reform *factored = NULL;
    perp_error err = {0};
    double worst = 0.0;

    OK(perp_reform_condense(&condensed, p, NULL));
    if (perp_reform_factor(&factored, p, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(factored);
    CU_ASSERT_EQUAL(factored->to->A->type->storage, PERP_STORAGE_FACTORED);
    OK(perp_problem_check(factored->to, NULL));
    double scale = perp_operator_max(condensed->to->A);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t j = 0; j < p->n; j++) {
            worst = fmax(worst, fabs(perp_operator_entry(condensed->to->A, i, j) -
                                     perp_operator_entry(factored->to->A, i, j)));
        }
    }
    CU_ASSERT(worst <= tolerance * scale);
    CU_ASSERT(test_distance(p->n, condensed->to->b, factored->to->b) <=
              tolerance * test_largest(p->n, condensed->to->b));
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        CU_ASSERT(factored->to->A->factored->run[block->first] >= block->dim);
    }
    test_note("%s: A apart by %.1e", factored->what, scale > 0.0 ? worst / scale : worst);
}

TEST(factors_multiply_to_the_condensed_matrix)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_problem *p = chain(seed, 2 + seed, seed % 3 == 0 ? 12 : 3 + seed % 4,
                                seed % 2 ? 0 : 3, seed % 4 < 2);

        compare(p, 1e-13); /* M is diagonally heavy: its condition is below 10 */
    }
}

TEST(real_global_problems_are_kept_in_factors)
{
    static const char *const files[] = {
        "siconos-gfc3d/GFC3D_Example1.dat",
        "siconos-gfc3d/gfc2d_granularflowonwall_00069_00350.dat",
        "fclib/Box_Stacks-i0122-82-5.hdf5", "fclib/Chute-ndof-768-nc-4-3.hdf5"};

    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        perp_problem *p = test_dataset(files[k]);

        test_note("%s", files[k]);
        compare(p, 1e-10); /* condition of the worst M, some 1e5 */
    }
}

TEST(a_mass_matrix_that_joins_many_velocities_is_refused)
{
    perp_problem *p = chain(3, 2, 13, 0, true);
    perp_reform *t = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_reform_factor(&t, p, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "joins 13 velocities"));
    p = test_dataset("siconos-gfc3d/GFC3D_TwoRods1.dat"); /* finite elements */
    CU_ASSERT_EQUAL(perp_reform_factor(&t, p, NULL), PERP_ERR_UNSUITABLE);
}

TEST(a_singular_block_is_named)
{
    perp_problem *p = chain(4, 3, 6, 0, true);
    perp_reform *t = NULL;
    perp_error err = {0};

    for (size_t j = 6; j < 12; j++) { /* row 7 is half row 8 */
        p->global->M->x[7 + j * p->global->M->ld] =
            0.5 * p->global->M->x[8 + j * p->global->M->ld];
    }
    CU_ASSERT_EQUAL(perp_reform_factor(&t, p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "block of velocity 6"));
}

TEST(a_local_problem_has_nothing_to_factor)
{
    perp_problem *p = test_golden_problem("findex_0");
    perp_reform *t = NULL;

    CU_ASSERT_EQUAL(perp_reform_factor(&t, p, NULL), PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(t);
}

/* M as it was, to the rounding of two inverses; H and the whole b in place of b + J M^-1 f. */
TEST(factors_give_the_global_problem_back)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_problem *p = chain(seed, 2 + seed, 3 + seed % 4, 0, seed % 2 == 0);
        perp_reform *factored = NULL;
        perp_problem *back = NULL;

        OK(perp_reform_factor(&factored, p, NULL));
        OK(perp_reform_unfactor(&back, factored->to, NULL));
        OK(perp_problem_check(back, NULL));
        for (size_t i = 0; i < p->global->M->rows; i++) {
            for (size_t j = 0; j < p->global->M->rows; j++) {
                CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(back->global->M, i, j),
                                       perp_operator_entry(p->global->M, i, j), 1e-12);
            }
            for (size_t j = 0; j < p->n; j++) {
                CU_ASSERT_EQUAL(perp_operator_entry(back->global->H, i, j),
                                perp_operator_entry(p->global->H, i, j));
            }
            CU_ASSERT_EQUAL(back->global->f[i], 0.0);
        }
        CU_ASSERT_EQUAL(test_distance(p->n, back->b, factored->to->b), 0.0);
        perp_problem_free(back);
    }
}

TEST(what_is_soft_or_not_in_factors_has_no_global_form)
{
    const double one = 1.0;
    perp_problem *p = chain(1, 3, 6, 0, true);
    perp_reform *factored = NULL;
    perp_problem *back = NULL;
    perp_error err = {0};

    OK(perp_reform_factor(&factored, p, NULL));
    factored->to->A->factored->C[1] = 1e-3;
    CU_ASSERT_EQUAL(perp_reform_unfactor(&back, factored->to, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "the softness of row 1"));
    CU_ASSERT_PTR_NULL(back);
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_reform_unfactor(&back, test_lcp(1, &one, &one), &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "A in factors of J and M^-1"));
}

static perp_status unfactor_once(void *context, perp_error *err)
{
    perp_problem *back = NULL;
    perp_status status = perp_reform_unfactor(&back, context, err);

    CU_ASSERT_TRUE((status == PERP_OK) == (back != NULL));
    perp_problem_free(back);
    return status;
}

TEST(a_missing_allocation_is_reported_by_the_global_form)
{
    perp_problem *p = chain(1, 3, 6, 0, true);
    perp_reform *factored = NULL;

    OK(perp_reform_factor(&factored, p, NULL));
    scarce_everywhere(unfactor_once, factored->to, "perp_reform_unfactor");
}
