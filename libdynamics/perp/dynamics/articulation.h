/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/articulation.h: trees of bodies in reduced coordinates.
 *
 *     H(q) qdd + c(q, qd) = tau + J^T f,     H = J^T M J
 *
 * A link is a body and the joint that carries it. Links may hang on the base, parent -1,
 * in several trees; what a tree hangs on has a pose and a velocity of its own.
 * Coordinates of link k are q[first[k]] .. q[first[k + 1] - 1].
 *
 * Velocities of links are (v, omega) and forces (f, tau), world axes, at the centre of
 * mass, 6 a link, as in a world. Matrices are column-major. Algorithms:
 * [featherstone-2008], [walker-orin-1982]; Jacobian and its rate: [wang-2019].
 *
 * Plain data: set q and qd, then perp_articulation_update; what follows from them is read
 * only after that. Not for two threads at once: scratch is within. */
#ifndef PERP_DYNAMICS_ARTICULATION_H
#define PERP_DYNAMICS_ARTICULATION_H

#include <perp/dynamics/mobilizer.h>

PERP_BEGIN_DECLS

/** A forest of links, its coordinates, and what follows from them. */
typedef struct perp_articulation {
    size_t count;     /**< links; parents come before their children */
    size_t n;         /**< coordinates */
    perp_link *links; /**< as given, in the order here; names are copies */
    size_t *place;    /**< count: where the k-th link that was given stands */
    size_t *first;    /**< count + 1 */
    size_t *depth;    /**< count: coordinates of the link and of all above it */
    int32_t *above;   /**< n: the next coordinate towards the base, < its own; -1: none */
    size_t *row;      /**< n + 1: where row i of a sparse H begins, see below */

    double *q, *qd;    /**< n */
    double gravity[3]; /**< [m/s^2]; 0 at first */
    perp_frame *base;  /**< count, read where parent is -1: what the tree hangs on; E */
    double *base_u;    /**< 6 a link: its velocity (v, omega) at its origin; 0 */
    bool
        switch_chart; /**< coordinates near a singularity are exchanged for others; true */

    /* Made by perp_articulation_update. */
    perp_frame *E; /**< count: body frames in the world */
    double *u;     /**< 6 a link: velocities */

    void *own; /**< what only the algorithms know */
} perp_articulation;

/** Links in any order. PERP_ERR_DATA, with the name of the link: a name twice or empty, a
 *  parent that is none, a cycle of parents, axes that are not unit (or not perpendicular
 *  where they must be), a frame that is no rotation, a mass or inertia that cannot be, a
 *  leaf without mass whose joint moves, NaN; PERP_ERR_MEMORY. *tree is then NULL. */
perp_status perp_articulation_new(perp_articulation **tree, const perp_link *links,
                                  size_t count, perp_error *err);
void perp_articulation_free(perp_articulation *tree); /* takes NULL */
/** Coordinates of its own for the links of `from`, which it borrows; they are those of
 *  `from` now, updated as there. PERP_ERR_MEMORY: *tree is NULL. */
perp_status perp_articulation_copy(perp_articulation **tree,
                                   const perp_articulation *from, perp_error *err);
/** Such a copy becomes what `from` is now; its factors are then to be computed again. */
void perp_articulation_follow(perp_articulation *tree, const perp_articulation *from);
/** Number of a link, or -1. */
int32_t perp_articulation_find(const perp_articulation *tree, const char *name);

/** Poses and velocities of all links from q and qd, which are exchanged for others first
 *  where that is due. PERP_ERR_DATA: a coordinate that is not finite; coordinates at
 *  their singularity, with the name of the joint. */
perp_status perp_articulation_update(perp_articulation *tree, perp_error *err);
/** q moved over dt by velocities nu (n, see perp_mobilizer), and qd of the same nu there;
 *  then updated. */
perp_status perp_articulation_drift(perp_articulation *tree, const double *nu, double dt,
                                    perp_error *err);
/** nu := N qd; nu_dot := N qdd + Ndot qd; qd := N^-1 nu; n each, in place allowed.
 *  PERP_ERR_DATA: N is singular. */
void perp_articulation_quasi(const perp_articulation *tree, const double *qd, double *nu);
void perp_articulation_quasi_rate(const perp_articulation *tree, const double *qdd,
                                  double *nu_dot);
