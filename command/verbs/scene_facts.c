/* SPDX-License-Identifier: Apache-2.0
 * verbs/scene_facts.c: bodies, shapes and joints of a scene, for perp info. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/joint.h>
#include <perp/dynamics/rotation.h>
#include <perp/dynamics/shape.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/verbs/scene_facts.h"

enum { FACTS_TEXT = 512 };

/* Text that is added to piece by piece; what does not fit ends in "...". */
typedef struct facts_text {
    char text[FACTS_TEXT];
    size_t used;
} facts_text;

static void PERP_PRINTF(2, 3) facts_add(facts_text *t, const char *format, ...)
{
    va_list args;
    int length = 0;

    va_start(args, format);
    length = vsnprintf(t->text + t->used, sizeof t->text - t->used, format, args);
    va_end(args);
    t->used += length > 0 ? (size_t)length : 0;
    if (t->used >= sizeof t->text) {
        memcpy(t->text + sizeof t->text - 4, "...", 4);
        t->used = sizeof t->text - 1;
    }
}

/* -- all bodies together ------------------------------------------------------------------- */

typedef struct facts_total {
    double mass, centre[3], inertia[9]; /* about the centre of mass, world axes */
} facts_total;

/* sum m, sum m r/sum m, sum R I R^T + m (|d|^2 E - d d^T) with d = r - centre */
static facts_total facts_sum(const perp_world *w)
{
    facts_total t = {0};

    for (size_t k = 0; k < w->body_count; k++) {
        t.mass += w->mass[k];
        for (size_t i = 0; i < 3; i++) {
            t.centre[i] += w->mass[k] * perp_body_pose(w->start, k)[i];
        }
    }
    for (size_t i = 0; i < 3; i++) {
        t.centre[i] = t.mass > 0.0 ? t.centre[i] / t.mass : 0.0;
    }
    for (size_t k = 0; k < w->body_count; k++) {
        const double *r = perp_body_pose(w->start, k);
        const double d[3] = {r[0] - t.centre[0], r[1] - t.centre[1], r[2] - t.centre[2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double inertia[9];

        perp_world_inertia(w, w->start, k, inertia);
        for (size_t i = 0; i < 9; i++) {
            t.inertia[i] += inertia[i] + w->mass[k] * ((i % 4 == 0 ? square : 0.0) -
                                                       d[i / 3] * d[i % 3]);
        }
    }
    return t;
}

void scene_facts_total(const perp_world *w)
{
    const facts_total t = facts_sum(w);
    const double *I = t.inertia;

    output_fact(stdout, "mass", "%g kg, centre of mass (%.6g, %.6g, %.6g) m", t.mass,
                t.centre[0], t.centre[1], t.centre[2]);
    if (w->dimension == 2) {
        output_fact(stdout, "inertia", "%.6g kg m^2 about it", I[8]);
    } else {
        output_fact(
            stdout, "inertia",
            "xx %.6g, yy %.6g, zz %.6g, xy %.6g, xz %.6g, yz %.6g kg m^2 about it, "
            "world axes",
            I[0], I[4], I[8], I[1], I[2], I[5]);
    }
}

json_t *scene_facts_total_json(const perp_world *w)
{
    const facts_total t = facts_sum(w);

    return json_pack("{s:o, s:o, s:o}", "mass", answer_real(t.mass), "centre",
                     answer_vector(t.centre, 3), "inertia", answer_vector(t.inertia, 9));
}

/* -- bodies and their shapes --------------------------------------------------------------- */

static const char *facts_motion(perp_motion motion)
{
    static const char *const names[] = {"dynamic", "static", "kinematic"};

    return names[motion];
}

static unsigned facts_sizes(const perp_world *w, const perp_shape *s)
{
    return w->dimension == 2 && s->type->plane_sizes ? s->type->plane_sizes
                                                     : s->type->sizes;
}

static void facts_add_shape(facts_text *t, const perp_world *w, const perp_shape *s)
{
    const unsigned sizes = facts_sizes(w, s);
    const char *name = s->type->size_name[0];

    facts_add(t, "%s%s", t->used ? ", " : "", s->type->name);
    if (sizes == s->type->sizes && sizes < 3) { /* radius 0.1 length 0.2 */
        for (unsigned k = 0; k < sizes; k++) {
            facts_add(t, " %s %g", s->type->size_name[k], s->size[k]);
        }
    } else if (name) { /* "half x": half 0.1 x 0.1 x 0.2 */
        facts_add(t, " %.*s", (int)strcspn(name, " "), name);
        for (unsigned k = 0; k < sizes; k++) {
            facts_add(t, "%s%g", k ? " x " : " ", s->size[k]);
        }
    }
    if (s->mesh) {
        facts_add(t, " of %zu triangles", s->mesh->triangle_count);
    } else if (s->polytope) {
        facts_add(t, " of %zu corners", s->polytope->corner_count);
    } else if (s->part_count) {
        facts_add(t, " of %zu parts", s->part_count);
    }
    if (s->material > 0) {
        facts_add(t, " (%s)", w->materials[s->material].name);
    }
}

/* Are inertias other than diagonal? */
static bool facts_has_products(const perp_world *w)
{
    for (size_t k = 0; k < w->body_count; k++) {
        const double *I = w->inertia + 9 * k;

        if (fmax(fabs(I[1]), fmax(fabs(I[2]), fabs(I[5]))) >
            1e-12 * (I[0] + I[4] + I[8])) {
            return true;
        }
    }
    return false;
}

/* The entries of the inertia that are shown. */
static size_t facts_entries(const perp_world *w, const char **heads, size_t at[6])
{
    static const size_t plane[] = {8}, diagonal[] = {0, 4, 8}, all[] = {0, 4, 8, 1, 2, 5};
    const bool products = w->dimension == 3 && facts_has_products(w);
    const size_t count = w->dimension == 2 ? 1 : products ? 6 : 3;

    *heads = w->dimension == 2
                 ? "body|motion|>mass [kg]|>x|>y|>z|>Izz [kg m^2]|shapes [m]"
             : products ? "body|motion|>mass [kg]|>x|>y|>z|>Ixx [kg "
                          "m^2]|>Iyy|>Izz|>Ixy|>Ixz|>Iyz|shapes [m]"
                        : "body|motion|>mass [kg]|>x|>y|>z|>Ixx [kg "
                          "m^2]|>Iyy|>Izz|shapes [m]";
    memcpy(at, w->dimension == 2 ? plane : products ? all : diagonal, count * sizeof *at);
    return count;
}

void scene_facts_bodies(const perp_world *w)
{
    const char *heads = NULL;
    size_t at[6];
    const size_t entries = facts_entries(w, &heads, at);
    output_table t;

    putchar('\n');
    output_table_start(&t, heads);
    for (size_t k = 0; k < w->body_count; k++) {
        facts_text shapes = {.used = 0};

        for (size_t s = 0; s < w->shape_count; s++) {
            if (w->shapes[s].body == (int32_t)k) {
                facts_add_shape(&shapes, w, &w->shapes[s]);
            }
        }
        output_cell(&t, "%s", w->name[k]);
        output_cell(&t, "%s", facts_motion(w->motion[k]));
        output_cell(&t, "%g", w->mass[k]);
        for (size_t i = 0; i < 3; i++) {
            output_cell(&t, "%.4g", perp_body_pose(w->start, k)[i]);
        }
        for (size_t i = 0; i < entries; i++) {
            output_cell(&t, "%.6g", w->inertia[9 * k + at[i]]);
        }
        output_cell(&t, "%s", shapes.text);
    }
    output_table_end(&t, stdout);
}

static json_t *facts_shapes_json(const perp_world *w, size_t body)
{
    json_t *list = json_array();

    for (size_t s = 0; s < w->shape_count; s++) {
        const perp_shape *shape = &w->shapes[s];

        if (shape->body == (int32_t)body) {
            json_array_append_new(
                list, json_pack("{s:s, s:o, s:o, s:o, s:s}", "type", shape->type->name,
                                "size", answer_vector(shape->size, facts_sizes(w, shape)),
                                "at", answer_vector(shape->at, 3), "turn",
                                answer_vector(shape->turn, 4), "material",
                                w->materials[shape->material].name));
        }
    }
    return list;
}

json_t *scene_facts_bodies_json(const perp_world *w)
{
    json_t *bodies = json_array();

    for (size_t k = 0; k < w->body_count; k++) {
        json_array_append_new(
            bodies,
            json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", w->name[k], "motion",
                      facts_motion(w->motion[k]), "mass", answer_real(w->mass[k]),
                      "inertia", answer_vector(w->inertia + 9 * k, 9), "pose",
                      answer_vector(perp_body_pose(w->start, k), 7), "velocity",
                      answer_vector(perp_body_velocity(w->start, k), 6), "shapes",
                      facts_shapes_json(w, k)));
    }
    return bodies;
}

/* -- joints -------------------------------------------------------------------------------- */

static const char *const facts_motors[] = {"none", "velocity", "friction", "servo"};

/* Its axis on body i, in world axes at the start; false: it has none. */
static bool facts_axis(const perp_world *w, const perp_joint *j, double axis[3])
{
    if (!(j->type->needs & PERP_JOINT_AXIS_I)) {
        return false;
    }
    perp_quat_rotate(perp_body_pose(w->start, (size_t)j->i) + 3, j->axis_i, axis);
    for (size_t k = 0; k < 3; k++) {
        axis[k] = fabs(axis[k]) < 1e-12 ? 0.0 : axis[k];
    }
    return true;
}

static void facts_add_limits(facts_text *t, const perp_axis *a, const char *unit)
{
    if (a->has_lower && a->has_upper && a->lower == a->upper) {
        facts_add(t, "locked at %g %s", a->lower, unit);
    } else if (a->has_lower || a->has_upper) {
        facts_add(t, "%g .. %g %s", a->has_lower ? a->lower : -INFINITY,
                  a->has_upper ? a->upper : INFINITY, unit);
    } else {
        facts_add(t, "none");
    }
}

static const char *facts_comma(const facts_text *t, size_t start)
{
    return t->used > start ? ", " : "";
}

/* Motor, spring, damper, gear and armature of an axis. */
static void facts_add_drive(facts_text *t, const perp_world *w, const perp_axis *a,
                            perp_axis_unit unit)
{
    const char *length = perp_axis_unit_text(unit);
    const char *force = unit == PERP_AXIS_LENGTH ? "N" : "N m";

    size_t start = 0;

    facts_add(t, "%s", t->used ? "; " : "");
    start = t->used;
    if (a->motor == PERP_MOTOR_VELOCITY) {
        facts_add(t, "velocity %g %s/s, ", a->target, length);
    } else if (a->motor == PERP_MOTOR_SERVO) {
        facts_add(t, "servo to %g %s", a->target, length);
        if (a->max_rate > 0.0) {
            facts_add(t, ", at most %g %s/s", a->max_rate, length);
        }
        facts_add(t, ", ");
    } else if (a->motor == PERP_MOTOR_FRICTION) {
        facts_add(t, "friction, ");
    }
    if (a->motor != PERP_MOTOR_NONE) {
        facts_add(t, "at most %g %s", a->max_force, force);
    }
    if (a->stiffness > 0.0) {
        facts_add(t, "%sspring %g %s/%s from %g", facts_comma(t, start), a->stiffness,
                  force, length, a->rest);
    }
    if (a->damping > 0.0) {
        facts_add(t, "%sdamping %g %s s/%s", facts_comma(t, start), a->damping, force,
                  length);
    }
    if (a->gear.ratio != 0.0) {
        facts_add(t, "%s%g times %s", facts_comma(t, start), a->gear.ratio,
                  w->joints[a->gear.joint].name);
        if (a->gear.offset != 0.0) {
            facts_add(t, " %+g %s", a->gear.offset, length);
        }
    }
    if (a->armature > 0.0) {
        facts_add(t, "%sarmature %g", facts_comma(t, start), a->armature);
    }
}

void scene_facts_joints(const perp_world *w)
{
    output_table t;

    putchar('\n');
    output_table_start(&t, "joint|type|body i|body j|axis|limits|motor, spring, gear");
    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *j = &w->joints[k];
        facts_text limits = {.used = 0}, drive = {.used = 0};
        double axis[3];

        for (unsigned a = 0; a < j->type->axes; a++) {
            facts_add(&limits, "%s", a ? "; " : "");
            facts_add_limits(&limits, &j->axes[a],
                             perp_axis_unit_text(j->type->axis_unit[a]));
            facts_add_drive(&drive, w, &j->axes[a], j->type->axis_unit[a]);
        }
        output_cell(&t, "%s", j->name);
        output_cell(&t, "%s", j->type->name);
        output_cell(&t, "%s", w->name[j->i]);
        output_cell(&t, "%s", w->name[j->j]);
        if (facts_axis(w, j, axis)) {
            output_cell(&t, "(%.4g, %.4g, %.4g)", axis[0], axis[1], axis[2]);
        } else {
            output_cell(&t, "%s", "");
        }
        output_cell(&t, "%s", limits.text);
        output_cell(&t, "%s", drive.text);
    }
    output_table_end(&t, stdout);
}

