/* SPDX-License-Identifier: Apache-2.0
 * admm/shifted.c: systems (A + D) x = c for changing D, through factors, velocities, or the
 * spectrum.
 *
 * Cost of a new D: n^3/3 (Cholesky) or 2 n^3/3 flops dense, by the fill sparse, by the fill of
 * the velocities' graph for a factored A, none with the spectrum (9 n^3 once). A solve: 2 n^2,
 * or 4 n^2 with the spectrum. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>

#include "matrix/storages.h"
#include "shifted.h"

/* Factors kept take at most this, beyond the one at work: a quarter of the smallest machines
 * that such problems are solved on. */
#define SHIFTED_BYTES 0x1p28

/* The columns that row k of G^T J has beside the diagonal, to `touched`, ascending. `mark`
 * holds k + 1 where a column has been met. */
static size_t velocity_row(const perp_factored *f, size_t k, int32_t *touched,
                           size_t *mark)
{
    size_t count = 1;
    size_t sorted = 0;

    touched[0] = (int32_t)k;
    mark[k] = k + 1;
    for (size_t m = f->Gt->ptr[k]; m < f->Gt->ptr[k + 1]; m++) {
        size_t row = (size_t)f->Gt->col[m];

        for (size_t t = f->J->ptr[row]; t < f->J->ptr[row + 1]; t++) {
            int32_t j = f->J->col[t];

            if (mark[j] != k + 1) {
                mark[j] = k + 1;
                touched[count++] = j;
            }
        }
    }
    for (sorted = 1; sorted < count; sorted++) { /* bodies come in runs: nearly sorted */
        int32_t j = touched[sorted];
        size_t at = sorted;

        for (; at > 0 && touched[at - 1] > j; at--) {
            touched[at] = touched[at - 1];
        }
        touched[at] = j;
    }
    return count;
}

/* The pattern of I + G^T J: velocities that some row joins. */
static perp_status velocity_pattern(shifted *s, perp_error *err)
{
    const perp_factored *f = s->parts;
    int32_t *touched = calloc(s->nv + 1, sizeof *touched);
    size_t *mark = calloc(s->nv + 1, sizeof *mark);
    size_t count = 0;
    perp_status status = PERP_OK;

    if (!touched || !mark) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu velocities", s->nv);
    } else {
        for (size_t k = 0; k < s->nv; k++) {
            count += velocity_row(f, k, touched, mark);
        }
        memset(mark, 0, s->nv * sizeof *mark);
        status = perp_operator_new_sparse(&s->P, s->nv, s->nv, 1, count, err);
    }
    for (size_t k = 0; status == PERP_OK && k < s->nv; k++) {
        size_t first = s->P->ptr[k];

        count = velocity_row(f, k, touched, mark);
        memcpy(s->P->col + first, touched, count * sizeof *touched);
        s->P->ptr[k + 1] = first + count;
    }
    free(touched);
    free(mark);
    return status;
}

/* P := I + G^T E^-1 J, a row at a time through v. */
static void velocity_fill(shifted *s)
{
    const perp_factored *f = s->parts;

    for (size_t k = 0; k < s->nv; k++) {
        for (size_t t = s->P->ptr[k]; t < s->P->ptr[k + 1]; t++) {
            s->v[s->P->col[t]] = (size_t)s->P->col[t] == k ? 1.0 : 0.0;
        }
        for (size_t m = f->Gt->ptr[k]; m < f->Gt->ptr[k + 1]; m++) {
            size_t row = (size_t)f->Gt->col[m];

            perp_csr_row_add(f->J, row, f->Gt->x[m] / s->E[row], s->v);
        }
        for (size_t t = s->P->ptr[k]; t < s->P->ptr[k + 1]; t++) {
            s->P->x[t] = s->v[s->P->col[t]];
        }
    }
}

