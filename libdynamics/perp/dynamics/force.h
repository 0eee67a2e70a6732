/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/force.h: forces that depend on the state: springs, dampers, drag, the
 * user's.
 *
 * A force type is one file that ends in one constant struct. */
#ifndef PERP_DYNAMICS_FORCE_H
#define PERP_DYNAMICS_FORCE_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

typedef struct perp_force perp_force;

/** The user's own: add force and torque to f (6 a body). Must not keep state of its own
 *  if a run is to be resumed to the same bits. */
typedef void perp_force_call(void *context, const perp_world *world,
                             const perp_state *state, double *f);

/** A kind of force: constant data and functions. */
typedef struct perp_force_type {
    const char *name;    /**< "spring" */
    const char *summary; /**< one line */
    unsigned bodies;     /**< 1 or 2 that it acts on; 0: any */
    /** f += force and torque about the centres, 6 a body [N, N m]. */
    void (*apply)(const perp_force *force, const perp_world *world,
                  const perp_state *state, double *f);
    /** Energy stored [J]; NULL: none (a damper, drag). */
    double (*energy)(const perp_force *force, const perp_world *world,
                     const perp_state *state);
    /** Check what was filled in; NULL: nothing to check. */
    perp_status (*check)(const perp_force *force, perp_error *err);
    /** Names and units of the parameters that it reads, ended by NULL:
     *  "stiffness [N/m]". */
    const char *const *parameters;
    unsigned dissipative; /**< bit k: parameter k dissipates energy unless it is 0 */
    /** K += df/dx and D += df/du of the 6 or 12 numbers of its bodies, i before j: n x n, row
     *  by row, x a displacement of the centre and a rotation vector in world axes. Where the
     *  force has a potential, K is minus the second derivative of that along x, which is
     *  symmetric. The integrator `implicit` uses both: what K leaves out costs iterations and
     *  does not change the free motion; impulses see M - dt D - dt^2 K. Types of one or two
     *  bodies alone; NULL: differences of `apply`. */
    void (*derivative)(const perp_force *force, const perp_world *world,
                       const perp_state *state, double *K, double *D);
} perp_force_type;

enum { PERP_FORCE_PARAMETERS = 4 };

/** A force at work. Zero it, then fill. */
struct perp_force {
    const perp_force_type *type;
    char name[48];
    int32_t i, j;                    /**< bodies; j < 0 when it acts on one alone */
    double anchor_i[3], anchor_j[3]; /**< body axes [m] */
    /** Of a constant force: world axes; of a torsion spring: axes of i. Made unit. */
    double axis[3];
    double value[PERP_FORCE_PARAMETERS]; /**< as `parameters` of the type says */
    perp_force_call *call;               /**< of "user" */
    void *context;
};

/** All force types: spring, torsion-spring, damper, drag, constant, user; *count of them.
 *  And the one of that name, or NULL. */
const perp_force_type *const *perp_force_types(size_t *count);
const perp_force_type *perp_force_type_find(const char *name);
/** Does the force conserve the energy of the bodies and its own? True when it stores energy
 *  and none of its dissipative parameters is set. */
bool perp_force_is_conservative(const perp_force *force);
/** Append a copy. PERP_ERR_DATA: no type, what its check refuses, unknown bodies, a name
 *  without end, numbers that are not finite; PERP_ERR_MEMORY. The world is then as it
 *  was. */
perp_status perp_world_add_force(perp_world *world, const perp_force *force,
                                 perp_error *err);

PERP_END_DECLS

#endif
