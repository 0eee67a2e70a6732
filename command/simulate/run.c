/* SPDX-License-Identifier: Apache-2.0
 * simulate/run.c: run a scene: step, record, capture; checkpoints on the way. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "command/cli/data.h"
#include "command/cli/holder.h"
#include "command/cli/machine.h"
#include "command/cli/progress.h"
#include "command/cli/take.h"
#include "command/simulate/capture.h"
#include "command/simulate/frames.h"
#include "command/simulate/march.h"
#include "command/simulate/metrics_csv.h"
#include "command/simulate/run.h"
#include "command/simulate/unresolved.h"
#include "command/simulate/words.h"

static const double checkpoint_seconds = 2.0; /* that a kill may cost */

/* A run at work. */
typedef struct run {
    const sim_orders *orders;
    sim_march m;
    sim_summary *summary;
    perp_error *err;
    trajectory *out;
    trajectory_file old;
    metrics_csv csv;
    sim_capture capture;
    sim_names names;
    progress_bar bar;
    char path[DATA_PATH]; /* of the trajectory */
    char *settings;       /* as text */
    const char **texts;   /* of the head */
    char outcomes[256];
    trajectory_head head;
    double *metrics, *drift, *state;
    size_t state_room;
    int folder;             /* held open, locked */
    double started, before; /* seconds: this call began; of calls before */
    double saved;           /* when the last checkpoint was */
    size_t saved_step;
    bool partial; /* not all of a step is written: no checkpoint may count it */
} run;

/* A file of the folder. */
static void run_path(const run *r, const char *name, char path[DATA_PATH])
{
    snprintf(path, DATA_PATH, "%s/%s", r->orders->dir, name);
}

/* The folder, and those above it; held against another perp. */
static perp_status run_folder(run *r)
{
    const char *dir = r->orders->dir;
    char path[DATA_PATH];

    if (snprintf(path, sizeof path, "%s", dir) >= DATA_PATH - 64) {
        return perp_fail(r->err, PERP_ERR_OPTION, "%.80s...: too long a name", dir);
    }
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777); /* an error is reported by the last one */
            *at = '/';
        }
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return perp_fail(r->err, PERP_ERR_WRITE, "%s: cannot make the folder: %s", dir,
                         strerror(errno));
    }
    r->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r->folder < 0 || access(path, W_OK) != 0) {
        return perp_fail(r->err, PERP_ERR_WRITE, "%s: %s", dir, strerror(errno));
    }
    return r->orders->held ? PERP_OK : holder_lock(r->folder, dir, r->err);
}

/* Names of metrics, units, bodies, joints, and the attributes: pointers only. */
static void run_head(run *r)
{
    const perp_world *w = r->m.world;
    size_t metrics = 0, used = 0;
    const perp_metric *const *list = perp_metrics(&metrics);
    const char **at = NULL;

    r->texts = take(2 * metrics + w->body_count + w->joint_count + 23, sizeof *r->texts);
    r->metrics = take(metrics + 1, sizeof *r->metrics);
    r->drift = take(2 * w->joint_count + 1, sizeof *r->drift);
    for (int k = 0; k <= PERP_INTERRUPTED; k++) {
        used += (size_t)snprintf(r->outcomes + used, sizeof r->outcomes - used, "%s%s",
                                 k ? ", " : "", perp_outcome_text((perp_outcome)k));
    }
    at = r->texts;
    r->head.body_count = w->body_count;
    r->head.joint_count = w->joint_count;
    r->head.metric_count = metrics;
    r->head.summary_size = SIM_SUMMARY_SIZE;
    r->head.metrics = at;
    r->head.units = at += metrics;
    r->head.bodies = at += metrics;
    r->head.joints = at += w->body_count;
    r->head.attributes = at += w->joint_count;
    for (size_t k = 0; k < metrics; k++) {
        r->texts[k] = list[k]->name;
        r->texts[metrics + k] = list[k]->unit;
    }
    for (size_t k = 0; k < w->body_count; k++) {
        r->texts[2 * metrics + k] = w->name[k];
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        r->texts[2 * metrics + w->body_count + k] = w->joints[k].name;
    }
    const char *const attributes[] = {
        "format",      "perp-trajectory",
        "layout",      TRAJECTORY_LAYOUT_TEXT,
        "version",     perp_version(),
        "commit",      machine_commit(),
        "compiler",    PERP_BUILD_CC " " __VERSION__,
        "name",        r->orders->scene->name,
        "solver",      r->orders->settings->solver_name,
        "outcomes",    r->outcomes,
        "coordinates", perp_coordinates_names[r->orders->settings->coordinates],
    };

    const char *const from[] = {"place", r->orders->place, "robot", r->orders->robot};

    memcpy(at, attributes, sizeof attributes);
    at += sizeof attributes / sizeof *attributes;
    for (size_t k = 0; k < sizeof from / sizeof *from; k += 2) {
        if (from[k + 1]) {
            *at++ = from[k];
            *at++ = from[k + 1];
        }
    }
    r->head.scene = r->orders->text;
    r->head.settings = r->settings;
    r->head.name_room = sim_names_room(w);
    r->head.world = w;
    r->head.dt = r->orders->settings->scheme.dt;
}

