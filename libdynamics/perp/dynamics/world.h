/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/world.h: bodies as arrays, their materials, shapes, joints and forces.
 *
 * A world is the model: it stays constant while its states are stepped. Everything that
 * moves is in a state, <perp/dynamics/state.h>. M = blockdiag(m_k E, R_k I_k R_k^T). A
 * static body never moves; a kinematic body moves with the velocity that it was given;
 * impulses change neither.
 *
 * Plain data: read any field. perp_world_add_… copies its argument, and the copy belongs
 * to the world. Several threads may read one world at the same time, each with its own
 * state. */
#ifndef PERP_DYNAMICS_WORLD_H
#define PERP_DYNAMICS_WORLD_H

#include <perp/dynamics/shape.h>
#include <perp/dynamics/state.h>

PERP_BEGIN_DECLS

/** What moves a body: impulses and forces, nothing, or its given velocity. */
typedef enum perp_motion {
    PERP_MOTION_DYNAMIC,
    PERP_MOTION_STATIC,
    PERP_MOTION_KINEMATIC,
} perp_motion;

/** Treatment of the gyroscopic torque -w x I w in a step. */
#define PERP_GYRO_LIST(X)                                                                \
    X(PERP_GYRO_MIDPOINT, "midpoint") /* midpoint rule: keeps w.I w and |I w| */         \
    X(PERP_GYRO_EXPLICIT, "explicit") /* w - dt I^-1 (w x I w): gains energy */          \
    X(PERP_GYRO_NONE, "none")                                                            \
    X(PERP_GYRO_IMPLICIT_BODY, "implicit-body")   /* one Newton step, body axes */       \
    X(PERP_GYRO_IMPLICIT_WORLD, "implicit-world") /* the same in world axes */           \
    X(PERP_GYRO_CONVERGED, "implicit-converged")  /* Newton to rounding: loses energy */

