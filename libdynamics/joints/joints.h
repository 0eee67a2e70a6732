/* SPDX-License-Identifier: Apache-2.0
 * joints/joints.h: the joint types of the registry and their common functions. Private.
 *
 * Every row has J_lin_j = -J_lin_i, so that its impulse conserves momentum. In the plane
 * a type writes the rows of three dimensions, and joint_rows_now removes those that
 * velocities along x and y and rotation about z do not change. */
#ifndef PERP_JOINTS_JOINTS_H
#define PERP_JOINTS_JOINTS_H

#include <perp/dynamics/joint.h>

#include "joints/softness.h"
#include "world/world.h"

extern const perp_joint_type joint_spherical, joint_revolute, joint_prismatic,
    joint_wheel, joint_universal, joint_cylindrical, joint_planar, joint_fixed,
    joint_angle, joint_cone, joint_rope, joint_rod, joint_user;

/** Sine of the angle between two axes below which they count as parallel: its square is a
 *  hundredth of the rounding error of their dot product. */
static const double joint_parallel = 1e-6;

/** Anchors and axes of a joint in world axes at the present state. */
typedef struct joint_frame {
    const double *q_i, *q_j;
    double rho_i[3], rho_j[3]; /* arms of the anchors, R a */
    double gap[3];             /* p_i - p_j */
    double c[3];               /* r_j - r_i */
    double s[3], s_j[3];       /* axes of i and of j */
    double u[3];               /* s x s_j */
} joint_frame;

void joint_frame_now(const perp_joint *joint, const perp_state *state, joint_frame *f);
/** The tangents of axis s, carried by body i. */
void joint_tangents(const perp_joint *joint, const joint_frame *f, double t1[3],
                    double t2[3]);
/** Axes of the plane with the unit normal n, e1 x e2 = n: e1 is x projected on the plane,
 *  or y if n is within 26 degrees of x. */
void joint_plane(const double n[3], double e1[3], double e2[3]);
/** R_i rest_i: where r_j - r_i should be. */
void joint_rest_offset(const perp_joint *joint, const joint_frame *f, double offset[3]);
/** delta = q_i* q_j q_rest*, w >= 0: rotation of j from its rest pose, in axes of i. */
void joint_turned(const perp_joint *joint, const joint_frame *f, double delta[4]);

/* Rows. */

/** (lin, ang_i, -lin, ang_j). */
void joint_row(perp_row *row, const double lin[3], const double ang_i[3],
               const double ang_j[3], double phi);
/** (0, f d, 0, -f d). */
void joint_row_turn(perp_row *row, double f, const double d[3], double phi);
/** f (n, rho_i x n, -n, -(rho_j x n)): two points along n. */
void joint_row_points(perp_row *row, double f, const double n[3], const double rho_i[3],
                      const double rho_j[3], double phi);
/** Three rows that hold two points together; gap = p_i - p_j. */
void joint_rows_point(perp_row rows[3], const double gap[3], const double rho_i[3],
                      const double rho_j[3]);
/** The row of f t.(p_i - p_j) for a direction t that body i carries: its gradient at
 *  every pose, f (t, (p_j - r_i) x t, -t, -(rho_j x t)). */
void joint_row_slide(const joint_frame *f, double factor, const double t[3],
                     perp_row *row);
/** Two rows that hold s' along s: (0, t, 0, -t) for t1 and t2, phi = -t.u; or the
 *  gradients of these errors when the joint is exact. */
void joint_rows_swing(const perp_joint *joint, const joint_frame *f, perp_row rows[2]);
/** Three rows that hold the relative orientation at rest: (0, E, 0, -E), phi = -e. */
void joint_rows_turn(const perp_joint *joint, const joint_frame *f, perp_row rows[3]);

/** Whether a row or coordinate exists: in three dimensions all do, in the plane those with an
 *  effect in the plane. */
bool joint_row_stays(const perp_world *world, const perp_row *row);

/* Coordinates. */

/** x in (-pi, pi]. */
double joint_wrap(double x);
/** The angle of j about s: 2 atan2(vec(delta).s_i, delta.w), and its row: (0, -s, 0, s),
 *  or its gradient when the joint is exact. */
void joint_twist(const perp_joint *joint, const joint_frame *f, perp_row *row);
/** The coordinates of types with two axes at an angle: k = 0 is the angle of s_j about s,
 *  k = 1 that of j about s_j; their rows (0, -a, 0, a) with this axis a, or their
 *  gradients. False if the axes are parallel. */
bool joint_cardan(const perp_joint *joint, const perp_world *world,
                  const perp_state *state, unsigned k, perp_row *row);
/** The rows of a joint of any type, without those that do not exist in the plane. */
unsigned joint_rows_now(const perp_joint *joint, const perp_world *world,
                        const perp_state *state, perp_row rows[PERP_JOINT_ROWS]);
/** coordinate() of its type; false if there is none or it does not exist in the plane. */
bool joint_coordinate(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, unsigned k, perp_row *row);
/** Whether free axis k counts whole turns. */
static inline bool joint_counts_turns(const perp_joint_type *type, unsigned k)
{
    return type->axis_unit[k] == PERP_AXIS_ANGLE && !type->rotation_vector;
}
/** Free axis k: like coordinate() of the type, but row->phi is the unwrapped value
 *  nearest to axes[k]. False if it is undefined at the present state. */
bool joint_axis(const perp_joint *joint, const perp_world *world, const perp_state *state,
                const double *axes, unsigned k, perp_row *row);

/** q - ratio q_other - offset of the gear of axis k, at the coordinates `axes` up to whole
 *  turns; 0 if it has no row at the present state. */
double joint_gear_error(const perp_joint *joint, const perp_world *world,
                        const perp_state *state, const double *axes, unsigned k);

/* Mobilizers. */

/** Data of a joint from which joint_mobilize makes a link. */
typedef struct joint_move {
    const struct perp_mobilizer *type;
    const double *at_i, *at_j; /* origins of the joint frame on both bodies, body axes */
    const double *axis[2];     /* unit, axes of i; NULL: none. Axis k goes with coordinate
                                * k */
    double rest[9];            /* axes of j relative to i at coordinates 0 */
} joint_move;

/** Mobilizer, frames and axes of a link that is body j with parent i, or i with parent j
 *  if `turned`. */
void joint_mobilize(const joint_move *m, bool turned, struct perp_link *link,
                    perp_joint_axes *axes);
/** R0 := the rest orientation with the smallest rotation that maps axis_j to `to` (axes
 *  of i). False if they are opposite. */
bool joint_rest_turn(const perp_joint *joint, const double to[3], double R0[9]);
/** reduce() of types with two axes at an angle of this cosine and sine. */
bool joint_cardan_reduce(const perp_joint *joint, double cosine, double sine, bool turned,
                         struct perp_link *link, perp_joint_axes *axes);

/* Checks. */

/** Whether i and j are two bodies of the world. */
perp_status joint_check_bodies(const perp_joint *joint, const perp_world *world,
                               perp_error *err);

/* Names. */

/** Name of row k as written: row_name of the type, also if rows before it were left
 *  out. */
const char *joint_row_name(const perp_joint *joint, const perp_world *world, unsigned k);

#endif
