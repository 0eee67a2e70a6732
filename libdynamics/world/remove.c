/* SPDX-License-Identifier: Apache-2.0
 * world/remove.c: removal of bodies, shapes, joints and forces from a world.
 *
 * Items to remove are marked with -1 in the removal; then the others are renumbered and
 * moved. Only the removal allocates, so that the world is unchanged after a failure. */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/force.h>
#include <perp/dynamics/remove.h>

#include "base/base.h"
#include "world/shapes.h"
#include "world/trees.h"

void perp_removal_clear(perp_removal *r)
{
    free(r->body); /* the whole block */
    memset(r, 0, sizeof *r);
}

/* A removal without marks. */
static perp_status removal_open(perp_removal *r, const perp_world *w, perp_error *err)
{
    const size_t n = w->body_count + w->shape_count + w->joint_count + w->force_count;
    int32_t *block = math_alloc(n, sizeof *block);

    if (!block) {
        return perp_fail(err, PERP_ERR_MEMORY, "remove: no memory for %zu numbers", n);
    }
    memset(block, 0, n * sizeof *block);
    *r = (perp_removal){.body_count = w->body_count,
                        .shape_count = w->shape_count,
                        .joint_count = w->joint_count,
                        .force_count = w->force_count,
                        .body = block,
                        .shape = block + w->body_count,
                        .joint = block + w->body_count + w->shape_count};
    r->force = r->joint + w->joint_count;
    return PERP_OK;
}

/* Mark a body and the shapes, joints and forces on it. */
static void removal_mark_body(perp_removal *r, const perp_world *w, int32_t body)
{
    r->body[body] = -1;
    for (size_t k = 0; k < w->shape_count; k++) {
        r->shape[k] = w->shapes[k].body == body ? -1 : 0;
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        r->joint[k] = w->joints[k].i == body || w->joints[k].j == body ? -1 : 0;
    }
    for (size_t k = 0; k < w->force_count; k++) {
        const perp_force *f = &w->forces[k];
        const unsigned bodies = f->type->bodies;

        r->force[k] =
            (bodies > 0 && f->i == body) || (bodies > 1 && f->j == body) ? -1 : 0;
    }
}

/* Renumber the entries that are not marked; returns their number. */
static size_t removal_number(size_t count, int32_t *number)
{
    size_t left = 0;

    for (size_t k = 0; k < count; k++) {
        if (number[k] >= 0) {
            number[k] = (int32_t)left++;
        }
    }
    return left;
}

static void removal_shapes(const perp_removal *r, perp_world *w, size_t left)
{
    for (size_t k = 0; k < r->shape_count; k++) {
        perp_shape *s = &w->shapes[k];

        if (r->shape[k] < 0) {
            shape_release(s);
            continue;
        }
        s->body = r->body[s->body];
        for (size_t p = 0; p < s->part_count; p++) {
            s->parts[p].body = s->body;
        }
        w->shapes[r->shape[k]] = *s;
    }
    w->shape_count = left;
}

static void removal_joints(const perp_removal *r, perp_world *w, size_t left)
{
    for (size_t k = 0; k < r->joint_count; k++) {
        perp_joint *joint = &w->joints[k];

        if (r->joint[k] >= 0) {
            joint->i = r->body[joint->i];
            joint->j = r->body[joint->j];
            w->joints[r->joint[k]] = *joint;
        }
    }
    w->joint_count = left;
    world_keep_gears(w, r->joint, r->joint_count);
}

static void removal_forces(const perp_removal *r, perp_world *w, size_t left)
{
    for (size_t k = 0; k < r->force_count; k++) {
        perp_force *f = &w->forces[k];

        if (r->force[k] >= 0) {
            f->i = f->type->bodies > 0 ? r->body[f->i] : f->i;
            f->j = f->type->bodies > 1 ? r->body[f->j] : f->j;
            w->forces[r->force[k]] = *f;
        }
    }
    w->force_count = left;
}