static perp_status velocity_open(shifted *s, perp_error *err)
{
    perp_status status = PERP_OK;

    if (s->A->pairs) {
        status = perp_operator_convert(&s->sparse, s->A, PERP_STORAGE_FACTORED, 1, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    if (!perp_factored_ensure_transpose(s->sparse ? s->sparse : s->A)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->n);
    }
    s->parts = s->sparse ? s->sparse->factored : s->A->factored;
    s->nv = s->parts->nv;
    s->E = perp_reals_new(s->n);
    s->v = perp_reals_new(s->nv);
    if (!s->E || !s->v) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->n);
    }
    status = velocity_pattern(s, err);
    return status == PERP_OK ? perp_system_new(&s->K, s->P, NULL, err) : status;
}

/* The symmetric part of A as a dense matrix: the one place where it is meant. */
static perp_status dense_part(perp_operator **S, const perp_operator *A, perp_error *err)
{
    perp_operator *dense = NULL;
    perp_status status = perp_operator_convert(&dense, A, PERP_STORAGE_DENSE, 1, err);

    *S = NULL;
    if (status == PERP_OK) {
        status = perp_operator_symmetric_part(S, dense, err);
    }
    perp_operator_free(dense);
    return status;
}

static perp_status eigen(perp_operator *S, char job, double *T, perp_error *err)
{
    lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, 'L', (lapack_int)S->rows,
                                     S->x, (lapack_int)S->ld, T);

    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the eigenvalues");
    }
    return info == 0 ? PERP_OK
                     : perp_fail(err, PERP_ERR_LIBRARY, "dsyevd failed with info %d",
                                 (int)info);
}

static perp_status spectrum_open(shifted *s, perp_error *err)
{
    perp_operator *S = NULL;
    perp_status status = dense_part(&S, s->A, err);

    s->T = perp_reals_new(s->n);
    s->c = perp_reals_new(s->n);
    s->Q = perp_reals_new(s->n * s->n); /* small: the caller saw to that */
    if (status == PERP_OK && (!s->T || !s->c || !s->Q)) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", s->n);
    }
    status = status == PERP_OK ? eigen(S, 'V', s->T, err) : status;
    for (size_t j = 0; status == PERP_OK && j < s->n; j++) {
        memcpy(s->Q + j * s->n, S->x + j * S->ld, s->n * sizeof *s->Q);
    }
    perp_operator_free(S);
    return status;
}

perp_status perp_shifted_extremes(const perp_operator *A, double *least, double *most,
                                  perp_error *err)
{
    perp_operator *S = NULL;
    double *T = perp_reals_new(A->rows);
    perp_status status = dense_part(&S, A, err);

    if (status == PERP_OK && !T) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", A->rows);
    }
    status = status == PERP_OK ? eigen(S, 'N', T, err) : status;
    *least = status == PERP_OK && A->rows > 0 ? T[0] : 0.0;
    *most = status == PERP_OK && A->rows > 0 ? T[A->rows - 1] : 0.0;
    perp_operator_free(S);
    free(T);
    return status;
}

