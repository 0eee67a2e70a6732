/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/reduced_steps.c: what impulses do to a step of trees, motions whose
 * answer is known: springs, a body alone, a heavy top; and what is refused. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "random_forest.h"
#include "scarce.h"
#include "world_run.h"

enum { METHODS = PERP_INTEGRATOR_MOMENTUM + 1 };

/* An impulse on one link moves all by H^-1 J^T: hinges have nu = dq/dt, so that coordinates move by
 * dt nu+, by the mean of nu and nu+, or by nu alone. */
TEST(impulses_move_trees_by_the_mean_of_their_velocities)
{
    static const double impulse[12] = {0, 0, 0, 0, 0, 0, 0.3, -0.1, 0.5, 0.2, 0.1, 0.0};

    for (int k = 0; k < METHODS; k++) {
        perp_world *w = forest_pendulum();
        perp_scheme scheme = run_scheme_by(k, 0.01);
        perp_free_motion motion = {0};
        const bool ends =
            k == PERP_INTEGRATOR_SEMI_IMPLICIT || k == PERP_INTEGRATOR_IMPLICIT;
        const double share = ends ? 1.0 : k == PERP_INTEGRATOR_EXPLICIT ? 0.0 : 0.5;
        perp_articulation *tree = NULL;
        double u[6 * 3];
        double du[6 * 2];
        double dnu[2];
        double q[2];
        double nu[2];

        forest_reduce(w, NULL);
        tree = w->start->trees;
        memcpy(q, tree->q, sizeof q);
        OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
        OK(perp_articulation_factor(tree, 0.0, NULL));
        perp_articulation_solve_mass(tree, NULL, impulse, dnu, du);
        memcpy(u, motion.u, sizeof u);
        for (size_t c = 0; c < 12; c++) {
            u[6 * (size_t)w->reduced->body[c / 6] + c % 6] += du[c];
        }
        for (size_t c = 0; c < 2; c++) {
            nu[c] = motion.u[6 * 3 + c] + dnu[c];
            q[c] += 0.01 * ((1.0 - share) * tree->qd[c] + share * nu[c]);
        }
        OK(perp_free_motion_finish(&motion, w, w->start, u, &scheme, NULL));
        test_agree("rates", tree->qd, nu, 2, 1e-12); /* of some rad/s: rounding */
        test_agree("coordinates", tree->q, q, 2, 1e-13);
        perp_free_motion_clear(&motion);
    }
}

/* A rod on a hinge through its end with a spring of the mobilizer, without weight, and
 * the same equation, x'' = -omega^2 (x - x0), of a body of mass 1 under a user's force. */
typedef struct oscillator {
    double omega2, rest;
} oscillator;

static void pull(void *context, const perp_world *w, const perp_state *state, double *f)
{
    const oscillator *o = context;

    (void)w;
    f[0] -= o->omega2 * (perp_body_pose(state, 0)[0] - o->rest);
}

static perp_world *pulled_body(oscillator *o, double x, double v)
{
    perp_world *w = test_world(3, 0.0);
    perp_force f = {
        .type = perp_force_type_find("user"), .j = -1, .call = pull, .context = o};

    test_ball(w, "ball", 1.0, 0.1, x, 0, 0);
    perp_body_velocity(w->start, 0)[0] = v;
    OK(perp_world_add_force(w, &f, NULL));
    return w;
}

static perp_world *spring_pendulum(double stiffness, double rest)
{
    perp_world *w = test_world(3, 0.0);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    int32_t rod = forest_rod(w, "rod", 1.5, 0, 0.5, 0, 0);

    run_joint(w, "revolute", base, rod, (const double[]){0, 0, 0},
              (const double[]){0, 0, 1});
    perp_body_velocity(w->start, (size_t)rod)[5] = 0.7;
    forest_reduce(w, NULL);
    w->start->trees->links[0].stiffness[0] = stiffness;
    w->start->trees->links[0].rest[0] = rest;
    return w;
}

