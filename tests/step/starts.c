/* SPDX-License-Identifier: Apache-2.0
 * tests/step/starts.c: how bodies start: velocities that joints do not allow, weight,
 * masses without a finite inverse; wheels that spin on a steered axle. */
#include <config.h>

#include <math.h>

#include <perp/random.h>

#include "joints/joints.h"
#include "math/vec3.h"
#include "reference.h"
#include "scarce.h"
#include "scene_text.h"
#include "world_run.h"

/* I = 1/10 about the centre, 1 m from the hinge: I w/(I + m) = 2/11 rad/s. */
#define ROD(more)                                                                        \
    "{" more "\"bodies\": [{\"name\": \"rod\", \"mass\": 1, \"inertia\": [0.1, 0.1, "    \
    "0.1], \"position\": [0, 0, -1], \"spin\": [0, 2, 0]}], \"joints\": [{\"name\": "    \
    "\"pin\", \"type\": \"revolute\", \"bodies\": [\"world\", \"rod\"], \"at\": [0, 0, " \
    "0], "                                                                               \
    "\"axis\": [0, 1, 0]}]}"

static void check_rod(const perp_state *state, size_t rod)
{
    const double expected[6] = {-2.0 / 11.0, 0, 0, 0, 2.0 / 11.0, 0};

    test_agree("rod", perp_body_velocity(state, rod), expected, 6, 1e-14);
}

TEST(a_rod_on_a_hinge_starts_with_its_angular_momentum)
{
    perp_scene *scene = scene_text(ROD(""));
    const size_t rod = (size_t)perp_world_find_body(scene->world, "rod");

    check_rod(scene->world->start, rod);
    CU_ASSERT_EQUAL_FATAL(scene->note_count, 1);
    CU_ASSERT_STRING_EQUAL(scene->notes[0],
                           "velocities at the start: projected onto the joints, kinetic "
                           "energy from 0.2 to 0.0181818 J");
    OK(perp_world_reduce(scene->world, NULL, NULL));
    check_rod(scene->world->start, rod);
}

/* The same where the world is reduced without having been projected, and by gather. */
TEST(reduced_coordinates_start_with_it_alone)
{
    const double given[6] = {0, 0, 0, 0, 2, 0};
    perp_scene *scene = scene_text(ROD(""));
    perp_world *w = scene->world;
    const size_t rod = (size_t)perp_world_find_body(w, "rod");

    memcpy(perp_body_velocity(w->start, rod), given, sizeof given);
    OK(perp_world_reduce(w, NULL, NULL));
    check_rod(w->start, rod);
    CU_ASSERT_DOUBLE_EQUAL(fabs(w->start->trees->qd[0]), 2.0 / 11.0, 1e-14);
    memcpy(perp_body_velocity(w->start, rod), given, sizeof given);
    OK(perp_world_fit_coordinates(w, w->start, NULL));
    OK(perp_world_forward_kinematics(w, w->start, NULL));
    check_rod(w->start, rod);
}

TEST(starts_that_joints_allow_stay_to_the_bit)
{
    perp_world *w = test_world(3, 9.81);
    const int32_t a = test_ball(w, "a", 0.0, 0.1, 0, 0, 0);
    const int32_t b = test_ball(w, "b", 2.0, 0.1, 0.7, 0, 0);
    double u[6] = {0, 0.7 * 0.3, 0, 0, 0, 0.3};
    double energy[2];

    run_joint(w, "revolute", a, b, (const double[]){0, 0, 0}, (const double[]){0, 0, 1});
    memcpy(perp_body_velocity(w->start, (size_t)b), u, sizeof u);
    OK(perp_world_project_velocities(w, w->start, energy, NULL));
    CU_ASSERT_EQUAL(energy[0], energy[1]);
    CU_ASSERT(memcmp(perp_body_velocity(w->start, (size_t)b), u, sizeof u) == 0);
}

