/* SPDX-License-Identifier: Apache-2.0
 * tests/support/random_forest.c: worlds whose joints form trees, and their reference. */
#include <config.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_forest.h"
#include "world_run.h"

int32_t forest_rod(perp_world *w, const char *name, double mass, int along, double x,
                   double y, double z)
{
    perp_body body = {.name = name, .mass = mass, .r = {x, y, z}};
    int32_t k = -1;

    for (int c = 0; c < 3; c++) {
        double thick = 0.2 * 0.2;
        double length = c == along ? thick : 1.0;

        body.inertia[4 * c] = mass * (length + thick) / 12.0;
    }
    OK(perp_world_add_body(w, &body, &k, NULL));
    return k;
}

/* Angular velocities for all; the rest is what joints make of them. */
static void set_spinning(perp_world *w)
{
    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            double *omega = perp_body_velocity(w->start, k) + 3;

            omega[0] = 1.5 - (double)k;
            omega[1] = 0.5 + 0.7 * (double)k;
            omega[2] = -1.0 + 0.4 * (double)(k * k);
        }
    }
}

perp_world *forest_pendulum(void)
{
    static const double first[3] = {0, 1, 0};
    static const double second[3] = {0, 0.8, 0.6};
    perp_world *w = test_world(3, 9.81);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    int32_t a = forest_rod(w, "upper", 1.0, 0, 0.5, 0, 0);
    int32_t b = forest_rod(w, "lower", 0.6, 2, 1.0, 0, -0.5);

    run_joint(w, "revolute", base, a, (const double[]){0, 0, 0}, first);
    run_joint(w, "revolute", a, b, (const double[]){1, 0, 0}, second);
    set_spinning(w);
    return w;
}

perp_world *forest_chain(void)
{
    perp_world *w = test_world(3, 9.81);
    int32_t before = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);

    for (int k = 0; k < 3; k++) {
        char name[16];
        int32_t next = 0;

        snprintf(name, sizeof name, "rod %d", k);
        next = forest_rod(w, name, 1.0 - 0.2 * k, 0, 0.5 + k, 0, 0);
        run_joint(w, "spherical", before, next, (const double[]){k, 0, 0}, NULL);
        before = next;
    }
    set_spinning(w);
    return w;
}

perp_world *forest_floating(void)
{
    perp_world *w = test_world(3, 9.81);
    int32_t trunk = forest_rod(w, "trunk", 2.0, 0, 0, 0, 0);
    int32_t ball = forest_rod(w, "spherical", 0.7, 1, 0.5, 0.5, 0);
    int32_t hinge = forest_rod(w, "revolute", 0.5, 2, -0.5, 0, 0.5);
    int32_t cross = forest_rod(w, "cross", 0.4, 0, -1.0, 0, 1.0);
    int32_t slider = forest_rod(w, "prismatic", 0.6, 1, 0.5, 1.5, 0);

    run_joint(w, "spherical", trunk, ball, (const double[]){0.5, 0, 0}, NULL);
    run_joint(w, "revolute", trunk, hinge, (const double[]){-0.5, 0, 0},
              (const double[]){1, 0, 0});
    run_joint(w, "universal", hinge, cross, (const double[]){-0.5, 0, 1.0},
              (const double[]){0, 1, 0});
    run_joint(w, "prismatic", ball, slider, (const double[]){0.5, 1.0, 0},
              (const double[]){0, 1, 0});
    set_spinning(w);
    return w;
}

perp_world *forest_crowd(const char *joint, const double along[3], const double spin[3])
{
    perp_world *w = forest_floating();
    perp_body platform = {.name = "platform",
                          .motion = PERP_MOTION_KINEMATIC,
                          .r = {5, 0, 0},
                          .v = {0.5, 0, 0},
                          .w = {spin[0], spin[1], spin[2]}};
    const perp_force drag = {
        .type = perp_force_type_find("drag"), .i = 1, .j = -1, .value = {0.1, 0.1, 0.1}};
    int32_t base = 0;
    int32_t arm = 0;

    OK(perp_world_add_body(w, &platform, &base, NULL));
    arm = forest_rod(w, "arm", 0.5, 0, 5.5, 0, 0);
    run_joint(w, joint, base, arm, (const double[]){5, 0, 0}, along);
    forest_rod(w, "alone", 0.5, 1, 0, 5, 0);
    OK(perp_world_add_force(w, &drag, NULL));
    return w;
}

void forest_reduce(perp_world *w, const perp_reduction *how)
{
    perp_error err = {0};
    perp_status status = perp_world_reduce(w, how, &err);

    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    OK(status);
}

typedef struct reference {
    perp_world *w;
    double *f, *links, *start; /* 6 a body, 6 a link, 7 a body: poses at time 0 */
} reference;

