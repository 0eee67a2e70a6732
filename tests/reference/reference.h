/* SPDX-License-Identifier: Apache-2.0
 * tests/reference/reference.h: formulas and algorithms of textbooks that no step uses.
 *
 * Tests judge the library by them, and they are tested against golden values.
 *
 * Matrices 3x3, 3x4 and 4x3 are row by row; all others are column-major. Outputs may not
 * overlap inputs unless said. */
#ifndef PERP_TEST_REFERENCE_H
#define PERP_TEST_REFERENCE_H

#include <perp/dynamics/articulation.h>
#include <perp/dynamics/geometry.h>
#include <perp/dynamics/tree.h>
#include <perp/dynamics/twist.h>
#include <perp/dynamics/world.h>

/** @name Rates of orientations */
/** @{ */
/** Q(q), 4x3, of a unit quaternion: dq/dt = Q omega, omega in world axes [rad/s]. */
void perp_quat_rate_matrix(const double q[4], double Q[12]);
/** G(q), 3x4, of a unit quaternion: omega_body = 2 G dq/dt [rad/s]. */
void perp_quat_body_matrix(const double q[4], double G[12]);
/** @} */

/** @name Twists (omega; v) and wrenches (tau; f) [murray-li-sastry-1994] */
/** @{ */
/** Ad(E) = [R 0; [p]x R R], 6x6: maps a twist in axes of E to the reference axes of E. */
void perp_adjoint(const perp_frame *E, double Ad[36]);
/** ad(phi) = [[omega]x 0; [v]x [omega]x], 6x6; d/dt Ad(E) = Ad(E) ad(phi), phi in axes of
 *  E. */
void perp_twist_cross(const double phi[6], double ad[36]);
/** out := Ad(E) phi; in place allowed. */
void perp_twist_transform(const perp_frame *E, const double phi[6], double out[6]);
/** out := Ad(E)^T W, the wrench W seen from E; in place allowed. */
void perp_wrench_transform(const perp_frame *E, const double W[6], double out[6]);
/** @} */

/** @name Bounding volumes
 * Two closed sets overlap if they have a common point; touching counts. */
/** @{ */
/** An oriented box: centre, axes (columns of R, row by row), half extents. */
typedef struct perp_obb {
    double x[3], R[9], half[3];
} perp_obb;

/** All points within `radius` of x [m]. */
typedef struct perp_sphere {
    double x[3], radius;
} perp_sphere;

/** All points within `radius` of the segment from p to q [m]. */
typedef struct perp_capsule {
    double p[3], q[3], radius;
} perp_capsule;

/** Whether two spheres overlap. */
bool perp_sphere_overlap(const perp_sphere *a, const perp_sphere *b);
/** Whether two oriented boxes overlap, by the 15 axes of [gottschalk-1996]. */
bool perp_obb_overlap(const perp_obb *a, const perp_obb *b);
/** Whether two capsules overlap. */
bool perp_capsule_overlap(const perp_capsule *a, const perp_capsule *b);
/** The tight axis-aligned box around an oriented box: half extents |R| h. */
void perp_aabb_of_obb(const perp_obb *box, perp_aabb *out);
/** A sphere around n > 0 points (3 each): Ritter's, refined, in practice at most 5 % above the
 *  smallest one. */
void perp_sphere_of_points(size_t n, const double *points, perp_sphere *out);
/** An oriented box around n > 0 points (3 each) along their principal axes. PERP_ERR_DATA:
 *  no point, or one that is not finite; PERP_ERR_LIBRARY: LAPACK failed. */
perp_status perp_obb_of_points(size_t n, const double *points, perp_obb *out,
                               perp_error *err);
/** A capsule around n > 0 points (3 each) along the longest of their principal axes; the
 *  errors are those of perp_obb_of_points. */
perp_status perp_capsule_of_points(size_t n, const double *points, perp_capsule *out,
                                   perp_error *err);
/** @} */

/** @name Sums of convex sets
 * A (+) B = {a + b}; A (-) B = A (+) (-B) is the set whose distance from the origin is that
 * of A and B. */
/** @{ */
/** The sum of convex polygons (counter-clockwise, na and nb corners of two numbers [m]) by
 *  merging edges by their angles: at most na + nb corners into out, counter-clockwise from
 *  the lowest, leftmost one; parallel edges are merged. Returns the number of corners. */
size_t perp_minkowski_sum_2d(size_t na, const double *a, size_t nb, const double *b,
                             double *out);
