/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/joint.h: joints, their limits, motors and softness.
 *
 * A row J = (J_lin_i, J_ang_i, J_lin_j, J_ang_j), 12 numbers, maps the velocities of
 * bodies i and j to the rate of an error: J u = d phi/dt. An impulse lambda of the row
 * applies J^T lambda to the two bodies. Coordinates (an angle or a length) and their rows
 * describe j relative to i: a positive coordinate rotates j about +s or moves it along
 * +s. A joint type is one file that ends in one constant struct; [erleben-2005] describes
 * the classical types. */
#ifndef PERP_DYNAMICS_JOINT_H
#define PERP_DYNAMICS_JOINT_H

#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

enum { PERP_JOINT_ROWS = 6 };

typedef struct perp_joint perp_joint;

/** One row of a joint, limit or motor at the present state. */
typedef struct perp_row {
    double J[12];
    double phi;   /**< error [m or rad]; for a unilateral row C, which is >= 0 inside */
    bool angular; /**< phi is an angle; else a length */
} perp_row;

/** J u of a row [m/s or rad/s], for velocities of 6 numbers per body. */
double perp_row_rate(const double J[12], const double *u_i, const double *u_j);

/** A gear: the coordinate of an axis follows that of another one,
 *
 *     q = ratio q_other + offset,
 *
 *  by one row J = J_q - ratio J_q_other on up to four bodies, in both kinds of coordinates.
 *  perp_world_set_gear sets it. */
typedef struct perp_gear {
    int32_t joint; /**< number of the joint of the other axis */
    unsigned axis; /**< number of the other axis among those of its joint */
    double ratio;  /**< unit of the axis per unit of the other one; 0: no gear */
    double offset; /**< [m or rad] */
    double cfm;    /**< K_cfm [(m/s)/N or (rad/s)/(N m)] >= 0; 0: hard */
    /** A spring and damper on the error of q that replace erp and cfm [N/m, N s/m or
     *  N m/rad, N m s/rad]; 0: no spring. */
    double stiffness, damping;
} perp_gear;

/** Settings of a free axis of a joint. Zero: no limit, motor, spring or gear. */
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
        PERP_MOTOR_SERVO,    /**< move to `target` [m or rad] with a rate of at most
                              *   `max_rate` */
    } motor;                 /**< PERP_MOTOR_NONE: no motor */
    double target;
    double max_force; /**< [N or N m] >= 0, INFINITY allowed */
    double max_rate;  /**< largest rate of a servo [m/s or rad/s]; 0: no limit */
    double motor_cfm; /**< K_cfm: the speed falls by K_cfm times the force; 0: hard */
    /** An implicit spring on the axis [N/m, N s/m, m or N m/rad, N m s/rad, rad];
     *  stiffness and damping 0: no spring. */
    double stiffness, damping, rest;
    /** Inertia of a rotor that turns with the axis [kg m^2 or kg] >= 0; allowed only for
     *  joints that are eliminated in reduced coordinates. */
    double armature;
    perp_gear gear;
    double value; /**< coordinate at the start; angles include whole turns */
} perp_axis;

/** A user's generalised limit C(s) >= 0: returns C and writes its row J (dC/dt = J u). C
 *  is an angle [rad] if all linear entries of J are 0, else a length [m]. */
typedef double perp_limit_call(void *context, const perp_world *world,
                               const perp_state *state, const perp_joint *joint,
                               double J[12]);

/** Bits of the data that a joint type needs: perp_joint_attach fills them, and a scene
 *  may give them. */
typedef enum perp_joint_needs {
    PERP_JOINT_ANCHORS = 1, /**< anchor_i, anchor_j */
    PERP_JOINT_AXIS_I = 2,
    PERP_JOINT_AXIS_J = 4,
    PERP_JOINT_REST = 8,    /**< rest_i, q_rest: the pose of j relative to i */
    PERP_JOINT_ANGLE = 16,  /**< theta: rest angle, or largest angle [rad] */
    PERP_JOINT_LENGTH = 32, /**< length [m] */
    PERP_JOINT_CALL = 64,   /**< call, context */
} perp_joint_needs;

struct perp_link; /* <perp/dynamics/articulation.h> */

/** Coordinate of a mobilizer for each free axis of a joint; -1: no coordinate. */
typedef struct perp_joint_axes {
    int32_t coordinate[PERP_JOINT_AXES];
    double sign[PERP_JOINT_AXES]; /**< sign of the rate of the coordinate when the axis
                                   *   grows */
} perp_joint_axes;

