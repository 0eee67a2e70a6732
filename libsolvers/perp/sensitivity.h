/* SPDX-License-Identifier: Apache-2.0
 * perp/sensitivity.h: the derivative of the solution z of a problem with respect to b and A.
 *
 *     w = A z + b,  -w in N_K(z):    dw = A dz + dr,    dr = db + dA z
 *
 * The active set of the solution determines which rows can change. A scalar row is free
 * (strictly between its bounds: dw = 0), open (at a bound, w != 0: dz = 0), or tied (at a bound
 * and w = 0 within a tolerance). z is Lipschitz continuous [mangasarian-shiau-1987], but at tied
 * rows it has one-sided derivatives only, and the tied rows obey a complementarity problem of
 * their own, dz >= 0 _|_ dw >= 0 [facchinei-pang-2003, chapter 5]. A friction row at its bound
 * slides, dz = +-mu dz_N. For a cone that slides along d = -w_T/|w_T|,
 *
 *     dz_T = mu dz_N d + y e,    e.dw_T + (|w_T|/(mu z_N)) y = 0,    e across d,
 *
 * and dw_N = 0 (Coulomb) or dw_N + mu d.dw_T = 0 (associated). See [werling-2021] for boxed
 * problems and [amos-kolter-2017] for quadratic programs. */
#ifndef PERP_SENSITIVITY_H
#define PERP_SENSITIVITY_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** The state of a row at the solution. */
typedef enum perp_active {
    PERP_ACTIVE_OPEN,    /**< at a bound that does not move: dz = 0 */
    PERP_ACTIVE_FREE,    /**< between its bounds: dw = 0; in a cone: sticking */
    PERP_ACTIVE_SLIDING, /**< at a bound that depends on other rows: friction, cones */
    PERP_ACTIVE_TIED,    /**< at a bound with w = 0: depends on the direction */
    PERP_ACTIVE_STATES
} perp_active;

/** How tied rows are treated when a single Jacobian is requested. */
typedef enum perp_ties {
    PERP_TIES_OPEN, /**< as if w were not 0: dz = 0, or sliding */
    PERP_TIES_FREE, /**< as if z were between its bounds: dw = 0 */
} perp_ties;

/** All zero: the defaults. */
typedef struct perp_sensitivity_options {
    /** Tolerance for bounds and w, in the scale of the residual <perp/residual.h>; 0: 1e-8. */
    double tie;
    /** A block with a smaller reciprocal condition number counts as singular; 0: 1e-12. */
    double rank;
    perp_ties ties; /**< for perp_sensitivity_adjoint and perp_sensitivity_matrix */
    /** Accept a singular block, as redundant contacts have: of all dz that minimise the norm of
     *  dw on the free rows, take the one of least norm (rows times s_i of the residual). */
    bool least_norm;
} perp_sensitivity_options;

/** The derivative of one solved problem. It keeps a pointer to p, which must outlive it and must
 *  not change. It contains scratch memory, so that two threads must not share it. */
typedef struct perp_sensitivity perp_sensitivity;

/**
 * Find the active set of the solution z (p->n, copied) and factor its block, dense: m^2
 * reals and 2 m^3/3 flops for m rows that are free, sliding or tied. A may be asymmetric.
 *
 * @param options  NULL for the defaults
 * @return PERP_OK; PERP_ERR_ARGUMENT for a global problem; PERP_ERR_DATA where p is invalid,
 *         z does not solve it to the tolerance `tie`, or the block is singular (the message
 *         names the row that depends on those before it); PERP_ERR_UNSUITABLE for rolling
 *         cones; PERP_ERR_MEMORY. *g is NULL after a failure.
 */
perp_status perp_sensitivity_new(perp_sensitivity **g, const perp_problem *p,
                                 const double *z, const perp_sensitivity_options *options,
                                 perp_error *err);
void perp_sensitivity_free(perp_sensitivity *g); /* NULL is allowed (no-op) */

/** The directional derivative dz and dw (n each, dw may be NULL) along db (n) and dA (n x n, any
 *  storage); NULL for db or dA means 0. At ties it is one-sided, by an exact solution of the
 *  problem of the tied rows. PERP_ERR_DATA: no solution of that problem was found, or the
 *  direction is not finite; PERP_ERR_ARGUMENT: wrong dimensions of dA; PERP_ERR_MEMORY. */
perp_status perp_sensitivity_forward(perp_sensitivity *g, const double *db,
                                     const perp_operator *dA, double *dz, double *dw,
                                     perp_error *err);
/** The adjoint bbar (n) with <zbar, dz> + <wbar, dw> = <bbar, db> + <Abar, dA>,
 *  Abar = bbar z^T, for the linear piece selected by the option `ties`. zbar and wbar have n
 *  entries; NULL means 0. */
void perp_sensitivity_adjoint(perp_sensitivity *g, const double *zbar, const double *wbar,
                              double *bbar);
/** The Jacobian dz/db of the same piece, n x n column-major: column j is the derivative with
 *  respect to b_j. */
void perp_sensitivity_matrix(perp_sensitivity *g, double *dz_db);

/** The state of a row, and the number of rows in a state; the numbers sum to n. */
perp_active perp_sensitivity_state(const perp_sensitivity *g, size_t row);
size_t perp_sensitivity_count(const perp_sensitivity *g, perp_active state);

PERP_END_DECLS

#endif