/** The difference in the same way. */
size_t perp_minkowski_difference_2d(size_t na, const double *a, size_t nb,
                                    const double *b, double *out);
/** The hull of all sums of corners; free it with perp_polytope_free. The errors are those
 *  of perp_polytope_new. */
perp_status perp_minkowski_sum(perp_polytope **out, const perp_polytope *a,
                               const perp_polytope *b, perp_error *err);
/** The hull of all differences a - b of corners, in the same way. */
perp_status perp_minkowski_difference(perp_polytope **out, const perp_polytope *a,
                                      const perp_polytope *b, perp_error *err);
/** Largest signed distance of p from the planes of the faces [m]: negative inside, 0 on the
 *  surface. */
double perp_polytope_outside(const perp_polytope *hull, const double p[3]);
/** @} */

/** The first body whose pose or velocity is not finite, or -1. */
int32_t test_nonfinite_body(const perp_world *world, const perp_state *state);

/** @name Trees of boxes */
/** @{ */
/** Number of leaves. */
size_t perp_tree_count(const perp_tree *tree);
/** Number of nodes below the root on the longest path to a leaf. */
size_t perp_tree_height(const perp_tree *tree);
/** Whether every inner node is the union of its children, and the heights are right. */
bool perp_tree_sound(const perp_tree *tree);
/** @} */

/** @name Articulations
 * n coordinates; of the state last updated. */
/** @{ */
/** H = L^T D L of a dense H (n x n, lower triangle read and written), by the sparse
 *  algorithm of perp_articulation_sparse_ltdl. Returns false if a pivot is not positive or
 *  there is no memory. [featherstone-2008] */
bool perp_articulation_ltdl(const perp_articulation *tree, double *H);
/** x := H^-1 x (n) by these factors. Returns false if there is no memory. */
bool perp_articulation_ltdl_solve(const perp_articulation *tree, const double *factors,
                                  double *x);

/** Loops closed by multipliers, m rows G (m x n):
 *
 *      [ H  -G^T ] [ qdd    ]   [ tau + J^T f - c                        ]
 *      [ G   C   ] [ lambda ] = [ -gdot - 2 alpha G qd - beta^2 phi      ]
 *
 *  with gdot = (dG/dt) qd, phi the errors, C = cfm times the identity; [baumgarte-1972]. */
typedef struct perp_loops {
    size_t m;                     /**< rows */
    const double *G, *gdot, *phi; /**< m x n, m, m; gdot, phi NULL: 0 */
    double alpha, beta, cfm;      /**< [1/s], [1/s], softness; 0: none */
} perp_loops;

/** Solve that system: tau (n, may be NULL: 0), f (6 per link, may be NULL) into qdd (n) and
 *  lambda (m). Redundant rows share their force (least lambda) where cfm = 0.
 *  PERP_ERR_DATA: H is singular; PERP_ERR_MEMORY, PERP_ERR_LIBRARY. */
perp_status perp_articulation_solve_loops(perp_articulation *tree, const double *tau,
                                          const double *f, const perp_loops *loops,
                                          double *qdd, double *lambda, perp_error *err);
/** Rows of a point of link k (x in body axes, from the centre of mass [m]): J, 3 x n, world
 *  axes, and (dJ/dt) qd [m/s^2]; either may be NULL. */
void perp_articulation_point(const perp_articulation *tree, size_t k, const double x[3],
                             double *J, double *Jdot_qd);
/** @} */

/** @name Constrained motion as one linear system */
/** @{ */
/** Minimise (v - v_n)^T M (v - v_n)/(2 dt) - f.v subject to J v = bias: the KKT system
 *
 *      [ M  -J^T ] [ v      ]   [ M v_n + dt f ]
 *      [ -J  -D  ] [ lambda ] = [ -bias        ]
 *
 *  solved as a whole. M is n x n, J rows x n; D (the diagonal) >= 0 or NULL for 0; v_n, f
 *  and v have n entries, v may be v_n, bias and lambda `rows`; dt [s]. PERP_ERR_DATA:
 *  singular, or an entry that is not finite; PERP_ERR_MEMORY; PERP_ERR_LIBRARY: LAPACK
 *  failed. v and lambda are unchanged after a failure. */
perp_status perp_kkt_solve(size_t n, const double *M, size_t rows, const double *J,
                           const double *D, const double *v_n, const double *f,
                           const double *bias, double dt, double *v, double *lambda,
                           perp_error *err);
/** @} */

#endif
