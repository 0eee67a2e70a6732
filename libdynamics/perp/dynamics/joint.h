/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/joint.h: joints, their limits, motors and softness.
 *
 * A row J = (J_lin_i, J_ang_i, J_lin_j, J_ang_j), 12 numbers, takes velocities of bodies
 * i and j to the rate of an error: J u = d phi/dt. An impulse lambda on the row gives J^T
 * lambda to the two bodies. Coordinates (an angle, a length) and their rows are those of
 * j relative to i: positive turns j about +s, or moves it along +s. A joint type is one
 * file that ends in one constant struct; [erleben-2005] has the classical ones. */
#ifndef PERP_DYNAMICS_JOINT_H
#define PERP_DYNAMICS_JOINT_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

enum { PERP_JOINT_ROWS = 6 };

typedef struct perp_joint perp_joint;

/** One row of a joint, limit or motor at the present state. */
typedef struct perp_row {
    double J[12];
    double phi;   /**< error [m or rad]; of a unilateral row: C >= 0 inside */
    bool angular; /**< an angle; else a length */
} perp_row;

/** J u of a row, velocities 6 a body [m/s or rad/s]. */
double perp_row_rate(const double J[12], const double *u_i, const double *u_j);

/** What is set on a free axis of a joint. Zero: no limit, no motor. */
typedef struct perp_axis {
    bool has_lower, has_upper;
    double lower, upper; /**< [m or rad]; equal: locked by a row without bounds */
    double restitution;  /**< at the limits, 0 .. 1 */
    double limit_cfm; /**< K_cfm of the limits [(m/s)/N or (rad/s)/(N m)] >= 0; 0: hard */
    /** What a motor does. */
    enum perp_motor {
        PERP_MOTOR_NONE,
        PERP_MOTOR_VELOCITY, /**< hold `target` [m/s or rad/s] */
        PERP_MOTOR_FRICTION, /**< hold 0: dry friction of the joint */
        PERP_MOTOR_SERVO,    /**< go to `target` [m or rad], at most at `max_rate` */
    } motor;                 /**< PERP_MOTOR_NONE: there is none */
    double target;
    double max_force; /**< [N or N m] >= 0, INFINITY allowed */
    double max_rate;  /**< of a servo [m/s or rad/s]; 0: no limit */
    double
        motor_cfm; /**< K_cfm: its speed falls by that times its force; 0: not at all */
    /** A spring on the axis, implicit [N/m, N s/m, m; or N m/rad, …]; 0, 0: none. */
    double stiffness, damping, rest;
    /** Inertia of a rotor that turns with the axis [kg m^2 or kg] >= 0; of a world in
     *  reduced coordinates, and where the joint is eliminated there, only. */
    double armature;
    double value; /**< the coordinate at the start, angles over many turns */
} perp_axis;

/** The user's generalised limit C(s) >= 0: C and its row J (dC/dt = J u). It is a length
 *  [m], or an angle [rad] where no linear entry of J differs from 0. */
typedef double perp_limit_call(void *context, const perp_world *world,
                               const perp_state *state, const perp_joint *joint,
                               double J[12]);

/** Bits: what perp_joint_attach fills and a scene may give. */
typedef enum perp_joint_needs {
    PERP_JOINT_ANCHORS = 1, /**< anchor_i, anchor_j */
    PERP_JOINT_AXIS_I = 2,
    PERP_JOINT_AXIS_J = 4,
    PERP_JOINT_REST = 8,    /**< rest_i, q_rest: the pose of j seen from i */
    PERP_JOINT_ANGLE = 16,  /**< theta: rest angle, or largest angle [rad] */
    PERP_JOINT_LENGTH = 32, /**< length [m] */
    PERP_JOINT_CALL = 64,   /**< call, context */
} perp_joint_needs;

struct perp_link; /* <perp/dynamics/articulation.h> */

/** Which coordinate of a mobilizer each free axis of a joint is, -1: none. */
typedef struct perp_joint_axes {
    int32_t coordinate[PERP_JOINT_AXES];
    double sign[PERP_JOINT_AXES]; /**< of the coordinate when the axis grows */
} perp_joint_axes;

/** What a free axis is measured in. */
typedef enum perp_axis_unit {
    PERP_AXIS_NONE,
    PERP_AXIS_LENGTH, /**< [m] */
    PERP_AXIS_ANGLE,  /**< [rad] */
} perp_axis_unit;

