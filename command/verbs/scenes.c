/* SPDX-License-Identifier: Apache-2.0
 * verbs/scenes.c: find, read and describe scenes. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "base/file.h"
#include "base/unread.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"
#include "command/results/table.h"
#include "command/simulate/catalogue.h"
#include "command/simulate/robots.h"
#include "command/simulate/summary.h"
#include "command/verbs/scene_facts.h"
#include "command/verbs/scenes.h"
#include "command/verbs/verbs.h"

/* "count=2000" of each --set; the name is copied, the value borrowed. */
static perp_status scenes_given(const cli_args *args, char name[][CLI_NAME],
                                perp_scene_set *sets, size_t *count, perp_error *err)
{
    const char *text = NULL;
    size_t at = 0;

    *count = 0;
    while ((text = cli_args_next(args, "set", &at))) {
        size_t length = strcspn(text, "=");

        if (!text[length] || length == 0 || length >= CLI_NAME) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "perp %s: option --set is \"%s\", expected NAME=VALUE",
                             args->verb->name, text);
        }
        snprintf(name[*count], CLI_NAME, "%.*s", (int)length, text);
        sets[*count] = (perp_scene_set){name[*count], text + length + 1};
        ++*count;
    }
    return PERP_OK;
}

perp_status scene_open(const cli_args *args, const char *name, perp_scene **scene,
                       char **text, perp_error *err)
{
    char path[DATA_PATH], *read = NULL;
    char names[CLI_GIVEN_ROOM][CLI_NAME];
    perp_scene_set sets[CLI_GIVEN_ROOM];
    size_t length = 0, count = 0;
    perp_error inner = {0};
    perp_status status = scene_find("", name, path, &inner);

    *scene = NULL;
    if (status != PERP_OK) {
        return perp_fail(err, status, "perp %s: %s", args->verb->name, inner.text);
    }
    status = scenes_given(args, names, sets, &count, err);
    if (status == PERP_OK) {
        status = perp_file_slurp(path, &read, &length, err);
    }
    if (status == PERP_OK && robot_detect(path, read, length)) {
        status = robot_open(args, path, read, length, sets, count, scene, err);
    } else if (status == PERP_OK) {
        status = robot_refuse_options(args, path, err);
        if (status == PERP_OK) {
            status = perp_scene_parse_with(scene, read, length, path, sets, count, err);
        }
    }
    for (size_t k = 0; status == PERP_OK && k < (*scene)->note_count; k++) {
        output_print(stderr, OUTPUT_PLAIN, "perp %s: %s\n", args->verb->name,
                     (*scene)->notes[k]);
    }
    if (status == PERP_OK && text) {
        *text = read;
    } else {
        free(read);
    }
    return status;
}

/* A scene has bodies, which no instance has; only scenes have comments. An instance that says so
 * at its start may be too large for a document. */
static bool json_is_scene(const char *text, size_t length)
{
    enum { HEAD = 256 };
    const char *mark = strstr(text, "\"perp-json\"");
    json_error_t no;
    json_t *root = NULL;
    bool is = false;

    if (mark && mark - text < HEAD) {
        return false;
    }
    root = json_loadb(text, length, 0, &no);
    is = root ? json_object_get(root, "bodies") || json_object_get(root, "ground") ||
                    json_object_get(root, "robots")
              : strstr(text, "//") || strstr(text, "/*");
    json_decref(root);
    return is;
}

bool scene_detect(const char *word)
{
    char path[DATA_PATH], *text = NULL;
    size_t length = 0;
    perp_error err = {0};
    bool json = perp_path_ends(word, ".json");
    bool is = perp_path_ends(word, ".urdf");

    if (!data_is_file(word)) {
        return scene_comes_with_perp(word, path);
    }
    if ((json || perp_path_ends(word, ".xml")) &&
        perp_file_slurp(word, &text, &length, &err) == PERP_OK) {
        is = json ? json_is_scene(text, length) : robot_detect(word, text, length);
    } else if (err.status != PERP_OK) {
        perp_unread_say(err.text);
    }
    free(text);
    return is;
}

