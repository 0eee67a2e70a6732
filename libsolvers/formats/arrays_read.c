/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_read.c: a problem made of named arrays. Arrays keep the storage that the
 * container gives them; sparse ones become block CSR by "edge", the block size, in the
 * description. */
#include <config.h>

#include <string.h>

#include "arrays.h"
#include "base/base.h"

typedef struct arrays_reader {
    const perp_arrays_in *in;
    const perp_read_options *opt;
    perp_error *err;
    char json[PERP_ARRAY_PLACE]; /* how messages call the description */
    json_t *root;                /* the description; an empty object when it is missing */
    const char *kind;
    bool normal_last;
    size_t block_size;
    perp_problem *p;
} arrays_reader;

/* Numbers after the last starting point at which another one is searched. */
enum { GUESSES_GAP = 4 };

static bool arrays_has(const arrays_reader *r, const char *name)
{
    return r->in->has(r->in, name);
}

static perp_status arrays_matrix(const arrays_reader *r, const char *name, size_t rows,
                                 size_t cols, size_t most, perp_operator **A)
{
    return r->in->matrix(r->in, name, rows, cols, most, A, r->err);
}

/* A vector that is required; *n as for perp_arrays_in. */
static perp_status arrays_vector(const arrays_reader *r, const char *name, double **x,
                                 size_t *n)
{
    return r->in->vector(r->in, name, false, x, n, r->err);
}

/* A vector that may be missing: then *x is NULL. */
static perp_status arrays_optional(arrays_reader *r, const char *name, double **x,
                                   size_t n)
{
    *x = NULL;
    return arrays_has(r, name) ? arrays_vector(r, name, x, &n) : PERP_OK;
}

/* The description, or an empty object. */
static perp_status arrays_json(arrays_reader *r)
{
    perp_status status = r->in->describe(r->in, &r->root, r->err);

    if (status == PERP_OK && !r->root) {
        r->root = json_object();
    }
    return status != PERP_OK || r->root
               ? status
               : perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->in->file);
}

static perp_status arrays_description(arrays_reader *r)
{
    static const char *const members[] = {
        "format",      "version",   "id",   "note", "kind",    "law",    "order",  "n",
        "description", "math_info", "edge", "sets", "guesses", "origin", "labels", NULL};
    bool associated = false;

    TRY(arrays_json(r));
    TRY(perp_json_expect_members(r->root, members, r->in->members, r->json, "", r->err));
    TRY(perp_json_text(&r->kind, r->root, r->json, "", "kind", r->err));
    TRY(perp_json_choice(&associated, r->root, r->json, "", "law", "coulomb",
                         "associated", r->err));
    TRY(perp_json_choice(&r->normal_last, r->root, r->json, "", "order", "normal-first",
                         "normal-last", r->err));
    r->p->law = associated ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
    r->kind = r->opt->kind ? r->opt->kind : r->kind;
    return perp_json_size(&r->block_size, r->root, r->json, "", "edge", 1, r->err);
}

/* Blocks, if the matrix had them when it was written. */
static perp_status arrays_blocks(arrays_reader *r, perp_operator **A)
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

/* The name of an array that has two, of which a file may have one; if neither is there, the one
 * that is missing is `other` where the file has the other name of its companion. */
static perp_status arrays_one_of(const arrays_reader *r, const char *usual,
                                 const char *other, bool companion, const char **name)
{
    const bool both = arrays_has(r, usual) && arrays_has(r, other);

    *name = arrays_has(r, other) || (companion && !arrays_has(r, usual)) ? other : usual;
    return both ? perp_fail(r->err, PERP_ERR_FORMAT,
                            "%s: %s and %s are names of one array, expected one of them",
                            r->in->file, usual, other)
                : PERP_OK;
}

/* Arrays of the other form, which this one has no use for. */
static perp_status arrays_without(const arrays_reader *r, const char *const *names,
                                  const char *why)
{
    for (; *names; names++) {
        if (arrays_has(r, *names)) {
            return perp_fail(r->err, PERP_ERR_FORMAT, "%s: %s is of no use %s",
                             r->in->file, *names, why);
        }
    }
    return PERP_OK;
}

static perp_status arrays_form(const arrays_reader *r)
{
    static const char *const global[] = {"f", "G", NULL};
    static const char *const local[] = {"A", "q", NULL};

    return arrays_has(r, "H") ? arrays_without(r, local, "beside H, in the global form")
                              : arrays_without(r, global, "without H, in the local form");
}

static perp_status arrays_local(arrays_reader *r)
{
    perp_problem *p = r->p;
    const char *A = NULL;
    const char *b = NULL;
    perp_status status = arrays_one_of(r, "A", "M", arrays_has(r, "q"), &A);

    p->n = PERP_ARRAY_ANY;
    if (status == PERP_OK) {
        status = arrays_one_of(r, "b", "q", arrays_has(r, "M"), &b);
    }
    if (status == PERP_OK) {
        status = arrays_vector(r, b, &p->b, &p->n);
    }
    if (status == PERP_OK) {
        status = arrays_matrix(r, A, p->n, p->n, p->n, &p->A);
    }
    return status == PERP_OK ? arrays_blocks(r, &p->A) : status;
}

