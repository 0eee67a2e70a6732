/* SPDX-License-Identifier: Apache-2.0
 * linear/shifted.h: systems (A + D) x = c with block diagonal D. Private.
 *
 * What ADMM, interior-point and Newton methods factor, in one of three forms:
 *
 *     stored     A + D as a matrix, dense or sparse, by Cholesky or LU
 *     velocity   of A = J M^-1 J^T + C in factors: velocity.h, by Cholesky or LDU of the bodies
 *     spectrum   of a small symmetric A and D = tau I: spectrum.h; a new D costs nothing
 *
 * A is used as it is stored; its lower triangle stands for the whole only under Cholesky. D is
 * built block by block (perp_shifted_load, perp_shifted_add_block, perp_shifted_factor), or set
 * as a diagonal known by a key (perp_shifted_set_diagonal), of which the last few factorisations
 * are kept.
 *
 * All memory comes from the workspace; one symbolic analysis serves all D. */
#ifndef PERP_LINEAR_SHIFTED_H
#define PERP_LINEAR_SHIFTED_H

#include "factor.h"
#include "spectrum.h"
#include "velocity.h"

enum { PERP_SHIFTED_SLOTS = 4 }; /* factorisations that are kept */

typedef struct perp_shifted_slot {
    perp_factor *factor;
    double key;  /* of its D; NaN: none */
    size_t used; /* time of its last use */
} perp_shifted_slot;

typedef struct perp_shifted {
    const perp_operator *A;
    const perp_set *set; /* blocks of D */
    perp_workspace *ws;
    perp_factor_kind kind;
    perp_operator *K;       /* stored form: A + D; else NULL */
    bool loaded;            /* K equals A outside of the blocks of D */
    perp_velocity velocity; /* velocity form: velocity.A is not NULL */
    double *D;              /* its blocks, dim x dim column-major, in order */
    perp_spectrum spectrum; /* spectrum form: spectrum.Q is not NULL */
    double tau;
    perp_shifted_slot slot[PERP_SHIFTED_SLOTS];
    size_t slots, clock;
    perp_factor *factor; /* of the present D */
} perp_shifted;

/** Prepare systems with blocks of D as in the set, factored by `kind`; under Cholesky all D are
 *  symmetric. Takes all memory. perp_shifted_close must be called even after a failure. */
perp_status perp_shifted_setup(perp_shifted *s, const perp_operator *A,
                               const perp_set *set, perp_factor_kind kind,
                               perp_workspace *ws, perp_error *err);
/** Keep the factorisations of the last four D, fewer where they are large or the memory limit
 *  does not allow them; in the velocity form, where a factorisation costs as much as some ten
 *  solves, that of the last D. */
void perp_shifted_keep_factors(perp_shifted *s);
/** The spectrum form of a symmetric A, for perp_shifted_set_diagonal with equal entries. */
perp_status perp_shifted_setup_spectrum(perp_shifted *s, const perp_operator *A,
                                        perp_workspace *ws, perp_error *err);
void perp_shifted_close(perp_shifted *s); /* a zeroed one is allowed (no-op) */

/** D := 0, for A as it is now: its diagonal blocks may have changed. */
void perp_shifted_load(perp_shifted *s);
/** D[first.., first..] += B, a part of one block, dim x dim column-major. */
void perp_shifted_add_block(perp_shifted *s, size_t first, size_t dim, const double *B);
/** D_ii += d */
void perp_shifted_add(perp_shifted *s, size_t i, double d);
/** (A + D)_ii; of the velocity form (C + D)_ii. */
double perp_shifted_diagonal(const perp_shifted *s, size_t i);
/** Rows first.. of A + D := L times them, L dim x dim column-major. Stored form only; the next
 *  load copies all of A again. */
void perp_shifted_scale_rows(perp_shifted *s, size_t first, size_t dim, const double *L);

/** (A + D)_ij += a, where (i, j) is an entry of A, or i is a friction row and j its normal. Stored
 *  form only; the next load copies all of A again. */
void perp_shifted_add_entry(perp_shifted *s, size_t i, size_t j, double a);

/** Factor A + D; *done is false where it has no factorisation. */
perp_status perp_shifted_factor(perp_shifted *s, perp_work *work, bool *done,
                                perp_error *err);
/** Factor its principal block F = rows[0..k-1], ascending. Stored form only. */
perp_status perp_shifted_factor_block(perp_shifted *s, const size_t *rows, size_t k,
                                      perp_work *work, bool *done, perp_error *err);
/** Factor by this kind from now on (stored form). */
perp_status perp_shifted_set_kind(perp_shifted *s, perp_factor_kind kind,
                                  perp_error *err);
/** D := diag(d) (n, > 0; all equal for a spectrum). `key` identifies these numbers: if their
 *  factorisation is kept, nothing is computed. *done is false where A + D has no
 *  factorisation. */
perp_status perp_shifted_set_diagonal(perp_shifted *s, double key, const double *d,
                                      perp_work *work, bool *done, perp_error *err);
/** The diagonal of A has grown by `shift`: kept factorisations are discarded. */
void perp_shifted_update_diagonal(perp_shifted *s, double shift);

/** x := (A + D)^-1 x, or (A + D)_FF^-1 x after perp_shifted_factor_block. */
void perp_shifted_solve(perp_shifted *s, double *x);
/** y := (A + D) x */
void perp_shifted_apply(perp_shifted *s, const double *x, double *y);
/** Whether det (A + D) is negative, by the last factorisation, which was done. Not of a
 *  spectrum. */
bool perp_shifted_negative(const perp_shifted *s);
/** The row whose pivot failed (stored form), else PERP_PIVOT_NONE. */
size_t perp_shifted_failed_row(const perp_shifted *s);
/** After a failure of the stored form: see perp_factor_null_vector. */
bool perp_shifted_null_vector(perp_shifted *s, double *x);

#endif