/* null: none */
static json_t *facts_gear_json(const perp_world *w, const perp_gear *gear)
{
    return gear->ratio == 0.0
               ? json_null()
               : json_pack("{s:s, s:I, s:o, s:o}", "follows", w->joints[gear->joint].name,
                           "axis", (json_int_t)gear->axis + 1, "ratio",
                           answer_real(gear->ratio), "offset", answer_real(gear->offset));
}

static json_t *facts_axes_json(const perp_world *w, const perp_joint *j)
{
    json_t *axes = json_array();

    for (unsigned k = 0; k < j->type->axes; k++) {
        const perp_axis *a = &j->axes[k];

        json_array_append_new(
            axes,
            json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                      "unit", perp_axis_unit_text(j->type->axis_unit[k]), "value",
                      answer_real(a->value), "lower",
                      a->has_lower ? answer_real(a->lower) : json_null(), "upper",
                      a->has_upper ? answer_real(a->upper) : json_null(), "motor",
                      facts_motors[a->motor], "target", answer_real(a->target),
                      "max_force", answer_real(a->max_force), "max_rate",
                      answer_real(a->max_rate), "stiffness", answer_real(a->stiffness),
                      "damping", answer_real(a->damping), "rest", answer_real(a->rest),
                      "armature", answer_real(a->armature), "gear",
                      facts_gear_json(w, &a->gear)));
    }
    return axes;
}

json_t *scene_facts_joints_json(const perp_world *w)
{
    json_t *joints = json_array();

    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_joint *j = &w->joints[k];
        double axis[3];

        json_array_append_new(
            joints,
            json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "name", j->name, "type",
                      j->type->name, "i", w->name[j->i], "j", w->name[j->j], "axis",
                      facts_axis(w, j, axis) ? answer_vector(axis, 3) : json_null(),
                      "axes", facts_axes_json(w, j)));
    }
    return joints;
}