perp_status perp_shifted_open(shifted *s, const perp_operator *A, perp_factor_kind kind,
                              bool spectrum, perp_error *err)
{
    perp_status status = PERP_OK;
    double bytes = 0.0;

    s->A = A;
    s->n = A->rows;
    if (spectrum) {
        return spectrum_open(s, err);
    }
    if (perp_operator_in_factors(A)) {
        kind = PERP_FACTOR_LU; /* G^T E^-1 J is not symmetric */
        status = velocity_open(s, err);
    } else {
        status = perp_system_new(&s->K, A, NULL, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    bytes = (double)sizeof(double) * (double)perp_operator_nonzeros(s->K);
    do {
        s->slot[s->slots].key = NAN;
        status = perp_factor_new(&s->slot[s->slots].factor, s->K, kind, err);
        s->slots++;
    } while (status == PERP_OK && s->slots < SHIFTED_SLOTS &&
             bytes * (double)s->slots < SHIFTED_BYTES);
    return status;
}

void perp_shifted_close(shifted *s)
{
    for (size_t k = 0; k < s->slots; k++) {
        perp_factor_free(s->slot[k].factor);
    }
    perp_operator_free(s->P);
    perp_operator_free(s->sparse);
    perp_operator_free(s->K);
    free(s->E);
    free(s->v);
    free(s->Q);
    free(s->T);
    free(s->c);
    *s = (shifted){0};
}

/* K := what stands for A + D. */
static void shifted_load(shifted *s, const double *d)
{
    if (s->P) {
        velocity_fill(s);
        perp_system_load(s->K, s->P);
        return;
    }
    perp_system_load(s->K, s->A);
    for (size_t i = 0; i < s->n; i++) {
        perp_system_add_block(s->K, i, 1, &d[i]);
    }
}

perp_status perp_shifted_set(shifted *s, double key, const double *d, perp_result *r,
                             bool *done, perp_error *err)
{
    shifted_slot *oldest = &s->slot[0];
    perp_status status = PERP_OK;

    *done = true;
    if (s->Q) {
        s->tau = s->n > 0 ? d[0] : 1.0;
        return PERP_OK;
    }
    for (size_t i = 0; s->P && i < s->n; i++) {
        s->E[i] = perp_operator_compliance(s->A)[i] + d[i];
    }
    s->clock++;
    for (size_t k = 0; k < s->slots; k++) {
        shifted_slot *slot = &s->slot[k];

        if (slot->key == key) {
            slot->used = s->clock;
            s->now = slot;
            return PERP_OK;
        }
        oldest = slot->used < oldest->used ? slot : oldest;
    }
    shifted_load(s, d);
    oldest->key = NAN;
    status = perp_factor_matrix(oldest->factor, s->K, done, err);
    if (status == PERP_OK && *done) {
        oldest->key = key;
        oldest->used = s->clock;
        s->now = oldest;
    }
    r->work.factorizations += 1.0;
    r->work.flops_factor += perp_factor_flops(oldest->factor);
    return status;
}

void perp_shifted_moved(shifted *s, double shift)
{
    for (size_t i = 0; s->Q && i < s->n; i++) {
        s->T[i] += shift;
    }
    for (size_t k = 0; k < s->slots; k++) {
        s->slot[k].key = NAN;
        s->slot[k].used = 0;
    }
}

static void velocity_solve(shifted *s, double *x)
{
    const perp_operator *A = s->A;

    for (size_t i = 0; i < s->n; i++) {
        x[i] /= s->E[i];
    }
    perp_factored_velocity(A, x, s->v);
    perp_factor_solve(s->now->factor, s->v);
    for (size_t i = 0; i < s->n; i += 3) { /* a contact at a time */
        size_t dim = s->n - i < 3 ? s->n - i : 3;
        double pull[3];

        perp_factored_rows_dot(A, i, dim, s->v, pull);
        for (size_t k = 0; k < dim; k++) {
            x[i + k] -= pull[k] / s->E[i + k];
        }
    }
}

void perp_shifted_solve(shifted *s, double *x)
{
    if (s->Q && s->n > 0) {
        int n = (int)s->n;

        cblas_dgemv(CblasColMajor, CblasTrans, n, n, 1.0, s->Q, n, x, 1, 0.0, s->c, 1);
        for (size_t i = 0; i < s->n; i++) {
            s->c[i] /= s->T[i] + s->tau;
        }
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, s->Q, n, s->c, 1, 0.0, x, 1);
    } else if (s->P) {
        velocity_solve(s, x);
    } else if (s->now) {
        perp_factor_solve(s->now->factor, x);
    }
}

bool perp_shifted_weights(const perp_set *set, double *weight)
{
    bool uniform = true;

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        bool scalar = block->kind == PERP_SET_FREE || block->kind == PERP_SET_BOX;
        bool free = scalar && !isfinite(block->lo) && !isfinite(block->hi);

        uniform = uniform && !free;
        for (unsigned i = 0; i < block->dim; i++) {
            weight[block->first + i] = free ? 1e-3 : 1.0;
        }
    }
    return uniform;
}
