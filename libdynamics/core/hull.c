/* SPDX-License-Identifier: Apache-2.0
 * core/hull.c: the faces of the convex hull of points in space.
 *
 * Incremental: a tetrahedron grows by one point at a time, the farthest from the mean
 * first. The triangles that see the new point give way to triangles from their rim to the
 * point. Whether one sees it is the sign of a determinant of whole numbers, the points
 * rounded to a grid of 2^38 steps, and so without error: with a tolerance instead, points
 * that lie in a plane but for their last digits give surfaces with folds. At the end
 * triangles in one plane become one face, and corners where only two faces meet, points
 * on an edge, are dropped. O(n^2) time, O(n) memory. [barber-1996] has the same steps
 * with lists that make it faster. */
#include <config.h>

#include <stdlib.h>

#include "core.h"

/* Share of the extent that points must span across a plane. */
static const double flat_tolerance = 1e-7;
/* Triangles so near to one plane, in shares of the extent, make one face: corners written
 * with seven digits and then turned. Where points crowd so that a face would lose its
 * corners, less is merged, at last nothing. */
static const double plane_tolerances[] = {1e-7, 1e-9, -1.0};

/* Steps of the grid: determinants stay below 6 * 2^114, in 128 bits. */
static const double grid_steps = 274877906944.0;

__extension__ typedef __int128 wide;

typedef struct triangle {
    int32_t corner[3],
        beside[3]; /* beside[k]: across the edge from corner[k] to the next */
    int32_t face;  /* -2: free; during growth 1: seen by the new point */
    double normal[3], offset, area;
} triangle;

typedef struct hull {
    const double *points;
    size_t n, count, used; /* triangles in use up to `used`, some of them free */
    int64_t *grid;         /* 3 a point */
    triangle *at;          /* room for 4n + 8 */
    int32_t *spare, *queue, *rim_of; /* free triangles; a walk; new triangle by corner */
    size_t spares;
    double extent;
} hull;

typedef struct far_point {
    double distance;
    int32_t index;
} far_point;

static const double *hull_point(const hull *h, int32_t k)
{
    return h->points + 3 * (size_t)k;
}

