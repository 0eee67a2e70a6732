/* SPDX-License-Identifier: Apache-2.0
 * core/problem.c: constructors and copies of problems, their kind and their hash. */
#include <config.h>

#include "base/base.h"
#include "core/solvers.h"

perp_status perp_problem_new(perp_problem **p, perp_error *err)
{
    if (perp_check_arguments(p, "perp_problem_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *p = calloc(1, sizeof **p);
    return *p ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "no memory for a problem");
}

double *perp_reals_new(size_t n)
{
    return calloc(n ? n : 1, sizeof(double));
}

char *perp_text_new(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);

    return copy ? memcpy(copy, text, length) : NULL;
}

/* Copies of optional parts; false when there is no memory. */
static bool copy_reals(double **out, const double *x, size_t n)
{
    *out = x ? perp_reals_new(n) : NULL;
    if (*out && n) {
        memcpy(*out, x, n * sizeof *x);
    }
    return *out || !x;
}

static void point_free(perp_point *point)
{
    free(point->z);
    free(point->w);
    free(point->v);
}

void perp_problem_free(perp_problem *p)
{
    if (!p) {
        return;
    }
    perp_operator_free(p->A);
    if (!p->borrows_b) {
        free(p->b);
    }
    if (!p->borrows_set) {
        perp_set_free(p->set);
    }
    if (p->global) {
        perp_operator_free(p->global->M);
        perp_operator_free(p->global->H);
        perp_operator_free(p->global->G);
        free(p->global->f);
        free(p->global);
    }
    free(p->name);
    free(p->title);
    free(p->description);
    free(p->math_info);
    if (!p->borrows_labels) {
        perp_labels_free(p->labels);
        perp_origin_free(p->origin);
    }
    for (size_t i = 0; p->guesses && i < p->guess_count; i++) {
        point_free(&p->guesses[i]);
    }
    free(p->guesses);
    if (p->solution) {
        point_free(p->solution);
        free(p->solution);
    }
    free(p);
}

perp_status perp_problem_new_take(perp_problem **p, perp_operator *A, double *b,
                                  perp_set *set, perp_law law, perp_error *err)
{
    perp_status status = perp_problem_new(p, err);

    if (status != PERP_OK) {
        perp_operator_free(A);
        free(b);
        perp_set_free(set);
        return status;
    }
    **p = (perp_problem){.n = set->n, .A = A, .b = b, .set = set, .law = law};
    return PERP_OK;
}

/* b and the set, copied or borrowed; without a set the problem is an LCP. */
static perp_status problem_parts(perp_problem *p, const double *b, const perp_set *set,
                                 perp_ownership ownership, perp_error *err)
{
    const size_t n = p->A->rows;
    perp_status status = PERP_OK;

    p->n = n;
    p->borrows_b = ownership == PERP_BORROW;
    p->borrows_set = ownership == PERP_BORROW && set;
    if (p->borrows_b) {
        p->b = perp_borrowed(b);
    } else if (!copy_reals(&p->b, b, n)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", n);
    }
    if (p->borrows_set) {
        p->set = perp_borrowed(set);
    } else {
        status = set ? perp_set_copy(&p->set, set, err)
                     : perp_set_new_uniform(&p->set, PERP_SET_NONNEG, n, err);
    }
    return status;
}

/* A problem that takes over A; `status` is that of the construction of A. */
static perp_status problem_around(perp_problem **p, perp_operator *A, const double *b,
                                  const perp_set *set, perp_law law,
                                  perp_ownership ownership, perp_status status,
                                  perp_error *err)
{
    *p = NULL;
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(A);
        return status;
    }
    (*p)->A = A;
    (*p)->law = law;
    status = problem_parts(*p, b, set, ownership, err);
    if (status == PERP_OK) {
        status = perp_problem_seal(*p, err);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    return status;
}

