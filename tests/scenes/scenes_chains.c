/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_chains.c: the scenes of many joints: chain, bridge, rag doll. */
#include <config.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multiroots.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene_run.h"

enum { LINKS = 50 };

/* n rigid links of a length between two points at one height, hinged at their ends, of
 * weights w [N] at their middles. */
typedef struct catenary {
    size_t n;
    double length, span;
    double w[LINKS];
    double slope[LINKS]; /* angle from the horizontal [rad] */
    double H, V; /* pull of the chain on its left support: inwards, downwards [N] */
} catenary;

/* Moments about the middle of a link: tan = -(V_k + V_k+1)/(2 H), V_k+1 = V_k - w_k. */
static int catenary_miss(const gsl_vector *x, void *context, gsl_vector *miss)
{
    catenary *c = context;
    double V = gsl_vector_get(x, 1);
    double across = 0.0;
    double up = 0.0;

    c->H = gsl_vector_get(x, 0);
    c->V = V;
    for (size_t k = 0; k < c->n; k++) {
        c->slope[k] = atan2(-(V - 0.5 * c->w[k]), c->H);
        across += c->length * cos(c->slope[k]);
        up += c->length * sin(c->slope[k]);
        V -= c->w[k];
    }
    gsl_vector_set(miss, 0, across - c->span);
    gsl_vector_set(miss, 1, up);
    return GSL_SUCCESS;
}

static void catenary_solve(catenary *c)
{
    gsl_multiroot_function f = {catenary_miss, 2, c};
    gsl_multiroot_fsolver *s =
        gsl_multiroot_fsolver_alloc(gsl_multiroot_fsolver_hybrids, 2);
    gsl_vector *x = gsl_vector_alloc(2);
    double weight = 0.0;
    int status = GSL_CONTINUE;

    CU_ASSERT_FATAL(s && x);
    for (size_t k = 0; k < c->n; k++) {
        weight += c->w[k];
    }
    gsl_vector_set_all(x, 0.5 * weight);
    gsl_multiroot_fsolver_set(s, &f, x);
    for (int k = 0; k < 200 && status == GSL_CONTINUE; k++) {
        gsl_multiroot_fsolver_iterate(s);
        status = gsl_multiroot_test_residual(s->f, 1e-13);
    }
    CU_ASSERT_EQUAL_FATAL(status, GSL_SUCCESS);
    catenary_miss(s->x, c, s->f);
    gsl_multiroot_fsolver_free(s);
    gsl_vector_free(x);
}

/* Greatest distance of the angles of "link 0", "link 1", … from the catenary. */
static double off_catenary(const play *p, const catenary *c, const char *link)
{
    double worst = 0.0;

    for (size_t k = 0; k < c->n; k++) {
        char name[32];

        snprintf(name, sizeof name, "%s %zu", link, k);
        worst = fmax(worst, fabs(play_angle(p, name) - c->slope[k]));
    }
    return worst;
}

TEST(a_chain_comes_to_hang_as_a_catenary)
{
    play p = play_scene("chain");
    catenary c = {.n = LINKS, .length = 0.2};
    double force[2];
    double off = 0.0;
    /* swings die out as e^(-1.5 t), the shares that its lowest ones keep of 1 rad */
    double time = play_long() ? p.time : play_brief() ? 3.0 : 7.5;
    double rest = 3.0 * exp(-1.5 * time) + 1e-6;

    /* a half circle in chords of 20 cm */
    c.span = 2.0 * 0.1 / sin(acos(-1.0) / 100.0);
    for (size_t k = 0; k < c.n; k++) {
        c.w[k] = 0.2 * 9.81;
    }
    catenary_solve(&c);
    play_until(&p, time);
    off = off_catenary(&p, &c, "link");
    play_force(&p, "joint 0", PERP_ROLE_JOINT, 2, force);
    CU_ASSERT_DOUBLE_EQUAL(off, 0.0, rest);
    CU_ASSERT_DOUBLE_EQUAL(force[0], c.H, 100.0 * rest); /* of a weight of 98 N */
    CU_ASSERT_DOUBLE_EQUAL(force[1], -c.V, 100.0 * rest);
    if (!play_long() && !play_brief()) {
        page_says("chain", "horizontal pull of the catenary [N]", c.H);
        page_says("chain", "horizontal pull after 7.5 s [N]", force[0]);
        page_says("chain", "vertical pull after 7.5 s [N]", -force[1]);
        page_says("chain", "angles off the catenary after 7.5 s [rad]", off);
        page_says("chain", "greatest drift of the joints [m]", p.drift_length);
        page_says("chain", "drift of the joints after 7.5 s [m]",
                  p.run.report.drift_length);
    }
    play_end(&p);
}

