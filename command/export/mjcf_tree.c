/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_tree.c: the forest of bodies that MJCF demands. Joints that only a forest can hold
 * come first; others close loops where they must. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/export/mjcf_parts.h"

/** How a type of joint may be written. */
typedef enum tree_role {
    TREE_NEVER,  /**< not at all */
    TREE_TENDON, /**< as a tendon */
    TREE_ONLY,   /**< in the forest only */
    TREE_EITHER, /**< in the forest, or as a constraint */
} tree_role;

static tree_role tree_role_of(const perp_joint_type *type)
{
    static const struct {
        const char *name;
        tree_role role;
    } roles[] = {
        {"revolute", TREE_EITHER}, {"spherical", TREE_EITHER}, {"fixed", TREE_EITHER},
        {"prismatic", TREE_ONLY},  {"cylindrical", TREE_ONLY}, {"universal", TREE_ONLY},
        {"wheel", TREE_ONLY},      {"planar", TREE_ONLY},      {"rope", TREE_TENDON},
        {"rod", TREE_TENDON},
    };

    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++) {
        if (strcmp(type->name, roles[k].name) == 0) {
            return roles[k].role;
        }
    }
    return TREE_NEVER;
}

/* Does a free axis have a limit, a motor, a spring or a rotor? */
static bool tree_has_settings(const perp_joint *joint)
{
    for (unsigned k = 0; k < joint->type->axes; k++) {
        const perp_axis *a = &joint->axes[k];

        if (a->has_lower || a->has_upper || a->motor != PERP_MOTOR_NONE ||
            a->stiffness != 0.0 || a->damping != 0.0 || a->armature != 0.0) {
            return true;
        }
    }
    return false;
}

static void tree_check(mjcf *m, const perp_joint *joint)
{
    tree_role role = tree_role_of(joint->type);

    if (!mjcf_is_text(joint->name)) {
        mjcf_refuse(m, "the name of a %s joint has a character that XML does not have",
                    joint->type->name);
    } else if (role == TREE_NEVER) {
        mjcf_refuse(m, "joint \"%s\" is of type %s, which MJCF does not have",
                    joint->name, joint->type->name);
    } else if (joint->cfm != 0.0 || joint->stiffness != 0.0 || joint->damping != 0.0 ||
               joint->angular_cfm != 0.0 || joint->angular_stiffness != 0.0 ||
               joint->angular_damping != 0.0) {
        mjcf_refuse(m, "joint \"%s\" is soft, expected a hard one", joint->name);
    } else if (strcmp(joint->type->name, "spherical") == 0 && tree_has_settings(joint)) {
        mjcf_refuse(m,
                    "joint \"%s\" has limits, motors or springs on a rotation vector, "
                    "which MJCF does not have",
                    joint->name);
    } else if (strcmp(joint->type->name, "planar") == 0 && tree_has_settings(joint)) {
        mjcf_refuse(
            m, "joint \"%s\" is planar with limits, motors or springs, expected none",
            joint->name);
    }
}

/* Without `exact` perp's rates on the axes of a wheel are those of perpendicular axes. */
static void tree_note(mjcf *m, const perp_joint *joint)
{
    if (strcmp(joint->type->name, "wheel") == 0 && !joint->exact &&
        tree_has_settings(joint) && fabs(cos(joint->theta)) > 1e-9) {
        mjcf_note(m,
                  "wheel \"%s\" is not exact and its axes are not perpendicular: MuJoCo "
                  "has the exact torques on them",
                  joint->name);
    }
}

/* The representative of the set of a body; paths are halved. */
static size_t tree_set(size_t *set, size_t k)
{
    while (set[k] != k) {
        set[k] = set[set[k]];
        k = set[k];
    }
    return k;
}

/* Take joints of one kind into the forest where they close no loop. */
static void tree_span(mjcf *m, size_t *set, bool only)
{
    for (size_t k = 0; k < m->w->joint_count && m->status == PERP_OK; k++) {
        const perp_joint *joint = &m->w->joints[k];
        tree_role role = tree_role_of(joint->type);
        bool must = role == TREE_ONLY || tree_has_settings(joint);
        size_t a = tree_set(set, (size_t)joint->i);
        size_t b = tree_set(set, (size_t)joint->j);

        if (m->use[k] == MJCF_ABSENT || role == TREE_TENDON || must != only) {
            continue;
        }
        if (a != b) {
            set[b] = a;
            m->use[k] = MJCF_CARRIES;
        } else if (must) {
            mjcf_refuse(
                m,
                "joint \"%s\" is %s%s and closes a loop; MJCF closes loops with "
                "spherical, revolute and fixed joints without limits, motors and springs",
                joint->name, joint->type->name,
                role == TREE_ONLY ? "" : " with limits, motors or springs");
        }
    }
}

