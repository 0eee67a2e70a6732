/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/mobilizer.h: the free motion of a joint of a tree, in its coordinates.
 *
 *     E_k = E_parent Ep Q(q) Ec,   twist of the child against the parent = S(q) dq/dt
 *
 * with S in the joint frame of the child, about its origin, angular part first. A type is
 * one file that ends in one constant struct. [featherstone-2008], [wang-2019] */
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
    unsigned axes; /**< number of unit axes that it needs, 0 .. 2, in the joint frame */
    bool square;   /**< the second axis must be perpendicular to the first */
    const char *unit[PERP_MOBILIZER_DOF]; /**< units of its coordinates: "rad", "m" */

    /** Q(q): the joint frame of the child relative to that of the parent. `axes`: six
     *  numbers, the first axis and the second. */
    void (*place)(const double *axes, const double *q, perp_frame *Q);
    /** S, 6 x dof column-major, and dS/dt along qd; Sdot may be NULL, as may qd then. */
    void (*motion)(const double *axes, const double *q, const double *qd, double *S,
                   double *Sdot);
    /** q with Q(q) = Q, or the nearest one if Q does not have this form. On entry q has
     *  earlier coordinates; angles stay within half a turn of them. */
    void (*coordinates)(const double *axes, const perp_frame *Q, double *q);

    /* For types with a velocity other than dq/dt: nu = N(q) dq/dt, such as the angular
     * velocity in axes of the child. NULL: nu = dq/dt, N = 1. */

    /** N and dN/dt along qd, dof x dof column-major; Ndot may be NULL, as may qd then. */
    void (*quasi)(const double *axes, const double *q, const double *qd, double *N,
                  double *Ndot);
    /** Update q for a constant nu over dt, exactly, in place. NULL: q + dt nu. */
    void (*drift)(const double *axes, double *q, const double *nu, double dt);
    /** Measure of regularity at q: 1 at q = 0, 0 where S loses rank. NULL: always 1. */
    double (*regular)(const double *axes, const double *q);
    /** Switch to the chart of the same pose and velocity that is farther from its
     *  singularity; returns false if no switch is needed. NULL: there is one chart. */
    bool (*switch_chart)(const double *axes, double *q, double *qd);
} perp_mobilizer;

/** A link to add. Zero the struct, then fill it; the frames must be given. */
typedef struct perp_link {
    const char *name;  /**< unique, not empty */
    const char *joint; /**< name of its joint in messages; NULL: that of the link */
    int32_t parent;    /**< its index in the same list; -1: the base */
    const perp_mobilizer *mobilizer;
    perp_frame Ep;     /**< joint frame relative to the body frame of the parent */
    perp_frame Ec;     /**< body frame, at the centre of mass, relative to the joint
                        *   frame */
    double axes[6];    /**< unit, in the joint frame; as many as the mobilizer needs */
    double mass;       /**< [kg] >= 0 */
    double inertia[9]; /**< [kg m^2], body axes, about the centre of mass */
    /* For each coordinate: a spring and damper with the force -stiffness (q - rest) -
     * damping qd, and the inertia of a rotor; all >= 0 except rest. */
    double stiffness[PERP_MOBILIZER_DOF], damping[PERP_MOBILIZER_DOF];
    double rest[PERP_MOBILIZER_DOF], armature[PERP_MOBILIZER_DOF];
} perp_link;

/** All types: revolute, prismatic, cylindrical, universal, spherical, spherical-euler,
 *  planar, translational, free, fixed; *count of them. The type with this name, or
 *  NULL. */
const perp_mobilizer *const *perp_mobilizers(size_t *count);
const perp_mobilizer *perp_mobilizer_find(const char *name);

PERP_END_DECLS

#endif
