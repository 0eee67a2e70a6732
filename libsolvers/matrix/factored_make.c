/* SPDX-License-Identifier: Apache-2.0
 * matrix/factored_make.c: construction, copies and transposes of factored matrices.
 *
 * The nonzeros of M^-1 join velocities into blocks (the bodies). Each row of G = J M^-T holds
 * all velocities of the blocks that J's row touches, and J is filled to the same columns:
 * some zeros are multiplied, but the rows of a contact are read at once. */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"

enum { factored_run_most = 255 }; /* the largest unsigned char */

void perp_factored_free(perp_factored *f)
{
    if (f) {
        if (!f->borrows_transpose) {
            perp_operator_free(f->Gt);
        }
        if (!f->borrows_masses) {
            perp_operator_free(f->Minv);
        }
        free(f->block);
        free(f);
    }
}

static void factored_runs(const perp_operator *J, unsigned char *run)
{
    for (size_t i = J->rows; i-- > 0;) {
        size_t length = J->ptr[i + 1] - J->ptr[i];
        bool same = i + 1 < J->rows && J->ptr[i + 2] - J->ptr[i + 1] == length &&
                    memcmp(J->col + J->ptr[i], J->col + J->ptr[i + 1],
                           length * sizeof *J->col) == 0;

        run[i] = 1;
        if (same && run[i + 1] < factored_run_most) {
            run[i] = (unsigned char)(run[i + 1] + 1);
        }
    }
}

/* The parts of a factored matrix in one piece of memory: J and G share their pattern. */
typedef struct factored_block {
    perp_operator J, G;
    double numbers[]; /* C, sum (n each), v, x of J, of G; then the other arrays */
} factored_block;

static factored_block *factored_block_new(size_t n, size_t nv, size_t entries)
{
    size_t reals = 0;
    size_t bytes = 0;
    size_t patterns = 0;

    /* extents are within int: only the entries could overflow */
    if (!perp_mul(entries, 2 * sizeof(double), &reals) ||
        !perp_mul(entries, sizeof(int32_t), &patterns) || reals > SIZE_MAX / 4 ||
        patterns > SIZE_MAX / 4) {
        return NULL;
    }
    bytes = sizeof(factored_block) + reals + patterns + (2 * n + nv) * sizeof(double) +
            (n + 1) * (sizeof(size_t) + sizeof(int32_t) + 2);
    return perp_operator_array(bytes, 1, 1);
}

/* Pointers into the block, and copies of the pattern and of the numbers of J and G. */
static void factored_fill_block(perp_factored *f, factored_block *block,
                                const perp_operator *J, const perp_operator *G)
{
    const size_t n = J->rows;
    const size_t entries = J->ptr[n];
    double *at = block->numbers;

    f->block = block;
    f->nv = J->cols;
    f->C = at;
    f->sum = f->C + n;
    f->v = f->sum + n;
    block->J = (perp_operator){.type = &perp_operator_csr,
                               .rows = n,
                               .cols = J->cols,
                               .block_size = 1,
                               .count = entries,
                               .x = f->v + J->cols};
    block->J.ptr = (void *)(block->J.x + 2 * entries);
    block->J.col = (void *)(block->J.ptr + n + 1);
    f->touched = block->J.col + entries;
    f->run = (unsigned char *)(f->touched + n);
    f->mark = f->run + n;
    block->G = block->J;
    block->G.x = block->J.x + entries;
    memcpy(block->J.ptr, J->ptr, (n + 1) * sizeof *J->ptr);
    if (entries > 0) {
        memcpy(block->J.col, J->col, entries * sizeof *J->col);
        memcpy(block->J.x, J->x, entries * sizeof *J->x);
        memcpy(block->G.x, G->x, entries * sizeof *G->x);
    }
    memset(f->mark, 0, n);
    f->J = &block->J;
    f->G = &block->G;
}

