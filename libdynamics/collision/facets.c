/* SPDX-License-Identifier: Apache-2.0
 * collision/facets.c: contacts of boxes and hulls with each other, in space and in the
 * plane: corners against faces, where outlines of faces cross, and one edge against one
 * edge. Two boxes in space have boxes.c.
 *
 * Along a unit axis n the two are apart by s(n) = min_b n.p - max_a n.p. The normals of
 * all faces and the crossed edges are searched for the largest s (axes.c); if that is
 * beyond the margin there is no contact. The face of the largest s is the reference face;
 * of the faces at the corner of the other shape that is deepest below it, the one
 * whose normal is most opposite is the incident face. Both are patches, clipped across n
 * (patch.h); in the plane they are sides of two corners. For shapes that do not overlap
 * the result is used if it equals the bound of the axis; otherwise their closest features
 * are searched (closest.c). */
#include <config.h>

#include "collision/patch.h"
#include "collision/sat.h"

/* Crossed edges at a smaller sine define no axis. */
static const double crossed_sine = 1e-6;

typedef struct sat_query {
    contact_query *query;
    sat_pair pair;
} sat_query;

/* The reference face on `r`, the incident one on `i`; n outward of the reference face, m
 * of the incident one. All in the axes of a. */
typedef struct faces {
    const solid *r, *i;
    size_t r_face, i_face;
    const double *n, *m;
    bool r_is_b; /* r is b */
} faces;

static double facets_spread(const sat_query *m)
{
    return fmin(m->query->a->reach, m->query->b->reach);
}

/* The face of p most opposite to n, among those at its deepest corners along n; the
 * first of equal ones. */
static size_t facets_opposite_face(const solid *p, const double n[3], double place)
{
    double low = solid_low(p, n) + place;
    double least = INFINITY;
    size_t best = 0;

    for (size_t f = 0; f < p->faces; f++) {
        double along = vec3_dot(n, p->normal + 3 * f);
        bool deep = false;

        for (int32_t k = 0;
             along < least - SAT_SAME_PLACE && !deep && k < solid_face_size(p, f); k++) {
            deep = vec3_dot(n, solid_corner(p, solid_face_corner(p, f, k))) <= low;
        }
        if (deep) {
            least = along;
            best = f;
        }
    }
    return best;
}

static faces facets_choose_faces(const sat_query *m, const sat_axis *a, const sat_axis *b)
{
    const solid *p = &m->pair.a;
    const solid *q = &m->pair.b;
    faces f;

    f.r_is_b = sat_reference_is_b(m->query, a->apart, b->apart, p->area[a->face],
                                  q->area[b->face], m->pair.place);
    f.r = f.r_is_b ? q : p;
    f.i = f.r_is_b ? p : q;
    f.r_face = f.r_is_b ? b->face : a->face;
    f.n = f.r->normal + 3 * f.r_face;
    f.i_face = facets_opposite_face(f.i, f.n, m->pair.place);
    f.m = f.i->normal + 3 * f.i_face;
    return f;
}

/* The patch of a face, seen along the normal of p, in the axes of a. */
static void facets_face_patch(const patch_pair *p, const solid *s, size_t face, patch *f)
{
    const double *normal = s->normal + 3 * face;
    size_t count = (size_t)solid_face_size(s, face);

    f->radius = 0.0;
    f->count = count < PERP_FACE_CORNERS ? count : PERP_FACE_CORNERS;
    for (size_t k = 0; k < f->count; k++) {
        int32_t c = solid_face_corner(s, face, (int32_t)(k * count / f->count));

        patch_put(p, f, k, solid_corner(s, c), (uint32_t)c);
    }
    patch_close(p, f, vec3_dot(p->n, normal) < 0.0 ? -1.0 : 1.0, normal);
}

