/* SPDX-License-Identifier: Apache-2.0
 * geometry/surface.c: memory of surfaces, and the neighbour of each side.
 *
 * Sides are sorted by their corners, so that equal and opposite sides are adjacent. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "geometry/surface.h"
#include "math/math.h"

typedef struct side {
    int32_t low, high, place, loop;
    int32_t up; /* 1: runs from the low corner to the high one */
} side;

bool surface_alloc(surface *s, size_t count, size_t uses)
{
    s->count = count;
    s->start = math_alloc(count + 1, sizeof *s->start);
    s->corner = math_alloc(uses, sizeof *s->corner);
    if (!s->start || !s->corner) {
        surface_free(s);
        return false;
    }
    return true;
}

void surface_free(surface *s)
{
    free(s->start);
    free(s->corner);
    memset(s, 0, sizeof *s);
}

static int side_compare(const void *a, const void *b)
{
    const side *x = a;
    const side *y = b;

    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return x->place < y->place ? -1 : x->place > y->place;
}

static void list_sides(const surface *s, side *sides)
{
    for (size_t f = 0; f < s->count; f++) {
        int32_t start = s->start[f];
        int32_t end = s->start[f + 1];

        for (int32_t k = start; k < end; k++) {
            int32_t from = s->corner[k];
            int32_t to = s->corner[surface_next(k, start, end)];
            bool up = from < to;

            sides[k] = (side){up ? from : to, up ? to : from, k, (int32_t)f, up};
        }
    }
}

perp_status surface_pair(const surface *s, int32_t *beyond, int32_t *alike,
                         int32_t *crowded, perp_error *err)
{
    size_t n = surface_uses(s);
    side *sides = math_alloc(n, sizeof *sides);

    *crowded = -1;
    if (!sides) {
        return perp_fail(err, PERP_ERR_MEMORY, "surface: no memory for %zu sides", n);
    }
    list_sides(s, sides);
    qsort(sides, n, sizeof *sides, side_compare);
    for (size_t k = 0, next = 0; k < n; k = next) {
        for (next = k + 1; next < n && sides[next].low == sides[k].low &&
                           sides[next].high == sides[k].high;) {
            next++;
        }
        for (size_t c = k; c < next; c++) {
            beyond[sides[c].place] = -1;
            if (alike) {
                alike[sides[c].place] = -1;
            }
        }
        if (next - k == 2 && sides[k].up != sides[k + 1].up) {
            beyond[sides[k].place] = sides[k + 1].place;
            beyond[sides[k + 1].place] = sides[k].place;
        } else if (next - k == 2 && alike) {
            alike[sides[k].place] = sides[k + 1].place;
            alike[sides[k + 1].place] = sides[k].place;
        } else if (next - k > 2 && *crowded < 0) {
            *crowded = sides[next - 1].loop;
        }
    }
    free(sides);
    return PERP_OK;
}

void surface_owners(const surface *s, int32_t *owner)
{
    for (size_t f = 0; f < s->count; f++) {
        for (int32_t k = s->start[f]; k < s->start[f + 1]; k++) {
            owner[k] = (int32_t)f;
        }
    }
}
