/* SPDX-License-Identifier: Apache-2.0
 * collision/mesh.c: contacts of a convex shape with the outside of a surface of triangles:
 * triangle by triangle, those whose boxes come near, in the order of their numbers.
 *
 * The normal of a contact must lie in the Voronoi region of the feature of the triangle
 * that it is at [ericson-2005]. At a point p within the triangle it is the normal f of the
 * triangle. At a point on side k it may turn outward over that side, up to the normal of
 * the neighbour beyond it, where the surface bends away (a ridge) or ends (a border); over
 * a flat or a hollow side it may not turn at all, or a box that slides over a floor would
 * collide with internal edges. A normal outside this region is replaced by f, with the gap
 *
 *     gap = min f.(x - p) over the points x of the convex shape.
 *
 * A triangle has no contact with a shape behind it: one whose nearest point, or, once they
 * overlap, whose origin lies there. It has none along its own normal either where the shorter
 * exit path of another triangle leads out of it as well. Of contacts at one place with one
 * normal the first stays.
 *
 * Cost for n triangles that come near: n searches. Exit paths are found in a tree over all
 * of them, and contacts at one place by a hash of places. */
#include <config.h>

#include <stdlib.h>

#include "collision/exit_paths.h"
#include "collision/triangle.h"

/* In shares of the longest side of a triangle: a point closer to a side is on it. */
static const double on_side = 1e-7;
/* Cosine beyond which a direction is the normal: the square root of the rounding of a
 * direction, and the share of a gap that is lost by it. */
static const double upright = 1.0 - 1e-9;
/* Bound on the cosine that rounding makes of a right angle. */
static const double behind = 1e-9;
/* In shares of the reach: contacts closer than this are at one place. */
static const double same_place = 1e-7;

/* A mesh, one triangle of it at a time, against a convex shape. */
typedef struct triangle_query {
    contact_query *m;
    const perp_mesh *mesh;
    const placed *surface, *body;
    placed triangle;  /* takes the place of the surface in the search */
    perp_shape shape; /* of it */
    double corner[9]; /* mesh axes */
    double normal[3]; /* world */
    double place;     /* contacts closer than this are one */
    size_t number;    /* of the triangle */
    double longest;   /* side of it */
} triangle_query;

bool mesh_add_number(void *context, uint32_t number)
{
    numbers *n = context;

    if (n->at) {
        n->at[n->count] = number;
    }
    n->count++;
    return true;
}

static int mesh_ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

void mesh_sort_numbers(numbers *n)
{
    qsort(n->at, n->count, sizeof *n->at, mesh_ascending);
}

void mesh_box_in(const placed *surface, const placed *body, double margin, perp_aabb *box)
{
    double back[9];
    double R[9];
    double x[3];

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            back[3 * i + j] = surface->at.R[3 * j + i];
        }
    }
    mat3_multiply(back, body->at.R, R);
    vec3_subtract(body->at.x, surface->at.x, x);
    mat3_apply(back, x, x);
    body->at.shape->type->bounds(body->at.shape, 3, R, x, box);
    for (int k = 0; k < 3; k++) {
        box->lo[k] -= margin;
        box->hi[k] += margin;
    }
}

static void mesh_take_triangle(triangle_query *g, uint32_t number)
{
    const int32_t *c = g->mesh->corner + 3 * (size_t)number;
    double side[3];

    g->number = number;
    g->triangle.part = number;
    g->m->combined = false;
    g->longest = 0.0;
    for (int k = 0; k < 3; k++) {
        vec3_copy(g->corner + 3 * k, g->mesh->point + 3 * (size_t)c[k]);
    }
    for (int k = 0; k < 3; k++) {
        vec3_subtract(g->corner + 3 * ((k + 1) % 3), g->corner + 3 * k, side);
        g->longest = fmax(g->longest, vec3_length(side));
    }
    g->triangle.reach = g->longest;
    mat3_apply(g->surface->at.R, g->mesh->normal + 3 * (size_t)number, g->normal);
}

