/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/gradient.h: derivative of a step of a world in reduced coordinates with
 * respect to its state and to joint torques.
 *
 *     (q, qd, tau) -> (q+, qd+):   ID(q, v, (nu+ - nu)/dt) = tau + J_r^T z/dt,
 *     w = J_r(q) nu+ - bias(q, qd) + C z,  -w in N_K(z),   q+ = q moved by nu+ over dt
 *
 * for the step that perp_stepper_step would make from this state; v are the velocities at
 * which it evaluates velocity terms (with a fixed number of iterations for v). Inverse
 * dynamics ID is differentiated exactly, and the solution z by its active set
 * <perp/sensitivity.h>, one-sided at ties. Rows of contacts and limits (J_r and bias) and
 * forces of the world are differentiated by differences over 1e-6 (rad or m) of
 * perp_rows_write at displaced poses, with contacts matched by their keys; the relative
 * error is about 1e-10. The auxiliary impulse of the pyramid is not unique at an open
 * contact: if such a contact just touches, the derivative of its friction is undefined
 * and taken as 0. [werling-2021] */
#ifndef PERP_DYNAMICS_GRADIENT_H
#define PERP_DYNAMICS_GRADIENT_H

#include <perp/dynamics/step.h>
#include <perp/sensitivity.h>

PERP_BEGIN_DECLS

/** The derivative of one step. */
typedef struct perp_step_gradient perp_step_gradient;

/**
 * Create the derivative of one step at `state`, of which it keeps a copy. The world is
 * borrowed and must not change until the derivative is freed. The coordinates are those
 * after the chart switches with which a step begins (perp_mobilizer.switch_chart):
 * perp_world_forward_kinematics makes the state have them.
 *
 * @param solver solver of the problem of the step; `opt` as for perp_stepper_new. Its
 * tolerance should be far below that of ties: z is differentiated as if exact @param how
 * options of the derivative of z, or NULL; least_norm for contacts whose load is not
 * unique @return PERP_OK; PERP_ERR_UNSUITABLE: a world in maximal coordinates or with a
 * dynamic body outside trees (see perp_reduction.free_bodies), an integrator other than
 * semi-implicit, Poisson's restitution, stabilization by split or project, rolling
 * friction;
 *         PERP_ERR_DATA: the problem was not solved, a singular block or H, a
 *         singularity; PERP_ERR_MEMORY, PERP_ERR_OPTION. *g is NULL after a failure.
 */
perp_status perp_step_gradient_new(perp_step_gradient **g, const perp_world *world,
                                   const perp_state *state, const perp_scheme *scheme,
                                   const perp_solver_type *solver,
                                   const perp_options *opt,
                                   const perp_sensitivity_options *how, perp_error *err);
void perp_step_gradient_free(perp_step_gradient *g); /* NULL is allowed (no-op) */

/** q+ and qd+ of the step, n each (either may be NULL). n is the number of coordinates of
 *  the trees. */
void perp_step_gradient_after(const perp_step_gradient *g, double *q, double *qd);
/** dq+ and dqd+ (n each) along dq, dqd and dtau (n each, NULL: 0). At a tied row or a
 *  kink of a bias it is the one-sided derivative in this direction. PERP_ERR_DATA: no
 *  consistent choice of tied rows was found, a singularity; and the statuses of
 *  perp_collider_run. */
perp_status perp_step_gradient_forward(perp_step_gradient *g, const double *dq,
                                       const double *dqd, const double *dtau,
                                       double *dq_plus, double *dqd_plus,
                                       perp_error *err);
/** d(q+, qd+)/d(q, qd, tau), 2n x 3n column-major: at a tie the piece of z that how->ties
 *  chooses, at a kink of a bias the side of increasing coordinates. */
perp_status perp_step_gradient_matrix(perp_step_gradient *g, double *D, perp_error *err);
/** dtau := J^T f, the joint torques of loads (f, tau) on the bodies, 6 each, world axes,
 *  as in state->load. */
void perp_step_gradient_load(const perp_step_gradient *g, const double *load,
                             double *dtau);

/** The problem of the step, and the derivative of z; NULL if there were no rows. */
const perp_system *perp_step_gradient_system(const perp_step_gradient *g);
perp_sensitivity *perp_step_gradient_solution(const perp_step_gradient *g);

PERP_END_DECLS

#endif