/** Unit of a free axis. */
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

/** Range of theta for the types that need it. */
typedef enum perp_theta_range {
    PERP_THETA_BETWEEN, /**< 0 < theta < pi: between two directions */
    PERP_THETA_TURN,    /**< -pi < theta <= pi: about one of them */
} perp_theta_range;

/** A type may be one of the registry or defined by the user; the library uses these
 *  fields only. */
typedef struct perp_joint_type {
    const char *name;    /**< "revolute" */
    const char *summary; /**< one line */
    const char *reference;
    const char *picture; /**< text drawing of the degrees of freedom */
    unsigned needs;      /**< PERP_JOINT_… bits */
    unsigned rows;       /**< at most PERP_JOINT_ROWS */
    bool unilateral;     /**< unilateral rows: C >= 0, impulse >= 0 */
    bool spins;    /**< body j may spin fast about axis_j while that axis rotates: see
                    *   perp_turn */
    unsigned axes; /**< free axes that may have limits and motors, at most
                    *   PERP_JOINT_AXES */
    perp_axis_unit axis_unit[PERP_JOINT_AXES]; /**< unit of each free axis */
    const char *row_name[PERP_JOINT_ROWS];     /**< "x", "swing 1" */
    bool plane_turns; /**< in two dimensions its axes are along z; false: they lie in the
                       *   plane */
    bool axes_apart;  /**< axis_i and axis_j are two axes that are never parallel; not
                       *   allowed in two dimensions. perp_joint_attach sets theta to
                       *   their angle */
    bool must_face;   /**< axis_i and axis_j must not be opposite at the start */
    perp_theta_range theta_range;
    /** The angles are components of a rotation vector; whole turns are not counted. */
    bool rotation_vector;
    /** Write the rows at the present state; returns their number (degenerate rows are
     *  left out). In two dimensions the caller removes rows that do not exist in the
     *  plane. */
    unsigned (*write)(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, perp_row rows[PERP_JOINT_ROWS]);
    /** Write the coordinate of free axis k and its row (row->phi is the coordinate,
     *  angles in (-pi, pi]); returns false if it is undefined at the present state. NULL:
     *  no free axis. */
    bool (*coordinate)(const perp_joint *joint, const perp_world *world,
                       const perp_state *state, unsigned k, perp_row *row);
    /** The joint as a mobilizer: fill mobilizer, Ep, Ec and axes of a link that is body j
     *  with parent i, or body i with parent j if `turned`; `euler`: use Euler angles if
     *  there is a choice. Returns false if there is no such mobilizer. NULL: the joint is
     *  never eliminated. */
    bool (*reduce)(const perp_joint *joint, const perp_world *world, bool turned,
                   bool euler, struct perp_link *link, perp_joint_axes *axes);
} perp_joint_type;

/** A joint of a world. Zero the struct and fill what the type needs, or call
 *  perp_joint_attach. */
struct perp_joint {
    const perp_joint_type *type;
    char name[48]; /**< unique among joints, not empty */
    int32_t i, j;
    double anchor_i[3], anchor_j[3]; /**< body axes [m] */
    double axis_i[3], axis_j[3];     /**< unit, body axes */
    double rest_i[3];                /**< R_i^T (r_j - r_i) at rest, axes of i [m] */
    double q_rest[4];                /**< q_i* q_j at rest; 0 means (1, 0, 0, 0) */
    double theta, length;
    bool exact;   /**< exact rows or angles where the default ones are approximate */
    bool collide; /**< contacts between its two bodies are allowed */
    /** A disabled joint has no rows and no energy, and contacts between its bodies are
     *  allowed. The flag may be changed at any time between steps. A step refuses a
     *  disabled joint that is eliminated in a tree; perp_world_reduce does not eliminate
     *  it. */
    bool disabled;
    double erp; /**< share of the error removed per step, at most 1; 0: that of the
                 *   scheme; or PERP_ERP_NONE */
    /** Softness of linear rows: K_cfm [(m/s)/N] >= 0, or a spring and damper [N/m, N s/m]
     *  that replace erp and cfm; stiffness and damping 0: no spring. With K_cfm the row is
     *  J u+ = -(erp/dt) phi - K_cfm lambda/dt: a spring of stiffness erp/(dt K_cfm) and
     *  damping (1 - erp)/K_cfm. Where positions are corrected apart (split, project) only
     *  -K_cfm lambda/dt is a velocity. */
    double cfm, stiffness, damping;
    /** The same for angular rows [(rad/s)/(N m), N m/rad, N m s/rad]. */
    double angular_cfm, angular_stiffness, angular_damping;
    perp_axis axes[PERP_JOINT_AXES];
    perp_limit_call *call;
    void *context;
    uint64_t key; /**< hash of its name, set by perp_world_add_joint */
};