/* A matrix of copies: of J G^T, or of G J^T. Both store the same columns. */
perp_status perp_factored_of_copies(perp_operator **out, const perp_operator *J,
                                    const perp_operator *G, const double *C,
                                    perp_error *err)
{
    const size_t n = J->rows;
    perp_factored *f = calloc(1, sizeof *f);
    factored_block *block = factored_block_new(n, J->cols, J->ptr[n]);
    perp_status status = PERP_ERR_MEMORY;

    *out = NULL;
    if (f && block) {
        status = perp_operator_blank(out, &perp_operator_factored, n, n, err);
    } else {
        perp_fail(err, PERP_ERR_MEMORY, "no memory for a factored matrix of %zu rows", n);
    }
    if (status != PERP_OK) {
        free(f);
        free(block);
        return status;
    }
    factored_fill_block(f, block, J, G);
    for (size_t i = 0; i < n; i++) {
        f->C[i] = C ? C[i] : 0.0;
    }
    factored_runs(f->J, f->run);
    (*out)->count = J->ptr[n];
    (*out)->factored = f;
    return PERP_OK;
}

bool perp_factored_ensure_transpose(const perp_operator *A)
{
    perp_factored *f = A->factored;

    return f->Gt || perp_operator_transpose(&f->Gt, f->G, NULL) == PERP_OK;
}

/* Blocks of M^-1: velocities that its nonzeros join. */
typedef struct bodies {
    const perp_operator *Minv; /* CSR */
    int32_t *body;             /* nv: the least velocity of its block */
    size_t *start;             /* nv+1: members of body b are member[start[b]..] */
    int32_t *member;
    size_t *stamp;  /* nv: 1 + the last row that touched the body */
    int32_t *touch; /* nv: columns of the current row */
} bodies;

static void bodies_free(bodies *b)
{
    free(b->body);
    free(b->start);
    free(b->member);
    free(b->stamp);
    free(b->touch);
}

static perp_status bodies_new(bodies *b, const perp_operator *Minv, perp_error *err)
{
    size_t nv = Minv->rows;

    b->Minv = Minv;
    b->body = perp_operator_array(nv, 1, sizeof *b->body);
    b->start = perp_operator_array(nv + 2, 1, sizeof *b->start);
    b->member = perp_operator_array(nv, 1, sizeof *b->member);
    b->stamp = calloc(nv + 1, sizeof *b->stamp);
    b->touch = perp_operator_array(nv, 1, sizeof *b->touch);
    if (!b->body || !b->start || !b->member || !b->stamp || !b->touch) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", nv);
    }
    perp_operator_parts(Minv, b->body);
    perp_parts_list(b->body, nv, b->start, b->member);
    return PERP_OK;
}

/* All velocities of the bodies that row i of J touches, ascending, in b->touch. */
static size_t bodies_of_row(bodies *b, const perp_operator *J, size_t i)
{
    size_t count = 0;

    for (size_t k = J->ptr[i]; k < J->ptr[i + 1]; k++) {
        size_t body = (size_t)b->body[J->col[k]];

        if (b->stamp[body] != i + 1) {
            b->stamp[body] = i + 1;
            for (size_t m = b->start[body]; m < b->start[body + 1]; m++) {
                b->touch[count++] = b->member[m];
            }
        }
    }
    qsort(b->touch, count, sizeof *b->touch, perp_compare_int32);
    return count;
}

/* J filled to whole bodies, and G with the same columns; the numbers are not set yet. */
static perp_status factored_pattern(perp_operator **J, perp_operator **G, bodies *b,
                                    const perp_operator *from, perp_error *err)
{
    size_t nv = b->Minv->rows;
    size_t count = 0;

    for (size_t i = 0; i < from->rows; i++) {
        count += bodies_of_row(b, from, i);
    }
    memset(b->stamp, 0, nv * sizeof *b->stamp);
    TRY(perp_operator_new_sparse(J, from->rows, nv, 1, count, err));
    TRY(perp_operator_new_sparse(G, from->rows, nv, 1, count, err));
    for (size_t i = 0; i < from->rows; i++) {
        size_t first = (*J)->ptr[i];

        count = bodies_of_row(b, from, i);
        memcpy((*J)->col + first, b->touch, count * sizeof *b->touch);
        memcpy((*G)->col + first, b->touch, count * sizeof *b->touch);
        (*J)->ptr[i + 1] = (*G)->ptr[i + 1] = first + count;
    }
    return PERP_OK;
}

