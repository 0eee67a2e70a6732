/* SPDX-License-Identifier: Apache-2.0
 * geometry/polytope.c: convex polyhedra from points. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/geometry.h>

#include "core.h"

void perp_polytope_hold(perp_polytope *hull)
{
    hull->references++;
}

void perp_polytope_free(perp_polytope *hull)
{
    if (hull && --hull->references == 0) {
        free(hull->corner);
        free(hull->face_start);
        free(hull->face_corner);
        free(hull);
    }
}

/* Points that are no corner are left out. */
static void keep_corners(perp_polytope *s, int32_t *number)
{
    size_t kept = 0;
    size_t uses = (size_t)s->face_start[s->face_count];

    for (size_t k = 0; k < uses; k++) {
        number[s->face_corner[k]] = 1;
    }
    for (size_t c = 0; c < s->corner_count; c++) {
        if (number[c]) {
            vec3_copy(s->corner + 3 * kept, s->corner + 3 * c);
            s->reach = fmax(s->reach, vec3_length(s->corner + 3 * kept));
            number[c] = (int32_t)kept++;
        }
    }
    for (size_t k = 0; k < uses; k++) {
        s->face_corner[k] = number[s->face_corner[k]];
    }
    s->corner_count = kept;
}

perp_status perp_polytope_new(perp_polytope **out, size_t n, const double *points,
                              perp_error *err)
{
    perp_polytope *hull = core_take(1, sizeof *hull);
    int32_t *number = core_take(n, sizeof *number);
    perp_status status = PERP_OK;

    *out = NULL;
    if (hull) {
        hull->references = 1;
        hull->corner = core_take(3 * n, sizeof *hull->corner);
    }
    if (!hull || !number || !hull->corner) {
        status = perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu corners", n);
        goto done;
    }
    hull->corner_count = n;
    memcpy(hull->corner, points, 3 * n * sizeof *points);
    status = core_hull(n, points, &hull->face_count, &hull->face_start,
                       &hull->face_corner, err);
    if (status == PERP_OK) {
        keep_corners(hull, number);
        *out = hull;
    }
done:
    free(number);
    if (status != PERP_OK) {
        perp_polytope_free(hull);
    }
    return status;
}
