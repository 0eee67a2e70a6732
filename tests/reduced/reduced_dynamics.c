/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_dynamics.c: trees accelerate as bodies do that are held together
 * by multipliers.
 *
 *     [ M  -J^T ] [ du/dt  ]   [ f          ]
 *     [ J   0   ] [ lambda ] = [ -(dJ/dt) u ]      f with gravity and gyroscopic torques
 *
 * against d/dt u(q, qd) with qdd of articulated bodies. Every joint type, both ways
 * round, on every kind of base. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rows.h>

#include "answers.h"
#include "random_mechanism.h"
#include "reference.h"

enum { LINKS = 12, BODIES = LINKS + 1, WIDE = 6 * BODIES, ROWS = 6 * LINKS };

/* Derivatives along a motion by two central differences: truncation h^4 f5/480 with fifth
 * derivatives of up to 1e3 times the first, rounding 1e-15/h; both 1e-12 of the size. */
static const double step = 1e-3;
/* The same through a system whose condition is some 1e2; share of the largest. */
static const double tolerance = 1e-10;
/* The world held by multipliers. */
typedef struct held {
    const perp_world *world;
    size_t n, m; /* 6 a body, rows; bodies that are moved have columns of 0 */
    double M[WIDE * WIDE];
    double J[ROWS * WIDE];
} held;

/* Rates of the rows of all joints for velocities u at the present poses. */
static size_t rates(const perp_world *world, const double *u, double *out)
{
    size_t m = 0;

    for (size_t j = 0; j < world->joint_count; j++) {
        const perp_joint *joint = &world->joints[j];
        perp_row rows[PERP_JOINT_ROWS];
        const unsigned count = joint_rows_now(joint, world, world->start, rows);

        CU_ASSERT_FATAL(m + count <= ROWS);
        for (unsigned k = 0; k < count; k++) {
            out[m++] = perp_row_rate(rows[k].J, u + 6 * (size_t)joint->i,
                                     u + 6 * (size_t)joint->j);
        }
    }
    return m;
}

static void hold(held *h, const perp_world *world)
{
    double u[WIDE];
    double column[ROWS];

    memset(h, 0, sizeof *h);
    h->world = world;
    h->n = 6 * world->body_count;
    memset(u, 0, sizeof u);
    h->m = rates(world, u, column);
    for (size_t c = 0; c < h->n; c++) {
        const size_t k = c / 6;
        double inertia[9];

        perp_world_inertia(world, world->start, k, inertia);
        h->M[h->n * c + c] = c % 6 < 3 ? world->mass[k] : 0.0;
        for (size_t r = 0; c % 6 >= 3 && r < 3; r++) {
            h->M[h->n * c + 6 * k + 3 + r] = inertia[3 * r + c % 6 - 3];
        }
        if (world->motion[k] == PERP_MOTION_DYNAMIC) {
            u[c] = 1.0;
            rates(world, u, h->J + h->m * c);
            u[c] = 0.0;
        }
        if (h->M[h->n * c + c] == 0.0) {
            h->M[h->n * c + c] = 1.0; /* out of the plane, or moved from outside */
        }
    }
}

/* M a - J^T lambda = f, J a = bias. */
static void held_solve(const held *h, const double *f, const double *bias, double *a)
{
    double zero[WIDE] = {0};
    double lambda[ROWS];
    double b[ROWS] = {0};
    perp_error err = {0};

    if (bias) {
        memcpy(b, bias, h->m * sizeof *b);
    }
    if (perp_kkt_solve(h->n, h->M, h->m, h->J, NULL, zero, f, b, 1.0, a, lambda, &err) !=
        PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("the system of multipliers");
    }
}