/* Numbers of J and of G = J M^-T; v holds nv zeros before and after. */
static void factored_fill(perp_operator *J, perp_operator *G, const perp_operator *from,
                          const perp_operator *Minv, double *v)
{
    for (size_t i = 0; i < from->rows; i++) {
        perp_csr_row_add(from, i, 1.0, v);
        for (size_t k = J->ptr[i]; k < J->ptr[i + 1]; k++) {
            size_t velocity = (size_t)J->col[k];

            J->x[k] = v[velocity];
            perp_csr_rows_dot(Minv, velocity, 1, v, &G->x[k]);
        }
        for (size_t k = from->ptr[i]; k < from->ptr[i + 1]; k++) {
            v[from->col[k]] = 0.0;
        }
    }
}

/* The same from CSR matrices. */
static perp_status factored_from(perp_operator **A, const perp_operator *J,
                                 const perp_operator *Minv, const double *C,
                                 perp_error *err)
{
    bodies b = {0};
    perp_operator *filled = NULL;
    perp_operator *G = NULL;
    double *v = perp_reals_new(Minv->rows);
    perp_status status = bodies_new(&b, Minv, err);

    if (status == PERP_OK) {
        status = factored_pattern(&filled, &G, &b, J, err);
    }
    if (status == PERP_OK && !v) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", Minv->rows);
    }
    if (status == PERP_OK) {
        factored_fill(filled, G, J, Minv, v);
        status = perp_factored_of_copies(A, filled, G, C, err);
    }
    perp_operator_free(filled);
    perp_operator_free(G);
    bodies_free(&b);
    free(v);
    return status;
}

perp_status perp_operator_new_factored(perp_operator **A, const perp_operator *J,
                                       const perp_operator *Minv, const double *C,
                                       perp_error *err)
{
    if (perp_check_arguments(A && J && Minv, "perp_operator_new_factored", err) !=
        PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_operator *rows = NULL;
    perp_operator *inverse = NULL;
    perp_status status = PERP_OK;

    *A = NULL;
    if (Minv->rows != Minv->cols || J->cols != Minv->rows) {
        return perp_fail(err, PERP_ERR_DATA,
                         "factored matrix: J is %zu x %zu and M^-1 %zu x %zu, expected a "
                         "square of as many columns",
                         J->rows, J->cols, Minv->rows, Minv->cols);
    }
    status = perp_operator_convert(&rows, J, PERP_STORAGE_CSR, 1, err);
    if (status == PERP_OK) {
        status = perp_operator_convert(&inverse, Minv, PERP_STORAGE_CSR, 1, err);
    }
    if (status == PERP_OK) {
        status = factored_from(A, rows, inverse, C, err);
    }
    if (status == PERP_OK) {
        (*A)->factored->Minv = inverse;
    } else {
        perp_operator_free(inverse);
    }
    perp_operator_free(rows);
    return status;
}

/* Whether the rows are those of a CSR matrix with ascending columns. */
static bool factors_ascend(const perp_arrays *J)
{
    if (J->storage != PERP_STORAGE_CSR) {
        return false;
    }
    for (size_t i = 0; i < J->rows; i++) {
        int32_t least = 0;

        for (size_t k = J->ptr[i]; k < J->ptr[i + 1]; k++) {
            if (J->col[k] < least || (size_t)J->col[k] >= J->cols) {
                return false;
            }
            least = J->col[k] + 1;
        }
    }
    return true;
}

perp_status perp_operator_new_factors(perp_operator **A, const perp_arrays *J,
                                      const double *G, const double *C, perp_error *err)
{
    TRY(perp_check_arguments(A && J && G, "perp_operator_new_factors", err));
    *A = NULL;
    if (!factors_ascend(J)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "factored matrix: expected J of %zu x %zu in rows (CSR), the "
                         "columns of a row ascending",
                         J->rows, J->cols);
    }

    const perp_operator rows = {.rows = J->rows,
                                .cols = J->cols,
                                .block_size = 1,
                                .count = J->count,
                                .ptr = J->ptr,
                                .col = J->col,
                                .x = J->x};
    const perp_operator velocities = {.x = perp_borrowed(G)};

    return perp_factored_of_copies(A, &rows, &velocities, C, err);
}

