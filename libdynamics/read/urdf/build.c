/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/build.c: bodies, shapes and joints of the links.
 *
 *     m = sum m_k,   c = sum m_k c_k / m,
 *     I = sum R_k I_k R_k^T + m_k (|d_k|^2 E - d_k d_k^T)
 *
 * over the links of a body, d_k = c_k - c. The body has the axes of the link that it is
 * named after. Joints are attached at zero, then all bodies are moved to the start
 * values. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "read/urdf/urdf.h"

/* What the links of a body weigh together; places and axes of the world. */
typedef struct weight {
    double m, center[3], inertia[9];
} weight;

/* Names with the prefix of the options. */
static perp_status build_full_name(urdf_reader *rd, const urdf_element *at,
                                   const char *name, size_t room, const char **out)
{
    const char *prefix = rd->opt->prefix ? rd->opt->prefix : "";
    size_t length = strlen(prefix) + strlen(name) + 1;
    char *text = urdf_alloc(rd, length, 1);

    *out = text;
    if (!text) {
        return urdf_no_memory(rd);
    }
    if (length > room) {
        return urdf_fail(rd, at, PERP_ERR_DATA,
                         "the name has %zu bytes, expected at most %zu", length - 1,
                         room - 1);
    }
    snprintf(text, length, "%s%s", prefix, name);
    return PERP_OK;
}

/* Centre of a link in the world. */
static void link_center(const urdf_link *link, double c[3])
{
    perp_quat_rotate(link->pose.q, link->center, c);
    vec3_add(link->pose.r, 1.0, c, c);
}

/* Differences from the first centre, so that one link alone keeps its numbers. */
static void build_weigh(const urdf_reader *rd, weight *weights)
{
    for (size_t n = 0; n < rd->link_count; n++) {
        const urdf_link *link = &rd->links[rd->order[n]];
        weight *w = &weights[link->group];
        double c[3];

        if (link->mass > 0.0) {
            link_center(link, c);
            w->m += link->mass;
            vec3_subtract(c, w->m == link->mass ? c : w->center, c);
            if (w->m == link->mass) {
                link_center(link, w->center);
            }
            vec3_add(w->center, link->mass / w->m, c, w->center);
        }
    }
    for (size_t n = 0; n < rd->link_count; n++) {
        const urdf_link *link = &rd->links[rd->order[n]];
        weight *w = &weights[link->group];
        const urdf_link *head = &rd->links[link->group];
        urdf_pose between;
        double R[9], I[9], c[3], d[3];

        if (link->mass == 0.0) {
            continue;
        }
        memcpy(I, link->inertia, sizeof I);
        if (link != head) {
            urdf_pose_between(&head->pose, &link->pose, &between);
            perp_rotation_matrix(between.q, R);
            perp_inertia_rotate(link->inertia, R, I);
        }
        link_center(link, c);
        vec3_subtract(c, w->center, c);
        perp_quat_rotate_back(head->pose.q, c, d);
        perp_inertia_shift(link->mass, I, d, I);
        for (size_t k = 0; k < 9; k++) {
            w->inertia[k] += I[k];
        }
    }
}

/* A base called "world" is the static body of that name where there is one. */
static int32_t build_world_body(const urdf_reader *rd, const urdf_link *head)
{
    int32_t k = head->rigid && strcmp(head->name, "world") == 0
                    ? perp_world_find_body(rd->world, head->name)
                    : -1;

    return k >= 0 && rd->world->motion[k] == PERP_MOTION_STATIC ? k : -1;
}

