/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_loops.c: joints that close loops as equality constraints; ropes, rods and springs
 * as tendons between marks on bodies; motors as actuators. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/force.h>

#include "command/export/mjcf_parts.h"

/* A rope or a rod that is there. */
static bool loops_tendon(const mjcf *m, size_t joint)
{
    const char *type = m->w->joints[joint].type->name;

    return m->use[joint] != MJCF_ABSENT &&
           (strcmp(type, "rope") == 0 || strcmp(type, "rod") == 0);
}

static void loops_site(mjcf *m, const char *kind, size_t number, int end,
                       const double at[3], int depth)
{
    fprintf(m->f, "%*s<site name=\"%s-%zu-%d\"", depth, "", kind, number, end);
    mjcf_reals(m, "pos", at, 3);
    fputs("/>\n", m->f);
}

/* The body at an end of a tendon, -1: none. Ends are counted: two of each joint, then two of each
 * force. */
static int32_t loops_body(const mjcf *m, size_t end)
{
    const size_t joints = m->w->joint_count;
    const size_t k = end / 2;
    const perp_force *force = k < joints ? NULL : &m->w->forces[k - joints];
    const int32_t i = force ? force->i : m->w->joints[k].i;
    const int32_t j = force ? force->j : m->w->joints[k].j;

    if (!force && !loops_tendon(m, k)) {
        return -1;
    }
    return end % 2 == 0 ? i : j == i ? -1 : j;
}

void mjcf_sort_sites(mjcf *m)
{
    const size_t count = 2 * (m->w->joint_count + m->w->force_count);
    size_t *at = m->site_end;

    for (size_t k = 0; k < count; k++) {
        const int32_t body = loops_body(m, k);

        if (body >= 0) {
            at[(size_t)body + 1]++;
        }
    }
    for (size_t k = 0; k < m->w->body_count; k++) {
        at[k + 1] += at[k];
    }
    for (size_t k = 0; k < count; k++) {
        const int32_t body = loops_body(m, k);

        if (body >= 0) {
            m->site[at[body]++] = k;
        }
    }
}

void mjcf_sites(mjcf *m, size_t body, int depth)
{
    const size_t joints = m->w->joint_count;

    for (size_t i = body > 0 ? m->site_end[body - 1] : 0; i < m->site_end[body]; i++) {
        const size_t k = m->site[i] / 2;
        const int end = (int)(m->site[i] % 2);

        if (k < joints) {
            const perp_joint *joint = &m->w->joints[k];

            loops_site(m, "joint", k, end, end ? joint->anchor_j : joint->anchor_i,
                       depth);
        } else {
            const perp_force *force = &m->w->forces[k - joints];

            loops_site(m, "force", k - joints, end,
                       end ? force->anchor_j : force->anchor_i, depth);
        }
    }
}

static void loops_ends(mjcf *m, const char *kind, size_t number)
{
    fprintf(m->f,
            ">\n      <site site=\"%s-%zu-0\"/>\n      <site site=\"%s-%zu-1\"/>\n"
            "    </spatial>\n",
            kind, number, kind, number);
}

void mjcf_tendons(mjcf *m)
{
    bool open = false;

    for (size_t k = 0; k < m->w->joint_count; k++) {
        if (loops_tendon(m, k)) {
            const perp_joint *joint = &m->w->joints[k];
            const double range[2] = {0.0, joint->length};

            fprintf(m->f, "%s    <spatial name=\"joint-%zu\"", open ? "" : "  <tendon>\n",
                    k);
            open = true;
            if (strcmp(joint->type->name, "rope") == 0) {
                fputs(" limited=\"true\"", m->f);
                mjcf_reals(m, "range", range, 2);
            }
            loops_ends(m, "joint", k);
        }
    }
    for (size_t k = 0; k < m->w->force_count; k++) {
        const double *value = m->w->forces[k].value; /* stiffness, damping, rest */

        fprintf(m->f, "%s    <spatial name=\"force-%zu\"", open ? "" : "  <tendon>\n", k);
        open = true;
        mjcf_real(m, "stiffness", value[0]);
        mjcf_real(m, "damping", value[1]);
        mjcf_real(m, "springlength", value[2]);
        loops_ends(m, "force", k);
    }
    fputs(open ? "  </tendon>\n" : "", m->f);
}

