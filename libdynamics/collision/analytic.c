/* SPDX-License-Identifier: Apache-2.0
 * collision/analytic.c: the table of closed forms for pairs of primitives. They are
 * exact to rounding. */
#include <config.h>

#include "collision/query.h"
#include "shapes/shapes.h"

/* The other order is swapped. A pair that is missing has no closed form, except convex
 * shapes and a plane. */
static const struct {
    const perp_shape_type *a, *b;
    pair_call *call;
} pairs[] = {
    {&shape_plane, &shape_sphere, plane_sphere},
    {&shape_plane, &shape_capsule, plane_capsule},
    {&shape_plane, &shape_cylinder, plane_cylinder},
    {&shape_plane, &shape_ellipsoid, plane_ellipsoid},
    {&shape_plane, &shape_box, plane_corners},
    {&shape_plane, &shape_hull, plane_corners},
    {&shape_plane, &shape_mesh, plane_mesh},
    {&shape_sphere, &shape_sphere, sphere_sphere},
    {&shape_sphere, &shape_capsule, sphere_capsule},
    {&shape_sphere, &shape_box, sphere_box},
    {&shape_sphere, &shape_hull, sphere_hull},
    {&shape_sphere, &shape_cylinder, sphere_cylinder},
    {&shape_sphere, &shape_cone, sphere_cone},
    {&shape_sphere, &shape_ellipsoid, sphere_ellipsoid},
    {&shape_capsule, &shape_capsule, capsule_capsule},
};

static pair_call *pair_find(const perp_shape_type *a, const perp_shape_type *b,
                            bool *swapped)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if ((pairs[k].a == a && pairs[k].b == b) ||
            (pairs[k].a == b && pairs[k].b == a)) {
            *swapped = pairs[k].a != a;
            return pairs[k].call;
        }
    }
    if ((a->unbounded && b->support) || (b->unbounded && a->support)) {
        *swapped = b->unbounded;
        return plane_convex;
    }
    return NULL;
}

static bool analytic_takes(const perp_shape_type *a, const perp_shape_type *b,
                           unsigned dimension)
{
    bool swapped = false;

    (void)dimension;
    return pair_find(a, b, &swapped) != NULL;
}

static void analytic_measure(const perp_placed *a, const perp_placed *b,
                             const perp_narrow_settings *settings, perp_proximity *out)
{
    bool swapped = false;
    pair_call *call = pair_find(a->shape->type, b->shape->type, &swapped);

    query_measure(call, swapped, a, b, settings, out);
    out->ran = narrow_analytic.name;
}

static void analytic_contacts(contact_query *m)
{
    bool swapped = false;
    pair_call *call = pair_find(m->a->at.shape->type, m->b->at.shape->type, &swapped);
    const placed *a = m->a;

    if (swapped) {
        m->a = m->b;
        m->b = a;
        m->swapped = !m->swapped;
    }
    call(m);
}

const perp_narrow_type narrow_analytic = {
    .name = "analytic",
    .summary = "closed forms: a plane and any shape, a sphere and most, two capsules",
    .reference = "ericson-2005",
    .takes = analytic_takes,
    .measure = analytic_measure,
    .meet = analytic_contacts,
};