/* Scene and settings of the trajectory that is there must be those of now. */
static perp_status run_check_old(run *r)
{
    char *scene = NULL, *settings = NULL;
    perp_status status = trajectory_text(&r->old, "scene", &scene);

    if (status == PERP_OK) {
        status = trajectory_text(&r->old, "settings", &settings);
    }
    if (status == PERP_OK && strcmp(scene, r->orders->text) != 0) {
        status = perp_fail(r->err, PERP_ERR_OPTION,
                           "%s: was made of another scene, or it changed since", r->path);
    }
    if (status == PERP_OK) {
        status = sim_settings_same(r->path, settings, r->settings, r->err);
    }
    free(scene);
    free(settings);
    return status;
}

/* A run that ended with a shortened step has no further steps of dt. */
static perp_status run_check_end(const run *r)
{
    const sim_settings *s = r->orders->settings;
    const size_t made = (size_t)r->old.step;
    const double last = r->summary->short_dt;

    if (last == 0.0 || made > s->steps ||
        (made == s->steps && last == sim_settings_dt(s, made))) {
        return PERP_OK;
    }
    return perp_fail(
        r->err, PERP_ERR_OPTION,
        "%s: ended at %g s with a step of %g s in place of %g s, which a longer "
        "run does not have: run the scene again into another -o DIR",
        r->path, r->summary->t, last, s->scheme.dt);
}

/* Take up the state of the last checkpoint. */
static perp_status run_restore(run *r)
{
    size_t size = 0, words = 0;
    double *state = NULL;
    perp_status status = run_check_old(r);

    if (status == PERP_OK) {
        status =
            trajectory_summary(&r->old, SIM_SUMMARY_SIZE, (double *)(void *)r->summary);
    }
    if (status == PERP_OK) {
        status = trajectory_state(&r->old, &state, &size);
    }
    if (status == PERP_OK) {
        words = r->summary->words >= 0.0 && r->summary->words <= (double)size
                    ? (size_t)r->summary->words
                    : size;
        size -= words;
        status = perp_stepper_load(r->m.stepper, state, size, r->err);
    }
    if (status == PERP_OK) {
        status = sim_words_load(r->m.end, state + size, words, r->err);
    }
    if (status == PERP_OK) {
        status = run_check_end(r);
    }
    r->m.step = (size_t)r->old.step;
    r->m.end->resumed = r->m.step;
    r->before = r->summary->seconds;
    free(state);
    return status;
}

/* A kill in the midst of a write, or a disk, can leave a block that is torn: what cannot be read is
 * set aside, and made again. A file that does not begin as HDF5 is none of ours. */
static perp_status run_set_aside(run *r, perp_status status, const perp_error *why,
                                 bool *there)
{
    const perp_source from = {.name = r->path};
    char aside[DATA_PATH + 16];
    bool torn = r->old.file.id >= 0 ? r->old.layout == TRAJECTORY_LAYOUT
                                    : access(r->path, R_OK) == 0 && perp_h5_detect(&from);

    /* Without memory the file may be sound. */
    if (status == PERP_OK || status == PERP_ERR_MEMORY || !torn) {
        return status == PERP_OK ? PERP_OK : perp_fail(r->err, status, "%s", why->text);
    }
    trajectory_shut(&r->old);
    snprintf(aside, sizeof aside, "%s.damaged", r->path);
    if (rename(r->path, aside) != 0) {
        return perp_fail(r->err, PERP_ERR_WRITE, "%s: %s", aside, strerror(errno));
    }
    fprintf(stderr, "perp simulate: %s: it is kept as %s, and the run starts again\n",
            why->text, aside);
    *there = false;
    return PERP_OK;
}

