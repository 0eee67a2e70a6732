/* SPDX-License-Identifier: Apache-2.0
 * verbs/parts.c: lists of the parts of scenes (joints, mobilizers, shapes, forces, integrators,
 * collision detection), and of the measures of runs. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/scene.h>
#include <perp/dynamics/step.h>

#include "base/base.h"
#include "command/cli/output.h"
#include "command/results/record_metrics.h"
#include "command/verbs/measures.h"
#include "command/verbs/parts.h"
#include "command/view/formats.h"

/* A function that lists all `types`, each described by `entry`. */
#define PARTS_LIST(name, type, types, entry)                                             \
    json_t *name(void)                                                                   \
    {                                                                                    \
        json_t *array = json_array();                                                    \
                                                                                         \
        for (const type *const *t = types(NULL); *t; t++) {                              \
            json_array_append_new(array, entry(*t));                                     \
        }                                                                                \
        return array;                                                                    \
    }

/* Data of a joint in a scene, by the bits of its type. */
static const struct {
    unsigned bit;
    const char *name;
} joint_data[] = {
    {PERP_JOINT_ANCHORS, "anchor"},   {PERP_JOINT_AXIS_I, "axis of i"},
    {PERP_JOINT_AXIS_J, "axis of j"}, {PERP_JOINT_REST, "rest pose"},
    {PERP_JOINT_ANGLE, "angle"},      {PERP_JOINT_LENGTH, "length"},
    {PERP_JOINT_CALL, "function"},
};

static json_t *joint_json(const perp_joint_type *t)
{
    json_t *rows = json_array(), *axes = json_array(), *data = json_array();

    for (unsigned k = 0; k < t->rows && t->row_name[k]; k++) {
        json_array_append_new(rows, json_string(t->row_name[k]));
    }
    for (unsigned k = 0; k < t->axes; k++) {
        json_array_append_new(axes, json_string(perp_axis_unit_text(t->axis_unit[k])));
    }
    for (size_t k = 0; k < sizeof joint_data / sizeof *joint_data; k++) {
        if (t->needs & joint_data[k].bit) {
            json_array_append_new(data, json_string(joint_data[k].name));
        }
    }
    return json_pack("{s:s, s:s, s:s?, s:o, s:b, s:o, s:o, s:s?}", "name", t->name,
                     "summary", t->summary, "reference", t->reference, "rows", rows,
                     "unilateral", (int)t->unilateral, "axes", axes, "data", data,
                     "picture", t->picture);
}

PARTS_LIST(parts_joints, perp_joint_type, perp_joint_types, joint_json)

static json_t *mobilizer_json(const perp_mobilizer *type)
{
    json_t *units = json_array();

    for (unsigned k = 0; k < type->dof; k++) {
        json_array_append_new(units, json_string(type->unit[k]));
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "name", type->name, "summary", type->summary,
                     "reference", type->reference, "coordinates", units);
}
PARTS_LIST(parts_mobilizers, perp_mobilizer, perp_mobilizers, mobilizer_json)

static json_t *shape_json(const perp_shape_type *type)
{
    json_t *sizes = json_array();

    for (unsigned k = 0; k < type->sizes && k < 3; k++) {
        json_array_append_new(
            sizes, json_string(type->size_name[k] ? type->size_name[k] : "size"));
    }
    return json_pack("{s:s, s:s, s:o}", "name", type->name, "summary", type->summary,
                     "sizes", sizes);
}
PARTS_LIST(parts_shapes, perp_shape_type, perp_shape_types, shape_json)

static json_t *force_json(const perp_force_type *type)
{
    json_t *parameters = json_array();

    for (const char *const *p = type->parameters; p && *p; p++) {
        json_array_append_new(parameters, json_string(*p));
    }
    return json_pack("{s:s, s:s, s:i, s:o}", "name", type->name, "summary", type->summary,
                     "bodies", (int)type->bodies, "parameters", parameters);
}
PARTS_LIST(parts_forces, perp_force_type, perp_force_types, force_json)

static json_t *broad_json(const perp_broad_type *type)
{
    return json_pack("{s:s, s:s, s:[s]}", "name", type->name, "summary", type->summary,
                     "reference", type->reference);
}
PARTS_LIST(parts_broad, perp_broad_type, perp_broad_types, broad_json)

static json_t *narrow_json(const perp_narrow_type *type)
{
    return json_pack("{s:s, s:s, s:[s]}", "name", type->name, "summary", type->summary,
                     "reference", type->reference);
}
PARTS_LIST(parts_narrow, perp_narrow_type, perp_narrow_types, narrow_json)

