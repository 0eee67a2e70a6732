/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/tree.c: parents of links, and links that form one body.
 *
 * Links are ordered from the root outwards, joints of a link as in the file. Links with a
 * fixed joint between them are one body where one of the two has no mass, or always when
 * that was asked for; the body is named after its first link that has a mass. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "read/urdf/urdf.h"

static perp_status tree_find_link(urdf_reader *rd, const urdf_element *e,
                                  const urdf_name *names, size_t *link)
{
    const char *name = NULL;

    TRY(urdf_need_text(rd, e, "link", "the name of a link", &name));
    *link = urdf_names_find(names, rd->link_count, name);
    return *link != urdf_none
               ? PERP_OK
               : urdf_fail(rd, e, PERP_ERR_DATA,
                           "%s is link \"%.80s\", expected a link of the robot", e->name,
                           name);
}

/* The joint hangs on its parent, behind the others there, and carries its child. */
static perp_status tree_hang(urdf_reader *rd, size_t k, const urdf_name *names)
{
    urdf_joint *j = &rd->joints[k];
    urdf_link *parent = NULL;
    urdf_link *child = NULL;
    perp_status status = tree_find_link(rd, j->parent_at, names, &j->parent);

    status = status ? status : tree_find_link(rd, j->child_at, names, &j->child);
    if (status != PERP_OK) {
        return status;
    }
    parent = &rd->links[j->parent];
    child = &rd->links[j->child];
    if (child->up != urdf_none) {
        const urdf_joint *other = &rd->joints[child->up];

        return urdf_fail(rd, j->child_at, PERP_ERR_DATA,
                         "link \"%.60s\" has the parent \"%.60s\" already, by joint "
                         "\"%.60s\" of line %zu, expected one parent",
                         child->name, rd->links[other->parent].name, other->name,
                         other->at->line);
    }
    child->up = k;
    if (parent->first == urdf_none) {
        parent->first = k;
    } else {
        rd->joints[parent->last].beside = k;
    }
    parent->last = k;
    return PERP_OK;
}

static perp_status tree_hang_all(urdf_reader *rd)
{
    urdf_name *names = urdf_alloc(rd, rd->link_count, sizeof *names);
    size_t first = 0;
    size_t twice = 0;
    perp_status status = PERP_OK;

    if (!names) {
        return urdf_no_memory(rd);
    }
    for (size_t k = 0; k < rd->link_count; k++) {
        names[k] = (urdf_name){rd->links[k].name, k};
    }
    urdf_names_sort(names, rd->link_count, &first, &twice);
    if (twice != urdf_none) {
        return urdf_fail(rd, rd->links[twice].at, PERP_ERR_DATA,
                         "line %zu has a link of this name, expected a unique name",
                         rd->links[first].at->line);
    }
    for (size_t k = 0; k < rd->joint_count && status == PERP_OK; k++) {
        status = tree_hang(rd, k, names);
    }
    return status;
}

/* A link whose parents lead back to it, and the way, from any link on such a way. */
static perp_status tree_report_cycle(urdf_reader *rd, size_t from)
{
    char text[256] = "";
    size_t used = 0;
    size_t at = from;

    for (size_t k = 0; k < rd->link_count; k++) { /* now it is on the cycle itself */
        at = rd->joints[rd->links[at].up].parent;
    }
    from = at;
    do {
        used += (size_t)snprintf(text + used, sizeof text - used, "\"%.24s\" on ",
                                 rd->links[at].name);
        at = rd->joints[rd->links[at].up].parent;
    } while (at != from && used < sizeof text - 64);
    snprintf(text + used, sizeof text - used, "%s\"%.24s\"", at == from ? "" : "… on ",
             rd->links[from].name);
    return urdf_fail(rd, rd->joints[rd->links[from].up].at, PERP_ERR_DATA,
                     "a cycle of links: %s, expected a tree", text);
}

static perp_status tree_find_root(urdf_reader *rd)
{
    rd->root = urdf_none;
    for (size_t k = 0; k < rd->link_count; k++) {
        if (rd->links[k].up != urdf_none) {
            continue;
        }
        if (rd->root != urdf_none) {
            return urdf_fail(rd, rd->links[k].at, PERP_ERR_DATA,
                             "this link and link \"%.60s\" of line %zu are both roots, "
                             "expected one root",
                             rd->links[rd->root].name, rd->links[rd->root].at->line);
        }
        rd->root = k;
    }
    return rd->root == urdf_none ? tree_report_cycle(rd, 0) : PERP_OK;
}

/* The link behind k on a walk down and along, or `none`. */
static size_t tree_next_link(const urdf_reader *rd, size_t k)
{
    size_t joint = rd->links[k].first;

    while (joint == urdf_none && k != rd->root) {
        joint = rd->joints[rd->links[k].up].beside;
        k = rd->joints[rd->links[k].up].parent;
    }
    return joint == urdf_none ? urdf_none : rd->joints[joint].child;
}