static void info_wrapped(const char *name, const char *text)
{
    if (text && *text) {
        output_print(stdout, OUTPUT_PLAIN, "%-11s ", name);
        output_wrap(stdout, 12, 12, text);
    }
}

static size_t count_motion(const perp_world *w, perp_motion motion)
{
    size_t count = 0;

    for (size_t k = 0; k < w->body_count; k++) {
        count += w->motion[k] == motion;
    }
    return count;
}

static void info_scheme(const perp_scene *scene)
{
    const perp_scheme *s = &scene->scheme;

    output_fact(stdout, "runs", "%g s in steps of %g s", scene->time, s->dt);
    output_fact(stdout, "solver", "%s", scene->solver);
    if (s->model == PERP_MODEL_PYRAMID) {
        output_fact(stdout, "friction", "%s:%u", perp_model_names[s->model], s->eta);
    } else {
        output_fact(stdout, "friction", "%s", perp_model_names[s->model]);
    }
    output_fact(stdout, "integrator", "%s, rotations %s, gyroscopic term %s",
                perp_integrator_names[s->integrator], perp_turn_names[s->turn],
                s->override_gyro ? perp_gyro_names[s->gyro] : "as given for each body");
    output_fact(stdout, "stabilize", "%s, erp %g, slop %g m",
                perp_stabilize_names[s->stabilize], s->erp, s->slop);
    output_fact(stdout, "restitution", "%s", perp_restitution_names[s->restitution]);
    if (scene->coordinates != PERP_COORDINATES_MAXIMAL) {
        output_fact(stdout, "coordinates", "%s",
                    perp_coordinates_names[scene->coordinates]);
    }
}

/* The unit of a parameter; the unit 1 is not printed. */
static void parameter_unit(const table_column *column, const void *row, FILE *f)
{
    const perp_scene_parameter *p = row;

    (void)column;
    fputs(strcmp(p->unit, "1") == 0 ? "" : p->unit, f);
}

static const table_column parameter_columns[] = {
    {TABLE_CHARS_AT(NULL, "parameter", perp_scene_parameter, name)},
    {TABLE_REAL_AT(NULL, "value", "%.6g", perp_scene_parameter, value)},
    {TABLE_REAL_AT(NULL, "default", "%.6g", perp_scene_parameter, usual)},
    {.heading = "unit", .text = parameter_unit},
    {TABLE_REAL_AT(NULL, "min", "%.6g", perp_scene_parameter, least)},
    {TABLE_REAL_AT(NULL, "max", "%.6g", perp_scene_parameter, most)},
    {TABLE_CHARS_AT(NULL, "meaning", perp_scene_parameter, help)},
    TABLE_COLUMN_END,
};

static void info_parameters(const perp_scene *scene)
{
    table t;

    if (scene->parameter_count == 0) {
        return;
    }
    putchar('\n');
    table_start(&t, TABLE_AS_TEXT, stdout, parameter_columns);
    for (size_t k = 0; k < scene->parameter_count; k++) {
        table_row(&t, &scene->parameters[k]);
    }
    table_end(&t);
}

/* The reduced coordinates that the scene permits; the world is in them afterwards. */
static void info_reduce(const perp_scene *scene)
{
    char text[128];
    perp_error err = {0};

    if (perp_world_reduce(scene->world, &scene->reduction, &err) == PERP_OK) {
        sim_reduced_text(scene->world, text, sizeof text);
        output_print(stdout, OUTPUT_PLAIN, "\nreduced coordinates: %s\n", text);
    } else if (err.status != PERP_ERR_UNSUITABLE) {
        output_print(stdout, OUTPUT_PLAIN, "\nreduced coordinates: none: %s\n", err.text);
    }
}

