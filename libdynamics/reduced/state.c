/* SPDX-License-Identifier: Apache-2.0
 * reduced/state.c: coordinates from poses and poses from coordinates.
 *
 *     Q = (E_p Ep)^-1 E_k Ec^-1,   Q(q) = Q,     E_k = E_p Ep Q(q) Ec
 *
 * Each joint is computed from the present poses of its two bodies, so that errors do not
 * accumulate. If Q does not have the form Q(q), the joint has an error: the distance and
 * the angle between the two. */
#include <config.h>

#include <perp/dynamics/rotation.h>

#include "articulation/articulated.h"
#include "base/base.h"
#include "reduced/reduced.h"

/* Largest error of a joint that reduced coordinates may remove: [m] or [rad]. */
static const double allowed = 1e-6;

/* Velocities in nine digits satisfy the joints to this share of the kinetic energy. */
static const double rounded = 1e-18;

static void state_frame_of(const perp_state *state, int32_t body, perp_frame *E)
{
    if (body < 0) {
        perp_frame_identity(E);
    } else {
        const double *pose = perp_body_pose(state, (size_t)body);

        perp_rotation_matrix(pose + 3, E->R);
        vec3_copy(E->p, pose);
    }
}

void reduced_base(const perp_world *world, const perp_state *state)
{
    const perp_reduced *r = world->reduced;
    perp_articulation *tree = state->trees;

    vec3_copy(tree->gravity, world->gravity);
    for (size_t k = 0; k < tree->count; k++) {
        const int32_t body = r->hangs_on[k];

        if (tree->links[k].parent < 0) {
            state_frame_of(state, body, &tree->base[k]);
            memset(tree->base_u + 6 * k, 0, 6 * sizeof *tree->base_u);
        }
        if (body >= 0) {
            memcpy(tree->base_u + 6 * k, perp_body_velocity(state, (size_t)body),
                   6 * sizeof *tree->base_u);
        }
    }
}

/* Set the pose of a body, with the one of q and -q that is nearer to the former one. */
static void state_put_pose(const perp_world *world, const perp_state *state, size_t body,
                           const perp_frame *E)
{
    double *pose = perp_body_pose(state, body);
    double q[4];
    double same = 0.0;

    math_quat_of(E->R, q);
    if (world->dimension == 2) {
        q[1] = q[2] = 0.0;
        perp_quat_normalize(q);
    }
    for (int c = 0; c < 4; c++) {
        same += q[c] * pose[3 + c];
    }
    for (int c = 0; c < 4; c++) {
        pose[3 + c] = same < 0.0 ? -q[c] : q[c];
    }
    vec3_set(pose, E->p[0], E->p[1], world->dimension == 2 ? 0.0 : E->p[2]);
}

static void state_put_velocity(const perp_world *world, const perp_state *state,
                               size_t body, const double *u)
{
    double *to = perp_body_velocity(state, body);

    memcpy(to, u, 6 * sizeof *to);
    if (world->dimension == 2) {
        to[2] = to[3] = to[4] = 0.0;
    }
}

bool reduced_tells_axes(const perp_world *world, size_t j)
{
    const perp_reduced *r = world->reduced;
    bool all = r && j < r->joints && r->joint_link[j] >= 0;

    for (unsigned a = 0; all && a < world->joints[j].type->axes; a++) {
        all = reduced_mine(r)->axes[j].coordinate[a] >= 0;
    }
    return all;
}

/* Coordinates of axes are those of q, which counts turns; all others are updated as after
 * a step. */
static void state_put_axes(const perp_world *world, perp_state *state)
{
    const perp_reduced *r = world->reduced;
    const reduced_own *own = reduced_mine(r);

    for (size_t j = 0; j < world->joint_count; j++) {
        const perp_joint *joint = &world->joints[j];
        double *axes = perp_joint_axes_of(state, j);
        const int32_t k = j < r->joints ? r->joint_link[j] : -1;

        for (unsigned a = 0; k >= 0 && a < joint->type->axes; a++) {
            const int32_t c = own->axes[j].coordinate[a];

            if (c >= 0) {
                axes[a] = own->axes[j].sign[a] *
                          state->trees->q[state->trees->first[k] + (size_t)c];
            }
        }
        if (!reduced_tells_axes(world, j)) {
            perp_joint_track(joint, world, state, axes);
        }
    }
}

void reduced_put_bodies(const perp_world *world, perp_state *state)
{
    const perp_reduced *r = world->reduced;

    for (size_t k = 0; k < state->trees->count; k++) {
        const size_t body = (size_t)r->body[k];

        state_put_pose(world, state, body, &state->trees->E[k]);
        state_put_velocity(world, state, body, state->trees->u + 6 * k);
        world_refresh_body(world, state, body);
    }
}

void reduced_put(const perp_world *world, perp_state *state)
{
    reduced_put_bodies(world, state);
    state_put_axes(world, state);
}

/* Q of link k. */
static void state_get_place(const perp_world *world, const perp_state *state, size_t k,
                            perp_frame *Q)
{
    const perp_reduced *r = world->reduced;
    const perp_link *link = &state->trees->links[k];
    perp_frame E;

    state_frame_of(state, reduced_mine(r)->parent[k], Q);
    perp_frame_multiply(Q, &link->Ep, Q);
    perp_frame_invert(Q, Q);
    state_frame_of(state, r->body[k], &E);
    perp_frame_multiply(Q, &E, Q);
    perp_frame_invert(&link->Ec, &E);
    perp_frame_multiply(Q, &E, Q);
}

