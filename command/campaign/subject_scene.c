/* SPDX-License-Identifier: Apache-2.0
 * runner/subject_scene.c: a scene as the subject of a run: perp simulate runs it from its
 * start. The properties of the scene are read here; those of its steps, the residuals
 * included, come from the process. */
#include <config.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>

#include "base/base.h"
#include "base/json.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/simulate/catalogue.h"
#include "command/simulate/settings.h"
#include "command/simulate/summary.h"

/* The options of a run that perp simulate checks, checked as it does. */
static const cli_option step_options[] = {SIM_SETTINGS_OPTIONS, CLI_OPTION_END};
static const cli_verb step_verb = {.name = "simulate", .options = step_options};

/* The settings of a scene under the rules of its set. */
static perp_status scene_settings(sim_settings *settings, const suite_rules *rules,
                                  const char *integrator, const perp_scene *scene,
                                  perp_error *err)
{
    run_line *line = take(1, sizeof *line);
    cli_args *args = take(1, sizeof *args);
    perp_status status = PERP_OK;

    line_make_steps(line, rules, integrator);
    /* The words are read, not written to. */
    status = cli_args_read(args, &step_verb, (int)line->count - 1,
                           (char **)(uintptr_t)line->word, err);
    if (status == PERP_OK) {
        status = sim_settings_read(settings, args, scene, err);
    }
    free(line);
    free(args);
    return status;
}

/* Can the scene be read, and run by the rules of the set? *coordinates: its own. */
static perp_status scene_check(const suite_rules *rules, const char *path,
                               const char *parameters, const char **coordinates,
                               perp_error *err)
{
    perp_scene *scene = NULL;
    sim_settings settings;
    perp_status status = PERP_OK;

    TRY(scene_load(&scene, path, parameters, NULL, err));
    *coordinates = perp_coordinates_names[scene->coordinates];
    for (size_t k = 0; k == 0 || (k < rules->integrators && status == PERP_OK); k++) {
        status =
            scene_settings(&settings, rules,
                           rules->integrators ? rules->integrator[k] : NULL, scene, err);
    }
    perp_scene_free(scene);
    return status;
}

/* "chain:links=50", as it is to be run */
static perp_status scene_add_call(const suite_reader *r, const document *d,
                                  const char *call, const suite_columns *columns,
                                  perp_error *err)
{
    const char *parameters = scene_parameters(call);
    size_t length = (size_t)(parameters - call) - (*parameters != '\0');
    char short_name[DATA_PATH], path[DATA_PATH], name[INSTANCE_NAME];
    suite_source source = {.path = call,
                           .file = path,
                           .name = name,
                           .parameters = parameters,
                           .columns = columns};
    perp_error inner = {0};
    perp_status status = PERP_OK;
    size_t used = 0;

    snprintf(short_name, sizeof short_name, "%.*s", (int)length, call);
    status = scene_find(r->folder, short_name, path, &inner);
    if (status == PERP_OK) {
        status =
            scene_check(&r->set->rules, path, parameters, &source.coordinates, &inner);
    }
    if (status != PERP_OK) {
        return suite_vary_fail(r, d, inner.text, err);
    }
    instance_name(path, 0, name);
    used = strlen(name);
    snprintf(name + used, sizeof name - used, "%s%s", *parameters ? ":" : "", parameters);
    return suite_add_entry(r, d, &source, err);
}

/* The same with what varies. */
static perp_status scene_add(const suite_reader *r, const document *d, const char *call,
                             const suite_columns *columns, perp_error *err)
{
    char made[SUITE_CALL];
    suite_columns varied = {NULL, 0, 0};
    perp_status status = suite_vary_call(r, d, call, columns, made, &varied, err);

    if (status == PERP_OK) {
        status = scene_add_call(r, d, made, &varied, err);
    }
    suite_columns_clear(&varied);
    return status;
}

