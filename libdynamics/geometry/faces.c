/* SPDX-License-Identifier: Apache-2.0
 * geometry/faces.c: coplanar facets become faces, in a defined order.
 *
 * From the largest facet left over, a walk across the sides takes all that lie near its
 * plane. Their remaining sides form one loop; a corner of only two faces lies on an edge
 * and is left out. The numbering depends on the corners only: each face starts at its
 * lowest corner, and faces ascend by their corners. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "geometry/surface.h"
#include "math/math.h"

typedef struct merger {
    const surface *facets;
    const double *points;
    size_t n;
    int32_t *beyond;  /* a place: the place across its side */
    int32_t *owner;   /* a place: its facet */
    int32_t *face;    /* a facet: its face, -1: none so far */
    int32_t *by_area; /* facets, the largest first */
    int32_t *walk;    /* facets of the face at work */
    int32_t *after;   /* a corner: the next one around the face at work, -1: not on it */
    int32_t *met;     /* a corner: how many faces meet there */
    size_t walk_count;
} merger;

typedef struct sized {
    double area;
    int32_t facet;
} sized;

double faces_normal(const surface *s, size_t f, const double *points, double normal[3])
{
    const double *o = points + 3 * (size_t)s->corner[s->start[f]];
    double p[3] = {0.0, 0.0, 0.0};
    double q[3];
    double term[3];

    vec3_set(normal, 0.0, 0.0, 0.0);
    for (int32_t k = s->start[f] + 1; k < s->start[f + 1]; k++) {
        vec3_subtract(points + 3 * (size_t)s->corner[k], o, q);
        vec3_cross(p, q, term);
        vec3_add(normal, 0.5, term, normal);
        vec3_copy(p, q);
    }
    return vec3_normalize(normal);
}

static int sized_compare(const void *a, const void *b)
{
    const sized *x = a;
    const sized *y = b;

    if (x->area != y->area) {
        return x->area > y->area ? -1 : 1;
    }
    return x->facet < y->facet ? -1 : x->facet > y->facet;
}

static perp_status merger_sort(merger *m, perp_error *err)
{
    size_t count = m->facets->count;
    sized *order = math_alloc(count, sizeof *order);
    double normal[3];

    if (!order) {
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu facets", count);
    }
    for (size_t f = 0; f < count; f++) {
        order[f].area = faces_normal(m->facets, f, m->points, normal);
        order[f].facet = (int32_t)f;
    }
    qsort(order, count, sizeof *order, sized_compare);
    for (size_t f = 0; f < count; f++) {
        m->by_area[f] = order[f].facet;
    }
    free(order);
    return PERP_OK;
}

/* Whether facet g lies within `tolerance` of the plane n.x = offset. */
static bool facet_lies_in(const merger *m, size_t g, const double n[3], double offset,
                          double tolerance)
{
    for (int32_t k = m->facets->start[g]; k < m->facets->start[g + 1]; k++) {
        const double *p = m->points + 3 * (size_t)m->facets->corner[k];

        if (!(fabs(vec3_dot(n, p) - offset) <= tolerance)) {
            return false;
        }
    }
    return true;
}

/* Number `face` all facets that a walk from `seed` reaches in its plane. */
static void merger_walk(merger *m, int32_t seed, int32_t face, double tolerance)
{
    const surface *s = m->facets;
    double n[3];
    double offset = 0.0;

    faces_normal(s, (size_t)seed, m->points, n);
    offset = vec3_dot(n, m->points + 3 * (size_t)s->corner[s->start[seed]]);
    m->face[seed] = face;
    m->walk[0] = seed;
    m->walk_count = 1;
    for (size_t w = 0; w < m->walk_count; w++) {
        for (int32_t k = s->start[m->walk[w]]; k < s->start[m->walk[w] + 1]; k++) {
            int32_t other = m->owner[m->beyond[k]];

            if (m->face[other] < 0 &&
                facet_lies_in(m, (size_t)other, n, offset, tolerance)) {
                m->face[other] = face;
                m->walk[m->walk_count++] = other;
            }
        }
    }
}

/* The loop around the facets of the walk, from its lowest corner on; its length, or 0
 * when they have a hole or meet themselves at a corner. */
static int32_t merger_loop(merger *m, int32_t *loop)
{
    const surface *s = m->facets;
    int32_t face = m->face[m->walk[0]];
    int32_t sides = 0;
    int32_t length = 0;
    int32_t lowest = -1;
    bool simple = true;

    for (size_t w = 0; w < m->walk_count; w++) {
        int32_t start = s->start[m->walk[w]];
        int32_t end = s->start[m->walk[w] + 1];

        for (int32_t k = start; k < end; k++) {
            int32_t from = s->corner[k];

            if (m->face[m->owner[m->beyond[k]]] != face) {
                simple = simple && m->after[from] < 0;
                m->after[from] = s->corner[surface_next(k, start, end)];
                lowest = lowest < 0 || from < lowest ? from : lowest;
                sides++;
            }
        }
    }
    if (simple && lowest >= 0) {
        int32_t at = lowest;

        do {
            loop[length++] = at;
            at = m->after[at];
        } while (at >= 0 && at != lowest && length < sides);
        simple = at == lowest && length == sides;
    }
    for (size_t w = 0; w < m->walk_count; w++) { /* leave no marks */
        for (int32_t k = s->start[m->walk[w]]; k < s->start[m->walk[w] + 1]; k++) {
            m->after[s->corner[k]] = -1;
        }
    }
    return simple ? length : 0;
}