static perp_status arrays_global(arrays_reader *r)
{
    perp_problem *p = r->p;
    perp_global *g = calloc(1, sizeof *g);
    size_t dofs = PERP_ARRAY_ANY;

    if (!g) {
        return perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->in->file);
    }
    p->global = g;
    p->n = PERP_ARRAY_ANY;
    TRY(arrays_vector(r, "b", &p->b, &p->n));
    TRY(arrays_vector(r, "f", &g->f, &dofs));
    TRY(arrays_matrix(r, "M", dofs, dofs, dofs, &g->M));
    TRY(arrays_matrix(r, "H", dofs, PERP_ARRAY_ANY, p->n, &g->H));
    if (g->H->cols < p->n) {
        TRY(arrays_matrix(r, "G", dofs, p->n - g->H->cols, p->n, &g->G));
    }
    if (r->normal_last && g->G) {
        TRY(perp_fail(r->err, PERP_ERR_UNSUITABLE,
                      "%s: order \"normal-last\" together with G is not read", r->json));
    }
    return PERP_OK;
}

static bool arrays_has_guess(const arrays_reader *r, size_t k)
{
    char name[48];

    snprintf(name, sizeof name, "guess_%zu", k);
    return arrays_has(r, name);
}

/* A starting point that is not counted is an error, not left out: guess_0, or one behind a gap. */
static perp_status arrays_guesses_astray(const arrays_reader *r, size_t count)
{
    for (size_t k = 0; k <= count + GUESSES_GAP; k++) {
        if ((k == 0 || k > count) && arrays_has_guess(r, k)) {
            return perp_fail(r->err, PERP_ERR_FORMAT,
                             "%s: guess_%zu is there, expected guess_1 and so on, "
                             "of which there are %zu",
                             r->in->file, k, count);
        }
    }
    return PERP_OK;
}

/* As many as the description states; without a statement, those that are there from guess_1 on. */
static perp_status arrays_guess_count(const arrays_reader *r, size_t *count)
{
    perp_status status =
        perp_json_size(count, r->root, r->json, "", "guesses", 0, r->err);
    bool stated = json_object_get(r->root, "guesses") != NULL;

    while (status == PERP_OK && !stated && arrays_has_guess(r, *count + 1)) {
        (*count)++;
    }
    if (status == PERP_OK && *count > 1000) { /* more is a typing error */
        status = perp_fail(r->err, PERP_ERR_FORMAT,
                           "%s: guesses is %zu, expected at most 1000", r->json, *count);
    }
    return status == PERP_OK ? arrays_guesses_astray(r, *count) : status;
}

static perp_status arrays_guesses(arrays_reader *r)
{
    perp_problem *p = r->p;
    size_t count = 0;
    perp_status status = arrays_guess_count(r, &count);

    if (status == PERP_OK && count > 0) {
        p->guesses = calloc(count, sizeof *p->guesses);
        if (!p->guesses) {
            status = perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->in->file);
        }
    }
    for (size_t i = 0; status == PERP_OK && i < count; i++) {
        char name[48];
        size_t n = p->n;

        snprintf(name, sizeof name, "guess_%zu", i + 1);
        status = arrays_vector(r, name, &p->guesses[i].z, &n);
        p->guess_count += status == PERP_OK;
    }
    return status;
}

static perp_status arrays_solution(arrays_reader *r)
{
    perp_problem *p = r->p;

    if (!arrays_has(r, "z")) {
        return PERP_OK;
    }
    p->solution = calloc(1, sizeof *p->solution);
    if (!p->solution) {
        return perp_fail(r->err, PERP_ERR_MEMORY, "%s: no memory", r->in->file);
    }
    TRY(arrays_optional(r, "z", &p->solution->z, p->n));
    TRY(arrays_optional(r, "w", &p->solution->w, p->n));
    if (p->global) {
        TRY(arrays_optional(r, "v", &p->solution->v, p->global->M->rows));
    }
    return PERP_OK;
}

/* The number of rows that the description may state. */
static perp_status arrays_rows(const arrays_reader *r)
{
    size_t n = r->p->n;
    perp_status status = perp_json_size(&n, r->root, r->json, "", "n", n, r->err);

    return status == PERP_OK && n != r->p->n
               ? perp_fail(r->err, PERP_ERR_FORMAT,
                           "%s: n is %zu, expected %zu, the number of rows", r->json, n,
                           r->p->n)
               : status;
}

static perp_status arrays_read_into(arrays_reader *r)
{
    perp_arrays_sets sets = {.in = r->in};

    TRY(arrays_description(r));
    TRY(arrays_form(r));
    TRY(arrays_has(r, "H") ? arrays_global(r) : arrays_local(r));
    TRY(arrays_rows(r));
    sets.sets = json_object_get(r->root, "sets");
    sets.kind = r->kind;
    sets.n = r->p->n;
    sets.free = r->p->global && r->p->global->G ? r->p->global->G->cols : 0;
    TRY(perp_arrays_set(&r->p->set, &sets, r->err));
    TRY(arrays_guesses(r));
    TRY(arrays_solution(r));
    if (r->normal_last) {
        TRY(perp_contacts_normal_first(r->p, r->err));
    }
    /* without an id, the name is that of the file */
    return perp_json_texts(r->p, r->root, r->in->file, r->err);
}

perp_status perp_arrays_read(const perp_arrays_in *in, const perp_read_options *opt,
                             perp_problem *p, perp_error *err)
{
    arrays_reader r = {.in = in, .opt = opt, .err = err, .p = p};
    perp_status status = PERP_OK;

    in->place(in, "description", r.json);
    status = arrays_read_into(&r);
    json_decref(r.root);
    return status;
}