/* The point x of the world in the axes of the mesh. */
static void mesh_point(const triangle_query *g, const double x[3], double out[3])
{
    vec3_subtract(x, g->surface->at.x, out);
    mat3_apply_transposed(g->surface->at.R, out, out);
}

typedef enum voronoi_verdict {
    VORONOI_ALLOWED,
    VORONOI_TOO_FAR,      /* outside the regions of this triangle and its sides */
    VORONOI_OF_NEIGHBOUR, /* in the region of the face beyond a side */
} voronoi_verdict;

/* Whether the direction d (unit, axes of the mesh) is in the Voronoi region of the feature of
 * the triangle at its point p. Where they overlap, the depth along f is computed exactly. */
static voronoi_verdict mesh_voronoi_verdict(const triangle_query *g, const double p[3],
                                            const double d[3], bool overlap)
{
    const perp_mesh *mesh = g->mesh;
    const double *f = mesh->normal + 3 * g->number;
    bool on_any = false;

    if (vec3_dot(d, f) >= upright) {
        return overlap ? VORONOI_TOO_FAR : VORONOI_ALLOWED;
    }
    for (int k = 0; k < 3; k++) {
        size_t side = 3 * g->number + (size_t)k;
        int32_t beyond = mesh->beyond[side];
        double o[3];
        double from[3];

        mesh_outward(mesh, g->number, k, o);
        vec3_subtract(p, g->corner + 3 * k, from);
        if (vec3_dot(from, o) < -on_side * g->longest) {
            continue;
        }
        on_any = true;
        if (vec3_dot(d, o) <= behind) {
            continue;
        }
        if (!mesh->convex[side]) {
            return VORONOI_TOO_FAR;
        }
        if (beyond >= 0) {
            mesh_outward(mesh, (size_t)beyond,
                         mesh_side_back(mesh, (size_t)beyond, g->number), o);
            if (vec3_dot(d, o) < -sqrt(1.0 - upright)) {
                return VORONOI_OF_NEIGHBOUR; /* d is in the region of the neighbour's face */
            }
        }
    }
    return on_any ? VORONOI_ALLOWED : VORONOI_TOO_FAR;
}

/* The proximity along the triangle's own normal. */
static void mesh_along_normal(const triangle_query *g, perp_proximity *p)
{
    const placed *b = g->body;
    const perp_shape_type *type = b->at.shape->type;
    double radius = type->radius ? type->radius(b->at.shape) : 0.0;
    double down[3];
    double q[3];
    double from[3];
    double corner[3];

    vec3_scale(-1.0, g->normal, down);
    mat3_apply_transposed(b->at.R, down, down);
    type->support(b->at.shape, down, q);
    mat3_apply(b->at.R, q, q);
    vec3_add(q, 1.0, b->at.x, q);
    vec3_add(q, -radius, g->normal, q);
    mat3_apply(g->surface->at.R, g->corner, corner);
    vec3_add(corner, 1.0, g->surface->at.x, corner);
    vec3_subtract(q, corner, from);
    p->gap = vec3_dot(from, g->normal);
    vec3_copy(p->normal, g->normal);
    vec3_copy(p->p_b, q);
    vec3_add(q, -p->gap, g->normal, p->p_a);
}

/* Whether the origin of the body is in front of the triangle. */
static bool mesh_in_front(const triangle_query *g)
{
    double x[3];

    mesh_point(g, g->body->at.x, x);
    vec3_subtract(x, g->corner, x);
    return vec3_dot(x, g->mesh->normal + 3 * g->number) > 0.0;
}

/* Whether the point, moved along the normal, is in the triangle. */
static bool mesh_over_triangle(const triangle_query *g, const double x[3])
{
    double p[3];

    mesh_point(g, x, p);
    for (int k = 0; k < 3; k++) {
        double o[3];
        double from[3];

        mesh_outward(g->mesh, g->number, k, o);
        vec3_subtract(p, g->corner + 3 * k, from);
        if (vec3_dot(from, o) > on_side * g->longest) {
            return false;
        }
    }
    return true;
}

