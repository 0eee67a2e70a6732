/* SPDX-License-Identifier: Apache-2.0
 * geometry/draft.h: points and triangles as they are given, before they are a mesh. Private. */
#ifndef PERP_GEOMETRY_DRAFT_H
#define PERP_GEOMETRY_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include <perp/base.h>

typedef struct draft {
    const double *point;
    const int32_t *corner;
    size_t points, triangles;
    int32_t *first;    /* a point: the lowest number of those at its place */
    int32_t *number;   /* a point: as it is kept, -1: not used */
    int32_t *original; /* a triangle that is kept: the number given */
    bool *thin;        /* a triangle: it has no area */
    size_t kept_points, kept;
    size_t slivers; /* without area, between three points that are kept */
} draft;

/** PERP_ERR_DATA: numbers out of range, points that are not finite. */
perp_status draft_check(const draft *d, perp_error *err);
/** Find which points and triangles are kept; call draft_free even after a failure. */
perp_status draft_find(draft *d, perp_error *err);
void draft_free(draft *d);
/** The normal of triangle t, unit; false: it has none. `longest`: of its sides. */
bool draft_normal(const draft *d, size_t t, double n[3], double *longest);
/** Whether triangle t has no area, but three points that are kept: others may end at the middle
 *  one, so that it closes the surface. */
bool draft_is_sliver(const draft *d, size_t t);

#endif
