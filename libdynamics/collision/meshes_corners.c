/* SPDX-License-Identifier: Apache-2.0
 * collision/meshes_corners.c: corners of one mesh over and in triangles of the other, and,
 * apart, beside its edges and corners. */
#include <config.h>

#include <perp/dynamics/tree.h>

#include "collision/meshes.h"

/* What is only measured: in shares of the sizes, distances that are rounding. */
static const double touching = 1e-6;
/* Cosine of normals that are one. */
static const double same_normal = 1.0 - 1e-6;

/* A corner of one mesh among the triangles of the other. */
typedef struct visit {
    meeting *g;
    int own; /* the mesh of the corner */
    int32_t corner;
    double x[3];  /* axes of the first */
    size_t first; /* contact of the corner */
    size_t planes;
} visit;

/* Whether triangle t has the point below or above it; how far above. What is only measured is
 * so to a share of that distance, since else another feature is nearer. */
static bool visit_is_over(const visit *v, size_t t, double *height)
{
    const sheet *other = &v->g->side[1 - v->own];
    const perp_mesh *m = other->mesh;
    double p[3];
    double from[3];
    double longest = 0.0;
    double most = -INFINITY;

    sheet_back(other, v->x, p);
    for (int k = 0; k < 3; k++) {
        const double *c = m->point + 3 * (size_t)m->corner[3 * t + (size_t)k];
        const double *d = m->point + 3 * (size_t)m->corner[3 * t + (size_t)(k + 1) % 3];
        double side[3];
        double o[3];

        vec3_subtract(d, c, side);
        longest = fmax(longest, vec3_length(side));
        mesh_outward(m, t, k, o);
        vec3_subtract(p, c, from);
        most = fmax(most, vec3_dot(from, o));
    }
    *height = vec3_dot(from, m->normal + 3 * t);
    if (v->g->m->nearest) {
        longest = fmin(longest, fmax(fabs(*height), touching * longest));
    }
    return most <= meshes_on_side * longest;
}

/* The contact of the corner that has this normal; NULL: none so far. */
static touch *visit_find(const visit *v, const double n[3])
{
    double sign = v->own == 1 ? 1.0 : -1.0;

    for (size_t k = v->first; k < v->g->count; k++) {
        if (sign * vec3_dot(v->g->at[k].n, n) >= same_normal) {
            return &v->g->at[k];
        }
    }
    return NULL;
}

/* The contact of the corner with the plane of triangle t, at a gap along its normal n, also in
 * place of one with an edge or corner, whose direction is known less well. */
static void visit_add_plane(visit *v, size_t t, const double n[3], double gap)
{
    touch *c = visit_find(v, n);

    if (c && c->kind <= TOUCH_CORNER_OF_B) {
        return;
    }
    c = c ? c : meeting_add(v->g, gap);
    if (!c) {
        return;
    }
    c->kind = v->own == 1 ? TOUCH_CORNER_OF_B : TOUCH_CORNER_OF_A;
    c->gap = gap;
    c->triangle = (int32_t)t;
    c->feature = query_feature((uint64_t)c->kind, (uint64_t)v->corner, v->planes++);
    vec3_scale(v->own == 1 ? 1.0 : -1.0, n, c->n);
    vec3_copy(c->corner, v->x);
    vec3_add(v->x, -0.5 * gap, n, c->middle);
}

