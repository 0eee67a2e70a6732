/* SPDX-License-Identifier: Apache-2.0
 * joints/frame.c: functions for all joint types: axes and anchors at the present state,
 * rows of points and rotations, the rotation error, angles.
 *
 *     p = r + R a,   c = r_j - r_i,   s = R_i s_i,   s' = R_j s_j,   u = s x s'
 *     delta = q_i* q_j q_rest*   (how j turned from its rest pose, in axes of i)
 *
 * The rotation error in world axes is e = 2 vec(q_i delta q_i*) = 2 R_i vec(delta),
 * exactly the vector of length `angle` when the joint is exact. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "joints/joints.h"

static const double pi = 3.14159265358979323846;
static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void joint_frame_now(const perp_joint *joint, const perp_state *state, joint_frame *f)
{
    const double *s_i = perp_body_pose(state, (size_t)joint->i);
    const double *s_j = perp_body_pose(state, (size_t)joint->j);

    f->q_i = s_i + 3;
    f->q_j = s_j + 3;
    perp_quat_rotate(f->q_i, joint->anchor_i, f->rho_i);
    perp_quat_rotate(f->q_j, joint->anchor_j, f->rho_j);
    perp_quat_rotate(f->q_i, joint->axis_i, f->s);
    perp_quat_rotate(f->q_j, joint->axis_j, f->s_j);
    vec3_cross(f->s, f->s_j, f->u);
    vec3_subtract(s_j, s_i, f->c);
    vec3_subtract(f->rho_i, f->rho_j, f->gap);
    vec3_subtract(f->gap, f->c, f->gap);
}

void joint_tangents(const perp_joint *joint, const joint_frame *f, double t1[3],
                    double t2[3])
{
    double b1[3];
    double b2[3];

    perp_tangents(joint->axis_i, b1, b2);
    perp_quat_rotate(f->q_i, b1, t1);
    perp_quat_rotate(f->q_i, b2, t2);
}

void joint_plane(const double n[3], double e1[3], double e2[3])
{
    const double near = 0.9; /* not a round angle, so that rounding does not decide */
    const double *from = fabs(n[0]) > near ? unit[1] : unit[0];

    vec3_add(from, -vec3_dot(n, from), n, e1);
    vec3_normalize(e1);
    vec3_cross(n, e1, e2);
}

void joint_rest_offset(const perp_joint *joint, const joint_frame *f, double offset[3])
{
    perp_quat_rotate(f->q_i, joint->rest_i, offset);
}

void joint_turned(const perp_joint *joint, const joint_frame *f, double delta[4])
{
    double back_i[4];
    double back_rest[4];
    double between[4];

    perp_quat_conjugate(f->q_i, back_i);
    perp_quat_conjugate(joint->q_rest, back_rest);
    perp_quat_multiply(back_i, f->q_j, between);
    perp_quat_multiply(between, back_rest, delta);
    if (delta[0] < 0.0) {
        for (int k = 0; k < 4; k++) {
            delta[k] = -delta[k];
        }
    }
}

void joint_row(perp_row *row, const double lin[3], const double ang_i[3],
               const double ang_j[3], double phi)
{
    vec3_copy(row->J, lin);
    vec3_copy(row->J + 3, ang_i);
    vec3_scale(-1.0, lin, row->J + 6);
    vec3_copy(row->J + 9, ang_j);
    row->phi = phi;
    row->angular = false;
}

void joint_row_turn(perp_row *row, double f, const double d[3], double phi)
{
    memset(row->J, 0, sizeof row->J);
    vec3_scale(f, d, row->J + 3);
    vec3_scale(-f, d, row->J + 9);
    row->phi = phi;
    row->angular = true;
}

void joint_row_points(perp_row *row, double f, const double n[3], const double rho_i[3],
                      const double rho_j[3], double phi)
{
    double lin[3];
    double ang_i[3];
    double ang_j[3];

    vec3_scale(f, n, lin);
    vec3_cross(rho_i, lin, ang_i);
    vec3_cross(lin, rho_j, ang_j);
    joint_row(row, lin, ang_i, ang_j, phi);
}