/** "m", "rad" or "". */
static inline const char *perp_axis_unit_text(perp_axis_unit unit)
{
    return unit == PERP_AXIS_LENGTH ? "m" : unit == PERP_AXIS_ANGLE ? "rad" : "";
}

/** What theta may be, where a type needs it. */
typedef enum perp_theta_range {
    PERP_THETA_BETWEEN, /**< 0 < theta < pi: between two directions */
    PERP_THETA_TURN,    /**< -pi < theta <= pi: about one of them */
} perp_theta_range;

/** A type may be one of the registry or the user's own: the library knows it by these
 *  fields alone. */
typedef struct perp_joint_type {
    const char *name;    /**< "revolute" */
    const char *summary; /**< one line */
    const char *reference;
    const char *picture; /**< the degrees of freedom, drawn in text */
    unsigned needs;      /**< PERP_JOINT_… bits it needs */
    unsigned rows;       /**< at most PERP_JOINT_ROWS */
    bool unilateral;     /**< its rows push only: C >= 0, impulse >= 0 */
    bool spins; /**< body j may spin fast about axis_j while that turns: see perp_turn */
    unsigned axes; /**< free axes that take limits and motors, up to PERP_JOINT_AXES */
    perp_axis_unit axis_unit[PERP_JOINT_AXES]; /**< of those axes */
    const char *row_name[PERP_JOINT_ROWS];     /**< "x", "swing 1" */
    bool plane_turns; /**< in two dimensions its axes are z; else they lie in the plane */
    bool axes_apart;  /**< axis_i and axis_j are two axes, never parallel; not of two
                           dimensions. perp_joint_attach sets theta to their angle */
    bool must_face;   /**< axis_i and axis_j must not be opposite at the start */
    perp_theta_range theta_range;
    /** Its angles are components of a rotation vector: whole turns are not counted. */
    bool rotation_vector;
    /** Write its rows; returns how many there are now (a degenerate one is left out). In
     *  two dimensions rows that the plane does not have are taken away afterwards. */
    unsigned (*write)(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, perp_row rows[PERP_JOINT_ROWS]);
    /** Coordinate of free axis k and its row (row->phi = the coordinate, angles in
     *  (-pi, pi]); false when it is not defined now. NULL: no free axis. */
    bool (*coordinate)(const perp_joint *joint, const perp_world *world,
                       const perp_state *state, unsigned k, perp_row *row);
    /** The same joint as a mobilizer: fill mobilizer, Ep, Ec and axes of a link that is
     *  body j and has i as its parent, or i with j when `turned`; `euler`: by Euler
     *  angles where there is a choice. False where there is no such mobilizer. NULL:
     *  never. */
    bool (*reduce)(const perp_joint *joint, const perp_world *world, bool turned,
                   bool euler, struct perp_link *link, perp_joint_axes *axes);
} perp_joint_type;

/** A joint at work. Zero it, fill what the type needs, or let perp_joint_attach do so. */
struct perp_joint {
    const perp_joint_type *type;
    char name[48]; /**< unique among joints, not empty */
    int32_t i, j;
    double anchor_i[3], anchor_j[3]; /**< body axes [m] */
    double axis_i[3], axis_j[3];     /**< unit, body axes */
    double rest_i[3];                /**< R_i^T (r_j - r_i) at rest, axes of i [m] */
    double q_rest[4];                /**< q_i* q_j at rest; 0 stands for (1, 0, 0, 0) */
    double theta, length;
    bool exact;   /**< exact rows or angles where the usual ones are approximate */
    bool collide; /**< its two bodies may touch each other */
    /** It has no rows and no energy, and its bodies may touch each other. Set at any time
     *  between steps: the next step knows. Steps refuse one that is eliminated in a tree;
     *  perp_world_reduce passes over it. */
    bool disabled;
    double erp; /**< share of the error removed in a step, at most 1; 0: the scheme's;
                   *   PERP_ERP_NONE */
    /** Of rows that are lengths: K_cfm [(m/s)/N] >= 0; and of a spring and damper
     *  [N/m, N s/m] in place of erp and cfm; 0, 0: none. With K_cfm the row is J u+ =
     *  -(erp/dt) phi - K_cfm lambda/dt: a spring of stiffness erp/(dt K_cfm) and damping
     *  (1 - erp)/K_cfm. Where positions are corrected apart (split, project) only
     *  -K_cfm lambda/dt is a velocity. */
    double cfm, stiffness, damping;
    /** The same of rows that are angles [(rad/s)/(N m), N m/rad, N m s/rad]. */
    double angular_cfm, angular_stiffness, angular_damping;
    perp_axis axes[PERP_JOINT_AXES];
    perp_limit_call *call;
    void *context;
    uint64_t key; /**< of its name, made by perp_world_add_joint */
};

