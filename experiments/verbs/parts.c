/* SPDX-License-Identifier: Apache-2.0
 * verbs/parts.c: what scenes are made of: joints, mobilizers, shapes, forces,
 * integrators, what finds contacts; and what runs are measured by. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include <perp/dynamics/mobilizer.h>
#include <perp/dynamics/step.h>

#include "base/base.h"
#include "experiments/cli/answer.h"
#include "experiments/verbs/scenes.h"
#include "experiments/verbs/verbs.h"

/* What a scene says of a joint of a type, by the bits of its table. */
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
    for (unsigned k = 0; k < t->axes && t->axis_unit[k]; k++) {
        json_array_append_new(axes, json_string(t->axis_unit[k]));
    }
    for (size_t k = 0; k < sizeof joint_data / sizeof *joint_data; k++) {
        if (t->data & joint_data[k].bit) {
            json_array_append_new(data, json_string(joint_data[k].name));
        }
    }
    return json_pack("{s:s, s:s, s:s?, s:o, s:b, s:o, s:o, s:s?}", "name", t->name,
                     "summary", t->summary, "reference", t->reference, "rows", rows,
                     "unilateral", (int)t->unilateral, "axes", axes, "data", data,
                     "picture", t->picture);
}

json_t *scene_list_joints_json(const cli_args *args, perp_error *err)
{
    const perp_joint_type *const *types = perp_joint_types(NULL);
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (; *types; types++) {
        json_array_append_new(array, joint_json(*types));
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

perp_status scene_list_joints(const cli_args *args, perp_error *err)
{
    json_t *array = scene_list_joints_json(args, err);
    output_table t;

    output_table_start(&t, "joint|>rows|free axes|what it is");
    for (size_t k = 0; k < json_array_size(array); k++) {
        const json_t *o = json_array_get(array, k);
        char text[64];

        join(json_object_get(o, "axes"), text, sizeof text);
        output_cell(&t, "%s", json_string_value(json_object_get(o, "name")));
        output_cell(&t, "%zu", json_array_size(json_object_get(o, "rows")));
        output_cell(&t, "%s", text);
        output_cell(&t, "%s", json_string_value(json_object_get(o, "summary")));
    }
    json_decref(array);
    return output_table_end(&t, stdout, err);
}

perp_status scene_info_joint(const cli_args *args, const char *name, perp_error *err)
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
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp info: unknown joint \"%s\", the nearest is \"%s\"", name,
                         best.name);
    }
    o = joint_json(type);
    if (cli_args_given(args, "json")) {
        return output_json(stdout, o, false, err);
    }
    output_tell(stdout, OUTPUT_STRONG, "%s", type->name);
    printf(": %s\n\n%s\n", type->summary, type->picture ? type->picture : "");
    join(json_object_get(o, "rows"), text, sizeof text);
    printf("%-10s %zu%s: %s\n", "rows", json_array_size(json_object_get(o, "rows")),
           type->unilateral ? " that push only" : "", text);
    join(json_object_get(o, "axes"), text, sizeof text);
    printf("%-10s %u%s%s\n", "free axes", type->axes,
           type->axes ? ", for limits and motors: coordinates in " : "",
           type->axes ? text : "");
    join(json_object_get(o, "data"), text, sizeof text);
    printf("%-10s %s\n", "needs", text);
    printf("%-10s %s\n", "reference", type->reference ? type->reference : "-");
    json_decref(o);
    return PERP_OK;
}

json_t *scene_list_shapes_json(const cli_args *args, perp_error *err)
{
    const perp_shape_type *const *types = perp_shape_types(NULL);
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (; *types; types++) {
        json_t *sizes = json_array();

        for (unsigned k = 0; k < (*types)->sizes && k < 3; k++) {
            json_array_append_new(
                sizes,
                json_string((*types)->size_name[k] ? (*types)->size_name[k] : "size"));
        }
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:o}", "name", (*types)->name,
                                        "summary", (*types)->summary, "sizes", sizes));
    }
    return array;
}

json_t *scene_list_forces_json(const cli_args *args, perp_error *err)
{
    const perp_force_type *const *types = perp_force_types(NULL);
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (; *types; types++) {
        json_t *parameters = json_array();

        for (const char *const *p = (*types)->parameters; p && *p; p++) {
            json_array_append_new(parameters, json_string(*p));
        }
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:i, s:o}", "name", (*types)->name,
                                        "summary", (*types)->summary, "bodies",
                                        (int)(*types)->bodies, "parameters", parameters));
    }
    return array;
}

/* A table of names, one list of texts of each, and what it is; takes the reference. */
static perp_status list_table(const char *headers, json_t *array, const char *key,
                              perp_error *err)
{
    output_table t;

    output_table_start(&t, headers);
    for (size_t k = 0; k < json_array_size(array); k++) {
        const json_t *o = json_array_get(array, k);
        char text[256];

        join(json_object_get(o, key), text, sizeof text);
        output_cell(&t, "%s", json_string_value(json_object_get(o, "name")));
        output_cell(&t, "%s", text);
        output_cell(&t, "%s", json_string_value(json_object_get(o, "summary")));
    }
    json_decref(array);
    return output_table_end(&t, stdout, err);
}

perp_status scene_list_shapes(const cli_args *args, perp_error *err)
{
    return list_table("shape|sizes|what it is", scene_list_shapes_json(args, err),
                      "sizes", err);
}