json_t *subject_scene_parameters(const char *folder, const char *call)
{
    const char *parameters = scene_parameters(call);
    size_t length = (size_t)(parameters - call) - (*parameters != '\0');
    char name[DATA_PATH], path[DATA_PATH];
    perp_scene *scene = NULL;
    json_t *units = NULL;
    perp_error inner = {0};

    snprintf(name, sizeof name, "%.*s", (int)length, call);
    if (scene_find(folder, name, path, &inner) == PERP_OK &&
        scene_load(&scene, path, "", NULL, &inner) == PERP_OK) {
        units = json_object();
        for (size_t k = 0; k < scene->parameter_count; k++) {
            const perp_scene_parameter *p = &scene->parameters[k];

            json_object_set_new(units, p->name,
                                json_string(strcmp(p->unit, "1") == 0 ? "" : p->unit));
        }
    }
    perp_scene_free(scene);
    return units;
}

static json_t *scene_call_parameters(const suite_reader *r, const char *call)
{
    return subject_scene_parameters(r->folder, call);
}

static perp_status scene_read(const suite_reader *r, const document *d, perp_error *err)
{
    const char *call = "";
    perp_status status = PERP_OK;

    if (json_object_get(d->value, "scene")) {
        return suite_sweep_calls(r, d, "scene", scene_add, err);
    }
    status = document_text(d, &call, err);
    return status == PERP_OK ? scene_add(r, d, call, &suite_no_columns, err) : status;
}

/* What is not given is one: the scene's own. */
static size_t scene_integrators(const suite_rules *rules)
{
    return rules->integrators ? rules->integrators : 1;
}

static size_t scene_variants(const suite_rules *rules)
{
    size_t coordinates = rules->coordinate_systems ? rules->coordinate_systems : 1;

    return coordinates * scene_integrators(rules);
}

static void scene_vary(suite_run *run, size_t k)
{
    const suite_rules *rules = &run->set->rules;
    size_t integrators = scene_integrators(rules);

    run->coordinates = rules->coordinate_systems ? rules->coordinates[k / integrators]
                                                 : run->entry->coordinates;
    run->integrator = rules->integrators ? rules->integrator[k % integrators] : NULL;
    run->start = "warm"; /* every step starts from the impulses of the previous one */
}

static uint64_t scene_identify(uint64_t hash, const suite_run *run)
{
    const suite_rules *rules = &run->set->rules;
    char *scheme = json_dumps(rules->scheme.value, JSON_COMPACT | JSON_SORT_KEYS);
    char numbers[96];

    snprintf(numbers, sizeof numbers, "scene %.17g %.17g %ld", rules->dt, rules->time,
             rules->steps);
    hash = suite_hash_text(hash, numbers);
    hash = suite_hash_text(hash, run->coordinates);
    hash = suite_hash_text(hash, run->integrator ? run->integrator : "as in the scene");
    hash = suite_hash_text(hash, scheme ? scheme : "");
    free(scheme);
    return hash;
}

static void scene_label(const suite_run *run, char *text, size_t length)
{
    snprintf(text, length, "%s %s%s%s", run->solver->label, run->coordinates,
             run->integrator ? " " : "", run->integrator ? run->integrator : "");
}

static void scene_command(run_line *line, const suite_run *run)
{
    line_add(line, "simulate");
    line_add_solver(line, run);
    line_add_number(line, "within", run->set->rules.limits.seconds);
    line_add_text(line, "coordinates", run->coordinates);
    line_add_steps(line, &run->set->rules, run->integrator);
    line_add_parameters(line, run->entry->parameters);
}

/* FNV-1a 64 over a text. */
static uint64_t scene_hash(uint64_t hash, const char *text)
{
    return perp_hash_bytes(hash, text, strlen(text));
}

/* Bodies that move by forces, and how many of them joints hold. */
static void scene_count_bodies(const perp_world *w, size_t *bodies, size_t *links)
{
    *bodies = *links = 0;
    for (size_t k = 0; k < w->body_count; k++) {
        bool held = false;

        if (w->motion[k] != PERP_MOTION_DYNAMIC) {
            continue;
        }
        for (size_t j = 0; j < w->joint_count && !held; j++) {
            held = w->joints[j].i == (int32_t)k || w->joints[j].j == (int32_t)k;
        }
        ++*bodies;
        *links += held;
    }
}

