/* SPDX-License-Identifier: Apache-2.0
 * runner/record_scene.c: a scene in the record of a run. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/joint.h>
#include <perp/dynamics/reduce.h>

#include "base/base.h"
#include "experiments/cli/output.h"
#include "experiments/runner/answer.h"
#include "experiments/runner/record_scene.h"
#include "experiments/simulate/catalogue.h"
#include "experiments/simulate/summary.h"

/* Bodies that move by forces, and how many of them joints hold. */
static void scene_count(const perp_world *w, size_t *bodies, size_t *links)
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

/* Coordinates of joints as trees and of bodies that move by themselves; and joints that
 * close loops of these trees. The same in whatever coordinates the scene runs; null where
 * it cannot be reduced. */
static void scene_count_freedom(perp_world *w, json_t **dof, json_t **closing)
{
    perp_error inner = {0};
    perp_status status = perp_world_reduce(w, NULL, &inner);
    const size_t each = w->dimension == 2 ? 3 : 6;
    size_t count = 0;

    *dof = *closing = NULL;
    if (status != PERP_OK && status != PERP_ERR_UNSUITABLE) {
        return;
    }
    for (size_t k = 0; k < w->body_count; k++) {
        bool free = w->motion[k] == PERP_MOTION_DYNAMIC && perp_world_link(w, k) < 0;

        count += free ? each : 0;
    }
    count += w->reduced ? w->reduced->tree->n : 0;
    *dof = json_integer((json_int_t)count);
    *closing = json_integer((json_int_t)sim_joints_with_rows(w));
    perp_world_unreduce(w);
}

static json_t *scene_facts(perp_scene *scene)
{
    json_t *parameters = json_object(), *dof = NULL, *closing = NULL;
    size_t bodies = 0, links = 0;

    scene_count(scene->world, &bodies, &links);
    scene_count_freedom(scene->world, &dof, &closing);
    for (size_t k = 0; k < scene->parameter_count; k++) {
        json_object_set_new(parameters, scene->parameters[k].name,
                            answer_real(scene->parameters[k].value));
    }
    return json_pack("{s:s, s:o, s:I, s:I, s:I, s:o, s:o}", "scene", scene->name,
                     "parameters", parameters, "bodies", (json_int_t)bodies, "links",
                     (json_int_t)links, "joints", (json_int_t)scene->world->joint_count,
                     "dof", dof ? dof : json_null(), "closing_joints",
                     closing ? closing : json_null());
}

perp_status record_scene_open(record_problem *p, const suite_run *run, perp_error *err)
{
    const suite_instance *in = run->instance;
    perp_scene *scene = NULL;
    char *text = NULL;
    perp_status status = scene_load(&scene, in->file, in->sets, &text, &p->err);

    if (status == PERP_OK) {
        p->steps = 1; /* one limit of time, for all of them */
        p->kind = "scene";
        p->hash = perp_hash_bytes(PERP_HASH_START, text, strlen(text));
        p->hash = perp_hash_bytes(p->hash, in->sets, strlen(in->sets));
        p->facts = scene_facts(scene);
    }
    free(text);
    if (scene && !p->facts) {
        status = PERP_ERR_MEMORY;
    }
    perp_scene_free(scene);
    return status == PERP_ERR_MEMORY
               ? perp_fail(err, status, "no memory for the scene %s", in->name)
               : PERP_OK;
}

static double real_of(const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

record_scene record_scene_judge(const json_t *answer, double tolerance)
{
    const char *ended = json_string_value(json_object_get(answer, "ended"));
    const char *why = json_string_value(json_object_get(answer, "why"));
    double made = real_of(answer, "steps"), asked = real_of(answer, "steps_asked");
    record_scene s = {.status = "error", .residual = real_of(answer, "residual")};

    if (!ended || !(made >= 0.0) || !(asked >= made) || !(s.residual >= 0.0)) {
        snprintf(s.message, sizeof s.message, "the answer tells of no steps");
        return s;
    }
    s.judged = true;
    s.status = "ok";
    if (strcmp(ended, "early") == 0) {
        s.status = "early end";
        snprintf(s.message, sizeof s.message, "after %.0f of %.0f steps: %s", made, asked,
                 why ? why : "");
    } else if (strcmp(ended, "done") != 0) {
        s.status = strcmp(ended, "time limit") == 0 ? "time limit" : "error";
        snprintf(s.message, sizeof s.message, "%s after %.0f of %.0f steps", ended, made,
                 asked);
    }
    s.solved = strcmp(ended, "done") == 0 && made == asked &&
               real_of(answer, "solved") == made && s.residual <= tolerance;
    return s;
}

static int put_copy(json_t *record, const char *key, const json_t *answer,
                    const char *from)
{
    json_t *value = json_object_get(answer, from);

    return json_object_set_new(record, key, value ? json_incref(value) : json_null());
}

int record_scene_put(json_t *record, const record_problem *p, const suite_run *run,
                     const json_t *answer)
{
    static const char *const copied[][2] = {
        {"steps_made", "steps"},
        {"steps_asked", "steps_asked"},
        {"steps_solved", "solved"},
        {"outcomes", "outcomes"},
        {"first_failure", "first_failure"},
        {"t", "t"},
        {"step_seconds", "step_seconds"},
        {"rows", "rows"},
        {"rows_mean", "rows_mean"},
        {"contacts_mean", "contacts_mean"},
        {"penetration", "penetration"},
        {"drift_length", "drift_length"},
        {"drift_length_end", "drift_length_end"},
        {"drift_angle", "drift_angle"},
        {"drift_angle_end", "drift_angle_end"},
        {"energy", "energy"},
        {"unresolved", "unresolved"},
        {"settings", "settings"},
    };
    const json_t *settings = json_object_get(answer, "settings");
    int failed = json_object_update(record, p->facts);

    failed += json_object_set_new(record, "coordinates", json_string(run->coordinates));
    failed += run->integrator ? json_object_set_new(record, "integrator",
                                                    json_string(run->integrator))
                              : put_copy(record, "integrator", settings, "integrator");
    failed +=
        json_object_set_new(record, "solver_label", json_string(run->solver->label));
    if (json_object_get(answer, "contacts")) {
        failed += put_copy(record, "contacts", answer, "contacts");
    }
    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        failed += put_copy(record, copied[k][0], answer, copied[k][1]);
    }
    return failed;
}

void record_scene_tell(const json_t *answer, const char *how, char *text, size_t length)
{
    const json_t *seconds = json_object_get(answer, "step_seconds");

    snprintf(text, length, "%s, %.0f of %.0f steps, %s, %s a step, drift %s m", how,
             real_of(answer, "solved"), real_of(answer, "steps_asked"),
             output_real(OUTPUT_ROOM, real_of(answer, "residual")),
             output_seconds(OUTPUT_ROOM, real_of(seconds, "median")),
             output_real(OUTPUT_ROOM, real_of(answer, "drift_length")));
}
