/* SPDX-License-Identifier: Apache-2.0
 * simulate/capture.c: keep the problems of some steps, with the identities of their
 * contacts.
 *
 * DIR/capture is a sequence: step_00050.json and so on, each whole or not there, and an
 * index that is replaced at each checkpoint of the trajectory. So a long run needs the
 * memory of one problem, and a kill loses none that the trajectory knows of. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/file.h"
#include "experiments/simulate/capture.h"

enum { FIRST_METRIC = 3 }; /* after step, t, failed */

static perp_status capture_names(sim_capture *c, perp_error *err)
{
    size_t count = 0;
    const perp_metric *const *metrics = perp_metrics(&count);

    c->names = calloc(FIRST_METRIC + count + 1, sizeof *c->names);
    c->values = calloc(FIRST_METRIC + count + 1, sizeof *c->values);
    if (!c->names || !c->values) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu metrics", count);
    }
    c->names[0] = "step";
    c->names[1] = "t";
    c->names[2] = "failed";
    for (size_t k = 0; k < count; k++) {
        c->names[FIRST_METRIC + k] = metrics[k]->name;
    }
    return PERP_OK;
}

/* Does the format write single instances? */
static bool capture_writes(const perp_format *format)
{
    return format->writes && strcmp(format->name, PERP_SEQUENCE_FORMAT) != 0;
}

static perp_status capture_format(sim_capture *c, const char *name, perp_error *err)
{
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);
    perp_nearest best;

    c->format = perp_format_find(name);
    if (c->format && capture_writes(c->format)) {
        return PERP_OK;
    }
    perp_nearest_start(&best, name);
    for (size_t k = 0; k < count; k++) {
        if (capture_writes(formats[k])) {
            perp_nearest_offer(&best, formats[k]->name);
        }
    }
    perp_nearest_offer(&best, "hdf5");
    return perp_fail(err, PERP_ERR_OPTION,
                     "--capture-format is \"%s\", the nearest that writes instances is "
                     "\"%s\"",
                     name, best.name);
}

/* "DIR/NAME", on the heap. */
static char *capture_path(const char *dir, const char *name)
{
    size_t room = strlen(dir) + strlen(name) + 2;
    char *path = malloc(room);

    if (path) {
        snprintf(path, room, "%s/%s", dir, name);
    }
    return path;
}

perp_status sim_capture_open(sim_capture *c, const char *when, const char *format,
                             const char *dir, const char *name, double h, perp_error *err)
{
    bool whole = format && strcmp(format, "hdf5") == 0;
    perp_status status = PERP_OK;

    memset(c, 0, sizeof *c);
    c->h = h;
    status = capture_names(c, err);
    if (status == PERP_OK) {
        perp_error inner = {0};

        status = condition_parse(&c->when, when, c->names, &inner);
        if (status != PERP_OK) {
            perp_fail(err, status, "--capture \"%s\": %s", when, inner.text);
        }
    }
    if (status == PERP_OK) {
        status = capture_format(c, whole || !format ? "perp-golden" : format, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    c->folder = capture_path(dir, "capture");
    c->whole = whole ? capture_path(dir, "capture.hdf5") : NULL;
    c->name = perp_text_new(name);
    c->steps = json_array();
    return c->folder && c->name && c->steps && (c->whole || !whole)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "no memory to capture");
}

perp_status sim_capture_resume(sim_capture *c, double t, perp_error *err)
{
    char *path = capture_path(c->folder, "sequence.json");
    struct stat st;
    json_t *index = NULL, *steps = NULL;

    if (!path) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to capture");
    }
    if (stat(path, &st) != 0) { /* nothing was captured before the checkpoint */
        free(path);
        return PERP_OK;
    }
    index = json_load_file(path, 0, NULL);
    steps = json_object_get(index, "steps");
    for (size_t k = 0; k < json_array_size(steps); k++) {
        json_t *entry = json_array_get(steps, k);

        if (json_number_value(json_object_get(entry, "t")) <= t) {
            json_array_append(c->steps, entry);
        }
    }
    if (!steps) {
        perp_fail(err, PERP_ERR_FORMAT, "%s: no index of a sequence", path);
    }
    c->changed = true;
    json_decref(index);
    free(path);
    return steps ? PERP_OK : PERP_ERR_FORMAT;
}

