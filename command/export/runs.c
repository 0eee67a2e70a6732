/* SPDX-License-Identifier: Apache-2.0
 * export/runs.c: the problems of the steps of a run: of a scene, or of a stored run that is
 * made again. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/export/export.h"
#include "command/simulate/capture.h"
#include "command/simulate/catalogue.h"
#include "command/simulate/march.h"
#include "command/simulate/robots.h"
#include "command/simulate/trajectory.h"

static const cli_option stored_options[] = {SIM_SETTINGS_OPTIONS, ROBOT_OPTIONS,
                                            CLI_OPTION_END};
static const cli_verb stored_verb = {
    .name = "export", .options = stored_options, .settings = true, .solver = true};

/* A run at work. */
typedef struct export_run {
    const export_orders *orders;
    const char *name;
    char source[2 * INSTANCE_NAME];
    sim_capture capture;
    sim_summary summary;
    sim_end end;
    /* Of the stored run, one number per step; NULL: of a scene. */
    double *t, *residual;
} export_run;

static perp_status run_export(export_run *run, const sim_march *m,
                              const perp_report *report, perp_error *err)
{
    const perp_system *system = perp_stepper_system(m->stepper);
    const perp_contacts *contacts = perp_stepper_contacts(m->stepper);
    const collection_origin origin = {.source = run->source, .computed = true};
    perp_problem *p = NULL;
    char name[2 * INSTANCE_NAME];
    perp_status status =
        run->orders->global
            ? perp_system_export_global(system, m->world, contacts, &p, err)
            : perp_system_export(system, m->world, contacts, PERP_STORAGE_FACTORED, &p,
                                 err);

    snprintf(name, sizeof name, "%s-%05zu", run->name, report->step);
    snprintf(run->source, sizeof run->source, "perp %s, scene %s, step %zu, t = %.9g s",
             perp_version(), run->name, report->step, report->t);
    return status == PERP_OK ? export_problem(run->orders, p, name, &origin, err)
                             : status;
}

/* Is this the step that was stored? Its residual says so to the bit. */
static perp_status run_same(const export_run *run, const perp_report *report,
                            perp_error *err)
{
    size_t k = report->step - 1;

    if (!run->t || (run->t[k] == report->t &&
                    (run->residual[k] == report->residual ||
                     (isnan(run->residual[k]) && isnan(report->residual))))) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "step %zu has the residual %.17g at t = %.17g, the stored run %.17g "
                     "at %.17g: this build or machine does not repeat it; simulate the "
                     "scene with --capture, and export that folder",
                     report->step, report->residual, report->t, run->residual[k],
                     run->t[k]);
}

static perp_status run_observe(void *context, const sim_march *m,
                               const perp_report *report, perp_error *err)
{
    export_run *run = context;
    perp_status status = run_same(run, report, err);

    if (status != PERP_OK || report->rows == 0 ||
        !sim_capture_holds(&run->capture, report)) {
        return status;
    }
    return run_export(run, m, report, err);
}

static perp_status run_make(export_run *run, perp_scene *scene,
                            const sim_settings *settings, perp_error *err)
{
    sim_march m = {.summary = &run->summary, .end = &run->end, .stop = run->orders->stop};
    perp_error inner = {0};
    perp_status status = sim_capture_when(&run->capture, run->orders->when, &inner);

    if (status != PERP_OK) {
        perp_fail(err, status, "--when \"%s\": %s", run->orders->when, inner.text);
    }
    if (status == PERP_OK) {
        status = sim_march_open(&m, scene, settings, err);
    }
    if (status == PERP_OK) {
        status = sim_march_run(&m, run_observe, run, err);
    }
    if (status == PERP_OK && run->end.early) {
        status = perp_fail(err, PERP_ERR_DATA, "%s: step %zu: %s", run->name, m.step + 1,
                           run->end.why);
    }
    sim_march_close(&m);
    sim_capture_close(&run->capture);
    return status;
}

