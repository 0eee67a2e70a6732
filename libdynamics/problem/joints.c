/* SPDX-License-Identifier: Apache-2.0
 * problem/joints.c: joints, and limits, motors and springs of their axes, written as rows.
 *
 * With an error phi of a row (J u = d phi/dt) and k_cor = erp/dt [1/s]:
 *
 *     joint        J u+ = -k_cor phi                       lambda free
 *     cone, rope   J u+ >= -k_cor C, or -C/dt where C > 0  lambda >= 0
 *     lower limit  +J_q, C = q - lower, as above; upper: -J_q, C = upper - q
 *     motor        J_q u+ -> target, 0 (friction), or k_cor (target - q) within
 *                  +-max_rate
 *                                                          |lambda| <= dt max_force
 *     spring       J u+ + (K_cfm/dt) lambda = -(k_erp/dt) phi, by k and damping c:
 *                  k_erp = dt k/(dt k + c), K_cfm = 1/(dt k + c): backward Euler
 *     soft joint   the same for each row, k, c and K_cfm those of its lengths or angles
 *     gear         (J_q - a J_q') u+ = -k_cor (q - a q' - b)   lambda free; or a spring
 *     cfm          K_cfm/dt on the diagonal, b and bounds as above, of limits and motors, too
 *
 * In reduced coordinates only joints that are not eliminated have rows of their own; axes
 * have theirs as ever.
 *
 * A limit that cannot be reached in a step has no row: J u is at most sqrt(J M^-1 J^T) |u|_M, and
 * impulses of contacts and joints do not raise |u|_M beyond that of the free motion, from the kinetic
 * energy, gravity and loads. Ten times as much is allowed for, since positions are corrected, too.
 * Where a motor, a spring, a force or a body that moves as given drives the world, all have rows.
 *
 * Equal lower and upper bounds make one row without bounds. What a limit is asked after
 * an impact follows the rule of contacts. Corrections of positions are in the velocity
 * under Baumgarte's scheme alone; springs and servos are what was asked for under any.
 * Angles are taken near the unwrapped value that the axis keeps, so limits may lie beyond
 * half a turn [erleben-2005]. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "base/base.h"
#include "joints/joints.h"
#include "joints/softness.h"
#include "problem/writer.h"

static const double two_pi = 6.283185307179586476925286766559;

/* FNV-1a hash of the joint's name, continued over role, axis and side; never 0. */
static uint64_t joint_key(const perp_joint *joint, perp_role role, unsigned axis,
                          int side)
{
    const unsigned char part[3] = {(unsigned char)(1 + role), (unsigned char)(1 + axis),
                                   (unsigned char)(2 + side)};
    uint64_t h = perp_hash_bytes(joint->key, part, sizeof part);

    return h ? h : 1;
}

/* One more row of the block at work, hard and free until told otherwise. */
static size_t joint_put_row(perp_rows *rows, const perp_world *world,
                            const perp_joint *joint, const perp_row *row, double sign)
{
    size_t r = rows->count++;

    for (int c = 0; c < 12; c++) {
        rows->J[12 * r + (size_t)c] = sign * row->J[c];
    }
    rows->body[2 * r] = world_moves(world, joint->i) ? joint->i : -1;
    rows->body[2 * r + 1] = world_moves(world, joint->j) ? joint->j : -1;
    rows->bias[r] = rows->bias_position[r] = rows->bias_restitution[r] = rows->soft[r] =
        0.0;
    rows->lo[r] = -INFINITY;
    rows->hi[r] = INFINITY;
    return r;
}

/* Make one block of the rows since `first`, if there is a row. */
static void joint_block(perp_rows *rows, const perp_world *world, const perp_joint *joint,
                        size_t first, perp_role role, unsigned axis, int side)
{
    if (rows->count > first) {
        rows->blocks[rows->block_count++] =
            (perp_row_block){.role = role,
                             .dim = (uint8_t)(rows->count - first),
                             .axis = (uint8_t)axis,
                             .side = (int8_t)side,
                             .first = first,
                             .source = (size_t)(joint - world->joints),
                             .key = joint_key(joint, role, axis, side)};
    }
}

static void joint_soft(perp_rows *rows, size_t r, double phi, double stiffness,
                       double damping, double dt)
{
    double erp = 0.0;
    double cfm = 0.0;

    perp_soft_parameters(stiffness, damping, dt, &erp, &cfm);
    rows->bias[r] = -erp / dt * phi;
    rows->soft[r] = cfm / dt;
    rows->any_soft = true;
}

static void joint_give_way(perp_rows *rows, size_t r, double cfm, double dt)
{
    if (cfm > 0.0) {
        rows->soft[r] = cfm / dt;
        rows->any_soft = true;
    }
}

