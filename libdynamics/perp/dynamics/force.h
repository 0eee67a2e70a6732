/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/force.h: forces that depend on the state: springs, dampers, drag, and
 * user-defined forces.
 *
 * A force type is one file that ends in one constant struct. */
#ifndef PERP_DYNAMICS_FORCE_H
#define PERP_DYNAMICS_FORCE_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

typedef struct perp_force perp_force;

/** A user-defined force: adds force and torque to f (6 per body). To allow a run to be
 *  resumed with the same bits, it must not keep a state. */
typedef void perp_force_call(void *context, const perp_world *world,
                             const perp_state *state, double *f);

/** A kind of force: constant data and functions. */
typedef struct perp_force_type {
    const char *name;    /**< "spring" */
    const char *summary; /**< one line */
    unsigned bodies;     /**< number of bodies that it acts on, 1 or 2; 0: any */
    /** f += force and torque about the centres of mass, 6 per body [N, N m]. */
    void (*apply)(const perp_force *force, const perp_world *world,
                  const perp_state *state, double *f);
    /** Stored energy [J]; NULL: the force stores no energy (a damper, drag). */
    double (*energy)(const perp_force *force, const perp_world *world,
                     const perp_state *state);
    /** Check the members of the force; NULL: nothing to check. */
    perp_status (*check)(const perp_force *force, perp_error *err);
    /** Names and units of its parameters, terminated by NULL: "stiffness [N/m]". */
    const char *const *parameters;
    unsigned dissipative; /**< bit k: parameter k dissipates energy if it is not 0 */
    /** K += df/dx and D += df/du for the 6 or 12 velocities of its bodies, i before j: n
     *  x n, row by row; x is a displacement of the centre and a rotation vector in world
     *  axes. If the force has a potential, K is minus its second derivative along x,
     *  which is symmetric. The integrator `implicit` uses both. An incomplete K costs
     *  iterations but does not change the free motion; the mass seen by impulses is M -
     *  dt D - dt^2 K. Only for types with one or two bodies; NULL: differences of
     *  `apply`. */
    void (*derivative)(const perp_force *force, const perp_world *world,
                       const perp_state *state, double *K, double *D);
} perp_force_type;

enum { PERP_FORCE_PARAMETERS = 4 };

/** A force of a world. Zero the struct, then fill it. */
struct perp_force {
    const perp_force_type *type;
    char name[48];
    int32_t i, j;                    /**< bodies; j < 0 if it acts on one body */
    double anchor_i[3], anchor_j[3]; /**< body axes [m] */
    /** World axes for a constant force, axes of body i for a torsion spring. Normalized
     *  when added. */
    double axis[3];
    double value[PERP_FORCE_PARAMETERS]; /**< in the order of `parameters` of the type */
    perp_force_call *call;               /**< for type "user" */
    void *context;
};

/** All force types: spring, torsion-spring, damper, drag, constant, user; *count of them.
 *  The type with this name, or NULL. */
const perp_force_type *const *perp_force_types(size_t *count);
const perp_force_type *perp_force_type_find(const char *name);
/** Whether the force conserves the sum of kinetic energy and its stored energy: it stores
 *  energy, and its dissipative parameters are 0. */
bool perp_force_is_conservative(const perp_force *force);
/** Append a copy. PERP_ERR_DATA: no type, members that its check refuses, unknown or
 *  equal bodies, a name that is not terminated, a number that is not finite;
 *  PERP_ERR_MEMORY. The world is unchanged after a failure. */
perp_status perp_world_add_force(perp_world *world, const perp_force *force,
                                 perp_error *err);

PERP_END_DECLS

#endif
