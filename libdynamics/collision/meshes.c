/* SPDX-License-Identifier: Apache-2.0
 * collision/meshes.c: contacts of two surfaces of triangles, by their features: a corner
 * of one over or in a triangle of the other, two edges that cross, and, apart, a corner
 * beside an edge or a corner.
 *
 * A feature is used where the surface is convex, with normals in its Voronoi region: n
 * from the one surface to the other at a corner x is one above which no neighbour w of x
 * lies,
 *
 *     n.(w - x) >= 0,
 *
 * and at an edge one between the normals of its two triangles. Corners of flat faces and
 * sides between coplanar triangles are no features, so that sliding shapes have no
 * contacts with internal edges. Faces and edges may be tilted by 8 degrees (as in
 * manifold.c), since only contacts at all corners of a flat face keep it at rest.
 *
 * An overlap is accepted where a ray along n from the one feature, within the other
 * solid, leaves it after the gap, or, where solids are sharp and the overlap is shallow,
 * where an edge there intersects a triangle. Overlaps deeper than the margin are found by
 * a ray from the corner against its own normal. A contact is dropped where the shorter
 * exit path of another one resolves it: a corner near the edge of a crate is pushed up,
 * not aside.
 *
 * Cost: one query of the tree of the other mesh for each convex corner and edge near it.
 * */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/tree.h>

#include "collision/meshes.h"

/* In shares of the smaller reach: contacts closer than this are at one place; gaps that
 * are none; how deep edges are looked for; and overlaps less deep than most solids are
 * thick. */
static const double same_place = 1e-7;
static const double no_distance = 1e-12;
static const double deep_share = 0.2;
static const double shallow_share = 0.05;

/* One more, all of which is to be set; NULL without memory. */
touch *meeting_add(meeting *g, double gap)
{
    if (!GROW(g->at, g->room, g->count + 1)) {
        g->m->no_memory = true;
        return NULL;
    }
    if (g->m->nearest) {
        g->margin = fmin(g->margin, fmax(gap, 0.0));
    }
    return &g->at[g->count++];
}

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

/* How far from the ends the edges cross; negative: beyond. b is moved by `way`. */
static double meeting_room(touch *c, const double way[3])
{
    double moved[2][3];
    double share[2];
    double n[3];
    double least = INFINITY;

    for (int k = 0; k < 2; k++) {
        vec3_add(c->edge[1][k], 1.0, way, moved[k]);
    }
    if (!crossing_find(c->edge[0], moved, share, n)) {
        return INFINITY;
    }
    for (int k = 0; k < 2; k++) {
        double d[3];

        vec3_subtract(c->edge[k][1], c->edge[k][0], d);
        least = fmin(least, fmin(share[k], 1.0 - share[k]) * vec3_length(d));
    }
    return least;
}

/* Whether b, moved by `way`, is out of an overlap. Of edges, the directions of which
 * lean, the way leads to the ends about. */
static bool meeting_is_freed(const meeting *g, touch *c, const double way[3])
{
    static const double none[3] = {0};
    double moved[3];

    if (c->gap + vec3_dot(c->n, way) >= -g->place) {
        return true;
    }
    if (c->kind == TOUCH_EDGES) {
        double room = meeting_room(c, way);

        return room <= fmin(-meshes_leaning * c->gap, 0.5 * meeting_room(c, none));
    }
    vec3_scale(c->kind == TOUCH_CORNER_OF_B ? 1.0 : -1.0, way, moved);
    return meeting_has_left(g, &g->side[c->kind == TOUCH_CORNER_OF_B ? 0 : 1],
                            c->triangle, c->corner, moved);
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

bool near_has(const numbers *near, int32_t triangle)
{
    size_t low = 0;
    size_t high = near->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (near->at[middle] < (uint32_t)triangle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < near->count && near->at[low] == (uint32_t)triangle;
}

/* The triangles of one that come near the other, or are no deeper than edges are looked
 * for, ascending; false: none or no memory. */
static bool meeting_list(const meeting *g, int own, numbers *near)
{
    const sheet *s = &g->side[own];
    perp_aabb box;

    mesh_box_in(s->at, g->side[1 - own].at, fmax(g->margin, g->deep), &box);
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
                 .deep = deep_share * size,
                 .shallow = shallow_share * size,
                 .nothing = no_distance * size};
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