/* Leave corners of only two faces out. False when a face then has less than three. */
static bool merger_clean(const merger *m, surface *faces)
{
    size_t uses = surface_uses(faces);
    int32_t from = 0;
    int32_t kept = 0;

    memset(m->met, 0, m->n * sizeof *m->met);
    for (size_t k = 0; k < uses; k++) {
        m->met[faces->corner[k]]++;
    }
    for (size_t f = 0; f < faces->count; f++) {
        int32_t first = kept;

        for (; from < faces->start[f + 1]; from++) {
            if (m->met[faces->corner[from]] > 2) {
                faces->corner[kept++] = faces->corner[from];
            }
        }
        faces->start[f + 1] = kept;
        if (kept < first + 3) {
            return false;
        }
    }
    return true;
}

static bool merger_run(merger *m, double tolerance, surface *faces)
{
    memset(m->face, 0xff, m->facets->count * sizeof *m->face);
    memset(m->after, 0xff, m->n * sizeof *m->after);
    faces->count = 0;
    faces->start[0] = 0;
    for (size_t k = 0; k < m->facets->count; k++) {
        if (m->face[m->by_area[k]] < 0) {
            int32_t at = faces->start[faces->count];
            int32_t length = 0;

            merger_walk(m, m->by_area[k], (int32_t)faces->count, tolerance);
            length = merger_loop(m, faces->corner + at);
            if (length < 3) {
                return false;
            }
            faces->start[++faces->count] = at + length;
        }
    }
    return merger_clean(m, faces);
}

typedef struct loop {
    const int32_t *corner;
    int32_t length;
} loop;

static int loop_compare(const void *a, const void *b)
{
    const loop *x = a;
    const loop *y = b;
    int32_t shorter = x->length < y->length ? x->length : y->length;

    for (int32_t k = 0; k < shorter; k++) {
        if (x->corner[k] != y->corner[k]) {
            return x->corner[k] < y->corner[k] ? -1 : 1;
        }
    }
    return x->length < y->length ? -1 : x->length > y->length;
}

/* Start each face at its lowest corner. */
static void faces_turn(surface *faces, int32_t *scratch)
{
    for (size_t f = 0; f < faces->count; f++) {
        int32_t *corner = faces->corner + faces->start[f];
        int32_t length = faces->start[f + 1] - faces->start[f];
        int32_t low = 0;

        for (int32_t k = 1; k < length; k++) {
            low = corner[k] < corner[low] ? k : low;
        }
        for (int32_t k = 0; k < length; k++) {
            scratch[k] = corner[(low + k) % length];
        }
        memcpy(corner, scratch, (size_t)length * sizeof *corner);
    }
}

/* The faces in ascending order. */
static perp_status faces_sort(surface *faces, perp_error *err)
{
    size_t uses = surface_uses(faces);
    loop *loops = math_alloc(faces->count, sizeof *loops);
    int32_t *corner = math_alloc(uses, sizeof *corner);

    if (!loops || !corner) {
        free(loops);
        free(corner);
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu faces",
                         faces->count);
    }
    faces_turn(faces, corner);
    memcpy(corner, faces->corner, uses * sizeof *corner);
    for (size_t f = 0; f < faces->count; f++) {
        loops[f].corner = corner + faces->start[f];
        loops[f].length = faces->start[f + 1] - faces->start[f];
    }
    qsort(loops, faces->count, sizeof *loops, loop_compare);
    for (size_t f = 0; f < faces->count; f++) {
        int32_t at = faces->start[f];

        memcpy(faces->corner + at, loops[f].corner,
               (size_t)loops[f].length * sizeof *corner);
        faces->start[f + 1] = at + loops[f].length;
    }
    free(loops);
    free(corner);
    return PERP_OK;
}

/* Every side of a facet has one facet beyond it. */
static perp_status merger_link(merger *m, perp_error *err)
{
    const surface *s = m->facets;
    int32_t crowded = -1;

    TRY(surface_pair(s, m->beyond, NULL, &crowded, err));
    for (size_t k = 0; k < surface_uses(s); k++) {
        if (m->beyond[k] < 0) {
            return perp_fail(
                err, PERP_ERR_DATA,
                "hull: %zu points lie too close together to distinguish the faces", m->n);
        }
    }
    surface_owners(s, m->owner);
    return merger_sort(m, err);
}

perp_status faces_merge(const surface *facets, size_t n, const double *points,
                        double tolerance, surface *faces, bool *whole, perp_error *err)
{
    size_t uses = surface_uses(facets);
    size_t count = facets->count;
    int32_t *numbers = math_alloc(2 * uses + 3 * count + 2 * n, sizeof *numbers);
    merger m = {.facets = facets, .points = points, .n = n};
    perp_status status = PERP_OK;

    *whole = false;
    memset(faces, 0, sizeof *faces);
    if (!numbers || !surface_alloc(faces, count, uses)) {
        free(numbers);
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu facets", count);
    }
    m.beyond = numbers;
    m.owner = m.beyond + uses;
    m.face = m.owner + uses;
    m.by_area = m.face + count;
    m.walk = m.by_area + count;
    m.after = m.walk + count;
    m.met = m.after + n;
    status = merger_link(&m, err);
    if (status == PERP_OK) {
        *whole = merger_run(&m, tolerance, faces);
    }
    if (*whole) {
        status = faces_sort(faces, err);
    }
    if (!*whole || status != PERP_OK) {
        surface_free(faces);
    }
    free(numbers);
    return status;
}
