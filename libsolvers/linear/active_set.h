/* SPDX-License-Identifier: Apache-2.0
 * linear/active_set.h: the kernel of the methods that exchange active sets: murty, bard, bpp
 * and minmap. Private.
 *
 *     state_i in { L, F, U };   z_L = lo, z_U = hi, w_F = 0:
 *     A_FF z_F = -(b + A z_LU)_F,   w = A z + b
 *
 * The rules are exact, so that they can be repeated from the data. With the row scales s_i of
 * the residual, row i violates its state by
 *
 *     F:  v_i = s_i max(lo_i - z_i, z_i - hi_i)       L:  v_i = -w_i/s_i       U:  v_i = w_i/s_i
 *
 * and belongs to H when v_i > 1e-12 beta, beta = max_j max(load_j, s_j |z_j|), load_j what a row asks
 * for where nothing acts (perp_row_load): a slack row has no part in it. Rows with lo_i = hi_i never
 * belong to H. A row of H changes F -> L below lo, F -> U above hi, L or U -> F. FREE
 * rows are always in F. The data are those the solver sees, after scaling.
 *
 *     least index     the first row of H changes
 *     most negative   the row of largest v_i, the first of those within 1e-12 of the largest
 *     block           all rows of H change
 *     minmap          all rows of H change, and L <-> U where z_i - w_i/d_i is beyond the
 *                     other bound (d_i = s_i^2); fixed rows go to L for w_i >= 0, else to U
 */
#ifndef PERP_LINEAR_ACTIVE_SET_H
#define PERP_LINEAR_ACTIVE_SET_H

#include "linear/factor.h"
#include "linear/ldlt.h"
#include "linear/velocity_step.h"

typedef struct active_set {
    const char *name; /* of the method, for messages */
    const perp_problem *p;
    perp_workspace *ws; /* for LU, should Cholesky fail */
    size_t n;
    bool started;          /* it has a first set, from the point */
    double *lo, *hi;       /* n */
    double *s;             /* n: row scales of the residual */
    unsigned char *states; /* n: PERP_STATE_... */
    double *z, *w;         /* n: the point of the set; w = 0 in F */
    double *v;             /* n: violations */
    double beta;
    size_t *H, count; /* n: rows that violate their state, ascending */
    size_t *rows, k;  /* n: F: ascending, or in the order of `chain` */
    double *x;        /* n: scratch */
    perp_factor *factor;
    perp_factor_kind kind; /* of it */
    bool chained;          /* A_FF is kept as `chain`, which follows a row at a time */
    bool fresh;            /* `chain` was built in one go for this very set */
    perp_ldlt chain;
    perp_velocity_step velocity; /* in place of both where A is in factors */
    double *L, *inactive;        /* n: 1 on F; 1 elsewhere; in factors */

    unsigned char *seen; /* seen_room x n: the last sets, a ring */
    size_t seen_room, seen_count, seen_next;
} active_set;

/** Decide by the symmetry of A how blocks are factored, take memory, log both.
 *  `single`: rows will be exchanged one at a time. */
perp_status perp_active_set_new(active_set *a, const char *name, const perp_problem *p,
                                bool single, perp_workspace *ws, perp_result *r,
                                perp_error *err);
/** What the types of these methods have for close and resume: their states begin with the
 *  active_set. After resume the first set follows from the point again. */
void perp_active_set_close(void *state);
perp_status perp_active_set_resume(void *state, double shift, perp_result *r,
                                   perp_error *err);

/** States from where z lies: on or beyond a bound, or between. */
void perp_active_set_at(active_set *a, const double *z);
/** States from where z - w/d lies, w = A z + b: the first guess of minmap. */
void perp_active_set_guess(active_set *a, const double *z, perp_result *r);

/** The point of the set, in a->z, a->w and r->z, and H. Where A_FF is singular, r ends with
 *  the certificate. */
perp_status perp_active_set_solve(active_set *a, perp_result *r, perp_error *err);
/** Where a row of H goes. */
unsigned char perp_active_set_change(const active_set *a, size_t i);
/** Row i changes its state; counted as a pivot. */
void perp_active_set_exchange(active_set *a, size_t i, perp_result *r);
/** H is empty: end r; with `chain` the factor is built again first, and the point with it.
 *  r goes on running when H is not empty then. */
perp_status perp_active_set_finish(active_set *a, perp_result *r, perp_error *err);

/** Rows will be exchanged one at a time: from the next set on a dense symmetric A_FF is kept as
 *  `chain`, whose memory is taken at the first call. */
perp_status perp_active_set_follow_rows(active_set *a, perp_error *err);
/** Whole blocks will be exchanged again. */
static inline void perp_active_set_follow_blocks(active_set *a)
{
    a->chained = false;
}

/** Forget the sets seen so far. */
void perp_active_set_forget(active_set *a);
/** If the set was there before, r ends with the cycle behind it, which followed `rule`; else
 *  it is remembered. The last 256 sets are, or fewer when there are very many rows. */
perp_status perp_active_set_watch(active_set *a, perp_rule rule, perp_result *r,
                                  perp_error *err);

/* Of active_block.c, called by active_set.c: A_FF factored; r ends, or a->kind changes, where it
 * cannot be. z_F -= A_FF^-1 w_F; r ends where that does not exist. */
perp_status perp_active_block_factor(active_set *a, perp_result *r, perp_error *err);
perp_status perp_active_block_correct(active_set *a, perp_result *r, perp_error *err);

/* Of active_velocity.c, for A in factors: memory; A_FF factored; z_F -= A_FF^-1 w_F, false where A_FF is
 * singular and w_F not in its range, and then the last correction is nearly a null vector. */
perp_status perp_active_velocity_setup(active_set *a, perp_workspace *ws,
                                       perp_error *err);
perp_status perp_active_velocity_factor(active_set *a, perp_result *r, bool *done,
                                        perp_error *err);
bool perp_active_velocity_correct(active_set *a, perp_result *r);

#endif
