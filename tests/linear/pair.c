/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/pair.c: a matrix in two storages, and a workspace that is left empty. */
#include <config.h>

#include <math.h>

#include "pair.h"

perp_workspace *pair_workspace(void)
{
    return test_new_workspace(0);
}

void pair_discard(perp_workspace *ws)
{
    perp_workspace_release(ws, 0);
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
}

void two_storages_make(perp_operator *A[2], bool symmetric, uint64_t seed)
{
    perp_random g = {seed};
    perp_operator *D = test_new_dense(PAIR_ROWS, PAIR_ROWS);

    for (size_t i = 0; i < PAIR_ROWS; i++) {
        for (size_t j = 0; j < i; j++) {
            if (i - j == 1 || perp_random_uniform(&g, 0, 1) < 0.05) {
                double a = perp_random_uniform(&g, -1, 1);

                D->x[i + j * D->ld] = a;
                D->x[j + i * D->ld] = symmetric ? a : perp_random_uniform(&g, -1, 1);
            }
        }
    }
    for (size_t i = 0; i < PAIR_ROWS; i++) {
        double sum = 1.0;

        for (size_t j = 0; j < PAIR_ROWS; j++) {
            sum += fmax(fabs(D->x[i + j * D->ld]), fabs(D->x[j + i * D->ld]));
        }
        D->x[i + i * D->ld] = sum;
    }
    A[0] = D;
    OK(perp_operator_convert(&A[1], D, PERP_STORAGE_CSR, 1, NULL));
}