TEST(a_bridge_sags_under_its_load)
{
    play p = play_scene("bridge");
    catenary c = {.n = 16, .length = 0.5};
    double time = play_long() ? p.time : play_brief() ? 3.0 : 7.0;
    double rest = exp(-1.5 * time) + 1e-6;
    double force[3];
    double off = 0.0;

    /* an arc of 60 deg in chords of half a metre */
    c.span = 2.0 * 0.25 / sin(acos(-1.0) / 96.0) * 0.5;
    for (size_t k = 0; k < c.n; k++) {
        c.w[k] = 10.0 * 9.81 + (k == 4 ? 200.0 : 0.0);
    }
    catenary_solve(&c);
    play_until(&p, time);
    off = off_catenary(&p, &c, "plank");
    play_force(&p, "hinge 0", PERP_ROLE_JOINT, 3, force);
    CU_ASSERT_DOUBLE_EQUAL(off, 0.0, rest);
    CU_ASSERT_DOUBLE_EQUAL(force[0], c.H, 2000.0 * rest); /* of a weight of 1770 N */
    CU_ASSERT_DOUBLE_EQUAL(force[2], -c.V, 2000.0 * rest);
    CU_ASSERT_DOUBLE_EQUAL(force[1], 0.0, 1e-6);
    if (!play_long() && !play_brief()) {
        double sag = 0.0;

        for (size_t k = 0; k < c.n / 2; k++) {
            sag -= c.length * sin(c.slope[k]);
        }
        page_says("bridge", "sag in the middle, of the catenary [m]", sag);
        page_says("bridge", "sag in the middle after 7 s [m]",
                  play_pose(&p, "plank 0")[2] + 0.25 * sin(-play_angle(&p, "plank 0")) -
                      play_pose(&p, "plank 7")[2] +
                      0.25 * sin(-play_angle(&p, "plank 7")));
        page_says("bridge", "horizontal pull of the catenary [N]", c.H);
        page_says("bridge", "horizontal pull after 7 s [N]", force[0]);
        page_says("bridge", "angles off the catenary after 7 s [rad]", off);
        page_says("bridge", "greatest drift of the hinges [m]", p.drift_length);
    }
    play_end(&p);
}

/* How far the angles of elbows and knees are beyond 0 and 140 deg. */
static double beyond_limits(const play *p)
{
    const perp_world *w = p->run.world;
    double worst = 0.0;

    for (size_t k = 0; k < w->joint_count; k++) {
        const perp_axis *a = &w->joints[k].axes[0];

        if (a->has_lower) {
            worst = fmax(worst, fmax(a->lower - a->value, a->value - a->upper));
        }
    }
    return worst;
}

