/* SPDX-License-Identifier: Apache-2.0
 * external/folder.c: what a program gets: a folder of its own with the instance and the start,
 * and its environment. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <perp/formats.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "base/system.h"
#include "external/external.h"
#include "reform/reforms.h"

static const char folder_start[] = "start.txt";
static const char folder_solution[] = "solution.json";

void perp_external_path(const perp_external_run *s, const char *file, char *path,
                        size_t length)
{
    snprintf(path, length, "%s/%s", s->folder, file);
}

/* One number per line. */
static perp_status folder_write_start(const perp_external_run *s, const double *start,
                                      perp_error *err)
{
    char path[PERP_EXTERNAL_PATH + 32];
    char number[PERP_NUMBER_LENGTH];
    FILE *f = NULL;
    bool bad = false;

    perp_external_path(s, folder_start, path, sizeof path);
    f = perp_file_open(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!f) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot write: %s", path,
                         strerror(errno));
    }
    for (size_t i = 0; i < s->p->n; i++) {
        perp_number_print(number, start[i]);
        fprintf(f, "%s\n", number);
    }
    bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot write: %s", path,
                         strerror(errno));
    }
    return PERP_OK;
}

/* "instance.npz" in the folder of the run. */
static void folder_instance(const perp_external_run *s, char *path, size_t length)
{
    const perp_format *format = NULL;
    char file[64];

    perp_format_named(&format, s->format, NULL); /* NULL where there is no such format */
    snprintf(file, sizeof file, "instance%s", format ? format->extension : "");
    perp_external_path(s, file, path, length);
}

/* By way of memory where the format can: a file that soon goes need not reach the disk, as
 * perp_problem_write has it. */
static perp_status folder_write_problem(const perp_external_run *s, const perp_problem *p,
                                        const char *path, perp_error *err)
{
    const perp_format *format = NULL;
    char *bytes = NULL;
    size_t size = 0;
    FILE *f = NULL;
    bool whole = false;

    perp_format_named(&format, s->format, NULL);
    if (!format || !format->memory) {
        return perp_problem_write(p, path, s->format, NULL, err);
    }
    TRY(perp_problem_write_memory(p, s->format, NULL, &bytes, &size, err));
    f = perp_file_open(path, O_WRONLY | O_CREAT | O_TRUNC);
    whole = f && fwrite(bytes, 1, size, f) == size;
    whole = f && fclose(f) == 0 && whole;
    free(bytes);
    return whole ? PERP_OK
                 : perp_fail(err, PERP_ERR_WRITE, "%s: cannot write: %s", path,
                             strerror(errno));
}

/* Without what is known about its solution. A code that takes factors alone gets the problem in
 * its global form. */
static perp_status folder_write_instance(const perp_external_run *s, perp_error *err)
{
    char path[PERP_EXTERNAL_PATH + 96];
    perp_problem p = *s->p;
    perp_problem *global = NULL;
    perp_status status = PERP_OK;

    p.guesses = NULL;
    p.guess_count = 0;
    p.solution = NULL;
    folder_instance(s, path, sizeof path);
    if (s->type->storages.storage_bits != PERP_STORAGE_FACTORED) {
        return folder_write_problem(s, &p, path, err);
    }
    status = perp_reform_unfactor(&global, &p, err);
    if (status == PERP_OK) {
        status = folder_write_problem(s, global, path, err);
    }
    perp_problem_free(global);
    return status;
}

perp_status perp_external_write(perp_external_run *s, const double *start,
                                perp_error *err)
{
    perp_status status = perp_folder_temporary(s->folder, sizeof s->folder, s->keep, err);

    if (status != PERP_OK) {
        s->folder[0] = '\0';
        return status;
    }
    status = folder_write_instance(s, err);
    return status == PERP_OK ? folder_write_start(s, start, err) : status;
}

/* Does every code have the option? */
static bool folder_is_common(const char *name)
{
    bool common = false;

    for (const perp_option *o = perp_external_options; o->name; o++) {
        common = common || strcmp(o->name, name) == 0;
    }
    return common;
}

/* The options of the type, "ranks=2 order=natural", without those of every code and what is
 * declared of the program. */