/* Degrees of freedom of the joints as trees and of the free bodies, and the joints that close
 * loops of these trees. They do not depend on the coordinates in which the scene runs; JSON
 * null where it cannot be reduced. */
static void scene_count_freedom(perp_world *w, json_t **dof, json_t **closing)
{
    perp_error inner = {0};
    perp_status status = perp_world_reduce(w, NULL, &inner);
    const size_t each = w->dimension == 2 ? 3 : 6;
    size_t count = 0;

    if (status != PERP_OK && status != PERP_ERR_UNSUITABLE) {
        *dof = json_null();
        *closing = json_null();
        return;
    }
    for (size_t k = 0; k < w->body_count; k++) {
        bool free = w->motion[k] == PERP_MOTION_DYNAMIC && perp_world_link(w, k) < 0;

        count += free ? each : 0;
    }
    count += w->reduced ? w->start->trees->n : 0;
    *dof = json_integer((json_int_t)count);
    *closing = json_integer((json_int_t)sim_joints_with_rows(w));
    perp_world_unreduce(w);
}

static json_t *scene_facts(perp_scene *scene)
{
    json_t *parameters = json_object(), *dof = NULL, *closing = NULL;
    size_t bodies = 0, links = 0;

    scene_count_bodies(scene->world, &bodies, &links);
    scene_count_freedom(scene->world, &dof, &closing);
    for (size_t k = 0; k < scene->parameter_count; k++) {
        json_object_set_new(parameters, scene->parameters[k].name,
                            answer_real(scene->parameters[k].value));
    }
    return json_pack("{s:s, s:o, s:I, s:I, s:I, s:o, s:o}", "scene", scene->name,
                     "parameters", parameters, "bodies", (json_int_t)bodies, "links",
                     (json_int_t)links, "joints", (json_int_t)scene->world->joint_count,
                     "dof", dof, "closing_joints", closing);
}

/* The law of friction of a model. */
static const char *scene_law(perp_model model)
{
    return model == PERP_MODEL_CONE           ? "coulomb"
           : model == PERP_MODEL_FRICTIONLESS ? "none"
                                              : perp_model_names[model];
}

static perp_status scene_open(subject *s, const suite_run *run, perp_error *err)
{
    const suite_entry *entry = run->entry;
    perp_scene *scene = NULL;
    sim_settings settings;
    char *text = NULL;
    perp_status status =
        scene_load(&scene, entry->file, entry->parameters, &text, &s->err);

    (void)err;
    if (status == PERP_OK) {
        status =
            scene_settings(&settings, &run->set->rules, run->integrator, scene, &s->err);
    }
    if (status == PERP_OK) {
        s->law = scene_law(settings.scheme.model);
        s->steps = 1; /* one limit of time, for all of them */
        s->kind = "scene";
        s->hash = scene_hash(scene_hash(PERP_HASH_START, text), entry->parameters);
        s->facts = scene_facts(scene);
    }
    free(text);
    perp_scene_free(scene);
    return PERP_OK;
}

static double scene_solves(const subject *s, const suite_run *run)
{
    (void)run;
    return (double)s->steps;
}

