/* SPDX-License-Identifier: Apache-2.0
 * verbs/compare_merge.c: perp compare --merge: join folders of results, such as the parts of an array job. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/campaign/instances.h"
#include "command/cli/data.h"
#include "command/cli/holder.h"
#include "command/cli/take.h"
#include "command/results/runs.h"
#include "command/verbs/compare_merge.h"
#include "command/verbs/verbs.h"

/* A merge on its way. */
typedef struct merge {
    const cli_args *args;
    char folder[DATA_PATH + 64]; /* renamed to the target at the end */
    char target[DATA_PATH];      /* the output, behind its symbolic links */
    struct stat old;             /* of the empty folder that is replaced; mode 0: none */
    char *suite;                 /* text of the first suite */
    json_t *keys;                /* of the runs so far */
    perp_file_out out;
    instances known; /* of these runs; opened where a folder has them */
    double places;   /* of the suites so far; added to those of another suite */
    size_t runs, twice, others;
} merge;

/* -- runs ---------------------------------------------------------------------------------- */

/* Append a run unless its key is there. `shift`: added to its place. */
static void merge_run(merge *m, json_t *run, double shift)
{
    const char *key = json_string_value(json_object_get(run, "key"));
    double place = member_number(run, "place", 0.0) + shift;
    char *text = NULL;

    if (json_object_get(m->keys, key)) {
        m->twice++;
        return;
    }
    json_object_set_new(m->keys, key, json_true());
    json_object_set_new(run, "place", json_integer((json_int_t)place));
    text = json_dumps(run, JSON_COMPACT | JSON_REAL_PRECISION(17));
    fprintf(m->out.f, "%s\n", text);
    free(text);
    m->places = place + 1.0 > m->places ? place + 1.0 : m->places;
    m->runs++;
}

static bool merge_is_run(const json_t *run)
{
    return strcmp(member_text(run, "schema"), "perp-run/1") == 0 &&
           *member_text(run, "key") && *member_text(run, "label");
}

/* The line of each key that counts: a run that was made again follows the first one. */
static perp_status merge_last(const char *path, json_t *last, perp_error *err)
{
    perp_json_lines in;

    TRY(perp_json_lines_open(&in, path, ", expected results of perp compare", err));
    while (perp_json_lines_next(&in)) {
        if (merge_is_run(in.json) && in.whole) {
            json_object_set_new(last, member_text(in.json, "key"),
                                json_integer((json_int_t)in.number));
        }
    }
    return perp_json_lines_close(&in, PERP_OK, err);
}

static perp_status merge_lines(merge *m, const char *path, const json_t *last,
                               double shift, perp_error *err)
{
    perp_json_lines in;
    perp_status status = PERP_OK;

    TRY(perp_json_lines_open(&in, path, "", err));
    while (status == PERP_OK && perp_json_lines_next(&in)) {
        const bool run = merge_is_run(in.json);
        const json_t *counts = json_object_get(last, member_text(in.json, "key"));

        if (run && counts && (size_t)json_integer_value(counts) != in.number) {
            continue;
        }
        if (run && in.whole) {
            merge_run(m, in.json, shift);
        } else if (!in.whole) {
            output_print(stderr, OUTPUT_PLAIN,
                         "perp compare --merge: %s: a torn last line is left out\n",
                         path);
        } else {
            status = perp_fail(err, PERP_ERR_FORMAT,
                               "%s:%zu: found no run record, expected one per line", path,
                               in.number);
        }
    }
    return perp_json_lines_close(&in, status, err);
}

static perp_status merge_runs(merge *m, const char *dir, double shift, perp_error *err)
{
    char path[DATA_PATH];
    json_t *last = json_object();
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/runs.jsonl", dir);
    status = merge_last(path, last, err);
    if (status == PERP_OK) {
        status = merge_lines(m, path, last, shift, err);
    }
    json_decref(last);
    return status;
}

/* -- other files --------------------------------------------------------------------------- */

static perp_status merge_write(const char *path, const char *text, size_t length,
                               perp_error *err)
{
    perp_file_out out = {0};

    TRY(perp_file_create(&out, path, err));
    fwrite(text, 1, length, out.f);
    return perp_file_commit(&out, err);
}

