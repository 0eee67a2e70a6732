/* SPDX-License-Identifier: Apache-2.0
 * collision/sat.c: boxes and hulls by separating axes: their distance and depth, exact to
 * rounding, and their contacts, by boxes.c and facets.c.
 *
 * Along the best of all axes, n, they are apart by s. Where s < 0 that is minus their
 * depth, and the deepest points are those that touch after b is moved by -s n;
 * where s >= 0 their closest features are searched (closest.c). */
#include <config.h>

#include <stdlib.h>

#include "collision/sat.h"
#include "shapes/shapes.h"

/* Parallel edges give no axis; at this sine what they miss is that share of their
 * length. */
static const double crossed_sine = 1e-12;

/* Rounding, in shares of the size. */
static const double rounding = 1e-13;

/* Numbers for pairs of up to about a hundred corners. */
enum { FEW = 6144 };
typedef union cell {
    double number;
    int32_t index[2]; /* behind the numbers */
} cell;

static bool sat_takes(const perp_shape_type *a, const perp_shape_type *b,
                      unsigned dimension)
{
    (void)dimension;
    return solid_is(a) && solid_is(b);
}

/* The best of all axes, from a to b. */
static sat_axis sat_best_axis(sat_pair *p)
{
    sat_axis best = sat_best_face(&p->a, &p->b, 0.0, &p->low_b);
    sat_axis other = sat_best_face(&p->b, &p->a, 0.0, &p->low_a);

    if (other.apart > best.apart) {
        best = other;
        vec3_scale(-1.0, other.n, best.n);
    }
    other = sat_best_edges(p, best.apart, crossed_sine);
    return other.apart > best.apart ? other : best;
}

static void measure(const perp_placed *a, const perp_placed *b, unsigned dimension,
                    double *numbers, perp_proximity *out)
{
    sat_axis axis;
    sat_pair p;
    double x[3];
    double y[3];
    double normal[3];

    sat_place(&p, a, b, dimension, numbers);
    axis = sat_best_axis(&p);
    for (size_t c = 0; axis.apart < 0.0 && c < p.b.corners; c++) {
        vec3_add(p.moving + 3 * c, -axis.apart, axis.n, p.moving + 3 * c);
    }
    out->gap = sat_closest(&p, axis.n, x, y, normal);
    if (axis.apart < 0.0) {
        out->gap = axis.apart;
        vec3_copy(normal, axis.n);
        vec3_add(y, axis.apart, axis.n, y);
    }
    mat3_apply(a->R, normal, out->normal);
    mat3_apply(a->R, x, out->p_a);
    mat3_apply(a->R, y, out->p_b);
    vec3_add(out->p_a, 1.0, a->x, out->p_a);
    vec3_add(out->p_b, 1.0, a->x, out->p_b);
    out->tolerance = rounding * p.size;
    out->converged = true;
}

/* Without memory all that is known is how far apart the balls about them are. */
static void sat_measure_spheres(const perp_placed *a, const perp_placed *b,
                                perp_proximity *out)
{
    double d[3];

    vec3_subtract(b->x, a->x, d);
    out->gap = vec3_length(d) - a->shape->type->reach(a->shape) -
               b->shape->type->reach(b->shape);
    vec3_copy(out->p_a, a->x);
    vec3_copy(out->p_b, b->x);
    vec3_set(out->normal, 0.0, 0.0, 1.0);
    if (vec3_normalize(d) > 0.0) {
        vec3_copy(out->normal, d);
    }
    out->tolerance = INFINITY;
}

static void sat_measure(const perp_placed *a, const perp_placed *b,
                        const perp_narrow_settings *settings, perp_proximity *out)
{
    size_t count = sat_numbers(a->shape, b->shape);
    unsigned dimension = settings->dimension == 2 ? 2 : 3;
    cell few[FEW];
    double *many = NULL;

    *out = (perp_proximity){.ran = narrow_sat.name};
    if (count > FEW) {
        many = math_alloc(count, sizeof *many);
    }
    if (count > FEW && !many) {
        sat_measure_spheres(a, b, out);
    } else {
        measure(a, b, dimension, many ? many : &few->number, out);
    }
    free(many);
}

void sat_check_apart(contact_query *m, double bound, double gap, bool flush)
{
    double noise = flush ? SAT_EDGE_ADVANTAGE * fmin(m->a->reach, m->b->reach)
                         : SAT_SAME_PLACE * (m->a->reach + m->b->reach);
    size_t count = sat_numbers(m->a->at.shape, m->b->at.shape);
    perp_proximity nearest = {.ran = narrow_sat.name};
    double *numbers = NULL;

    if (gap <= bound + noise) {
        return;
    }
    numbers = query_scratch(m, count * sizeof *numbers);
    if (!numbers) {
        return;
    }
    measure(&m->a->at, &m->b->at, m->dimension, numbers, &nearest);
    if (gap > nearest.gap + noise) {
        m->contacts->count = m->first;
        query_manifold(m, &nearest);
    }
}

static void sat_contacts(contact_query *m)
{
    bool boxes = solid_is_box(m->a->at.shape->type) && solid_is_box(m->b->at.shape->type);

    if (boxes && m->dimension == 3) {
        boxes_contacts(m);
    } else {
        facets_contacts(m);
    }
}

const perp_narrow_type narrow_sat = {
    .name = "sat",
    .summary = "boxes and hulls: normals of faces and crossed edges, faces clipped",
    .reference = "gottschalk-1996",
    .takes = sat_takes,
    .measure = sat_measure,
    .meet = sat_contacts,
};