/* Of the contacts from `first` on those that lie over the triangle stay. */
static void mesh_keep_over_triangle(const triangle_query *g, size_t first)
{
    perp_contacts *all = g->m->contacts;
    size_t kept = first;

    for (size_t k = first; k < all->count; k++) {
        if (mesh_over_triangle(g, all->at[k].point)) {
            all->at[kept++] = all->at[k];
        }
    }
    all->count = kept;
}

/* The contacts of a triangle, which lie over it where `upward`. What is only measured has
 * them for a while, and the least gap of these. */
static void mesh_add_manifold(triangle_query *g, const perp_proximity *p, bool upward)
{
    contact_query *m = g->m;
    perp_proximity *nearest = m->nearest;
    size_t first = m->contacts->count;

    m->nearest = NULL;
    m->combined = m->combined || nearest; /* of no world, it has no materials */
    query_manifold(m, p);
    if (upward) {
        mesh_keep_over_triangle(g, first);
    }
    m->nearest = nearest;
    for (size_t k = first; nearest && k < m->contacts->count; k++) {
        const perp_contact *c = &m->contacts->at[k];
        double n[3];

        vec3_scale(m->swapped ? -1.0 : 1.0, c->normal, n);
        query_add(m, c->point, n, c->gap, 0);
    }
    m->contacts->count = nearest ? first : m->contacts->count;
}

/* The nearest points are all that is measured where they belong to the triangle. */
static void mesh_add_nearest(contact_query *m, const perp_proximity *p)
{
    double middle[3];

    vec3_add(p->p_a, 0.5 * p->gap, p->normal, middle);
    query_add(m, middle, p->normal, p->gap, 0);
}

/* Result of the query of one triangle. */
typedef struct candidate {
    uint32_t number;
    perp_proximity p; /* what the search found */
    double along;     /* the gap along the triangle's normal */
    bool own;         /* the direction found is in the Voronoi region */
    bool upward;      /* the contact is along the normal of the triangle */
} candidate;

/* False: the triangle has no contact. */
static bool mesh_find_candidate(triangle_query *g, candidate *v)
{
    contact_query *m = g->m;
    perp_proximity up;
    bool overlap = false;
    voronoi_verdict verdict = VORONOI_ALLOWED;
    double d[3];
    double q[3];

    v->number = (uint32_t)g->number;
    query_search(m, perp_epa, &g->triangle.at, &g->body->at, &v->p);
    overlap = v->p.gap <= 0.0;
    if (!v->p.converged) { /* the bound is kept as a contact, and is no exit path */
        v->own = false;
        v->upward = false;
        return v->p.gap <= m->margin && mesh_in_front(g);
    }
    if (!(v->p.gap <= m->margin) ||
        (overlap ? !mesh_in_front(g) : vec3_dot(v->p.normal, g->normal) < -behind)) {
        return false;
    }
    mat3_apply_transposed(g->surface->at.R, v->p.normal, d);
    mesh_point(g, v->p.p_a, q);
    verdict = mesh_voronoi_verdict(g, q, d, overlap);
    up = v->p;
    mesh_along_normal(g, &up);
    v->along = up.gap;
    v->upward = verdict != VORONOI_ALLOWED;
    v->own = !v->upward || vec3_dot(v->p.normal, g->normal) >= upright;
    return verdict != VORONOI_OF_NEIGHBOUR || overlap;
}

static void mesh_collect_exits(const candidate *all, size_t count, exit_paths *e)
{
    for (size_t k = 0; k < e->leaves; k++) {
        if (k < count && all[k].own) {
            exit_paths_set(e, k, all[k].p.gap, all[k].p.normal);
        } else {
            exit_paths_unset(e, k);
        }
    }
    exit_paths_close(e);
}

/* Whether the exit path of another triangle, shorter than the depth along the normal of v,
 * leads out of v as well. Without this test each triangle of the side of a crate would
 * report the full depth of a slab that lies on the edge of that side. */
static bool mesh_exits_elsewhere(const triangle_query *g, const exit_paths *e,
                                 const candidate *v)
{
    return exit_paths_any(e, v->p.normal, -v->p.gap - g->place, -v->along - g->place);
}