/* Copy the files of one folder to another one, unless they are there. */
static perp_status merge_copy(const char *from, const char *to, perp_error *err)
{
    DIR *in = opendir(from);
    perp_status status = in ? data_make_folder(to, err) : PERP_OK;

    for (struct dirent *e; in && status == PERP_OK && (e = readdir(in));) {
        char source[2 * DATA_PATH], target[2 * DATA_PATH];
        char *text = NULL;
        size_t length = 0;

        snprintf(source, sizeof source, "%s/%s", from, e->d_name);
        snprintf(target, sizeof target, "%s/%s", to, e->d_name);
        if (data_is_folder(source)) {
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
                status = merge_copy(source, target, err);
            }
        } else if (access(target, F_OK) != 0) {
            status = perp_file_slurp(source, &text, &length, err);
            if (status == PERP_OK) {
                status = merge_write(target, text, length, err);
            }
            free(text);
        }
    }
    if (in) {
        closedir(in);
    }
    return status;
}

/* Keep the first suite. *same: this one is it, or there is none. */
static perp_status merge_suite(merge *m, const char *dir, bool *same, perp_error *err)
{
    char path[DATA_PATH], target[DATA_PATH + 128];
    char *text = NULL;
    size_t length = 0;
    perp_status status = PERP_OK;

    *same = true;
    snprintf(path, sizeof path, "%s/suite.json", dir);
    if (!data_is_file(path)) {
        return PERP_OK;
    }
    status = perp_file_slurp(path, &text, &length, err);
    if (status == PERP_OK && !m->suite) {
        snprintf(target, sizeof target, "%s/suite.json", m->folder);
        status = merge_write(target, text, length, err);
        m->suite = text;
        return status;
    }
    *same = status != PERP_OK || strcmp(text, m->suite) == 0;
    free(text);
    return status;
}

/* Join the descriptions of instances; a folder may have none. */
static perp_status merge_instances(merge *m, const char *dir, perp_error *err)
{
    char from[DATA_PATH], to[DATA_PATH + 128];
    perp_status status = PERP_OK;

    snprintf(from, sizeof from, "%s/instances.jsonl", dir);
    if (!data_is_file(from)) {
        return PERP_OK;
    }
    if (m->known.file < 0) {
        snprintf(to, sizeof to, "%s/instances.jsonl", m->folder);
        status = instances_open(&m->known, to, err);
    }
    return status == PERP_OK ? instances_merge(&m->known, from, err) : status;
}

static perp_status merge_folder(merge *m, const char *dir, perp_error *err)
{
    char from[DATA_PATH], to[DATA_PATH + 128];
    bool same = true;
    perp_status status = merge_suite(m, dir, &same, err);

    if (status == PERP_OK && !same) {
        m->others++;
        output_print(stderr, OUTPUT_PLAIN,
                     "perp compare --merge: %s/suite.json is a different suite; the "
                     "first one is kept\n",
                     dir);
    }
    if (status == PERP_OK) {
        status = merge_runs(m, dir, same ? 0.0 : m->places, err);
    }
    if (status == PERP_OK) {
        status = merge_instances(m, dir, err);
    }
    if (status == PERP_OK) {
        snprintf(from, sizeof from, "%s/captures", dir);
        snprintf(to, sizeof to, "%s/captures", m->folder);
        status = merge_copy(from, to, err);
    }
    return status;
}

/* -- the verb ------------------------------------------------------------------------------ */

/* Nothing goes into the results of a comparison at work; those of one are joined as they are. */
static perp_status merge_check_held(const cli_args *args, const char *output,
                                    perp_error *err)
{
    char path[DATA_PATH], name[256];

    snprintf(path, sizeof path, "%s/runs.jsonl", output);
    if (holder_find(path, name, sizeof name)) {
        return perp_fail(err, PERP_ERR_WRITE,
                         "perp compare --merge: -o %s: %s is writing to it", output,
                         name);
    }
    for (size_t k = 0; k < args->word_count; k++) {
        snprintf(path, sizeof path, "%s/runs.jsonl", args->word[k]);
        if (holder_find(path, name, sizeof name)) {
            fprintf(stderr,
                    "perp compare --merge: %s: %s is writing to it; its runs so far are "
                    "joined\n",
                    args->word[k], name);
        }
    }
    return PERP_OK;
}

