/* SPDX-License-Identifier: Apache-2.0
 * exact/point.c: the exact point of an active set, by Dixon's p-adic lifting [dixon-1982].
 *
 * The rank of A_FF is taken modulo a prime of 63 bits: full rank modulo a prime is full rank. Of a
 * lower rank a basis of rows R and one of columns C are kept: A_RC is regular modulo the prime and
 * thus over the rationals. Columns outside C stay at z, and rows outside R are checked by the
 * caller, by their w. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "interop/exact/integers.h"

/* F in the order of the caller, and the system that is solved. */
typedef struct point_system {
    size_t *F, *at;    /* F: rows; at: n: position of a row in F + 1, or 0 */
    size_t *rows;      /* positions in F of the rows R */
    size_t *columns;   /* and of the columns C */
    size_t size, rank; /* of F, of A_FF */
} point_system;

/* A_FF modulo a prime, or its transpose. */
static void point_reduce(const exact_integers *k, const point_system *f, bool transpose,
                         nmod_mat_t M)
{
    for (size_t r = 0; r < f->size; r++) {
        size_t i = f->F[r];

        for (size_t e = k->ptr[i]; e < k->ptr[i + 1]; e++) {
            size_t c = f->at[k->col[e]];

            if (c > 0) {
                mp_limb_t a = fmpz_fdiv_ui(k->value + e, M->mod.n);

                c--;
                nmod_mat_entry(M, transpose ? c : r, transpose ? r : c) = a;
            }
        }
    }
}

/* The first columns of M that are independent, as positions. */
static size_t point_basis(nmod_mat_t M, size_t *basis)
{
    size_t rank = (size_t)nmod_mat_rref(M), column = 0;

    for (size_t r = 0; r < rank; r++, column++) {
        while (nmod_mat_entry(M, r, column) == 0) {
            column++;
        }
        basis[r] = column;
    }
    return rank;
}

static void point_rank(const exact_integers *k, point_system *f)
{
    slong size = (slong)f->size;
    nmod_mat_t M;

    nmod_mat_init(M, size, size, EXACT_PRIME);
    point_reduce(k, f, false, M);
    f->rank = point_basis(M, f->columns);
    nmod_mat_zero(M);
    if (f->rank < f->size) {
        point_reduce(k, f, true, M);
        point_basis(M, f->rows);
    } else {
        for (size_t r = 0; r < f->size; r++) {
            f->rows[r] = r;
        }
    }
    nmod_mat_clear(M);
}

/* X := 2^scale x outside C: bounds, and z within the bounds for dependent columns; C: 0. */
static void point_fix(const exact_integers *k, const unsigned char *states,
                      const point_system *f, exact_point *x)
{
    for (size_t i = 0; i < k->n; i++) {
        const fmpz *value = states[i] == PERP_STATE_LOWER   ? k->lo + i
                            : states[i] == PERP_STATE_UPPER ? k->hi + i
                                                            : k->z + i;

        if (states[i] == PERP_STATE_FREE && isfinite(k->low[i]) &&
            fmpz_cmp(value, k->lo + i) < 0) {
            value = k->lo + i;
        }
        if (states[i] == PERP_STATE_FREE && isfinite(k->high[i]) &&
            fmpz_cmp(value, k->hi + i) > 0) {
            value = k->hi + i;
        }
        fmpz_set(x->X + i, value);
    }
    for (size_t c = 0; c < f->rank; c++) {
        fmpz_zero(x->X + f->F[f->columns[c]]);
    }
}

/* W_i := sum_j value_ij X_j + b_i D. */
static void point_velocity(const exact_integers *k, size_t i, const fmpz_t D,
                           exact_point *x)
{
    fmpz_mul(x->W + i, k->b + i, D);
    for (size_t e = k->ptr[i]; e < k->ptr[i + 1]; e++) {
        fmpz_addmul(x->W + i, k->value + e, x->X + k->col[e]);
    }
}

