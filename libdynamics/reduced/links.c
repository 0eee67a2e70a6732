/* SPDX-License-Identifier: Apache-2.0
 * reduced/links.c: the articulation of a forest.
 *
 * A link has the mass and inertia of its body and the mobilizer of its joint. A free root
 * has the mobilizer `free` between the world and its body: q are the rotation of the body
 * and the position of its centre of mass. In the plane it has `planar` about z. */
#include <config.h>

#include <stdlib.h>

#include "articulation/mobilizers.h"
#include "reduced/reduced.h"

static void links_free(const perp_world *world, perp_link *link)
{
    static const double z_and_x[6] = {0, 0, 1, 1, 0, 0};

    link->mobilizer = world->dimension == 2 ? &mobilizer_planar : &mobilizer_free;
    memcpy(link->axes, z_and_x, sizeof z_and_x);
    perp_frame_identity(&link->Ep);
    perp_frame_identity(&link->Ec);
}

/* Set the armatures of the joint that carries the link. */
static perp_status links_rotors(const perp_joint *joint, const perp_joint_axes *axes,
                                perp_link *link, bool *rotors, perp_error *err)
{
    for (unsigned k = 0; k < PERP_JOINT_AXES; k++) {
        const double armature = joint->axes[k].armature;

        if (armature > 0.0 && axes->coordinate[k] < 0) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "joint \"%s\": armature of axis %u, but mobilizer %s has no "
                             "such coordinate",
                             joint->name, k, link->mobilizer->name);
        }
        if (armature > 0.0) {
            link->armature[axes->coordinate[k]] = armature;
            *rotors = true;
        }
    }
    return PERP_OK;
}

/* Link k, as the forest numbers them. */
static perp_status links_make(perp_reduced *r, const perp_world *world, size_t k,
                              perp_link *link, perp_error *err)
{
    reduced_own *own = reduced_mine(r);
    const size_t body = (size_t)r->body[k];
    const int32_t joint = own->joint[k];
    const int32_t parent = own->parent[k];
    perp_joint_axes *axes = NULL;

    link->name = world->name[body];
    link->parent = parent >= 0 ? r->link[parent] : -1;
    link->mass = world->mass[body];
    memcpy(link->inertia, world->inertia + 9 * body, sizeof link->inertia);
    if (joint < 0) {
        links_free(world, link);
        return PERP_OK;
    }
    axes = &own->axes[joint];
    link->joint = world->joints[joint].name;
    if (!world->joints[joint].type->reduce(&world->joints[joint], world, own->turned[k],
                                           r->how.euler, link, axes)) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "joint \"%s\": its type has no mobilizer with the bodies exchanged",
            world->joints[joint].name);
    }
    return links_rotors(&world->joints[joint], axes, link, &own->rotors, err);
}

/* Fill the arrays that follow from the links of bodies and joints. */
static void links_number(perp_reduced *r, const perp_world *world, size_t count)
{
    reduced_own *own = reduced_mine(r);

    for (size_t k = 0; k < count; k++) {
        own->joint[k] = own->parent[k] = r->hangs_on[k] = -1;
    }
    for (size_t b = 0; b < r->bodies; b++) {
        if (r->link[b] >= 0) {
            r->body[r->link[b]] = (int32_t)b;
        }
    }
    for (size_t j = 0; j < r->joints; j++) {
        const perp_joint *joint = &world->joints[j];
        const int32_t k = r->joint_link[j];

        if (k >= 0) {
            own->joint[k] = (int32_t)j;
            own->turned[k] = joint->i == r->body[k];
            own->parent[k] = own->turned[k] ? joint->j : joint->i;
            r->hangs_on[k] = r->link[own->parent[k]] < 0 ? own->parent[k] : -1;
        }
    }
}

static void links_replace(int32_t *link, size_t count, const size_t *place)
{
    for (size_t k = 0; k < count; k++) {
        if (link[k] >= 0) {
            link[k] = (int32_t)place[link[k]];
        }
    }
}

perp_status reduced_tree(perp_reduced *r, const perp_world *world, size_t count,
                         perp_error *err)
{
    perp_link *links = math_alloc(count, sizeof *links);
    perp_status status = PERP_OK;

    if (!links) {
        return perp_fail(err, PERP_ERR_MEMORY, "reduce: no memory for %zu links", count);
    }
    links_number(r, world, count);
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        status = links_make(r, world, k, &links[k], err);
    }
    if (status == PERP_OK) {
        status = perp_articulation_new(&r->tree, links, count, err);
    }
    free(links);
    if (status == PERP_OK) {
        r->tree->switch_chart = !r->how.no_chart_switch;
        links_replace(r->link, r->bodies, r->tree->place);
        links_replace(r->joint_link, r->joints, r->tree->place);
        links_number(r, world, count);
    }
    return status;
}
