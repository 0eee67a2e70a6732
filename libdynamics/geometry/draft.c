/* SPDX-License-Identifier: Apache-2.0
 * geometry/draft.c: points and triangles as they are given: which are kept. Coincident points
 * are one, unused ones and triangles without area are left out. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "geometry/draft.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Triangles whose area is less, in shares of their longest side squared, have no normal
 * that could be told. */
static const double least_area = 1e-14;

perp_status draft_check(const draft *d, perp_error *err)
{
    if (d->triangles == 0 || d->points == 0) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "mesh: %zu point%s and %zu triangle%s, expected at least one of each",
            d->points, perp_plural(d->points), d->triangles, perp_plural(d->triangles));
    }
    if (d->points > INT32_MAX / 16 || d->triangles > INT32_MAX / 16) {
        return perp_fail(err, PERP_ERR_DATA,
                         "mesh: %zu point%s and %zu triangle%s are too many", d->points,
                         perp_plural(d->points), d->triangles, perp_plural(d->triangles));
    }
    for (size_t k = 0; k < d->points; k++) {
        if (!math_finite(d->point + 3 * k, 3)) {
            return perp_fail(err, PERP_ERR_DATA, "mesh: point %zu is not finite", k);
        }
    }
    for (size_t k = 0; k < 3 * d->triangles; k++) {
        if (d->corner[k] < 0 || (size_t)d->corner[k] >= d->points) {
            return perp_fail(err, PERP_ERR_DATA,
                             "mesh: triangle %zu has corner %d, expected the number of "
                             "one of %zu point%s, from 0",
                             k / 3, (int)d->corner[k], d->points, perp_plural(d->points));
        }
    }
    return PERP_OK;
}

bool draft_normal(const draft *d, size_t t, double n[3], double *longest)
{
    double side[9];

    *longest = 0.0;
    for (size_t k = 0; k < 3; k++) {
        vec3_subtract(d->point + 3 * (size_t)d->corner[3 * t + (k + 1) % 3],
                      d->point + 3 * (size_t)d->corner[3 * t + k], side + 3 * k);
        *longest = fmax(*longest, vec3_length(side + 3 * k));
    }
    vec3_scale(*longest > 0.0 ? 1.0 / *longest : 0.0, side, side);
    vec3_scale(*longest > 0.0 ? 1.0 / *longest : 0.0, side + 3, side + 3);
    vec3_cross(side, side + 3, n);
    return vec3_normalize(n) > 2.0 * least_area;
}

/* Mark the triangles without area; a mesh of nothing else is refused. */
static perp_status draft_mark_thin(draft *d, perp_error *err)
{
    for (size_t t = 0; t < d->triangles; t++) {
        double n[3];
        double longest = 0.0;

        d->thin[t] = !draft_normal(d, t, n, &longest);
        if (!isfinite(longest)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "mesh: triangle %zu has a side that is not finite", t);
        }
        if (!d->thin[t]) {
            d->original[d->kept++] = (int32_t)t;
        }
    }
    if (d->kept == 0) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "mesh: triangle 0 has no area%s, expected corners that do not lie "
            "on one line",
            d->triangles > 1 ? ", nor has any other" : "");
    }
    return PERP_OK;
}

/* Number the points of triangles that are kept. */
static void draft_number(draft *d)
{
    for (size_t t = 0; t < d->kept; t++) {
        for (size_t k = 0; k < 3; k++) {
            d->number[d->first[d->corner[3 * (size_t)d->original[t] + k]]] = 1;
        }
    }
    for (size_t k = 0; k < d->points; k++) { /* first[k] <= k: known already */
        if ((size_t)d->first[k] == k) {
            d->number[k] = d->number[k] ? (int32_t)d->kept_points++ : -1;
        } else {
            d->number[k] = d->number[d->first[k]];
        }
    }
}

bool draft_is_sliver(const draft *d, size_t t)
{
    int32_t n[3];

    for (size_t k = 0; k < 3; k++) {
        n[k] = d->number[d->corner[3 * t + k]];
    }
    return d->thin[t] && n[0] >= 0 && n[1] >= 0 && n[2] >= 0 && n[0] != n[1] &&
           n[1] != n[2] && n[2] != n[0];
}

void draft_free(draft *d)
{
    free(d->first);
    free(d->number);
    free(d->original);
    free(d->thin);
}

perp_status draft_find(draft *d, perp_error *err)
{
    perp_status status = PERP_OK;

    d->first = math_alloc(d->points, sizeof *d->first);
    d->number = math_alloc(d->points, sizeof *d->number);
    d->original = math_alloc(d->triangles, sizeof *d->original);
    d->thin = math_alloc(d->triangles, sizeof *d->thin);
    if (!d->first || !d->number || !d->original || !d->thin ||
        !points_first(d->points, d->point, d->first)) {
        return perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu points",
                         d->points);
    }
    status = draft_mark_thin(d, err);
    if (status == PERP_OK) {
        draft_number(d);
        for (size_t t = 0; t < d->triangles; t++) {
            d->slivers += draft_is_sliver(d, t);
        }
    }
    return status;
}