static double joint_erp(const perp_joint *joint, const perp_scheme *s)
{
    return world_erp(joint->erp, s->erp);
}

static void joint_put_target(perp_rows *rows, size_t r, rows_target t)
{
    rows->bias[r] = t.bias;
    rows->bias_position[r] = t.bias_position;
    rows->bias_restitution[r] = t.bias_restitution;
}

/* Whether a joint can speed bodies up: by a motor, a spring, or a rotor. */
static bool joint_drives(const perp_joint *joint)
{
    bool drives = joint->cfm > 0.0 || joint->angular_cfm > 0.0 ||
                  joint->stiffness > 0.0 || joint->angular_stiffness > 0.0;

    for (unsigned k = 0; k < joint->type->axes; k++) {
        const perp_axis *axis = &joint->axes[k];

        drives = drives || axis->motor != PERP_MOTOR_NONE || axis->stiffness > 0.0 ||
                 axis->armature > 0.0 || axis->gear.cfm > 0.0 ||
                 axis->gear.stiffness > 0.0;
    }
    return drives;
}

/* How fast bodies can be in this step, |u|_M; INFINITY where something drives them, and under
 * another choice of limits, which does not ask. */
static double joints_speed(const perp_world *world, const perp_state *state,
                           const perp_scheme *s)
{
    bool passive = s->limits == PERP_LIMITS_IN_REACH && world->force_count == 0;
    double square = 0.0;

    for (size_t k = 0; passive && k < world->joint_count; k++) {
        passive = !joint_drives(&world->joints[k]);
    }
    for (size_t k = 0; passive && k < world->body_count; k++) {
        double force[6];

        passive = world->motion[k] != PERP_MOTION_KINEMATIC;
        memcpy(force, state->load + 6 * k, sizeof force);
        for (size_t i = 0; i < 3; i++) {
            force[i] += world->mass[k] * world->gravity[i];
        }
        square += world_inverse_square(world, state, k, force);
    }
    return passive ? sqrt(2.0 * perp_world_kinetic(world, state)) + s->dt * sqrt(square)
                   : INFINITY;
}

/* Whether a gap is so wide that this row cannot close it in a step, at a speed of the bodies. */
static bool joint_out_of_reach(const perp_world *world, const perp_state *state,
                               const perp_joint *joint, const perp_row *row, double gap,
                               double speed, double dt)
{
    const double enough = 10.0;
    const int32_t body[2] = {joint->i, joint->j};
    double d = 0.0;

    if (isinf(speed)) {
        return false;
    }
    for (size_t side = 0; side < 2; side++) {
        if (world_moves(world, body[side])) {
            d +=
                world_inverse_square(world, state, (size_t)body[side], row->J + 6 * side);
        }
    }
    return gap > enough * dt * sqrt(d) * speed;
}

/* Its own rows. */
static void joint_own_rows(perp_rows *rows, const perp_world *world,
                           const perp_state *state, const perp_joint *joint,
                           const perp_scheme *s, double speed)
{
    const double erp = joint_erp(joint, s);
    const bool push = joint->type->unilateral;
    const size_t first = rows->count;
    perp_row own[PERP_JOINT_ROWS] = {{.phi = 0.0}};
    unsigned count = joint_rows_now(joint, world, state, own);

    for (unsigned k = 0; k < count; k++) {
        const joint_softness soft = joint_softness_of(joint, own[k].angular);
        const bool spring = joint_softness_springs(soft);
        size_t r = 0;

        if (push && s->limits == PERP_LIMITS_ON_VIOLATION && own[k].phi > 0.0) {
            continue;
        }
        if (push &&
            joint_out_of_reach(world, state, joint, &own[k], own[k].phi, speed, s->dt)) {
            continue;
        }
        r = joint_put_row(rows, world, joint, &own[k], 1.0);
        if (push) {
            rows->lo[r] = 0.0;
        }
        if (spring) {
            joint_soft(rows, r, own[k].phi, soft.stiffness, soft.damping, s->dt);
        } else if (push) {
            joint_put_target(rows, r,
                             rows_push(s, own[k].phi, 0.0, erp, INFINITY, 0.0, 0.0));
        } else if (s->stabilize == PERP_STABILIZE_BAUMGARTE) {
            rows->bias[r] = rows->bias_position[r] = -erp / s->dt * own[k].phi;
        }
        if (!spring) {
            joint_give_way(rows, r, soft.cfm, s->dt);
        }
    }
    joint_block(rows, world, joint, first, PERP_ROLE_JOINT, 0, 0);
}

/* What the rows of one axis are made from. */
typedef struct axis_at {
    const perp_world *world;
    const perp_state *state;
    const perp_joint *joint;
    const perp_axis *axis;
    const double *axes; /* coordinates so far */
    const perp_scheme *s;
    double speed; /* see joints_speed */
    unsigned k;
    perp_row row; /* its coordinate and J_q */
    double q;     /* the coordinate, unwrapped */
} axis_at;

