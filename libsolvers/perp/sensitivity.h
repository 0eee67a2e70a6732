/* SPDX-License-Identifier: Apache-2.0
 * perp/sensitivity.h: how the solution z of a problem moves with b and A.
 *
 *     w = A z + b,  -w in N_K(z):    dw = A dz + dr,    dr = db + dA z
 *
 * The active set of the solution says which rows may move. A scalar row is free (strictly
 * between its bounds: dw = 0), open (at a bound, w != 0: dz = 0), or tied (at a bound and
 * w = 0 within a tolerance): z, Lipschitz continuous [mangasarian-shiau-1987], has a
 * derivative from one side only there, and the tied rows obey a complementarity problem
 * of their own, dz >= 0 _|_ dw >= 0 [facchinei-pang-2003, chapter 5]. A friction row at
 * its bound slides, dz = +-mu dz_N. Of a cone that slides along d = -w_T/|w_T|,
 *
 *     dz_T = mu dz_N d + y e,    e.dw_T + (|w_T|/(mu z_N)) y = 0,    e across d,
 *
 * and dw_N = 0 (Coulomb) or dw_N + mu d.dw_T = 0 (associated). Written out for boxed
 * problems in [werling-2021], for quadratic programs in [amos-kolter-2017]. */
#ifndef PERP_SENSITIVITY_H
#define PERP_SENSITIVITY_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** What a row does at the solution. */
typedef enum perp_active {
    PERP_ACTIVE_OPEN,    /**< at a bound that stands still: z stays */
    PERP_ACTIVE_FREE,    /**< within its bounds: w stays 0; of a cone: it sticks */
    PERP_ACTIVE_SLIDING, /**< on a bound that moves with other rows: friction, cones */
    PERP_ACTIVE_TIED,    /**< at a bound with w = 0: either of these, by the direction */
    PERP_ACTIVE_STATES
} perp_active;

/** What tied rows count as where one linear map is asked for. */
typedef enum perp_ties {
    PERP_TIES_OPEN, /**< as if w were not 0: z stays, or slides */
    PERP_TIES_FREE, /**< as if z were within its bounds: w stays 0 */
} perp_ties;

/** Zero is the usual way. */
typedef struct perp_sensitivity_options {
    double tie;  /**< of bounds and w, in the scale of RES <perp/residual.h>; 0: 1e-8 */
    double rank; /**< a block whose reciprocal condition is less is singular; 0: 1e-12 */
    perp_ties ties; /**< for perp_sensitivity_adjoint and perp_sensitivity_matrix */
    /** A singular block is no error: of all dz that leave the least dw of the free rows
     *  the one of least norm (rows times s_i of RES), as for redundant contacts. What is
     *  left of dw is what this active set cannot give. */
    bool least_norm;
} perp_sensitivity_options;

/** The derivative of one solved problem. Keeps a pointer to p, which must outlive it and
 *  stay as it is. Not for two threads at once: scratch is within. */
typedef struct perp_sensitivity perp_sensitivity;

/**
 * Find the active set of the solution z (p->n, copied) and factor its block, dense: m^2
 * reals and 2 m^3/3 flops for m rows that are free, sliding or tied. A may be asymmetric.
 *
 * @param options  or NULL
 * @return PERP_OK; PERP_ERR_ARGUMENT for a global problem; PERP_ERR_DATA where p is bad,
 *         z does not solve it to the tolerance of ties, or the block is singular, with
 *         the row that depends on those before it; PERP_ERR_UNSUITABLE for rolling cones;
 *         PERP_ERR_MEMORY. *g is NULL after a failure.
 */
perp_status perp_sensitivity_new(perp_sensitivity **g, const perp_problem *p,
                                 const double *z, const perp_sensitivity_options *options,
                                 perp_error *err);
void perp_sensitivity_free(perp_sensitivity *g); /* takes NULL */

/** dz and dw (n each, dw may be NULL) along db (n) and dA (n x n, any storage), either of
 *  which may be NULL: 0. One-sided at ties: the derivative from the side of the
 *  direction, by an exact solution of the problem of the tied rows. PERP_ERR_DATA: that
 *  problem has no solution that could be found, or a direction is not finite;
 *  PERP_ERR_ARGUMENT: extents of dA; PERP_ERR_MEMORY. */
perp_status perp_sensitivity_forward(perp_sensitivity *g, const double *db,
                                     const perp_operator *dA, double *dz, double *dw,
                                     perp_error *err);
/** bbar (n) with <zbar, dz> + <wbar, dw> = <bbar, db> + <Abar, dA>, Abar = bbar z^T, for
 *  the linear piece that the option `ties` chooses. zbar, wbar (n each), NULL: 0. */
void perp_sensitivity_adjoint(perp_sensitivity *g, const double *zbar, const double *wbar,
                              double *bbar);
/** dz/db of the same piece, n x n column-major: column j along b_j. */
void perp_sensitivity_matrix(perp_sensitivity *g, double *dz_db);

/** What a row does, and how many rows do so; they sum to n. */
perp_active perp_sensitivity_state(const perp_sensitivity *g, size_t row);
size_t perp_sensitivity_count(const perp_sensitivity *g, perp_active state);
/** Directions that the chosen piece leaves to z, and the rank of their block: less where
 *  least_norm had to choose. */
size_t perp_sensitivity_rank(const perp_sensitivity *g, size_t *directions);

PERP_END_DECLS

#endif
