/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/coordinates.c: maximal and reduced coordinates: a table of worlds, and
 * laws that run on every world they apply to. Laws of single steps are those of
 * tests/torture, which draws its worlds. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../torture/trees.h"
#include "articulation/articulated.h"
#include "math/vec3.h"
#include "random_forest.h"
#include "scene_run.h"

enum { METHODS = PERP_INTEGRATOR_MOMENTUM + 1, BODIES_MOST = 128, FREEDOM_MOST = 400 };

/* semi-implicit, explicit, implicit, three forms of Verlet's, midpoint, RK4, momentum */
static const double order[METHODS] = {1, 1, 1, 2, 2, 2, 2, 4, 2};
static const perp_reduction euler = {.euler = true};
static const perp_reduction all = {.free_bodies = true};

static perp_world *crowd(void)
{
    perp_world *w = forest_crowd("spherical", NULL, (const double[]){0, 0, 2});

    w->start->load[1] = 2.0;
    return w;
}

/* A rod on a ball joint at its end that goes around five times about its axis, which
 * itself swings. */
static perp_world *spinning(void)
{
    perp_world *w = test_world(3, 9.81);
    int32_t base = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    int32_t rod = forest_rod(w, "rod", 1.0, 0, 0.5, 0, 0);
    double *u = perp_body_velocity(w->start, (size_t)rod);

    run_joint(w, "spherical", base, rod, (const double[]){0, 0, 0}, NULL);
    vec3_set(u + 3, 25.0, 1.0, -2.0);
    vec3_set(u, 0.0, 0.0, 0.0);
    return w;
}

/* A chain on a platform that moves and turns, a load, a spring and a damper between its
 * links, and drag. */
static perp_world *driven(void)
{
    perp_world *w = forest_chain();
    perp_force spring = {.type = perp_force_type_find("spring"),
                         .i = 0,
                         .j = 3,
                         .anchor_i = {0.0, 0.5, 0.0},
                         .anchor_j = {0.2, 0.0, 0.0},
                         .value = {15.0, 0.4, 1.0}};
    perp_force drag = {
        .type = perp_force_type_find("drag"), .i = 2, .j = -1, .value = {0.2, 0.1, 0.05}};
    double *u = perp_body_velocity(w->start, 0);

    w->motion[0] = PERP_MOTION_KINEMATIC;
    u[0] = 0.5;
    u[4] = -1.5;
    u[5] = 2.0;
    w->start->load[6 * 2 + 1] = 3.0;
    w->start->load[6 * 3 + 4] = 0.5;
    OK(perp_world_add_force(w, &spring, NULL));
    OK(perp_world_add_force(w, &drag, NULL));
    return w;
}

/* A pendulum and a body without joints, drawn together by a spring. */
static perp_world *attracted(void)
{
    perp_world *w = forest_pendulum();
    int32_t alone = forest_rod(w, "alone", 0.8, 1, 2.5, 0.5, 0.2);
    perp_force spring = {.type = perp_force_type_find("spring"),
                         .i = 2,
                         .j = alone,
                         .anchor_i = {0.0, 0.0, -0.4},
                         .anchor_j = {0.0, 0.4, 0.0},
                         .value = {5.0, 0.0, 0.3}};
    double *u = perp_body_velocity(w->start, (size_t)alone);

    u[0] = 0.4;
    u[3] = 0.7;
    u[4] = -1.1;
    OK(perp_world_add_force(w, &spring, NULL));
    return w;
}

static perp_world *scene_world(const char *name)
{
    perp_scene *scene = play_read(name);
    perp_world *w = scene->world;

    scene->world = NULL;
    return w;
}

static perp_world *double_pendulum(void)
{
    return scene_world("double-pendulum");
}

static perp_world *four_bar(void)
{
    return scene_world("four-bar");
}

static perp_world *chain(void)
{
    return scene_world("chain");
}

/* The rag doll above the ground, thrown: all its joints and cones, no contact. */
static perp_world *doll(void)
{
    perp_world *w = scene_world("rag-doll");

    for (size_t k = 0; k < w->body_count; k++) {
        if (w->motion[k] == PERP_MOTION_DYNAMIC) {
            perp_body_pose(w->start, k)[2] += 3.0;
            vec3_set(perp_body_velocity(w->start, k) + 3, 0.5,
                     -1.0 + 0.2 * (double)(k % 3), 2.0);
        }
    }
    perp_world_refresh(w, w->start);
    return w;
}

typedef struct machine {
    const char *name;
    perp_world *(*make)(void);             /* in maximal coordinates */
    const perp_reduction *how, *reference; /* NULL: the usual way */
    bool conserves;                        /* energy is a measure of the order as well */
    double T; /* [s] that the order of integrators is measured over, 0: it is not */
    size_t steps;
    double both; /* [s] for which both coordinates move it, 0: they do not */
} machine;

