/* SPDX-License-Identifier: Apache-2.0
 * world/state.c: creation, copies and destruction of states. */
#include <config.h>

#include <stdlib.h>

#include "base/base.h"
#include "world/trees.h"

bool world_state_room(perp_state *x, size_t bodies, size_t joints)
{
    const math_column columns[] = {
        COLUMN(x->s, 7),
        COLUMN(x->u, 6),
        COLUMN(x->load, 6),
        COLUMN(x->inverse_inertia, 9),
    };

    return math_grow(columns, sizeof columns / sizeof *columns, &x->body_room, bodies) &&
           GROW_WIDE(x->axes, PERP_JOINT_AXES, x->joint_room, joints);
}

void perp_state_free(perp_state *x)
{
    if (x) {
        world_trees_free(x);
        free(x->s);
        free(x->u);
        free(x->load);
        free(x->inverse_inertia);
        free(x->axes);
        free(x);
    }
}

/* Copy the bodies and joints of `from`, which has at least as many, from these numbers
 * on. */
static void copy_behind(perp_state *to, const perp_state *from, size_t body, size_t joint)
{
    const size_t n = from->body_count - body;

    if (n > 0) {
        memcpy(to->s + 7 * body, from->s + 7 * body, 7 * n * sizeof *to->s);
        memcpy(to->u + 6 * body, from->u + 6 * body, 6 * n * sizeof *to->u);
        memcpy(to->load + 6 * body, from->load + 6 * body, 6 * n * sizeof *to->load);
        memcpy(to->inverse_inertia + 9 * body, from->inverse_inertia + 9 * body,
               9 * n * sizeof *to->inverse_inertia);
    }
    if (from->joint_count > joint) {
        memcpy(perp_joint_axes_of(to, joint), perp_joint_axes_of(from, joint),
               PERP_JOINT_AXES * (from->joint_count - joint) * sizeof *to->axes);
    }
    to->body_count = from->body_count;
    to->joint_count = from->joint_count;
}

perp_status perp_state_copy(perp_state *to, const perp_state *from, perp_error *err)
{
    const size_t n = from->body_count;

    if (!world_state_room(to, n, from->joint_count)) {
        return perp_fail(err, PERP_ERR_MEMORY, "state: no memory for %zu bodies", n);
    }
    TRY(world_trees_copy(to, from, err));
    to->t = from->t;
    to->removals = from->removals;
    copy_behind(to, from, 0, 0);
    return PERP_OK;
}

perp_status perp_state_extend(perp_state *x, const perp_world *world, perp_error *err)
{
    const perp_state *start = world->start;

    if (x->removals != start->removals || x->body_count > start->body_count ||
        x->joint_count > start->joint_count) {
        return PERP_OK; /* a state that does not fit the world, which steps refuse */
    }
    if (!world_state_room(x, start->body_count, start->joint_count)) {
        return perp_fail(err, PERP_ERR_MEMORY, "state: no memory for %zu bodies",
                         start->body_count);
    }
    copy_behind(x, start, x->body_count, x->joint_count);
    return PERP_OK;
}

/* Keep the entries of `size` doubles whose number is not negative; returns their count.
 * */
static size_t state_keep_entries(double *array, size_t size, size_t count,
                                 const int32_t *number)
{
    size_t left = 0;

    for (size_t k = 0; k < count; k++) {
        if (number[k] >= 0) {
            memmove(array + size * left++, array + size * k, size * sizeof *array);
        }
    }
    return left;
}

void world_state_keep(perp_state *x, const int32_t *body, const int32_t *joint)
{
    const size_t n = x->body_count;

    state_keep_entries(x->s, 7, n, body);
    state_keep_entries(x->u, 6, n, body);
    state_keep_entries(x->load, 6, n, body);
    x->body_count = state_keep_entries(x->inverse_inertia, 9, n, body);
    x->joint_count = state_keep_entries(x->axes, PERP_JOINT_AXES, x->joint_count, joint);
    x->removals++;
}

/* Whether the trees of the state are those of the world, which is reduced. */
static bool state_fits_trees(const perp_state *x, const perp_world *w)
{
    const perp_articulation *tree = w->reduced->tree;

    return x->reduction == w->reductions && x->trees->n == tree->n &&
           x->trees->count == tree->count;
}

perp_status world_state_check(const perp_state *x, const perp_world *w, perp_error *err)
{
    if (x->removals != w->removals) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "state: it has followed %llu of %llu removals, expected all",
                         (unsigned long long)x->removals,
                         (unsigned long long)w->removals);
    }
    if (x->body_count != w->body_count || x->joint_count != w->joint_count) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "state: %zu bod%s and %zu joint%s, expected %zu and %zu as in the world",
            x->body_count, perp_plural_y(x->body_count), x->joint_count,
            perp_plural(x->joint_count), w->body_count, w->joint_count);
    }
    if (!w->reduced != !x->trees) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "state: in %s coordinates, expected %s coordinates as in the world",
            x->trees ? "reduced" : "maximal", w->reduced ? "reduced" : "maximal");
    }
    if (w->reduced && !state_fits_trees(x, w)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "state: made for another reduction of the world, expected a "
                         "state made after the last reduction");
    }
    return PERP_OK;
}

void world_state_take(perp_state *x, perp_state *copy)
{
    const size_t n = x->body_count;

    x->t = copy->t;
    if (n > 0) {
        memcpy(x->s, copy->s, 7 * n * sizeof *x->s);
        memcpy(x->u, copy->u, 6 * n * sizeof *x->u);
        memcpy(x->inverse_inertia, copy->inverse_inertia,
               9 * n * sizeof *x->inverse_inertia);
    }
    if (x->joint_count > 0) {
        memcpy(x->axes, copy->axes, PERP_JOINT_AXES * x->joint_count * sizeof *x->axes);
    }
    if (x->trees) {
        perp_articulation moved = *x->trees;

        *x->trees = *copy->trees;
        *copy->trees = moved;
    }
}

perp_status perp_state_new(perp_state **state, const perp_world *world, perp_error *err)
{
    perp_state *x = calloc(1, sizeof *x);
    perp_status status = PERP_OK;

    *state = NULL;
    if (!x) {
        return perp_fail(err, PERP_ERR_MEMORY, "state: no memory");
    }
    status = perp_state_copy(x, world->start, err);
    if (status != PERP_OK) {
        perp_state_free(x);
        return status;
    }
    *state = x;
    return PERP_OK;
}

void world_keep_gears(perp_world *world, const int32_t *place, size_t count)
{
    for (size_t k = 0; k < PERP_JOINT_AXES * world->joint_count; k++) {
        perp_gear *gear =
            &world->joints[k / PERP_JOINT_AXES].axes[k % PERP_JOINT_AXES].gear;
        const int32_t to = gear->ratio == 0.0             ? 0
                           : (size_t)gear->joint >= count ? -1
                           : place                        ? place[gear->joint]
                                                          : gear->joint;

        if (to < 0) {
            *gear = (perp_gear){.ratio = 0.0};
        } else if (gear->ratio != 0.0) {
            gear->joint = to;
        }
    }
}