/* The least gap of the contacts of both faces. */
static double facets_clip_faces(const sat_query *m, const faces *f)
{
    const perp_placed *at = &m->query->a->at;
    double n[3];
    patch_pair p;

    if (vec3_dot(f->n, f->m) > -SAT_SAME_PLACE) {
        return INFINITY; /* a face seen from its edge has no height there */
    }
    p.query = m->query;
    p.place = m->pair.place;
    vec3_scale(f->r_is_b ? -1.0 : 1.0, f->n, n);
    patch_frame(&p, n, solid_corner(f->r, solid_face_corner(f->r, f->r_face, 0)));
    facets_face_patch(&p, &m->pair.a, f->r_is_b ? f->i_face : f->r_face, &p.a);
    facets_face_patch(&p, &m->pair.b, f->r_is_b ? f->r_face : f->i_face, &p.b);
    mat3_apply(at->R, p.origin, p.origin);
    vec3_add(p.origin, 1.0, at->x, p.origin);
    mat3_apply(at->R, p.s, p.s);
    mat3_apply(at->R, p.t, p.t);
    mat3_apply(at->R, p.n, p.n);
    patch_clip(&p);
    return p.least;
}

/* The edge of the two corners of p farthest along n; false: there are more or fewer. */
static bool facets_edge_along(const solid *p, const double n[3], double place,
                              patch_edge *edge)
{
    double most = solid_high(p, n);
    size_t found = 0;

    for (size_t c = 0; c < p->corners; c++) {
        if (vec3_dot(n, p->corner + 3 * c) >= most - place) {
            if (found == 2) {
                return false;
            }
            vec3_copy(found == 0 ? edge->from : edge->to, p->corner + 3 * c);
            edge->id[found++] = (uint32_t)c;
        }
    }
    return found == 2;
}

static bool facets_edges_along(const sat_pair *p, const double n[3], patch_edge *a,
                               patch_edge *b)
{
    const double back[3] = {-n[0], -n[1], -n[2]};

    return facets_edge_along(&p->a, n, p->place, a) &&
           facets_edge_along(&p->b, back, p->place, b);
}

static void sat_pair_contacts(sat_query *m)
{
    double place = m->pair.place;
    sat_axis a = sat_best_face(&m->pair.a, &m->pair.b, place, &m->pair.low_b);
    sat_axis b = sat_best_face(&m->pair.b, &m->pair.a, place, &m->pair.low_a);
    double apart = fmax(a.apart, b.apart);
    double gap = INFINITY;
    bool flush = false;
    sat_axis edges;
    patch_edge e;
    patch_edge g;
    faces f;

    if (apart > m->query->margin) {
        return;
    }
    edges = sat_best_edges(&m->pair, apart, crossed_sine);
    if (edges.apart > m->query->margin) {
        return;
    }
    f = facets_choose_faces(m, &a, &b);
    flush = vec3_dot(f.n, f.m) <= -SAT_FACE_TO_FACE &&
            edges.apart <= apart + SAT_FLUSH_LOSS * facets_spread(m);
    if (!flush && edges.apart > apart + SAT_EDGE_ADVANTAGE * facets_spread(m) &&
        facets_edges_along(&m->pair, edges.n, &e, &g)) {
        gap = patch_cross_edges(m->query, edges.n, &e, &g, place);
    } else {
        gap = facets_clip_faces(m, &f);
        if (edges.apart < -place && !(gap <= 0.0)) {
            gap = INFINITY; /* they overlap, and no corner or crossing says so */
        }
    }
    if (edges.apart > 0.0 || (edges.apart < -place && gap == INFINITY)) {
        sat_check_apart(m->query, edges.apart, gap, flush);
    }
}

void facets_contacts(contact_query *m)
{
    const perp_shape *a = m->a->at.shape;
    const perp_shape *b = m->b->at.shape;
    double *numbers = query_scratch(m, sat_numbers(a, b) * sizeof *numbers);
    sat_query here;

    if (numbers) {
        here.query = m;
        sat_place(&here.pair, &m->a->at, &m->b->at, m->dimension, numbers);
        sat_pair_contacts(&here);
    }
}
