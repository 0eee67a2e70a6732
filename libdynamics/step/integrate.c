/* SPDX-License-Identifier: Apache-2.0
 * step/integrate.c: the registry of integrators; free motion, and motion by
 * velocities.
 *
 * A step is u_free by the forces, impulses on top, then
 *
 *     s+ = s moved by dt u+                       semi-implicit, implicit
 *     s+ = s_free                                 others, bodies without impulses
 *     s+ = s moved by dt (u + u+)/2               others, bodies that rows act on
 *     s+ = s moved by dt u                        the same under explicit
 *
 * What rows hold, u = u+ = 0, stays where it is whatever the loads are; u is the velocity after
 * an impact at the start of the step (step/impact.c). This is the rule of Moreau and Jean with
 * theta = 1/2, where the jump of an impact is kept apart from the smooth part.
 * [hairer-lubich-wanner-2006], [jean-1999] */
#include <config.h>

#include <stdlib.h>

#include <perp/dynamics/joint.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "problem/effective.h"
#include "step/integrate.h"

/* in the order of the enum */
static const integrator_type *const registry[] = {
    &integrator_semi_implicit,   &integrator_explicit,
    &integrator_implicit,        &integrator_position_verlet,
    &integrator_velocity_verlet, &integrator_leapfrog,
    &integrator_midpoint,        &integrator_rk4,
    &integrator_momentum,
};

static const integrator_type *integrator_find(perp_integrator k)
{
    return (size_t)k < sizeof registry / sizeof *registry ? registry[k] : NULL;
}

double integrate_end_share(const perp_scheme *scheme)
{
    const integrator_type *type = integrator_find(scheme->integrator);

    return type && type->positions ? type->end_share : 1.0;
}

perp_gyro integrate_gyro(const perp_world *w, const perp_scheme *scheme, size_t k)
{
    if (w->dimension == 2) {
        return PERP_GYRO_NONE;
    }
    return scheme->override_gyro ? scheme->gyro : w->gyro[k];
}

perp_status integrate_accelerations(const perp_free_motion *motion, const perp_world *w,
                                    const perp_state *state, const perp_scheme *scheme,
                                    double *a, perp_error *err)
{
    perp_status status = PERP_OK;

    perp_world_forces(w, state, false, a);
    if (w->reduced) {
        status = trees_accelerations(motion, w, state, a, a + 6 * w->body_count, err);
    }
    for (size_t k = 0; k < w->body_count; k++) {
        if (integrate_alone(w, k) && integrate_gyro(w, scheme, k) != PERP_GYRO_NONE) {
            const double *omega = perp_body_velocity(state, k) + 3;
            double *torque = a + 6 * k + 3;
            double I[9];
            double L[3];

            perp_world_inertia(w, state, k, I);
            mat3_apply(I, omega, L);
            vec3_cross(omega, L, L);
            vec3_add(torque, -1.0, L, torque);
        }
    }
    perp_world_accelerations(w, state, a, a);
    return status;
}

/* Inverse inertias of all bodies but links, which have theirs from coordinates. */
static void integrate_refresh_alone(const perp_world *w, perp_state *state)
{
    for (size_t k = 0; k < w->body_count; k++) {
        if (!integrate_linked(w, k)) {
            world_refresh_body(w, state, k);
        }
    }
}

perp_status integrate_place(const perp_world *w, perp_state *state, const double *s,
                            const double *u, double t, perp_error *err)
{
    size_t n = w->body_count;

    if (memcmp(state->s, s, 7 * n * sizeof *s) != 0) {
        memcpy(state->s, s, 7 * n * sizeof *s);
        integrate_refresh_alone(w, state);
    }
    memcpy(state->u, u, 6 * n * sizeof *u);
    state->t = t;
    return w->reduced ? trees_place(w, state, s + 7 * n, u + 6 * n, err) : PERP_OK;
}

/* The world direction of the axis about which the scheme turns body k; false: none. The
 * wheel of a car is body j of its joint and spins about axis_j. */
static bool body_axis(const perp_world *w, const perp_scheme *scheme, size_t k,
                      const double q[4], double axis[3])
{
    const int32_t m = w->axis_joint[k];
    const perp_joint *joint = m < 0 ? NULL : &w->joints[m];
    const bool is_j = joint && joint->j == (int32_t)k;

    if (!joint || (scheme->turn != PERP_TURN_AXIS &&
                   !(scheme->turn == PERP_TURN_AUTO && is_j && joint->type->spins))) {
        return false;
    }
    perp_quat_rotate(q, is_j ? joint->axis_j : joint->axis_i, axis);
    return true;
}