perp_status perp_factored_copy(perp_operator **out, const perp_operator *A,
                               perp_error *err)
{
    const perp_factored *f = A->factored;
    perp_status status = perp_factored_of_copies(out, f->J, f->G, f->C, err);

    if (status == PERP_OK && f->Minv) {
        status = perp_operator_copy(&(*out)->factored->Minv, f->Minv, err);
    }
    if (status != PERP_OK) {
        perp_operator_free(*out);
        *out = NULL;
    }
    return status;
}

/* All numbers are those of A; only the scratch is memory of its own. */
perp_status perp_factored_view(perp_operator *out, const perp_operator *A,
                               perp_error *err)
{
    const size_t n = A->rows;
    const size_t nv = A->factored->nv;
    perp_factored *f = malloc(sizeof *f);
    double *scratch =
        perp_operator_array((n + nv) * sizeof(double) + n * (sizeof(int32_t) + 1), 1, 1);
    void *after = NULL;

    if (!f || !scratch) {
        free(f);
        free(scratch);
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for the scratch of %zu rows in factors", n);
    }
    *f = *A->factored;
    f->block = scratch;
    f->borrows_transpose = f->Gt != NULL;
    f->borrows_masses = true;
    f->v = scratch;
    f->sum = f->v + nv;
    after = f->sum + n;
    f->touched = after;
    f->mark = (unsigned char *)(f->touched + n);
    memset(f->mark, 0, n);
    out->factored = f;
    return PERP_OK;
}

perp_status perp_factored_transpose(perp_operator **out, const perp_operator *A,
                                    perp_error *err)
{
    const perp_factored *f = A->factored;

    return perp_factored_of_copies(out, f->G, f->J, f->C, err);
}

/* scale [X Y]: each row of X is continued by the row of Y. */
static perp_status factored_append(perp_operator **out, const perp_operator *X,
                                   const perp_operator *Y, double scale, perp_error *err)
{
    perp_operator *S = NULL;
    size_t next = 0;
    perp_status status = perp_operator_new_sparse(&S, X->rows, X->cols + Y->cols, 1,
                                                  X->ptr[X->rows] + Y->ptr[Y->rows], err);

    *out = S;
    for (size_t i = 0; status == PERP_OK && i < X->rows; i++) {
        for (size_t k = X->ptr[i]; k < X->ptr[i + 1]; k++) {
            S->col[next] = X->col[k];
            S->x[next++] = scale * X->x[k];
        }
        for (size_t k = Y->ptr[i]; k < Y->ptr[i + 1]; k++) {
            S->col[next] = (int32_t)X->cols + Y->col[k];
            S->x[next++] = scale * Y->x[k];
        }
        S->ptr[i + 1] = next;
    }
    return status;
}

perp_status perp_factored_symmetric_part(perp_operator **out, const perp_operator *A,
                                         perp_error *err)
{
    const perp_factored *f = A->factored;
    perp_operator *left = NULL;
    perp_operator *right = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (perp_operator_is_symmetric(A)) {
        return perp_factored_copy(out, A, err);
    }
    status = factored_append(&left, f->J, f->G, 0.5, err);
    if (status == PERP_OK) {
        status = factored_append(&right, f->G, f->J, 1.0, err);
    }
    if (status == PERP_OK) {
        status = perp_factored_of_copies(out, left, right, f->C, err);
    }
    perp_operator_free(left);
    perp_operator_free(right);
    return status;
}

bool perp_factored_bounded(const perp_operator *A)
{
    const perp_factored *f = A->factored;
    double most = 0.0;

    most = perp_operator_max(f->J) * perp_operator_max(f->G);

    /* a sum of as many products as there are velocities stays finite */
    return perp_all_finite(f->C, A->rows) &&
           most <= DBL_MAX / (2.0 * (double)f->J->cols + 2.0);
}

bool perp_factored_same(const perp_operator *A, const perp_operator *B)
{
    const perp_factored *f = A->factored;
    const perp_factored *g = B->factored;

    return perp_operator_same(f->J, g->J) && perp_operator_same(f->G, g->G) &&
           memcmp(f->C, g->C, A->rows * sizeof *f->C) == 0;
}