/* "1f 20 0 21" */
static json_t *capture_keys(const uint64_t *keys, size_t count)
{
    char *text = malloc(17 * count + 1);
    size_t length = 0;
    json_t *json = NULL;

    for (size_t k = 0; text && k < count; k++) {
        length += (size_t)sprintf(text + length, "%s%llx", k ? " " : "",
                                  (unsigned long long)keys[k]);
    }
    json = text ? json_stringn(text, length) : NULL;
    free(text);
    return json;
}

static perp_status capture_write(sim_capture *c, size_t step, double t,
                                 const perp_problem *p, const uint64_t *keys,
                                 perp_error *err)
{
    char file[64], *path = NULL;
    json_t *entry = NULL;
    perp_status status = PERP_OK;

    snprintf(file, sizeof file, "step_%05zu%s", step, c->format->extension);
    path = capture_path(c->folder, file);
    if (mkdir(c->folder, 0777) != 0 && errno != EEXIST) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot make the folder: %s",
                           c->folder, strerror(errno));
    }
    if (status == PERP_OK) {
        status = path ? perp_problem_write(p, path, c->format->name, NULL, err)
                      : perp_fail(err, PERP_ERR_MEMORY, "no memory to capture");
    }
    free(path);
    if (status != PERP_OK) {
        return status;
    }
    entry =
        json_pack("{s:f, s:f, s:s, s:s, s:o}", "t", t, "h", c->h, "file", file, "format",
                  c->format->name, "keys", capture_keys(keys, p->set->count));
    c->changed = true;
    return entry && json_array_append_new(c->steps, entry) == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "no memory to capture");
}

perp_status sim_capture_step(sim_capture *c, const perp_report *report,
                             const perp_stepper *stepper, const perp_world *world,
                             perp_error *err)
{
    const perp_system *system = perp_stepper_system(stepper);
    perp_problem *p = NULL;
    size_t count = 0;
    const perp_metric *const *metrics = perp_metrics(&count);
    perp_status status = PERP_OK;

    c->values[0] = (double)report->step;
    c->values[1] = report->t;
    c->values[2] = report->outcome != PERP_SOLVED;
    for (size_t k = 0; k < count; k++) {
        c->values[FIRST_METRIC + k] = metrics[k]->value(report);
    }
    if (!condition_holds(&c->when, c->values) || report->rows == 0) {
        return PERP_OK;
    }
    status = perp_system_export(system, world, perp_stepper_contacts(stepper), &p, err);
    if (status == PERP_OK) {
        status = capture_write(c, report->step, report->t, p, system->keys, err);
    }
    perp_problem_free(p);
    return status;
}

perp_status sim_capture_flush(sim_capture *c, perp_error *err)
{
    char *path = NULL, *text = NULL;
    json_t *index = NULL;
    perp_file_out out = {0};
    perp_status status = PERP_OK;

    if (!c->changed) {
        return PERP_OK;
    }
    path = capture_path(c->folder, "sequence.json");
    index = json_pack("{s:s, s:i, s:s, s:O}", "format", PERP_SEQUENCE_FORMAT, "version",
                      PERP_SEQUENCE_VERSION, "name", c->name, "steps", c->steps);
    text = json_dumps(index, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(index);
    status = path && text ? perp_file_begin(&out, path, err)
                          : perp_fail(err, PERP_ERR_MEMORY, "no memory to capture");
    if (status == PERP_OK) {
        fprintf(out.f, "%s\n", text);
        status = perp_file_commit(&out, err);
    }
    c->changed = status != PERP_OK;
    free(text);
    free(path);
    return status;
}

perp_status sim_capture_finish(sim_capture *c, perp_error *err)
{
    perp_sequence *s = NULL;
    perp_status status = sim_capture_flush(c, err);

    if (status != PERP_OK || !c->whole || json_array_size(c->steps) == 0) {
        return status;
    }
    status = perp_sequence_open(&s, c->folder, err);
    if (status == PERP_OK) {
        status = perp_sequence_write(s, c->whole, NULL, err);
    }
    perp_sequence_free(s);
    return status;
}

size_t sim_capture_count(const sim_capture *c)
{
    return json_array_size(c->steps);
}

void sim_capture_close(sim_capture *c)
{
    free(c->names);
    free(c->values);
    free(c->folder);
    free(c->whole);
    free(c->name);
    json_decref(c->steps);
    memset(c, 0, sizeof *c);
}