TEST(springs_of_joints_swing_as_one_equation_does)
{
    /* about the end: m (L^2 + t^2)/12 + m L^2/4 */
    const double inertia = 1.5 * (1.04 / 12.0 + 0.25);
    /* omega h = 0.08, and 80: there implicit Euler alone has an answer */
    static const double stiffness[2] = {32.0, 3.2e5};

    for (int k = 0; k < METHODS; k++) {
        for (int stiff = 0; stiff < (k == PERP_INTEGRATOR_IMPLICIT ? 2 : 1); stiff++) {
            oscillator o = {stiffness[stiff] / inertia, 0.3};
            perp_world *w = spring_pendulum(stiffness[stiff], o.rest);
            const perp_articulation *tree = w->start->trees;
            perp_world *body = pulled_body(&o, tree->q[0], tree->qd[0]);

            forest_fly(w, (perp_integrator)k, 0.01, 100);
            forest_fly(body, (perp_integrator)k, 0.01, 100);
            /* rounding of 100 steps; Newton's method to 1e-13 of a step */
            test_agree("x", tree->q, body->start->s, 1, 1e-11);
            test_agree("v", tree->qd, body->start->u, 1, 1e-10);
        }
    }
}

/* A damper as stiff: one step of implicit Euler divides the velocity by 1 + h d/I. */
TEST(dampers_of_joints_are_implicit)
{
    const double inertia = 1.5 * (1.04 / 12.0 + 0.25);
    perp_world *w = spring_pendulum(0.0, 0.0);
    double v = w->start->trees->qd[0] / (1.0 + 0.01 * 4000.0 / inertia);

    w->start->trees->links[0].damping[0] = 4000.0;
    forest_fly(w, PERP_INTEGRATOR_IMPLICIT, 0.01, 1);
    CU_ASSERT_DOUBLE_EQUAL(w->start->trees->qd[0], v, 1e-12);
}

static perp_world *tumbling(const perp_reduction *how)
{
    perp_world *w = test_world(3, 0.0);
    int32_t k = forest_rod(w, "alone", 1.2, 0, 0.1, 0.2, 0.3);
    double *u = perp_body_velocity(w->start, (size_t)k);

    w->inertia[0] = 0.05;
    w->inertia[8] = 0.12;
    vec3_set(u, 0.5, -1.0, 0.2);
    vec3_set(u + 3, 1.0, 2.0, -0.5);
    perp_world_refresh(w, w->start);
    if (how) {
        forest_reduce(w, how);
    }
    return w;
}

TEST(a_body_alone_moves_as_in_maximal_coordinates)
{
    static const perp_reduction all = {.free_bodies = true};

    for (int k = 0; k < METHODS; k++) {
        double apart[2];
        double L0[3];
        double turned[2];

        for (int fine = 0; fine < 2; fine++) {
            size_t steps = fine ? 400 : 200;
            perp_world *maximal = tumbling(NULL);
            perp_world *reduced = tumbling(&all);
            double p0[3];
            double p[3];
            double L[3];

            perp_world_momentum(maximal, maximal->start, p0);
            perp_world_angular_momentum(maximal, maximal->start, L0);
            maximal->gyro[0] = PERP_GYRO_IMPLICIT_BODY;
            forest_fly(maximal, (perp_integrator)k, 1.0 / (double)steps, steps);
            forest_fly(reduced, (perp_integrator)k, 1.0 / (double)steps, steps);
            apart[fine] = forest_distance(maximal, reduced);
            perp_world_momentum(reduced, reduced->start, p);
            perp_world_angular_momentum(reduced, reduced->start, L);
            test_agree("momentum", p, p0, 3, 1e-13); /* rounding */
            vec3_subtract(L, L0, L);
            turned[fine] = vec3_length(L);
        }
        /* at least of order 1: half, and a tenth for the next term; rounding */
        CU_ASSERT(apart[1] < 0.55 * apart[0] + 1e-12);
        CU_ASSERT(apart[1] < 0.02);
        CU_ASSERT(turned[1] < 0.55 * turned[0] + 1e-12);
    }
}

/* Lagrange's top in steady precession: with I1 about the pivot, I3 and spin w3 about the
 * axis, tilt th,  I1 cos(th) W^2 - I3 w3 W + m g l = 0  gives the rate W about z. */
