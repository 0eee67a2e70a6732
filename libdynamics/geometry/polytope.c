/* SPDX-License-Identifier: Apache-2.0
 * geometry/polytope.c: the convex hull of points as a polytope with all that pairs of
 * shapes ask of it.
 *
 * Points are moved to the middle of their box and divided by the power of two next to its
 * size, which costs no digits; Qhull finds the facets [barber-1996], faces.c the faces.
 * Facets are merged as seven digits ask, unless that joins one pair alone of points with
 * all their digits: then it is chance, as in one of 7000 hulls of 32 random points, and
 * depths would be off by as much.
 * Normals are vector areas about a corner of their own face, the centre of mass is that
 * of tetrahedra from the mean of the corners, all of one sign. Faces, edges and
 * neighbours ascend by the numbers of their corners, and these follow the points. */
#include <config.h>

#include <float.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/parts.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Share of the size by which points may lie off a plane that counts as in it: corners
 * written with seven digits and then turned. Where points crowd so that a face would lose
 * its corners, less is merged, at last nothing. */
static const double plane_tolerances[] = {1e-7, 1e-9};

/* Rounding of coordinates far from the origin, in units of the last place. */
static const double far_roundings = 4.0;

/* Edges whose directions differ by less than this sine count as one direction. */
static const double same_direction = 1e-9;

/* Sizes whose cube is a number. */
static const double least_size = 1e-100;
static const double most_size = 1e100;

typedef struct cloud {
    size_t n;         /* points that differ */
    double *at;       /* 3 each, about 0, of size about 1 */
    int32_t *input;   /* their numbers, ascending */
    double middle[3]; /* x = middle + unit at */
    double unit;
    double rounding; /* of coordinates, in units */
} cloud;

/* Where the points are and how large: powers of two lose no digits. */
static perp_status cloud_measure(cloud *c, size_t n, const double *points,
                                 perp_error *err)
{
    double size = 0.0;
    double far = 0.0;
    int exponent = 0;
    perp_aabb box;

    perp_aabb_of_points(n, points, &box);
    for (int k = 0; k < 3; k++) {
        c->middle[k] = 0.5 * box.lo[k] + 0.5 * box.hi[k];
        size = fmax(size, box.hi[k] - box.lo[k]);
        far = fmax(far, fmax(fabs(box.lo[k]), fabs(box.hi[k])));
    }
    if (!(size >= least_size && size <= most_size)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "hull: %zu point%s span %g, expected from 1e-100 to 1e100 [m]",
                         n, perp_plural(n), size);
    }
    frexp(size, &exponent);
    c->unit = ldexp(1.0, exponent);
    c->rounding = far_roundings * DBL_EPSILON * (far / c->unit);
    return PERP_OK;
}

static void cloud_close(cloud *c)
{
    free(c->at);
    free(c->input);
}

static perp_status cloud_open(cloud *c, size_t n, const double *points, perp_error *err)
{
    if (n < 4) {
        return perp_fail(err, PERP_ERR_DATA, "hull: %zu point%s, expected at least four",
                         n, perp_plural(n));
    }
    if (n > INT32_MAX / 16) {
        return perp_fail(err, PERP_ERR_DATA, "hull: %zu point%s are too many", n,
                         perp_plural(n));
    }
    for (size_t k = 0; k < n; k++) {
        if (!math_finite(points + 3 * k, 3)) {
            return perp_fail(err, PERP_ERR_DATA, "hull: point %zu is not finite", k);
        }
    }
    TRY(cloud_measure(c, n, points, err));
    c->input = math_alloc(n, sizeof *c->input);
    c->at = math_alloc(n, 3 * sizeof *c->at);
    if (!c->input || !c->at || !points_first(n, points, c->input)) {
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu points", n);
    }
    for (size_t k = 0; k < n; k++) {
        if (c->input[k] == (int32_t)k) { /* in place: no more are kept than were seen */
            double *x = c->at + 3 * c->n;

            vec3_subtract(points + 3 * k, c->middle, x);
            vec3_scale(1.0 / c->unit, x, x);
            c->input[c->n++] = (int32_t)k;
        }
    }
    return PERP_OK;
}

/* The greatest distance of a point from o, or across the unit vector d from the line
 * through o along it, or (`plane`) along d from the plane through o; the point's offset
 * from o into `away`. */
