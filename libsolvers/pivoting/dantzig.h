/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig.h: the boxed problem under principal pivots, with its sets and its factor.
 * Used by dantzig.c, and by friction_path.c for the problem with which its path begins.
 * Private. */
#ifndef PERP_PIVOTING_DANTZIG_H
#define PERP_PIVOTING_DANTZIG_H

#include "core/solvers.h"
#include "linear/ldlt.h"

/* A Schur complement of at most this part of its diagonal counts as singular: rounding
 * leaves 1e-14 of it where the rank is lost, data regularised at 1e-8 stay well above. */
#define DANTZIG_SINGULAR 1e-12

/** The state of a row. */
typedef enum perp_dantzig_state {
    DANTZIG_PENDING, /**< not treated yet */
    DANTZIG_LISTED,  /**< the same, but in N so that its w is known; it blocks nothing */
    DANTZIG_INSIDE,  /**< in C: between its bounds, w = 0, factored */
    DANTZIG_LOW,     /**< in N at the lower bound, w >= 0 */
    DANTZIG_HIGH,    /**< in N at the upper bound, w <= 0 */
    DANTZIG_FIXED,   /**< lo = hi: any w is right */
} perp_dantzig_state;

typedef struct perp_dantzig {
    const perp_problem *p;
    const double *A; /* column-major; symmetric, so columns serve as rows */
    size_t n, ld;
    double *lo, *hi;     /* n: bounds in force */
    double *scale, beta; /* n: s_i of the residual; its beta where z is 0, nearly */
    double *z, *w;       /* n: the point of the result; w of N and of the driven row */
    perp_dantzig_state *state; /* n */
    size_t *order, next; /* n: FREE rows, others, FRICTION rows; the next one of them */
    size_t *place;       /* n: position of a row of C in `in`, of N in `out` */

    /* C in the order of the factor, and N. The panel holds A_NC: its rows are those of `out`,
     * the first `filled` of them up to date; its columns are the slots of C. */
    perp_ldlt f;
    size_t *in, *slot;
    size_t *out, out_count, filled;
    double *panel;
    size_t panel_ld;

    size_t driven;               /* the row in motion, or n */
    double sign, pivot;          /* its direction; its Schur complement */
    double *y, *dz, *dz_slot;    /* n: L^-1 A_Ci; dz_C, by position and by slot */
    double *dw, *column, *spare; /* n: dw_N; L^-1 of another column; scratch */
    size_t pivots, most_pivots;
    bool by_violation;  /* drive the row that is most wrong, else the next of `order` */
    bool listed;        /* the rows to do are in N */
    bool freeze;        /* friction rows take their bounds when they are reached */
    bool factored_last; /* z_C is from a block solve, no pivot since */
} perp_dantzig;

/** Memory, scales and the order of the rows. */
perp_status perp_dantzig_setup(perp_dantzig *s, const perp_problem *p, perp_workspace *ws,
                               perp_error *err);
/** Bounds and scales of the problem; the bounds of friction rows are 0 until they are frozen.
 *  PERP_ERR_MEMORY. */
perp_status perp_dantzig_read_bounds(perp_dantzig *s, perp_error *err);

/** From the rows marked INSIDE: factor them, put members that leave their box on the bound,
 *  repeat until none does. All others become PENDING. */
void perp_dantzig_start(perp_dantzig *s, perp_result *r);
/** One event of the row in motion, or of the next one; *settled when no row is left. Ends r at
 *  a singular pivot, with a certificate, and when pivots do not end. */
perp_status perp_dantzig_pivot(perp_dantzig *s, perp_result *r, bool *settled,
                               perp_error *err);
/** Count the products with `rows` x `columns` entries of A as parts of one with A. */
void perp_dantzig_count(const perp_dantzig *s, perp_result *r, size_t rows,
                        size_t columns);

#endif
