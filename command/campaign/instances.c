/* SPDX-License-Identifier: Apache-2.0
 * runner/instances.c: instances.jsonl, what is known of each instance of a comparison. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/campaign/instances.h"
#include "command/campaign/spectrum.h"
#include "command/cli/answer.h"
#include "command/cli/take.h"

/* -- the file ------------------------------------------------------------------------------ */

static perp_status instances_refuse(const char *path, size_t line, perp_error *err)
{
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s:%zu: found no description of an instance, expected one per line",
                     path, line);
}

/* Read the hashes; *whole: the bytes of all lines but a torn last one. */
static perp_status instances_load(instances *list, long long *whole, perp_error *err)
{
    perp_json_lines in;
    perp_status status = PERP_OK;

    *whole = 0;
    TRY(perp_json_lines_open(&in, list->path, "", err));
    while (status == PERP_OK && perp_json_lines_next(&in) && in.whole) {
        const char *hash = json_string_value(json_object_get(in.json, "hash"));

        *whole += (long long)in.length;
        if (hash) {
            json_object_set_new(list->hashes, hash, json_true());
        } else {
            status = instances_refuse(list->path, in.number, err);
        }
    }
    return perp_json_lines_close(&in, status, err);
}

static perp_status instances_start(instances *list, const char *path, perp_error *err)
{
    long long whole = 0;

    list->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (list->file < 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    TRY(instances_load(list, &whole, err));
    if (ftruncate(list->file, whole) != 0) {
        TRY(perp_fail(err, PERP_ERR_WRITE, "%s: cannot cut off a torn line: %s", path,
                      strerror(errno)));
    }
    return PERP_OK;
}

perp_status instances_open(instances *list, const char *path, perp_error *err)
{
    perp_status status = PERP_OK;

    *list = (instances){.file = -1, .path = take_text(path), .hashes = json_object()};
    status = instances_start(list, path, err);
    if (status != PERP_OK) {
        instances_close(list);
    }
    return status;
}

bool instances_has(const instances *list, const char *hash)
{
    return json_object_get(list->hashes, hash) != NULL;
}

/* All bytes; one write unless a signal or a full disk cuts it. */
static bool instances_write(const instances *list, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(list->file, text, length);

        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        text += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

perp_status instances_append(instances *list, const json_t *description, perp_error *err)
{
    const char *hash = json_string_value(json_object_get(description, "hash"));
    char *text = NULL;
    size_t length = 0;
    perp_status status = PERP_OK;

    if (hash && instances_has(list, hash)) {
        return PERP_OK;
    }
    text = json_dumps(description, JSON_COMPACT | JSON_REAL_PRECISION(9));
    length = strlen(text);
    if (hash) {
        json_object_set_new(list->hashes, hash, json_true());
    }
    text[length] = '\n'; /* replaces the end: written by its length */
    if (!instances_write(list, text, length + 1)) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", list->path, strerror(errno));
    }
    free(text);
    return status;
}

perp_status instances_merge(instances *list, const char *path, perp_error *err)
{
    perp_json_lines in;
    perp_status status = PERP_OK;

    TRY(perp_json_lines_open(&in, path, "", err));
    while (status == PERP_OK && perp_json_lines_next(&in)) {
        if (json_is_string(json_object_get(in.json, "hash"))) {
            status = instances_append(list, in.json, err);
        } else if (in.whole) { /* not a torn last line */
            status = instances_refuse(path, in.number, err);
        }
    }
    return perp_json_lines_close(&in, status, err);
}

void instances_close(instances *list)
{
    if (list->file >= 0) {
        close(list->file);
    }
    json_decref(list->hashes);
    free(list->path);
    *list = (instances){.file = -1};
}

/* -- a description ------------------------------------------------------------------------- */

/* Counts of nonzeros while rows are visited. */
typedef struct instances_grid {
    size_t n, size, row;
    size_t cell[INSTANCES_CELLS * INSTANCES_CELLS];
} instances_grid;

static void instances_visit(void *context, size_t j, double a)
{
    instances_grid *g = context;

    if (a != 0.0) {
        g->cell[g->row * g->size / g->n * g->size + j * g->size / g->n]++;
    }
}

/* {"size", "cells"} of A, multiplied out where it is in factors; null where that fails. */
static json_t *instances_pattern(const perp_operator *A)
{
    instances_grid g = {.n = perp_operator_rows(A)};
    perp_operator *sparse = NULL;
    json_t *cells = NULL;

    g.size = g.n < INSTANCES_CELLS ? g.n : INSTANCES_CELLS;
    if (perp_operator_in_factors(A)) {
        if (perp_operator_convert(&sparse, A, PERP_STORAGE_CSR, 1, NULL) != PERP_OK) {
            return json_null();
        }
        A = sparse;
    }
    cells = json_array();
    for (g.row = 0; g.row < g.n; g.row++) {
        perp_operator_row_visit(A, g.row, instances_visit, &g);
    }
    for (size_t k = 0; k < g.size * g.size; k++) {
        json_array_append_new(cells, json_integer((json_int_t)g.cell[k]));
    }
    perp_operator_free(sparse);
    return json_pack("{s:I, s:o}", "size", (json_int_t)g.size, "cells", cells);
}

static json_t *instances_values(const spectrum *s)
{
    size_t count = s->n < INSTANCES_VALUES ? s->n : INSTANCES_VALUES;
    json_t *list = json_array();

    for (size_t k = 0; k < count; k++) {
        size_t at = count > 1 ? k * (s->n - 1) / (count - 1) : 0;

        json_array_append_new(list, answer_real(s->sigma[at]));
    }
    return list;
}

/* Members that are not known. */
static void instances_unknown(json_t *o, const char *note)
{
    answer_add(o, "rank", json_null());
    answer_add(o, "condition", json_null());
    answer_add(o, "spectrum", json_null());
    answer_add(o, "note", json_string(note));
}

static void instances_spectrum(json_t *o, const perp_problem *p)
{
    spectrum s;
    bool known = false;
    perp_error inner = {0};

    if (spectrum_of(p, INSTANCES_ROWS, &s, &known, &inner) != PERP_OK) {
        instances_unknown(o, inner.text);
    } else if (!known) {
        instances_unknown(o, "the spectrum is not known: no dense matrix");
    } else {
        answer_add(o, "rank", json_integer((json_int_t)s.rank));
        answer_add(o, "condition", answer_real(s.condition));
        answer_add(o, "spectrum", instances_values(&s));
        answer_add(o, "note", json_string(""));
    }
    spectrum_clear(&s);
}

json_t *instances_describe(const perp_problem *p, uint64_t hash)
{
    double start = perp_clock();
    json_t *o = json_object();
    char note[96];

    answer_add(o, "schema", json_string("perp-instance/1"));

    answer_add(o, "hash", answer_hash(hash));
    answer_add(o, "n", json_integer((json_int_t)p->n));
    answer_add(o, "nonzeros", json_integer((json_int_t)perp_operator_nonzeros(p->A)));
    if (p->n > INSTANCES_ROWS) {
        snprintf(note, sizeof note, "not computed: %zu rows, more than %d", p->n,
                 INSTANCES_ROWS);
        instances_unknown(o, note);
        answer_add(o, "pattern", json_null());
    } else {
        instances_spectrum(o, p);
        answer_add(o, "pattern", instances_pattern(p->A));
    }
    answer_add(o, "seconds", answer_real(perp_clock() - start));
    return o;
}
