/* SPDX-License-Identifier: Apache-2.0
 * collision/meshes.c: contacts of two surfaces of triangles, by their features: a corner of
 * one over or in a triangle of the other, two edges that cross, and, apart, a corner beside
 * an edge or a corner.
 *
 * A feature takes part where the surface is convex, in directions that it has there: n from
 * the one surface to the other at a corner x is one that no neighbour w of x lies beyond,
 *
 *     n.(w - x) >= 0,
 *
 * and at an edge one between the normals of its two triangles. Corners of flat faces and
 * sides between coplanar triangles are no features, so that nothing catches on them. Faces
 * and edges that face each other but for 8 degrees still do (as in manifold.c), since only
 * contacts at all corners of a flat face hold it.
 *
 * An overlap counts where the way from the one feature to the other, by the gap along n,
 * leads through no other surface: out of both solids at once. What is deeper than the margin
 * is found by a ray from the corner against its own normal. A contact that a shorter way out
 * of another one frees is left out: of a corner near the edge of a crate the way up counts,
 * not the way aside.
 *
 * Cost: for each convex corner and edge that comes near, a query of the other's tree. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/tree.h>

#include "collision/patch.h"
#include "collision/triangle.h"

/* In shares of a triangle's longest side or of an edge: closer than this to an end is on
 * it. */
static const double on_side = 1e-7;
/* The sine of 8 degrees, by which directions may lean beyond those of a feature. */
static const double leaning = 0.14;
/* Of nearest points apart, whose direction is known to rounding. */
static const double behind = 1e-9;
/* Sine of edges that are parallel: the ends of where they overlap are found as corners. */
static const double parallel = 1e-4;
/* In shares of the smaller reach: contacts closer than this are at one place; gaps that are
 * none; and how deep edges are looked for. */
static const double same_place = 1e-7;
static const double no_distance = 1e-12;
static const double deep_share = 0.2;
/* Cosine of normals that are one. */
static const double same_normal = 1.0 - 1e-6;
/* Rays run aside from an overlap by this share of its depth, since directions may lean; they
 * come out of it within the second of its end, leave out the third at both ends, and surfaces
 * that they graze. */
static const double ray_aside = 0.2;
static const double ray_window = 0.5;
static const double ray_end = 1e-3;
static const double grazing = 1e-3;

/* One of the two meshes; R and x lead from its axes to those of the first. */
typedef struct sheet {
    const perp_mesh *mesh;
    const placed *at;
    double R[9], x[3];
} sheet;

enum { CORNER_OF_A = 11, CORNER_OF_B, EDGES, CORNER_EDGE, CORNER_CORNER };

typedef struct touch {
    double n[3], middle[3], gap; /* axes of a, n from a to b */
    uint64_t feature;
    int kind;
    int32_t triangle;     /* that a corner touches */
    double corner[3];     /* of a kind of corner */
    double edge[2][2][3]; /* of EDGES: ends of that of a, of that of b */
} touch;

typedef struct meeting {
    contact_query *m;
    sheet side[2];
    double margin; /* gaps beyond it do not count */
    double place, deep;
    touch *at;
    size_t count, room;
} meeting;

typedef struct mesh_edge {
    double end[2][3]; /* axes of a */
    double length;
    uint64_t id;
} mesh_edge;

/* ---- a mesh in the axes of the first ---- */

static void sheet_place(sheet *s, const placed *at, const placed *first)
{
    double back[9];
    double d[3];

    s->mesh = at->at.shape->mesh;
    s->at = at;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            back[3 * i + j] = first->at.R[3 * j + i];
        }
    }
    mat3_multiply(back, at->at.R, s->R);
    vec3_subtract(at->at.x, first->at.x, d);
    mat3_apply(back, d, s->x);
    if (at == first) {
        const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

        memcpy(s->R, one, sizeof one);
    }
}

static void sheet_point(const sheet *s, int32_t p, double x[3])
{
    mat3_apply(s->R, s->mesh->point + 3 * (size_t)p, x);
    vec3_add(x, 1.0, s->x, x);
}

/* From the axes of the first to its own. */
static void sheet_back(const sheet *s, const double x[3], double own[3])
{
    vec3_subtract(x, s->x, own);
    mat3_apply_transposed(s->R, own, own);
}