static int far_compare(const void *a, const void *b)
{
    const far_point *x = a;
    const far_point *y = b;

    if (x->distance != y->distance) {
        return x->distance > y->distance ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static double hull_height(const hull *h, const triangle *t, int32_t k)
{
    return vec3_dot(t->normal, hull_point(h, k)) - t->offset;
}

static int32_t hull_add(hull *h, int32_t a, int32_t b, int32_t c)
{
    int32_t k = h->spares > 0 ? h->spare[--h->spares] : (int32_t)h->used++;
    triangle *t = &h->at[k];
    double ab[3];
    double ac[3];

    t->corner[0] = a;
    t->corner[1] = b;
    t->corner[2] = c;
    t->face = -1;
    vec3_subtract(hull_point(h, b), hull_point(h, a), ab);
    vec3_subtract(hull_point(h, c), hull_point(h, a), ac);
    vec3_cross(ab, ac, t->normal);
    t->area = 0.5 * vec3_normalize(t->normal);
    t->offset = vec3_dot(t->normal, hull_point(h, a));
    h->count++;
    return k;
}

/* Six times the volume of corners a, b, c and p on the grid, or a number of its sign. */
static double hull_volume(const hull *h, int32_t a, int32_t b, int32_t c, int32_t p)
{
    const int32_t corner[3] = {b, c, p};
    const int64_t *o = h->grid + 3 * (size_t)a;
    int64_t x[9];
    double y[9];
    double volume = 0.0;
    wide exact = 0;

    for (int k = 0; k < 9; k++) {
        x[k] = h->grid[3 * (size_t)corner[k / 3] + (size_t)(k % 3)] - o[k % 3];
        y[k] = (double)x[k];
    }
    volume = mat3_determinant(y);
    /* a dozen roundings of terms of up to the cube of the steps */
    if (fabs(volume) > 4e-15 * grid_steps * grid_steps * grid_steps) {
        return volume;
    }
    for (int k = 0; k < 3; k++) {
        int d = (k + 1) % 3;
        int e = (k + 2) % 3;

        exact += x[k] * ((wide)x[3 + d] * x[6 + e] - (wide)x[3 + e] * x[6 + d]);
    }
    return exact > 0 ? 1.0 : exact < 0 ? -1.0 : 0.0;
}

/* Whether point p lies above the plane of triangle t; in it does not count. */
static bool hull_sees(const hull *h, const triangle *t, int32_t p)
{
    return hull_volume(h, t->corner[0], t->corner[1], t->corner[2], p) > 0.0;
}

/* Round the points to the grid over their box. */
static void hull_round(hull *h)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double size = 0.0;

    for (size_t k = 0; k < 3 * h->n; k++) {
        low[k % 3] = fmin(low[k % 3], h->points[k]);
    }
    for (size_t k = 0; k < 3 * h->n; k++) {
        size = fmax(size, h->points[k] - low[k % 3]);
    }
    for (size_t k = 0; k < 3 * h->n; k++) {
        double share = size > 0.0 ? (h->points[k] - low[k % 3]) / size : 0.0;

        h->grid[k] = llround(share * grid_steps);
    }
}

/* The point farthest from the line through o along the unit vector d, or (`plane`) from
 * the plane through o across it; -1 when all are too near. */
static int32_t hull_farthest(const hull *h, const double o[3], const double d[3],
                             bool plane)
{
    int32_t best = -1;
    double most = flat_tolerance * h->extent;

    for (size_t k = 0; k < h->n; k++) {
        double a[3];
        double away = 0.0;

        vec3_subtract(h->points + 3 * k, o, a);
        away = fabs(vec3_dot(a, d));
        if (!plane) {
            vec3_cross(d, a, a);
            away = vec3_length(a);
        }
        if (away > most) {
            most = away;
            best = (int32_t)k;
        }
    }
    return best;
}

/* Four corners that span a volume; false when there are none. */
static bool hull_start(hull *h, int32_t first)
{
    static const int32_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    int32_t c[4] = {first, -1, -1, -1};
    double most = 0.0;
    double x[3];
    double y[3];

    for (size_t k = 0; k < h->n; k++) {
        vec3_subtract(h->points + 3 * k, hull_point(h, first), x);
        if (vec3_length(x) > most) {
            most = vec3_length(x);
            c[1] = (int32_t)k;
        }
    }
    h->extent = most;
    if (c[1] < 0) {
        return false;
    }
    vec3_subtract(hull_point(h, c[1]), hull_point(h, first), x);
    vec3_normalize(x);
    c[2] = hull_farthest(h, hull_point(h, first), x, false);
    if (c[2] < 0) {
        return false;
    }
    vec3_subtract(hull_point(h, c[2]), hull_point(h, first), y);
    vec3_cross(x, y, x);
    vec3_normalize(x);
    c[3] = hull_farthest(h, hull_point(h, first), x, true);
    if (c[3] < 0) {
        return false;
    }
    if (hull_volume(h, c[0], c[1], c[2], c[3]) > 0.0) { /* clockwise from outside */
        int32_t swap = c[1];

        c[1] = c[2];
        c[2] = swap;
    }
    hull_add(h, c[0], c[1], c[2]);
    hull_add(h, c[0], c[3], c[1]);
    hull_add(h, c[1], c[3], c[2]);
    hull_add(h, c[2], c[3], c[0]);
    for (int k = 0; k < 4; k++) {
        memcpy(h->at[k].beside, beside[k], sizeof beside[k]);
    }
    return true;
}

/* Mark and list in h->queue the triangles that see point p; returns how many. */
static size_t hull_seen(hull *h, int32_t p)
{
    size_t count = 0;

    for (size_t k = 0; k < h->used; k++) {
        if (h->at[k].face != -2 && hull_sees(h, &h->at[k], p)) {
            h->at[k].face = 1;
            h->queue[count++] = (int32_t)k;
        }
    }
    return count;
}

/* Let triangle t meet `now` across its edge from corner `from`. */
static void hull_relink(triangle *t, int32_t from, int32_t now)
{
    for (int e = 0; e < 3; e++) {
        if (t->corner[e] == from) {
            t->beside[e] = now;
        }
    }
}

/* Grow by point p. False when the rim is no simple loop: rounding has the last word. */
static bool hull_grow(hull *h, int32_t p)
{
    size_t seen = hull_seen(h, p);
    size_t first = seen; /* the new triangles follow the seen ones in the queue */
    size_t last = seen;

    for (size_t k = 0; k < first; k++) {
        for (int e = 0; e < 3; e++) {
            const triangle *old = &h->at[h->queue[k]];
            int32_t other = old->beside[e];
            int32_t a = old->corner[e];
            int32_t b = old->corner[(e + 1) % 3];

            if (h->at[other].face != 1) {
                int32_t t = hull_add(h, a, b, p);

                if (h->rim_of[a] >= 0) {
                    return false;
                }
                h->rim_of[a] = t;
                h->at[t].beside[0] = other;
                hull_relink(&h->at[other], b, t);
                h->queue[last++] = t;
            }
        }
    }
    for (size_t k = first; k < last; k++) {
        triangle *t = &h->at[h->queue[k]];
        int32_t next = h->rim_of[t->corner[1]];

        if (next < 0) {
            return false;
        }
        t->beside[1] = next;
        h->at[next].beside[2] = h->queue[k];
    }
    for (size_t k = first; k < last; k++) {
        h->rim_of[h->at[h->queue[k]].corner[0]] = -1;
    }
    for (size_t k = 0; k < first; k++) {
        h->at[h->queue[k]].face = -2;
        h->spare[h->spares++] = h->queue[k];
        h->count--;
    }
    return true;
}

/* Number the faces: triangles in the plane of the largest one,
 * found by walking from it. */
static int32_t hull_merge(hull *h, double tolerance)
{
    int32_t faces = 0;

    for (size_t k = 0; k < h->used; k++) {
        h->at[k].face = h->at[k].face == -2 ? -2 : -1;
    }
    for (;; faces++) {
        int32_t start = -1;
        size_t count = 0;
        const triangle *plane = NULL;

        for (size_t k = 0; k < h->used; k++) {
            if (h->at[k].face == -1 && (start < 0 || h->at[k].area > h->at[start].area)) {
                start = (int32_t)k;
            }
        }
        if (start < 0) {
            return faces;
        }
        plane = &h->at[start];
        h->at[start].face = faces;
        h->queue[count++] = start;
        for (size_t k = 0; k < count; k++) {
            for (int e = 0; e < 3; e++) {
                int32_t other = h->at[h->queue[k]].beside[e];
                triangle *t = &h->at[other];
                double off = 0.0;

                for (int c = 0; c < 3; c++) {
                    off = fmax(off, fabs(hull_height(h, plane, t->corner[c])));
                }
                if (t->face == -1 && off <= tolerance * h->extent) {
                    t->face = faces;
                    h->queue[count++] = other;
                }
            }
        }
    }
}

/* The loop of face f into `loop`; h->rim_of is by corner the next one. Its length,
 * or 0. */
static size_t hull_loop(hull *h, int32_t f, int32_t *loop)
{
    size_t edges = 0;
    size_t length = 0;
    int32_t start = -1;
    int32_t at = -1;

    memset(h->rim_of, 0xff, h->n * sizeof *h->rim_of);
    for (size_t k = 0; k < h->used; k++) {
        const triangle *t = &h->at[k];

        for (int e = 0; t->face == f && e < 3; e++) {
            if (h->at[t->beside[e]].face != f) {
                if (h->rim_of[t->corner[e]] >= 0) {
                    return 0; /* it meets itself at a corner */
                }
                h->rim_of[t->corner[e]] = t->corner[(e + 1) % 3];
                edges++;
                if (start < 0 || t->corner[e] < start) {
                    start = t->corner[e];
                }
            }
        }
    }
    for (at = start; length < edges && (length == 0 || at != start); at = h->rim_of[at]) {
        loop[length++] = at;
    }
    return at == start && length == edges ? length : 0;
}

/* Faces as loops of corners; corners of only two faces are left out. False:
 * broken loops. */
static bool hull_faces(hull *h, int32_t faces, int32_t *start, int32_t *corner)
{
    int32_t *met = h->queue; /* by point: how many faces meet there; 4n + 8 >= n */
    size_t total = 0;
    size_t kept = 0;

    start[0] = 0;
    for (int32_t f = 0; f < faces; f++) {
        size_t length = hull_loop(h, f, corner + total);

        if (length < 3) {
            return false;
        }
        total += length;
        start[f + 1] = (int32_t)total;
    }
    memset(met, 0, h->n * sizeof *met);
    for (size_t k = 0; k < total; k++) {
        met[corner[k]]++;
    }
    total = 0;
    for (int32_t f = 0; f < faces; f++) {
        size_t first = kept;

        for (; total < (size_t)start[f + 1]; total++) {
            if (met[corner[total]] > 2) {
                corner[kept++] = corner[total];
            }
        }
        start[f + 1] = (int32_t)kept;
        if (kept < first + 3) {
            return false;
        }
    }
    return true;
}

static perp_status hull_build(hull *h, far_point *order, size_t *face_count,
                              int32_t **face_start, int32_t **face_corner,
                              perp_error *err)
{
    int32_t faces = 0;
    bool whole = false;

    if (!hull_start(h, order[0].index)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "hull: %zu points in one plane, expected some that span a volume", h->n);
    }
    for (size_t k = 0; k < h->n; k++) {
        if (!hull_grow(h, order[k].index)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "hull: point %d lies too close to others to tell the faces",
                             (int)order[k].index);
        }
    }
    *face_start = core_take(h->count + 1, sizeof **face_start);
    *face_corner = core_take(3 * h->count, sizeof **face_corner);
    if (!*face_start || !*face_corner) {
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu faces", h->count);
    }
    for (int k = 0; k < 3 && !whole; k++) {
        faces = hull_merge(h, plane_tolerances[k]);
        whole = hull_faces(h, faces, *face_start, *face_corner);
    }
    if (!whole) {
        return perp_fail(err, PERP_ERR_DATA,
                         "hull: faces without three corners, expected points that span a "
                         "volume");
    }
    *face_count = (size_t)faces;
    return PERP_OK;
}

