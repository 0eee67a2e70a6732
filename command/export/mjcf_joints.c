/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_joints.c: the joints of the forest, in the axes of the body that they carry.
 *
 * A coordinate of perp describes body j relative to body i. Where the joint carries body i, all axes
 * and their order are reversed, so that coordinates keep their values: limits, springs and rates
 * are those of perp. `ref` is the coordinate at the pose of the file. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "command/export/mjcf_parts.h"

/** The geometry of a joint at the start, world axes. */
typedef struct joints_place {
    const perp_joint *joint;
    size_t body;
    bool turned;
    double s_i[3], s_j[3]; /* axes */
    double at[3];          /* anchor on j */
    double turn[3];        /* w_j - w_i */
    double slide[3];       /* velocity of the point of j seen from i */
} joints_place;

/** One scalar joint of MuJoCo. */
typedef struct joints_part {
    const char *type;     /* "hinge", "slide" */
    const double *axis;   /* of the coordinate: of j against i, world axes */
    double rate;          /* of the coordinate */
    const perp_axis *set; /* limits, springs, …; NULL: none */
    double value;
} joints_part;

static double joints_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void joints_cross(const double *a, const double *b, double *out)
{
    for (size_t k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* The point of j that the coordinates follow: its anchor, or its centre. */
static void joints_find(const mjcf *m, size_t body, joints_place *p)
{
    const perp_joint *joint = &m->w->joints[m->link[body].joint];
    const double *x_i = perp_body_pose(m->state, (size_t)joint->i);
    const double *x_j = perp_body_pose(m->state, (size_t)joint->j);
    const double *u_i = perp_body_velocity(m->state, (size_t)joint->i);
    const double *u_j = perp_body_velocity(m->state, (size_t)joint->j);
    double p_i[3];
    double arm[3];
    double spin[3];

    p->joint = joint;
    p->body = body;
    p->turned = m->link[body].turned;
    perp_quat_rotate(x_i + 3, joint->axis_i, p->s_i);
    perp_quat_rotate(x_j + 3, joint->axis_j, p->s_j);
    perp_joint_anchors(joint, m->state, p_i, p->at);
    for (size_t k = 0; k < 3; k++) {
        p->turn[k] = u_j[3 + k] - u_i[3 + k];
        arm[k] = p->at[k] - x_j[k];
    }
    joints_cross(u_j + 3, arm, spin);
    for (size_t k = 0; k < 3; k++) {
        p->slide[k] = u_j[k] + spin[k] - u_i[k];
        arm[k] = p->at[k] - x_i[k];
    }
    joints_cross(u_i + 3, arm, spin);
    for (size_t k = 0; k < 3; k++) {
        p->slide[k] -= spin[k];
    }
}

static void joints_keep(mjcf *m, double q, double rate)
{
    m->qpos[m->nq++] = q;
    m->qvel[m->nv++] = rate;
    m->moves = m->moves || rate != 0.0;
}

static void joints_check(mjcf *m, const perp_joint *joint, const perp_axis *a)
{
    if (a->restitution != 0.0 || a->limit_cfm != 0.0) {
        mjcf_refuse(m, "joint \"%s\" has limits with restitution or cfm, expected none",
                    joint->name);
    } else if (a->motor == PERP_MOTOR_SERVO ||
               (a->motor == PERP_MOTOR_VELOCITY && a->motor_cfm <= 0.0)) {
        mjcf_refuse(m,
                    "joint \"%s\" has a %s, which MJCF cannot express; a motor of a "
                    "velocity with cfm > 0 can be written",
                    joint->name,
                    a->motor == PERP_MOTOR_SERVO ? "servo"
                                                 : "motor that holds a velocity exactly");
    } else if (a->motor == PERP_MOTOR_FRICTION &&
               (a->motor_cfm != 0.0 || !isfinite(a->max_force))) {
        mjcf_refuse(m, "joint \"%s\" has friction that is soft or unbounded",
                    joint->name);
    }
}

/* Limits, springs and a rotor; equal limits are a constraint of their own. */
static void joints_settings(mjcf *m, const perp_joint *joint, const perp_axis *a)
{
    joints_check(m, joint, a);
    if ((a->has_lower || a->has_upper) &&
        !(a->has_lower && a->has_upper && a->lower == a->upper)) {
        const double range[2] = {a->has_lower ? a->lower : -1e10,
                                 a->has_upper ? a->upper : 1e10};

        fputs(" limited=\"true\"", m->f);
        mjcf_reals(m, "range", range, 2);
    }
    if (a->stiffness != 0.0) {
        mjcf_real(m, "stiffness", a->stiffness);
        mjcf_real(m, "springref", a->rest);
    }
    if (a->damping != 0.0) {
        mjcf_real(m, "damping", a->damping);
    }
    if (a->armature != 0.0) {
        mjcf_real(m, "armature", a->armature);
    }
    if (a->motor == PERP_MOTOR_FRICTION) {
        mjcf_real(m, "frictionloss", a->max_force);
    }
}

/* The name of a joint, to be freed, and its place in axes of the body with pose x. */
static char *joints_start(const joints_place *p, const double x[7], double at[3])
{
    char *name = mjcf_escaped(p->joint->name);
    double away[3];

    for (size_t k = 0; k < 3; k++) {
        away[k] = p->at[k] - x[k];
    }
    perp_quat_rotate_back(x + 3, away, at);
    return name;
}

/* `number`: of the free axis when the joint has several, else -1. */
static void joints_write(mjcf *m, const joints_place *p, const joints_part *part,
                         int number, int depth)
{
    const double *x = perp_body_pose(m->state, p->body);
    double sign = p->turned ? -1.0 : 1.0;
    double axis[3];
    double at[3];
    char *name = joints_start(p, x, at);

    perp_quat_rotate_back(x + 3, part->axis, axis);
    for (size_t k = 0; k < 3; k++) {
        axis[k] *= sign;
    }
    fprintf(m->f, "%*s<joint name=\"%s", depth, "", name);
    if (number >= 0) {
        fprintf(m->f, "/%d", number);
    }
    fprintf(m->f, "\" type=\"%s\"", part->type);
    mjcf_reals(m, "axis", axis, 3);
    if (strcmp(part->type, "hinge") == 0) {
        mjcf_reals(m, "pos", at, 3);
    }
    if (part->value != 0.0) {
        mjcf_real(m, "ref", part->value);
    }
    if (part->set) {
        joints_settings(m, p->joint, part->set);
    }
    fputs("/>\n", m->f);
    joints_keep(m, part->value, part->rate);
    free(name);
}

/* Several scalar joints, from the parent to the child; reversed where i is the child. */
static void joints_write_all(mjcf *m, const joints_place *p, const joints_part *parts,
                             int count, int depth)
{
    for (int k = 0; k < count; k++) {
        int at = p->turned ? count - 1 - k : k;

        joints_write(m, p, &parts[at], count > 1 ? at : -1, depth);
    }
}

static void joints_scalar(mjcf *m, const joints_place *p, int depth)
{
    const char *type = p->joint->type->name;
    const perp_axis *set = p->joint->axes;
    const double *value = perp_joint_axes_of(m->state, (size_t)m->link[p->body].joint);
    joints_part turn = {"hinge", p->s_i, joints_dot(p->turn, p->s_i), &set[0], value[0]};
    joints_part slide = {"slide", p->s_i, joints_dot(p->slide, p->s_i), &set[0],
                         value[0]};

    if (strcmp(type, "revolute") == 0) {
        joints_write(m, p, &turn, -1, depth);
    } else if (strcmp(type, "prismatic") == 0) {
        joints_write(m, p, &slide, -1, depth);
    } else {
        slide.set = &set[1];
        slide.value = value[1];
        joints_write_all(m, p, (const joints_part[]){turn, slide}, 2, depth);
    }
}

/* The rates about two axes add to the relative angular velocity: a s + b s'. */
static void joints_cardan(mjcf *m, const joints_place *p, int depth)
{
    const double *value = perp_joint_axes_of(m->state, (size_t)m->link[p->body].joint);
    double c = joints_dot(p->s_i, p->s_j);
    double on_i = joints_dot(p->turn, p->s_i);
    double on_j = joints_dot(p->turn, p->s_j);
    double rest = 1.0 - c * c;
    const joints_part parts[2] = {
        {"hinge", p->s_i, (on_i - c * on_j) / rest, &p->joint->axes[0], value[0]},
        {"hinge", p->s_j, (on_j - c * on_i) / rest, &p->joint->axes[1], value[1]},
    };

    joints_write_all(m, p, parts, 2, depth);
}

/* Any two directions of the plane will do: there are no limits. */
static void joints_planar(mjcf *m, const joints_place *p, int depth)
{
    double e[2][3];
    joints_part parts[3];

    perp_tangents(p->s_i, e[0], e[1]);
    for (size_t k = 0; k < 2; k++) {
        parts[k] = (joints_part){"slide", e[k], joints_dot(p->slide, e[k]), NULL, 0.0};
    }
    parts[2] = (joints_part){"hinge", p->s_i, joints_dot(p->turn, p->s_i), NULL, 0.0};
    joints_write_all(m, p, parts, 3, depth);
}

/* A quaternion, 1 at the pose of the file, and the relative angular velocity in axes of the
 * child. */
static void joints_ball(mjcf *m, const joints_place *p, int depth)
{
    const double *x = perp_body_pose(m->state, p->body);
    const double sign = p->turned ? -1.0 : 1.0;
    double at[3];
    double rate[3];
    char *name = joints_start(p, x, at);

    if (!name) {
        return;
    }
    perp_quat_rotate_back(x + 3, p->turn, rate);
    fprintf(m->f, "%*s<joint name=\"%s\" type=\"ball\"", depth, "", name);
    mjcf_reals(m, "pos", at, 3);
    fputs("/>\n", m->f);
    m->qpos[m->nq++] = 1.0;
    for (size_t k = 0; k < 3; k++) {
        m->qpos[m->nq++] = 0.0;
        m->qvel[m->nv++] = sign * rate[k];
        m->moves = m->moves || rate[k] != 0.0;
    }
    free(name);
}

/* Position and orientation in the world, velocity in the world, angular velocity in the body. */
static void joints_free(mjcf *m, size_t body, int depth)
{
    const double *x = perp_body_pose(m->state, body);
    const double *u = perp_body_velocity(m->state, body);
    double w[3];

    fprintf(m->f, "%*s<freejoint/>\n", depth, "");
    perp_quat_rotate_back(x + 3, u + 3, w);
    memcpy(m->qpos + m->nq, x, 7 * sizeof *x);
    memcpy(m->qvel + m->nv, u, 3 * sizeof *u);
    memcpy(m->qvel + m->nv + 3, w, sizeof w);
    m->nq += 7;
    m->nv += 6;
    for (size_t k = 0; k < 6; k++) {
        m->moves = m->moves || u[k] != 0.0;
    }
}

void mjcf_joints(mjcf *m, size_t body, int depth)
{
    joints_place p;
    const char *type = NULL;

    if (m->link[body].joint < 0) {
        if (mjcf_dynamic(m, body)) {
            joints_free(m, body, depth);
        }
        return;
    }
    joints_find(m, body, &p);
    type = p.joint->type->name;
    if (strcmp(type, "spherical") == 0) {
        joints_ball(m, &p, depth);
    } else if (strcmp(type, "universal") == 0 || strcmp(type, "wheel") == 0) {
        joints_cardan(m, &p, depth);
    } else if (strcmp(type, "planar") == 0) {
        joints_planar(m, &p, depth);
    } else if (strcmp(type, "fixed") != 0) {
        joints_scalar(m, &p, depth);
    }
}