static void mesh_add_candidate(triangle_query *g, const candidate *v)
{
    perp_proximity p = v->p;

    if (!p.converged) {
        query_give_up(g->m, &p);
    }
    if (v->upward) {
        mesh_along_normal(g, &p);
    }
    if (g->m->nearest) {
        g->m->nearest->tolerance = fmax(g->m->nearest->tolerance, p.tolerance);
    }
    if (g->m->nearest && !v->upward) {
        mesh_add_nearest(g->m, &p);
    } else {
        mesh_add_manifold(g, &p, v->upward);
    }
}

static void query_triangles(triangle_query *g, const numbers *near, candidate *candidates,
                            exit_paths *e)
{
    size_t count = 0;

    for (size_t k = 0; k < near->count; k++) {
        mesh_take_triangle(g, near->at[k]);
        count += mesh_find_candidate(g, &candidates[count]);
    }
    mesh_collect_exits(candidates, count, e);
    for (size_t k = 0; k < count && !g->m->no_memory; k++) {
        if (candidates[k].own || !candidates[k].p.converged ||
            !mesh_exits_elsewhere(g, e, &candidates[k])) {
            mesh_take_triangle(g, candidates[k].number);
            mesh_add_candidate(g, &candidates[k]);
        }
    }
}

/* The mesh is m->a. */
static void query_surface(contact_query *m)
{
    triangle_query g = {.m = m,
                        .mesh = m->a->at.shape->mesh,
                        .surface = m->a,
                        .body = m->b,
                        .triangle = *m->a,
                        .place = same_place * m->b->reach};
    numbers near = {0};
    exit_paths e = {.leaves = 1};
    candidate *candidates = NULL;
    perp_aabb box;

    g.shape =
        (perp_shape){.type = &narrow_triangle, .corner_count = 3, .corners = g.corner};
    g.triangle.at.shape = &g.shape;
    mesh_box_in(m->a, m->b, m->margin, &box);
    perp_tree_query(g.mesh->tree, &box, mesh_add_number, &near);
    if (near.count == 0) {
        return;
    }
    while (e.leaves < near.count) {
        e.leaves *= 2;
    }
    candidates = query_scratch(m, near.count * (sizeof *candidates + sizeof *near.at) +
                                      2 * e.leaves * sizeof *e.node);
    if (!candidates) {
        return;
    }
    e.node = (exit_box *)(void *)(candidates + near.count);
    near.at = (uint32_t *)(void *)(e.node + 2 * e.leaves);
    near.count = 0;
    perp_tree_query(g.mesh->tree, &box, mesh_add_number, &near);
    mesh_sort_numbers(&near);
    m->a = &g.triangle;
    query_triangles(&g, &near, candidates, &e);
    m->a = g.surface;
    query_drop_repeated(m, g.place);
}

static bool mesh_takes(const perp_shape_type *a, const perp_shape_type *b,
                       unsigned dimension)
{
    return dimension == 3 && (a->is_mesh || b->is_mesh) && (a->is_mesh || a->support) &&
           (b->is_mesh || b->support);
}

static void mesh_measure(const perp_placed *a, const perp_placed *b,
                         const perp_narrow_settings *settings, perp_proximity *out)
{
    bool both = a->shape->type->is_mesh && b->shape->type->is_mesh;

    query_measure(both ? query_meshes : query_surface, !a->shape->type->is_mesh, a, b,
                  settings, out);
    out->ran = narrow_mesh.name;
}

static void mesh_contacts(contact_query *m)
{
    const placed *a = m->a;

    if (a->at.shape->type->is_mesh && m->b->at.shape->type->is_mesh) {
        query_meshes(m);
        return;
    }
    if (!a->at.shape->type->is_mesh) {
        m->a = m->b;
        m->b = a;
        m->swapped = !m->swapped;
    }
    query_surface(m);
}

const perp_narrow_type narrow_mesh = {
    .name = "mesh",
    .summary = "surfaces of triangles: against convex shapes and each other",
    .reference = "ericson-2005",
    .takes = mesh_takes,
    .measure = mesh_measure,
    .meet = mesh_contacts,
};
