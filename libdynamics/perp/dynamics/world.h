/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/world.h: bodies as arrays, their materials, shapes, joints and forces.
 *
 * A world is the model and stays as it is while states of it are stepped;
 * <perp/dynamics/state.h> has what moves. M = blockdiag(m_k E, R_k I_k R_k^T). A static
 * body never moves; a kinematic one moves with the velocity it was given; impulses change
 * neither.
 *
 * Plain data: read any field. What is added by perp_world_add_… is copied and belongs to
 * the world. Threads may read one world at once, each with a state of its own. */
#ifndef PERP_DYNAMICS_WORLD_H
#define PERP_DYNAMICS_WORLD_H

#include <perp/dynamics/state.h>

PERP_BEGIN_DECLS

/** What moves a body: impulses and forces, nothing, or its given velocity. */
typedef enum perp_motion {
    PERP_MOTION_DYNAMIC,
    PERP_MOTION_STATIC,
    PERP_MOTION_KINEMATIC,
} perp_motion;

/** How the gyroscopic torque -w x I w enters a step. */
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

/** A body to add. Zero it, then fill: q = 0 stands for (1, 0, 0, 0). */
typedef struct perp_body {
    const char *name; /**< unique in the world, not empty */
    perp_motion motion;
    perp_gyro gyro;
    bool no_gravity; /**< its share of gravity is 0 instead of 1 */
    double mass;     /**< [kg] > 0, 1/mass finite; not read unless dynamic */
    /** [kg m^2], body axes, about the centre of mass; not read unless dynamic; of two
     *  dimensions only [8], about z. */
    double inertia[9];
    double r[3], q[4]; /**< centre of mass [m], orientation */
    double v[3], w[3]; /**< [m/s], world axes [rad/s]; not read of a static body */
    bool disabled;     /**< see perp_world.disabled */
} perp_body;

/** An erp (of a joint, material or contact) by which the error stays: no correction. An
 *  erp of 0, as in a zeroed struct, is that of the scheme; other negative ones are
 *  refused. */
#define PERP_ERP_NONE (-2.0)

/** What a surface is made of; a pair is combined by the rules of the world. */
typedef struct perp_material {
    char name[48];
    double mu;          /**< friction coefficient >= 0 */
    double restitution; /**< 0 .. 1 */
    double mu_rolling;  /**< rolling friction [m] >= 0 */
    double erp; /**< share of penetration removed in a step, at most 1; 0: the scheme's;
                 *   PERP_ERP_NONE */
    double cfm; /**< K_cfm of the normal of a contact [(m/s)/N] >= 0; 0: hard */
} perp_material;

/** Friction 0.5, nothing else, and no name yet. */
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

/** The texts of these choices, in the order of the enum, ended by NULL. */
extern const char *const perp_gyro_names[];
extern const char *const perp_combine_names[];

struct perp_shape;
struct perp_hull_table;
struct perp_joint;
struct perp_force;
struct perp_reduced;

/** Bodies, shapes, joints and forces: the model. */
typedef struct perp_world {
    unsigned dimension; /**< 3, or 2: motion in the x-y plane, rotation about z */
    double gravity[3];  /**< [m/s^2] */

    /* Bodies: arrays of body_count entries, or that times 7, 6, 9. */
    size_t body_count;
    char **name;
    perp_motion *motion;
    /** A disabled body stays where it is and touches nothing; its joints have no rows.
     *  Set at any time between steps: the next step knows. Its velocity waits for the time
     *  when it is enabled again (dampers see it), and energies and momenta count the body
     *  as it stands; rays see its shapes. Steps refuse a disabled link of a tree. */
    bool *disabled;
    perp_gyro *gyro;
    double *gravity_scale; /**< share of gravity that acts on it, 0 .. 1 */
    int32_t *axis_joint;   /**< the joint about whose axis on it the body turns, or -1:
                              *   the first one, of a type that spins before others */
    double *mass;          /**< 0 unless dynamic */
    double *inertia;       /**< 9 each, body axes; 0 unless dynamic */
    double *inverse_mass;  /**< 0 unless dynamic */
    /** Time 0, and poses, velocities and axes as they were added: what
     *  perp_state_new copies. As long as only one state is needed, it may be this one. */
    perp_state *start;

    size_t material_count;
    perp_material *materials; /**< 0: the default one, mu 0.5, no restitution */
    perp_combine combine_mu, combine_restitution, combine_erp;

    size_t shape_count;
    struct perp_shape *shapes; /**< <perp/dynamics/shape.h> */
    size_t joint_count;
    struct perp_joint *joints; /**< <perp/dynamics/joint.h> */
    size_t force_count;
    struct perp_force *forces; /**< <perp/dynamics/force.h> */
    /** NULL: all bodies in maximal coordinates; <perp/dynamics/reduce.h> */
    struct perp_reduced *reduced;

    /* Takes away the shapes behind the first `count`, and all hulls where it is 0; set
     * before a world owns any. */
    void (*cut_shapes)(struct perp_world *world, size_t count);

    size_t body_room, material_room, shape_room, joint_room, force_room; /* capacities */
    struct perp_hull_table *hulls;      /* finds hulls by points */
    uint32_t *name_table, *joint_table; /* find bodies and joints by name */
    size_t name_places, joint_places;
    uint32_t shapes_added; /* so far: the id of the next shape */
    uint64_t reductions;   /* how often trees were made */
    uint64_t removals;     /* how often bodies or joints were taken away */
} perp_world;

