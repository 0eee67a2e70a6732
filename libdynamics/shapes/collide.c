/* SPDX-License-Identifier: Apache-2.0
 * shapes/collide.c: every pair of shapes that may meet, in order, and who finds its
 * contacts.
 *
 * A pair is looked at when impulses move one of its bodies, the bodies differ and no
 * joint forbids it, and the spheres about the two come within the margin:
 *
 *     |x_b - x_a| <= reach_a + reach_b + margin,
 *     of a plane n.(x_b - x_a) <= reach_b + margin
 *
 * Cost: that test for every pair, S^2/2 of S shapes. A key is mixed from the numbers of
 * the two shapes and from the features that touch,
 * so it does not depend on other shapes. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/joint.h>

#include "collide.h"
#include "shapes.h"

void perp_contacts_clear(perp_contacts *contacts)
{
    free(contacts->at);
    memset(contacts, 0, sizeof *contacts);
}

perp_contact *perp_contacts_add(perp_contacts *contacts)
{
    void *array = contacts->at;

    if (!core_grow(&array, sizeof *contacts->at, contacts->room, &contacts->room,
                   contacts->count + 1)) {
        return NULL;
    }
    contacts->at = array;
    memset(&contacts->at[contacts->count], 0, sizeof *contacts->at);
    return &contacts->at[contacts->count++];
}

/* The finalizer of SplitMix64, one to one on 64 bits [steele-lea-flood-2014]. */
static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint64_t meet_feature(uint64_t kind, uint64_t a, uint64_t b)
{
    return mix(mix(mix(kind) ^ a) ^ b);
}

void meet_tell(meeting *m, const double point[3], const double normal[3], double gap,
               uint64_t feature)
{
    const placed *low = m->swapped ? m->b : m->a;
    const placed *high = m->swapped ? m->a : m->b;
    perp_material material;
    perp_contact *c = NULL;

    if (!(gap <= m->margin)) {
        return;
    }
    c = perp_contacts_add(m->contacts);
    if (!c) {
        m->no_memory = true;
        return;
    }
    c->i = low->shape->body;
    c->j = high->shape->body;
    vec3_copy(c->point, point);
    vec3_scale(m->swapped ? -1.0 : 1.0, normal, c->normal);
    c->gap = gap;
    perp_world_combine(m->world, low->shape->material, high->shape->material, &material);
    c->mu = material.mu;
    c->restitution = material.restitution;
    c->mu_rolling = material.mu_rolling;
    c->erp = material.erp;
    c->key = meet_feature(feature, low->number, high->number);
    c->key += c->key == 0;
}

/* Who finds the contacts of a type against another; the other order is swapped. Whatever
 * is missing has no closed form here. */
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
    {&shape_sphere, &shape_sphere, sphere_sphere},
    {&shape_sphere, &shape_capsule, sphere_capsule},
    {&shape_sphere, &shape_box, sphere_box},
    {&shape_sphere, &shape_hull, sphere_hull},
    {&shape_capsule, &shape_capsule, capsule_capsule},
    {&shape_box, &shape_box, facets_facets},
    {&shape_box, &shape_hull, facets_facets},
    {&shape_hull, &shape_hull, facets_facets},
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
    return NULL;
}

static bool joint_forbids(const perp_world *w, int32_t i, int32_t j)
{
    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *joint = &w->joints[k];
        bool joined =
            (joint->i == i && joint->j == j) || (joint->i == j && joint->j == i);

        if (joined && !joint->collide) {
            return true;
        }
    }
    return false;
}

/* A NaN is not within reach. */
static bool within_reach(const perp_world *w, const placed *a, const placed *b,
                         double margin)
{
    double d[3];
    double reach = a->reach + b->reach + margin;

    vec3_subtract(b->x, a->x, d);
    if (isinf(a->reach) && isinf(b->reach)) {
        return true;
    }
    if (isinf(a->reach) || isinf(b->reach)) {
        const double *R = isinf(a->reach) ? a->R : b->R;
        unsigned up = w->dimension == 2 ? 1 : 2;
        double height = R[up] * d[0] + R[3 + up] * d[1] + R[6 + up] * d[2];

        return (isinf(a->reach) ? height - b->reach : -height - a->reach) <= margin;
    }
    return vec3_dot(d, d) <= reach * reach;
}

static bool may_meet(const perp_world *w, const placed *a, const placed *b, double margin)
{
    int32_t i = a->shape->body;
    int32_t j = b->shape->body;

    return i != j && (core_moves(w, i) || core_moves(w, j)) &&
           within_reach(w, a, b, margin) && !joint_forbids(w, i, j);
}

static perp_status meet(meeting *m, const placed *a, const placed *b, perp_error *err)
{
    pair_call *call = pair_find(a->shape->type, b->shape->type, &m->swapped);

    if (!call) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "collide: shape %zu, a %s on \"%.64s\", comes near shape %zu, a "
                         "%s on \"%.64s\": these two have no contacts in closed form",
                         a->number, a->shape->type->name, m->world->name[a->shape->body],
                         b->number, b->shape->type->name, m->world->name[b->shape->body]);
    }
    m->a = m->swapped ? b : a;
    m->b = m->swapped ? a : b;
    m->first = m->contacts->count;
    call(m);
    if (m->no_memory) {
        return perp_fail(err, PERP_ERR_MEMORY, "collide: no memory for %zu contacts",
                         m->contacts->count + 1);
    }
    return PERP_OK;
}

static perp_status meet_all(meeting *m, const placed *all, size_t n, perp_error *err)
{
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            if (may_meet(m->world, all + a, all + b, m->margin)) {
                perp_status status = meet(m, all + a, all + b, err);

                if (status != PERP_OK) {
                    return status;
                }
            }
        }
    }
    return PERP_OK;
}

perp_status perp_collide(const perp_world *w, double margin, perp_contacts *contacts,
                         perp_error *err)
{
    meeting m = {.world = w, .margin = margin, .contacts = contacts};
    placed *all = NULL;
    double *numbers = NULL;
    perp_status status = PERP_OK;

    contacts->count = 0;
    if (!(margin >= 0.0 && isfinite(margin))) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "collide: margin is %g, expected a number >= 0 [m]", margin);
    }
    if (w->shape_count == 0) {
        return PERP_OK;
    }
    all = core_take(w->shape_count, sizeof *all);
    numbers = core_take(place_numbers(w), sizeof *numbers);
    if (!all || !numbers) {
        status = perp_fail(err, PERP_ERR_MEMORY, "collide: no memory for %zu shapes",
                           w->shape_count);
    } else {
        place_all(w, all, numbers);
        status = meet_all(&m, all, w->shape_count, err);
    }
    free(all);
    free(numbers);
    if (status != PERP_OK) {
        contacts->count = 0;
    }
    return status;
}
