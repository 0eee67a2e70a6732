/* SPDX-License-Identifier: Apache-2.0
 * simulate/capture.c: write the problems of some steps, with the identities of their
 * contacts.
 *
 * DIR/capture is a sequence: a folder of files step_00050.hdf5, each a sequence of one item
 * that is written whole or not at all. So a long run needs the memory of one problem, and a
 * kill loses none that the trajectory has. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perp/sequence.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/simulate/capture.h"

enum { FIRST_METRIC = 3 }; /* after step, t, failed */

static void capture_names(sim_capture *c)
{
    size_t count = 0;
    const perp_metric *const *metrics = perp_metrics(&count);

    c->names = take(FIRST_METRIC + count + 1, sizeof *c->names);
    c->values = take(FIRST_METRIC + count + 1, sizeof *c->values);
    c->names[0] = "step";
    c->names[1] = "t";
    c->names[2] = "failed";
    for (size_t k = 0; k < count; k++) {
        c->names[FIRST_METRIC + k] = metrics[k]->name;
    }
}

/* "DIR/NAME", on the heap. */
static char *capture_path(const char *dir, const char *name)
{
    size_t room = strlen(dir) + strlen(name) + 2;
    char *path = take(1, room);

    snprintf(path, room, "%s/%s", dir, name);
    return path;
}

perp_status sim_capture_when(sim_capture *c, const char *when, perp_error *err)
{
    memset(c, 0, sizeof *c);
    capture_names(c);
    return condition_parse(&c->when, when, c->names, err);
}

perp_status sim_capture_open(sim_capture *c, const char *when, const char *dir,
                             const char *name, perp_error *err)
{
    perp_error inner = {0};
    perp_status status = sim_capture_when(c, when, &inner);

    if (status != PERP_OK) {
        return perp_fail(err, status, "--capture \"%s\": %s", when, inner.text);
    }
    c->folder = capture_path(dir, "capture");
    c->name = take_text(name);
    return PERP_OK;
}

/* "step_00050.hdf5" */
static int is_capture(const struct dirent *entry)
{
    size_t number = 0;
    int end = 0;

    return sscanf(entry->d_name, "step_%zu.hdf5%n", &number, &end) == 1 && end > 0 &&
           entry->d_name[end] == '\0';
}

/* The time of the item in a file. */
static perp_status capture_time(const char *path, double *t, perp_error *err)
{
    perp_sequence *s = NULL;
    perp_sequence_item item = {0};
    perp_status status = perp_sequence_open(&s, path, err);

    if (status == PERP_OK) {
        status = perp_sequence_get(s, 0, &item, err);
    }
    *t = item.t;
    perp_sequence_item_clear(&item);
    perp_sequence_free(s);
    return status;
}

perp_status sim_capture_resume(sim_capture *c, double t, perp_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(c->folder, &entries, is_capture, versionsort);
    perp_status status = PERP_OK;

    for (int k = 0; k < count; k++) {
        char *path = capture_path(c->folder, entries[k]->d_name);
        double found = 0.0;

        if (status == PERP_OK && t > -INFINITY) {
            status = capture_time(path, &found, err);
        }
        if (status == PERP_OK && found <= t) {
            c->count++;
        } else if (status == PERP_OK) {
            unlink(path);
        }
        free(path);
        free(entries[k]);
    }
    free(entries);
    return status; /* no folder: nothing was captured */
}

/* A sequence of one item, which is consumed. */
static perp_status capture_write(sim_capture *c, size_t step, perp_sequence_item *item,
                                 perp_error *err)
{
    char file[64];
    char *path = NULL;
    perp_sequence *s = NULL;
    perp_status status = perp_sequence_new(&s, c->name, err);

    if (status != PERP_OK) {
        perp_sequence_item_clear(item);
        return status;
    }
    status = perp_sequence_add(s, item, err);
    snprintf(file, sizeof file, "step_%05zu.hdf5", step);
    path = capture_path(c->folder, file);
    if (status == PERP_OK && mkdir(c->folder, 0777) != 0 && errno != EEXIST) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot make the folder: %s",
                           c->folder, strerror(errno));
    }
    if (status == PERP_OK) {
        status = perp_sequence_write(s, path, err);
    }
    c->count += status == PERP_OK;
    free(path);
    perp_sequence_free(s);
    return status;
}

bool sim_capture_holds(const sim_capture *c, const perp_report *report)
{
    size_t count = 0;
    const perp_metric *const *metrics = perp_metrics(&count);

    c->values[0] = (double)report->step;
    c->values[1] = report->t;
    c->values[2] = report->outcome != PERP_SOLVED;
    for (size_t k = 0; k < count; k++) {
        c->values[FIRST_METRIC + k] = metrics[k]->value(report);
    }
    return condition_holds(&c->when, c->values);
}

void sim_capture_origin(perp_problem *p, const char *source, const perp_report *report,
                        double dt)
{
    perp_origin *o = p->origin;

    o->source = take_text(source);
    o->step = report->step;
    o->timed = true;
    o->time = report->t;
    o->dt = dt;
    o->hash = perp_problem_hash(p);
}

/* A in the factors that a file holds, so that its hash is that of the file. */
static perp_status capture_factors(perp_problem *p, perp_error *err)
{
    perp_operator *A = NULL;
    perp_status status = PERP_OK;

    if (perp_operator_in_factors(p->A)) {
        status = perp_operator_convert(&A, p->A, PERP_STORAGE_FACTORED, 1, err);
    }
    if (A) {
        perp_operator_free(p->A);
        p->A = A;
    }
    return status;
}

perp_status sim_capture_step(sim_capture *c, const perp_report *report, double dt,
                             const perp_stepper *stepper, const perp_world *world,
                             perp_error *err)
{
    const perp_system *system = perp_stepper_system(stepper);
    perp_sequence_item item = {.t = report->t, .h = dt};
    size_t count = 0;
    perp_status status = PERP_OK;

    if (!sim_capture_holds(c, report) || report->rows == 0) {
        return PERP_OK;
    }
    TRY(perp_system_export(system, world, perp_stepper_contacts(stepper),
                           PERP_STORAGE_FACTORED, &item.problem, err));
    status = capture_factors(item.problem, err);
    if (status != PERP_OK) {
        perp_sequence_item_clear(&item);
        return status;
    }
    sim_capture_origin(item.problem, c->name, report, dt);
    count = item.problem->set->count;
    item.keys = take(count + 1, sizeof *item.keys);
    memcpy(item.keys, system->keys, count * sizeof *item.keys);
    return capture_write(c, report->step, &item, err);
}

size_t sim_capture_count(const sim_capture *c)
{
    return c->count;
}

void sim_capture_close(sim_capture *c)
{
    free(c->names);
    free(c->values);
    free(c->folder);
    free(c->name);
    memset(c, 0, sizeof *c);
}