/* Is there a run in the folder? It is gone on with, or left alone. */
static perp_status run_old(run *r, bool *there)
{
    perp_error why = {0};
    perp_status status = PERP_OK;

    *there = access(r->path, F_OK) == 0;
    if (!*there) {
        return PERP_OK;
    }
    if (!r->orders->resume) {
        return perp_fail(
            r->err, PERP_ERR_OPTION,
            "%s: exists; continue it with --resume, replace it with --force, "
            "or choose another -o DIR",
            r->path);
    }
    status = trajectory_open(&r->old, r->path, &why);
    if (status == PERP_OK && r->old.layout == TRAJECTORY_LAYOUT) {
        status = trajectory_check(&r->old, &r->head);
    }
    r->old.file.err = r->err;
    status = run_set_aside(r, status, &why, there);
    if (r->old.count[TRAJECTORY_CHECKPOINT] == 0) {
        *there = false; /* killed before the first checkpoint: start again */
    }
    if (status == PERP_OK && *there && r->old.layout != TRAJECTORY_LAYOUT) {
        status =
            perp_fail(r->err, PERP_ERR_FORMAT,
                      "%s: layout %d, expected " TRAJECTORY_LAYOUT_TEXT
                      ": another version of perp began this run; run the scene again "
                      "into another -o DIR",
                      r->path, r->old.layout);
    }
    return status;
}

static perp_status run_open(run *r)
{
    const sim_orders *o = r->orders;
    const trajectory_file *old = NULL;
    char path[DATA_PATH];
    bool there = false;
    perp_status status = PERP_OK;

    run_head(r);
    if (o->capture) {
        status =
            sim_capture_open(&r->capture, o->capture, o->dir, o->scene->name, r->err);
    }
    if (status == PERP_OK) {
        status = sim_march_open(&r->m, o->scene, o->settings, r->err);
    }
    /* All that was typed is in order: from here on something is written. */
    if (status == PERP_OK) {
        status = run_folder(r);
    }
    run_path(r, "trajectory.h5", r->path);
    if (status == PERP_OK) {
        status = run_old(r, &there);
    }
    if (status == PERP_OK && there) {
        old = &r->old;
        status = run_restore(r);
    }
    if (status == PERP_OK && o->capture) {
        status = sim_capture_resume(&r->capture, old ? r->m.state->t : -INFINITY, r->err);
    }
    if (status == PERP_OK) {
        status = sim_names_open(&r->names, r->head.name_room, old, r->err);
    }
    run_path(r, "metrics.csv", path);
    if (status == PERP_OK) {
        status = metrics_csv_open(&r->csv, path, &r->head, old, r->err);
    }
    if (status == PERP_OK) {
        status = trajectory_create(&r->out, r->path, &r->head, old, r->err);
    }
    trajectory_shut(&r->old);
    return status;
}

static perp_status run_checkpoint(run *r)
{
    const size_t own = perp_stepper_state_size(r->m.stepper);
    const size_t words = sim_words_size(r->m.end), size = own + words;
    perp_status status = PERP_OK;

    TAKE_ROOM(r->state, r->state_room, size);
    TRY(perp_stepper_save(r->m.stepper, r->state, own, r->err));
    sim_words_save(r->m.end, r->state + own);
    r->summary->words = (double)words;
    r->saved = perp_clock();
    r->saved_step = r->m.step;
    r->summary->seconds = r->before + r->saved - r->started;
    r->summary->captured = (double)sim_capture_count(&r->capture);
    status = metrics_csv_flush(&r->csv);
    return status == PERP_OK
               ? trajectory_checkpoint(r->out, r->m.step, r->state, size,
                                       (const double *)(const void *)r->summary)
               : status;
}

static perp_status run_frame(run *r, bool start)
{
    r->summary->frames++;
    return sim_frame_append(r->out, &r->names, r->m.step, r->m.world, r->m.state,
                            start ? NULL : r->m.stepper, r->err);
}

/* The rows of a step, or of the start. */
static perp_status run_record(run *r, const perp_report *report)
{
    const perp_metric *const *metrics = perp_metrics(NULL);
    const int32_t outcome =
        report->step > 0 ? (int32_t)report->outcome : TRAJECTORY_OUTCOME_START;
    perp_status status = trajectory_append(r->out, TRAJECTORY_T, &report->t);

    if (status == PERP_OK) {
        status = trajectory_append(r->out, TRAJECTORY_OUTCOME, &outcome);
    }
    for (size_t k = 0; k < r->head.metric_count && status == PERP_OK; k++) {
        r->metrics[k] = metrics[k]->value(report);
        status = trajectory_append(r->out, TRAJECTORY_FIXED + k, &r->metrics[k]);
    }
    for (size_t k = 0; k < r->m.world->joint_count; k++) {
        perp_joint_drift(&r->m.world->joints[k], r->m.world, r->m.state, &r->drift[2 * k],
                         &r->drift[2 * k + 1]);
    }
    if (status == PERP_OK) {
        status = trajectory_append(r->out, TRAJECTORY_DRIFT, r->drift);
    }
    if (status == PERP_OK) {
        metrics_csv_row(&r->csv, report->step, outcome, r->metrics, r->drift);
    }
    return status;
}

/* The start as a step 0: energies, momenta and drift. Contacts were not searched, no problem was
 * solved: the other measures are 0. */
