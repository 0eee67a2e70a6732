/* SPDX-License-Identifier: Apache-2.0
 * tests/support/jointed_pair.c: two bodies with a joint between them. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lapacke.h>

#include "jointed_pair.h"

static const double limit_direction[3] = {0.6, 0.8, 0.0};

static void direction(perp_random *g, bool plane, double d[3])
{
    do {
        for (int c = 0; c < 3; c++) {
            d[c] = perp_random_uniform(g, -1.0, 1.0);
        }
        d[2] = plane ? 0.0 : d[2];
    } while (vec3_length(d) < 0.2);
    vec3_normalize(d);
}

perp_world *pair_world(perp_joint *joint, const perp_joint_type *type, uint64_t seed)
{
    perp_world *world = test_random_world(2, seed);
    perp_random g = {seed};

    pair_joint(joint, type, world, &g);
    return world;
}

bool pair_in_plane(const perp_joint_type *type)
{
    return !type->axes_apart;
}

void pair_joint(perp_joint *joint, const perp_joint_type *type, const perp_world *world,
                perp_random *g)
{
    bool plane = world->dimension == 2;
    bool turns = type->plane_turns;
    double at[3];
    double along_i[3];
    double along_j[3];
    perp_error err = {0};

    memset(joint, 0, sizeof *joint);
    joint->type = type;
    snprintf(joint->name, sizeof joint->name, "a %s", type->name);
    joint->j = 1;
    for (int c = 0; c < 3; c++) {
        at[c] = plane && c == 2 ? 0.0 : perp_random_uniform(g, -1.0, 1.0);
        joint->anchor_i[c] = 0.5 * at[c];
        joint->anchor_j[c] = plane && c == 2 ? 0.0 : perp_random_uniform(g, -1.0, 1.0);
    }
    direction(g, plane, along_i);
    direction(g, plane, along_j);
    if (plane && turns) {
        vec3_set(along_i, 0.0, 0.0, 1.0);
    }
    if (type == &joint_universal) {
        vec3_cross(along_i, along_j, along_j);
    }
    joint->theta = type == &joint_cone ? 0.7 : 0.0;
    joint->call = pair_limit;
    joint->context = (void *)(uintptr_t)limit_direction;
    if (perp_joint_attach(joint, world, world->start, at, along_i,
                          type->axes_apart || type == &joint_cone ? along_j : NULL,
                          &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("attaching");
    }
}

void pair_scatter(perp_world *world, perp_random *g)
{
    for (size_t k = 0; k < world->body_count; k++) {
        double *pose = perp_body_pose(world->start, k);

        for (int c = 0; c < 7; c++) {
            bool out = world->dimension == 2 && (c == 2 || c == 4 || c == 5);

            pose[c] = out ? 0.0 : perp_random_uniform(g, -1.0, 1.0);
        }
        perp_quat_normalize(pose + 3);
    }
    perp_world_refresh(world, world->start);
}

perp_world *pair_plane(uint64_t seed)
{
    perp_world *world = test_world(2, 0.0);
    perp_random g = {seed};

    for (int k = 0; k < 2; k++) {
        double *u = NULL;

        test_ball(world, k == 0 ? "i" : "j", perp_random_uniform(&g, 0.5, 2.0), 0.7, 0.0,
                  0.0, 0.0);
        u = perp_body_velocity(world->start, (size_t)k);
        u[0] = perp_random_uniform(&g, -1.0, 1.0);
        u[1] = perp_random_uniform(&g, -1.0, 1.0);
        u[5] = perp_random_uniform(&g, -1.0, 1.0);
    }
    pair_scatter(world, &g);
    return world;
}

void pair_carry(perp_world *world, perp_random *g)
{
    double point[3] = {perp_random_uniform(g, -1.0, 1.0), 0.4, 0.0};
    double axis[3] = {0.0, 0.0, 1.0};
    double angle = perp_random_uniform(g, -3.0, 3.0);

    if (world->dimension == 3) {
        vec3_set(axis, 0.36, 0.48, -0.8);
    }
    for (size_t k = 0; k < 2; k++) {
        pair_turn(world, k, point, axis, angle);
    }
}

void pair_shake(perp_world *world, perp_random *g, double size)
{
    bool plane = world->dimension == 2;

    for (size_t k = 0; k < world->body_count; k++) {
        double *pose = perp_body_pose(world->start, k);
        double turn[3];

        for (int c = 0; c < 3; c++) {
            pose[c] += plane && c == 2 ? 0.0 : perp_random_uniform(g, -size, size);
            turn[c] = plane && c < 2 ? 0.0 : perp_random_uniform(g, -size, size);
        }
        perp_quat_turn(pose + 3, turn, 1.0, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    }
    perp_world_refresh(world, world->start);
}

void pair_turn(perp_world *world, size_t k, const double point[3], const double axis[3],
               double angle)
{
    double *pose = perp_body_pose(world->start, k);
    double turn[3];
    double q[4];
    double arm[3];

    vec3_scale(angle, axis, turn);
    perp_quat_exp(turn, q);
    vec3_subtract(pose, point, arm);
    perp_quat_rotate(q, arm, arm);
    vec3_add(point, 1.0, arm, pose);
    perp_quat_turn(pose + 3, turn, 1.0, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    perp_world_refresh(world, world->start);
}

double pair_rate(const perp_world *world, const perp_joint *joint, const perp_row *row)
{
    const double *u_i = perp_body_velocity(world->start, (size_t)joint->i);
    const double *u_j = perp_body_velocity(world->start, (size_t)joint->j);
    double sum = 0.0;

    for (int k = 0; k < 6; k++) {
        sum += row->J[k] * u_i[k] + row->J[6 + k] * u_j[k];
    }
    return sum;
}

double pair_phi(const perp_world *world, void *context)
{
    const pair_probe *probe = context;
    perp_row rows[PERP_JOINT_ROWS];
    unsigned n = joint_rows_now(probe->joint, world, world->start, rows);

    CU_ASSERT_FATAL(probe->k < n);
    return rows[probe->k].phi;
}

double pair_coordinate(const perp_world *world, void *context)
{
    const pair_probe *probe = context;
    perp_row row;

    CU_ASSERT_FATAL(probe->joint->type->coordinate(probe->joint, world, world->start,
                                                   probe->k, &row));
    return row.phi;
}

static void check_rate(perp_world *world, const perp_joint *joint, unsigned k,
                       double rate, double expected, const char *what)
{
    bool same = fabs(rate - expected) <= pair_step_tolerance * fmax(1.0, fabs(expected));

    if (!same) {
        test_note("%s%s in %u-D, %s %u: J u is %.12g, differences %.12g",
                  joint->exact ? "exact " : "", joint->type->name, world->dimension, what,
                  k, rate, expected);
    }
    CU_ASSERT(same);
}

void pair_check_row(perp_world *world, const perp_joint *joint, unsigned k)
{
    perp_row rows[PERP_JOINT_ROWS];
    pair_probe probe = {joint, k};

    joint_rows_now(joint, world, world->start, rows);
    check_rate(world, joint, k, pair_rate(world, joint, &rows[k]),
               test_rate(world, pair_phi, &probe, pair_step), "row");
}

void pair_check_axis(perp_world *world, const perp_joint *joint, unsigned k)
{
    perp_row row;
    pair_probe probe = {joint, k};

    CU_ASSERT_FATAL(joint->type->coordinate(joint, world, world->start, k, &row));
    check_rate(world, joint, k, pair_rate(world, joint, &row),
               test_rate(world, pair_coordinate, &probe, pair_step), "axis");
}

double pair_limit(void *context, const perp_world *world, const perp_state *state,
                  const perp_joint *joint, double J[12])
{
    const double *d = context;
    joint_frame f;
    perp_row row;

    (void)world;
    joint_frame_now(joint, state, &f);
    joint_row_points(&row, -1.0, d, f.rho_i, f.rho_j, 0.0);
    memcpy(J, row.J, sizeof row.J);
    return 0.1 - vec3_dot(d, f.gap);
}

void pair_push(perp_world *world, const perp_joint *joint, const perp_row *row,
               double lambda)
{
    for (int side = 0; side < 2; side++) {
        size_t k = (size_t)(side == 0 ? joint->i : joint->j);
        double *u = perp_body_velocity(world->start, k);
        double turn[3];

        mat3_apply(world->start->inverse_inertia + 9 * k, row->J + 6 * side + 3, turn);
        vec3_add(u, lambda * world->inverse_mass[k], row->J + 6 * side, u);
        vec3_add(u + 3, lambda, turn, u + 3);
    }
}

void pair_solve(perp_world *world, const perp_joint *joint, const perp_row *rows,
                unsigned n, const double *target, double *lambda, double *K)
{
    double A[PERP_JOINT_ROWS * PERP_JOINT_ROWS];
    double u[12];
    size_t at[2] = {(size_t)joint->i, (size_t)joint->j};

    for (int side = 0; side < 2; side++) {
        memcpy(u + 6 * side, perp_body_velocity(world->start, at[side]), 6 * sizeof *u);
    }
    for (unsigned c = 0; c < n; c++) {
        /* column c: what a unit impulse on row c changes in all rates */
        for (int side = 0; side < 2; side++) {
            memset(perp_body_velocity(world->start, at[side]), 0, 6 * sizeof *u);
        }
        pair_push(world, joint, &rows[c], 1.0);
        for (unsigned r = 0; r < n; r++) {
            A[c * n + r] = pair_rate(world, joint, &rows[r]);
        }
    }
    for (int side = 0; side < 2; side++) {
        memcpy(perp_body_velocity(world->start, at[side]), u + 6 * side, 6 * sizeof *u);
    }
    for (unsigned r = 0; r < n; r++) {
        lambda[r] = target[r] - pair_rate(world, joint, &rows[r]);
    }
    if (K) {
        memcpy(K, A, (size_t)n * n * sizeof *K);
    }
    CU_ASSERT_EQUAL_FATAL(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (lapack_int)n, 1, A,
                                        (lapack_int)n, lambda, (lapack_int)n),
                          0);
    for (unsigned r = 0; r < n; r++) {
        pair_push(world, joint, &rows[r], lambda[r]);
    }
}

enum { SEEDS = 12 };

void pair_each(unsigned dimension,
               void (*visit)(perp_world *world, perp_joint *joint, perp_random *g))
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);

    for (size_t t = 0; t < count; t++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            perp_random g = {seed};
            perp_world *world = NULL;
            perp_joint joint;

            if (dimension == 2 && !pair_in_plane(types[t])) {
                continue;
            }
            world = dimension == 3 ? test_random_world(2, seed) : pair_plane(seed);
            pair_joint(&joint, types[t], world, &g);
            visit(world, &joint, &g);
            pair_joint(&joint, types[t], world, &g);
            joint.exact = true;
            visit(world, &joint, &g);
        }
    }
}