static void loops_start(mjcf *m, bool *open)
{
    fputs(*open ? "" : "  <equality>\n", m->f);
    *open = true;
}

static void loops_connect(mjcf *m, const perp_joint *joint, const double anchor[3])
{
    fprintf(m->f, "    <connect body1=\"%s\" body2=\"%s\"", m->name[joint->i],
            m->name[joint->j]);
    mjcf_reals(m, "anchor", anchor, 3);
    fputs("/>\n", m->f);
}

/* A second point on the axis, as far away as the bodies are. */
static void loops_second(const perp_joint *joint, double anchor[3])
{
    double away = 0.0;

    for (size_t k = 0; k < 3; k++) {
        away += joint->anchor_i[k] * joint->anchor_i[k] +
                joint->anchor_j[k] * joint->anchor_j[k];
    }
    away = away > 0.0 ? sqrt(away) : 1.0;
    for (size_t k = 0; k < 3; k++) {
        anchor[k] = joint->anchor_i[k] + away * joint->axis_i[k];
    }
}

static void loops_rod(mjcf *m, size_t joint)
{
    double p[3];
    double q[3];
    double square = 0.0;

    perp_joint_anchors(&m->w->joints[joint], m->state, p, q);
    for (size_t k = 0; k < 3; k++) {
        square += (q[k] - p[k]) * (q[k] - p[k]);
    }
    fprintf(m->f, "    <tendon tendon1=\"joint-%zu\"", joint);
    mjcf_reals(m, "polycoef",
               (const double[5]){m->w->joints[joint].length - sqrt(square), 0, 0, 0, 0},
               5);
    fputs("/>\n", m->f);
}

static void loops_close(mjcf *m, size_t k, bool *open)
{
    const perp_joint *joint = &m->w->joints[k];
    const char *type = joint->type->name;
    double second[3];

    if (strcmp(type, "rope") == 0) {
        return;
    }
    loops_start(m, open);
    if (strcmp(type, "rod") == 0) {
        loops_rod(m, k);
    } else if (strcmp(type, "fixed") == 0) {
        fprintf(m->f, "    <weld body1=\"%s\" body2=\"%s\"/>\n", m->name[joint->i],
                m->name[joint->j]);
    } else {
        loops_connect(m, joint, joint->anchor_i);
        if (strcmp(type, "revolute") == 0) {
            loops_second(joint, second);
            loops_connect(m, joint, second);
        }
    }
}

/* The name of a free axis as mjcf_joints.c gives it. */
static void loops_axis_name(mjcf *m, const perp_joint *joint, unsigned axis)
{
    char *name = mjcf_escaped(joint->name);

    fputs(name ? name : "", m->f);
    if (joint->type->axes > 1) {
        fprintf(m->f, "/%u", axis);
    }
    free(name);
}

/* An axis that is locked by equal limits. MuJoCo counts from `ref`. */
static void loops_lock(mjcf *m, size_t k, unsigned axis, bool *open)
{
    const perp_joint *joint = &m->w->joints[k];
    const perp_axis *a = &joint->axes[axis];

    if (!a->has_lower || !a->has_upper || a->lower != a->upper) {
        return;
    }
    loops_start(m, open);
    fputs("    <joint joint1=\"", m->f);
    loops_axis_name(m, joint, axis);
    fputs("\"", m->f);
    mjcf_reals(
        m, "polycoef",
        (const double[5]){a->lower - perp_joint_axes_of(m->state, k)[axis], 0, 0, 0, 0},
        5);
    fputs("/>\n", m->f);
}