/* The box in its own axes of two points, wider by r. */
static void sheet_box(const sheet *s, const double p[3], const double q[3], double r,
                      perp_aabb *box)
{
    double a[3];
    double b[3];

    sheet_back(s, p, a);
    sheet_back(s, q, b);
    for (int k = 0; k < 3; k++) {
        box->lo[k] = fmin(a[k], b[k]) - r;
        box->hi[k] = fmax(a[k], b[k]) + r;
    }
}

static bool sheet_owns_corner(const perp_mesh *m, size_t t, size_t k)
{
    return (size_t)m->use[m->use_start[m->corner[3 * t + k]]] == t;
}

/* Of the two triangles at a convex edge the lower has it. */
static bool sheet_owns_edge(const perp_mesh *m, size_t t, size_t k)
{
    int32_t beyond = m->beyond[3 * t + k];

    return m->convex[3 * t + k] && (beyond < 0 || (int32_t)t < beyond);
}

/* Whether a convex edge ends at the corner. */
static bool sheet_juts(const perp_mesh *m, int32_t p)
{
    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        size_t t = (size_t)m->use[u];

        for (size_t k = 0; k < 3; k++) {
            if (m->convex[3 * t + k] &&
                (m->corner[3 * t + k] == p || m->corner[3 * t + (k + 1) % 3] == p)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether no neighbour of corner p lies beyond it against n, but for `slack`, a sine. */
static bool sheet_faces(const sheet *s, int32_t p, const double n[3], double slack)
{
    const perp_mesh *m = s->mesh;
    const double *x = m->point + 3 * (size_t)p;
    double own[3];

    mat3_apply_transposed(s->R, n, own);
    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        const int32_t *c = m->corner + 3 * (size_t)m->use[u];

        for (int k = 0; k < 3; k++) {
            double d[3];

            vec3_subtract(m->point + 3 * (size_t)c[k], x, d);
            if (vec3_dot(own, d) < -slack * vec3_length(d)) {
                return false;
            }
        }
        /* an open surface is not met from behind */
        if (!m->closed && vec3_dot(own, m->normal + 3 * (size_t)m->use[u]) > behind) {
            return false;
        }
    }
    return true;
}

static void sheet_edge(const sheet *s, size_t t, size_t k, mesh_edge *e)
{
    int32_t p = s->mesh->corner[3 * t + k];
    int32_t q = s->mesh->corner[3 * t + (k + 1) % 3];
    double d[3];

    sheet_point(s, p, e->end[0]);
    sheet_point(s, q, e->end[1]);
    vec3_subtract(e->end[1], e->end[0], d);
    e->length = vec3_length(d);
    e->id = patch_edge_id((uint32_t)p, (uint32_t)q);
}

/* Whether n, outwards and across the edge, is between the normals of its triangles. */
static bool sheet_edge_has(const sheet *s, size_t t, size_t k, const double n[3],
                           double slack)
{
    const perp_mesh *m = s->mesh;
    int32_t beyond = m->beyond[3 * t + k];
    double own[3];
    double o[3];

    mat3_apply_transposed(s->R, n, own);
    mesh_outward(m, t, (int)k, o);
    if (vec3_dot(own, o) < -slack) {
        return false;
    }
    if (beyond < 0) {
        return vec3_dot(own, m->normal + 3 * t) >= -behind;
    }
    mesh_outward(m, (size_t)beyond, mesh_side_back(m, (size_t)beyond, t), o);
    return vec3_dot(own, o) >= -slack;
}

/* The first triangle on the way from x along d and how far it is; negative: none. */
static double sheet_cast(const sheet *s, const double x[3], const double d[3],
                         double most, size_t *triangle)
{
    const perp_shape *shape = s->at->at.shape;
    double o[3];
    double own[3];
    double n[3];

    sheet_back(s, x, o);
    mat3_apply_transposed(s->R, d, own);
    return shape->type->cast(shape, 3, o, own, most, n, triangle);
}

static void sheet_normal(const sheet *s, size_t t, double n[3])
{
    mat3_apply(s->R, s->mesh->normal + 3 * t, n);
}

/* n := the sum of the normals at a corner. */
static void sheet_corner_normal(const sheet *s, int32_t p, double n[3])
{
    const perp_mesh *m = s->mesh;

    vec3_set(n, 0.0, 0.0, 0.0);
    for (int32_t u = m->use_start[p]; u < m->use_start[p + 1]; u++) {
        vec3_add(n, 1.0, m->normal + 3 * (size_t)m->use[u], n);
    }
    mat3_apply(s->R, n, n);
}

/* The same at side k of triangle t. */
static void sheet_edge_normal(const sheet *s, size_t t, size_t k, double n[3])
{
    int32_t beyond = s->mesh->beyond[3 * t + k];

    vec3_copy(n, s->mesh->normal + 3 * t);
    if (beyond >= 0) {
        vec3_add(n, 1.0, s->mesh->normal + 3 * (size_t)beyond, n);
    }
    mat3_apply(s->R, n, n);
}

/* Whether a way leads through no surface between its ends. */
static bool sheet_is_clear(const sheet *s, const double x[3], const double d[3],
                           double length)
{
    double from[3];
    double n[3];
    size_t t = 0;

    vec3_add(x, ray_end * length, d, from);
    if (sheet_cast(s, from, d, (1.0 - 2.0 * ray_end) * length, &t) < 0.0) {
        return true;
    }
    sheet_normal(s, t, n);
    return fabs(vec3_dot(n, d)) < grazing;
}

/* Whether a way, from within, comes out of the surface about at its end. */
static bool sheet_is_left(const sheet *s, const double x[3], const double d[3],
                          double length)
{
    size_t t = 0;
    double way = sheet_cast(s, x, d, (1.0 + ray_window) * length, &t);
    double n[3];

    if (way < (1.0 - ray_window) * length) {
        return false;
    }
    sheet_normal(s, t, n);
    return vec3_dot(n, d) > grazing;
}

/* from := x, moved into the solids by a share of the way along n; `out` looks out of them. */
static void meeting_go_inside(const double x[3], const double n[3], double length,
                              const double out[3], double from[3])
{
    double across[3];

    vec3_add(out, -vec3_dot(out, n), n, across);
    vec3_normalize(across);
    vec3_add(x, -ray_aside * length, across, from);
}

/* ---- contacts ---- */

/* One more, all of which is to be set; NULL without memory. */
static touch *meeting_add(meeting *g, double gap)
{
    void *at = g->at;

    if (!math_grow(&at, sizeof *g->at, g->room, &g->room, g->count + 1)) {
        g->m->no_memory = true;
        return NULL;
    }
    g->at = at;
    if (g->m->nearest) {
        g->margin = fmin(g->margin, fmax(gap, 0.0));
    }
    return &g->at[g->count++];
}

/* A corner of one mesh among the triangles of the other. */
typedef struct visit {
    meeting *g;
    int own; /* the mesh of the corner */
    int32_t corner;
    double x[3];  /* axes of the first */
    size_t first; /* contact of the corner */
    size_t planes;
} visit;

/* Whether triangle t has the point below or above it; how far above. */
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
    return most <= on_side * longest;
}

/* The contact of the corner with the plane of triangle t, at a gap along its normal n. */
static void visit_add_plane(visit *v, size_t t, const double n[3], double gap)
{
    meeting *g = v->g;
    double sign = v->own == 1 ? 1.0 : -1.0;
    touch *c = NULL;

    for (size_t k = v->first; k < g->count; k++) {
        if (sign * vec3_dot(g->at[k].n, n) >= same_normal) {
            return;
        }
    }
    c = meeting_add(g, gap);
    if (!c) {
        return;
    }
    c->kind = v->own == 1 ? CORNER_OF_B : CORNER_OF_A;
    c->gap = gap;
    c->triangle = (int32_t)t;
    c->feature = query_feature((uint64_t)c->kind, (uint64_t)v->corner, v->planes++);
    vec3_scale(sign, n, c->n);
    vec3_copy(c->corner, v->x);
    vec3_add(v->x, -0.5 * gap, n, c->middle);
}

/* Whether the corner is in the other solid, `depth` below a triangle of normal n. */
static bool visit_is_inside(const visit *v, const double n[3], double depth)
{
    const sheet *own = &v->g->side[v->own];
    double out[3];
    double from[3];

    sheet_corner_normal(own, v->corner, out);
    meeting_go_inside(v->x, n, depth, out, from);
    return sheet_is_left(&v->g->side[1 - v->own], from, n, depth) &&
           sheet_is_clear(own, from, n, depth);
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
    if (sheet_faces(&g->side[v->own], v->corner, n, leaning) &&
        (gap >= -g->place || visit_is_inside(v, n, -gap))) {
        visit_add_plane(v, t, n, gap);
    }
}

/* The contact of two points apart, that of the other mesh at y; d from y to the corner. */
static void visit_add_apart(visit *v, const double d[3], double gap, int kind,
                            uint64_t id)
{
    touch *c = meeting_add(v->g, gap);

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
    return gap > no_distance * g->place / same_place && gap <= g->margin &&
                   sheet_faces(&g->side[v->own], v->corner, d, behind)
               ? gap
               : -1.0;
}

static void visit_edge(visit *v, size_t t, size_t k)
{
    const sheet *other = &v->g->side[1 - v->own];
    mesh_edge e;
    double along[3];
    double d[3];
    double y[3];
    double share = 0.0;
    double gap = 0.0;

    sheet_edge(other, t, k, &e);
    vec3_subtract(e.end[1], e.end[0], along);
    vec3_subtract(v->x, e.end[0], d);
    share = vec3_dot(d, along) / (e.length * e.length);
    if (share <= 0.0 || share >= 1.0) {
        return;
    }
    vec3_add(e.end[0], share, along, y);
    gap = visit_apart(v, y, d);
    if (gap >= 0.0 && sheet_edge_has(other, t, k, d, behind)) {
        visit_add_apart(v, d, gap, CORNER_EDGE, e.id);
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
    if (gap >= 0.0 && sheet_faces(other, p, back, behind)) {
        visit_add_apart(v, d, gap, CORNER_CORNER, (uint64_t)p);
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
    way = sheet_cast(other, v->x, d, 2.0 * own->at->reach, &t);
    if (way < 0.0) {
        return;
    }
    sheet_normal(other, t, n);
    gap = -way * vec3_dot(n, d);
    if (gap < -g->place && vec3_dot(n, d) > grazing &&
        sheet_faces(own, v->corner, n, leaning) && sheet_is_clear(own, v->x, d, way)) {
        visit_add_plane(v, t, n, gap);
    }
}

static void meeting_corners(meeting *g, int own, const numbers *near)
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

            if (!sheet_owns_corner(s->mesh, t, k) || !sheet_juts(s->mesh, v.corner)) {
                continue;
            }
            sheet_point(s, v.corner, v.x);
            sheet_box(other, v.x, v.x,
                      g->m->nearest ? fmax(g->margin, g->deep) : g->margin, &box);
            perp_tree_query(other->mesh->tree, &box, visit_triangle, &v);
            if (g->count == v.first) {
                visit_deep(&v);
            }
        }
    }
}

