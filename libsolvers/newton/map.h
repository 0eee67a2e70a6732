/* SPDX-License-Identifier: Apache-2.0
 * newton/map.h: the equation f(z, w) = 0 that holds where z solves its block, and its derivatives.
 * Private. */
#ifndef PERP_NEWTON_MAP_H
#define PERP_NEWTON_MAP_H

#include "core/solvers.h"

/** Radius of the disk on which the tangents of a Coulomb cone are projected. */
typedef enum newton_radius {
    NEWTON_ALART_CURNIER, /* mu max(z_n - rho_n w_n, 0) */
    NEWTON_JEAN_MOREAU,   /* mu max(z_n, 0) */
} newton_radius;

/** Step lengths of one block: normal or scalar row, tangents, rolling moments. */
typedef struct newton_steps {
    double n, t, m;
    double tie; /* a Coulomb contact with z_n - rho_n w_n <= tie is open */
} newton_steps;

enum { NEWTON_ROWS_MOST = 5, NEWTON_BLOCK_MOST = 25 };

/** Steps 1/D_nn, 1/lambda_max(D_tt), ... of a block with diagonal block D + shift I, D of
 *  dim x dim column-major; one step for all rows under the associated law. `scale` > 0 stands
 *  in where a diagonal is not positive. */
newton_steps perp_newton_map_steps(const perp_block *block, perp_law law, const double *D,
                                   double shift, double scale);

/** f (dim) and its derivatives L = df/dw, H = df/dz (dim x dim, column-major) at the rows z, w
 *  of a block. Where the block is at a corner of K, L = 0, H = I and f = z - corner. */
void perp_newton_map_block(const perp_block *block, perp_law law, newton_radius radius,
                           const newton_steps *rho, const double *z, const double *w,
                           double *f, double *L, double *H);

/** The same of the friction row that is block k of the set, at the full vectors z and w:
 *
 *     f = z - P(z - rho w) on [-R, R],   R = mu max(x_n, 0),   x_n = P(z_n - rho_n w_n)
 *
 *  A row that slips on a normal between its bounds has f = z -+ mu z_n, where a full Newton step
 *  ends in any case, and *coupling = df/dz_n; *coupling = 0 otherwise. f, L, H are one entry
 *  each; rho_n is the step of the normal, which is the block `normal`. */
void perp_newton_map_friction(const perp_set *set, size_t k, size_t normal, double rho,
                              double rho_n, const double *z, const double *w, double *f,
                              double *L, double *H, double *coupling);

/** x (dim) := P(y), such that x and w = x - y solve the block under its law, and its derivative
 *  D = dx/dy (dim x dim, column-major). Of blocks other than friction rows. */
void perp_newton_map_project(const perp_block *block, perp_law law, const double *y,
                             double *x, double *D);

/** z := its projection on K, friction rows after their normals. */
void perp_newton_map_project_set(const perp_set *set, double *z);

#endif