static double cloud_farthest(const cloud *c, const double *o, const double *d, bool plane,
                             double away[3])
{
    double most = -1.0;

    for (size_t k = 0; k < c->n; k++) {
        double a[3];
        double b[3];
        double distance = 0.0;

        vec3_subtract(c->at + 3 * k, o, a);
        vec3_copy(b, a);
        if (d && plane) {
            distance = fabs(vec3_dot(a, d));
        } else {
            if (d) {
                vec3_add(a, -vec3_dot(a, d), d, b);
            }
            distance = vec3_length(b);
        }
        if (distance > most) {
            most = distance;
            vec3_copy(away, b);
        }
    }
    return most;
}

/* Whether the points lie within `tolerance` of a plane, or nearly: the farthest from the
 * first, from the line through these, from the plane through these. */
static bool cloud_is_flat(const cloud *c, double tolerance)
{
    const double *o = c->at;
    double x[3];
    double y[3];
    double n[3];

    if (cloud_farthest(c, o, NULL, false, x) <= tolerance) {
        return true;
    }
    vec3_normalize(x);
    if (cloud_farthest(c, o, x, false, y) <= tolerance) {
        return true;
    }
    vec3_normalize(y);
    vec3_cross(x, y, n);
    vec3_normalize(n);
    return cloud_farthest(c, o, n, true, y) <= tolerance;
}

/* Whether a number has been written with nine digits or fewer, or as a float. */
static bool polytope_is_short(double x)
{
    double digits = 0.0;

    if (x == 0.0 || (double)(float)x == x) {
        return true;
    }
    digits = x * pow(10.0, 8.0 - floor(log10(fabs(x))));
    return fabs(digits - nearbyint(digits)) <= 1e-6; /* of 1e9: a few roundings */
}

static bool polytope_corners_are_short(const cloud *c, const double *points,
                                       const surface *faces)
{
    for (size_t k = 0; k < surface_uses(faces); k++) {
        const double *p = points + 3 * (size_t)c->input[faces->corner[k]];

        if (!polytope_is_short(p[0]) || !polytope_is_short(p[1]) ||
            !polytope_is_short(p[2])) {
            return false;
        }
    }
    return true;
}

/* The faces of the hull of the cloud. */
static perp_status cloud_faces(const cloud *c, const double *points, surface *faces,
                               perp_error *err)
{
    surface facets = {0};
    surface found[3] = {
        {0}}; /* by tolerance; without any where a face lost its corners */
    bool whole[3] = {false, false, false};
    int best = -1;
    perp_status status = qhull_facets(c->n, c->at, &facets, err);

    for (int k = 0; status == PERP_OK && k < 3 && (k < 2 || best < 0); k++) {
        double within = k < 2 ? fmax(plane_tolerances[k], c->rounding) : -1.0;

        status = faces_merge(&facets, c->n, c->at, within, &found[k], &whole[k], err);
        best = best < 0 && status == PERP_OK && whole[k] ? k : best;
    }
    if (best == 0 && whole[1] && found[1].count == found[0].count + 1 &&
        !polytope_corners_are_short(c, points, &found[1])) {
        best = 1;
    }
    if (status == PERP_OK && best < 0) {
        status =
            perp_fail(err, PERP_ERR_DATA,
                      "hull: %zu point%s lie too close together to distinguish the faces",
                      c->n, perp_plural(c->n));
    }
    for (int k = 0; k < 3; k++) {
        if (status == PERP_OK && k == best) {
            *faces = found[k];
        } else {
            surface_free(&found[k]);
        }
    }
    surface_free(&facets);
    return status;
}

/* Corners in the cloud that faces use, numbered in their order; the rest -1. */
static size_t polytope_number_corners(const surface *faces, size_t n, int32_t *number)
{
    size_t count = 0;

    for (size_t k = 0; k < n; k++) {
        number[k] = -1;
    }
    for (size_t k = 0; k < surface_uses(faces); k++) {
        number[faces->corner[k]] = 0;
    }
    for (size_t k = 0; k < n; k++) {
        if (number[k] == 0) {
            number[k] = (int32_t)count++;
        }
    }
    return count;
}