static perp_status build_add_body(urdf_reader *rd, urdf_link *head, const weight *w)
{
    perp_body body = {.mass = w->m, .motion = PERP_MOTION_STATIC};
    perp_error cause = {0};
    perp_status status = build_full_name(rd, head->at, head->name, SIZE_MAX, &body.name);

    head->body = build_world_body(rd, head);
    if (status != PERP_OK || head->body >= 0) {
        return status;
    }
    memcpy(body.inertia, w->inertia, sizeof body.inertia);
    memcpy(body.q, head->pose.q, sizeof body.q);
    vec3_copy(body.r, head->rigid ? head->pose.r : w->center);
    body.motion = head->rigid ? PERP_MOTION_STATIC : PERP_MOTION_DYNAMIC;
    status = perp_world_add_body(rd->world, &body, &head->body, &cause);
    return urdf_fail_in(rd, head->at, status, &cause);
}

static perp_status build_add_bodies(urdf_reader *rd)
{
    weight *weights = urdf_alloc(rd, rd->link_count, sizeof *weights);
    perp_status status = weights ? PERP_OK : urdf_no_memory(rd);

    for (size_t k = 0; k < rd->link_count; k++) {
        rd->links[k].body = -1;
    }
    if (status == PERP_OK) {
        build_weigh(rd, weights);
    }
    for (size_t n = 0; n < rd->link_count && status == PERP_OK; n++) {
        urdf_link *link = &rd->links[rd->order[n]];
        urdf_link *head = &rd->links[link->group];
        urdf_pose body;

        if (head->body < 0) {
            status = build_add_body(rd, head, &weights[link->group]);
        }
        if (status == PERP_OK) {
            const double *s = perp_body_pose(rd->world->start, (size_t)head->body);

            link->body = head->body;
            vec3_copy(body.r, s);
            memcpy(body.q, s + 3, sizeof body.q);
            urdf_pose_between(&body, &link->pose, &link->on_body);
        }
    }
    return status;
}

static perp_status build_add_shape(urdf_reader *rd, const urdf_solid *s)
{
    const urdf_link *link = &rd->links[s->link];
    uint32_t group = rd->opt->group ? rd->opt->group : UINT32_C(1) << 31;
    perp_shape shape = {.type = s->type,
                        .body = link->body,
                        .material = rd->opt->material,
                        .colour = s->colour};
    urdf_pose on_body;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    urdf_pose_multiply(&link->on_body, &s->pose, &on_body);
    vec3_copy(shape.at, on_body.r);
    memcpy(shape.turn, on_body.q, sizeof shape.turn);
    memcpy(shape.size, s->size, sizeof shape.size);
    if (rd->opt->no_self_collision) {
        shape.group = group;
        shape.mask = ~group;
    }
    if (s->file) {
        status = urdf_mesh_find(rd, s, &shape);
    }
    if (status == PERP_OK) {
        status = perp_world_add_shape(rd->world, &shape, NULL, &cause);
        status = urdf_fail_in(rd, s->at, status, &cause);
    }
    return status;
}

/* What is on the one free axis of a revolute or prismatic joint. */
static void build_fill_axis(const urdf_joint *j, perp_axis *axis)
{
    axis->has_lower = axis->has_upper = j->limited;
    axis->lower = j->limited ? j->lower : 0.0;
    axis->upper = j->limited ? j->upper : 0.0;
    axis->damping = j->damping;
    axis->max_force = isfinite(j->effort) ? j->effort : 0.0;
    axis->max_rate = isfinite(j->velocity) ? j->velocity : 0.0;
    if (j->friction > 0.0) {
        axis->motor = PERP_MOTOR_FRICTION;
        axis->max_force = j->friction;
    }
}