enum { LINKS = 6 };

/* A chain of balls and hinges from a static body, at random velocities; `closed`: its
 * end is a ball on the base, too, and one joint is there twice. */
static perp_world *chain(uint64_t seed, bool closed)
{
    perp_random random = {seed};
    perp_world *w = test_world(3, 0.0);
    int32_t before = test_ball(w, "base", 0.0, 0.1, 0, 0, 0);

    for (int k = 0; k < LINKS; k++) {
        char name[] = {'a', (char)('a' + k), '\0'};
        const double x = k + 1.0;
        const double y = 0.3 * (k % 3);
        int32_t b = test_ball(w, name, 0.5 + 0.4 * k, 0.3, x, y, 0.1 * k);

        run_joint(w, k % 2 ? "spherical" : "revolute", before, b,
                  (const double[]){x - 0.5, y, 0.05 * k}, (const double[]){0, 0.6, 0.8});
        for (int c = 0; c < 6; c++) {
            perp_body_velocity(w->start, (size_t)b)[c] =
                perp_random_uniform(&random, -1.0, 1.0);
        }
        before = b;
    }
    if (closed) {
        run_joint(w, "spherical", 0, before, (const double[]){LINKS, 1, 1},
                  (const double[]){0, 0, 1});
        run_joint(w, "rod", 0, before, (const double[]){0, 1, 1},
                  (const double[]){0, 0, 1});
    }
    return w;
}

/* Against the KKT system, by LAPACK: M u = M u0 + J^T lambda, J u = 0. */
static void check_kkt(perp_world *w, const double *u0)
{
    enum { N = 6 * LINKS };
    static double M[N * N];
    static double J[64 * N];
    static double zero[N + 64];
    static double u[N];
    static double lambda[64];
    perp_contacts none = {0};
    perp_rows rows = {0};
    perp_scheme scheme = run_scheme(1.0);

    OK(perp_rows_write(&rows, w, w->start, &none, &scheme, NULL));
    memset(M, 0, sizeof M);
    memset(J, 0, sizeof J);
    for (size_t k = 0; k < LINKS; k++) {
        double I[9];

        perp_world_inertia(w, w->start, k + 1, I);
        for (size_t c = 0; c < 3; c++) {
            M[(6 * k + c) * (N + 1)] = w->mass[k + 1];
            for (size_t d = 0; d < 3; d++) {
                M[6 * k + 3 + c + (6 * k + 3 + d) * N] = I[3 * c + d];
            }
        }
    }
    for (size_t r = 0; r < rows.count; r++) {
        for (size_t side = 0; side < 2; side++) {
            const int32_t b = rows.body[2 * r + side];

            for (size_t c = 0; b > 0 && c < 6; c++) {
                J[r + (6 * ((size_t)b - 1) + c) * rows.count] =
                    rows.J[12 * r + 6 * side + c];
            }
        }
    }
    OK(perp_kkt_solve(N, M, rows.count, J, NULL, u0 + 6, zero, zero, 1.0, u, lambda,
                      NULL));
    test_agree("u", w->start->u + 6, u, N, 1e-11);
    perp_rows_clear(&rows);
}

TEST(chains_start_at_the_nearest_velocities_by_the_kkt_form)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (int closed = 0; closed < 2; closed++) {
            perp_world *w = chain(seed, closed);
            double u0[6 * (LINKS + 1)];
            double energy[2];

            memcpy(u0, w->start->u, sizeof u0);
            OK(perp_world_project_velocities(w, w->start, energy, NULL));
            CU_ASSERT(energy[1] < energy[0]);
            CU_ASSERT_EQUAL(energy[1], perp_world_kinetic(w, w->start));
            check_kkt(w, u0);
            if (!closed) { /* reduced coordinates by themselves come to the same */
                memcpy(w->start->u, u0, sizeof u0);
                OK(perp_world_reduce(w, NULL, NULL));
                perp_world_unreduce(w); /* velocities stay, joints have rows again */
                check_kkt(w, u0);
            }
            perp_world_free(w);
        }
    }
}

