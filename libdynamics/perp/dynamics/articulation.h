/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/articulation.h: trees of bodies in reduced coordinates.
 *
 *     H(q) qdd + c(q, qd) = tau + J^T f,     H = J^T M J
 *
 * A link is a body and the joint that carries it. Several trees may have roots, links
 * with parent -1; the base of each root has its own pose and velocity. The coordinates of
 * link k are q[first[k]] .. q[first[k + 1] - 1].
 *
 * Velocities of links are (v, omega) and forces (f, tau), in world axes, at the centre of
 * mass, 6 per link, as in a world. Matrices are column-major. Algorithms:
 * [featherstone-2008], [walker-orin-1982]; Jacobian and its rate: [wang-2019].
 *
 * Plain data: set q and qd, then call perp_articulation_update before reading anything
 * that depends on them. The struct holds scratch memory: two threads must not use it at
 * the same time. */
#ifndef PERP_DYNAMICS_ARTICULATION_H
#define PERP_DYNAMICS_ARTICULATION_H

#include <perp/dynamics/mobilizer.h>

PERP_BEGIN_DECLS

/** A forest of links, its coordinates, and what follows from them. */
typedef struct perp_articulation {
    size_t count;     /**< links; parents come before their children */
    size_t n;         /**< coordinates */
    perp_link *links; /**< copies of the given links, in the order of this struct */
    size_t *place;    /**< count: index here of the k-th given link */
    size_t *first;    /**< count + 1 */
    size_t *depth;    /**< count: number of coordinates of the link and its ancestors */
    int32_t *above;   /**< n: the next coordinate towards the base, which is lower; -1:
                       *   none */
    size_t *row;      /**< n + 1: start of row i of a sparse H, see
                       *   perp_articulation_mass */

    double *q, *qd;    /**< n */
    double gravity[3]; /**< [m/s^2]; 0 at first */
    perp_frame *base;  /**< count, read if parent is -1: pose of the base of the tree;
                        *   initially the identity */
    double *base_u;    /**< 6 per link: velocity (v, omega) of the base at its origin;
                        *   initially 0 */
    bool switch_chart; /**< switch the chart of coordinates near a singularity; initially
                        *   true */

    /* Computed by perp_articulation_update. */
    perp_frame *E; /**< count: body frames in the world */
    double *u;     /**< 6 per link: velocities */

    void *own; /**< private data */
} perp_articulation;

/** Create the trees of `count` links in any order; free them with perp_articulation_free.
 *  PERP_ERR_DATA (the message names the link): a name that is empty or used twice, an
 *  unknown parent, a cycle of parents, axes that are not unit or not perpendicular, a
 *  frame that is no rotation, an invalid mass or inertia, a leaf without mass whose joint
 *  moves, a number that is not finite; PERP_ERR_MEMORY. *tree is NULL after a failure. */
perp_status perp_articulation_new(perp_articulation **tree, const perp_link *links,
                                  size_t count, perp_error *err);
void perp_articulation_free(perp_articulation *tree); /* NULL is allowed (no-op) */
/** Number of the link with this name, or -1. */
int32_t perp_articulation_find(const perp_articulation *tree, const char *name);

/** Switch charts of q and qd where necessary, then compute poses and velocities of all
 *  links. PERP_ERR_DATA (the message names the joint): a coordinate that is not finite;
 *  coordinates at a singularity. */
perp_status perp_articulation_update(perp_articulation *tree, perp_error *err);
/** Move q with the velocities nu (n, see perp_mobilizer) over dt, set qd to the rates of
 *  nu at the new q, and update. */
perp_status perp_articulation_drift(perp_articulation *tree, const double *nu, double dt,
                                    perp_error *err);
/** nu := N qd; nu_dot := N qdd + Ndot qd; qd := N^-1 nu; n each, in place allowed.
 *  PERP_ERR_DATA: N is singular. */
void perp_articulation_quasi(const perp_articulation *tree, const double *qd, double *nu);
void perp_articulation_quasi_rate(const perp_articulation *tree, const double *qdd,
                                  double *nu_dot);