/* Whether an edge at the corner goes through triangle t. */
static bool visit_pierces(const visit *v, size_t t)
{
    const sheet *own = &v->g->side[v->own];
    const perp_mesh *m = own->mesh;

    for (int32_t u = m->use_start[v->corner]; u < m->use_start[v->corner + 1]; u++) {
        for (size_t k = 0; k < 3; k++) {
            double w[3];

            sheet_point(own, m->corner[3 * (size_t)m->use[u] + k], w);
            if (sheet_is_pierced(&v->g->side[1 - v->own], t, v->x, w)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the corner has gone through triangle t of normal n, `depth` deep: one of its edges
 * does, not far, or it is in the other solid. Below an open surface that is as far as its own solid
 * reaches. */
static bool visit_is_inside(const visit *v, size_t t, const double n[3], double depth)
{
    const sheet *own = &v->g->side[v->own];
    const sheet *other = &v->g->side[1 - v->own];
    double out[3];

    if (depth <= v->g->shallow && visit_pierces(v, t)) {
        return true;
    }
    sheet_corner_normal(own, v->corner, out);
    return sheet_is_left(other, v->x, n, depth, out) &&
           (other->mesh->closed || sheet_is_clear(own, v->x, n, depth));
}

static void visit_plane(visit *v, size_t t)
{
    meeting *g = v->g;
    double gap = 0.0;
    double n[3];

    if (!visit_is_over(v, t, &gap) || !(gap <= g->margin)) {
        return;
    }
    sheet_normal(&g->side[1 - v->own], t, n);
    if (sheet_faces(&g->side[v->own], v->corner, n, meshes_leaning) &&
        (gap >= -g->place || visit_is_inside(v, t, n, -gap))) {
        visit_add_plane(v, t, n, gap);
    }
}

/* The contact of two points apart, that of the other mesh at y; d from y to the corner. */
static void visit_add_apart(visit *v, const double d[3], double gap, int kind,
                            uint64_t id)
{
    touch *c = visit_find(v, d) ? NULL : meeting_add(v->g, gap);

    if (c) {
        c->kind = kind;
        c->gap = gap;
        c->feature =
            query_feature((uint64_t)(2 * kind + v->own), (uint64_t)v->corner, id);
        vec3_scale(v->own == 1 ? 1.0 : -1.0, d, c->n);
        vec3_add(v->x, -0.5 * gap, d, c->middle);
    }
}

/* d := from y to the corner, unit; their distance, if they are apart and within the margin
 * and the corner has that direction; else negative. */
static double visit_apart(const visit *v, const double y[3], double d[3])
{
    const meeting *g = v->g;
    double gap = 0.0;

    vec3_subtract(v->x, y, d);
    gap = vec3_normalize(d);
    return gap > g->nothing && gap <= g->margin &&
                   sheet_faces(&g->side[v->own], v->corner, d, meshes_behind)
               ? gap
               : -1.0;
}

static void visit_edge(visit *v, size_t t, size_t k)
{
    const sheet *other = &v->g->side[1 - v->own];
    sheet_edge e;
    double along[3];
    double d[3];
    double y[3];
    double share = 0.0;
    double gap = 0.0;

    sheet_find_edge(other, t, k, &e);
    vec3_subtract(e.end[1], e.end[0], along);
    vec3_subtract(v->x, e.end[0], d);
    share = vec3_dot(d, along) / (e.length * e.length);
    if (share <= 0.0 || share >= 1.0) {
        return;
    }
    vec3_add(e.end[0], share, along, y);
    gap = visit_apart(v, y, d);
    if (gap >= 0.0 && sheet_edge_has(other, t, k, d, meshes_behind)) {
        visit_add_apart(v, d, gap, TOUCH_CORNER_EDGE, e.id);
    }
}

static void visit_corner(visit *v, int32_t p)
{
    const sheet *other = &v->g->side[1 - v->own];
    double y[3];
    double d[3];
    double back[3];
    double gap = 0.0;

    sheet_point(other, p, y);
    gap = visit_apart(v, y, d);
    vec3_scale(-1.0, d, back);
    if (gap >= 0.0 && sheet_faces(other, p, back, meshes_behind)) {
        visit_add_apart(v, d, gap, TOUCH_CORNER_CORNER, (uint64_t)p);
    }
}

static bool visit_triangle(void *context, uint32_t number)
{
    visit *v = context;
    const perp_mesh *m = v->g->side[1 - v->own].mesh;

    visit_plane(v, number);
    for (size_t k = 0; k < 3; k++) {
        if (sheet_owns_edge(m, number, k)) {
            visit_edge(v, number, k);
        }
        if (v->own == 1 && sheet_owns_corner(m, number, k)) {
            visit_corner(v, m->corner[3 * (size_t)number + k]);
        }
    }
    return !v->g->m->no_memory;
}

/* A corner deeper than the margin: against its own normal, before the way leaves its own
 * solid, it comes out of the other. */
static void visit_deep(visit *v)
{
    const meeting *g = v->g;
    const sheet *own = &g->side[v->own];
    const sheet *other = &g->side[1 - v->own];
    double d[3];
    double n[3];
    double p[3];
    double gap = 0.0;
    double way = 0.0;
    size_t t = 0;

    sheet_corner_normal(own, v->corner, d);
    vec3_scale(-1.0, d, d);
    sheet_back(other, v->x, p);
    for (int k = 0; k < 3; k++) {
        if (other->mesh->closed &&
            (p[k] < other->mesh->lo[k] || p[k] > other->mesh->hi[k])) {
            return;
        }
    }
    if (vec3_normalize(d) == 0.0) {
        return;
    }
    vec3_add(v->x, g->place, d, p); /* it may lie in another side */
    way = sheet_cast(other, p, d, 2.0 * own->at->reach, &t);
    if (way < 0.0) {
        return;
    }
    way += g->place;
    sheet_normal(other, t, n);
    gap = -way * vec3_dot(n, d);
    if (gap < -g->place && vec3_dot(n, d) > meshes_grazing &&
        sheet_faces(own, v->corner, n, meshes_leaning) &&
        sheet_is_clear(own, v->x, d, way)) {
        visit_add_plane(v, t, n, gap);
    }
}

/* Whether t is the first of these triangles that has the corner. */
static bool near_has_corner(const perp_mesh *m, const numbers *near, size_t t,
                            int32_t corner)
{
    int32_t u = m->use_start[corner];

    while (!near_has(near, m->use[u])) {
        u++;
    }
    return (size_t)m->use[u] == t;
}

void meeting_corners(meeting *g, int own, const numbers *near)
{
    const sheet *s = &g->side[own];
    const sheet *other = &g->side[1 - own];

    for (size_t i = 0; i < near->count && !g->m->no_memory; i++) {
        size_t t = near->at[i];

        for (size_t k = 0; k < 3; k++) {
            visit v = {.g = g,
                       .own = own,
                       .corner = s->mesh->corner[3 * t + k],
                       .first = g->count};
            perp_aabb box;

            if (!near_has_corner(s->mesh, near, t, v.corner) ||
                !sheet_juts(s->mesh, v.corner)) {
                continue;
            }
            sheet_point(s, v.corner, v.x);
            sheet_box(other, v.x, v.x,
                      fmax(g->margin, g->m->nearest ? g->deep : 10.0 * g->place), &box);
            perp_tree_query(other->mesh->tree, &box, visit_triangle, &v);
            if (g->count == v.first) {
                visit_deep(&v);
            }
        }
    }
}