/** All joint types: spherical, revolute, prismatic, wheel, universal, cylindrical, planar, fixed;
 *  angle, cone, rope, rod, user; *count of them. And the one of that name, or NULL. */
const perp_joint_type *const *perp_joint_types(size_t *count);
const perp_joint_type *perp_joint_type_find(const char *name);

/** A joint of that type without bodies, name and places: no rotation at rest, motors
 *  without a limit of their force (once `motor` is set), all else 0. */
perp_joint perp_joint_default(const perp_joint_type *type);

/** Fill anchors, axes and rest pose from the present poses of bodies joint->i and ->j:
 *  the anchor is the world point `at`, the axes are the world directions `along_i`,
 *  `along_j` (each may be NULL where the type has none; along_j NULL: the same as
 *  along_i; theta of a wheel or universal joint: the angle between them; length of rope
 *  and rod when it is 0: the distance). `at` is on both bodies, of rope and rod on i
 *  alone; what is NULL stays as it was filled in, in the plane an axis of turning that is
 *  zero becomes z. PERP_ERR_DATA: an axis of length zero, a body with itself. */
perp_status perp_joint_attach(perp_joint *joint, const perp_world *world,
                              const perp_state *state, const double at[3],
                              const double along_i[3], const double along_j[3],
                              perp_error *err);
/** Append a copy; *index (may be NULL) is its number. PERP_ERR_DATA for all that a joint
 *  can get wrong: bodies, names, lower > upper, negative force, axes that are not unit,
 *  NaN, an erp beyond its range, cfm < 0, softness of lengths of a joint
 *  whose rows are angles, and the reverse; PERP_ERR_MEMORY. The world is then as it was. */
perp_status perp_world_add_joint(perp_world *world, const perp_joint *joint,
                                 int32_t *index, perp_error *err);
/** Number of a joint; -1 when there is none of that name. */
int32_t perp_world_find_joint(const perp_world *world, const char *name);

/** World points of its anchors, p_i on body i and p_j on body j; where a type has no
 *  anchors, the centres of mass. */
void perp_joint_anchors(const perp_joint *joint, const perp_state *state, double p_i[3],
                        double p_j[3]);
/** max |phi| over its rows, lengths [m] and angles [rad] apart; of unilateral rows the
 *  violation alone. */
void perp_joint_drift(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, double *length, double *angle);
/** Coordinates of the free axes of joint k of the world, PERP_JOINT_AXES. */
static inline double *perp_joint_axes_of(const perp_state *state, size_t k)
{
    return state->axes + (size_t)PERP_JOINT_AXES * k;
}
/** Bring coordinates of its free axes up to date after the bodies moved; angles next to
 *  what they were. */
void perp_joint_track(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, double axes[PERP_JOINT_AXES]);
/** Velocities that all hard bilateral joints allow, of these the nearest in kinetic
 *  energy to those of the state, which they replace: the joints' impulses alone act.
 *  energy[0], energy[1]: kinetic energy before and after [J]; velocities that hold to
 *  nine digits stay as they are, as do all where joints contradict each other. Worlds in
 *  reduced coordinates: perp_world_fit_coordinates does the same for trees. PERP_ERR_MEMORY: the
 *  state is as it was. */
perp_status perp_world_project_velocities(const perp_world *world, perp_state *state,
                                          double energy[2], perp_error *err);
/** Potential of its springs: soft rows and axes, which are at `axes` or a whole number of
 *  turns away [J]. */
double perp_joint_energy(const perp_joint *joint, const perp_world *world,
                         const perp_state *state, const double axes[PERP_JOINT_AXES]);

PERP_END_DECLS

#endif