/* The same joint twice, between the same bodies: rows that repeat. */
TEST(joints_that_repeat_project_as_one)
{
    perp_world *one = chain(7, false);
    perp_world *two = chain(7, false);
    double energy[2];

    run_joint(two, "fixed", 1, 2, (const double[]){1.5, 0, 0}, NULL);
    run_joint(one, "fixed", 1, 2, (const double[]){1.5, 0, 0}, NULL);
    snprintf(two->joints[two->joint_count - 1].name, 16, "again");
    run_joint(two, "fixed", 1, 2, (const double[]){1.5, 0, 0}, NULL);
    perp_world_project_velocities(one, one->start, energy, NULL);
    perp_world_project_velocities(two, two->start, energy, NULL);
    test_agree("u", two->start->u, one->start->u, 6 * (LINKS + 1), 1e-11);
    perp_world_free(one);
    perp_world_free(two);
}

/* A body on two bases that part: no velocity obeys both joints, and it keeps its own. */
TEST(joints_that_contradict_each_other_leave_velocities_alone)
{
    perp_world *w = test_world(3, 0.0);
    const double u[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    double energy[2];

    for (int k = 0; k < 2; k++) {
        perp_body base = {.name = k ? "right" : "left", .motion = PERP_MOTION_KINEMATIC};

        base.v[0] = k ? 1.0 : -1.0;
        OK(perp_world_add_body(w, &base, NULL, NULL));
    }
    test_ball(w, "torn", 1.0, 0.5, 0, 0, 0);
    run_joint(w, "spherical", 0, 2, (const double[]){0, 0, 0}, NULL);
    run_joint(w, "spherical", 1, 2, (const double[]){0, 0, 0}, NULL);
    memcpy(perp_body_velocity(w->start, 2), u, sizeof u);
    OK(perp_world_project_velocities(w, w->start, energy, NULL));
    CU_ASSERT_EQUAL(energy[0], energy[1]);
    CU_ASSERT(memcmp(perp_body_velocity(w->start, 2), u, sizeof u) == 0);
}

static perp_status project(void *world, perp_error *err)
{
    double energy[2];
    perp_world *w = world;

    return perp_world_project_velocities(w, w->start, energy, err);
}

TEST(scarce_memory_is_survived)
{
    perp_world *w = chain(3, false);

    scarce_everywhere(project, w, "joints");
    perp_world_free(w);
}

/* Steers at 1.5 rad/s, spins at 60 rad/s: one radian a step. */
static double camber(perp_turn turn)
{
    perp_scheme scheme = run_scheme(1.0 / 60.0);
    perp_world *w = test_world(3, 0.0);
    const int32_t car = test_ball(w, "car", 0.0, 0.1, 0, 0, 0);
    const int32_t wheel = test_ball(w, "wheel", 1.0, 0.3, 0, 0, 0);
    double most = 0.0;
    perp_axis *steering = NULL;
    run r;

    run_joint(w, "wheel", car, wheel, (const double[]){0, 0, 0},
              (const double[]){0, 0, 1});
    steering = &w->joints[0].axes[0];
    steering->motor = PERP_MOTOR_VELOCITY;
    steering->target = 1.5;
    steering->max_force = INFINITY;
    vec3_scale(60.0, w->joints[0].axis_j, perp_body_velocity(w->start, 1) + 3);
    perp_body_velocity(w->start, 1)[5] += 1.5;
    scheme.turn = turn;
    r = run_begin(w, &scheme, "dantzig", false);
    for (int k = 0; k < 120; k++) {
        double length = 0.0;
        double angle = 0.0;

        run_steps(&r, 1);
        perp_joint_drift(&w->joints[0], w, w->start, &length, &angle);
        most = fmax(most, angle);
    }
    return most;
}

TEST(a_wheel_that_spins_fast_and_steers_keeps_its_camber_by_default)
{
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    CU_ASSERT_EQUAL(scheme.turn, PERP_TURN_AUTO);
    CU_ASSERT(camber(PERP_TURN_AUTO) <= 1e-6);
    CU_ASSERT(camber(PERP_TURN_EXPONENTIAL) >= 0.01); /* there is something to avoid */
}

/* A hinge's body is no wheel: it turns by the exponential map under both. */
TEST(bodies_that_are_no_wheels_turn_as_ever)
{
    perp_world *w = test_world(3, 0.0);
    perp_scheme scheme = run_scheme(0.1);
    const double u[12] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, -5, 6};
    double s[7];

    test_ball(w, "base", 0.0, 0.1, 0, 0, 0);
    test_ball(w, "door", 1.0, 0.1, 0, 0, 0);
    run_joint(w, "revolute", 0, 1, (const double[]){0, 0, 0}, (const double[]){0, 0, 1});
    CU_ASSERT_EQUAL(w->axis_joint[1], 0);
    memcpy(s, perp_body_pose(w->start, 1), sizeof s);
    perp_quat_turn(s + 3, u + 9, 0.1, PERP_TURN_EXPONENTIAL, NULL, 0.0);
    OK(perp_world_move(w, w->start, u, 0.1, &scheme, NULL));
    test_agree("q", perp_body_pose(w->start, 1) + 3, s + 3, 4, 0.0);
}