static void info_head(const perp_scene *scene)
{
    const perp_world *w = scene->world;

    output_print(stdout, OUTPUT_STRONG, "%s", scene->name);
    output_print(stdout, OUTPUT_PLAIN, ": %s\n", scene->title ? scene->title : "");
    info_wrapped("shows", scene->description);
    info_wrapped("known", scene->answer);
    output_fact(stdout, "dimension", "%u, gravity (%g, %g, %g) m/s^2", w->dimension,
                w->gravity[0], w->gravity[1], w->gravity[2]);
    output_fact(stdout, "bodies", "%zu: %zu dynamic, %zu static, %zu kinematic",
                w->body_count, count_motion(w, PERP_MOTION_DYNAMIC),
                count_motion(w, PERP_MOTION_STATIC),
                count_motion(w, PERP_MOTION_KINEMATIC));
    scene_facts_total(w);
    output_fact(stdout, "shapes", "%zu", w->shape_count);
    output_fact(stdout, "forces", "%zu", w->force_count);
    info_scheme(scene);
}

static void info_print_text(const perp_scene *scene)
{
    info_head(scene);
    info_parameters(scene);
    scene_facts_bodies(scene->world);
    if (scene->world->joint_count > 0) {
        scene_facts_joints(scene->world);
        info_reduce(scene);
    }
}

static json_t *parameters_json(const perp_scene *scene)
{
    json_t *list = json_array();

    for (size_t k = 0; k < scene->parameter_count; k++) {
        const perp_scene_parameter *p = &scene->parameters[k];

        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:s, s:o, s:o, s:s}", "name",
                                        p->name, "value", answer_real(p->value), "usual",
                                        answer_real(p->usual), "unit", p->unit, "min",
                                        answer_real(p->least), "max",
                                        answer_real(p->most), "help", p->help));
    }
    return list;
}

/* The reduced coordinates as an object; null: none. */
static json_t *reduced_json(const perp_world *world)
{
    const perp_reduced *r = world->reduced;

    return r ? json_pack("{s:I, s:I, s:I}", "coordinates", (json_int_t)r->tree->n,
                         "links", (json_int_t)r->tree->count, "joints_with_rows",
                         (json_int_t)sim_joints_with_rows(world))
             : json_null();
}

static json_t *info_json(const perp_scene *scene)
{
    const perp_world *w = scene->world;
    json_t *bodies = scene_facts_bodies_json(w);
    json_t *notes = json_array();

    for (size_t k = 0; k < scene->note_count; k++) {
        json_array_append_new(notes, json_string(scene->notes[k]));
    }
    /* The poses are in `bodies` already. */
    perp_world_reduce(scene->world, &scene->reduction, NULL);
    return json_pack(
        "{s:s, s:s?, s:s?, s:s?, s:i, s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:o, "
        "s:o, s:o, s:s, s:o, s:o, s:o}",
        "scene", scene->name, "title", scene->title, "description", scene->description,
        "answer", scene->answer, "dimension", (int)w->dimension, "gravity",
        answer_vector(w->gravity, 3), "time", answer_real(scene->time), "dt",
        answer_real(scene->scheme.dt), "solver", scene->solver, "friction",
        perp_model_names[scene->scheme.model], "integrator",
        perp_integrator_names[scene->scheme.integrator], "stabilize",
        perp_stabilize_names[scene->scheme.stabilize], "shapes",
        (json_int_t)w->shape_count, "forces", (json_int_t)w->force_count, "bodies",
        bodies, "joints", scene_facts_joints_json(w), "parameters",
        parameters_json(scene), "coordinates", perp_coordinates_names[scene->coordinates],
        "reduced", reduced_json(w), "total", scene_facts_total_json(w), "notes", notes);
}

perp_status scene_info(const cli_args *args, const char *name, perp_error *err)
{
    perp_scene *scene = NULL;
    perp_status status = scene_open(args, name, &scene, NULL, err);

    if (status == PERP_OK && cli_args_given(args, "json")) {
        status = output_json(stdout, info_json(scene), false, err);
    } else if (status == PERP_OK) {
        info_print_text(scene);
    }
    perp_scene_free(scene);
    return status;
}

void scene_info_schema(void)
{
    char *schema = take_made(perp_scene_schema());

    printf("%s%s", schema, schema[0] && schema[strlen(schema) - 1] == '\n' ? "" : "\n");
    free(schema);
}
