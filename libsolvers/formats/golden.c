/* SPDX-License-Identifier: Apache-2.0
 * formats/golden.c: perp-golden, one problem or one batch of small ones as JSON.
 *
 *     {"format": "perp-golden", "version": 1, "id": "kostreva_3", "kind": "lcp",
 *      "n": 3, "M": {"layout": "dense-row-major", "rows": 3, "cols": 3, "data": [...]},
 *      "q": [-1, -1, -1], "expect": {"z": [...], "w": [...]}}
 *
 * Kinds lcp, mlcp and blcp (with lo, hi: null is infinite), blcp-findex (with findex, -1 for
 * none, and mu), fc2d and fc3d (W, b, mu of each contact, normal first, law "coulomb" unless
 * it says "associated"), and any other set as "sets" (formats/sets.c). Matrices are dense by
 * rows, or "coo" with i, j, v from 0; with an "edge", the block size, they become block CSR.
 * Batches have "cases". The expected answer becomes p->solution, which is never trusted. */
#include <config.h>

#include <string.h>

#include "base/base.h"
#include "golden.h"

/* A vector of the answer, if it is present and has n numbers; anything else is ignored, since
 * an answer is not part of the problem. */
static perp_status golden_answer(const golden_reader *g, const json_t *o,
                                 const char *first, const char *second, double **x,
                                 perp_error *err)
{
    const json_t *value = json_object_get(o, first);

    *x = NULL;
    value = value ? value : json_object_get(o, second);
    if (!json_is_array(value) || json_array_size(value) != g->n) {
        return PERP_OK;
    }
    *x = perp_reals_new(g->n);
    if (!*x) {
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for an answer", err);
    }
    if (perp_json_reals(*x, g->n, value, g->file, first, NULL) != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    return PERP_OK;
}

static perp_status golden_solution(const golden_reader *g, perp_problem *p,
                                   perp_error *err)
{
    const json_t *expect = json_object_get(g->o, "expect");
    const json_t *outer = json_object_get(expect, "outer"); /* of blcp-findex */
    double *z = NULL;
    const json_t *answer = expect ? expect : g->o;
    perp_status status = golden_answer(g, outer ? outer : answer, "z", "r", &z, err);

    if (status != PERP_OK || !z) {
        return status;
    }
    p->solution = calloc(1, sizeof *p->solution);
    if (!p->solution) {
        free(z);
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for an answer", err);
    }
    p->solution->z = z;
    return golden_answer(g, answer, "w", "u", &p->solution->w, err);
}

static perp_status golden_guess(const golden_reader *g, perp_problem *p, size_t i,
                                const json_t *value, perp_error *err)
{
    char place[PERP_PLACE_LENGTH];
    double *guess = perp_reals_new(g->n);

    if (!guess) {
        return perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for a guess", err);
    }
    p->guesses[p->guess_count++].z = guess;
    snprintf(place, sizeof place, "%sguesses[%zu]", g->at, i);
    return perp_json_reals(guess, g->n, value, g->file, place, err);
}

static perp_status golden_points(const golden_reader *g, perp_problem *p, perp_error *err)
{
    const json_t *guesses = json_object_get(g->o, "guesses");
    size_t count = json_array_size(guesses);
    perp_status status = golden_solution(g, p, err);

    if (status == PERP_OK && count > 0) {
        p->guesses = calloc(count, sizeof *p->guesses);
        if (!p->guesses) {
            status =
                perp_golden_fail(g, PERP_ERR_MEMORY, "no memory for its guesses", err);
        }
    }
    for (size_t i = 0; status == PERP_OK && i < count; i++) {
        status = golden_guess(g, p, i, json_array_get(guesses, i), err);
    }
    return status;
}

/* The kind of a single problem, and whether the file is a batch. */
static perp_status golden_kind(golden_reader *g, const json_t *root, bool *batch,
                               perp_error *err)
{
    static const struct {
        const char *name, *single;
    } kinds[] = {
        {"lcp", "lcp"},        {"mlcp", "mlcp"},
        {"blcp", "blcp"},      {"blcp-findex", "blcp-findex"},
        {"fc2d", "fc2d"},      {"fc3d", "fc3d"},
        {"mixed", "mixed"},    {"rolling", "mixed"},
        {"lcp1-batch", "lcp"}, {"fc3d-local-batch", "fc3d"},
    };
    const char *name = NULL;
    perp_status status = perp_json_text(&name, root, g->file, "", "kind", err);

    *batch = json_object_get(root, "cases") != NULL;
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            snprintf(g->kind, sizeof g->kind, "%s", kinds[i].single);
            return PERP_OK;
        }
    }
    if (status != PERP_OK) {
        return status;
    }
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s: kind is %s%s%s, expected lcp, mlcp, blcp, blcp-findex, fc2d, "
                     "fc3d, rolling, mixed, lcp1-batch or fc3d-local-batch",
                     g->file, name ? "\"" : "", name ? name : "missing",
                     name ? "\"" : "");
}

