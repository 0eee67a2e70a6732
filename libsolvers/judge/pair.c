/* SPDX-License-Identifier: Apache-2.0
 * judge/pair.c: A^T y in pairs of doubles. */
#include <config.h>

#include "judge/pair.h"

typedef struct pair_row {
    perp_pair *sums;
    double y;
} pair_row;

static void pair_add_entry(void *context, size_t j, double a)
{
    const pair_row *row = context;

    perp_pair_add(&row->sums[j], a, row->y);
}

void perp_pair_row(const perp_operator *A, size_t i, double y, perp_pair *sums)
{
    pair_row row = {sums, y};

    perp_operator_row_visit(A, i, pair_add_entry, &row);
}