static void polytope_fill_corners(perp_polytope *h, const cloud *c, const double *points,
                                  const int32_t *number)
{
    for (size_t k = 0; k < c->n; k++) {
        if (number[k] >= 0) {
            vec3_copy(h->corner + 3 * (size_t)number[k],
                      points + 3 * (size_t)c->input[k]);
        }
    }
}

static void polytope_fill_faces(perp_polytope *h, const cloud *c, const surface *faces,
                                const int32_t *number)
{
    for (size_t f = 0; f < faces->count; f++) {
        h->area[f] = faces_normal(faces, f, c->at, h->normal + 3 * f) * c->unit * c->unit;
        h->face_start[f + 1] = faces->start[f + 1];
    }
    for (size_t k = 0; k < surface_uses(faces); k++) {
        h->face_corner[k] = number[faces->corner[k]];
    }
}

/* Each edge is listed by the face that runs it upwards. */
static perp_status polytope_fill_edges(perp_polytope *h, perp_error *err)
{
    surface s = {h->face_count, h->face_start, h->face_corner};
    size_t uses = surface_uses(&s);
    edge_place *edges = math_alloc(h->edge_count, sizeof *edges);
    int32_t *beyond = math_alloc(2 * uses, sizeof *beyond);
    int32_t *owner = NULL;
    int32_t crowded = -1;
    size_t count = 0;
    perp_status status = PERP_ERR_MEMORY;

    if (!edges || !beyond) {
        perp_fail(err, status, "hull: no memory for %zu edges", h->edge_count);
        goto done;
    }
    status = surface_pair(&s, beyond, NULL, &crowded, err);
    if (status != PERP_OK) {
        goto done;
    }
    owner = beyond + uses;
    surface_owners(&s, owner);
    for (size_t f = 0; f < s.count; f++) {
        for (int32_t k = s.start[f]; k < s.start[f + 1]; k++) {
            int32_t from = s.corner[k];
            int32_t to = s.corner[surface_next(k, s.start[f], s.start[f + 1])];

            if (beyond[k] < 0) {
                status = perp_fail(
                    err, PERP_ERR_DATA,
                    "hull: %zu corners lie too close together to distinguish the faces",
                    h->corner_count);
                goto done;
            }
            if (from < to) {
                edges[count++] = (edge_place){from, to, {(int32_t)f, owner[beyond[k]]}};
            }
        }
    }
    parts_edges(h, edges);
done:
    free(edges);
    free(beyond);
    return status;
}

static perp_status polytope_fill(perp_polytope **hull, const cloud *c,
                                 const double *points, const surface *faces,
                                 perp_error *err)
{
    size_t uses = surface_uses(faces);
    int32_t *number = math_alloc(c->n, sizeof *number);
    perp_polytope *h = NULL;
    perp_status status = PERP_OK;

    if (number) {
        h = parts_alloc(polytope_number_corners(faces, c->n, number), faces->count, uses,
                        uses / 2);
    }
    if (!h) {
        free(number);
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu faces",
                         faces->count);
    }
    polytope_fill_corners(h, c, points, number);
    polytope_fill_faces(h, c, faces, number);
    free(number);
    status = polytope_fill_edges(h, err);
    if (status == PERP_OK) {
        status = parts_directions(h, same_direction, err);
    }
    if (status != PERP_OK) {
        perp_polytope_free(h);
        return status;
    }
    parts_neighbours(h);
    parts_lanes(h);
    parts_heights(h);
    parts_center(h);
    parts_reach(h);
    *hull = h;
    return PERP_OK;
}

perp_status perp_polytope_new(perp_polytope **hull, size_t n, const double *points,
                              perp_error *err)
{
    cloud c = {0};
    surface faces = {0};
    perp_status status = cloud_open(&c, n, points, err);

    *hull = NULL;
    if (status == PERP_OK) {
        if (cloud_is_flat(&c, fmax(plane_tolerances[0], c.rounding))) {
            status = perp_fail(
                err, PERP_ERR_DATA,
                "hull: %zu point%s lie in one plane, expected points that span a volume",
                n, perp_plural(n));
        }
    }
    if (status == PERP_OK) {
        status = cloud_faces(&c, points, &faces, err);
    }
    if (status == PERP_OK) {
        status = polytope_fill(hull, &c, points, &faces, err);
    }
    surface_free(&faces);
    cloud_close(&c);
    return status;
}