/** An empty world of dimension 2 or 3 (PERP_ERR_ARGUMENT: another) under standard
 *  gravity, (0, 0, -9.81) or (0, -9.81, 0) [m/s^2]; all combination rules are products.
 *  PERP_ERR_MEMORY: *world is NULL. */
perp_status perp_world_new(perp_world **world, unsigned dimension, perp_error *err);
void perp_world_free(perp_world *world); /* takes NULL */

/** Append a body; *index (may be NULL) is its number. PERP_ERR_DATA: a name twice or
 *  empty, mass not positive or with an infinite
 *  inverse, an inertia that perp_inertia_check refuses or whose inverse is not finite, a quaternion
 *  whose length is off by more than 1e-6 (within it, it is normalized), NaN; in two
 *  dimensions a pose or velocity out of the plane. PERP_ERR_MEMORY. The world is then as
 *  it was. The name is copied. */
perp_status perp_world_add_body(perp_world *world, const perp_body *body, int32_t *index,
                                perp_error *err);
/** The same of a material. PERP_ERR_DATA: a name twice, empty or without end, mu,
 *  restitution, mu_rolling, erp or cfm beyond its range; PERP_ERR_MEMORY. */
perp_status perp_world_add_material(perp_world *world, const perp_material *material,
                                    int32_t *index, perp_error *err);

/** Number of a body, or material; -1 when there is none of that name. */
int32_t perp_world_find_body(const perp_world *world, const char *name);
int32_t perp_world_find_material(const perp_world *world, const char *name);

/** The inverse inertias in world axes from the orientations. */
void perp_world_refresh(const perp_world *world, perp_state *state);
/** World inertia R I R^T of body k; zero unless dynamic. */
void perp_world_inertia(const perp_world *world, const perp_state *state, size_t k,
                        double inertia[9]);
/** The world point p = r + R a of a point of body k. */
void perp_body_point(const perp_state *state, size_t k, const double a[3], double p[3]);

/** f := forces and torques [N, N m] on all bodies, 6 each: gravity, forces, load; the
 *  gyroscopic torque -w x I w as well when `gyroscopic`. */
void perp_world_forces(const perp_world *world, const perp_state *state, bool gyroscopic,
                       double *f);
/** du := M^-1 f, 6 each. f = du allowed. */
void perp_world_accelerations(const perp_world *world, const perp_state *state,
                              const double *f, double *du);

/** Two surfaces that meet, materials a and b, by the rules of the world. Rolling
 *  friction, a length, follows that of mu; its product is the geometric mean. erp is that
 *  of the scheme, 0, where one of them leaves it so; else PERP_ERP_NONE stands for 0 in the
 *  rule, and for a result of 0. cfm is the sum: one impulse presses on both surfaces, and
 *  both give way. The name is "". */
void perp_world_combine(const perp_world *world, int32_t a, int32_t b,
                        perp_material *out);

/** The first body whose pose or velocity is not finite, or -1. */
int32_t perp_world_find_nonfinite(const perp_world *world, const perp_state *state);

/* Sums over the dynamic bodies. */

/** With that of armatures [J]. */
double perp_world_kinetic(const perp_world *world, const perp_state *state);
double perp_world_potential(const perp_world *world,
                            const perp_state *state); /**< of gravity: -sum m g.r [J] */
double perp_world_stored(const perp_world *world,
                         const perp_state *state); /**< in springs and soft joints [J] */
void perp_world_momentum(const perp_world *world, const perp_state *state,
                         double p[3]); /**< [kg m/s] */
/** sum of r x m v + I w about the origin [kg m^2/s]. */
void perp_world_angular_momentum(const perp_world *world, const perp_state *state,
                                 double L[3]);

PERP_END_DECLS

#endif