/* How far Q is from Q(q): a length and an angle. */
static perp_status state_check_place(const perp_world *world, const perp_state *state,
                                     size_t k, const perp_frame *Q, const double *q,
                                     perp_error *err)
{
    const perp_reduced *r = world->reduced;
    const perp_link *link = &state->trees->links[k];
    const int32_t joint = reduced_mine(r)->joint[k];
    perp_frame P;
    double gap[3];
    double distance = 0.0;
    double square = 0.0;

    link->mobilizer->place(link->axes, q, &P);
    vec3_subtract(P.p, Q->p, gap);
    distance = vec3_length(gap);
    for (int c = 0; c < 9; c++) {
        square += (P.R[c] - Q->R[c]) * (P.R[c] - Q->R[c]);
    }
    /* |R - R'| = sqrt(8) sin(angle/2) */
    if (distance <= allowed && sqrt(0.5 * square) <= allowed) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "joint \"%s\": its bodies are apart by %g m and %g rad, expected at "
                     "most %g in reduced coordinates",
                     joint >= 0 ? world->joints[joint].name : link->name, distance,
                     2.0 * asin(fmin(1.0, sqrt(0.125 * square))), allowed);
}

/* The start of the search for q: turns of the axes, or the former coordinates. */
static void state_get_start(const perp_world *world, const perp_state *state, size_t k,
                            double *q)
{
    const perp_reduced *r = world->reduced;
    const reduced_own *own = reduced_mine(r);
    const int32_t j = own->joint[k];

    for (unsigned a = 0; j >= 0 && a < PERP_JOINT_AXES; a++) {
        const int32_t c = own->axes[j].coordinate[a];

        if (c >= 0) {
            q[c] = own->axes[j].sign[a] * perp_joint_axes_of(state, (size_t)j)[a];
        }
    }
}

static perp_status state_get_coordinates(const perp_world *world, const perp_state *state,
                                         bool first, perp_error *err)
{
    perp_articulation *tree = state->trees;
    perp_status status = PERP_OK;

    for (size_t k = 0; status == PERP_OK && k < tree->count; k++) {
        const perp_link *link = &tree->links[k];
        double *q = tree->q + tree->first[k];
        perp_frame Q;

        state_get_place(world, state, k, &Q);
        if (first) {
            state_get_start(world, state, k, q);
        }
        if (link->mobilizer->dof > 0) {
            link->mobilizer->coordinates(link->axes, &Q, q);
        }
        if (first) {
            status = state_check_place(world, state, k, &Q, q, err);
        }
    }
    return status;
}

static perp_status state_get_rates(const perp_world *world, const perp_state *state,
                                   perp_error *err)
{
    const perp_reduced *r = world->reduced;
    double *u = state->work;

    for (size_t k = 0; k < state->trees->count; k++) {
        memcpy(u + 6 * k, perp_body_velocity(state, (size_t)r->body[k]), 6 * sizeof *u);
    }
    return articulated_fit_rates(state->trees, u, state->trees->qd, err);
}

/* Project velocities u that joints do not allow: add to qd the rates nearest to the rest
 * u - J qd in kinetic energy,  H dqd = J^T M (u - J qd). */
static perp_status state_add_rates(const perp_world *world, perp_state *state,
                                   perp_error *err)
{
    const perp_reduced *r = world->reduced;
    perp_articulation *tree = state->trees;
    double *f = state->work;
    double *dqd = state->work + 6 * tree->count + 2 * tree->n;
    double left = 0.0;
    double all = 0.0;

    for (size_t k = 0; k < tree->count; k++) {
        const size_t body = (size_t)r->body[k];
        const double *u = perp_body_velocity(state, body);
        double d[6];
        double I[9];
        double L[3];

        perp_world_inertia(world, state, body, I);
        mat3_apply(I, u + 3, L);
        all += world->mass[body] * vec3_dot(u, u) + vec3_dot(u + 3, L);
        for (int c = 0; c < 6; c++) {
            d[c] = u[c] - tree->u[6 * k + (size_t)c];
        }
        vec3_scale(world->mass[body], d, f + 6 * k);
        mat3_apply(I, d + 3, f + 6 * k + 3);
        left += vec3_dot(d, f + 6 * k) + vec3_dot(d + 3, f + 6 * k + 3);
    }
    if (!(left > rounded * all)) {
        return PERP_OK;
    }
    TRY(perp_articulation_factor(tree, 0.0, err));
    perp_articulation_solve_mass(tree, NULL, f, dqd, NULL);
    for (size_t c = 0; c < tree->n; c++) {
        tree->qd[c] += dqd[c];
    }
    return perp_articulation_update(tree, err);
}

perp_status reduced_get(const perp_world *world, perp_state *state, bool first,
                        perp_error *err)
{
    perp_articulation *tree = state->trees;
    double *q = state->work + 6 * tree->count;
    double *qd = q + tree->n;
    const size_t bytes = tree->n * sizeof *tree->q;
    perp_status status = PERP_OK;

    memcpy(q, tree->q, bytes);
    memcpy(qd, tree->qd, bytes);
    reduced_base(world, state);
    status = state_get_coordinates(world, state, first, err);
    if (status == PERP_OK) {
        memset(tree->qd, 0, bytes);
        status = perp_articulation_update(tree, err);
    }
    if (status == PERP_OK) {
        status = state_get_rates(world, state, err);
    }
    if (status == PERP_OK) {
        status = perp_articulation_update(tree, err);
    }
    if (status == PERP_OK) {
        status = state_add_rates(world, state, err);
    }
    if (status != PERP_OK) {
        memcpy(tree->q, q, bytes);
        memcpy(tree->qd, qd, bytes);
        perp_articulation_update(tree, NULL); /* as it was before */
    }
    return status;
}
