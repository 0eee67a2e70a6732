/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_system.c: rows of trees in reduced coordinates, in every storage
 * and model. That their problem is the right one is a law of tests/torture, which
 * tests/reduced/coordinates.c runs, too. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "both_coordinates.h"
#include "math/vec3.h"

enum { EVERYTHING = GROVE_LOOP | GROVE_AXES };

static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                        PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};

/* Auxiliary rows of the pyramid are the same in all coordinates. */
static void check_auxiliary(const grove *f)
{
    const perp_operator *A = f->trees.system.problem.A;
    const perp_operator *B = f->whole.system.problem.A;
    const size_t n = f->trees.system.rows.count;
    const size_t all = f->whole.system.rows.count;

    for (size_t i = n; i < f->trees.system.problem.n; i++) {
        for (size_t j = 0; j < n; j++) {
            const size_t other = grove_row(f, j);

            CU_ASSERT_EQUAL(perp_operator_entry(A, i, j),
                            perp_operator_entry(B, all + (i - n), other));
            CU_ASSERT_EQUAL(perp_operator_entry(A, j, i),
                            perp_operator_entry(B, other, all + (i - n)));
        }
        CU_ASSERT_EQUAL(perp_operator_entry(A, i, i), 0.0);
    }
}

TEST(every_storage_and_model_has_the_same_matrix)
{
    const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_ASSOCIATED, PERP_MODEL_BOX,
                                 PERP_MODEL_PYRAMID, PERP_MODEL_FRICTIONLESS};

    for (size_t k = 0; k < 5; k++) {
        grove f;
        double *A = NULL;
        double most = 0.0;
        size_t n = 0;

        grove_open(&f, 3 + k,
                   EVERYTHING | (models[k] == PERP_MODEL_CONE ? GROVE_ROLLING : 0));
        f.whole.scheme.model = f.trees.scheme.model = models[k];
        f.whole.scheme.storage = PERP_STORAGE_DENSE;
        for (size_t m = 0; m < 4; m++) {
            const perp_operator *B = NULL;

            f.trees.scheme.storage = storages[m];
            grove_formulate(&f);
            B = f.trees.system.problem.A;
            n = f.trees.system.problem.n;
            CU_ASSERT(B->type->storage == storages[m] ||
                      storages[m] == PERP_STORAGE_BSR || models[k] == PERP_MODEL_PYRAMID);
            CU_ASSERT(strstr(f.trees.system.problem.title, " reduced coordinates") !=
                      NULL);
            if (!A) {
                A = stage_matrix(&f.trees);
                most = grove_largest(A, n * n);
            }
            for (size_t e = 0; e < n * n; e++) { /* sums of other orders */
                CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(B, e / n, e % n), A[e],
                                       1e-13 * most);
            }
            CU_ASSERT(models[k] == PERP_MODEL_PYRAMID || perp_operator_is_symmetric(B));
            check_auxiliary(&f);
        }
        grove_close(&f);
    }
}

/* Contacts alone are blocks of three. */
TEST(contacts_alone_are_in_blocks)
{
    grove f;
    double *A = NULL;
    double most = 0.0;
    size_t n = 0;

    grove_open(&f, 5, 0);
    f.trees.scheme.storage = PERP_STORAGE_BSR;
    grove_formulate(&f);
    CU_ASSERT_EQUAL(f.trees.system.problem.A->type->storage, PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(f.trees.system.problem.A->block_size, 3);
    A = stage_matrix(&f.trees);
    n = f.trees.system.problem.n;
    most = grove_largest(A, n * n);
    f.trees.scheme.storage = PERP_STORAGE_FACTORED;
    grove_formulate(&f);
    for (size_t e = 0; e < n * n; e++) {
        CU_ASSERT_DOUBLE_EQUAL(
            perp_operator_entry(f.trees.system.problem.A, e / n, e % n), A[e],
            1e-13 * most);
    }
    grove_close(&f);
}

TEST(rows_keep_their_names_and_keys)
{
    grove f;
    size_t last = 0;

    grove_open(&f, 4, EVERYTHING);
    f.whole.scheme.model = f.trees.scheme.model = PERP_MODEL_PYRAMID;
    grove_formulate(&f);
    for (size_t r = 0; r < f.trees.system.rows.count; r++) {
        char name[2][128];

        perp_system_name(&f.trees.system, f.trees.world, &f.trees.contacts, r, name[0],
                         sizeof name[0]);
        perp_system_name(&f.whole.system, f.whole.world, &f.whole.contacts,
                         grove_row(&f, r), name[1], sizeof name[1]);
        CU_ASSERT_STRING_EQUAL(name[0], name[1]);
        CU_ASSERT(grove_row(&f, r) >= last); /* in the same order */
        last = grove_row(&f, r);
    }
    grove_close(&f);
}