/* Hang the bodies that joints of the forest connect below those that are placed. */
static void tree_grow(mjcf *m, size_t *queue, size_t count, const int32_t *first,
                      const int32_t *next, bool *placed)
{
    for (size_t at = 0; at < count; at++) {
        size_t parent = queue[at];
        int32_t last = -1;

        for (int32_t e = first[parent]; e >= 0; e = next[e]) {
            const perp_joint *joint = &m->w->joints[e / 2];
            size_t child = (size_t)(e % 2 ? joint->i : joint->j);

            if (placed[child]) {
                continue;
            }
            placed[child] = true;
            m->link[child].joint = e / 2;
            m->link[child].parent = (int32_t)parent;
            m->link[child].turned = e % 2 == 1;
            if (last < 0) {
                m->link[parent].child = (int32_t)child;
            } else {
                m->link[last].next = (int32_t)child;
            }
            last = (int32_t)child;
            queue[count++] = child;
        }
    }
}

/* Roots: bodies that do not move, then the lowest free one of each tree; in their order. */
static void tree_place(mjcf *m, size_t *queue, int32_t *first, int32_t *next,
                       bool *placed)
{
    const perp_world *w = m->w;
    size_t count = 0;

    memset(first, 0xff, w->body_count * sizeof *first);
    for (size_t k = w->joint_count; k-- > 0;) {
        if (m->use[k] == MJCF_CARRIES) {
            next[2 * k] = first[w->joints[k].i];
            first[w->joints[k].i] = (int32_t)(2 * k);
            next[2 * k + 1] = first[w->joints[k].j];
            first[w->joints[k].j] = (int32_t)(2 * k + 1);
        }
    }
    for (size_t k = 0; k < w->body_count; k++) {
        m->link[k] = (mjcf_link){.joint = -1, .parent = -1, .child = -1, .next = -1};
        if (!mjcf_dynamic(m, k)) {
            placed[k] = true;
            queue[count++] = k;
        }
    }
    tree_grow(m, queue, count, first, next, placed);
    for (size_t k = 0; k < w->body_count; k++) {
        if (!placed[k]) {
            placed[k] = true;
            queue[0] = k;
            tree_grow(m, queue, 1, first, next, placed);
        }
        if (m->link[k].parent < 0) {
            m->root[m->root_count++] = (int32_t)k;
        }
    }
}

static void tree_choose(mjcf *m, size_t *set)
{
    const perp_world *w = m->w;
    size_t anchor = SIZE_MAX;

    for (size_t k = 0; k < w->body_count; k++) {
        set[k] = k;
        if (!mjcf_dynamic(m, k)) {
            anchor = anchor == SIZE_MAX ? k : anchor;
            set[k] = anchor;
        }
    }
    for (size_t k = 0; k < w->joint_count && m->status == PERP_OK; k++) {
        const perp_joint *joint = &w->joints[k];
        bool still =
            !mjcf_dynamic(m, (size_t)joint->i) && !mjcf_dynamic(m, (size_t)joint->j);

        m->use[k] = joint->disabled || still ? MJCF_ABSENT : MJCF_CLOSES;
        if (m->use[k] != MJCF_ABSENT) {
            tree_check(m, joint);
            tree_note(m, joint);
        } else if (joint->disabled) {
            mjcf_note(m, "joint \"%s\" is disabled: left out", joint->name);
        }
    }
    tree_span(m, set, true);
    tree_span(m, set, false);
}

void mjcf_tree(mjcf *m)
{
    size_t bodies = m->w->body_count ? m->w->body_count : 1;
    size_t *queue = take(bodies, sizeof *queue);
    int32_t *first = take(bodies, sizeof *first);
    int32_t *next = take(2 * m->w->joint_count + 1, sizeof *next);
    bool *placed = take(bodies, sizeof *placed);

    tree_choose(m, queue);
    if (m->status == PERP_OK) {
        tree_place(m, queue, first, next, placed);
    }
    free(queue);
    free(first);
    free(next);
    free(placed);
}