/* What is kinematic, where it is at time t. */
static void reference_bases(const reference *r, double t)
{
    perp_world *w = r->w;

    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_KINEMATIC) {
            double *pose = perp_body_pose(w->start, k);
            const double *u = perp_body_velocity(w->start, k);

            memcpy(pose, r->start + 7 * k, 7 * sizeof *pose);
            for (int c = 0; c < 3; c++) {
                pose[c] += t * u[c];
            }
            perp_quat_turn(pose + 3, u + 3, t, PERP_TURN_EXPONENTIAL, NULL, 0.0);
        }
    }
}

static int reference_rate(double t, const double y[], double dydt[], void *context)
{
    const reference *r = context;
    perp_articulation *tree = r->w->start->trees;
    size_t n = tree->n;
    double tau[64] = {0};
    perp_status status = PERP_OK;

    memcpy(tree->q, y, n * sizeof *y);
    memcpy(tree->qd, y + n, n * sizeof *y);
    reference_bases(r, t);
    status = perp_world_forward_kinematics(r->w, r->w->start, NULL);
    perp_world_forces(r->w, r->w->start, false, r->f);
    for (size_t k = 0; k < tree->count; k++) {
        memcpy(r->links + 6 * k, r->f + 6 * r->w->reduced->body[k], 6 * sizeof *r->f);
    }
    memset(tree->gravity, 0, sizeof tree->gravity); /* it is among the forces */
    perp_articulation_passive(tree, tau);
    if (status == PERP_OK) {
        status = perp_articulation_aba(tree, tau, r->links, dydt + n, NULL);
    }
    memcpy(dydt, y + n, n * sizeof *y);
    return status == PERP_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* From 0 to T in one chart. */
static void reference_piece(reference *r, double T)
{
    perp_articulation *tree = r->w->start->trees;
    size_t n = tree->n;
    gsl_odeiv2_system system = {reference_rate, NULL, 2 * n, r};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
    double y[128];
    double t = 0.0;
    bool switch_chart = tree->switch_chart;

    CU_ASSERT_FATAL(n <= 64);
    memcpy(y, tree->q, n * sizeof *y);
    memcpy(y + n, tree->qd, n * sizeof *y);
    memcpy(r->start, r->w->start->s, 7 * r->w->body_count * sizeof *y);
    tree->switch_chart = false;
    CU_ASSERT_EQUAL(gsl_odeiv2_driver_apply(driver, &t, T, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
    memcpy(tree->q, y, n * sizeof *y);
    memcpy(tree->qd, y + n, n * sizeof *y);
    reference_bases(r, T);
    tree->switch_chart = switch_chart;
    OK(perp_world_forward_kinematics(r->w, r->w->start, NULL));
}

void forest_reference(perp_world *w, double T)
{
    size_t n = w->body_count;
    int pieces = (int)ceil(T / 0.05 - 1e-9);
    reference r = {.w = w};

    r.f = calloc(19 * n, sizeof *r.f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.f);
    r.links = r.f + 6 * n;
    r.start = r.links + 6 * n;
    for (int k = 0; k < pieces; k++) {
        reference_piece(&r, T / pieces);
    }
    free(r.f);
}

double forest_distance(const perp_world *a, const perp_world *b)
{
    double most = 0.0;

    for (size_t k = 0; k < a->body_count; k++) {
        const double *p = perp_body_pose(a->start, k);
        const double *q = perp_body_pose(b->start, k);
        double P[9];
        double Q[9];

        perp_rotation_matrix(p + 3, P);
        perp_rotation_matrix(q + 3, Q);
        for (int c = 0; c < 9; c++) {
            most = fmax(most, fabs(P[c] - Q[c]));
        }
        for (int c = 0; c < 3; c++) {
            most = fmax(most, fabs(p[c] - q[c]));
        }
    }
    for (size_t c = 0; c < 6 * a->body_count; c++) {
        most = fmax(most, fabs(a->start->u[c] - b->start->u[c]));
    }
    return most;
}

static double total(const perp_world *w)
{
    double springs = 0.0; /* of mobilizers, which the world does not know */

    if (w->reduced) {
        perp_articulation *tree = w->start->trees;
        double gravity[3];

        memcpy(gravity, tree->gravity, sizeof gravity);
        memset(tree->gravity, 0, sizeof gravity);
        springs = perp_articulation_potential(tree);
        memcpy(tree->gravity, gravity, sizeof gravity);
    }
    return perp_world_kinetic(w, w->start) + perp_world_potential(w, w->start) +
           perp_world_stored(w, w->start) + springs;
}

double forest_fly(perp_world *w, perp_integrator integrator, double h, size_t steps)
{
    perp_free_motion motion = {0};
    perp_scheme scheme = run_scheme(h);
    double start = total(w);
    double most = 0.0;

    scheme.integrator = integrator;
    for (size_t k = 0; k < steps; k++) {
        perp_error err = {0};
        perp_status status = perp_free_motion_run(&motion, w, w->start, &scheme, &err);

        if (status != PERP_OK) {
            test_note("%s", err.text);
        }
        OK(status);
        OK(perp_free_motion_finish(&motion, w, w->start, motion.u, &scheme, NULL));
        w->start->t += h;
        most = fmax(most, fabs(total(w) - start));
    }
    perp_free_motion_clear(&motion);
    return most;
}
