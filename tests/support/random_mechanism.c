/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_mechanism.c: worlds with joints at random. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/rows.h>

#include "random_mechanism.h"

static void draw(perp_random *g, bool plane, double x[3])
{
    for (int c = 0; c < 3; c++) {
        x[c] = perp_random_uniform(g, -1.0, 1.0);
    }
    x[2] = plane ? 0.0 : x[2];
}

int32_t mechanism_body(perp_world *world, const char *name, perp_motion motion,
                       perp_random *g)
{
    const bool plane = world->dimension == 2;
    perp_body body = {.name = name,
                      .motion = motion,
                      .mass = perp_random_uniform(g, 0.5, 2.0),
                      .inertia = {0.2, 0.03, -0.02, 0.03, 0.3, 0.01, -0.02, 0.01, 0.25}};
    perp_error err = {0};
    int32_t k = -1;

    draw(g, plane, body.r);
    draw(g, plane, body.v);
    draw(g, false, body.q + 1);
    draw(g, false, body.w);
    body.q[0] = perp_random_uniform(g, -1.0, 1.0);
    if (plane) {
        body.q[1] = body.q[2] = body.w[0] = body.w[1] = 0.0;
    }
    perp_quat_normalize(body.q);
    OK(perp_world_add_body(world, &body, &k, &err));
    return k;
}

int32_t mechanism_join(perp_world *world, const perp_joint_type *type, int32_t i,
                       int32_t j, perp_random *g)
{
    const bool plane = world->dimension == 2;
    perp_joint joint = {.type = type, .i = i, .j = j, .exact = true};
    double at[3];
    double along_i[3];
    double along_j[3];
    perp_error err = {0};
    int32_t k = -1;

    snprintf(joint.name, sizeof joint.name, "%s-%zu", type->name, world->joint_count);
    draw(g, plane, at);
    draw(g, plane, along_i);
    draw(g, plane, along_j);
    if (plane && type->plane_turns) {
        vec3_set(along_i, 0.0, 0.0, along_i[0] < 0.0 ? -1.0 : 1.0);
    }
    if (type == &joint_universal) {
        vec3_cross(along_i, along_j, along_j);
    }
    if (perp_joint_attach(&joint, world, world->start, at, along_i,
                          type->axes_apart ? along_j : NULL, &err) != PERP_OK ||
        perp_world_add_joint(world, &joint, &k, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("joining");
    }
    return k;
}

bool mechanism_takes(const perp_joint_type *type, unsigned dimension)
{
    return type->reduce && (dimension == 3 || !type->axes_apart);
}

perp_world *mechanism_new(unsigned dimension, size_t count, perp_motion base,
                          uint64_t seed)
{
    const perp_joint_type *const *types = perp_joint_types(NULL);
    perp_world *world = test_world(dimension, 9.81);
    perp_random g = {seed};
    size_t t = 0;

    mechanism_body(world, "base", base, &g);
    for (size_t k = 1; k <= count; k++) {
        const int32_t parent =
            (int32_t)perp_random_uniform(&g, k > 3 ? (double)k - 3.0 : 0.0, (double)k);
        const bool turned = perp_random_uniform(&g, 0.0, 1.0) < 0.5;
        char name[16];

        snprintf(name, sizeof name, "link %zu", k);
        mechanism_body(world, name, PERP_MOTION_DYNAMIC, &g);
        while (!types[t] || !mechanism_takes(types[t], dimension)) {
            t = types[t] ? t + 1 : 0;
        }
        mechanism_join(world, types[t], turned ? (int32_t)k : parent,
                       turned ? parent : (int32_t)k, &g);
        t++;
        draw(&g, dimension == 2, world->start->load + 6 * k);
        world->start->load[6 * k + 5] = perp_random_uniform(&g, -1.0, 1.0);
        if (dimension == 3) {
            draw(&g, false, world->start->load + 6 * k + 3);
        }
    }
    return world;
}

perp_articulation *mechanism_reduce(perp_world *world, const perp_reduction *how)
{
    perp_error err = {0};

    if (perp_world_reduce(world, how, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("reducing");
    }
    return world->start->trees;
}

void mechanism_move(perp_world *world, perp_random *g)
{
    const perp_articulation *tree = world->start->trees;
    perp_error err = {0};

    for (size_t k = 0; k < tree->count; k++) {
        const perp_mobilizer *type = tree->links[k].mobilizer;

        for (unsigned c = 0; c < type->dof; c++) {
            /* three angles of a ball: at most sqrt(3) 1.4 = 2.4 rad */
            const double most = type->unit[c][0] == 'm' ? 1.0 : type->quasi ? 1.4 : 2.5;

            tree->q[tree->first[k] + c] = perp_random_uniform(g, -most, most);
            tree->qd[tree->first[k] + c] = perp_random_uniform(g, -1.0, 1.0);
        }
    }
    OK(perp_world_forward_kinematics(world, world->start, &err));
}

void mechanism_keep(const perp_world *world, mechanism_state *kept)
{
    CU_ASSERT_FATAL(world->body_count <= MECHANISM_BODIES);
    memcpy(kept->s, world->start->s, 7 * world->body_count * sizeof *world->start->s);
    memcpy(kept->u, world->start->u, 6 * world->body_count * sizeof *world->start->u);
}

void mechanism_check_kept(const perp_world *world, const mechanism_state *kept,
                          double tol)
{
    double size = 1.0;

    for (size_t c = 0; c < 6 * world->body_count; c++) {
        size = fmax(size, fabs(kept->u[c]));
    }
    for (size_t c = 0; c < 7 * world->body_count; c++) {
        CU_ASSERT_DOUBLE_EQUAL(world->start->s[c], kept->s[c], tol);
    }
    for (size_t c = 0; c < 6 * world->body_count; c++) {
        CU_ASSERT_DOUBLE_EQUAL(world->start->u[c], kept->u[c], tol * size);
    }
}

double mechanism_rate(const perp_world *world, const perp_joint *joint,
                      const perp_row *row)
{
    return perp_row_rate(row->J, perp_body_velocity(world->start, (size_t)joint->i),
                         perp_body_velocity(world->start, (size_t)joint->j));
}

void mechanism_check_obeyed(const perp_world *world, int32_t j)
{
    const perp_joint *joint = &world->joints[j];
    perp_row rows[PERP_JOINT_ROWS];
    double length = 0.0;
    double angle = 0.0;
    unsigned n = joint_rows_now(joint, world, world->start, rows);

    perp_joint_drift(joint, world, world->start, &length, &angle);
    CU_ASSERT_DOUBLE_EQUAL(length, 0.0,
                           2.0 * mechanism_rounding); /* arms of some metres */
    CU_ASSERT_DOUBLE_EQUAL(angle, 0.0, mechanism_rounding);
    for (unsigned k = 0; k < n; k++) {
        /* arms and speeds of a few m and m/s */
        CU_ASSERT_DOUBLE_EQUAL(mechanism_rate(world, joint, &rows[k]), 0.0,
                               10.0 * mechanism_rounding);
    }
}