/* q = ratio q' + offset, counted from `ref` on both sides. */
static void loops_gear(mjcf *m, size_t k, unsigned axis, bool *open)
{
    const perp_joint *joint = &m->w->joints[k];
    const perp_gear *gear = &joint->axes[axis].gear;
    const perp_joint *other = &m->w->joints[gear->joint];
    const double q = perp_joint_axes_of(m->state, k)[axis];
    const double q_other = perp_joint_axes_of(m->state, (size_t)gear->joint)[gear->axis];

    if (m->use[k] == MJCF_ABSENT || m->use[gear->joint] == MJCF_ABSENT) {
        return;
    }
    if (m->use[k] != MJCF_CARRIES || m->use[gear->joint] != MJCF_CARRIES ||
        strcmp(joint->type->name, "planar") == 0 ||
        strcmp(other->type->name, "planar") == 0) {
        mjcf_refuse(m,
                    "joint \"%s\" has a gear with joint \"%s\"; on planar joints and "
                    "joints that close a loop MJCF cannot express it",
                    joint->name, other->name);
        return;
    }
    if (gear->cfm != 0.0 || gear->stiffness != 0.0 || gear->damping != 0.0) {
        mjcf_refuse(m, "joint \"%s\" has a soft gear, expected a hard one", joint->name);
        return;
    }
    loops_start(m, open);
    fputs("    <joint joint1=\"", m->f);
    loops_axis_name(m, joint, axis);
    fputs("\" joint2=\"", m->f);
    loops_axis_name(m, other, gear->axis);
    fputs("\"", m->f);
    mjcf_reals(
        m, "polycoef",
        (const double[5]){gear->offset + gear->ratio * q_other - q, gear->ratio, 0, 0, 0},
        5);
    fputs("/>\n", m->f);
}

void mjcf_equalities(mjcf *m)
{
    bool open = false;

    for (size_t k = 0; k < m->w->joint_count; k++) {
        if (m->use[k] == MJCF_CLOSES) {
            loops_close(m, k, &open);
        }
        for (unsigned a = 0; a < m->w->joints[k].type->axes; a++) {
            if (m->use[k] == MJCF_CARRIES) {
                loops_lock(m, k, a, &open);
            }
            if (m->w->joints[k].axes[a].gear.ratio != 0.0) {
                loops_gear(m, k, a, &open);
            }
        }
    }
    fputs(open ? "  </equality>\n" : "", m->f);
}

/* A soft motor: force = (target - rate)/cfm within bounds, whatever the control is. */
static void loops_motor(mjcf *m, const perp_joint *joint, unsigned axis, bool *open)
{
    const perp_axis *a = &joint->axes[axis];
    double kv = 1.0 / a->motor_cfm;
    const double bias[3] = {kv * a->target, 0.0, -kv};
    const double none[3] = {0};
    const double bounds[2] = {-a->max_force, a->max_force};

    fputs(*open ? "" : "  <actuator>\n", m->f);
    *open = true;
    fputs("    <general name=\"", m->f);
    loops_axis_name(m, joint, axis);
    fputs("\" joint=\"", m->f);
    loops_axis_name(m, joint, axis);
    fputs("\" biastype=\"affine\"", m->f);
    mjcf_reals(m, "gainprm", none, 3);
    mjcf_reals(m, "biasprm", bias, 3);
    if (isfinite(a->max_force)) {
        fputs(" forcelimited=\"true\"", m->f);
        mjcf_reals(m, "forcerange", bounds, 2);
    }
    fputs("/>\n", m->f);
}

void mjcf_actuators(mjcf *m)
{
    bool open = false;

    for (size_t k = 0; k < m->w->joint_count; k++) {
        for (unsigned a = 0; a < m->w->joints[k].type->axes; a++) {
            if (m->use[k] == MJCF_CARRIES &&
                m->w->joints[k].axes[a].motor == PERP_MOTOR_VELOCITY) {
                loops_motor(m, &m->w->joints[k], a, &open);
            }
        }
    }
    fputs(open ? "  </actuator>\n" : "", m->f);
}
