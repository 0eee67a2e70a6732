/* SPDX-License-Identifier: Apache-2.0
 * derivative/derivative.h: the linear pieces of the derivative of a solution. Private.
 *
 * Every admissible change of z is dz = P y. Each entry of y, a mode, has an equation that is a
 * combination of dw:
 *
 *     (Q^T A P + D) y + Q^T dr = 0      free modes
 *                               >= 0     tied modes, y >= 0 and complementary
 *
 * A mode is a row, or a direction of a cone. P and Q have at most MODE_PARTS entries per row.
 * All memory comes from one workspace, which belongs to the perp_sensitivity. */
#ifndef PERP_DERIVATIVE_H
#define PERP_DERIVATIVE_H

#include <perp/sensitivity.h>

#include "core/solvers.h"

enum { MODE_PARTS = 3 }; /* a tied sliding cone: along, across and into the cone */

typedef enum perp_mode_kind {
    PERP_MODE_FREE,     /* its equation holds */
    PERP_MODE_TIED,     /* y >= 0 _|_ equation >= 0 */
    PERP_MODE_FRICTION, /* |y| <= mu y of the normal mode, tied too */
    PERP_MODE_CONE,     /* with the dim - 1 modes after it: in the cone itself */
    PERP_MODE_TANGENT,  /* one of the modes after a PERP_MODE_CONE */
} perp_mode_kind;

typedef struct perp_mode {
    perp_mode_kind kind;
    size_t row;    /* first row that it moves */
    double s;      /* scale of that row */
    double bend;   /* D: |w_T|/(mu z_N) of a mode across a sliding direction */
    double mu;     /* FRICTION, CONE */
    size_t normal; /* FRICTION: the mode that bounds it */
    unsigned dim;  /* CONE */
} perp_mode;

/** One row of P or Q. */
typedef struct perp_parts_row {
    unsigned count;
    struct {
        size_t mode;
        double x;
    } at[MODE_PARTS];
} perp_parts_row;

/** The modes of a solved problem. */
typedef struct perp_modes {
    const perp_problem *p;
    const double *z, *w; /* n: the solution */
    double *s;           /* n: scales of the rows */
    double limit;        /* s |z - bound| and |w|/s up to this are 0 */
    size_t count;        /* modes, at most n */
    perp_mode *mode;
    perp_parts_row *P, *Q; /* n each */
    perp_active *state;    /* n */
} perp_modes;

/** Find the modes of n rows; beta_b and beta_z are those of the residual of z. */
perp_status perp_modes_find(perp_modes *m, const perp_problem *p, const double *z,
                            const double *w, double tie, double beta_b, double beta_z,
                            perp_workspace *ws, perp_error *err);
/** B := S^-1 (Q^T A P + D) S^-1, count x count column-major, S the modes' scales. */
void perp_modes_matrix(const perp_modes *m, double *B);
/** y := S^-1 Q^T r or S^-1 P^T r of n rows; and r := P S^-1 y or Q S^-1 y. */
void perp_modes_gather(const perp_modes *m, const perp_parts_row *parts, const double *r,
                       double *y);
void perp_modes_scatter(const perp_modes *m, const perp_parts_row *parts, const double *y,
                        double *r);

/** A factored principal block of B: by LU, or by singular values where it is singular and
 *  least_norm allows that. */
typedef struct perp_piece {
    size_t m;
    size_t *modes;   /* m, ascending */
    size_t rank;     /* m unless singular */
    double *factors; /* LU, m x m; or of the singular values U, then V^T, then 1/sigma */
    int *pivots;     /* NULL: singular values */
    double *work;    /* 4 m */
} perp_piece;

/** Factor the block of the modes list[0..m-1]. PERP_ERR_DATA: it is singular by `rank` and
 *  least_norm is not set. */
perp_status perp_piece_factor(perp_piece *piece, const perp_modes *modes, const double *B,
                              const size_t *list, size_t m,
                              const perp_sensitivity_options *options, perp_workspace *ws,
                              perp_error *err);
/** x := B^-1 x or B^-T x; m entries. */
void perp_piece_solve(perp_piece *piece, bool transposed, double *x);

/** The problem of the tied modes: S y + c, S the Schur complement of the free modes. */
typedef struct perp_tied {
    size_t m;
    size_t *modes;         /* m, ascending */
    double *to_free;       /* free.m x m: B_FF^-1 B_FT */
    const double *B;       /* borrowed */
    perp_problem *problem; /* its b is written by each solve */
    perp_result *result;
    const perp_solver_type *solver;
    perp_options options;
} perp_tied;

/** Form the problem of the modes list[0..m-1]. Call perp_tied_close even after a failure. */
perp_status perp_tied_setup(perp_tied *tied, const perp_modes *modes, const double *B,
                            perp_piece *free, const size_t *list, size_t m,
                            perp_workspace *ws, perp_error *err);
void perp_tied_close(perp_tied *tied);
/** y := the solution in all modes for the right-hand side y. */
perp_status perp_tied_solve(perp_tied *tied, const perp_modes *modes, perp_piece *free,
                            double *y, perp_error *err);

/** The rank of the block of the selected piece, and its number of directions (may be NULL). The
 *  rank is less than that number where least_norm was needed. */
size_t perp_sensitivity_rank(const perp_sensitivity *g, size_t *directions);

#endif
