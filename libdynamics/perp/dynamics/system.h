/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/system.h: a perp_problem from rows and a friction model, and velocities
 * from its solution.
 *
 *     A = J M^-1 J^T + diag(K_cfm)/dt,   b = J u_free - bias,
 *     u+ = u_free + M^-1 J^T lambda
 *
 * In reduced coordinates (perp/dynamics/reduce.h) M^-1 means J_b H(q)^-1 J_b^T, where J_b
 * are the Jacobians of the bodies: A = E Delta^-1 E^T + C with O(depth) entries per row
 * of E.
 *
 * With implicit forces (perp/dynamics/integrate.h: perp_free_motion.mass) M means M - dt
 * df/du - dt^2 df/dx, which couples the bodies that a force acts on: A = E G^T + C. A row
 * has as many entries as the groups of its bodies have velocities. A is symmetric if the
 * derivatives of the forces are.
 *
 * With the pyramid each contact has an auxiliary row [stewart-trinkle-1996] after all
 * other rows, and A is not symmetric. */
#ifndef PERP_DYNAMICS_SYSTEM_H
#define PERP_DYNAMICS_SYSTEM_H

#include <perp/dynamics/rows.h>
#include <perp/operator.h>
#include <perp/problem.h>

PERP_BEGIN_DECLS

/** A formulated step. Zero the struct before its first use; memory is kept from step to
 *  step. */
typedef struct perp_system {
    perp_rows rows;
    perp_problem problem; /**< borrows the data of this struct; valid until the next
                           *   formulation */
    uint64_t *keys;       /**< one per block of problem.set, for warm starts and
                           *   sequences */
    double *u_free;       /**< 6 per body */
    size_t bodies;
    double *inverse_mass, *inverse_inertia; /**< copies of the state at the formulation, 1
                                             *   and 9 per body */
    /** M* of the free motion that gave u_free (perp_free_motion.mass), borrowed: it
     *  replaces M in A, impulses and velocities. NULL: M. Set it before
     *  perp_system_formulate. */
    struct perp_effective_mass *mass;
    void *own; /**< private data; freed by perp_system_clear */
} perp_system;

void perp_system_clear(perp_system *system); /* frees and zeroes */

/** Formulate the problem of system->rows, which perp_rows_write filled from the same
 *  world, contacts and scheme, at the free velocities u_free (6 per body, copied). The
 *  scheme gives the storage of A: factors borrow J of the rows and are never multiplied
 *  out; with the pyramid A is CSR (or DENSE if requested); BSR becomes CSR if the blocks
 *  do not all have one size above 1, which problem.title reports. Without rows problem.n
 *  is 0. A row that no coordinate moves, for example the contact of a cart on rails with
 *  the ground, has no entries in A except a softness of 1e-11 times the diagonal entry
 *  that its bodies would have without joints (rows.soft, reported in problem.title).
 *  Trees in reduced coordinates are factored here; perp_system_impulses and _velocities
 *  use these factors until the state moves. PERP_ERR_MEMORY, PERP_ERR_DATA: more than
 *  INT_MAX rows, a singular H(q); problem is then empty. */
perp_status perp_system_formulate(perp_system *system, const perp_world *world,
                                  const perp_state *state, const double *u_free,
                                  const perp_contacts *contacts,
                                  const perp_scheme *scheme, perp_error *err);
/** Make an independent copy of the problem, for capture and export, with the names of all
 *  rows in its description, a label for each block, and an origin with version and units.
 *  A is in factors if `storage` asks for them and the system has them, else in blocks or
 *  CSR. Free it with perp_problem_free. PERP_ERR_ARGUMENT: the system is empty;
 *  PERP_ERR_MEMORY. */
perp_status perp_system_export(const perp_system *system, const perp_world *world,
                               const perp_contacts *contacts, perp_storage storage,
                               perp_problem **p, perp_error *err);
/** The same as a global problem M v = H r + G l + f. PERP_ERR_UNSUITABLE unless all rows
 *  are FREE or contact rows without softness. For trees in reduced coordinates v are the
 *  innovations relative to the free motion: M = Delta. */
perp_status perp_system_export_global(const perp_system *system, const perp_world *world,
                                      const perp_contacts *contacts, perp_problem **p,
                                      perp_error *err);

/** u := u_free + M^-1 J^T z, 6 per body; z [N s] has problem.n entries, of which
 *  auxiliary ones are ignored. */
void perp_system_velocities(const perp_system *system, const double *z, double *u);
/** du := M^-1 J^T z, 6 per body. */
void perp_system_impulses(const perp_system *system, const double *z, double *du);
/** "revolute elbow: swing 1", "contact box/floor: normal", …, "auxiliary": write the name
 *  of a row of the problem to `text`, truncated to `length` bytes; "" if there is no such
 *  row. */
void perp_system_name(const perp_system *system, const perp_world *world,
                      const perp_contacts *contacts, size_t row, char *text,
                      size_t length);

/** Apply `sweeps` sweeps of sequential impulses to u (6 per body, in and out) with
 *  accumulated impulses z (in: the warm start, whose effect u includes; out: the result):
 *  row by row, clamped to lo and hi, tangents to +-mu times the present impulse of the
 *  normal. Equivalent to projected Gauss-Seidel on the box model of the problem.
 *  [catto-2005] Only for worlds in maximal coordinates. */
void perp_sequential_impulses(const perp_rows *rows, const perp_world *world,
                              const perp_state *state, const perp_contacts *contacts,
                              size_t sweeps, double *u, double *z);

PERP_END_DECLS

#endif