/* An edge of b among the triangles of a. */
typedef struct crossing {
    meeting *g;
    size_t t, k; /* triangle and side of b */
    mesh_edge e;
} crossing;

/* The shares of both lines where they are nearest, and n across both, unit; false: they are
 * parallel. */
static bool crossing_find(double p[2][3], double q[2][3], double share[2], double n[3])
{
    double d[3];
    double e[3];
    double from[3];
    double across[3];
    double sine = 0.0;

    vec3_subtract(p[1], p[0], d);
    vec3_subtract(q[1], q[0], e);
    vec3_subtract(q[0], p[0], from);
    vec3_cross(d, e, n);
    sine = vec3_normalize(n);
    if (!(sine > parallel * vec3_length(d) * vec3_length(e))) {
        return false;
    }
    vec3_cross(from, e, across);
    share[0] = vec3_dot(across, n) / sine;
    vec3_cross(from, d, across);
    share[1] = vec3_dot(across, n) / sine;
    return true;
}

/* Whether both are within the edges, or no farther beyond their ends than `slack`. */
static bool crossing_is_within(const double share[2], double slack)
{
    return share[0] >= -slack && share[0] <= 1.0 + slack && share[1] >= -slack &&
           share[1] <= 1.0 + slack;
}

static void crossing_add(const crossing *c, const mesh_edge *f, const double n[3],
                         double gap, const double x[3])
{
    touch *to = meeting_add(c->g, gap);

    if (to) {
        to->kind = EDGES;
        to->gap = gap;
        to->feature = query_feature(EDGES, f->id, c->e.id);
        vec3_copy(to->n, n);
        vec3_add(x, 0.5 * gap, n, to->middle);
        memcpy(to->edge[0], f->end, sizeof f->end);
        memcpy(to->edge[1], c->e.end, sizeof c->e.end);
    }
}

