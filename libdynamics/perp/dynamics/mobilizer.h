/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/mobilizer.h: what a joint of a tree lets move, in coordinates of its own.
 *
 *     E_k = E_parent Ep Q(q) Ec,   twist of the child against the parent = S(q) dq/dt
 *
 * with S in axes of the joint frame on the child's side, about its origin, angular part
 * first. A type is one file that ends in one constant struct. [featherstone-2008],
 * [wang-2019] */
#ifndef PERP_DYNAMICS_MOBILIZER_H
#define PERP_DYNAMICS_MOBILIZER_H

#include <perp/dynamics/twist.h>

PERP_BEGIN_DECLS

enum { PERP_MOBILIZER_DOF = 6 };

/** A kind of joint by its coordinates: constant data and functions. */
typedef struct perp_mobilizer {
    const char *name;    /**< "revolute" */
    const char *summary; /**< one line */
    const char *reference;
    unsigned dof;  /**< 0 .. PERP_MOBILIZER_DOF */
    unsigned axes; /**< unit axes that it needs, 0 .. 2, in the joint frame */
    bool square;   /**< the second is perpendicular to the first */
    const char *unit[PERP_MOBILIZER_DOF]; /**< of its coordinates: "rad", "m" */

    /** Q(q): the joint frame on the child's side seen from that on the parent's. `axes`:
     *  six numbers, the first axis and the second. */
    void (*place)(const double *axes, const double *q, perp_frame *Q);
    /** S, 6 x dof column-major, and dS/dt along qd; Sdot may be NULL, as may qd then. */
    void (*motion)(const double *axes, const double *q, const double *qd, double *S,
                   double *Sdot);
    /** q with Q(q) = Q, or nearest to it where Q is not of that form. On entry q is an
     *  earlier one: angles come out next to it, over many turns. */
    void (*coordinates)(const double *axes, const perp_frame *Q, double *q);

    /* Types whose coordinates have a better velocity than dq/dt: nu = N(q) dq/dt, such as
     * the angular velocity in axes of the child. NULL: nu is dq/dt, N = 1. */

    /** N and dN/dt along qd, dof x dof column-major; Ndot may be NULL, as may qd then. */
    void (*quasi)(const double *axes, const double *q, const double *qd, double *N,
                  double *Ndot);
    /** Q moved by a constant nu over dt, exactly; q in place. NULL: q + dt nu. */
    void (*drift)(const double *axes, double *q, const double *nu, double dt);
    /** How regular the coordinates are here: 1 at q = 0, 0 where S loses a column. NULL:
     *  always 1. */
    double (*regular)(const double *axes, const double *q);
    /** Other coordinates of the same pose and velocity, farther from the singularity;
     *  false where these will do. NULL: there are none. */
    bool (*switch_chart)(const double *axes, double *q, double *qd);
} perp_mobilizer;

/** A link to add. Zero it, then fill; frames must be given. */
typedef struct perp_link {
    const char *name;  /**< unique, not empty */
    const char *joint; /**< what its joint is called in messages; NULL: as the link */
    int32_t parent;    /**< its place in the same list; -1: the base */
    const perp_mobilizer *mobilizer;
    perp_frame Ep;     /**< the joint frame seen from the parent's body frame */
    perp_frame Ec;     /**< the body frame, at the centre of mass, from the joint's */
    double axes[6];    /**< unit, in the joint frame; as many as the mobilizer needs */
    double mass;       /**< [kg] >= 0 */
    double inertia[9]; /**< [kg m^2], body axes, about the centre of mass */
    /* Of each coordinate, all >= 0 but rest: force -stiffness (q - rest) - damping qd,
     * and inertia of a rotor. */
    double stiffness[PERP_MOBILIZER_DOF], damping[PERP_MOBILIZER_DOF];
    double rest[PERP_MOBILIZER_DOF], armature[PERP_MOBILIZER_DOF];
} perp_link;

/** All types: revolute, prismatic, cylindrical, universal, spherical, spherical-euler, planar,
 *  translational, free, fixed; *count of them. And the one of that name, or NULL. */
const perp_mobilizer *const *perp_mobilizers(size_t *count);
const perp_mobilizer *perp_mobilizer_find(const char *name);

PERP_END_DECLS

#endif