void joint_rows_point(perp_row rows[3], const double gap[3], const double rho_i[3],
                      const double rho_j[3])
{
    for (int k = 0; k < 3; k++) {
        joint_row_points(&rows[k], 1.0, unit[k], rho_i, rho_j, gap[k]);
    }
}

void joint_row_slide(const joint_frame *f, double factor, const double t[3],
                     perp_row *row)
{
    double arm[3]; /* from r_i to p_j */
    double lin[3];
    double ang_i[3];
    double ang_j[3];

    vec3_add(f->c, 1.0, f->rho_j, arm);
    vec3_scale(factor, t, lin);
    vec3_cross(arm, lin, ang_i);
    vec3_cross(lin, f->rho_j, ang_j);
    joint_row(row, lin, ang_i, ang_j, vec3_dot(lin, f->gap));
}

void joint_rows_swing(const perp_joint *joint, const joint_frame *f, perp_row rows[2])
{
    double t1[3];
    double t2[3];

    joint_tangents(joint, f, t1, t2);
    if (joint->exact) {
        double d1[3];
        double d2[3];

        vec3_cross(t2, f->s_j, d1);
        vec3_cross(f->s_j, t1, d2);
        joint_row_turn(&rows[0], 1.0, d1, vec3_dot(t2, f->s_j));
        joint_row_turn(&rows[1], 1.0, d2, -vec3_dot(t1, f->s_j));
    } else {
        joint_row_turn(&rows[0], 1.0, t1, -vec3_dot(t1, f->u));
        joint_row_turn(&rows[1], 1.0, t2, -vec3_dot(t2, f->u));
    }
}

void joint_rows_turn(const perp_joint *joint, const joint_frame *f, perp_row rows[3])
{
    double delta[4];
    double e[3];

    joint_turned(joint, f, delta);
    if (joint->exact) {
        perp_quat_log(delta, e);
    } else {
        vec3_scale(2.0, delta + 1, e);
    }
    perp_quat_rotate(f->q_i, e, e);
    for (int k = 0; k < 3; k++) {
        joint_row_turn(&rows[k], 1.0, unit[k], -e[k]);
    }
}

bool joint_row_stays(const perp_world *world, const perp_row *row)
{
    const double *J = row->J;

    return world->dimension == 3 || J[0] != 0.0 || J[1] != 0.0 || J[5] != 0.0 ||
           J[6] != 0.0 || J[7] != 0.0 || J[11] != 0.0;
}

double joint_wrap(double x)
{
    double y = remainder(x, 2.0 * pi);

    return y <= -pi ? y + 2.0 * pi : y;
}

/* With w = delta.w, v = vec(delta), a = v.s_i: d theta/dt = g.(w_j - w_i) in axes of i,
 * where g = (w^2 s + w v x s + a v)/(w^2 + a^2); g = s if v is along s. */
void joint_twist(const perp_joint *joint, const joint_frame *f, perp_row *row)
{
    double delta[4];
    double a = 0.0;
    double square = 0.0;

    joint_turned(joint, f, delta);
    a = vec3_dot(delta + 1, joint->axis_i);
    square = delta[0] * delta[0] + a * a;
    joint_row_turn(row, -1.0, f->s, joint_wrap(2.0 * atan2(a, delta[0])));
    /* half a turn about an axis perpendicular to s has no twist: keep the default row */
    if (joint->exact && square > joint_parallel * joint_parallel) {
        double g[3];

        vec3_cross(delta + 1, joint->axis_i, g);
        vec3_scale(delta[0] / square, g, g);
        vec3_add(g, delta[0] * delta[0] / square, joint->axis_i, g);
        vec3_add(g, a / square, delta + 1, g);
        perp_quat_rotate(f->q_i, g, g);
        joint_row_turn(row, -1.0, g, row->phi);
    }
}