/* All poses a time t later at constant velocities. */
static void drift(perp_world *world, double t)
{
    for (size_t k = 0; k < world->body_count; k++) {
        const double *u = perp_body_velocity(world->start, k);
        double *s = perp_body_pose(world->start, k);

        vec3_add(s, t, u, s);
        perp_quat_turn(s + 3, u + 3, t, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    }
}

/* (4 D(h/2) - D(h))/3 of what `at` puts into out, n numbers, at +h, -h, +h/2, -h/2. */
static void differentiate(void (*at)(perp_world *world, double t, double *out),
                          perp_world *world, size_t n, double *d)
{
    double y[4][WIDE];

    CU_ASSERT_FATAL(n <= WIDE);
    at(world, step, y[0]);
    at(world, -step, y[1]);
    at(world, 0.5 * step, y[2]);
    at(world, -0.5 * step, y[3]);
    for (size_t k = 0; k < n; k++) {
        const double whole = (y[0][k] - y[1][k]) / (2.0 * step);
        const double half = (y[2][k] - y[3][k]) / step;

        d[k] = (4.0 * half - whole) / 3.0;
    }
}

/* J(s(t)) u at the velocities of now. */
static void rates_at(perp_world *world, double t, double *out)
{
    double s[7 * BODIES];

    memcpy(s, world->start->s, 7 * world->body_count * sizeof *s);
    drift(world, t);
    rates(world, world->start->u, out);
    memcpy(world->start->s, s, 7 * world->body_count * sizeof *s);
}

static void held_accelerations(perp_world *world, double *a)
{
    static held h;
    double f[WIDE];
    double bias[ROWS];

    hold(&h, world);
    perp_world_forces(world, world->start, true, f);
    for (size_t c = 0; c < h.n; c++) {
        f[c] = world->motion[c / 6] == PERP_MOTION_DYNAMIC ? f[c] : 0.0;
        if (world->dimension == 2 && (c % 6 > 1 && c % 6 < 5)) {
            f[c] = 0.0;
        }
    }
    differentiate(rates_at, world, h.m, bias);
    for (size_t r = 0; r < h.m; r++) {
        bias[r] = -bias[r];
    }
    held_solve(&h, f, bias, a);
}

/* Accelerations of the coordinates under the loads of the bodies. */
static void coordinate_accelerations(const perp_world *world, double *qdd)
{
    const perp_reduced *r = world->reduced;
    double f[WIDE] = {0};
    perp_error err = {0};

    for (size_t k = 0; k < world->start->trees->count; k++) {
        memcpy(f + 6 * k, world->start->load + 6 * (size_t)r->body[k], 6 * sizeof *f);
    }
    OK(perp_articulation_aba(world->start->trees, NULL, f, qdd, &err));
}

static double motion_qdd[WIDE]; /* of the tree whose motion is followed */

/* Velocities of all bodies on the parabola q + t qd + t^2 qdd/2. */
static void velocities_at(perp_world *world, double t, double *out)
{
    perp_articulation *tree = world->start->trees;
    double q[WIDE];
    double qd[WIDE];
    double s[7 * BODIES];
    double u[6 * BODIES];
    perp_error err = {0};

    memcpy(q, tree->q, tree->n * sizeof *q);
    memcpy(qd, tree->qd, tree->n * sizeof *qd);
    memcpy(s, world->start->s, 7 * world->body_count * sizeof *s);
    memcpy(u, world->start->u, 6 * world->body_count * sizeof *u);
    drift(world, t); /* what the trees hang on; the links follow from q */
    for (size_t k = 0; k < tree->n; k++) {
        tree->q[k] += t * (qd[k] + 0.5 * t * motion_qdd[k]);
        tree->qd[k] += t * motion_qdd[k];
    }
    OK(perp_world_forward_kinematics(world, world->start, &err));
    memcpy(out, world->start->u, 6 * world->body_count * sizeof *out);
    memcpy(world->start->s, s, 7 * world->body_count * sizeof *s);
    memcpy(world->start->u, u, 6 * world->body_count * sizeof *u);
    memcpy(tree->q, q, tree->n * sizeof *q);
    memcpy(tree->qd, qd, tree->n * sizeof *qd);
    OK(perp_world_forward_kinematics(world, world->start, &err));
}

static void check_accelerations(perp_world *world)
{
    const size_t n = 6 * world->body_count;
    double expected[WIDE];
    double found[WIDE];

    held_accelerations(world, expected);
    coordinate_accelerations(world, motion_qdd);
    differentiate(velocities_at, world, n, found);
    for (size_t c = 0; c < n; c++) {
        if (world->motion[c / 6] != PERP_MOTION_DYNAMIC) {
            found[c] = expected[c] = 0.0;
        }
    }
    test_agree("accelerations", found, expected, n,
               tolerance * fmax(1.0, test_largest(n, expected)));
}

static void each_mechanism(unsigned dimension,
                           void (*visit)(perp_world *world, perp_random *g))
{
    static const perp_motion bases[] = {PERP_MOTION_STATIC, PERP_MOTION_DYNAMIC,
                                        PERP_MOTION_KINEMATIC};
    static const perp_reduction euler = {.euler = true};

    for (uint64_t seed = 1; seed <= 12; seed++) {
        perp_random g = {seed};
        perp_world *world = mechanism_new(dimension, LINKS, bases[seed % 3], seed);

        mechanism_reduce(world, seed % 4 == 0 ? &euler : NULL);
        mechanism_move(world, &g);
        visit(world, &g);
    }
}

static void accelerate(perp_world *world, perp_random *g)
{
    (void)g;
    check_accelerations(world);
}

TEST(trees_accelerate_as_bodies_held_by_multipliers)
{
    each_mechanism(3, accelerate);
}

TEST(trees_in_the_plane_accelerate_as_bodies_held_by_multipliers)
{
    each_mechanism(2, accelerate);
}
