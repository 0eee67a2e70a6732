/* SPDX-License-Identifier: Apache-2.0
 * formats/matrix_market.c: a folder of Matrix Market files, read.
 *
 *     A.mtx b.mtx          local: w = A z + b          (M.mtx, q.mtx where there is no H.mtx)
 *     M.mtx H.mtx f.mtx b.mtx [G.mtx]                   global
 *     lo.mtx hi.mtx        one number per row; inf and values beyond 1e300 mean no bound
 *     mu.mtx               one number per contact (cone or rolling cone) or friction row
 *     mu_rolling.mtx radius.mtx findex.mtx              rolling cones, disks, friction rows
 *     z.mtx w.mtx v.mtx guess_1.mtx ...                 an answer, starting points
 *     problem.json         kind, law, order, sets, texts; may be missing for the plain kinds
 *
 * findex.mtx has one number per row, counted from 1 as always in Matrix Market, and 0 for a row
 * without friction. Arrays become dense, coordinates CSR, and with "edge", the block size, in
 * problem.json block CSR. */
#include <config.h>

#include <unistd.h>

#include "matrix_market.h"

typedef struct folder_reader {
    const char *folder;
    const perp_read_options *opt;
    perp_notes *notes;
    perp_error *err;
    char json[PERP_FILE_PATH_LENGTH]; /* "folder/problem.json" */
    json_t *root; /* its content; an empty object when it is missing */
    const char *kind;
    bool normal_last;
    size_t block_size;
    perp_problem *p;
} folder_reader;

perp_status perp_folder_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                             const char *name, perp_error *err)
{
    size_t end = strlen(folder);
    int length = 0;

    while (end > 1 && folder[end - 1] == '/') {
        end--;
    }
    length = snprintf(path, PERP_FILE_PATH_LENGTH, "%.*s/%s", (int)end, folder, name);
    if (length < 0 || length >= PERP_FILE_PATH_LENGTH) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%.80s...: the path is longer than %d bytes", folder,
                         PERP_FILE_PATH_LENGTH - 1);
    }
    return PERP_OK;
}

static bool folder_has(const char *folder, const char *name)
{
    char path[PERP_FILE_PATH_LENGTH];

    return perp_folder_path(path, folder, name, NULL) == PERP_OK &&
           access(path, F_OK) == 0;
}

static perp_status folder_matrix(folder_reader *r, const char *name, size_t rows,
                                 size_t cols, size_t most, perp_operator **A)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_status status = perp_folder_path(path, r->folder, name, r->err);

    return status == PERP_OK
               ? perp_mtx_matrix(A, path, rows, cols, most, r->notes, r->err)
               : status;
}

/* A vector that is required; *n as for perp_mtx_vector. */
static perp_status folder_vector(folder_reader *r, const char *name, double **x,
                                 size_t *n)
{
    char path[PERP_FILE_PATH_LENGTH];
    bool bounds = strcmp(name, "lo.mtx") == 0 || strcmp(name, "hi.mtx") == 0;
    perp_status status = perp_folder_path(path, r->folder, name, r->err);

    return status == PERP_OK ? perp_mtx_vector(x, n, path, bounds, r->err) : status;
}

/* A vector that may be missing: then *x is NULL. */
static perp_status folder_optional(folder_reader *r, const char *name, double **x,
                                   size_t n)
{
    *x = NULL;
    return folder_has(r->folder, name) ? folder_vector(r, name, x, &n) : PERP_OK;
}

/* problem.json, or an empty object. */
static perp_status folder_json(folder_reader *r)
{
    perp_source from = {.name = r->json};
    perp_status status = PERP_OK;

    if (folder_has(r->folder, "problem.json")) {
        status = perp_json_load(&r->root, &from, r->err);
        perp_source_release(&from);
        return status;
    }
    r->root = json_object();
    return r->root ? PERP_OK
                   : perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->folder);
}

static perp_status folder_description(folder_reader *r)
{
    bool associated = false;
    perp_status status = folder_json(r);

    if (status == PERP_OK) {
        status = perp_json_text(&r->kind, r->root, r->json, "", "kind", r->err);
    }
    if (status == PERP_OK) {
        status = perp_json_choice(&associated, r->root, r->json, "", "law", "coulomb",
                                  "associated", r->err);
    }
    if (status == PERP_OK) {
        status = perp_json_choice(&r->normal_last, r->root, r->json, "", "order",
                                  "normal-first", "normal-last", r->err);
    }
    if (status == PERP_OK) {
        status = perp_json_size(&r->block_size, r->root, r->json, "", "edge", 1, r->err);
    }
    r->p->law = associated ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
    r->kind = r->opt->kind ? r->opt->kind : r->kind;
    return status;
}

/* Blocks, if the matrix had them when the folder was written. */
static perp_status folder_blocks(folder_reader *r, perp_operator **A)
{
    if ((*A)->type->storage == PERP_STORAGE_DENSE) {
        return PERP_OK;
    }
    if (r->block_size == 0 || r->block_size > 16 || (*A)->rows % r->block_size ||
        (*A)->cols % r->block_size) {
        return perp_fail(r->err, PERP_ERR_FORMAT,
                         "%s: edge is %zu, expected a divisor of %zu and %zu up to 16",
                         r->json, r->block_size, (*A)->rows, (*A)->cols);
    }
    return perp_operator_use_blocks(A, r->block_size, r->err);
}