TEST(a_heavy_top_precesses_as_lagrange_says)
{
    const double m = 1.0;
    const double g = 9.81;
    const double l = 0.5;
    const double I1 = 0.12 + m * l * l;
    const double I3 = 0.2;
    const double w3 = 20.0;
    const double tilt = 0.4;
    const double T = 2.0;
    const double b = I3 * w3;
    const double rate =
        (b - sqrt(b * b - 4.0 * I1 * cos(tilt) * m * g * l)) / (2.0 * I1 * cos(tilt));
    const double e[3] = {sin(tilt), 0.0, cos(tilt)};
    perp_world *w = test_world(3, g);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    perp_body top = {.name = "top",
                     .mass = m,
                     .inertia = {0.12, 0, 0, 0, 0.12, 0, 0, 0, I3},
                     .r = {l * e[0], 0.0, l * e[2]},
                     .q = {cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0}};
    double at[3] = {l * sin(tilt) * cos(rate * T), l * sin(tilt) * sin(rate * T),
                    l * cos(tilt)};

    for (int c = 0; c < 3; c++) {
        top.w[c] = (w3 - rate * e[2]) * e[c] + (c == 2 ? rate : 0.0);
    }
    vec3_cross(top.w, top.r, top.v);
    OK(perp_world_add_body(w, &top, NULL, NULL));
    run_joint(w, "spherical", base, 1, (const double[]){0, 0, 0}, NULL);
    forest_reduce(w, NULL);
    /* RK4: T w3 (w3 h)^4/120 = 1e-8 */
    CU_ASSERT(forest_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 2000) < 1e-6);
    test_agree("place", perp_body_pose(w->start, 1), at, 3, 1e-7);
}

TEST(a_link_that_is_not_finite_is_named)
{
    perp_world *w = forest_crowd("spherical", NULL, (const double[]){0, 0, 2});
    perp_articulation *tree = NULL;
    perp_scheme scheme = run_scheme_by(PERP_INTEGRATOR_RK4, 0.01);
    perp_free_motion motion = {0};
    perp_error err = {0};

    forest_reduce(w, NULL);
    tree = w->start->trees;
    tree->qd[6] = NAN;
    CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected finite numbers"));
    CU_ASSERT(tree->switch_chart);
    perp_free_motion_clear(&motion);
}

/* A rod as thin as a line, on a hinge along it. */
TEST(a_joint_that_nothing_resists_is_named)
{
    for (int k = 0; k < METHODS; k++) {
        perp_world *w = test_world(3, 9.81);
        int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
        int32_t rod = forest_rod(w, "rod", 1.0, 0, 0.5, 0, 0);
        perp_scheme scheme = run_scheme_by(k, 0.01);
        perp_free_motion motion = {0};
        perp_error err = {0};

        run_joint(w, "revolute", base, rod, (const double[]){0, 0, 0},
                  (const double[]){1, 0, 0});
        w->inertia[9 * rod] = 0.0;
        forest_reduce(w, NULL);
        CU_ASSERT_EQUAL(perp_free_motion_run(&motion, w, w->start, &scheme, &err),
                        PERP_ERR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "H is singular"));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "joint \"revolute 0-1\""));
        perp_free_motion_clear(&motion);
    }
}

/* A turn of 2 pi in ten steps, coordinates kept: at the tenth nothing tells how they go
 * on. */
TEST(coordinates_that_may_not_be_exchanged_end_at_their_singularity)
{
    static const perp_reduction keep = {.no_chart_switch = true};

    for (int k = 0; k < METHODS; k++) {
        perp_world *w = test_world(3, 0.0);
        int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
        int32_t rod = forest_rod(w, "rod", 1.0, 0, 0.5, 0, 0);
        perp_scheme scheme = run_scheme_by(k, 0.1);
        perp_free_motion motion = {0};
        perp_error err = {0};
        perp_status status = PERP_OK;
        int steps = 0;

        run_joint(w, "spherical", base, rod, (const double[]){0, 0, 0}, NULL);
        perp_body_velocity(w->start, (size_t)rod)[3] = 2.0 * acos(-1.0);
        forest_reduce(w, &keep);
        while (status == PERP_OK && steps < 12) {
            status = perp_free_motion_run(&motion, w, w->start, &scheme, &err);
            if (status == PERP_OK) {
                status = perp_free_motion_finish(&motion, w, w->start, motion.u, &scheme,
                                                 &err);
            }
            steps++;
        }
        CU_ASSERT_EQUAL(status, PERP_ERR_DATA);
        CU_ASSERT_EQUAL(steps, 10);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(err.text, "joint \"spherical 0-1\": spherical at its singularity"));
        perp_free_motion_clear(&motion);
    }
}

TEST(a_flow_survives_without_memory)
{
    perp_world *w = forest_crowd("spherical", NULL, (const double[]){0, 0, 2});

    forest_reduce(w, NULL);
    scarce_everywhere(run_implicit_motion, w, "implicit flow of trees");
}
