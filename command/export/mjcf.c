/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf.c: a scene as a model of MuJoCo: bodies nested as a forest, with the axes of their
 * centres of mass, then tendons, constraints, motors, and a key frame of the start. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "base/file.h"
#include "command/cli/take.h"
#include "command/export/mjcf_parts.h"

/* "world" is MuJoCo's own body, still at the origin. */
static void mjcf_name(mjcf *m, size_t k)
{
    static const double origin[7] = {0, 0, 0, 1, 0, 0, 0};
    char text[64];

    if (strcmp(m->w->name[k], "world") == 0 && !mjcf_dynamic(m, k) &&
        memcmp(perp_body_pose(m->state, k), origin, sizeof origin) == 0) {
        m->world = (int32_t)k;
    }
    if (strcmp(m->w->name[k], "world") != 0 || m->world == (int32_t)k) {
        m->name[k] = mjcf_escaped(m->w->name[k]);
    } else {
        snprintf(text, sizeof text, "world-body");
        for (int n = 2; perp_world_find_body(m->w, text) >= 0; n++) {
            snprintf(text, sizeof text, "world-body-%d", n);
        }
        m->name[k] = mjcf_escaped(text);
        mjcf_note(m, "body \"world\" is called \"%s\": MuJoCo has a body world", text);
    }
}

/* ---- bodies ---- */

/* Relative to the parent. */
static void mjcf_pose(mjcf *m, size_t body)
{
    const double *x = perp_body_pose(m->state, body);
    const double *parent = m->link[body].parent < 0
                               ? NULL
                               : perp_body_pose(m->state, (size_t)m->link[body].parent);
    double at[3] = {x[0], x[1], x[2]};
    double q[4] = {x[3], x[4], x[5], x[6]};

    if (parent) {
        const double away[3] = {x[0] - parent[0], x[1] - parent[1], x[2] - parent[2]};
        double back[4];

        perp_quat_rotate_back(parent + 3, away, at);
        perp_quat_conjugate(parent + 3, back);
        perp_quat_multiply(back, x + 3, q);
    }
    mjcf_reals(m, "pos", at, 3);
    mjcf_reals(m, "quat", q, 4);
}

/* One rotation of Jacobi's method: I[p][q] becomes 0, V follows. */
static void mjcf_jacobi(double I[3][3], double V[3][3], size_t p, size_t q)
{
    double theta = 0.5 * atan2(2.0 * I[p][q], I[q][q] - I[p][p]);
    double c = cos(theta);
    double s = sin(theta);

    for (size_t k = 0; k < 3; k++) {
        double a = I[k][p];
        double b = I[k][q];

        I[k][p] = c * a - s * b;
        I[k][q] = s * a + c * b;
    }
    for (size_t k = 0; k < 3; k++) {
        double a = I[p][k];
        double b = I[q][k];

        I[p][k] = c * a - s * b;
        I[q][k] = s * a + c * b;
        a = V[k][p];
        b = V[k][q];
        V[k][p] = c * a - s * b;
        V[k][q] = s * a + c * b;
    }
}

/* The quaternion of a rotation by columns of V, from its largest component. */
static void mjcf_quaternion(double V[3][3], double q[4])
{
    double sums[4] = {V[0][0] + V[1][1] + V[2][2], V[0][0] - V[1][1] - V[2][2],
                      V[1][1] - V[0][0] - V[2][2], V[2][2] - V[0][0] - V[1][1]};
    const double skew[3] = {V[2][1] - V[1][2], V[0][2] - V[2][0], V[1][0] - V[0][1]};
    size_t at = 0;

    for (size_t k = 1; k < 4; k++) {
        at = sums[k] > sums[at] ? k : at;
    }
    q[at] = 1.0 + sums[at];
    for (size_t k = 0; k < 3; k++) {
        if (at == 0) {
            q[1 + k] = skew[k];
        } else if (k == at - 1) {
            q[0] = skew[k];
        } else {
            q[1 + k] = V[at - 1][k] + V[k][at - 1];
        }
    }
    perp_quat_normalize(q);
}