perp_status scene_list_forces(const cli_args *args, perp_error *err)
{
    return list_table("force|parameters|what it is", scene_list_forces_json(args, err),
                      "parameters", err);
}

json_t *scene_list_mobilizers_json(const cli_args *args, perp_error *err)
{
    const perp_mobilizer *const *types = perp_mobilizers(NULL);
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (; *types; types++) {
        json_t *units = json_array();

        for (unsigned k = 0; k < (*types)->dof; k++) {
            json_array_append_new(units, json_string((*types)->unit[k]));
        }
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:o}", "name", (*types)->name,
                                        "summary", (*types)->summary, "reference",
                                        (*types)->reference, "coordinates", units));
    }
    return array;
}

perp_status scene_list_mobilizers(const cli_args *args, perp_error *err)
{
    return list_table("mobilizer|coordinates|what it is",
                      scene_list_mobilizers_json(args, err), "coordinates", err);
}

/* Lists of a step's choices that move bodies, with the option that sets each. */
static const struct {
    const char *option;
    const char *const *names;
    const char *const means[12]; /* in the order of the names */
} integrators[] = {
    {"integrator",
     perp_integrator_names,
     {"symplectic Euler: velocities first, positions by the new ones; order 1",
      "explicit Euler: gains energy; order 1",
      "backward Euler: loses energy, stable for stiff forces; order 1",
      "position Verlet: half drift, kick, half drift; order 2",
      "velocity Verlet: positions by the old acceleration, mean kick; order 2",
      "half kick, drift, half kick; order 2", "explicit midpoint, RK2; order 2",
      "Runge and Kutta's classical one; order 4"}},
    {"gyro",
     perp_gyro_names,
     {"w - dt I^-1 (w x I w): gains energy", "left out",
      "one Newton step of the implicit stage, body axes", "the same in world axes",
      "Newton to rounding: loses energy"}},
    {"turn",
     perp_turn_names,
     {"orientations by the exponential: exact for a constant spin",
      "orientations by q + dt q', normalized",
      "exponential about an axis, linear across"}},
    {"stabilize",
     perp_stabilize_names,
     {"errors corrected in the velocity: may add energy",
      "by pseudo-velocities beside the velocity", "positions projected after the step",
      "not at all"}},
};

json_t *scene_list_integrators_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();

    (void)args;
    (void)err;
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

perp_status scene_list_integrators(const cli_args *args, perp_error *err)
{
    return list_table("name|--option|what it is", scene_list_integrators_json(args, err),
                      "option", err);
}

static json_t *algorithm_json(const char *name, const char *summary,
                              const char *reference)
{
    return json_pack("{s:s, s:s, s:[s]}", "name", name, "summary", summary, "reference",
                     reference);
}

json_t *scene_list_broad_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (const perp_broad_type *const *t = perp_broad_types(NULL); *t; t++) {
        json_array_append_new(array,
                              algorithm_json((*t)->name, (*t)->summary, (*t)->reference));
    }
    return array;
}

perp_status scene_list_broad(const cli_args *args, perp_error *err)
{
    return list_table("broad|reference|what it is", scene_list_broad_json(args, err),
                      "reference", err);
}

json_t *scene_list_narrow_json(const cli_args *args, perp_error *err)
{
    json_t *array = json_array();

    (void)args;
    (void)err;
    for (const perp_narrow_type *const *t = perp_narrow_types(NULL); *t; t++) {
        json_array_append_new(array,
                              algorithm_json((*t)->name, (*t)->summary, (*t)->reference));
    }
    return array;
}

perp_status scene_list_narrow(const cli_args *args, perp_error *err)
{
    return list_table("narrow|reference|what it is", scene_list_narrow_json(args, err),
                      "reference", err);
}

/* Of each measure of a solution, its name; the record of a run holds them all. Of each
 * metric of a simulation, its unit too. */
json_t *scene_list_metrics_json(const cli_args *args, perp_error *err)
{
    const perp_measures none = {0};
    json_t *measures = answer_measures(&none), *array = json_array();
    const char *name = NULL;
    json_t *value = NULL;

    (void)args;
    (void)err;
    json_object_foreach(measures, name, value)
    {
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", name, "of",
                                        "solve", "kind",
                                        json_is_object(value)    ? "spread over contacts"
                                        : json_is_integer(value) ? "count"
                                                                 : "number",
                                        "unit", "", "summary", ""));
    }
    for (const perp_metric *const *m = perp_metrics(NULL); *m; m++) {
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", (*m)->name,
                                        "of", "simulate", "kind", "number a step", "unit",
                                        (*m)->unit, "summary", (*m)->summary));
    }
    json_decref(measures);
    return array;
}

perp_status scene_list_metrics(const cli_args *args, perp_error *err)
{
    static const char *const keys[] = {"name", "of", "kind", "unit", "summary"};
    json_t *array = scene_list_metrics_json(args, err);
    output_table t;

    output_table_start(&t, "metric|of|kind|unit|what it is");
    for (size_t k = 0; k < 5 * json_array_size(array); k++) {
        const char *text =
            json_string_value(json_object_get(json_array_get(array, k / 5), keys[k % 5]));

        output_cell(&t, "%s", *text ? text : "-");
    }
    json_decref(array);
    return output_table_end(&t, stdout, err);
}
