/* SPDX-License-Identifier: Apache-2.0
 * linear/diagonal_blocks.c: products and solutions with small dense blocks. */
#include <config.h>

#include "diagonal_blocks.h"

void perp_diagonal_blocks_apply(const perp_set *set, const size_t *start, const double *M,
                                bool transposed, const double *x, double *y)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        const double *m = M + start[k];
        unsigned dim = block->dim;

        for (unsigned i = 0; i < dim; i++) {
            double sum = 0.0;

            for (unsigned j = 0; j < dim; j++) {
                sum +=
                    (transposed ? m[j + i * dim] : m[i + j * dim]) * x[block->first + j];
            }
            y[block->first + i] = sum;
        }
    }
}

void perp_block_divide(unsigned dim, double *B, double *X, unsigned cols)
{
    for (unsigned p = 0; p < dim; p++) {
        unsigned top = p;

        for (unsigned i = p + 1; i < dim; i++) {
            top = fabs(B[i + p * dim]) > fabs(B[top + p * dim]) ? i : top;
        }
        for (unsigned j = 0; j < dim + cols && top != p; j++) {
            double *column = j < dim ? B + j * dim : X + (j - dim) * dim;
            double swap = column[p];

            column[p] = column[top];
            column[top] = swap;
        }
        for (unsigned i = 0; i < dim; i++) {
            double factor = i == p ? 0.0 : B[i + p * dim] / B[p + p * dim];

            for (unsigned j = 0; j < dim + cols && factor != 0.0; j++) {
                double *column = j < dim ? B + j * dim : X + (j - dim) * dim;

                column[i] -= factor * column[p];
            }
        }
    }
    for (unsigned j = 0; j < cols; j++) {
        for (unsigned i = 0; i < dim; i++) {
            X[i + j * dim] /= B[i + i * dim];
        }
    }
}