static double scene_real(const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void scene_judge(subject_verdict *v, const subject *s, const suite_run *run,
                        const json_t *answer)
{
    const char *ended = json_string_value(json_object_get(answer, "ended"));
    const char *why = json_string_value(json_object_get(answer, "why"));
    double made = scene_real(answer, "steps"), asked = scene_real(answer, "steps_asked");
    const char *status = "ok";

    (void)s;
    v->residual = scene_real(answer, "residual");
    if (!ended || !(made >= 0.0) || !(asked >= made) || !(v->residual >= 0.0)) {
        snprintf(v->status, sizeof v->status, "error");
        snprintf(v->message, sizeof v->message, "the answer contains no steps");
        return;
    }
    v->judged = true;
    if (strcmp(ended, "early") == 0) {
        status = "early end";
        snprintf(v->message, sizeof v->message, "after %.0f of %.0f step%s: %.400s", made,
                 asked, perp_plural((size_t)asked), why ? why : "");
    } else if (strcmp(ended, "done") != 0) {
        status = strcmp(ended, "time limit") == 0 ? "time limit" : "error";
        snprintf(v->message, sizeof v->message, "%s after %.0f of %.0f step%s", ended,
                 made, asked, perp_plural((size_t)asked));
    }
    snprintf(v->status, sizeof v->status, "%s", status);
    v->solved = strcmp(ended, "done") == 0 && made == asked &&
                scene_real(answer, "solved") == made && v->residual <= run->tolerance;
}

/* Members of a record and those of the answer that they copy. */
static const char *const scene_copied[][2] = {
    {"steps_made", "steps"},
    {"steps_asked", "steps_asked"},
    {"steps_solved", "solved"},
    {"outcomes", "outcomes"},
    {"first_failure", "first_failure"},
    {"t", "t"},
    {"last_dt", "last_dt"},
    {"step_seconds", "step_seconds"},
    {"rows", "rows"},
    {"rows_mean", "rows_mean"},
    {"contacts_mean", "contacts_mean"},
    {"penetration", "penetration"},
    {"penetration_mean", "penetration_mean"},
    {"drift_length", "drift_length"},
    {"drift_length_end", "drift_length_end"},
    {"drift_angle", "drift_angle"},
    {"drift_angle_end", "drift_angle_end"},
    {"drift_length_rate", "drift_length_rate"},
    {"drift_angle_rate", "drift_angle_rate"},
    {"energy", "energy"},
    {"momentum", "momentum"},
    {"iterations_mean", "iterations_mean"},
    {"products_mean", "products_mean"},
    {"moved", "moved"},
    {"final", "final"},
    {"final_unit", "final_unit"},
    {"unresolved", "unresolved"},
    {"warnings", "warnings"},
    {"series", "series"},
    {"settings", "settings"},
};

static void scene_record(json_t *record, const subject *s, const suite_run *run,
                         const json_t *answer)
{
    const json_t *settings = json_object_get(answer, "settings");

    answer_add(record, "n", json_null()); /* rows change from step to step */

    if (!s->facts) { /* it could not be opened */
        return;
    }
    json_object_update(record, s->facts);
    answer_add(record, "coordinates", json_string(run->coordinates));
    answer_add(record, "integrator",
               run->integrator ? json_string(run->integrator)
                               : answer_copy(settings, "integrator"));
    if (json_object_get(answer, "contacts")) {
        answer_add(record, "contacts", answer_copy(answer, "contacts"));
    }
    for (size_t k = 0; k < sizeof scene_copied / sizeof *scene_copied; k++) {
        answer_add(record, scene_copied[k][0], answer_copy(answer, scene_copied[k][1]));
    }
}

/* "solved, 240 of 240 steps, 3.1e-09, 12 us per step, drift 1e-06 m" */
static void scene_summarize(const subject_verdict *v, const suite_run *run,
                            const json_t *answer, char *text, size_t length)
{
    const json_t *seconds = json_object_get(answer, "step_seconds");
    bool ok = strcmp(v->status, "ok") == 0;

    (void)run;
    snprintf(text, length, "%s, %.0f of %.0f step%s, %s, %s per step, drift %s m",
             v->solved ? "solved"
             : ok      ? "not solved"
                       : v->status,
             scene_real(answer, "solved"), scene_real(answer, "steps_asked"),
             perp_plural((size_t)(scene_real(answer, "steps_asked"))),
             output_real(OUTPUT_ROOM, v->residual),
             output_seconds(OUTPUT_ROOM, scene_real(seconds, "median")),
             output_real(OUTPUT_ROOM, scene_real(answer, "drift_length")));
}

const subject_type subject_scene = {
    .name = "scene",
    .list = "scenes",
    .read = scene_read,
    .parameters = scene_call_parameters,
    .variants = scene_variants,
    .vary = scene_vary,
    .identify = scene_identify,
    .label = scene_label,
    .command = scene_command,
    .open = scene_open,
    .solves = scene_solves,
    .judge = scene_judge,
    .record = scene_record,
    .summarize = scene_summarize,
};