typedef enum perp_gyro {
#define PERP_ENUM(name, text) name,
    PERP_GYRO_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_gyro;

/** A body to add. Zero the struct, then fill it: q = 0 means (1, 0, 0, 0). */
typedef struct perp_body {
    const char *name; /**< unique in the world, not empty */
    perp_motion motion;
    perp_gyro gyro;
    bool no_gravity; /**< gravity does not act on it (gravity_scale 0 instead of 1) */
    double mass;     /**< [kg] > 0, 1/mass finite; read only for dynamic bodies */
    /** [kg m^2], body axes, about the centre of mass; read only for dynamic bodies; in
     *  two dimensions only [8], the inertia about z. */
    double inertia[9];
    double r[3], q[4]; /**< centre of mass [m], orientation */
    double v[3], w[3]; /**< [m/s], world axes [rad/s]; not read for a static body */
    bool disabled;     /**< see perp_world.disabled */
    /** Body axes, of any length but 0: the direction of friction of its contacts, see
     *  perp_world.friction_frame; 0: that of the normal. */
    double friction_frame[3];
} perp_body;

/** Value of erp (for a joint, material or contact) that disables the correction of its
 *  position error. The value 0, as in a zeroed struct, selects the erp of the scheme;
 *  other negative values are refused. */
#define PERP_ERP_NONE (-2.0)

/** Material of a surface; the rules of the world combine two materials. */
typedef struct perp_material {
    char name[48];
    double mu;          /**< friction coefficient >= 0 */
    double restitution; /**< 0 .. 1 */
    double mu_rolling;  /**< rolling friction [m] >= 0 */
    double erp; /**< share of the penetration removed per step, at most 1; 0: that of the
                 *   scheme; or PERP_ERP_NONE */
    double cfm; /**< K_cfm of the normal of a contact [(m/s)/N] >= 0; 0: hard */
} perp_material;

/** A material with mu 0.5, all other numbers 0 and an empty name. */
perp_material perp_material_default(void);

#define PERP_COMBINE_LIST(X)                                                             \
    X(PERP_COMBINE_PRODUCT, "product")                                                   \
    X(PERP_COMBINE_GEOMETRIC_MEAN, "geometric-mean")                                     \
    X(PERP_COMBINE_MIN, "min")                                                           \
    X(PERP_COMBINE_MAX, "max")                                                           \
    X(PERP_COMBINE_AVERAGE, "average")

/** How the values of two surfaces make that of a contact. */
typedef enum perp_combine {
#define PERP_ENUM(name, text) name,
    PERP_COMBINE_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_combine;

/** Texts of these choices in the order of the enum, terminated by NULL. */
extern const char *const perp_gyro_names[];

struct perp_hull_table;
struct perp_joint;
struct perp_force;
struct perp_reduced;

/** Bodies, shapes, joints and forces: the model. */
typedef struct perp_world {
    unsigned dimension; /**< 3, or 2: motion in the x-y plane, rotation about z */
    double gravity[3];  /**< [m/s^2] */

    /* Bodies: arrays of body_count entries (inertia: 9 numbers each). */
    size_t body_count;
    char **name;
    perp_motion *motion;
    /** A disabled body stays at its pose and has no contacts; its joints have no rows.
     *  The flag may be changed at any time between steps. The velocity is kept until the
     *  body is enabled again (dampers use it), and energies and momenta include the body;
     *  rays hit its shapes. A step refuses a disabled link of a tree. */
    bool *disabled;
    perp_gyro *gyro;
    double *gravity_scale; /**< share of gravity that acts on the body, 0 .. 1 */
    /** 3 each, body axes, unit or 0: the first tangent t1 of a contact of this body is its
     *  projection on the contact plane, t2 = n x t1. Where both bodies have one, the body
     *  with the lower number decides; where it is within 1e-3 rad of the normal,
     *  perp_tangents of the normal in body axes; 0 of both: of that in world axes. Box
     *  friction and pyramids depend on it, cones do not. */
    double *friction_frame;
    int32_t *axis_joint;  /**< joint whose axis the body rotates about, or -1; the first
                            *   such joint, wheels before others */
    double *mass;         /**< 0 unless dynamic */
    double *inertia;      /**< 9 each, body axes; 0 unless dynamic */
    double *inverse_mass; /**< 0 unless dynamic */
    /** State at time 0 with the poses, velocities and axes that were added;
     *  perp_state_new copies it. If one state is enough, this one may be stepped. */
    perp_state *start;

    size_t material_count;
    perp_material *materials; /**< [0]: the default material, mu 0.5, no restitution */
    perp_combine combine_mu, combine_restitution, combine_erp;

    size_t shape_count;
    perp_shape *shapes; /**< <perp/dynamics/shape.h> */
    size_t joint_count;
    struct perp_joint *joints; /**< <perp/dynamics/joint.h> */
    size_t force_count;
    struct perp_force *forces; /**< <perp/dynamics/force.h> */
    /** NULL: all bodies in maximal coordinates; <perp/dynamics/reduce.h> */
    struct perp_reduced *reduced;

    size_t body_room, material_room, shape_room, joint_room, force_room; /* capacities */
    struct perp_hull_table *hulls; /* hash table of hulls by their points */
    struct perp_index *names; /* bodies, joints and materials by name */
    uint32_t shapes_added; /* number so far: the id of the next shape */
    uint64_t reductions;   /* number of reductions so far */
    uint64_t removals;     /* number of removals of bodies or joints so far */
} perp_world;

/** Create an empty world of dimension 2 or 3 with gravity (0, -9.81, 0) or (0, 0, -9.81)
 *  [m/s^2]. All combination rules are products. Free it with perp_world_free.
 *  PERP_ERR_ARGUMENT: another dimension; PERP_ERR_MEMORY; *world is NULL after a
 *  failure. */
perp_status perp_world_new(perp_world **world, unsigned dimension, perp_error *err);
void perp_world_free(perp_world *world); /* NULL is allowed (no-op) */

/** Append a body; *index (may be NULL) receives its number. The name is copied. A
 *  quaternion whose length differs from 1 by at most 1e-6 is normalized. PERP_ERR_DATA:
 *  an empty name or one in use, a mass that is not positive or has an infinite inverse,
 *  an inertia that perp_inertia_check refuses or whose inverse is not finite, another
 *  length of the quaternion, a number that is not finite, in two dimensions a pose or
 *  velocity out of the plane; PERP_ERR_MEMORY. The world is unchanged after a failure. */
perp_status perp_world_add_body(perp_world *world, const perp_body *body, int32_t *index,
                                perp_error *err);
/** Append a material; *index (may be NULL) receives its number. PERP_ERR_DATA: a name
 *  that is empty, in use or not terminated, or mu, restitution, mu_rolling, erp or cfm out
 *  of range; PERP_ERR_MEMORY. */
perp_status perp_world_add_material(perp_world *world, const perp_material *material,
                                    int32_t *index, perp_error *err);

/* Shapes. */

/** Append a copy; *index (may be NULL) receives its number. PERP_ERR_DATA: a size that is
 *  not positive, an unknown body or material, a type without reach, bounds or a surface,
 *  corners that span no volume, a mesh with a fault on a dynamic body, a colour of another form, a compound without parts
 *  or with a part that is not convex, a number that is not finite; PERP_ERR_MEMORY. The
 *  world is unchanged after a failure. */
perp_status perp_world_add_shape(perp_world *world, const perp_shape *shape,
                                 int32_t *index, perp_error *err);
/** Compute mass, inertia and centre of mass of a body from its shapes with `density`
 *  [kg/m^3] (in two dimensions [kg/m^2]). The volume of an overlap counts for both
 *  shapes; a plane has no mass. On entry the shapes are placed by `at` and `turn` in the
 *  axes of the body, whose origin is at body->r. On return body->mass and body->inertia
 *  (about the centre of mass) are filled, body->r is the centre of mass, and each `at` is
 *  relative to it, as perp_world_add_shape expects; no shape has moved in the world. Then
 *  add the body, set `body` of the shapes to its number and add them.
 *
 *  `world` gives the dimension and the materials, and keeps the hulls of corners for
 *  perp_world_add_shape. PERP_ERR_DATA: no shape with a mass, a density that is not
 *  positive, a shape that perp_world_add_shape would refuse on a dynamic body;
 *  PERP_ERR_MEMORY. Body and shapes are unchanged after a failure. */
perp_status perp_body_from_shapes(perp_body *body, perp_world *world, double density,
                                  size_t count, perp_shape *shapes, perp_error *err);
/** Append a body with copies of its shapes, whose `body` is not read; *index (may be NULL)
 *  receives its number. With density > 0 [kg/m^3] mass, inertia and centre of mass are
 *  those of perp_body_from_shapes; with 0 they are those of `body`, and the shapes are
 *  placed from its centre of mass. The errors are those of the functions above. The world
 *  is unchanged after a failure. */
perp_status perp_world_add_solid(perp_world *world, const perp_body *body, double density,
                                 size_t count, const perp_shape *shapes, int32_t *index,
                                 perp_error *err);
/** Pose of a shape in the world: R (9 numbers) and x. */
void perp_shape_pose(const perp_state *state, const perp_shape *shape, double R[9],
                     double x[3]);

/** Number of the body or material with this name, or -1. */
int32_t perp_world_find_body(const perp_world *world, const char *name);
int32_t perp_world_find_material(const perp_world *world, const char *name);

/** Compute state->inverse_inertia, the inverse inertias in world axes, from the
 *  orientations. */
void perp_world_refresh(const perp_world *world, perp_state *state);
/** World inertia R I R^T of body k; zero unless dynamic. */
void perp_world_inertia(const perp_world *world, const perp_state *state, size_t k,
                        double inertia[9]);
/** p := r + R a, the world coordinates of the point a of body k (body axes). */
void perp_body_point(const perp_state *state, size_t k, const double a[3], double p[3]);

/** f := forces and torques [N, N m] on all bodies, 6 each: gravity, forces and load, and
 *  with `gyroscopic` also the gyroscopic torque -w x I w. */
void perp_world_forces(const perp_world *world, const perp_state *state, bool gyroscopic,
                       double *f);
/** du := M^-1 f, 6 per body; du may be f. */
void perp_world_accelerations(const perp_world *world, const perp_state *state,
                              const double *f, double *du);

/** Combine materials a and b by the rules of the world. Rolling friction, a length,
 *  follows the rule of mu, where a product means the geometric mean. erp is 0 (that of
 *  the scheme) if it is 0 in one of the two; else PERP_ERP_NONE stands for 0 in the rule
 *  and for a result of 0. cfm is the sum, since one impulse compresses both surfaces. The
 *  name of the result is "". */
void perp_world_combine(const perp_world *world, int32_t a, int32_t b,
                        perp_material *out);

/* Sums over the dynamic bodies. */

/** Kinetic energy, including armatures [J]. */
double perp_world_kinetic(const perp_world *world, const perp_state *state);
double perp_world_potential(const perp_world *world,
                            const perp_state *state); /**< potential energy of gravity:
                                                       *   -sum m g.r [J] */
double perp_world_stored(const perp_world *world,
                         const perp_state *state); /**< energy in springs and soft joints
                                                    *   [J] */
void perp_world_momentum(const perp_world *world, const perp_state *state,
                         double p[3]); /**< [kg m/s] */
/** Angular momentum about the origin, sum of r x m v + I w [kg m^2/s]. */
void perp_world_angular_momentum(const perp_world *world, const perp_state *state,
                                 double L[3]);

PERP_END_DECLS

#endif