static const machine machines[] = {
    {"double pendulum", forest_pendulum, NULL, NULL, true, 0.4, 160, 0.4},
    {"ball chain", forest_chain, NULL, NULL, true, 0.4, 160, 0.4},
    {"chain by Euler angles", forest_chain, &euler, NULL, true, 0.4, 160, 0.0},
    {"floating tree", forest_floating, NULL, NULL, true, 0.4, 160, 0.4},
    {"spin", spinning, NULL, NULL, true, 1.2, 2000, 0.0},
    {"driven chain", driven, NULL, NULL, false, 0.4, 160, 0.0},
    {"a body alone", attracted, NULL, &all, true, 0.4, 160, 0.0},
    {"all in coordinates", attracted, &all, &all, true, 0.4, 160, 0.0},
    {"crowd", crowd, NULL, &all, false, 0.4, 160, 0.0},
    {"scene double-pendulum", double_pendulum, NULL, NULL, false, 0.0, 0, 0.5},
    {"scene four-bar", four_bar, NULL, NULL, false, 0.0, 0, 0.3},
    {"scene chain", chain, NULL, NULL, false, 0.0, 0, 0.2},
    {"scene rag-doll", doll, NULL, NULL, false, 0.0, 0, 0.2},
};

enum { MACHINES = sizeof machines / sizeof *machines };

static perp_world *begin(const machine *m, const perp_reduction *how)
{
    perp_world *w = m->make();

    forest_reduce(w, how);
    return w;
}

/* Errors at the end after `steps` steps, of the state and of energy on the way. */
static void errors_of(const machine *m, const perp_world *reference, int method,
                      size_t steps, double error[2])
{
    perp_world *w = begin(m, m->how);

    error[1] = forest_fly(w, (perp_integrator)method, m->T / (double)steps, steps);
    error[0] = forest_distance(w, reference);
    perp_world_free(w);
}

/* The error of order p over half the step falls by 2^p; the next term of its series
 * shifts the exponent by a part that halves, too: a quarter is left at these steps.
 * Energy may do better than its method. */
static void has_its_order(const machine *m, const perp_world *reference, int method)
{
    static const char *const what[2] = {"state", "energy"};
    double coarse[2];
    double fine[2];

    errors_of(m, reference, method, m->steps, coarse);
    errors_of(m, reference, method, 2 * m->steps, fine);
    for (int k = 0; k < (m->conserves ? 2 : 1); k++) {
        double slope = log2(coarse[k] / fine[k]);
        bool good =
            fabs(slope - order[method]) < 0.25 || (k == 1 && slope > order[method]);

        if (!good || getenv("PERP_TEST_NOTES")) {
            test_note("%s, %s, %s: %.3e, %.3e, slope %.3f", m->name,
                      perp_integrator_names[method], what[k], coarse[k], fine[k], slope);
        }
        CU_ASSERT(good);
    }
}

TEST(each_integrator_moves_trees_at_its_order)
{
    for (const machine *m = machines; m < machines + MACHINES; m++) {
        if (m->T > 0.0) {
            perp_world *reference = begin(m, m->reference);

            forest_reference(reference, m->T);
            for (int method = 0; method < METHODS; method++) {
                has_its_order(m, reference, method);
            }
            perp_world_free(reference);
        }
    }
}

/* A run of steps by a direct or precise solver, errors of positions projected. */
static run moved(perp_world *w, double dt, double T)
{
    perp_scheme scheme = run_scheme(dt);
    run r;

    scheme.stabilize = PERP_STABILIZE_PROJECT;
    r = run_begin(w, &scheme, "auto", true);
    run_steps(&r, (size_t)lround(T / dt));
    CU_ASSERT_EQUAL(r.unsolved, 0);
    return r;
}

/* How far apart they are at the end. */
static double apart(const machine *m, double dt)
{
    perp_world *reduced = begin(m, m->how);
    perp_world *maximal = m->make();
    double distance = 0.0;

    /* what joints allow of the velocities that were asked for */
    memcpy(maximal->start->u, reduced->start->u,
           6 * maximal->body_count * sizeof *maximal->start->u);
    moved(maximal, dt, m->both);
    moved(reduced, dt, m->both);
    distance = forest_distance(maximal, reduced);
    return distance;
}

/* A step makes an error of order dt in each. Half the step, half the distance; its next
 * term is below a tenth at these steps. */