/* Whether the edges are in each other's solid: x that of a, y that of b, `depth` apart. */
static bool crossing_is_inside(const meeting *g, const double x[3], const double y[3],
                               const double n[3], double depth, const double out[3])
{
    double back[3];
    double from[3];

    meeting_go_inside(y, n, depth, out, from);
    if (!sheet_is_left(&g->side[0], from, n, depth)) {
        return false;
    }
    vec3_scale(-1.0, n, back);
    meeting_go_inside(x, n, depth, out, from);
    return sheet_is_left(&g->side[1], from, back, depth);
}

/* Side k of triangle t of a. */
static void crossing_meet(crossing *c, size_t t, size_t k)
{
    meeting *g = c->g;
    mesh_edge f;
    double share[2];
    double n[3], x[3], y[3], d[3], back[3], out[2][3];
    double gap = 0.0;

    sheet_edge(&g->side[0], t, k, &f);
    if (!crossing_find(f.end, c->e.end, share, n) ||
        !crossing_is_within(share, on_side)) {
        return;
    }
    sheet_edge_normal(&g->side[0], t, k, out[0]);
    sheet_edge_normal(&g->side[1], c->t, c->k, out[1]);
    vec3_scale(vec3_dot(n, out[0]) < 0.0 ? -1.0 : 1.0, n, n);
    vec3_add(out[0], 1.0, out[1], out[1]);
    for (int i = 0; i < 3; i++) {
        x[i] = f.end[0][i] + share[0] * (f.end[1][i] - f.end[0][i]);
        y[i] = c->e.end[0][i] + share[1] * (c->e.end[1][i] - c->e.end[0][i]);
    }
    vec3_subtract(y, x, d);
    gap = vec3_dot(n, d);
    vec3_scale(-1.0, n, back);
    if (gap <= g->margin && sheet_edge_has(&g->side[0], t, k, n, leaning) &&
        sheet_edge_has(&g->side[1], c->t, c->k, back, leaning) &&
        (gap >= -g->place || (crossing_is_within(share, -on_side) &&
                              crossing_is_inside(g, x, y, n, -gap, out[1])))) {
        crossing_add(c, &f, n, gap, x);
    }
}

