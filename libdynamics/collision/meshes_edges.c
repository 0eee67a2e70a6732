/* SPDX-License-Identifier: Apache-2.0
 * collision/meshes_edges.c: edges of two meshes that cross. The lines p + s d and q + t e are
 * nearest where, with n = d x e and r = q - p,
 *
 *     s = (r x e).n/(n.n),   t = (r x d).n/(n.n). */
#include <config.h>

#include <perp/dynamics/tree.h>

#include "collision/meshes.h"

/* Sine of edges that are parallel: the ends of where they overlap are found as corners. */
static const double parallel = 1e-4;

/* An edge of b among the triangles of a. */
typedef struct crossing {
    meeting *g;
    size_t t, k; /* triangle and side of b */
    sheet_edge e;
} crossing;

/* The shares of both lines where they are nearest, and n across both, unit; false: they are
 * parallel. */
bool crossing_find(double p[2][3], double q[2][3], double share[2], double n[3])
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

/* How far beyond their ends edges may cross that are this far apart; see visit_is_over. */
static double crossing_slack(const crossing *c, const sheet_edge *f, double gap)
{
    double share = fabs(gap) / fmin(f->length, c->e.length);

    return c->g->m->nearest && share < 1.0 ? share * meshes_on_side : meshes_on_side;
}

static void crossing_add(const crossing *c, const sheet_edge *f, const double n[3],
                         double gap, const double x[3])
{
    touch *to = meeting_add(c->g, gap);

    if (to) {
        to->kind = TOUCH_EDGES;
        to->gap = gap;
        to->feature = query_feature(TOUCH_EDGES, f->id, c->e.id);
        vec3_copy(to->n, n);
        vec3_add(x, 0.5 * gap, n, to->middle);
        memcpy(to->edge[0], f->end, sizeof f->end);
        memcpy(to->edge[1], c->e.end, sizeof c->e.end);
    }
}

/* Whether an edge goes through a triangle at side k of triangle t. */
static bool crossing_pierces(const sheet *s, size_t t, size_t k, const sheet_edge *e)
{
    int32_t beyond = s->mesh->beyond[3 * t + k];

    return sheet_is_pierced(s, t, e->end[0], e->end[1]) ||
           (beyond >= 0 && sheet_is_pierced(s, (size_t)beyond, e->end[0], e->end[1]));
}

/* The place where side k of triangle t of a crosses the edge of b. */
typedef struct crossing_place {
    size_t t, k;
    sheet_edge f;
    double share[2], n[3], x[3], y[3],
        out[2][3]; /* of a, of b; `out` looks out of each */
    double gap;
} crossing_place;

/* Whether the edges overlap: within both, where one goes through a triangle at the other, not
 * far, or each is in the other's solid. */
static bool crossing_overlaps(const crossing *c, crossing_place *at)
{
    const sheet *side = c->g->side;
    double depth = -at->gap;
    double back[3];

    vec3_scale(-1.0, at->n, back);
    return crossing_is_within(at->share, -meshes_on_side) &&
           ((depth <= c->g->shallow &&
             (crossing_pierces(&side[0], at->t, at->k, &c->e) ||
              crossing_pierces(&side[1], c->t, c->k, &at->f))) ||
            (sheet_is_left(&side[0], at->y, at->n, depth, at->out[0]) &&
             sheet_is_left(&side[1], at->x, back, depth, at->out[1])));
}

/* False: the edges are parallel, or their lines are nearest beyond their ends. */
static bool crossing_locate(crossing *c, crossing_place *at)
{
    meeting *g = c->g;
    double d[3];

    sheet_find_edge(&g->side[0], at->t, at->k, &at->f);
    if (!crossing_find(at->f.end, c->e.end, at->share, at->n) ||
        !crossing_is_within(at->share, meshes_on_side)) {
        return false;
    }
    sheet_edge_normal(&g->side[0], at->t, at->k, at->out[0]);
    sheet_edge_normal(&g->side[1], c->t, c->k, at->out[1]);
    vec3_scale(vec3_dot(at->n, at->out[0]) < 0.0 ? -1.0 : 1.0, at->n, at->n);
    vec3_subtract(at->f.end[1], at->f.end[0], d);
    vec3_add(at->f.end[0], at->share[0], d, at->x);
    vec3_subtract(c->e.end[1], c->e.end[0], d);
    vec3_add(c->e.end[0], at->share[1], d, at->y);
    vec3_subtract(at->y, at->x, d);
    at->gap = vec3_dot(at->n, d);
    return crossing_is_within(at->share, crossing_slack(c, &at->f, at->gap));
}

/* Side k of triangle t of a. */
static void crossing_meet(crossing *c, size_t t, size_t k)
{
    meeting *g = c->g;
    crossing_place at = {.t = t, .k = k};
    double back[3];

    if (!crossing_locate(c, &at)) {
        return;
    }
    vec3_scale(-1.0, at.n, back);
    if (at.gap <= g->margin && sheet_edge_has(&g->side[0], t, k, at.n, meshes_leaning) &&
        sheet_edge_has(&g->side[1], c->t, c->k, back, meshes_leaning) &&
        (at.gap >= -g->place || crossing_overlaps(c, &at))) {
        crossing_add(c, &at.f, at.n, at.gap, at.x);
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

/* Whether t is the first of these triangles that has its side k, which is convex. */
static bool near_has_edge(const perp_mesh *m, const numbers *near, size_t t, size_t k)
{
    int32_t beyond = m->beyond[3 * t + k];

    return m->convex[3 * t + k] &&
           (beyond < 0 || (int32_t)t < beyond || !near_has(near, beyond));
}

void meeting_edges(meeting *g, const numbers *near)
{
    const sheet *b = &g->side[1];

    for (size_t i = 0; i < near->count && !g->m->no_memory; i++) {
        for (size_t k = 0; k < 3; k++) {
            crossing c = {.g = g, .t = near->at[i], .k = k};
            perp_aabb box;

            if (near_has_edge(b->mesh, near, c.t, k)) {
                sheet_find_edge(b, c.t, k, &c.e);
                sheet_box(&g->side[0], c.e.end[0], c.e.end[1],
                          fmax(g->margin, fmin(g->deep, c.e.length)), &box);
                perp_tree_query(g->side[0].mesh->tree, &box, crossing_triangle, &c);
            }
        }
    }
}