TEST(both_coordinates_meet_at_first_order)
{
    for (const machine *m = machines; m < machines + MACHINES; m++) {
        if (m->both > 0.0 && !(m->make == chain && play_brief())) {
            double coarse = apart(m, 2e-3);
            double fine = apart(m, 1e-3);

            if (fabs(coarse / fine - 2.0) > 0.2 || getenv("PERP_TEST_NOTES")) {
                test_note("%s: %.3e, %.3e, ratio %.3f", m->name, coarse, fine,
                          coarse / fine);
            }
            CU_ASSERT(fine < 0.1);
            CU_ASSERT_DOUBLE_EQUAL(coarse / fine, 2.0, 0.2);
        }
    }
}

/* The machine that is drawn, for a call without arguments. */
static perp_world *(*drawn)(void);

/* The laws free their worlds themselves. */
static perp_world *given(void)
{
    return test_given(drawn());
}

/* A, b, impulses and solutions of both; CRBA, ABA, RNEA and factors; coordinates and
 * back; other charts; steps that keep their books; a run that is saved and goes on. */
TEST(the_laws_of_drawn_worlds_hold)
{
    static const perp_model models[] = {PERP_MODEL_FRICTIONLESS, PERP_MODEL_ASSOCIATED};

    for (size_t k = 0; k < MACHINES; k++) {
        growth at = {0};
        forest_trial t = {.seed = 1, .index = k, .at = &at, .make = given};

        drawn = machines[k].make;
        perp_scheme_default(&t.told.scheme);
        t.told.scheme.dt = 1e-3;
        t.told.scheme.max_correction = 1.0;
        t.told.scheme.model = models[k % 2];
        t.told.how = machines[k].how ? *machines[k].how : t.told.how;
        t.told.lengths = 10.0;
        t.told.ratio = 10.0;
        torture_check_case(&t);
        if (t.fault[0]) {
            test_note("%s: %s", machines[k].name, t.fault);
        }
        CU_ASSERT(t.fault[0] == '\0');
        CU_ASSERT(at.steps > 0);
    }
}

/* Everything that a flow may move. */
typedef struct snapshot {
    double s[7 * BODIES_MOST], u[6 * BODIES_MOST], inverse[9 * BODIES_MOST];
    double q[FREEDOM_MOST], qd[FREEDOM_MOST], axes[BODIES_MOST * PERP_JOINT_AXES], t;
} snapshot;

static void look(const perp_world *w, snapshot *now)
{
    const perp_articulation *tree = w->start->trees;
    const size_t n = w->body_count;

    memset(now, 0, sizeof *now);
    CU_ASSERT_FATAL(n <= BODIES_MOST && tree->n <= FREEDOM_MOST &&
                    w->joint_count <= BODIES_MOST);
    memcpy(now->s, w->start->s, 7 * n * sizeof *now->s);
    memcpy(now->u, w->start->u, 6 * n * sizeof *now->u);
    memcpy(now->inverse, w->start->inverse_inertia, 9 * n * sizeof *now->inverse);
    memcpy(now->q, tree->q, tree->n * sizeof *now->q);
    memcpy(now->qd, tree->qd, tree->n * sizeof *now->qd);
    for (size_t k = 0; k < w->joint_count; k++) {
        memcpy(now->axes + PERP_JOINT_AXES * k, perp_joint_axes_of(w->start, k),
               PERP_JOINT_AXES * sizeof *now->axes);
    }
    now->t = w->start->t;
}

/* u_free of links are velocities of joints at the poses of the beginning: read back and
 * written again, they stay. */
static void check_free_velocities(const perp_world *w, const perp_free_motion *motion)
{
    perp_articulation *tree = w->start->trees;
    double links[6 * BODIES_MOST];
    double back[6 * BODIES_MOST];
    double qd[FREEDOM_MOST];

    for (size_t i = 0; i < tree->count; i++) {
        memcpy(links + 6 * i, motion->u + 6 * w->reduced->body[i], 6 * sizeof *links);
    }
    OK(articulated_fit_rates(tree, links, qd, NULL));
    perp_articulation_velocities(tree, qd, true, back);
    test_agree("u_free", back, links, 6 * tree->count, 1e-13); /* rounding */
    perp_articulation_quasi(tree, qd, qd);
    test_agree("nu_free", qd, motion->u + 6 * w->body_count, tree->n, 1e-12);
}

TEST(free_motion_leaves_the_world_as_it_was)
{
    static snapshot before;
    static snapshot after;

    for (const machine *m = machines; m < machines + MACHINES; m++) {
        perp_world *w = begin(m, m->how);
        perp_free_motion motion = {0};

        look(w, &before);
        for (int k = 0; k < METHODS; k++) {
            perp_scheme scheme = run_scheme_by(k, 0.01);

            OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
            look(w, &after);
            CU_ASSERT_EQUAL(memcmp(&before, &after, sizeof before), 0);
            CU_ASSERT(w->start->trees->switch_chart);
            CU_ASSERT_EQUAL(
                memcmp(w->start->trees->gravity, w->gravity, sizeof w->gravity), 0);
            check_free_velocities(w, &motion);
        }
        perp_free_motion_clear(&motion);
        perp_world_free(w);
    }
}