static bool crossing_triangle(void *context, uint32_t number)
{
    crossing *c = context;

    for (size_t k = 0; k < 3; k++) {
        if (sheet_owns_edge(c->g->side[0].mesh, number, k)) {
            crossing_meet(c, number, k);
        }
    }
    return !c->g->m->no_memory;
}

static void meeting_edges(meeting *g, const numbers *near)
{
    const sheet *b = &g->side[1];

    for (size_t i = 0; i < near->count && !g->m->no_memory; i++) {
        for (size_t k = 0; k < 3; k++) {
            crossing c = {.g = g, .t = near->at[i], .k = k};
            perp_aabb box;

            if (sheet_owns_edge(b->mesh, c.t, k)) {
                sheet_edge(b, c.t, k, &c.e);
                sheet_box(&g->side[0], c.e.end[0], c.e.end[1],
                          fmax(g->margin, fmin(g->deep, c.e.length)), &box);
                perp_tree_query(g->side[0].mesh->tree, &box, crossing_triangle, &c);
            }
        }
    }
}

/* ---- what others free ---- */

/* Whether a point, moved by `way`, has left triangle t of s over a convex side. */
static bool meeting_has_left(const meeting *g, const sheet *s, int32_t t,
                             const double x[3], const double way[3])
{
    const perp_mesh *m = s->mesh;
    double p[3];
    double moved[3];

    vec3_add(x, 1.0, way, p);
    sheet_back(s, p, p);
    mat3_apply_transposed(s->R, way, moved);
    for (int k = 0; k < 3; k++) {
        size_t place = 3 * (size_t)t + (size_t)k;
        double o[3];
        double from[3];

        mesh_outward(m, (size_t)t, k, o);
        vec3_subtract(p, m->point + 3 * (size_t)m->corner[place], from);
        if (m->convex[place] && vec3_dot(moved, o) > g->place &&
            vec3_dot(from, o) >= -g->place) {
            return true;
        }
    }
    return false;
}