TEST(a_body_out_of_gravity_floats_and_others_fall)
{
    perp_scene *scene =
        scene_text("{'scheme': {'dt': 0.01}, 'bodies': ["
                   "{'name': 'floats', 'mass': 2, 'inertia': [1, 1, 1], 'gravity': 0, "
                   "'position': [0, 0, 5]}, {'name': 'half', 'mass': 2, 'inertia': "
                   "[1, 1, 1], 'gravity': 0.5, 'position': [9, 0, 1]}, {'name': 'falls', "
                   "'mass': 2, 'inertia': [1, 1, 1]}]}");
    const perp_scheme scheme = scene->scheme;
    perp_world *w = scene->world;
    run r;

    scene->world = NULL;
    CU_ASSERT_DOUBLE_EQUAL(perp_world_potential(w, w->start), 2 * 0.5 * 9.81, 1e-12);
    r = run_begin(w, &scheme, "nsgs", false); /* keeps its books */
    run_steps(&r, 10);
    CU_ASSERT_EQUAL(perp_body_velocity(w->start, 0)[2], 0.0);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 1)[2], -0.4905, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(w->start, 2)[2], -0.981, 1e-14);
}

TEST(links_of_trees_can_float_too)
{
    perp_scene *scene =
        scene_text("{'scheme': {'dt': 0.01}, 'bodies': [{'name': 'arm', 'mass': 1, "
                   "'inertia': [0.1, 0.1, 0.1], 'position': [1, 0, 0], 'gravity': 0}], "
                   "'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': "
                   "['world', 'arm'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}]}");
    const perp_scheme scheme = scene->scheme;
    perp_world *w = scene->world;
    const size_t arm = (size_t)perp_world_find_body(w, "arm");
    run r;

    scene->world = NULL;
    OK(perp_world_reduce(w, NULL, NULL));
    r = run_begin(w, &scheme, "nsgs", false);
    run_steps(&r, 10);
    CU_ASSERT(vec3_length(perp_body_velocity(w->start, arm) + 3) <= 1e-14);
}

TEST(the_flag_of_a_body_takes_it_out_of_gravity)
{
    perp_world *w = test_world(2, 9.81);
    perp_body b = {.name = "b", .mass = 3.0, .inertia = {[8] = 1.0}, .no_gravity = true};
    double f[6];

    OK(perp_world_add_body(w, &b, NULL, NULL));
    CU_ASSERT_EQUAL(w->gravity_scale[0], 0.0);
    perp_world_forces(w, w->start, true, f);
    CU_ASSERT_EQUAL(f[1], 0.0);
}

