/* SPDX-License-Identifier: Apache-2.0
 * exact/integers.h: a problem of scalar rows as whole numbers, and the exact points of its active
 * sets.
 *
 * Each row of A and b is multiplied by a power of two that makes it whole:
 *
 *     2^shift_i w_i = sum_j value_ij z_j + b_i
 *
 * Bounds and the given point are multiplied by 2^scale. The point of an active set solves
 * A_FF x_F = -(b_F + A_FN x_N), with x_N on bounds, and is kept as x_j = X_j/D. */
#ifndef PERP_EXACT_INTEGERS_H
#define PERP_EXACT_INTEGERS_H

#include <perp/perp.h>

#include "interop/exact/flint.h"

/** Owns its arrays (integers_clear). */
typedef struct exact_integers {
    const perp_problem *p;
    size_t n;
    size_t *ptr, *col; /**< the nonzeros of A, row by row */
    fmpz *value;
    size_t count, room;
    slong *shift;        /**< n */
    fmpz *b;             /**< n */
    double *low, *high;  /**< n: bounds, infinite ones too */
    double *s;           /**< n: row scales (perp_row_scales) */
    fmpz *lo, *hi, *z;   /**< n: times 2^scale; 0 for an infinite bound */
    slong scale;         /**< >= 0 */
    flint_bitcnt_t bits; /**< of the largest value */
} exact_integers;

/** The integers of p and of a point z, all finite. PERP_ERR_MEMORY. */
perp_status integers_new(exact_integers *k, const perp_problem *p, const double *z,
                         perp_error *err);
void integers_clear(exact_integers *k);

/** x = m 2^e with m odd, or 0 with e = 0. */
void integers_split(double x, int64_t *m, slong *e);
/** v := x 2^shift, which is whole. */
void integers_set(fmpz_t v, double x, slong shift);

/** The exact point of an active set. Owns its arrays (integers_point_clear). */
typedef struct exact_point {
    size_t n;
    fmpz *X;       /**< n: x_j = X_j/D */
    fmpz *W;       /**< n: w_i = W_i/(D 2^shift_i) */
    fmpz_t D, den; /**< D = den 2^scale > 0 */
    size_t held;   /**< columns of F that depend on others, kept at z */
} exact_point;

void integers_point_init(exact_point *x, size_t n);
void integers_point_clear(exact_point *x);

/** The point of the active set `states` (PERP_STATE_…), where `order` (n) lists the rows, those
 *  farthest from their bounds first. Columns of F that depend on others are kept at z, within
 *  the bounds. PERP_ERR_MEMORY. */
perp_status integers_solve(const exact_integers *k, const unsigned char *states,
                           const size_t *order, exact_point *x, perp_error *err);
/** The point z, moved into the bounds, and onto the bounds of rows outside F. states NULL: z itself. */
void integers_take(const exact_integers *k, const unsigned char *states, exact_point *x);
/** Whether row i of x is one of an exact solution: lo <= x_i <= hi, w_i = 0 between the bounds and of
 *  the sign of a bound on it. */
bool integers_holds(const exact_integers *k, const exact_point *x, size_t i);
/** The active set that the point z itself shows, as `states` (n), and all rows in `order` (n), those
 *  farthest from their bounds first. False without memory. */
bool integers_guess(const exact_integers *k, const exact_point *z, unsigned char *states,
                    size_t *order);
/** In `states`, free rows with s |z - bound| <= 2^most onto that bound, where the sign of w at the
 *  point z allows it. */
void integers_guess_bounds(const exact_integers *k, const exact_point *z, double most,
                           unsigned char *states);
/** Seconds that such a point with `rows` rows in F takes, roughly. */
double integers_seconds(const exact_integers *k, size_t rows);

/** Negative, 0 or positive as x_i - lo_i and hi_i - x_i are, bounds that are finite. */
int integers_above(const exact_integers *k, const exact_point *x, size_t i);
int integers_below(const exact_integers *k, const exact_point *x, size_t i);
/** x_i and w_i, rounded to nearest. */
double integers_x(const exact_point *x, size_t i);
double integers_w(const exact_integers *k, const exact_point *x, size_t i);
/** The least double that is not below |z_i - x_i|. */
double integers_distance(const exact_integers *k, const exact_point *x, size_t i);

/** The least double that is not below |w_i|. */
double integers_velocity(const exact_integers *k, const exact_point *x, size_t i);

/** Whether A is certainly a P-matrix, so that a solution is unique: its symmetric part has a
 *  Cholesky factor in balls, or A is an H-matrix with a positive diagonal, shown by a vector
 *  u > 0 with A_ii u_i > sum |A_ij| u_j [cottle-pang-stone-2009, section 3.3]. `until` is a
 *  time of perp_clock. */
bool integers_is_p(const exact_integers *k, double until);

#endif