/* Whether b, moved by `way`, is out of an overlap. */
static bool meeting_is_freed(const meeting *g, touch *c, const double way[3])
{
    double moved[2][3];
    double share[2];
    double n[3];

    if (c->gap + vec3_dot(c->n, way) >= -g->place) {
        return true;
    }
    if (c->kind == EDGES) {
        for (int k = 0; k < 2; k++) {
            vec3_add(c->edge[1][k], 1.0, way, moved[k]);
        }
        return crossing_find(c->edge[0], moved, share, n) &&
               !crossing_is_within(share, -on_side);
    }
    vec3_scale(c->kind == CORNER_OF_B ? 1.0 : -1.0, way, moved[0]);
    return meeting_has_left(g, &g->side[c->kind == CORNER_OF_B ? 0 : 1], c->triangle,
                            c->corner, moved[0]);
}

static bool meeting_frees(const meeting *g, touch *c)
{
    for (size_t k = 0; k < g->count && c->gap < -g->place; k++) {
        const touch *by = &g->at[k];
        double way[3];

        vec3_scale(-by->gap, by->n, way);
        if (by->gap < -g->place && by->gap > c->gap + g->place &&
            meeting_is_freed(g, c, way)) {
            return true;
        }
    }
    return false;
}

static void meeting_report(const meeting *g)
{
    const placed *a = g->side[0].at;

    for (size_t k = 0; k < g->count; k++) {
        touch *c = &g->at[k];
        double point[3];
        double n[3];

        if (!meeting_frees(g, c)) {
            mat3_apply(a->at.R, c->middle, point);
            vec3_add(point, 1.0, a->at.x, point);
            mat3_apply(a->at.R, c->n, n);
            query_add(g->m, point, n, c->gap, c->feature);
        }
    }
}

/* ---- both ---- */

/* The triangles of one that come near the other, ascending; false: none or no memory. */
static bool meeting_list(const meeting *g, int own, numbers *near)
{
    const sheet *s = &g->side[own];
    perp_aabb box;

    mesh_box_in(s->at, g->side[1 - own].at, g->margin, &box);
    perp_tree_query(s->mesh->tree, &box, mesh_add_number, near);
    near->at = near->count > 0 ? malloc(near->count * sizeof *near->at) : NULL;
    if (!near->at) {
        g->m->no_memory = g->m->no_memory || near->count > 0;
        return false;
    }
    near->count = 0;
    perp_tree_query(s->mesh->tree, &box, mesh_add_number, near);
    mesh_sort_numbers(near);
    return true;
}

void query_meshes(contact_query *m)
{
    double size = fmin(m->a->reach, m->b->reach);
    meeting g = {.m = m,
                 .margin = m->margin,
                 .place = same_place * size,
                 .deep = deep_share * size};
    numbers near[2] = {{0}, {0}};
    double p[3];
    double q[3];

    sheet_place(&g.side[0], m->a, m->a);
    sheet_place(&g.side[1], m->b, m->a);
    if (m->nearest) { /* any two points are as far apart, or farther */
        sheet_point(&g.side[0], 0, p);
        sheet_point(&g.side[1], 0, q);
        vec3_subtract(p, q, p);
        g.margin = vec3_length(p);
    }
    if (meeting_list(&g, 0, &near[0]) && meeting_list(&g, 1, &near[1])) {
        meeting_corners(&g, 1, &near[1]);
        meeting_corners(&g, 0, &near[0]);
        meeting_edges(&g, &near[1]);
        meeting_report(&g);
    }
    free(near[0].at);
    free(near[1].at);
    free(g.at);
    if (!m->nearest && !m->no_memory) {
        query_drop_repeated(m, g.place);
    }
    if (!m->nearest && !m->no_memory) {
        query_outline(m, g.place);
    }
}