/** All joint types: spherical, revolute, prismatic, wheel, universal, cylindrical,
 *  planar, fixed; angle, cone, rope, rod, user; *count of them. The type with this name,
 *  or NULL. */
const perp_joint_type *const *perp_joint_types(size_t *count);
const perp_joint_type *perp_joint_type_find(const char *name);

/** A joint of this type without bodies, name and geometry: no rotation at rest, unlimited
 *  force of motors (once `motor` is set), everything else 0. */
perp_joint perp_joint_default(const perp_joint_type *type);

/** Fill anchors, axes and rest pose from the present poses of bodies joint->i and
 *  joint->j. The anchor is the world point `at`, on both bodies (for rope and rod on i
 *  only). The axes are the world directions `along_i` and `along_j`; along_j NULL means
 *  along_i. Data whose argument is NULL stay unchanged, except that in the plane a zero
 *  axis of rotation becomes z. theta of a wheel or universal joint becomes the angle
 *  between the axes; a length of 0 of a rope or rod becomes the distance of the anchors.
 *  PERP_ERR_DATA: an axis of length zero, a body joined with itself, no type. */
perp_status perp_joint_attach(perp_joint *joint, const perp_world *world,
                              const perp_state *state, const double at[3],
                              const double along_i[3], const double along_j[3],
                              perp_error *err);
/** Append a copy; *index (may be NULL) receives its number. PERP_ERR_DATA: unknown or
 *  equal bodies, a name that is empty or in use, lower > upper, a negative force, an axis
 *  that is not unit, a number that is not finite, erp out of range, cfm < 0, linear
 *  softness for a joint with only angular rows, or the reverse; PERP_ERR_MEMORY. The
 *  world is unchanged after a failure. */
perp_status perp_world_add_joint(perp_world *world, const perp_joint *joint,
                                 int32_t *index, perp_error *err);
/** Set the gear of axis k of a joint, in place of the one that it has; a ratio of 0 removes
 *  it. PERP_ERR_DATA: an unknown joint or axis, an axis of a rotation vector (spherical
 *  joint), gears that form a cycle, a number out of range. The world is unchanged after a
 *  failure. */
perp_status perp_world_set_gear(perp_world *world, int32_t joint, unsigned k,
                                const perp_gear *gear, perp_error *err);
/** Number of the joint with this name, or -1. */
int32_t perp_world_find_joint(const perp_world *world, const char *name);

/** World coordinates of its anchors, p_i on body i and p_j on body j; the centres of mass
 *  if the type has no anchors. */
void perp_joint_anchors(const perp_joint *joint, const perp_state *state, double p_i[3],
                        double p_j[3]);
/** max |phi| over its rows and gears, separately for lengths [m] and angles [rad]; for unilateral
 *  rows the violation only. */
void perp_joint_drift(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, double *length, double *angle);
/** Coordinates of the free axes of joint k of the world, PERP_JOINT_AXES numbers. */
static inline double *perp_joint_axes_of(const perp_state *state, size_t k)
{
    return state->axes + (size_t)PERP_JOINT_AXES * k;
}
/** Update the coordinates of its free axes after the bodies moved; an angle changes by
 *  less than half a turn. */
void perp_joint_track(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, double axes[PERP_JOINT_AXES]);
/** Replace the velocities by those that all hard bilateral joints allow and that are
 *  nearest in kinetic energy: only impulses of joints act. energy[0] and energy[1]
 *  receive the kinetic energy before and after [J]. Velocities that satisfy the joints to
 *  nine digits are unchanged, and so are all velocities if joints contradict each other.
 *  In reduced coordinates perp_world_fit_coordinates does the same for trees.
 *  PERP_ERR_MEMORY: the state is unchanged. */
perp_status perp_world_project_velocities(const perp_world *world, perp_state *state,
                                          double energy[2], perp_error *err);
/** Potential energy of its springs [J]: of soft rows, and of axes and gears at the
 *  coordinates `axes` up to whole turns. */
double perp_joint_energy(const perp_joint *joint, const perp_world *world,
                         const perp_state *state, const double axes[PERP_JOINT_AXES]);

PERP_END_DECLS

#endif
