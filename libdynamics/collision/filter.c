/* SPDX-License-Identifier: Apache-2.0
 * collision/filter.c: which pairs of shapes may have contacts, whatever their poses.
 *
 * Excluded are shapes of one body or of a disabled one, shapes whose groups and masks
 * exclude each other, bodies of a joint that does not let them collide, and pairs that
 * the caller refuses. The broad phase leaves out pairs of bodies that impulses do not
 * move. */
#include <config.h>

#include <stdlib.h>

#include "collision/collider.h"

static uint64_t filter_joined(int32_t i, int32_t j)
{
    uint32_t low = (uint32_t)(i < j ? i : j);
    uint32_t high = (uint32_t)(i < j ? j : i);

    return (uint64_t)low << 32 | high;
}

void collide_joints_clear(collide_joints *j)
{
    free(j->seen);
    free(j->forbidden);
    memset(j, 0, sizeof *j);
}

static bool filter_same_joints(const collide_joints *list, const perp_world *w)
{
    if (list->count != w->joint_count) {
        return false;
    }
    for (size_t k = 0; k < list->count; k++) {
        const struct collide_joint *old = &list->seen[k];
        const perp_joint *now = &w->joints[k];

        if (old->i != now->i || old->j != now->j || old->collide != now->collide ||
            old->disabled != now->disabled) {
            return false;
        }
    }
    return true;
}

static int filter_compare(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return (*x > *y) - (*x < *y);
}

static bool filter_reserve(collide_joints *list, size_t count)
{
    return GROW(list->seen, list->room, count) &&
           GROW(list->forbidden, list->forbidden_room, count);
}

bool collide_joints_read(collide_joints *list, const perp_world *w)
{
    if (filter_same_joints(list, w)) {
        return true;
    }
    list->count = list->forbidden_count = 0;
    if (!filter_reserve(list, w->joint_count)) {
        return false;
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *joint = &w->joints[k];

        list->seen[k] =
            (struct collide_joint){joint->i, joint->j, joint->collide, joint->disabled};
        if (!joint->collide && !joint->disabled) {
            list->forbidden[list->forbidden_count++] = filter_joined(joint->i, joint->j);
        }
    }
    qsort(list->forbidden, list->forbidden_count, sizeof *list->forbidden,
          filter_compare);
    list->count = w->joint_count;
    return true;
}

static bool joint_forbids(const collide_joints *list, int32_t i, int32_t j)
{
    const uint64_t key = filter_joined(i, j);

    return list->forbidden_count > 0 &&
           bsearch(&key, list->forbidden, list->forbidden_count, sizeof key,
                   filter_compare);
}

/* 0 and 0 stand for group 1 and a mask of all bits. */
static bool filter_groups_meet(const perp_shape *a, const perp_shape *b)
{
    bool plain_a = a->group == 0 && a->mask == 0;
    bool plain_b = b->group == 0 && b->mask == 0;
    uint32_t group_a = plain_a ? 1 : a->group;
    uint32_t group_b = plain_b ? 1 : b->group;

    return (group_a & (plain_b ? UINT32_MAX : b->mask)) != 0 &&
           (group_b & (plain_a ? UINT32_MAX : a->mask)) != 0;
}

bool collide_may_meet(const collide_joints *joints, const perp_world *w, size_t a,
                      size_t b)
{
    const perp_shape *one = &w->shapes[a];
    const perp_shape *two = &w->shapes[b];

    return one->body != two->body && filter_groups_meet(one, two) &&
           !w->disabled[one->body] && !w->disabled[two->body] &&
           !joint_forbids(joints, one->body, two->body);
}

/* The types of the shapes, each once. */
static size_t filter_types(const perp_world *w,
                           const perp_shape_type *types[COLLIDE_KINDS])
{
    size_t count = 0;

    for (size_t k = 0; k < w->shape_count && count < COLLIDE_KINDS; k++) {
        size_t t = 0;

        while (t < count && types[t] != w->shapes[k].type) {
            t++;
        }
        types[t] = w->shapes[k].type;
        count += t == count;
    }
    return count;
}

/* The first shapes of types a and b that may meet. */
static bool filter_find(const collide_joints *joints, const perp_world *w,
                        const perp_shape_type *a, const perp_shape_type *b,
                        size_t found[2])
{
    for (size_t i = 0; i < w->shape_count; i++) {
        for (size_t j = 0; j < w->shape_count && w->shapes[i].type == a; j++) {
            if (w->shapes[j].type == b && collide_may_meet(joints, w, i, j) &&
                (world_moves(w, w->shapes[i].body) ||
                 world_moves(w, w->shapes[j].body))) {
                found[0] = i < j ? i : j;
                found[1] = i < j ? j : i;
                return true;
            }
        }
    }
    return false;
}

perp_status collide_check_pairs(const perp_world *w, perp_error *err)
{
    const perp_shape_type *types[COLLIDE_KINDS];
    size_t count = filter_types(w, types);
    collide_joints joints = {0};
    size_t at[2];
    perp_status status = PERP_OK;

    if (!collide_joints_read(&joints, w)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "collide: no memory for %zu joints",
                           w->joint_count);
    }
    for (size_t k = 0; k < count * count && status == PERP_OK; k++) {
        const perp_shape_type *a = types[k / count];
        const perp_shape_type *b = types[k % count];

        if (a->has_parts || b->has_parts ||
            perp_narrow_choose(NULL, a, b, w->dimension) ||
            !filter_find(&joints, w, a, b, at)) {
            continue;
        }
        status = perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "shape %zu, a %s on \"%.64s\", and shape %zu, a %s on \"%.64s\": no "
            "algorithm finds contacts of this pair, expected a box or hull for one of "
            "them, "
            "or groups that do not meet",
            at[0], w->shapes[at[0]].type->name, w->name[w->shapes[at[0]].body], at[1],
            w->shapes[at[1]].type->name, w->name[w->shapes[at[1]].body]);
    }
    collide_joints_clear(&joints);
    return status;
}