/* A_RC Y = -(what the fixed columns give), Y over den. */
static bool point_lift(const exact_integers *k, const point_system *f, exact_point *x)
{
    slong rank = (slong)f->rank;
    size_t *column = calloc(f->size + 1, sizeof *column); /* of C by position in F, + 1 */
    fmpz_mat_t A, B;
    fmpz_t one;

    if (!column) {
        return false;
    }
    for (size_t c = 0; c < f->rank; c++) {
        column[f->columns[c]] = c + 1;
    }
    fmpz_mat_init(A, rank, rank);
    fmpz_mat_init(B, rank, 1);
    fmpz_init(one);
    fmpz_one(one);
    fmpz_mul_2exp(one, one, (flint_bitcnt_t)k->scale);
    for (size_t r = 0; r < f->rank; r++) {
        size_t i = f->F[f->rows[r]];

        point_velocity(k, i, one, x);
        fmpz_neg(fmpz_mat_entry(B, r, 0), x->W + i);
        for (size_t e = k->ptr[i]; e < k->ptr[i + 1]; e++) {
            size_t at = f->at[k->col[e]];

            if (at > 0 && column[at - 1] > 0) {
                fmpz_set(fmpz_mat_entry(A, r, column[at - 1] - 1), k->value + e);
            }
        }
    }
    fmpz_one(x->den);
    if (rank > 0) {
        fmpz_mat_solve_dixon_den(B, x->den, A, B);
    }
    if (fmpz_sgn(x->den) < 0) {
        fmpz_neg(x->den, x->den);
        fmpz_mat_neg(B, B);
    }
    _fmpz_vec_scalar_mul_fmpz(x->X, x->X, (slong)k->n, x->den);
    for (size_t c = 0; c < f->rank; c++) {
        fmpz_set(x->X + f->F[f->columns[c]], fmpz_mat_entry(B, c, 0));
    }
    fmpz_clear(one);
    fmpz_mat_clear(A);
    fmpz_mat_clear(B);
    free(column);
    return true;
}

perp_status integers_solve(const exact_integers *k, const unsigned char *states,
                           const size_t *order, exact_point *x, perp_error *err)
{
    size_t n = k->n;
    size_t *indices = calloc(4 * n + 1, sizeof *indices);
    point_system f = {.F = indices};
    bool done = indices;

    if (indices) {
        f.at = indices + n;
        f.rows = indices + 2 * n;
        f.columns = indices + 3 * n;
        for (size_t r = 0; r < n; r++) {
            if (states[order[r]] == PERP_STATE_FREE) {
                f.F[f.size++] = order[r];
                f.at[order[r]] = f.size;
            }
        }
        point_rank(k, &f);
        x->held = f.size - f.rank;
        point_fix(k, states, &f, x);
        done = point_lift(k, &f, x);
    }
    free(indices);
    if (!done) {
        return perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", n);
    }
    fmpz_mul_2exp(x->D, x->den, (flint_bitcnt_t)k->scale);
    for (size_t i = 0; i < n; i++) {
        point_velocity(k, i, x->D, x);
    }
    return PERP_OK;
}

void integers_take(const exact_integers *k, const unsigned char *states, exact_point *x)
{
    const point_system none = {0};

    if (states) {
        point_fix(k, states, &none, x);
    } else {
        _fmpz_vec_set(x->X, k->z, (slong)k->n);
    }
    fmpz_one(x->den);
    fmpz_mul_2exp(x->D, x->den, (flint_bitcnt_t)k->scale);
    for (size_t i = 0; i < k->n; i++) {
        point_velocity(k, i, x->D, x);
    }
}

/* Measured: 0.47 s for 200 rows of 60 bits, 1.8 s for 200 rows of 100 bits. */
double integers_seconds(const exact_integers *k, size_t rows)
{
    double r = (double)rows / 200.0, bits = fmax((double)k->bits, 30.0) / 60.0;

    return 0.5 * r * r * r * bits * pow(bits, 0.7);
}
