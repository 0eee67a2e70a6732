/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/ltdl.c: H = L^T D L of a dense H by the sparse algorithm. */
#include <config.h>

#include <stdlib.h>

#include "math/math.h"
#include "reference.h"

/* Copy between the lower triangle of a dense, column-major H and the rows of the tree. */
static void ltdl_gather(const perp_articulation *tree, const double *H, double *rows)
{
    for (size_t k = 0; k < tree->n; k++) {
        double *at = rows + tree->row[k + 1];

        for (int32_t i = (int32_t)k; i >= 0; i = tree->above[i]) {
            *--at = H[tree->n * (size_t)i + k];
        }
    }
}

static void ltdl_scatter(const perp_articulation *tree, const double *rows, double *H)
{
    for (size_t k = 0; k < tree->n; k++) {
        const double *at = rows + tree->row[k + 1];

        for (int32_t i = (int32_t)k; i >= 0; i = tree->above[i]) {
            H[tree->n * (size_t)i + k] = *--at;
        }
    }
}

bool perp_articulation_ltdl(const perp_articulation *tree, double *H)
{
    double *rows = math_alloc(tree->row[tree->n], sizeof *rows);
    bool done = false;

    if (!rows) {
        return false;
    }
    ltdl_gather(tree, H, rows);
    done = perp_articulation_sparse_ltdl(tree, rows);
    ltdl_scatter(tree, rows, H);
    free(rows);
    return done;
}

bool perp_articulation_ltdl_solve(const perp_articulation *tree, const double *factors,
                                  double *x)
{
    double *rows = math_alloc(tree->row[tree->n], sizeof *rows);

    if (!rows) {
        return false;
    }
    ltdl_gather(tree, factors, rows);
    perp_articulation_sparse_ltdl_solve(tree, rows, x);
    free(rows);
    return true;
}
