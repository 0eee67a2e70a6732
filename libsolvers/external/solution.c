/* SPDX-License-Identifier: Apache-2.0
 * external/solution.c: the solution file of a program: {"z": [...], "claim": "solved", …}.
 *
 * It may hold anything. Its size is bounded by the number of rows before it is read; only a
 * regular file is opened, since a pipe could keep the reader waiting. */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "external/external.h"

/* Bytes of a file: per row a number with its blanks, and for all the rest. */
enum { SOLUTION_ROW = 128, SOLUTION_REST = 1 << 16 };

/* Messages name the file alone; its folder is soon gone. */
static const char solution_name[] = "solution file";

/* A text, cut where it is too long; its line breaks become blanks. */
static perp_status solution_text(const json_t *root, const char *key, char *text,
                                 size_t length, perp_error *err)
{
    const char *found = NULL;
    int wanted = 0;
    perp_status status = perp_json_text(&found, root, solution_name, "", key, err);

    wanted = snprintf(text, length, "%s", found ? found : "");
    perp_message_ellipsis(text, length, wanted < 0 ? 0 : (size_t)wanted);
    for (char *c = text; *c; c++) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    return status;
}

/* What the program believes of its run: one of the words of docs/exec.md, or nothing. */
static perp_status solution_claim(const json_t *root, char *claim, size_t length,
                                  perp_error *err)
{
    static const char *const words[] = {"solved",     "failed",     "iteration limit",
                                        "time limit", "infeasible", NULL};
    perp_nearest best;
    perp_status status = solution_text(root, "claim", claim, length, err);

    perp_nearest_start(&best, claim);
    for (const char *const *word = words; *word; word++) {
        if (status != PERP_OK || !*claim || strcmp(claim, *word) == 0) {
            return status;
        }
        perp_nearest_offer(&best, *word);
    }
    return perp_fail(err, PERP_ERR_FORMAT, "%s: claim is \"%s\", %s", solution_name,
                     claim, perp_nearest_advice(&best));
}

static perp_status solution_seconds(const json_t *root, double *seconds, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!json_object_get(root, "seconds")) {
        return PERP_OK;
    }
    status = perp_json_real(seconds, root, solution_name, "", "seconds", err);
    if (status == PERP_OK && !(*seconds >= 0.0)) {
        status =
            perp_fail(err, PERP_ERR_DATA, "%s: seconds is %g, expected a number from 0",
                      solution_name, *seconds);
        *seconds = 0.0;
    }
    return status;
}

static perp_status solution_z(const json_t *root, size_t n, double *z, perp_error *err)
{
    json_t *value = NULL;
    perp_status status = perp_json_get(&value, root, solution_name, "", "z", err);

    if (status == PERP_OK && !json_is_array(value)) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: z is %s, expected an array",
                           solution_name, perp_json_kind(value));
    }
    return status == PERP_OK ? perp_json_reals(z, n, value, solution_name, "z", err)
                             : status;
}

static perp_status solution_parse(const json_t *root, size_t n, double *z,
                                  perp_external_answer *a, perp_error *err)
{
    perp_status status = solution_claim(root, a->claim, sizeof a->claim, err);

    if (status == PERP_OK) {
        status = solution_text(root, "version", a->version, sizeof a->version, err);
    }
    if (status == PERP_OK) {
        status = solution_text(root, "message", a->message, sizeof a->message, err);
    }
    if (status == PERP_OK) {
        status = solution_text(root, "reformulation", a->reformulation,
                               sizeof a->reformulation, err);
    }
    if (status == PERP_OK) {
        status = solution_seconds(root, &a->seconds, err);
    }
    if (status == PERP_OK) {
        status =
            perp_json_size(&a->iterations, root, solution_name, "", "iterations", 0, err);
    }
    return status == PERP_OK ? solution_z(root, n, z, err) : status;
}

perp_status perp_external_read(const char *path, size_t n, double *z,
                               perp_external_answer *answer, perp_error *err)
{
    struct stat st;
    size_t most = 0, length = 0;
    char *text = NULL;
    json_t *root = NULL;
    double *point = NULL;
    perp_status status = PERP_OK;

    *answer = (perp_external_answer){0};
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        return perp_fail(err, PERP_ERR_READ, "it wrote no solution file");
    }
    if (!perp_mul(n, SOLUTION_ROW, &most) || most > SIZE_MAX / 2) {
        most = SIZE_MAX / 2;
    }
    most += SOLUTION_REST;
    status = perp_file_slurp_most(path, most, &text, &length, err);
    if (status == PERP_OK && length > most) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: it has more than %zu bytes, expected at most %d per row",
                           solution_name, most, SOLUTION_ROW);
    }
    if (status == PERP_OK) {
        perp_source from = {
            .name = solution_name, .bytes = text, .size = length, .memory = true};

        status = perp_json_load(&root, &from, err);
    }
    point = status == PERP_OK ? perp_reals_new(n) : NULL;
    if (status == PERP_OK && !point) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", n);
    }
    if (status == PERP_OK) {
        status = solution_parse(root, n, point, answer, err);
    }
    if (status == PERP_OK) {
        memcpy(z, point, n * sizeof *z);
    }
    free(point);
    json_decref(root);
    free(text);
    return status;
}