/* 1/1e-320 is infinite. */
TEST(masses_without_a_finite_inverse_are_refused)
{
    static const struct {
        unsigned dimension;
        double mass, moment;
        const char *message;
    } cases[] = {
        {3, 1e-320, 1.0,
         "body \"b\": mass is 9.99989e-321, expected a positive number with a "
         "finite inverse [kg]"},
        {3, 1.0, 1e-110,
         "body \"b\": the determinant of the inertia is 0, expected a number with a "
         "finite inverse"},
        {3, 1.0, 1e-103,
         "body \"b\": the determinant of the inertia is 1e-309, expected a number with a "
         "finite inverse"},
        {2, 1.0, 1e-320,
         "body \"b\": inertia about z is 9.99989e-321, expected a positive number with a "
         "finite inverse [kg m^2]"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_world *w = test_world(cases[k].dimension, 0.0);
        perp_body b = {.name = "b", .mass = cases[k].mass};
        perp_error err = {0};

        b.inertia[0] = b.inertia[4] = b.inertia[8] = cases[k].moment;
        CU_ASSERT_EQUAL(perp_world_add_body(w, &b, NULL, &err), PERP_ERR_DATA);
        CU_ASSERT_STRING_EQUAL(err.text, cases[k].message);
        CU_ASSERT_EQUAL(w->body_count, 0);
    }
}

/* Orientations q and -q are one: every joint type writes the same rows and errors, and
 * keeps the same axes, whichever of the two each body has. */
TEST(q_and_minus_q_make_the_same_rows)
{
    size_t types = 0;
    const perp_joint_type *const *type = perp_joint_types(&types);

    for (size_t t = 0; t < types; t++) {
        for (int exact = 0; exact < 2 && !(type[t]->needs & PERP_JOINT_CALL); exact++) {
            perp_world *w = test_random_world(2, 11 + t);
            perp_joint *joint =
                run_joint(w, type[t]->name, 0, 1, (const double[]){0.3, 0.2, 0.1},
                          (const double[]){0, 0.6, 0.8});
            perp_row rows[2][PERP_JOINT_ROWS];
            perp_row axis[2];

            joint->exact = exact;
            perp_quat_turn(perp_body_pose(w->start, 1) + 3,
                           (const double[]){0.2, -0.5, 0.4}, 1.0, PERP_TURN_EXPONENTIAL,
                           NULL, 0.0);
            for (int c = 0; c < 4; c++) {
                const unsigned count = joint_rows_now(joint, w, w->start, rows[0]);
                double *q = perp_body_pose(w->start, (size_t)(c % 2)) + 3;

                memset(axis, 0, sizeof axis);
                if (joint->type->coordinate) {
                    joint->type->coordinate(joint, w, w->start, 0, &axis[0]);
                }
                for (int k = 0; k < 4; k++) { /* i, then j, then i and j back */
                    q[k] = -q[k];
                }
                CU_ASSERT_EQUAL(joint_rows_now(joint, w, w->start, rows[1]), count);
                for (unsigned k = 0; k < count; k++) {
                    test_agree(joint->name, rows[1][k].J, rows[0][k].J, 12, 1e-14);
                    CU_ASSERT_DOUBLE_EQUAL(rows[1][k].phi, rows[0][k].phi, 1e-14);
                }
                if (joint->type->coordinate) {
                    joint->type->coordinate(joint, w, w->start, 0, &axis[1]);
                }
                test_agree("axis", axis[1].J, axis[0].J, 12, 1e-14);
                CU_ASSERT_DOUBLE_EQUAL(axis[1].phi, axis[0].phi, 1e-14);
            }
        }
    }
}