perp_status perp_articulation_rates(const perp_articulation *tree, const double *nu,
                                    double *qd, perp_error *err);
/** qd whose velocities are nearest to u (6 a link, of links that move as the joints let
 *  them: those), joint by joint from the base on. PERP_ERR_DATA: a singularity. */
perp_status perp_articulation_fit_rates(const perp_articulation *tree, const double *u,
                                        double *qd, perp_error *err);
/** u := velocities of all links for the rates qd at the present q, 6 a link; `base`: with
 *  the base's own. */
void perp_articulation_velocities(const perp_articulation *tree, const double *qd,
                                  bool base, double *u);

/* Of the state last updated. f: forces on the links (6 each) besides gravity, or NULL;
 * qdd NULL: 0. Springs, dampers of the joints are not in tau, armature is in H. */

/** J, 6 count x n: twists of the links in their own axes (omega; v); and dJ/dt. Either
 *  may be NULL. */
void perp_articulation_jacobian(const perp_articulation *tree, double *J, double *Jdot);
/** tau that makes the accelerations qdd: inverse dynamics by recursive Newton-Euler. */
void perp_articulation_rnea(perp_articulation *tree, const double *qdd, const double *f,
                            double *tau);
/** H, n x n, by composite rigid bodies. */
void perp_articulation_crba(perp_articulation *tree, double *H);
/** The same, sparse, row[n] numbers: H(i,j) is zero unless one of i and j is above the
 *  other, so row i, from H[row[i]] on, has the coordinates above i in ascending order and
 *  i itself: H(i,i) = H[row[i + 1] - 1], H(i,above[i]) = H[row[i + 1] - 2], and so on.
 *  O(row[n]). */
void perp_articulation_mass(perp_articulation *tree, double *H);
/** qdd by articulated bodies. PERP_ERR_DATA: H is singular, with the name of the
 *  joint. */
perp_status perp_articulation_aba(perp_articulation *tree, const double *tau,
                                  const double *f, double *qdd, perp_error *err);
/** tau += forces of springs and dampers of the joints. */
void perp_articulation_passive(const perp_articulation *tree, double *tau);
/** Kinetic energy with that of armatures for rates qd, potential of gravity and of the
 *  springs of joints [J]. */
double perp_articulation_kinetic(const perp_articulation *tree, const double *qd);
double perp_articulation_potential(const perp_articulation *tree);

/* Factors of H + dt D + dt^2 K, D and K the dampers and springs of joints: articulated
 * inertias, kept for what follows until the next update. In these factors
 * H^-1 = Psi^T Delta^-1 Psi with Delta block diagonal by links [rodriguez-1992]. */

/** dt = 0: of H. PERP_ERR_DATA: singular, with the name of the joint. */
perp_status perp_articulation_factor(perp_articulation *tree, double dt, perp_error *err);
/** qdd := H^-1 (tau + J^T f); a := J qdd, 6 a link (world axes). tau, f, a may be NULL.
 *  O(count). */
void perp_articulation_solve_mass(perp_articulation *tree, const double *tau,
                                  const double *f, double *qdd, double *a);
/** The row Psi J^T f of `rows` forces at once on links i and j (-1: none): f_i and f_j 6
 *  a row. index[k] ascending, at most depth[i] + depth[j]: coordinates; value[k * rows +
 *  r]. Returns how many. A = sum of value Delta^-1 value. O(depth) a row; rows <= 8. */
size_t perp_articulation_innovations(perp_articulation *tree, int32_t i, int32_t j,
                                     size_t rows, const double *f_i, const double *f_j,
                                     int32_t *index, double *value);
/** Delta^-1 of link k, dof x dof. */
void perp_articulation_inverse(const perp_articulation *tree, size_t k, double *inverse);

/** H = L^T D L along the tree, by coordinates, with L as sparse as H: the sparse H in
 *  place, D on the diagonal, L before it in its row. False where a pivot is not positive.
 *  O(sum of the squares of the lengths of rows). [featherstone-2008] */
bool perp_articulation_sparse_ltdl(const perp_articulation *tree, double *H);
/** x := H^-1 x by these factors. O(row[n]). */
void perp_articulation_sparse_ltdl_solve(const perp_articulation *tree,
                                         const double *factors, double *x);

PERP_END_DECLS

#endif