static void folder_options(const perp_external_run *s, char *text, size_t length)
{
    size_t end = 0;
    char value[64];

    *text = '\0';
    for (const perp_option *o = s->type->options; o && o->name; o++) {
        if (o->kind != PERP_OPTION_LIST && !folder_is_common(o->name) && end < length) {
            perp_options_print(s->opt, o->name, value, sizeof value);
            end += (size_t)snprintf(text + end, length - end, "%s%s=%s", end ? " " : "",
                                    o->name, value);
        }
    }
}

/* One more "NAME=value"; false without memory. */
static bool PERP_PRINTF(3, 4)
    folder_variable(char **environment, size_t *count, const char *format, ...)
{
    char *text = NULL;
    int length = 0;
    va_list args;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
        environment[(*count)++] = text;
    }
    return text != NULL;
}

static const char *const folder_names[] = {
    "PERP_INSTANCE", "PERP_FORMAT",    "PERP_START",          "PERP_SOLUTION",
    "PERP_METHOD",   "PERP_TOLERANCE", "PERP_MAX_ITERATIONS", "PERP_TIME_LIMIT",
    "PERP_OPTIONS",  "PERP_LAW",
};
enum { FOLDER_NAMES = sizeof folder_names / sizeof *folder_names };
/* More iterations than any time permits; an int holds it. */
enum { FOLDER_NO_LIMIT = 1000000000 };

/* Is it a variable of the protocol, which an outer run may have left? */
static bool folder_is_own(const char *variable)
{
    size_t length = strcspn(variable, "=");

    for (size_t k = 0; k < FOLDER_NAMES; k++) {
        if (strlen(folder_names[k]) == length &&
            strncmp(folder_names[k], variable, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The limit of iterations: what is given, none where only given limits end a solve, or 0, the
 * program's own. */
static long folder_iterations(const perp_options *opt)
{
    long most = perp_options_integer(opt, "max-iterations");

    return most == 0 && perp_options_end_by_limits(opt) ? FOLDER_NO_LIMIT : most;
}

double perp_external_seconds(const perp_external_run *s)
{
    double limit = perp_options_real(s->opt, "time-limit");

    return limit > 0.0 ? fmax(limit - s->foreign->search_seconds, 1e-3) : 0.0;
}

/* The variables of the protocol, after the `count` that are there. */
static bool folder_add_variables(const perp_external_run *s, char **e, size_t count)
{
    char path[PERP_EXTERNAL_PATH + 96], options[1024];
    const perp_options *opt = s->opt;
    bool done = true;

    folder_instance(s, path, sizeof path);
    folder_options(s, options, sizeof options);
    done =
        folder_variable(e, &count, "PERP_INSTANCE=%s", path) &&
        folder_variable(e, &count, "PERP_FORMAT=%s", s->format) &&
        folder_variable(e, &count, "PERP_START=%s/%s", s->folder, folder_start) &&
        folder_variable(e, &count, "PERP_SOLUTION=%s/%s", s->folder, folder_solution) &&
        folder_variable(e, &count, "PERP_METHOD=%s", s->method) &&
        folder_variable(e, &count, "PERP_TOLERANCE=%.17g",
                        perp_options_real(opt, "tolerance") * s->foreign->factor) &&
        folder_variable(e, &count, "PERP_MAX_ITERATIONS=%ld", folder_iterations(opt)) &&
        folder_variable(e, &count, "PERP_TIME_LIMIT=%.17g", perp_external_seconds(s)) &&
        folder_variable(e, &count, "PERP_OPTIONS=%s", options) &&
        folder_variable(e, &count, "PERP_LAW=%s", perp_problem_law_name(s->p));
    return done;
}

char **perp_external_environment(const perp_external_run *s)
{
    size_t count = 0;
    char **e = NULL;

    for (char **v = environ; v && *v; v++) {
        count++;
    }
    e = calloc(count + FOLDER_NAMES + 1, sizeof *e);
    count = 0;
    for (char **v = environ; e && v && *v; v++) {
        if (!folder_is_own(*v)) {
            e[count] = strdup(*v);
            if (!e[count++]) {
                perp_external_environment_free(e);
                return NULL;
            }
        }
    }
    if (e && !folder_add_variables(s, e, count)) {
        perp_external_environment_free(e);
        return NULL;
    }
    return e;
}

void perp_external_environment_free(char **environment)
{
    for (char **v = environment; v && *v; v++) {
        free(*v);
    }
    free((void *)environment);
}
