/* SPDX-License-Identifier: Apache-2.0
 * world/shape_table.c: the last hulls of a world by their points, so that a pile of ten
 * thousand rocks of eight kinds has eight hulls. */
#include <config.h>

#include <stdlib.h>

#include "world/shapes.h"

/* Number of hulls kept: enough for the kinds of stones in a scene. */
enum { PLACES = 256 };

typedef struct known_hull {
    uint64_t hash;
    size_t count;
    double *points; /* 3 each */
    perp_polytope *hull;
} known_hull;

typedef struct perp_hull_table {
    size_t next; /* the place that is replaced next */
    known_hull at[PLACES];
} perp_hull_table;

/* Hash of the bits of n numbers, by multiplication with an odd number and folding. */
static uint64_t table_hash_of(size_t n, const double *numbers)
{
    uint64_t hash = n;

    for (size_t k = 0; k < n; k++) {
        uint64_t word = 0;

        memcpy(&word, &numbers[k], sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static perp_polytope *table_find(const perp_hull_table *table, uint64_t hash,
                                 size_t count, const double *points)
{
    for (size_t k = 0; k < PLACES; k++) {
        const known_hull *one = &table->at[k];

        if (one->hull && one->hash == hash && one->count == count &&
            memcmp(one->points, points, 3 * count * sizeof *points) == 0) {
            perp_polytope_hold(one->hull);
            return one->hull;
        }
    }
    return NULL;
}

static void table_forget(known_hull *one)
{
    perp_polytope_free(one->hull);
    free(one->points);
    *one = (known_hull){.hull = NULL};
}

perp_status shape_hull_make(perp_world *w, size_t count, const double *points,
                            perp_polytope **hull, perp_error *err)
{
    uint64_t hash = table_hash_of(3 * count, points);
    double *copy = NULL;
    perp_status status = PERP_OK;

    if (!w->hulls) {
        w->hulls = math_alloc(1, sizeof *w->hulls);
    }
    *hull = w->hulls ? table_find(w->hulls, hash, count, points) : NULL;
    if (*hull) {
        return PERP_OK;
    }
    copy = w->hulls ? math_alloc(3 * count, sizeof *copy) : NULL;
    if (!copy) {
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu corners", count);
    }
    status = (w->dimension == 2 ? perp_polygon_new : perp_polytope_new)(hull, count,
                                                                        points, err);
    if (status != PERP_OK) {
        free(copy);
        return status;
    }
    memcpy(copy, points, 3 * count * sizeof *points);
    perp_polytope_hold(*hull);
    table_forget(&w->hulls->at[w->hulls->next]);
    w->hulls->at[w->hulls->next] =
        (known_hull){.hash = hash, .count = count, .points = copy, .hull = *hull};
    w->hulls->next = (w->hulls->next + 1) % PLACES;
    return PERP_OK;
}

void shape_hulls_forget(perp_world *w)
{
    for (size_t k = 0; w->hulls && k < PLACES; k++) {
        table_forget(&w->hulls->at[k]);
    }
    free(w->hulls);
    w->hulls = NULL;
}