static perp_status merge_check(const cli_args *args, const char *output, perp_error *err)
{
    if (!output || !*output || strlen(output) >= DATA_PATH - 128) {
        return perp_fail(err, PERP_ERR_OPTION, "perp compare --merge: -o DIR is missing");
    }
    for (size_t k = 0; k < args->word_count; k++) {
        if (!runs_are_in(args->word[k])) {
            return perp_fail(
                err, PERP_ERR_READ,
                "perp compare --merge: %s: no results of perp compare are there (no "
                "runs.jsonl)",
                args->word[k]);
        }
    }
    return merge_check_held(args, output, err);
}

static bool merge_is_empty(const char *folder)
{
    DIR *in = opendir(folder);
    bool empty = in != NULL;

    for (struct dirent *e = in ? readdir(in) : NULL; e && empty; e = readdir(in)) {
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    }
    if (in) {
        closedir(in);
    }
    return empty;
}

/* Where the folder goes: an empty one is replaced when all is read. */
static perp_status merge_place(merge *m, const char *output, perp_error *err)
{
    char path[PATH_MAX];

    snprintf(m->target, sizeof m->target, "%.*s", (int)perp_path_length(output), output);
    if (stat(output, &m->old) != 0) {
        m->old.st_mode = 0;
        return PERP_OK;
    }
    if (!merge_is_empty(output) || !realpath(output, path) ||
        strlen(path) >= DATA_PATH - 128) {
        return perp_fail(err, PERP_ERR_WRITE,
                         "perp compare --merge: -o %s: expected a new or empty folder",
                         output);
    }
    snprintf(m->target, sizeof m->target, "%s", path);
    return PERP_OK;
}

/* Give the new folder the owner and mode of the one that it replaces, and `more` rights. Another owner
 * cannot always be given. */
static void merge_inherit(const merge *m, mode_t more)
{
    if (m->old.st_mode != 0) {
        if (chown(m->folder, m->old.st_uid, m->old.st_gid) != 0) {
            errno = 0;
        }
        (void)chmod(m->folder, (m->old.st_mode & 07777) | more);
    }
}

static perp_status merge_all(merge *m, perp_error *err)
{
    char path[DATA_PATH + 128];
    perp_status status = PERP_OK;

    m->keys = json_object();
    snprintf(path, sizeof path, "%s/runs.jsonl", m->folder);
    status = perp_file_create(&m->out, path, err);
    for (size_t k = 0; k < m->args->word_count && status == PERP_OK; k++) {
        status = merge_folder(m, m->args->word[k], err);
    }
    if (status == PERP_OK) {
        status = perp_file_commit(&m->out, err);
    } else {
        perp_file_abandon(&m->out);
    }
    instances_close(&m->known);
    json_decref(m->keys);
    free(m->suite);
    return status;
}

int compare_merge(const cli_args *args, perp_error *err)
{
    const char *output = cli_args_value(args, "output");
    merge m = {.args = args, .known = {.file = -1}};
    perp_status status = merge_check(args, output, err);

    if (status == PERP_OK) {
        status = merge_place(&m, output, err);
    }
    if (status == PERP_OK) {
        status = perp_folder_create(m.folder, sizeof m.folder, m.target, "merge", err);
    }
    if (status != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    take_temporary(m.folder);
    merge_inherit(&m, S_IRWXU);
    status = merge_all(&m, err);
    merge_inherit(&m, 0);
    if (status == PERP_OK && rename(m.folder, m.target) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", output, strerror(errno));
    }
    take_kept(m.folder);
    if (status != PERP_OK) {
        perp_folder_remove_all(m.folder);
        return CLI_BAD_INPUT;
    }
    output_print(stdout, OUTPUT_PLAIN, "%s: %zu run%s of %zu folder%s", output, m.runs,
                 m.runs == 1 ? "" : "s", args->word_count,
                 args->word_count == 1 ? "" : "s");
    if (m.twice) {
        output_print(
            stdout, OUTPUT_PLAIN,
            "; %zu more answer%s the same question again: the first ones are kept",
            m.twice, m.twice == 1 ? "s" : "");
    }
    output_print(stdout, OUTPUT_PLAIN,
                 "\nperp plot %s makes tables, figures and the report\n", output);
    return CLI_DONE;
}