/* Principal moments and axes, to rounding: MuJoCo's own are of seven digits. Moments that are
 * given as such stay as they are. */
static void mjcf_inertial(mjcf *m, size_t body, int depth)
{
    const double *own = m->w->inertia + 9 * body;
    const double none[3] = {0};
    double I[3][3];
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double q[4];

    if (!mjcf_dynamic(m, body)) {
        return;
    }
    memcpy(I, own, sizeof I);
    for (int sweep = 0;
         sweep < 30 && (I[0][1] != 0.0 || I[0][2] != 0.0 || I[1][2] != 0.0); sweep++) {
        mjcf_jacobi(I, V, 0, 1);
        mjcf_jacobi(I, V, 0, 2);
        mjcf_jacobi(I, V, 1, 2);
    }
    mjcf_quaternion(V, q);
    fprintf(m->f, "%*s<inertial", depth, "");
    mjcf_reals(m, "pos", none, 3);
    mjcf_real(m, "mass", m->w->mass[body]);
    mjcf_reals(m, "diaginertia", (const double[3]){I[0][0], I[1][1], I[2][2]}, 3);
    if (q[0] != 1.0) {
        mjcf_reals(m, "quat", q, 4);
    }
    fputs("/>\n", m->f);
}

static void mjcf_open(mjcf *m, size_t body, int depth)
{
    double scale = m->w->gravity_scale[body];

    if ((int32_t)body == m->world) {
        mjcf_geoms(m, body, depth);
        mjcf_sites(m, body, depth);
        return;
    }
    fprintf(m->f, "%*s<body name=\"%s\"", depth, "", m->name[body]);
    mjcf_pose(m, body);
    if (mjcf_dynamic(m, body) && scale != 1.0) {
        mjcf_real(m, "gravcomp", 1.0 - scale);
    }
    fputs(">\n", m->f);
    mjcf_inertial(m, body, depth + 2);
    mjcf_joints(m, body, depth + 2);
    mjcf_geoms(m, body, depth + 2);
    mjcf_sites(m, body, depth + 2);
}

static void mjcf_shut(mjcf *m, int32_t body, int depth)
{
    if (body != m->world) {
        fprintf(m->f, "%*s</body>\n", depth, "");
    }
}

/* Long chains are not indented without end. */
static int mjcf_indent(int depth)
{
    return depth < 40 ? depth : 40;
}

/* The bodies of a tree, each inside its parent, without recursion. */
static void mjcf_nest(mjcf *m, int32_t root)
{
    int32_t at = root;
    int depth = 4;

    mjcf_open(m, (size_t)at, mjcf_indent(depth));
    while (at >= 0 && m->status == PERP_OK) {
        if (m->link[at].child >= 0) {
            at = m->link[at].child;
            depth += 2;
            mjcf_open(m, (size_t)at, mjcf_indent(depth));
            continue;
        }
        mjcf_shut(m, at, mjcf_indent(depth));
        while (at != root && m->link[at].next < 0) {
            at = m->link[at].parent;
            depth -= 2;
            mjcf_shut(m, at, mjcf_indent(depth));
        }
        at = at == root ? -1 : m->link[at].next;
        if (at >= 0) {
            mjcf_open(m, (size_t)at, mjcf_indent(depth));
        }
    }
}

/* ---- the whole ---- */

static void mjcf_head(mjcf *m)
{
    const perp_scheme *s = &m->scene->scheme;
    char *name =
        mjcf_escaped(m->scene->name && *m->scene->name ? m->scene->name : "scene");
    bool pyramid = s->model == PERP_MODEL_PYRAMID || s->model == PERP_MODEL_BOX;

    fprintf(m->f,
            "<mujoco model=\"%s\">\n"
            "  <!-- written by %s -->\n"
            "  <compiler angle=\"radian\" coordinate=\"local\" inertiafromgeom=\"false\" "
            "balanceinertia=\"false\"/>\n"
            "  <option integrator=\"%s\" cone=\"%s\"",
            mjcf_is_text(name) ? name : "scene", PACKAGE_STRING,
            s->integrator == PERP_INTEGRATOR_RK4        ? "RK4"
            : s->integrator == PERP_INTEGRATOR_IMPLICIT ? "implicit"
                                                        : "Euler",
            pyramid ? "pyramidal" : "elliptic");
    mjcf_real(m, "timestep", s->dt);
    mjcf_reals(m, "gravity", m->w->gravity, 3);
    fputs(">\n    <flag filterparent=\"disable\"/>\n  </option>\n", m->f);
    free(name);
}