perp_status perp_articulation_rates(const perp_articulation *tree, const double *nu,
                                    double *qd, perp_error *err);
/** u := velocities of all links for the rates qd at the present q, 6 per link; `base`:
 *  include the velocities of the bases. */
void perp_articulation_velocities(const perp_articulation *tree, const double *qd,
                                  bool base, double *u);

/* The following functions use the state of the last update. f: forces on the links (6
 * each) in addition to gravity, or NULL; qdd NULL: 0. tau excludes springs and dampers of
 * the joints, H includes armatures. */

/** J, 6 count x n, for twists (omega; v) of the links in their own axes, and dJ/dt.
 *  Either may be NULL. */
void perp_articulation_jacobian(const perp_articulation *tree, double *J, double *Jdot);
/** tau that causes the accelerations qdd: inverse dynamics by recursive Newton-Euler. */
void perp_articulation_rnea(perp_articulation *tree, const double *qdd, const double *f,
                            double *tau);
/** H, n x n, by the composite-rigid-body algorithm. */
void perp_articulation_crba(perp_articulation *tree, double *H);
/** H in sparse storage, row[n] numbers. H(i,j) is zero unless i or j is an ancestor of
 *  the other, so row i starts at H[row[i]] and has the entries of the ancestors of i in
 *  ascending order and of i itself: H(i,i) = H[row[i + 1] - 1], H(i,above[i]) = H[row[i +
 *  1] - 2], and so on. O(row[n]). */
void perp_articulation_mass(perp_articulation *tree, double *H);
/** qdd by the articulated-body algorithm. PERP_ERR_DATA: H is singular (the message names
 *  the joint). */
perp_status perp_articulation_aba(perp_articulation *tree, const double *tau,
                                  const double *f, double *qdd, perp_error *err);
/** tau += forces of springs and dampers of the joints. */
void perp_articulation_passive(const perp_articulation *tree, double *tau);
/** Kinetic energy for the rates qd, including armatures; potential energy of gravity and
 *  of the springs of joints [J]. */
double perp_articulation_kinetic(const perp_articulation *tree, const double *qd);
double perp_articulation_potential(const perp_articulation *tree);

/* Factors of H + dt D + dt^2 K, where D and K are the dampers and springs of joints:
 * articulated inertias, which the functions below use until the next update. In these
 * factors H^-1 = Psi^T Delta^-1 Psi with Delta block diagonal by links
 * [rodriguez-1992]. */

/** Compute the factors; dt = 0: of H. PERP_ERR_DATA: a singular matrix (the message names
 *  the joint). */
perp_status perp_articulation_factor(perp_articulation *tree, double dt, perp_error *err);
/** qdd := H^-1 (tau + J^T f); a := J qdd, 6 per link (world axes). tau, f, a may be NULL.
 *  O(count). */
void perp_articulation_solve_mass(perp_articulation *tree, const double *tau,
                                  const double *f, double *qdd, double *a);
/** Compute Psi J^T f for `rows` <= 8 pairs of forces on links i and j (-1: none), f_i and
 *  f_j with 6 numbers per row. index[k]: coordinates in ascending order, at most depth[i]
 *  + depth[j]; value[k * rows + r]: their entries. Returns the number of coordinates. A =
 *  sum of value Delta^-1 value. O(depth) per row. */
size_t perp_articulation_innovations(perp_articulation *tree, int32_t i, int32_t j,
                                     size_t rows, const double *f_i, const double *f_j,
                                     int32_t *index, double *value);
/** Delta^-1 of link k, dof x dof. */
void perp_articulation_inverse(const perp_articulation *tree, size_t k, double *inverse);

/** Factor the sparse H in place: H = L^T D L, where L is as sparse as H, with D on the
 *  diagonal and L before it in each row. Returns false if a pivot is not positive. O(sum
 *  of the squares of the row lengths). [featherstone-2008] */
bool perp_articulation_sparse_ltdl(const perp_articulation *tree, double *H);
/** x := H^-1 x with these factors. O(row[n]). */
void perp_articulation_sparse_ltdl_solve(const perp_articulation *tree,
                                         const double *factors, double *x);

PERP_END_DECLS

#endif