static perp_status golden_header(const json_t *root, const char *file, perp_error *err)
{
    const char *format = NULL;
    size_t version = 1;

    TRY(perp_json_text(&format, root, file, "", "format", err));
    TRY(perp_json_size(&version, root, file, "", "version", 1, err));
    if (!format || strcmp(format, "perp-golden") != 0) {
        return perp_fail(
            err, PERP_ERR_FORMAT, "%s: format is %s%s%s, expected \"perp-golden\"", file,
            format ? "\"" : "", format ? format : "missing", format ? "\"" : "");
    }
    if (version != 1) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: version is %zu, expected 1", file,
                         version);
    }
    return PERP_OK;
}

/* Point the reader at the document, or at the case that was asked for. */
static perp_status golden_choose(golden_reader *g, const json_t *root, bool batch,
                                 size_t item, perp_error *err)
{
    const json_t *cases = json_object_get(root, "cases");
    size_t count = batch ? json_array_size(cases) : 1;

    if (batch && !json_is_array(cases)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: cases is %s, expected an array",
                         g->file, perp_json_kind(cases));
    }
    if (item >= count) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%s: item is %zu, expected one of its %zu, counted from 0",
                         g->file, item, count);
    }
    g->o = root;
    if (batch) {
        g->o = json_array_get(cases, item);
        snprintf(g->at, sizeof g->at, "cases[%zu].", item);
        if (!json_is_object(g->o)) {
            return perp_fail(err, PERP_ERR_FORMAT,
                             "%s: cases[%zu] is %s, expected an object", g->file, item,
                             perp_json_kind(g->o));
        }
    }
    return PERP_OK;
}

static perp_status golden_read_root(golden_reader *g, const json_t *root, size_t item,
                                    perp_problem **p, perp_error *err)
{
    bool batch = false;
    perp_status status = golden_header(root, g->file, err);

    if (status == PERP_OK) {
        status = golden_kind(g, root, &batch, err);
    }
    if (status == PERP_OK) {
        status = golden_choose(g, root, batch, item, err);
    }
    if (status == PERP_OK) {
        status = perp_golden_vector(g, err);
    }
    if (status == PERP_OK) {
        status = perp_golden_matrix(g, err);
    }
    if (status == PERP_OK) {
        status = perp_golden_set(g, err);
    }
    if (status != PERP_OK) {
        free(g->b);
        perp_operator_free(g->A);
        perp_set_free(g->set);
        return status;
    }
    status = perp_problem_new_take(p, g->A, g->b, g->set, g->law, err);
    if (status == PERP_OK) {
        status = perp_json_texts(*p, root, g->file, err);
    }
    if (status == PERP_OK) {
        status = golden_points(g, *p, err);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    return status;
}

static perp_status golden_read(perp_source *from, const perp_read_options *opt,
                               perp_problem **p, perp_notes *notes, perp_error *err)
{
    golden_reader g = {.file = from->name};
    json_t *root = NULL;
    perp_status status = perp_json_load(&root, from, err);

    (void)notes; /* the reader repairs nothing, so there is nothing to note */
    if (status == PERP_OK) {
        status = golden_read_root(&g, root, opt->item, p, err);
    }
    json_decref(root);
    return status;
}

static perp_status golden_count(perp_source *from, size_t *count, perp_error *err)
{
    json_t *root = NULL;
    perp_status status = perp_json_load(&root, from, err);

    if (status == PERP_OK) {
        status = golden_header(root, from->name, err);
    }
    if (status == PERP_OK && json_object_get(root, "cases")) {
        *count = json_array_size(json_object_get(root, "cases"));
    }
    json_decref(root);
    return status;
}

/* The word "perp-golden" near the start of a text that opens with a brace. */
static int golden_detect(const perp_source *from)
{
    enum { HEAD = 4096 };
    char start[HEAD + 1];
    size_t space = 0;

    perp_source_peek(from, start, HEAD);
    space = strspn(start, " \t\r\n");
    if (start[space] != '{') {
        return 0;
    }
    if (strstr(start, "\"perp-golden\"")) {
        return 2;
    }
    return perp_path_ends(from->name, ".json") ? 1 : 0;
}

const perp_format_type perp_format_golden = {
    .format = {.name = "perp-golden",
               .summary =
                   "JSON of this project: any set, batches, answers; readable, for "
                   "small problems",
               .extension = ".json",
               .reads = true,
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_ALL,
    .detect = golden_detect,
    .read = golden_read,
    .write = perp_golden_write,
    .count = golden_count,
};
