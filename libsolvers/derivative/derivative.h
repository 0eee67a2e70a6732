/* SPDX-License-Identifier: Apache-2.0
 * derivative/derivative.h: the linear pieces that derivatives of a solution are made of.
 * Private.
 *
 * Every admitted change of z is dz = P y, and each entry of y, a mode, has an equation
 * that is a combination of dw:
 *
 *     (Q^T A P + D) y + Q^T dr = 0      free modes
 *                               >= 0     tied ones, y >= 0 and complementary
 *
 * A mode is a row, or a direction of a cone. P and Q have at most MODE_PARTS entries a
 * row. */
#ifndef PERP_DERIVATIVE_H
#define PERP_DERIVATIVE_H

#include <perp/sensitivity.h>

#include "core/solvers.h"

enum { MODE_PARTS = 3 }; /* a tied sliding cone: along the cone, across, inwards */

typedef enum perp_mode_kind {
    PERP_MODE_FREE,     /* its equation holds */
    PERP_MODE_TIED,     /* y >= 0 _|_ equation >= 0 */
    PERP_MODE_FRICTION, /* |y| <= mu y of the normal mode, tied too */
    PERP_MODE_CONE,     /* this and the dim - 1 after it: in the cone itself */
    PERP_MODE_REST,     /* one of those after it */
} perp_mode_kind;

typedef struct perp_mode {
    perp_mode_kind kind;
    size_t row;    /* what it is called after */
    double s;      /* scale of that row */
    double bend;   /* D: |w_T|/(mu z_N) of what turns a sliding direction */
    double mu;     /* FRICTION, CONE */
    size_t normal; /* FRICTION: the mode that bounds it */
    unsigned dim;  /* CONE */
} perp_mode;

/** The entries of a row of P or Q. */
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

/** Take room for n rows and find the modes; perp_modes_clear is owed anyway. */
perp_status perp_modes_find(perp_modes *m, const perp_problem *p, const double *z,
                            const double *w, double tie, double beta_b, double beta_z,
                            perp_error *err);
void perp_modes_clear(perp_modes *m);
/** B := S^-1 (Q^T A P + D) S^-1, count x count column-major, S the modes' scales. */
void perp_modes_matrix(const perp_modes *m, double *B);
/** y := S^-1 Q^T r or S^-1 P^T r of n rows; and r := P S^-1 y or Q S^-1 y. */
void perp_modes_gather(const perp_modes *m, const perp_parts_row *parts, const double *r,
                       double *y);
void perp_modes_scatter(const perp_modes *m, const perp_parts_row *parts, const double *y,
                        double *r);

/** A principal block of B, factored: by LU, or where that is singular and it may be, by
 *  singular values. */
typedef struct perp_piece {
    size_t m;
    size_t *modes;   /* m, ascending */
    size_t rank;     /* m unless singular */
    double *factors; /* LU, m x m; or of the singular values U, then V^T, then 1/sigma */
    int *pivots;     /* NULL: singular values */
    double *work;    /* m: a right-hand side; 4 m more for the condition */
} perp_piece;

/** Factor the block of the modes listed in modes[0..m-1]. PERP_ERR_DATA: it is singular
 *  by `rank` and least_norm is not set; perp_piece_clear is owed anyway. */
perp_status perp_piece_new(perp_piece *piece, const perp_modes *modes, const double *B,
                           const size_t *list, size_t m,
                           const perp_sensitivity_options *options, perp_error *err);
void perp_piece_clear(perp_piece *piece);
/** x := B^-1 x or B^-T x; m entries. */
void perp_piece_solve(perp_piece *piece, bool transposed, double *x);

/** The problem of the tied modes: S y + c, S the Schur complement of the free ones. */
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

/** perp_tied_clear is owed anyway. */
perp_status perp_tied_new(perp_tied *tied, const perp_modes *modes, const double *B,
                          perp_piece *free, const size_t *list, size_t m,
                          perp_error *err);
void perp_tied_clear(perp_tied *tied);
/** y := all modes, from the right-hand side y of all modes. */
perp_status perp_tied_solve(perp_tied *tied, const perp_modes *modes, perp_piece *free,
                            double *y, perp_error *err);

#endif