static void axis_limit(perp_rows *rows, const axis_at *a, int side)
{
    const double sign = side < 0 ? 1.0 : -1.0;
    const double gap = side < 0 ? a->q - a->axis->lower : a->axis->upper - a->q;
    const size_t first = rows->count;
    size_t r = 0;
    double rate = 0.0;

    if (a->s->limits == PERP_LIMITS_ON_VIOLATION && gap > 0.0) {
        return;
    }
    if (joint_out_of_reach(a->world, a->state, a->joint, &a->row, gap, a->speed,
                           a->s->dt)) {
        return;
    }
    r = joint_put_row(rows, a->world, a->joint, &a->row, sign);
    rows->lo[r] = 0.0;
    rate = vec3_rate(rows->J + 12 * r, perp_body_velocity(a->state, (size_t)a->joint->i),
                     perp_body_velocity(a->state, (size_t)a->joint->j));
    joint_put_target(rows, r,
                     rows_push(a->s, gap, 0.0, joint_erp(a->joint, a->s), INFINITY,
                               a->axis->restitution, rate));
    joint_give_way(rows, r, a->axis->limit_cfm, a->s->dt);
    joint_block(rows, a->world, a->joint, first, PERP_ROLE_LIMIT, a->k, side);
}

static void axis_locked(perp_rows *rows, const axis_at *a)
{
    const size_t r = joint_put_row(rows, a->world, a->joint, &a->row, 1.0);

    if (a->s->stabilize == PERP_STABILIZE_BAUMGARTE) {
        rows->bias[r] = rows->bias_position[r] =
            -joint_erp(a->joint, a->s) / a->s->dt * (a->q - a->axis->lower);
    }
    joint_give_way(rows, r, a->axis->limit_cfm, a->s->dt);
    joint_block(rows, a->world, a->joint, r, PERP_ROLE_LIMIT, a->k, 0);
}

static void axis_motor(perp_rows *rows, const axis_at *a)
{
    const perp_axis *x = a->axis;
    const size_t r = joint_put_row(rows, a->world, a->joint, &a->row, 1.0);
    const double most = a->s->dt * x->max_force;
    double speed = 0.0;

    if (x->motor == PERP_MOTOR_VELOCITY) {
        speed = x->target;
    } else if (x->motor == PERP_MOTOR_SERVO) {
        speed = joint_erp(a->joint, a->s) / a->s->dt * (x->target - a->q);
        if (x->max_rate > 0.0) {
            speed = fmin(fmax(speed, -x->max_rate), x->max_rate);
        }
    }
    rows->bias[r] = speed;
    rows->lo[r] = -most;
    rows->hi[r] = most;
    joint_give_way(rows, r, x->motor_cfm, a->s->dt);
    joint_block(rows, a->world, a->joint, r, PERP_ROLE_MOTOR, a->k, 0);
}

static void axis_spring(perp_rows *rows, const axis_at *a)
{
    const size_t r = joint_put_row(rows, a->world, a->joint, &a->row, 1.0);

    joint_soft(rows, r, a->q - a->axis->rest, a->axis->stiffness, a->axis->damping,
               a->s->dt);
    joint_block(rows, a->world, a->joint, r, PERP_ROLE_SPRING, a->k, 0);
}

static bool axis_has_spring(const perp_axis *x)
{
    return x->stiffness > 0.0 || x->damping > 0.0;
}

static void axis_write(perp_rows *rows, const axis_at *a)
{
    const perp_axis *x = a->axis;

    if (x->has_lower && x->has_upper && x->lower == x->upper) {
        axis_locked(rows, a);
    } else {
        if (x->has_lower) {
            axis_limit(rows, a, -1);
        }
        if (x->has_upper) {
            axis_limit(rows, a, +1);
        }
    }
    if (x->motor != PERP_MOTOR_NONE) {
        axis_motor(rows, a);
    }
    if (axis_has_spring(x)) {
        axis_spring(rows, a);
    }
}

/* Whether it has a limit, motor or spring. */
static bool axis_is_set(const perp_axis *x)
{
    return x->has_lower || x->has_upper || x->motor != PERP_MOTOR_NONE ||
           axis_has_spring(x);
}

/* The coordinate of axis k; false when it is not defined now. */
static bool axis_find(axis_at *a, unsigned k)
{
    const perp_joint_type *type = a->joint->type;

    if (!joint_coordinate(a->joint, a->world, a->state, k, &a->row)) {
        return false;
    }
    a->axis = &a->joint->axes[k];
    a->k = k;
    a->q = a->row.phi;
    if (joint_counts_turns(type, k)) {
        a->q += two_pi * rint((a->axes[k] - a->q) / two_pi);
    }
    return true;
}