/* Links as the walk finds them; those it does not find hang on each other in a ring. */
static perp_status tree_find_order(urdf_reader *rd)
{
    size_t count = 0;
    bool *found = urdf_alloc(rd, rd->link_count, sizeof *found);

    rd->order = urdf_alloc(rd, rd->link_count, sizeof *rd->order);
    if (!rd->order || !found) {
        return urdf_no_memory(rd);
    }
    for (size_t k = rd->root; k != urdf_none; k = tree_next_link(rd, k)) {
        rd->order[count++] = k;
        found[k] = true;
    }
    for (size_t k = 0; k < rd->link_count; k++) {
        if (!found[k]) {
            return tree_report_cycle(rd, k);
        }
    }
    return PERP_OK;
}

/* Whether the base is a static body. */
static perp_status tree_find_base(urdf_reader *rd, bool has_mass, bool *fixed)
{
    const urdf_link *root = &rd->links[rd->root];

    *fixed = rd->opt->base == PERP_URDF_BASE_FIXED ||
             (rd->opt->base == PERP_URDF_BASE_USUAL &&
              (!has_mass || strcmp(root->name, "world") == 0));
    return *fixed || has_mass ? PERP_OK
                              : urdf_fail(rd, root->at, PERP_ERR_DATA,
                                          "the base floats but has no mass, expected an "
                                          "inertial, or a fixed base");
}

/* The first link of each group with mass is its head: groups[head of group] so far. */
static perp_status tree_check_groups(urdf_reader *rd, const size_t *named)
{
    bool fixed = false;
    perp_status status =
        tree_find_base(rd, rd->links[named[rd->root]].mass > 0.0, &fixed);

    for (size_t n = 0; n < rd->link_count && status == PERP_OK; n++) {
        urdf_link *link = &rd->links[rd->order[n]];
        size_t top = link->group;

        link->rigid = fixed && top == rd->root;
        link->group = link->rigid ? rd->root : named[top];
        if (!link->rigid && rd->links[link->group].mass == 0.0) {
            status = urdf_fail(rd, link->at, PERP_ERR_DATA,
                               "moves by joint \"%.60s\" of line %zu but has no mass, "
                               "expected an inertial",
                               rd->joints[link->up].name, rd->joints[link->up].at->line);
        }
    }
    return status;
}

/* At first a group is called after its topmost link. */
static perp_status tree_find_groups(urdf_reader *rd)
{
    size_t *named = urdf_alloc(rd, rd->link_count, sizeof *named);

    if (!named) {
        return urdf_no_memory(rd);
    }
    for (size_t n = 0; n < rd->link_count; n++) {
        size_t k = rd->order[n];
        urdf_link *link = &rd->links[k];
        urdf_joint *j = link->up == urdf_none ? NULL : &rd->joints[link->up];

        link->group = k;
        named[k] = k;
        if (j && j->moves == URDF_FIXED &&
            (rd->opt->merge_fixed || link->mass == 0.0 ||
             rd->links[j->parent].mass == 0.0)) {
            j->merged = true;
            link->group = rd->links[j->parent].group;
            if (rd->links[named[link->group]].mass == 0.0 && link->mass > 0.0) {
                named[link->group] = k;
            }
        }
    }
    return tree_check_groups(rd, named);
}

/* Frames with all joints at zero. */
static perp_status tree_place_links(urdf_reader *rd)
{
    const perp_urdf_options *o = rd->opt;

    for (size_t n = 0; n < rd->link_count; n++) {
        urdf_link *link = &rd->links[rd->order[n]];

        if (link->up == urdf_none) {
            vec3_copy(link->pose.r, o->at);
            memcpy(link->pose.q, o->turn, sizeof link->pose.q);
            if (math_quat_settle(link->pose.q) == 0.0) {
                link->pose.q[0] = 1.0;
            }
        } else {
            const urdf_joint *j = &rd->joints[link->up];

            urdf_pose_multiply(&rd->links[j->parent].pose, &j->origin, &link->pose);
        }
        if (!math_finite(link->pose.r, 3)) {
            return urdf_fail(rd, link->at, PERP_ERR_DATA,
                             "the position overflows, expected finite coordinates");
        }
    }
    return PERP_OK;
}

perp_status urdf_order_links(urdf_reader *rd)
{
    perp_status status = tree_hang_all(rd);

    status = status ? status : tree_find_root(rd);
    status = status ? status : tree_find_order(rd);
    status = status ? status : tree_find_groups(rd);
    return status ? status : tree_place_links(rd);
}
