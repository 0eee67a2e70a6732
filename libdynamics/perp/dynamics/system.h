/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/system.h: rows and a friction model make a perp_problem, and the way
 * back.
 *
 *     A = J M^-1 J^T + diag(K_cfm)/dt,   b = J u_free - bias,
 *     u+ = u_free + M^-1 J^T lambda
 *
 * Of a world in reduced coordinates (perp/dynamics/reduce.h) M^-1 stands for
 * J_b H(q)^-1 J_b^T, J_b the Jacobians of the bodies: A = E Delta^-1 E^T + C with
 * O(depth) entries a row of E.
 *
 * Under implicit forces (perp/dynamics/integrate.h: perp_free_motion.mass) M is M - dt df/du -
 * dt^2 df/dx, which couples the bodies that a force acts on: A = E G^T + C with as many
 * entries a row as its bodies' groups have velocities; it is symmetric where forces are.
 *
 * With the pyramid, contacts have the auxiliary rows of [stewart-trinkle-1996] behind all
 * others, one each, and A is not symmetric. */
#ifndef PERP_DYNAMICS_SYSTEM_H
#define PERP_DYNAMICS_SYSTEM_H

#include <perp/dynamics/rows.h>
#include <perp/operator.h>
#include <perp/problem.h>

PERP_BEGIN_DECLS

/** A formulated step. Zero it before its first use; memory is kept from step to step. */
typedef struct perp_system {
    perp_rows rows;
    perp_problem problem; /**< borrows what is here; valid until the next formulation */
    uint64_t *keys;       /**< one a block of problem.set: warm starts, sequences */
    double *u_free;       /**< 6 a body */
    size_t bodies;
    double *inverse_mass, *inverse_inertia; /**< as they were, 1 and 9 a body */
    /** M* of the free motion that u_free is of (perp_free_motion.mass), lent: A, impulses and velocities
     *  have it in the place of M. NULL: M. Set it before perp_system_formulate. */
    struct perp_effective_mass *mass;
    void *own; /**< what only the formulation knows; freed by perp_system_clear */
} perp_system;

void perp_system_clear(perp_system *system); /* frees and zeroes */

/** The problem of system->rows, which perp_rows_write filled from the same world,
 *  contacts and scheme, at the free velocities u_free (6 a body, copied). Storage as the
 *  scheme says: FACTORED borrows J of the rows and is never multiplied out; with the
 *  pyramid A is CSR (or DENSE where that is asked for), and BSR becomes CSR where blocks
 *  are not all of one size above 1, which is said in problem.title. Without rows
 *  problem.n is 0. A row that no coordinate answers, as of a cart on rails that touches
 *  the ground, has no entries in A but a softness of 1e-11 of what its bodies would
 *  answer without joints (rows.soft, and problem.title). Trees in reduced coordinates are
 *  factored here; perp_system_impulses and _velocities use these factors, until the world
 *  moves. PERP_ERR_MEMORY, PERP_ERR_DATA: more than INT_MAX rows, a singular H(q);
 *  problem is then empty. */
perp_status perp_system_formulate(perp_system *system, const perp_world *world,
                                  const perp_state *state, const double *u_free,
                                  const perp_contacts *contacts,
                                  const perp_scheme *scheme, perp_error *err);
/** A copy of the problem that owns all it has, with every row named in its description; A
 *  in factors where that is asked for and the step has it so, else in blocks or CSR. For
 *  capture and export; freed with perp_problem_free.
 *  PERP_ERR_MEMORY, PERP_ERR_ARGUMENT: nothing was formulated. */
perp_status perp_system_export(const perp_system *system, const perp_world *world,
                               const perp_contacts *contacts, perp_storage storage,
                               perp_problem **p, perp_error *err);
/** The same as a global problem M v = H r + G l + f (FREE and contact rows without
 *  softness only): PERP_ERR_UNSUITABLE otherwise. Velocities of trees in reduced
 *  coordinates are innovations there, counted from the free ones: M = Delta. */
perp_status perp_system_export_global(const perp_system *system, const perp_world *world,
                                      const perp_contacts *contacts, perp_problem **p,
                                      perp_error *err);

/** u := u_free + M^-1 J^T z, 6 a body; z [N s] has problem.n entries, auxiliary ones are
 *  passed over. */
void perp_system_velocities(const perp_system *system, const double *z, double *u);
/** du := M^-1 J^T z alone. */
void perp_system_impulses(const perp_system *system, const double *z, double *du);
/** "revolute elbow: swing 1", "contact box/floor: normal", …, "auxiliary": the name of a row
 *  of the problem into `text` of `length` bytes, cut to them;
 *  "" where there is no such row. */
void perp_system_name(const perp_system *system, const perp_world *world,
                      const perp_contacts *contacts, size_t row, char *text,
                      size_t length);

/** `sweeps` sweeps of sequential impulses on u (6 a body, in and out) with accumulated
 *  impulses z (in: warm start, already in u; out): row by row, clamped to lo and hi,
 *  tangents to +-mu times the normal's impulse at that moment. Equal to projected
 *  Gauss-Seidel on the box model of the problem. [catto-2005] For worlds in maximal
 *  coordinates: bodies of a tree do not move one by one. */
void perp_sequential_impulses(const perp_rows *rows, const perp_world *world,
                              const perp_state *state, const perp_contacts *contacts,
                              size_t sweeps, double *u, double *z);

PERP_END_DECLS

#endif