/* Each text is at the enumerator that it describes. */
static const char *const integrator_means[] = {
    [PERP_INTEGRATOR_SEMI_IMPLICIT] = "symplectic Euler: velocities first, then "
                                      "positions with the new velocities; order 1",
    [PERP_INTEGRATOR_EXPLICIT] = "explicit Euler: gains energy; order 1",
    [PERP_INTEGRATOR_IMPLICIT] =
        "backward Euler: loses energy, stable for stiff forces; order 1",
    [PERP_INTEGRATOR_POSITION_VERLET] =
        "position Verlet: next position from the last two; order 2",
    [PERP_INTEGRATOR_VELOCITY_VERLET] =
        "velocity Verlet: positions with the old acceleration, mean kick; order 2",
    [PERP_INTEGRATOR_LEAPFROG] = "half kick, drift, half kick; order 2",
    [PERP_INTEGRATOR_MIDPOINT] = "explicit midpoint, RK2; order 2",
    [PERP_INTEGRATOR_RK4] = "classical Runge-Kutta method; order 4",
    [PERP_INTEGRATOR_MOMENTUM] =
        "leapfrog in positions and momenta: keeps the angular momentum; order 2",
};
static const char *const gyro_means[] = {
    [PERP_GYRO_MIDPOINT] = "midpoint rule: keeps the energy of the spin and |I w|",
    [PERP_GYRO_EXPLICIT] = "explicit: w - dt I^-1 (w x I w), gains energy",
    [PERP_GYRO_NONE] = "no gyroscopic term",
    [PERP_GYRO_IMPLICIT_BODY] = "one Newton step of the implicit stage, body axes",
    [PERP_GYRO_IMPLICIT_WORLD] = "one Newton step of the implicit stage, world axes",
    [PERP_GYRO_CONVERGED] = "implicit, Newton's method to rounding: loses energy",
};
static const char *const turn_means[] = {
    [PERP_TURN_AUTO] = "exponential map; of a wheel first about its axis, then across it",
    [PERP_TURN_EXPONENTIAL] = "exponential map: exact for a constant angular velocity",
    [PERP_TURN_LINEAR] = "q + dt q', normalised",
    [PERP_TURN_AXIS] = "exponential map about one axis, linear about the others",
};
static const char *const stabilize_means[] = {
    [PERP_STABILIZE_BAUMGARTE] = "errors are corrected in the velocity: may add energy",
    [PERP_STABILIZE_SPLIT] =
        "errors are corrected by pseudo-velocities, which add no energy",
    [PERP_STABILIZE_PROJECT] = "positions are projected after the step",
    [PERP_STABILIZE_NONE] = "no correction",
};

/* The choices of a time step, with the option that selects each. */
static const struct {
    const char *option;
    const char *const *names, *const *means; /* in the order of the enum */
} integrators[] = {
    {"integrator", perp_integrator_names, integrator_means},
    {"gyro", perp_gyro_names, gyro_means},
    {"turn", perp_turn_names, turn_means},
    {"stabilize", perp_stabilize_names, stabilize_means},
};

json_t *parts_integrators(void)
{
    json_t *array = json_array();

    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        for (size_t k = 0; integrators[i].names[k]; k++) {
            json_array_append_new(array, json_pack("{s:s, s:[s], s:s}", "name",
                                                   integrators[i].names[k], "option",
                                                   integrators[i].option, "summary",
                                                   integrators[i].means[k]));
        }
    }
    return array;
}

json_t *parts_metrics(void)
{
    json_t *array = json_array();

    measures_list(array);
    record_metrics_list(array);
    for (const perp_metric *const *m = perp_metrics(NULL); *m; m++) {
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", (*m)->name, "of",
                             "simulate", "kind", "number per step", "unit",
                             *(*m)->unit ? (*m)->unit : "1", "summary", (*m)->summary));
    }
    return array;
}

/* "x, y, z" of a JSON array of texts; "-" for none. */
static void join(const json_t *array, char *text, size_t room)
{
    size_t length = 0;

    snprintf(text, room, "-");
    for (size_t k = 0; k < json_array_size(array) && length < room; k++) {
        length += (size_t)snprintf(text + length, room - length, "%s%s", k ? ", " : "",
                                   json_string_value(json_array_get(array, k)));
    }
}

perp_status parts_info_joint(const cli_args *args, const char *name, perp_error *err)
{
    const perp_joint_type *type = perp_joint_type_find(name);
    json_t *o = NULL;
    char text[256];
    perp_nearest best;

    if (!type) {
        perp_nearest_start(&best, name);
        for (const perp_joint_type *const *t = perp_joint_types(NULL); *t; t++) {
            perp_nearest_offer(&best, (*t)->name);
        }
        return perp_fail(err, PERP_ERR_OPTION, "perp info: unknown joint \"%s\", %s",
                         name, perp_nearest_advice(&best));
    }
    o = joint_json(type);
    if (cli_args_given(args, "json")) {
        return output_json(stdout, o, false, err);
    }
    output_print(stdout, OUTPUT_STRONG, "%s", type->name);
    printf(": %s\n\n%s\n", type->summary, type->picture ? type->picture : "");
    join(json_object_get(o, "rows"), text, sizeof text);
    output_fact(stdout, "rows", "%zu%s: %s", json_array_size(json_object_get(o, "rows")),
                type->unilateral ? ", unilateral" : "", text);
    join(json_object_get(o, "axes"), text, sizeof text);
    output_fact(stdout, "free axes", "%u%s%s", type->axes,
                type->axes ? ", for limits and motors, coordinates in " : "",
                type->axes ? text : "");
    join(json_object_get(o, "data"), text, sizeof text);
    output_fact(stdout, "needs", "%s", text);
    output_fact(stdout, "reference", "%s", type->reference ? type->reference : "-");
    json_decref(o);
    return PERP_OK;
}

/* Formats of runs, and the one of scenes. */
json_t *parts_exports(void)
{
    json_t *array = json_array();

    for (const motion_format *const *f = motion_formats; *f; f++) {
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "name", (*f)->name,
                                               "of", "run", "extension", (*f)->extensions,
                                               "summary", (*f)->summary));
    }
    json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}", "name", "mjcf", "of",
                                           "scene", "extension", ".xml", "summary",
                                           "model of MuJoCo at the start of the scene"));
    return array;
}
