/* SPDX-License-Identifier: Apache-2.0
 * collide/collide.c: every pair of shapes that may meet, in order, and who finds its
 * contacts.
 *
 * A pair is looked at when impulses move one of its bodies, the bodies differ and no
 * joint forbids it, and the spheres about the two come within the margin:
 *
 *     |x_b - x_a| <= reach_a + reach_b + margin,
 *     of a plane n.(x_b - x_a) <= reach_b + margin
 *
 * Cost: that test for every pair, S^2/2 of S shapes. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/joint.h>

#include "narrow/meeting.h"

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

    vec3_subtract(b->at.x, a->at.x, d);
    if (isinf(a->reach) && isinf(b->reach)) {
        return true;
    }
    if (isinf(a->reach) || isinf(b->reach)) {
        const double *R = isinf(a->reach) ? a->at.R : b->at.R;
        unsigned up = w->dimension == 2 ? 1 : 2;
        double height = R[up] * d[0] + R[3 + up] * d[1] + R[6 + up] * d[2];

        return (isinf(a->reach) ? height - b->reach : -height - a->reach) <= margin;
    }
    return vec3_dot(d, d) <= reach * reach;
}

static bool may_meet(const perp_world *w, const placed *a, const placed *b, double margin)
{
    int32_t i = a->body;
    int32_t j = b->body;

    return i != j && (core_moves(w, i) || core_moves(w, j)) &&
           within_reach(w, a, b, margin) && !joint_forbids(w, i, j);
}

static perp_status meet(meeting *m, const placed *a, const placed *b, perp_error *err)
{
    const perp_shape_type *one = a->at.shape->type;
    const perp_shape_type *two = b->at.shape->type;
    const perp_narrow_type *type = perp_narrow_choose(NULL, one, two, m->dimension);

    if (!type) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "collide: shape %zu, a %s on \"%.64s\", comes near shape %zu, a "
                         "%s on \"%.64s\": these two have no contacts in closed form",
                         a->number, one->name, m->world->name[a->body], b->number,
                         two->name, m->world->name[b->body]);
    }
    meet_begin(m, a, b);
    type->meet(m);
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

static void place_all(const perp_world *w, placed *all)
{
    for (size_t k = 0; k < w->shape_count; k++) {
        const perp_shape *shape = &w->shapes[k];

        all[k] = (placed){.at.shape = shape,
                          .number = k,
                          .body = shape->body,
                          .material = shape->material,
                          .reach = shape->type->reach(shape)};
        perp_shape_pose(w, shape, all[k].at.R, all[k].at.x);
    }
}

perp_status perp_collide(const perp_world *w, double margin, perp_contacts *contacts,
                         perp_error *err)
{
    scratch room = {0};
    meeting m = {.world = w,
                 .dimension = w->dimension,
                 .margin = margin,
                 .contacts = contacts,
                 .scratch = &room};
    placed *all = NULL;
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
    if (!all) {
        status = perp_fail(err, PERP_ERR_MEMORY, "collide: no memory for %zu shapes",
                           w->shape_count);
    } else {
        place_all(w, all);
        status = meet_all(&m, all, w->shape_count, err);
    }
    free(all);
    free(room.at);
    if (status != PERP_OK) {
        contacts->count = 0;
    }
    return status;
}