/* A disabled joint, or one of a disabled body, has no rows, nor has one between bodies
 * that no impulse moves. */
static bool joint_acts(const perp_world *world, const perp_joint *joint)
{
    if (!joint_is_enabled(joint, world)) {
        return false;
    }
    return world_moves(world, joint->i) || world_moves(world, joint->j);
}

/* The row of the gear of axis k. */
static void axis_gear(perp_rows *rows, axis_at *a, unsigned k)
{
    const perp_gear *gear = &a->joint->axes[k].gear;
    const perp_joint *joint = &a->world->joints[gear->joint];
    axis_at other = *a;
    perp_row_second *second = &rows->seconds[rows->second_count];
    double phi = 0.0;
    size_t r = 0;

    other.joint = joint;
    other.axes = perp_joint_axes_of(a->state, (size_t)gear->joint);
    if (!joint_is_enabled(a->joint, a->world) || !joint_is_enabled(joint, a->world) ||
        (!joint_acts(a->world, a->joint) && !joint_acts(a->world, joint)) ||
        !axis_find(a, k) || !axis_find(&other, gear->axis)) {
        return;
    }
    r = joint_put_row(rows, a->world, a->joint, &a->row, 1.0);
    rows->second_count++;
    *second =
        (perp_row_second){.row = r,
                          .on = {joint->i, joint->j},
                          .joint = gear->joint,
                          .body = {world_moves(a->world, joint->i) ? joint->i : -1,
                                   world_moves(a->world, joint->j) ? joint->j : -1}};
    for (size_t c = 0; c < 12; c++) {
        second->J[c] = -gear->ratio * other.row.J[c];
    }
    phi = a->q - gear->ratio * other.q - gear->offset;
    if (gear->stiffness > 0.0 || gear->damping > 0.0) {
        joint_soft(rows, r, phi, gear->stiffness, gear->damping, a->s->dt);
    } else {
        if (a->s->stabilize == PERP_STABILIZE_BAUMGARTE) {
            rows->bias[r] = rows->bias_position[r] =
                -joint_erp(a->joint, a->s) / a->s->dt * phi;
        }
        joint_give_way(rows, r, gear->cfm, a->s->dt);
    }
    joint_block(rows, a->world, a->joint, r, PERP_ROLE_GEAR, k, 0);
}

/* Whether its motion is in the coordinates: it has no rows of its own, nothing to be off
 * by. */
static bool joint_is_eliminated(const perp_world *world, size_t k)
{
    const perp_reduced *r = world->reduced;

    return r && k < r->joints && r->joint_link[k] >= 0;
}

/* The inertia of a rotor is in no row and in no mass of a body. */
static perp_status joint_check_rotors(const perp_joint *joint, perp_error *err)
{
    for (unsigned k = 0; k < PERP_JOINT_AXES; k++) {
        if (joint->axes[k].armature > 0.0) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "joint \"%s\": armature needs reduced coordinates",
                             joint->name);
        }
    }
    return PERP_OK;
}

perp_status rows_write_joints(perp_rows *rows, const perp_world *world,
                              const perp_state *state, const perp_scheme *scheme,
                              perp_error *err)
{
    const double speed = joints_speed(world, state, scheme);

    for (size_t k = 0; k < world->joint_count; k++) {
        perp_status status = PERP_OK;

        if (joint_is_eliminated(world, k)) {
            continue;
        }
        status = joint_check_rotors(&world->joints[k], err);
        if (status != PERP_OK) {
            return status;
        }
        if (joint_acts(world, &world->joints[k])) {
            joint_own_rows(rows, world, state, &world->joints[k], scheme, speed);
        }
    }
    for (size_t k = 0; k < world->joint_count; k++) {
        axis_at a = {.world = world,
                     .state = state,
                     .joint = &world->joints[k],
                     .axes = perp_joint_axes_of(state, k),
                     .s = scheme,
                     .speed = speed};

        for (unsigned n = 0; n < a.joint->type->axes; n++) {
            if (joint_acts(world, a.joint) && axis_is_set(&a.joint->axes[n]) &&
                axis_find(&a, n)) {
                axis_write(rows, &a);
            }
        }
    }
    for (size_t k = 0; k < PERP_JOINT_AXES * world->joint_count; k++) {
        axis_at a = {.world = world,
                     .state = state,
                     .joint = &world->joints[k / PERP_JOINT_AXES],
                     .axes = perp_joint_axes_of(state, k / PERP_JOINT_AXES),
                     .s = scheme};

        if (a.joint->axes[k % PERP_JOINT_AXES].gear.ratio != 0.0) {
            axis_gear(rows, &a, (unsigned)(k % PERP_JOINT_AXES));
        }
    }
    return PERP_OK;
}