static perp_status build_add_joint(urdf_reader *rd, urdf_joint *j)
{
    static const char *const types[] = {[URDF_FIXED] = "fixed",
                                        [URDF_TURNS] = "revolute",
                                        [URDF_SLIDES] = "prismatic",
                                        [URDF_PLANAR] = "planar"};
    const urdf_link *child = &rd->links[j->child];
    perp_joint joint = {.i = rd->links[j->parent].body, .j = child->body};
    const char *name = NULL;
    double along[3];
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(build_full_name(rd, j->at, j->name, sizeof joint.name, &name));
    snprintf(joint.name, sizeof joint.name, "%s", name);
    joint.type = perp_joint_type_find(types[j->moves]);
    if (!joint.type) {
        return urdf_fail(rd, j->at, PERP_ERR_UNSUITABLE,
                         "%s joints are not supported, expected another type",
                         types[j->moves]);
    }
    if (j->moves == URDF_TURNS || j->moves == URDF_SLIDES) {
        build_fill_axis(j, &joint.axes[0]);
    }
    perp_quat_rotate(child->pose.q, j->axis, along);
    status = perp_joint_attach(&joint, rd->world, rd->world->start, child->pose.r, along,
                               NULL, &cause);
    status = status ? status : perp_world_add_joint(rd->world, &joint, &j->joint, &cause);
    return urdf_fail_in(rd, j->at, status, &cause);
}

/* Move the bodies to where the joints start. */
static perp_status build_start(urdf_reader *rd)
{
    for (size_t n = 0; n < rd->link_count; n++) {
        urdf_link *link = &rd->links[rd->order[n]];
        double *s = perp_body_pose(rd->world->start, (size_t)link->body);

        if (link->up != urdf_none) {
            const urdf_joint *j = &rd->joints[link->up];
            urdf_pose moved;

            urdf_pose_moved(j, j->value, &moved);
            urdf_pose_multiply(&rd->links[j->parent].pose, &moved, &link->pose);
        }
        if (link->group == rd->order[n] && !link->rigid) {
            double arm[3];

            vec3_scale(-1.0, link->on_body.r, arm); /* both have the same axes */
            perp_quat_rotate(link->pose.q, arm, s);
            vec3_add(link->pose.r, 1.0, s, s);
            memcpy(s + 3, link->pose.q, sizeof link->pose.q);
            world_refresh_body(rd->world, rd->world->start, (size_t)link->body);
            if (!math_finite(s, 7)) {
                return urdf_fail(
                    rd, link->at, PERP_ERR_DATA,
                    "the start position overflows, expected finite coordinates");
            }
        }
    }
    for (size_t k = 0; k < rd->joint_count; k++) {
        const urdf_joint *j = &rd->joints[k];

        if (j->joint >= 0) {
            perp_joint *joint = &rd->world->joints[j->joint];
            double *axes = perp_joint_axes_of(rd->world->start, (size_t)j->joint);

            axes[0] = j->value; /* which turn it is in */
            perp_joint_track(joint, rd->world, rd->world->start, axes);
            joint->axes[0].value = axes[0];
        }
    }
    return PERP_OK;
}

static perp_status build_add_gear(urdf_reader *rd, const urdf_joint *j)
{
    perp_gear gear = {.ratio = j->multiplier, .offset = j->offset};
    perp_error cause = {0};

    if (!j->mimic) {
        return PERP_OK;
    }
    gear.joint = rd->joints[j->follows].joint;
    return urdf_fail_in(
        rd, j->mimic, perp_world_set_gear(rd->world, j->joint, 0, &gear, &cause), &cause);
}

perp_status urdf_build(urdf_reader *rd)
{
    perp_status status = build_add_bodies(rd);
    bool moved = false;

    for (size_t k = 0; k < rd->solid_count && status == PERP_OK; k++) {
        status = build_add_shape(rd, &rd->solids[k]);
    }
    for (size_t n = 1; n < rd->link_count && status == PERP_OK; n++) {
        urdf_joint *j = &rd->joints[rd->links[rd->order[n]].up];

        moved = moved || j->value != 0.0;
        if (!j->merged && j->moves != URDF_FREE) {
            status = build_add_joint(rd, j);
        }
    }
    if (status == PERP_OK && moved) {
        status = build_start(rd);
    }
    for (size_t k = 0; k < rd->joint_count && status == PERP_OK; k++) {
        status = build_add_gear(rd, &rd->joints[k]);
    }
    return status;
}