static perp_status run_record_start(run *r)
{
    const perp_world *w = r->m.world;
    perp_report start = {.t = r->m.state->t,
                         .kinetic = r->summary->start_kinetic,
                         .potential = r->summary->start_potential,
                         .stored = r->summary->start_stored};

    for (size_t k = 0; k < w->joint_count; k++) {
        double length = 0.0, angle = 0.0;

        if (!w->joints[k].disabled) {
            perp_joint_drift(&w->joints[k], w, r->m.state, &length, &angle);
        }
        start.drift_length = fmax(start.drift_length, length);
        start.drift_angle = fmax(start.drift_angle, angle);
    }
    perp_world_momentum(w, r->m.state, start.momentum);
    perp_world_angular_momentum(w, r->m.state, start.angular_momentum);
    return run_record(r, &start);
}

/* What a run without a single step leaves of its folder: nothing. */
static void run_discard(const run *r)
{
    static const char *const files[] = {"trajectory.h5", "metrics.csv"};
    char path[DATA_PATH];

    for (size_t k = 0; k < 2; k++) {
        run_path(r, files[k], path);
        remove(path);
    }
    rmdir(r->orders->dir); /* unless something else is there */
}

/* What a step leaves in the folder. */
static perp_status run_observe(void *context, const sim_march *m,
                               const perp_report *report, perp_error *err)
{
    run *r = context;
    perp_status status = PERP_OK;

    r->partial = true;
    status = sim_unresolved_write(r->orders->dir, m->step, m->world, m->state,
                                  &m->settings->scheme,
                                  perp_stepper_collision(m->stepper), r->summary, err);

    if (status == PERP_OK) {
        status = run_record(r, report);
    }
    if (status == PERP_OK && r->orders->capture) {
        status = sim_capture_step(&r->capture, report, m->dt, m->stepper, m->world, err);
    }
    if (status == PERP_OK && m->step % m->settings->every == 0) {
        status = run_frame(r, false);
    }
    r->partial = status != PERP_OK;
    if (status == PERP_OK && ((r->orders->checkpoint > 0 &&
                               m->step >= r->saved_step + r->orders->checkpoint) ||
                              perp_clock() >= r->saved + checkpoint_seconds)) {
        status = run_checkpoint(r);
    }
    progress_bar_draw(&r->bar, m->step, "t = %.4g s  %zu not solved", report->t,
                      m->step - (size_t)r->summary->solved);
    return status;
}

static perp_status run_steps(run *r)
{
    const sim_orders *o = r->orders;
    perp_status status = PERP_OK, last = PERP_OK;

    if (trajectory_count(r->out, TRAJECTORY_FRAME) ==
        0) { /* a resumed run has its start */
        status = run_frame(r, true);
        status = status == PERP_OK ? run_record_start(r) : status;
        r->partial = status != PERP_OK;
        if (status == PERP_OK) {
            status = run_checkpoint(r);
        }
    }
    progress_bar_start(&r->bar, stderr, o->quiet, r->m.step, o->settings->steps);
    if (status == PERP_OK) {
        status = sim_march_run(&r->m, run_observe, r, r->err);
    }
    progress_bar_end(&r->bar);
    /* Even after a failure, what was made before it is kept. */
    last = r->partial ? PERP_OK : run_checkpoint(r);
    return status == PERP_OK ? last : status;
}

perp_status simulate_run(const sim_orders *orders, sim_summary *summary, sim_end *end,
                         perp_error *err)
{
    run *r = take(1, sizeof *r);
    perp_status status = PERP_OK, closed = PERP_OK;
    bool made = false;

    r->settings = sim_settings_text(orders->settings);
    memset(end, 0, sizeof *end);
    r->orders = orders;
    r->m = (sim_march){
        .summary = summary, .end = end, .stop = orders->stop, .limit = orders->within};
    r->m.world = orders->scene->world;
    r->summary = summary;
    r->err = err;
    r->folder = -1;
    r->started = r->saved = perp_clock();
    r->old.file.id = H5I_INVALID_HID;
    status = run_open(r);
    r->saved_step = r->m.step;
    made = r->out != NULL;
    if (status == PERP_OK) {
        status = run_steps(r);
    }
    closed = trajectory_close(r->out);
    if (status == PERP_OK) {
        status = closed;
    }
    closed = metrics_csv_close(&r->csv);
    if (status == PERP_OK) {
        status = closed;
    }
    if (status != PERP_OK && made && r->m.step == 0) {
        run_discard(r);
    }
    sim_capture_close(&r->capture);
    sim_names_close(&r->names);
    sim_march_close(&r->m);
    if (r->folder >= 0) {
        close(r->folder);
    }
    free(r->settings);
    free((void *)r->texts);
    free(r->metrics);
    free(r->drift);
    free(r->state);
    free(r);
    return status;
}
