/* SPDX-License-Identifier: Apache-2.0
 * matrix/parts.c: connected components by union and find with halved paths.
 *
 * part[i] is an index of the component of i that is at most i; that of a root is itself.
 * The root is the least index of its component. */
#include <config.h>

#include "matrix/storages.h"

void perp_parts_start(int32_t *part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        part[i] = (int32_t)i;
    }
}

static int32_t parts_root(int32_t *part, int32_t i)
{
    while (part[i] != i) {
        part[i] = part[part[i]];
        i = part[i];
    }
    return i;
}

void perp_parts_join(int32_t *part, size_t i, size_t j)
{
    int32_t s = parts_root(part, (int32_t)i);
    int32_t t = parts_root(part, (int32_t)j);

    part[s > t ? s : t] = s > t ? t : s;
}

void perp_parts_finish(int32_t *part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        part[i] = parts_root(part, (int32_t)i);
    }
}

void perp_parts_list(const int32_t *part, size_t n, size_t *start, int32_t *member)
{
    memset(start, 0, (n + 2) * sizeof *start);
    for (size_t i = 0; i < n; i++) {
        start[(size_t)part[i] + 2]++;
    }
    for (size_t i = 0; i < n; i++) {
        start[i + 2] += start[i + 1];
    }
    for (size_t i = 0; i < n; i++) { /* start[r+1] moves from the first to the end */
        member[start[(size_t)part[i] + 1]++] = (int32_t)i;
    }
}

void perp_operator_parts(const perp_operator *A, int32_t *part)
{
    perp_parts_start(part, A->rows);
    for (size_t i = 0; i < A->rows; i++) {
        for (size_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            if (A->x[k] != 0.0) {
                perp_parts_join(part, i, (size_t)A->col[k]);
            }
        }
    }
    perp_parts_finish(part, A->rows);
}