perp_status export_scene(const export_orders *o, perp_scene *scene, const cli_args *args,
                         const char *name, perp_error *err)
{
    export_run *run = take(1, sizeof *run);
    sim_settings *settings = take(1, sizeof *settings);
    perp_status status = PERP_OK;

    status = sim_settings_read(settings, args, scene, err);
    if (status == PERP_OK) {
        run->orders = o;
        run->name = name;
        status = run_make(run, scene, settings, err);
    }
    free(settings);
    free(run);
    return status;
}

/* A stored run: its scene, and its settings as the words of a command. */
typedef struct stored {
    char name[INSTANCE_NAME];  /* of the scene */
    char place[DATA_PATH];     /* where the scene was, if it reads other files, else "" */
    char robot[2 * DATA_PATH]; /* options of a URDF file, a word per line */
    char *scene_text, *settings_text, *words_text;
    char *words[CLI_GIVEN_ROOM];
    int word_count;
    char parameters[SCENE_SETS * SCENE_SET];
    perp_scene *scene;
    cli_args args;
    sim_settings settings;
    double short_dt; /* of its last step; 0: dt */
} stored;

/* "name = value" as an option of perp simulate, or as a parameter of the scene. */
static perp_status stored_line(stored *s, char *line, char **room, perp_error *err)
{
    char *equals = strstr(line, " = ");
    size_t used = strlen(s->parameters), set = strlen(SIM_SETTINGS_SET);

    if (!equals || s->word_count == CLI_GIVEN_ROOM) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "found \"%.80s\" among the settings, expected name = value",
                         line);
    }
    *equals = '\0';
    if (strncmp(line, SIM_SETTINGS_SET, set) == 0) {
        snprintf(s->parameters + used, sizeof s->parameters - used, "%s%s=%s",
                 used ? "," : "", line + set, equals + 3);
        return PERP_OK;
    }
    if (strcmp(line, "start") == 0) {
        if (strcmp(equals + 3, "cold") == 0) {
            s->words[s->word_count++] = (char *)(uintptr_t) "--cold";
        }
        return PERP_OK;
    }
    s->words[s->word_count++] = *room;
    *room += sprintf(*room, "--%s=%s", strcmp(line, "renew") == 0 ? "chart-switch" : line,
                     equals + 3) +
             1;
    return PERP_OK;
}

/* The words of the options of a URDF file. */
static void stored_robot(stored *s)
{
    for (char *line = s->robot; *line && s->word_count < CLI_GIVEN_ROOM;) {
        size_t length = strcspn(line, "\n");
        bool more = line[length] == '\n';

        line[length] = '\0';
        s->words[s->word_count++] = line;
        line += length + more;
    }
}

static perp_status stored_words(stored *s, perp_error *err)
{
    char *copy = take_text(s->settings_text), *next = copy, *room = NULL;
    perp_status status = PERP_OK;

    s->words_text = take(1, 16 * (strlen(s->settings_text) + 16));
    room = s->words_text;
    for (char *line = next; *line && status == PERP_OK; line = next) {
        size_t length = strcspn(line, "\n");

        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        status = stored_line(s, line, &room, err);
    }
    free(copy);
    stored_robot(s);
    return status == PERP_OK
               ? cli_args_read(&s->args, &stored_verb, s->word_count, s->words, err)
               : status;
}

/* The scene from its text, as if it stood where it was. */
static perp_status stored_scene(stored *s, const char *path, perp_error *err)
{
    const char *name = *s->place ? s->place : path;
    const size_t length = strlen(s->scene_text);
    scene_sets sets = {.text = NULL};
    perp_status status = scene_sets_read(&sets, s->parameters, err);

    if (status == PERP_OK && robot_detect(name, s->scene_text, length)) {
        status = robot_open(&s->args, name, s->scene_text, length, sets.set, sets.count,
                            &s->scene, err);
    } else if (status == PERP_OK) {
        status = perp_scene_parse_with(&s->scene, s->scene_text, length, name, sets.set,
                                       sets.count, err);
    }
    scene_sets_clear(&sets);
    return status;
}