/* The angle about `axis` (unit) from `from` to `to`, projected along the axis; false if
 * one of them is parallel to it. */
static bool frame_angle_about(const double axis[3], const double from[3],
                              const double to[3], double *angle)
{
    double a[3];
    double b[3];
    double c[3];

    vec3_add(from, -vec3_dot(axis, from), axis, a);
    vec3_add(to, -vec3_dot(axis, to), axis, b);
    if (vec3_length(a) <= joint_parallel || vec3_length(b) <= joint_parallel) {
        return false;
    }
    vec3_cross(a, b, c);
    *angle = joint_wrap(atan2(vec3_dot(axis, c), vec3_dot(a, b)));
    return true;
}

/* At rest, i saw s' along R(q_rest) s_j and j saw s along R(q_rest)^T s_i. With the angle
 * phi between the axes and w = w_j - w_i, the rates of the two angles solve
 *     s.w = a_0' + cos phi a_1',   s'.w = cos phi a_0' + a_1'. */
bool joint_cardan(const perp_joint *joint, const perp_world *world,
                  const perp_state *state, unsigned k, perp_row *row)
{
    joint_frame f;
    const double *own = k == 0 ? f.s : f.s_j;
    const double *other = k == 0 ? f.s_j : f.s;
    double mark[3];
    double angle = 0.0;

    joint_frame_now(joint, state, &f);
    if (k == 0) {
        perp_quat_rotate(joint->q_rest, joint->axis_j, mark);
        perp_quat_rotate(f.q_i, mark, mark);
        if (!frame_angle_about(own, mark, other, &angle)) {
            return false;
        }
    } else {
        perp_quat_rotate_back(joint->q_rest, joint->axis_i, mark);
        perp_quat_rotate(f.q_j, mark, mark);
        if (!frame_angle_about(own, other, mark, &angle)) {
            return false;
        }
    }
    joint_row_turn(row, -1.0, own, angle);
    if (joint->exact) {
        double g[3];

        vec3_add(own, -vec3_dot(own, other), other, g);
        joint_row_turn(row, -1.0 / vec3_dot(f.u, f.u), g, angle);
    }
    return joint_row_stays(world, row);
}

unsigned joint_rows_now(const perp_joint *joint, const perp_world *world,
                        const perp_state *state, perp_row rows[PERP_JOINT_ROWS])
{
    const unsigned n = joint->type->write(joint, world, state, rows);
    unsigned kept = 0;

    for (unsigned k = 0; k < n; k++) {
        if (joint_row_stays(world, &rows[k])) {
            rows[kept] = rows[k];
            kept++;
        }
    }
    return kept;
}

bool joint_coordinate(const perp_joint *joint, const perp_world *world,
                      const perp_state *state, unsigned k, perp_row *row)
{
    return joint->type->coordinate &&
           joint->type->coordinate(joint, world, state, k, row) &&
           joint_row_stays(world, row);
}

bool joint_axis(const perp_joint *joint, const perp_world *world, const perp_state *state,
                const double *axes, unsigned k, perp_row *row)
{
    if (!joint_coordinate(joint, world, state, k, row)) {
        return false;
    }
    if (joint_counts_turns(joint->type, k)) {
        row->phi = axes[k] + joint_wrap(row->phi - axes[k]);
    }
    return true;
}

const char *joint_row_name(const perp_joint *joint, const perp_world *world, unsigned k)
{
    perp_row rows[PERP_JOINT_ROWS];
    const unsigned count = joint->type->write(joint, world, world->start, rows);
    unsigned seen = 0;

    for (unsigned n = 0; n < count; n++) {
        if (joint_row_stays(world, &rows[n])) {
            if (seen == k) {
                return joint->type->row_name[n];
            }
            seen++;
        }
    }
    return joint->type->row_name[k < joint->type->rows ? k : 0];
}

double perp_row_rate(const double J[12], const double *u_i, const double *u_j)
{
    return vec3_rate(J, u_i, u_j);
}