perp_status perp_problem_new_dense(perp_problem **p, size_t n, const double *A, size_t ld,
                                   const double *b, const perp_set *set, perp_law law,
                                   perp_ownership ownership, perp_error *err)
{
    if (perp_check_arguments(p, "perp_problem_new_dense", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *made = NULL;
    perp_status status = perp_operator_new_from_dense(&made, n, n, A, ld, ownership, err);

    return problem_around(p, made, b, set, law, ownership, status, err);
}

perp_status perp_problem_new_csr(perp_problem **p, size_t n, const size_t *ptr,
                                 const int32_t *col, const double *x, const double *b,
                                 const perp_set *set, perp_law law,
                                 perp_ownership ownership, perp_error *err)
{
    if (perp_check_arguments(p, "perp_problem_new_csr", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *made = NULL;
    perp_status status =
        perp_operator_new_from_csr(&made, n, n, ptr, col, x, ownership, err);

    return problem_around(p, made, b, set, law, ownership, status, err);
}

perp_status perp_problem_new_bsr(perp_problem **p, size_t n, size_t block_size,
                                 const size_t *ptr, const int32_t *col, const double *x,
                                 const double *b, const perp_set *set, perp_law law,
                                 perp_ownership ownership, perp_error *err)
{
    if (perp_check_arguments(p, "perp_problem_new_bsr", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *made = NULL;
    perp_status status =
        perp_operator_new_from_bsr(&made, n, n, block_size, ptr, col, x, ownership, err);

    return problem_around(p, made, b, set, law, ownership, status, err);
}

static bool copy_text(char **out, const char *text)
{
    *out = text ? perp_text_new(text) : NULL;
    return *out || !text;
}

static bool copy_point(perp_point *out, const perp_point *point, size_t n, size_t n_v)
{
    return copy_reals(&out->z, point->z, n) && copy_reals(&out->w, point->w, n) &&
           copy_reals(&out->v, point->v, n_v);
}

static bool copy_points(perp_problem *q, const perp_problem *p, size_t n_v)
{
    if (p->guess_count) {
        q->guesses = calloc(p->guess_count, sizeof *q->guesses);
        if (!q->guesses) {
            return false;
        }
        q->guess_count = p->guess_count;
        for (size_t i = 0; i < p->guess_count; i++) {
            if (!copy_point(&q->guesses[i], &p->guesses[i], p->n, n_v)) {
                return false;
            }
        }
    }
    if (p->solution) {
        q->solution = calloc(1, sizeof *q->solution);
        return q->solution && copy_point(q->solution, p->solution, p->n, n_v);
    }
    return true;
}

static perp_status copy_global(perp_problem *q, const perp_global *g, perp_error *err)
{
    q->global = calloc(1, sizeof *q->global);
    if (!q->global || !copy_reals(&q->global->f, g->f, g->M->rows)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a global problem");
    }
    TRY(perp_operator_copy(&q->global->M, g->M, err));
    TRY(perp_operator_copy(&q->global->H, g->H, err));
    if (g->G) {
        TRY(perp_operator_copy(&q->global->G, g->G, err));
    }
    return PERP_OK;
}

perp_status perp_problem_copy(perp_problem **out, const perp_problem *p, perp_error *err)
{
    if (perp_check_arguments(out && p, "perp_problem_copy", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_problem *q = NULL;
    size_t n_v = p->global ? p->global->M->rows : 0;
    perp_status status = perp_problem_new(&q, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    q->n = p->n;
    q->law = p->law;
    status = p->A ? perp_operator_copy(&q->A, p->A, err) : PERP_OK;
    if (status == PERP_OK) {
        status = perp_set_copy(&q->set, p->set, err);
    }
    if (status == PERP_OK && p->global) {
        status = copy_global(q, p->global, err);
    }
    if (status == PERP_OK && p->labels) {
        status = perp_labels_copy(&q->labels, p->labels, err);
    }
    if (status == PERP_OK && p->origin) {
        status = perp_origin_copy(&q->origin, p->origin, err);
    }
    if (status == PERP_OK &&
        !(copy_reals(&q->b, p->b, p->n) && copy_text(&q->name, p->name) &&
          copy_text(&q->title, p->title) && copy_text(&q->description, p->description) &&
          copy_text(&q->math_info, p->math_info) && copy_points(q, p, n_v))) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory for a copy of %zu rows", p->n);
    }
    if (status != PERP_OK) {
        perp_problem_free(q);
        return status;
    }
    *out = q;
    return PERP_OK;
}

perp_status perp_problem_view(perp_problem *view, const perp_problem *p, perp_error *err)
{
    perp_status status = PERP_OK;

    *view = *p;
    view->A = NULL;
    if (p->A) {
        status = perp_operator_new_view(&view->A, p->A, err);
    }
    if (view->A && p->sealed) {
        view->A->entries = p->entries;
    }
    return status;
}

perp_status perp_problem_view_seal(perp_problem *view, perp_error *err)
{
    perp_status status = perp_problem_seal(view, err);

    if (status == PERP_OK && view->A) {
        view->A->entries = view->entries;
    }
    return status;
}

void perp_problem_view_free(perp_problem *view)
{
    perp_operator_free(view->A);
    view->A = NULL;
}

perp_kind perp_problem_kind(const perp_problem *p)
{
    unsigned kinds = perp_set_kinds(p->set);
    unsigned scalar = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX;

    if (kinds == PERP_SET_CONE && perp_set_block_size(p->set) > 1) {
        return perp_set_block_size(p->set) == 2 ? PERP_KIND_FC2D : PERP_KIND_FC3D;
    }
    if (kinds == PERP_SET_ROLLING) {
        return PERP_KIND_ROLLING;
    }
    if ((kinds & ~(scalar | PERP_SET_FRICTION)) != 0) {
        return PERP_KIND_MIXED;
    }
    if (kinds & PERP_SET_FRICTION) {
        return PERP_KIND_FINDEX;
    }
    if (kinds & PERP_SET_BOX) {
        return PERP_KIND_BLCP;
    }
    return kinds & PERP_SET_FREE ? PERP_KIND_MLCP : PERP_KIND_LCP;
}

const char *perp_kind_name(perp_kind kind)
{
    switch (kind) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_KIND_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return "unknown";
}

const char *perp_problem_law_name(const perp_problem *p)
{
    bool cones = (perp_set_kinds(p->set) & (PERP_SET_CONE | PERP_SET_ROLLING)) != 0;

    return !cones ? "none" : p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb";
}

size_t perp_problem_contacts(const perp_problem *p)
{
    const perp_set *set = p->set;
    size_t count =
        perp_set_count(set, PERP_SET_CONE) + perp_set_count(set, PERP_SET_ROLLING);
    size_t last = SIZE_MAX;

    /* Friction rows of one contact follow each other, so count changes of the normal. */
    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].kind == PERP_SET_FRICTION && set->blocks[k].normal != last) {
            last = set->blocks[k].normal;
            count++;
        }
    }
    return count;
}

typedef struct hasher {
    uint64_t state;
    size_t row;
} hasher;

static void hash_bytes(hasher *h, const void *data, size_t length)
{
    h->state = perp_hash_bytes(h->state, data, length);
}

static void hash_size(hasher *h, size_t value)
{
    uint64_t v = value;

    hash_bytes(h, &v, sizeof v);
}

static void hash_real(hasher *h, double value)
{
    value += 0.0; /* -0 and 0 are the same problem */
    hash_bytes(h, &value, sizeof value);
}

/* Zeros are skipped, so that dense, CSR and blocks of one matrix have the same hash. */
static void hash_entry(void *context, size_t j, double a)
{
    hasher *h = context;

    if (a != 0.0) {
        hash_size(h, h->row);
        hash_size(h, j);
        hash_real(h, a);
    }
}

static void hash_matrix(hasher *h, const perp_operator *A)
{
    hash_size(h, A->rows);
    hash_size(h, A->cols);
    for (h->row = 0; h->row < A->rows; h->row++) {
        perp_operator_row_visit(A, h->row, hash_entry, h);
    }
}

uint64_t perp_problem_hash(const perp_problem *p)
{
    hasher h = {PERP_HASH_START, 0};

    hash_size(&h, p->n);
    hash_size(&h, (size_t)p->law);
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];

        hash_size(&h, (size_t)block->kind);
        hash_size(&h, block->dim);
        hash_real(&h, block->lo);
        hash_real(&h, block->hi);
        hash_real(&h, block->mu);
        hash_real(&h, block->mu_rolling);
        hash_real(&h, block->radius);
        hash_size(&h, block->normal);
    }
    for (size_t i = 0; i < p->n; i++) {
        hash_real(&h, p->b[i]);
    }
    if (p->A) {
        hash_matrix(&h, p->A);
    }
    if (p->A && perp_operator_in_factors(p->A)) {
        hash_bytes(&h, "factors", 7);
    }
    if (p->global) {
        hash_matrix(&h, p->global->M);
        hash_matrix(&h, p->global->H);
        if (p->global->G) {
            hash_matrix(&h, p->global->G);
        }
        for (size_t i = 0; i < p->global->M->rows; i++) {
            hash_real(&h, p->global->f[i]);
        }
    }
    return h.state;
}