TEST(a_rag_doll_falls_and_keeps_its_limits)
{
    play p = play_scene("rag-doll");
    double end = play_brief() ? 0.6 : p.time;
    double beyond = 0.0;

    while (play_world(&p)->start->t < end - 0.5 * p.scheme.dt) {
        play_steps(&p, 1);
        beyond = fmax(beyond, beyond_limits(&p));
    }
    /* what Newton's method leaves after four rounds of corrections,
     * of turns of some 0.1 */
    CU_ASSERT(beyond < 1e-6);
    CU_ASSERT(p.drift_length < 1e-6 && p.drift_angle < 1e-6);
    CU_ASSERT(p.penetration < 1e-6);
    /* 1000 J and impulses to 1e-8: energy never grows by more than that leaves */
    CU_ASSERT(p.rise < 1e-5);
    CU_ASSERT(p.run.energy < p.energy);
    if (!play_brief()) {
        page_says("rag-doll", "energy at the start [J]", p.energy);
        page_says("rag-doll", "most that the energy grew in a step [J]", p.rise);
        page_says("rag-doll", "beyond the limits of elbows and knees [rad]", beyond);
        page_says("rag-doll", "drift of joints and cones [m]", p.drift_length);
        page_says("rag-doll", "drift of joints and cones, cosines [-]", p.drift_angle);
        page_says("rag-doll", "penetration of the floor [m]", p.penetration);
        /* lies on the floor */
        CU_ASSERT(play_pose(&p, "torso 1")[2] < 0.25 &&
                  play_pose(&p, "head 1")[2] < 0.25);
    }
    play_end(&p);
}

/* Momentum and angular momentum that impulses alone gave in the last step: those of
 * joints, cones, limits, and contacts of one limb with another. */
static void given(const play *p, double force[3], double moment[3], double before[7 * 16])
{
    const perp_world *w = p->run.world;
    const perp_system *system = perp_stepper_system(p->run.stepper);
    double du[6 * 16];

    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    perp_system_impulses(system, perp_stepper_result(p->run.stepper)->z, du);
    for (size_t k = 0; k < w->body_count; k++) {
        double P[3];
        double R[9];
        double I[9];
        double L[3];

        perp_rotation_matrix(before + 7 * k + 3, R);
        perp_inertia_rotate(w->inertia + 9 * k, R, I);
        vec3_scale(w->mass[k], du + 6 * k, P);
        vec3_add(force, 1.0, P, force);
        vec3_cross(before + 7 * k, P, L);
        vec3_add(moment, 1.0, L, moment);
        for (int c = 0; c < 3; c++) {
            moment[c] += vec3_dot(I + 3 * c, du + 6 * k + 3);
        }
    }
}

TEST(a_doll_in_free_flight_keeps_its_momentum)
{
    perp_scene *scene = play_read("rag-doll");
    perp_random g = {7};
    double p0[3];
    double p1[3];
    double worst = 0.0;
    play p;

    memset(scene->world->gravity, 0, sizeof scene->world->gravity);
    for (size_t k = 0; k < scene->world->body_count; k++) {
        if (scene->world->motion[k] == PERP_MOTION_DYNAMIC) {
            perp_body_pose(scene->world->start, k)[2] += 100.0; /* far from the floor */
            for (int c = 0; c < 6; c++) {
                perp_body_velocity(scene->world->start, k)[c] =
                    perp_random_uniform(&g, -2.0, 2.0);
            }
        }
    }
    perp_world_momentum(scene->world, scene->world->start, p0);
    p = play_start(scene, NULL);
    for (int step = 0; step < 120; step++) {
        double before[7 * 16];
        double force[3];
        double moment[3];
        const perp_world *w = play_world(&p);

        CU_ASSERT_FATAL(w->body_count <= 16);
        memcpy(before, w->start->s, 7 * w->body_count * sizeof *before);
        play_steps(&p, 1);
        given(&p, force, moment, before);
        worst = fmax(worst, vec3_length(force));
        /* anchors that are 1e-8 m apart, 100 N s, and rounding at 100 m from the
         * origin */
        CU_ASSERT(vec3_length(moment) < 1e-6);
    }
    CU_ASSERT(worst < 1e-11); /* rounding of impulses of 100 N s */
    perp_world_momentum(play_world(&p), play_world(&p)->start, p1);
    vec3_subtract(p1, p0, p1);
    CU_ASSERT(vec3_length(p1) < 1e-10); /* of 120 steps */
    page_says("rag-doll", "momentum gained in 120 steps of free flight [N s]",
              vec3_length(p1));
    play_end(&p);
}