/* The settings as they are read back must be those of the run, line by line. */
static perp_status stored_settings(stored *s, const char *path, size_t steps,
                                   perp_error *err)
{
    char *now = NULL;
    perp_status status = sim_settings_read(&s->settings, &s->args, s->scene, err);

    if (status == PERP_OK) {
        s->settings.steps = steps;
        s->settings.short_step = s->short_dt > 0.0 ? steps : 0;
        s->settings.short_dt = s->short_dt;
        now = sim_settings_text(&s->settings);
        status = sim_settings_same(path, s->settings_text, now, err);
    }
    free(now);
    return status;
}

/* The column of the metric "residual". */
static size_t stored_residual(void)
{
    size_t count = 0, k = 0;
    const perp_metric *const *metrics = perp_metrics(&count);

    while (k < count && strcmp(metrics[k]->name, "residual") != 0) {
        k++;
    }
    return TRAJECTORY_FIXED + k;
}

static perp_status stored_read(stored *s, export_run *run, const char *path,
                               size_t *steps, perp_error *err)
{
    trajectory_file file = {0};
    bool named = false, there = false;
    size_t rest = 0;
    perp_status status = trajectory_open(&file, path, err);

    if (status == PERP_OK) {
        status = trajectory_text(&file, "scene", &s->scene_text);
    }
    if (status == PERP_OK) {
        status = trajectory_text(&file, "settings", &s->settings_text);
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute_text(&file.file, "/meta", "name", s->name,
                                        sizeof s->name, &named);
    }
    if (status == PERP_OK && !named) {
        snprintf(s->name, sizeof s->name, "run");
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute_text(&file.file, "/meta", "place", s->place,
                                        sizeof s->place, &there);
    }
    if (status == PERP_OK) {
        status = perp_h5_attribute_text(&file.file, "/meta", "robot", s->robot,
                                        sizeof s->robot, &there);
    }
    rest = 1 - (size_t)file.first; /* rows before that of step 1 */
    *steps = (size_t)file.count[TRAJECTORY_STEP];
    *steps -= *steps >= rest ? rest : 0;
    if (status == PERP_OK) {
        run->t = take(*steps + 1, sizeof *run->t);
        run->residual = take(*steps + 1, sizeof *run->residual);
        status = PERP_OK;
    }
    if (status == PERP_OK) {
        status = trajectory_read(&file, TRAJECTORY_T, NULL, rest, *steps, run->t);
    }
    if (status == PERP_OK) {
        status = trajectory_read(&file, stored_residual(), "residual", rest, *steps,
                                 run->residual);
    }
    if (status == PERP_OK && file.count[TRAJECTORY_CHECKPOINT] > 0) {
        sim_summary summary = {0};

        file.file.err = NULL; /* a run of an earlier version has no such number */
        trajectory_summary(&file, SIM_SUMMARY_SIZE, (double *)(void *)&summary);
        s->short_dt = summary.short_dt;
    }
    trajectory_shut(&file);
    return status;
}

bool export_is_trajectory(const char *dir)
{
    char path[DATA_PATH];

    return snprintf(path, sizeof path, "%s/trajectory.h5", dir) < DATA_PATH &&
           data_is_file(path);
}

/* Read the run and make it again. */
static perp_status stored_export(stored *s, export_run *run, const char *dir,
                                 perp_error *err)
{
    char path[DATA_PATH];
    size_t steps = 0;

    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    TRY(stored_read(s, run, path, &steps, err));
    TRY(stored_words(s, err));
    TRY(stored_scene(s, path, err));
    TRY(stored_settings(s, path, steps, err));
    run->name = s->name;
    return run_make(run, s->scene, &s->settings, err);
}

perp_status export_trajectory(const export_orders *o, const char *dir, perp_error *err)
{
    stored *s = take(1, sizeof *s);
    export_run *run = take(1, sizeof *run);
    perp_status status = PERP_OK;

    run->orders = o;
    status = stored_export(s, run, dir, err);
    perp_scene_free(s->scene);
    free(s->scene_text);
    free(s->settings_text);
    free(s->words_text);
    free(run->t);
    free(run->residual);
    free(s);
    free(run);
    return status;
}