TEST(the_same_run_has_the_same_bits)
{
    static snapshot one;
    static snapshot two;

    for (const machine *m = machines; m < machines + MACHINES; m++) {
        for (int k = 0; k < METHODS && m->T > 0.0; k++) {
            perp_world *a = begin(m, m->how);
            perp_world *b = begin(m, m->how);

            forest_fly(a, (perp_integrator)k, 0.01, 20);
            for (int step = 0; step < 20; step++) {
                forest_fly(b, (perp_integrator)k, 0.01, 1); /* a new flow each */
            }
            look(a, &one);
            look(b, &two);
            CU_ASSERT_EQUAL(memcmp(&one, &two, sizeof one), 0);
            perp_world_free(a);
            perp_world_free(b);
        }
    }
}

/* Pushes move poses by their velocity, the base's own motion is none of it, and nu
 * stays. */
TEST(pushes_move_poses_and_leave_velocities)
{
    static snapshot before;
    const double dt = 1e-6;

    for (const machine *m = machines; m < machines + MACHINES; m++) {
        perp_world *w = begin(m, m->how);
        perp_articulation *tree = w->start->trees;
        perp_scheme scheme = run_scheme(0.01);
        double push[6 * BODIES_MOST] = {0};
        double links[6 * BODIES_MOST];
        double qd[FREEDOM_MOST];
        double nu[FREEDOM_MOST];

        look(w, &before);
        for (size_t c = 0; c < tree->n; c++) {
            qd[c] = 0.3 - 0.1 * (double)(c % 5);
        }
        perp_articulation_velocities(tree, qd, false, links);
        for (size_t k = 0; k < tree->count; k++) {
            memcpy(push + 6 * w->reduced->body[k], links + 6 * k, 6 * sizeof *links);
        }
        perp_articulation_quasi(tree, tree->qd, nu);
        OK(perp_world_move(w, w->start, push, dt, &scheme, NULL));
        perp_articulation_quasi(tree, tree->qd, qd);
        test_agree("nu", qd, nu, tree->n, 1e-13);
        for (size_t k = 0; k < w->body_count; k++) {
            double way[3];

            vec3_subtract(perp_body_pose(w->start, k), before.s + 7 * k, way);
            vec3_scale(1.0 / dt, way, way);
            /* centripetal: dt (1 rad/s)^2 4 m; rounding of 5 m: 1e-15/1e-6 */
            test_agree("push", way, push + 6 * k, 3, 1e-5);
        }
        perp_world_free(w);
    }
}

/* Between them |q| is at most pi and what a step adds: 25 rad/s for 1 ms. */
TEST(coordinates_are_exchanged_on_the_way)
{
    perp_world *w = spinning();
    const double *q = NULL;
    double before[3] = {0.0, 0.0, 0.0};
    int exchanges = 0;

    forest_reduce(w, NULL);
    q = w->start->trees->q;
    for (int k = 0; k < 1200; k++) {
        double jump = 0.0;

        forest_fly(w, PERP_INTEGRATOR_RK4, 1e-3, 1);
        for (int c = 0; c < 3; c++) {
            jump = fmax(jump, fabs(q[c] - before[c]));
            before[c] = q[c];
        }
        exchanges += jump > 1.0;
        CU_ASSERT(vec3_length(q) < 3.1416 + 0.03);
    }
    CU_ASSERT(exchanges >= 4); /* 30 rad: one in each turn */
}

/* Velocity terms of the middle of a step: at 1/60 s a chain that swings, its links
 * turning at some 10 rad/s, neither gains nor loses for good. 40 J are exchanged; the
 * change met is 7 J in 10 s, and twice that is allowed, since the motion is chaotic. Of
 * the 1.2 J of a floating tree without weight 0.07 come and go. */
TEST(semi_implicit_trees_keep_their_energy_at_coarse_steps)
{
    double T = getenv("PERP_TEST_LONG") ? 100.0 : 10.0;
    perp_world *swinging = forest_chain();
    perp_world *floating = forest_floating();

    forest_reduce(swinging, NULL);
    CU_ASSERT(forest_fly(swinging, PERP_INTEGRATOR_SEMI_IMPLICIT, 1.0 / 60.0,
                         (size_t)lround(60.0 * T)) < 15.0);
    floating->gravity[2] = 0.0;
    forest_reduce(floating, NULL);
    CU_ASSERT(forest_fly(floating, PERP_INTEGRATOR_SEMI_IMPLICIT, 1.0 / 60.0, 600) <
              0.15);
}
