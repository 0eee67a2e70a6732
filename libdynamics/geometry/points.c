/* SPDX-License-Identifier: Apache-2.0
 * geometry/points.c: points that coincide exactly, found by sorting. */
#include <config.h>

#include <stdlib.h>

#include "geometry/surface.h"
#include "math/math.h"

typedef struct order_point {
    const double *x;
    int32_t index;
} order_point;

static int order_compare(const void *a, const void *b)
{
    const order_point *p = a;
    const order_point *q = b;

    for (int k = 0; k < 3; k++) {
        if (p->x[k] != q->x[k]) {
            return p->x[k] < q->x[k] ? -1 : 1;
        }
    }
    return p->index < q->index ? -1 : p->index > q->index;
}

bool points_first(size_t n, const double *points, int32_t *first)
{
    order_point *order = math_alloc(n, sizeof *order);

    if (!order) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        order[k] = (order_point){points + 3 * k, (int32_t)k};
    }
    qsort(order, n, sizeof *order, order_compare);
    for (size_t k = 0; k < n; k++) {
        const double *x = order[k].x;
        const double *y = k > 0 ? order[k - 1].x : NULL;
        bool same = y && x[0] == y[0] && x[1] == y[1] && x[2] == y[2];

        first[order[k].index] = same ? first[order[k - 1].index] : order[k].index;
    }
    free(order);
    return true;
}