static void integrate_turn_body(const perp_world *w, const perp_scheme *scheme, size_t k,
                                const double omega[3], double dt, double q[4])
{
    double axis[3];
    bool has = body_axis(w, scheme, k, q, axis);

    perp_quat_turn(q, omega, dt, scheme->turn, has ? axis : NULL, scheme->max_angle);
}

void integrate_drift_body(const perp_world *w, const perp_scheme *scheme, size_t k,
                          const double u[6], double dt, double pose[7])
{
    if (!world_stays(w, k) && !integrate_linked(w, k)) {
        vec3_add(pose, dt, u, pose);
        integrate_turn_body(w, scheme, k, u + 3, dt, pose + 3);
    }
}

void integrate_drift(const perp_world *w, const perp_state *state,
                     const perp_scheme *scheme, const double *s, const double *u,
                     double dt, double *out)
{
    if (out != s) {
        memcpy(out, s, integrate_positions(w) * sizeof *out);
    }
    for (size_t k = 0; k < w->body_count; k++) {
        integrate_drift_body(w, scheme, k, u + 6 * k, dt, out + 7 * k);
    }
    if (w->reduced) {
        trees_drift(state, u + 6 * w->body_count, dt, out + 7 * w->body_count);
    }
}

static void integrate_move_bodies(const perp_world *w, perp_state *state, const double *u,
                                  double dt, const perp_scheme *scheme)
{
    for (size_t k = 0; k < w->body_count; k++) {
        integrate_drift_body(w, scheme, k, u + 6 * k, dt, perp_body_pose(state, k));
    }
}

void integrate_kick(const perp_world *w, const double *x, double f, const double *d,
                    double *y)
{
    for (size_t k = 0; k < w->body_count; k++) {
        bool moves = integrate_alone(w, k);

        for (size_t c = 6 * k; c < 6 * k + 6; c++) {
            y[c] = moves ? x[c] + f * d[c] : x[c];
        }
    }
    for (size_t c = 6 * w->body_count; c < integrate_velocities(w); c++) {
        y[c] = x[c] + f * d[c];
    }
}

void perp_free_motion_clear(perp_free_motion *motion)
{
    free(motion->s);
    free(motion->u);
    free(motion->work);
    free(motion->trees);
    perp_state_free(motion->moving);
    effective_free(motion->mass);
    memset(motion, 0, sizeof *motion);
}

/* Room for the world and any integrator. */
static bool flow_room(perp_free_motion *motion, const perp_world *w)
{
    size_t n = w->body_count;
    size_t m = integrate_coordinates(w);
    size_t links = w->reduced ? w->reduced->tree->count : 0;
    size_t most = 0;
    size_t most_coordinates = 0;

    if (motion->s && motion->bodies >= n && motion->coordinates >= m &&
        motion->links >= links) {
        return true;
    }
    for (size_t k = 0; k < sizeof registry / sizeof *registry; k++) {
        size_t coordinates = registry[k]->coordinates;

        most = registry[k]->work > most ? registry[k]->work : most;
        most_coordinates =
            coordinates > most_coordinates ? coordinates : most_coordinates;
    }
    perp_free_motion_clear(motion);
    motion->s = math_alloc(7 * n + m, sizeof *motion->s);
    motion->u = math_alloc(6 * n + m, sizeof *motion->u);
    motion->work = math_alloc(most * n + most_coordinates * m, sizeof *motion->work);
    motion->trees = math_alloc(6 * links + m, sizeof *motion->trees);
    motion->bodies = n;
    motion->coordinates = m;
    motion->links = links;
    if (!motion->s || !motion->u || !motion->work || !motion->trees) {
        perp_free_motion_clear(motion);
        return false;
    }
    return true;
}

/* The state that the integrator moves: a copy. */
static perp_status flow_copy(perp_free_motion *motion, const perp_world *w,
                             const perp_state *state, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!motion->moving) {
        motion->moving = calloc(1, sizeof *motion->moving);
    }
    status = motion->moving
                 ? perp_state_copy(motion->moving, state, err)
                 : perp_fail(err, PERP_ERR_MEMORY, "integrate: no memory for %zu bodies",
                             w->body_count);
    if (status == PERP_OK && w->reduced) {
        motion->moving->trees->switch_chart = false; /* stages must be of one chart */
    }
    return status;
}