/* Remove the marked items. */
static void removal_close(perp_removal *r, perp_world *w)
{
    const size_t bodies = removal_number(r->body_count, r->body);
    const size_t joints = removal_number(r->joint_count, r->joint);

    removal_shapes(r, w, removal_number(r->shape_count, r->shape));
    removal_joints(r, w, joints);
    removal_forces(r, w, removal_number(r->force_count, r->force));
    if (bodies < r->body_count || joints < r->joint_count) {
        world_keep_bodies(w, r->body);
        world_state_keep(w->start, r->body, r->joint);
        world_names_refresh(w, WORLD_BODIES);
        world_names_refresh(w, WORLD_JOINTS);
        world_axes_refresh(w);
        r->removals = ++w->removals;
    }
}

typedef enum removed {
    REMOVED_BODY,
    REMOVED_SHAPE,
    REMOVED_JOINT,
    REMOVED_FORCE,
} removed;

static perp_status removal_check(const perp_world *w, removed what, int32_t k,
                                 perp_error *err)
{
    static const char *const names[] = {"body", "shape", "joint", "force"};
    const size_t counts[] = {w->body_count, w->shape_count, w->joint_count,
                             w->force_count};

    if (k < 0 || (size_t)k >= counts[what]) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "remove: %s %d, the world has %zu, counted from 0", names[what],
                         (int)k, counts[what]);
    }
    if (w->reduced && (what == REMOVED_BODY || what == REMOVED_JOINT)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "remove: %s %d of a world in reduced coordinates, expected "
                         "maximal ones: call perp_world_unreduce before",
                         names[what], (int)k);
    }
    return PERP_OK;
}

static perp_status removal_of(perp_world *w, removed what, int32_t k,
                              perp_removal *removal, perp_error *err)
{
    perp_removal made = {0};

    TRY(removal_check(w, what, k, err));
    TRY(removal_open(&made, w, err));
    if (what == REMOVED_BODY) {
        removal_mark_body(&made, w, k);
    } else {
        (what == REMOVED_SHAPE   ? made.shape
         : what == REMOVED_JOINT ? made.joint
                                 : made.force)[k] = -1;
    }
    removal_close(&made, w);
    if (removal) {
        perp_removal_clear(removal);
        *removal = made;
    } else {
        perp_removal_clear(&made);
    }
    return PERP_OK;
}

perp_status perp_world_remove_body(perp_world *w, int32_t k, perp_removal *removal,
                                   perp_error *err)
{
    return removal_of(w, REMOVED_BODY, k, removal, err);
}

perp_status perp_world_remove_shape(perp_world *w, int32_t k, perp_removal *removal,
                                    perp_error *err)
{
    return removal_of(w, REMOVED_SHAPE, k, removal, err);
}

perp_status perp_world_remove_joint(perp_world *w, int32_t k, perp_removal *removal,
                                    perp_error *err)
{
    return removal_of(w, REMOVED_JOINT, k, removal, err);
}

perp_status perp_world_remove_force(perp_world *w, int32_t k, perp_removal *removal,
                                    perp_error *err)
{
    return removal_of(w, REMOVED_FORCE, k, removal, err);
}

perp_status perp_state_remove(perp_state *x, const perp_removal *r, perp_error *err)
{
    if (r->removals == 0 || x->removals == r->removals) {
        return PERP_OK;
    }
    if (x->removals + 1 != r->removals || x->body_count > r->body_count ||
        x->joint_count > r->joint_count) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "state: %zu bodies, %zu joints and %llu removals followed, expected "
            "at most %zu and %zu before removal %llu",
            x->body_count, x->joint_count, (unsigned long long)x->removals, r->body_count,
            r->joint_count, (unsigned long long)r->removals);
    }
    world_trees_free(x); /* of the world before it was unreduced */
    world_state_keep(x, r->body, r->joint);
    return PERP_OK;
}
