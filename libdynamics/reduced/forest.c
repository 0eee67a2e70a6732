/* SPDX-License-Identifier: Apache-2.0
 * reduced/forest.c: choice of the joints that become links of trees or close loops.
 *
 * Breadth-first search: a queue of bodies, initially those that no impulse moves. Each
 * appends its neighbours at joints that may be eliminated, in the order of the world; if
 * the queue is empty, the body with the lowest number that has such a joint and is in no
 * tree becomes a root. Trees have minimal depth, which determines the cost of their
 * algorithms. O(bodies + joints). */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/joint.h>

#include "joints/softness.h"
#include "reduced/reduced.h"

typedef struct forest {
    const perp_world *world;
    perp_reduced *r;
    size_t *first;  /* bodies + 1: its joints in `joints` */
    int32_t *joint; /* joints that may be eliminated, by bodies */
    int32_t *queue; /* bodies */
    size_t head, tail;
    size_t count; /* links */
} forest;

/* Whether the joint may be eliminated: it is enabled, hard, and has a mobilizer. */
static bool forest_takes(const forest *f, const perp_joint *joint)
{
    perp_link link = {0};
    perp_joint_axes axes;

    return joint_is_enabled(joint, f->world) && joint_is_hard(joint) &&
           joint->type->reduce &&
           joint->type->reduce(joint, f->world, false, f->r->how.euler, &link, &axes);
}

/* Lists of joints by bodies, by a counting sort: count, prefix sums, fill from the end,
 * which leaves first[b] at the start of the list of b. */
static void forest_list(forest *f)
{
    const perp_world *w = f->world;

    for (size_t k = 0; k < w->joint_count; k++) {
        if (forest_takes(f, &w->joints[k])) {
            f->r->joint_link[k] = 0; /* a mark until the lists are made */
            f->first[w->joints[k].i]++;
            f->first[w->joints[k].j]++;
        }
    }
    for (size_t k = 0; k < w->body_count; k++) {
        f->first[k + 1] += f->first[k];
    }
    for (size_t k = w->joint_count; k-- > 0;) {
        if (f->r->joint_link[k] == 0) {
            f->joint[--f->first[w->joints[k].i]] = (int32_t)k;
            f->joint[--f->first[w->joints[k].j]] = (int32_t)k;
            f->r->joint_link[k] = -1;
        }
    }
}

static void forest_add(forest *f, int32_t body, int32_t joint)
{
    f->r->link[body] = (int32_t)f->count;
    if (joint >= 0) {
        f->r->joint_link[joint] = (int32_t)f->count;
    }
    f->queue[f->tail++] = body;
    f->count++;
}

/* Add all bodies that joints connect to the bodies of the queue. */
static void forest_spread(forest *f)
{
    const perp_world *w = f->world;

    while (f->head < f->tail) {
        const int32_t body = f->queue[f->head++];

        for (size_t n = f->first[body]; n < f->first[body + 1]; n++) {
            const perp_joint *joint = &w->joints[f->joint[n]];
            const int32_t other = joint->i == body ? joint->j : joint->i;

            if (world_moves(w, other) && f->r->link[other] < 0) {
                forest_add(f, other, f->joint[n]);
            }
        }
    }
}

static void forest_grow(forest *f)
{
    const perp_world *w = f->world;

    forest_list(f);
    for (size_t k = 0; k < w->body_count; k++) {
        if (!world_moves(w, (int32_t)k)) {
            f->queue[f->tail++] = (int32_t)k;
        }
    }
    forest_spread(f);
    for (size_t k = 0; k < w->body_count; k++) {
        bool joined = f->first[k + 1] > f->first[k];

        if (world_moves(w, (int32_t)k) && f->r->link[k] < 0 &&
            (joined || f->r->how.free_bodies)) {
            forest_add(f, (int32_t)k, -1);
            forest_spread(f);
        }
    }
}

perp_status reduced_forest(perp_reduced *r, const perp_world *world, size_t *count,
                           perp_error *err)
{
    forest f = {.world = world, .r = r};
    perp_status status = PERP_OK;

    f.first = math_alloc(world->body_count + 1, sizeof *f.first);
    f.joint = math_alloc(2 * world->joint_count + 1, sizeof *f.joint);
    f.queue = math_alloc(world->body_count + 1, sizeof *f.queue);
    if (f.first && f.joint && f.queue) {
        forest_grow(&f);
        *count = f.count;
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "reduce: no memory for %zu joints",
                           world->joint_count);
    }
    free(f.first);
    free(f.joint);
    free(f.queue);
    return status;
}