/* Farthest from the mean first: later points then seldom lie on an edge that they
 * extend. */
static void hull_order(const hull *h, far_point *order)
{
    double mean[3] = {0.0, 0.0, 0.0};

    for (size_t k = 0; k < h->n; k++) {
        vec3_add(mean, 1.0 / (double)h->n, h->points + 3 * k, mean);
    }
    for (size_t k = 0; k < h->n; k++) {
        double a[3];

        vec3_subtract(h->points + 3 * k, mean, a);
        order[k].distance = vec3_length(a);
        order[k].index = (int32_t)k;
    }
    qsort(order, h->n, sizeof *order, far_compare);
}

perp_status core_hull(size_t n, const double *points, size_t *face_count,
                      int32_t **face_start, int32_t **face_corner, perp_error *err)
{
    hull h = {.points = points, .n = n};
    size_t room =
        4 * n + 8; /* 2n - 4 at rest; as many again while one replaces another */
    far_point *order = NULL;
    perp_status status = PERP_OK;

    *face_count = 0;
    *face_start = *face_corner = NULL;
    if (n < 4 || n > INT32_MAX / 16 || !core_finite(points, 3 * n)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "hull: %zu points, expected at least four, all finite", n);
    }
    order = core_take(n, sizeof *order);
    h.at = core_take(room, sizeof *h.at);
    h.spare = core_take(room, sizeof *h.spare);
    h.queue = core_take(room, sizeof *h.queue);
    h.rim_of = core_take(n, sizeof *h.rim_of);
    h.grid = core_take(n, 3 * sizeof *h.grid);
    if (!order || !h.grid || !h.at || !h.spare || !h.queue || !h.rim_of) {
        status = perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu points", n);
    } else {
        memset(h.rim_of, 0xff, n * sizeof *h.rim_of); /* -1 */
        hull_order(&h, order);
        hull_round(&h);
        status = hull_build(&h, order, face_count, face_start, face_corner, err);
    }
    free(order);
    free(h.at);
    free(h.spare);
    free(h.queue);
    free(h.rim_of);
    free(h.grid);
    if (status != PERP_OK) {
        free(*face_start);
        free(*face_corner);
        *face_start = *face_corner = NULL;
    }
    return status;
}