static perp_status folder_local(folder_reader *r)
{
    perp_problem *p = r->p;
    bool other = !folder_has(r->folder, "A.mtx") && folder_has(r->folder, "M.mtx");
    bool q = !folder_has(r->folder, "b.mtx") && folder_has(r->folder, "q.mtx");
    perp_status status = PERP_OK;

    p->n = PERP_MTX_ANY;
    status = folder_vector(r, q ? "q.mtx" : "b.mtx", &p->b, &p->n);
    if (status == PERP_OK) {
        status = folder_matrix(r, other ? "M.mtx" : "A.mtx", p->n, p->n, p->n, &p->A);
    }
    return status == PERP_OK ? folder_blocks(r, &p->A) : status;
}

static perp_status folder_global(folder_reader *r)
{
    perp_problem *p = r->p;
    perp_global *g = calloc(1, sizeof *g);
    size_t dofs = PERP_MTX_ANY;
    perp_status status = PERP_OK;

    if (!g) {
        return perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->folder);
    }
    p->global = g;
    p->n = PERP_MTX_ANY;
    status = folder_vector(r, "b.mtx", &p->b, &p->n);
    if (status == PERP_OK) {
        status = folder_vector(r, "f.mtx", &g->f, &dofs);
    }
    if (status == PERP_OK) {
        status = folder_matrix(r, "M.mtx", dofs, dofs, dofs, &g->M);
    }
    if (status == PERP_OK) {
        status = folder_matrix(r, "H.mtx", dofs, PERP_MTX_ANY, p->n, &g->H);
    }
    if (status == PERP_OK && g->H->cols < p->n) {
        status = folder_matrix(r, "G.mtx", dofs, p->n - g->H->cols, p->n, &g->G);
    }
    if (status == PERP_OK && r->normal_last && g->G) {
        status = perp_fail(r->err, PERP_ERR_UNSUITABLE,
                           "%s: order \"normal-last\" together with G.mtx is not read",
                           r->json);
    }
    return status;
}

static perp_status folder_guesses(folder_reader *r)
{
    perp_problem *p = r->p;
    size_t count = 0;
    perp_status status =
        perp_json_size(&count, r->root, r->json, "", "guesses", 0, r->err);

    if (status == PERP_OK && count > 1000) { /* more is a typing error */
        status = perp_fail(r->err, PERP_ERR_FORMAT,
                           "%s: guesses is %zu, expected at most 1000", r->json, count);
    }
    if (status == PERP_OK && count > 0) {
        p->guesses = calloc(count, sizeof *p->guesses);
        if (!p->guesses) {
            status = perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->folder);
        }
    }
    for (size_t i = 0; status == PERP_OK && i < count; i++) {
        char name[48];
        size_t n = p->n;

        snprintf(name, sizeof name, "guess_%zu.mtx", i + 1);
        status = folder_vector(r, name, &p->guesses[i].z, &n);
        p->guess_count += status == PERP_OK;
    }
    return status;
}

static perp_status folder_solution(folder_reader *r)
{
    perp_problem *p = r->p;
    perp_status status = PERP_OK;

    if (!folder_has(r->folder, "z.mtx")) {
        return PERP_OK;
    }
    p->solution = calloc(1, sizeof *p->solution);
    if (!p->solution) {
        return perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->folder);
    }
    status = folder_optional(r, "z.mtx", &p->solution->z, p->n);
    if (status == PERP_OK) {
        status = folder_optional(r, "w.mtx", &p->solution->w, p->n);
    }
    if (status == PERP_OK && p->global) {
        status = folder_optional(r, "v.mtx", &p->solution->v, p->global->M->rows);
    }
    return status;
}

static perp_status folder_read_into(folder_reader *r)
{
    perp_status status = perp_folder_path(r->json, r->folder, "problem.json", r->err);

    if (status == PERP_OK) {
        status = folder_description(r);
    }
    if (status == PERP_OK) {
        status = folder_has(r->folder, "H.mtx") ? folder_global(r) : folder_local(r);
    }
    if (status == PERP_OK) {
        perp_folder_sets sets = {
            .folder = r->folder,
            .json = r->json,
            .sets = json_object_get(r->root, "sets"),
            .kind = r->kind,
            .n = r->p->n,
            .free = r->p->global && r->p->global->G ? r->p->global->G->cols : 0};

        status = perp_folder_set(&r->p->set, &sets, r->err);
    }
    if (status == PERP_OK) {
        status = folder_guesses(r);
    }
    if (status == PERP_OK) {
        status = folder_solution(r);
    }
    if (status == PERP_OK && r->normal_last) {
        status = perp_contacts_normal_first(r->p, r->err);
    }
    if (status == PERP_OK) {
        /* without an id, the name is that of the folder, not of problem.json */
        status = perp_json_texts(r->p, r->root, r->folder, r->err);
    }
    return status;
}

static perp_status matrix_market_read(perp_source *from, const perp_read_options *opt,
                                      perp_problem **p, perp_notes *notes,
                                      perp_error *err)
{
    folder_reader r = {.folder = from->name, .opt = opt, .notes = notes, .err = err};
    perp_status status = perp_problem_new(&r.p, err);

    if (status == PERP_OK) {
        *p = r.p;
        status = folder_read_into(&r);
    }
    json_decref(r.root);
    return status;
}

static int matrix_market_detect(const perp_source *from)
{
    return perp_source_is_folder(from) &&
                   (folder_has(from->name, "A.mtx") || folder_has(from->name, "M.mtx"))
               ? 2
               : 0;
}

const perp_format_type perp_format_matrix_market = {
    .format = {.name = "matrix-market",
               .summary = "a folder of .mtx files; Octave, SciPy, Julia, PETSc read them",
               .extension = "",
               .writes = true},
    .detect = matrix_market_detect,
    .read = matrix_market_read,
    .write_folder = perp_folder_write,
};