perp_status perp_free_motion_run(perp_free_motion *motion, const perp_world *w,
                                 perp_state *state, const perp_scheme *scheme,
                                 perp_error *err)
{
    const integrator_type *type = integrator_find(scheme->integrator);
    size_t n = w->body_count;
    perp_status status = PERP_OK;

    if (!type) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "integrate: integrator is number %d, expected one of perp_integrator",
            (int)scheme->integrator);
    }
    TRY(world_state_check(state, w, err));
    if (!flow_room(motion, w)) {
        return perp_fail(err, PERP_ERR_MEMORY, "integrate: no memory for %zu bodies", n);
    }
    memcpy(motion->s, state->s, 7 * n * sizeof *motion->s);
    memcpy(motion->u, state->u, 6 * n * sizeof *motion->u);
    motion->positions = type->positions;
    motion->middle = false;
    effective_free(motion->mass);
    motion->mass = NULL;
    motion->trees_implicit = false;
    if (w->reduced) {
        status = trees_begin(motion, w, state, err);
    }
    if (status == PERP_OK) {
        status = flow_copy(motion, w, state, err);
    }
    if (status == PERP_OK) {
        status = type->motion(motion, w, motion->moving, scheme, err);
    }
    return status == PERP_OK && w->reduced ? trees_free(motion, w, state, err) : status;
}

/* Whether rows changed the velocity of body k. */
static bool integrate_is_pushed(const perp_free_motion *motion, const perp_world *w,
                                const double *u_plus, size_t k)
{
    return w->motion[k] == PERP_MOTION_DYNAMIC &&
           memcmp(u_plus + 6 * k, motion->u + 6 * k, 6 * sizeof *u_plus) != 0;
}

/* Poses of bodies that move alone, and of kinematic ones. */
static void integrate_finish_bodies(const perp_free_motion *motion, const perp_world *w,
                                    perp_state *state, const double *u_plus,
                                    const perp_scheme *scheme)
{
    const double share = integrate_end_share(scheme);

    for (size_t k = 0; k < w->body_count; k++) {
        const double *u = perp_body_velocity(state, k);
        double *pose = perp_body_pose(state, k);
        double mean[6];

        if (world_stays(w, k) || integrate_linked(w, k)) {
            continue;
        }
        if (!integrate_is_pushed(motion, w, u_plus, k)) {
            memcpy(pose, motion->s + 7 * k, 7 * sizeof *pose);
            continue;
        }
        for (size_t c = 0; c < 6; c++) {
            mean[c] = (1.0 - share) * u[c] + share * u_plus[6 * k + c];
        }
        integrate_drift_body(w, scheme, k, mean, scheme->dt, pose);
    }
}

perp_status integrate_set_velocities(const perp_free_motion *motion, const perp_world *w,
                                     perp_state *state, const double *u, perp_error *err)
{
    perp_status status =
        w->reduced ? trees_set_velocities(motion, w, state, u, err) : PERP_OK;

    for (size_t k = 0; k < w->body_count; k++) {
        if (integrate_alone(w, k)) {
            memcpy(perp_body_velocity(state, k), u + 6 * k, 6 * sizeof *u);
        }
    }
    return w->reduced && status == PERP_OK ? perp_world_forward_kinematics(w, state, err)
                                           : status;
}

perp_status perp_free_motion_finish(const perp_free_motion *motion, const perp_world *w,
                                    perp_state *state, const double *u_plus,
                                    const perp_scheme *scheme, perp_error *err)
{
    perp_status status = PERP_OK;

    if (w->reduced) {
        status = trees_finish(motion, w, state, u_plus, scheme, err);
    }
    if (motion->positions) {
        integrate_finish_bodies(motion, w, state, u_plus, scheme);
    } else {
        integrate_move_bodies(w, state, u_plus, scheme->dt, scheme);
    }
    for (size_t k = 0; k < w->body_count; k++) {
        if (integrate_alone(w, k)) {
            memcpy(perp_body_velocity(state, k), u_plus + 6 * k, 6 * sizeof *u_plus);
        }
    }
    integrate_refresh_alone(w, state);
    return w->reduced && status == PERP_OK ? perp_world_forward_kinematics(w, state, err)
                                           : status;
}

perp_status perp_world_move(const perp_world *w, perp_state *state, const double *u,
                            double dt, const perp_scheme *scheme, perp_error *err)
{
    TRY(w->reduced ? trees_move(w, state, u, dt, err) : PERP_OK);
    integrate_move_bodies(w, state, u, dt, scheme);
    integrate_refresh_alone(w, state);
    return w->reduced ? perp_world_forward_kinematics(w, state, err) : PERP_OK;
}