static void mjcf_key(mjcf *m)
{
    if (m->nv > 0 && m->moves) {
        fputs("  <keyframe>\n    <key name=\"start\"", m->f);
        mjcf_reals(m, "qpos", m->qpos, m->nq);
        mjcf_reals(m, "qvel", m->qvel, m->nv);
        fputs("/>\n  </keyframe>\n", m->f);
        mjcf_note(m, "velocities at the start are in the key frame \"start\"");
    }
}

static void mjcf_print(mjcf *m)
{
    mjcf_head(m);
    mjcf_assets(m);
    fputs("  <worldbody>\n", m->f);
    for (size_t k = 0; k < m->root_count && m->status == PERP_OK; k++) {
        mjcf_nest(m, m->root[k]);
    }
    fputs("  </worldbody>\n", m->f);
    if (m->status == PERP_OK) {
        mjcf_excludes(m);
        mjcf_tendons(m);
        mjcf_equalities(m);
        mjcf_actuators(m);
        mjcf_key(m);
    }
    fputs("</mujoco>\n", m->f);
}

static void mjcf_take(mjcf *m)
{
    size_t bodies = m->w->body_count + 1;

    m->link = take(bodies, sizeof *m->link);
    m->root = take(bodies, sizeof *m->root);
    m->use = take(m->w->joint_count + 1, sizeof *m->use);
    m->name = take(bodies, sizeof *m->name);
    m->surface = take(m->w->material_count + 1, sizeof *m->surface);
    m->class_of = take(m->w->shape_count + 1, sizeof *m->class_of);
    m->shape = take(m->w->shape_count + 1, sizeof *m->shape);
    m->shape_end = take(bodies + 1, sizeof *m->shape_end);
    m->site =
        (size_t *)take(2 * (m->w->joint_count + m->w->force_count) + 1, sizeof *m->site);
    m->site_end = take(bodies + 1, sizeof *m->site_end);
    m->qpos = take(7 * bodies, sizeof *m->qpos);
    m->qvel = take(6 * bodies, sizeof *m->qvel);
    mjcf_sort_shapes(m);
    for (size_t k = 0; k < m->w->body_count && m->status == PERP_OK; k++) {
        mjcf_name(m, k);
    }
}

static void mjcf_release(mjcf *m)
{
    for (size_t k = 0; m->name && k < m->w->body_count; k++) {
        free(m->name[k]);
    }
    free(m->name);
    free(m->link);
    free(m->root);
    free(m->use);
    free(m->surface);
    free(m->class_of);
    free(m->shape);
    free(m->shape_end);
    free(m->site);
    free(m->site_end);
    free(m->qpos);
    free(m->qvel);
}

perp_status mjcf_write(const perp_scene *scene, const char *source, const char *path,
                       mjcf_notes *notes, perp_error *err)
{
    mjcf m = {.scene = scene,
              .w = scene->world,
              .state = scene->world->start,
              .source = source,
              .world = -1,
              .notes = notes,
              .err = err};
    perp_file_out out = {0};

    mjcf_take(&m);
    if (m.status == PERP_OK) {
        mjcf_check(&m);
    }
    if (m.status == PERP_OK) {
        mjcf_tree(&m);
        mjcf_sort_sites(&m);
    }
    if (m.status == PERP_OK) {
        mjcf_contacts(&m);
    }
    if (m.status == PERP_OK) {
        m.status = perp_file_create(&out, path, err);
    }
    if (m.status == PERP_OK) {
        m.f = out.f;
        mjcf_print(&m);
        if (m.status == PERP_OK) {
            m.status = perp_file_commit(&out, err);
        } else {
            perp_file_abandon(&out);
        }
    }
    mjcf_release(&m);
    return m.status;
}
