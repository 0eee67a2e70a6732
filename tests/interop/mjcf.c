/* SPDX-License-Identifier: Apache-2.0
 * tests/interop/mjcf.c: scenes as models of MuJoCo, loaded by MuJoCo itself: masses, inertias,
 * poses and velocities at the start, and motions. */
#include <config.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/dynamics.h>
#include <perp/dynamics/scene.h>
#include <perp/dynamics/step.h>

#include "command/export/mjcf.h"
#include "support.h"

/* Loaded, with the key frame where there is one. */
typedef struct loaded {
    mjModel *model;
    mjData *data;
} loaded;

/* In place of a file MUJOCO_LOG.TXT: a model without sizes has room for 100 contacts. */
static void no_log(const char *message)
{
    (void)message;
}

static loaded load(const perp_scene *scene, const char *name)
{
    char path[4200];
    char error[1000] = "";
    perp_error err = {0};
    mjcf_notes notes = {0};
    loaded l;

    mju_user_warning = no_log;
    snprintf(path, sizeof path, "%s-%s.xml", test_scratch("mjcf"), name);
    if (mjcf_write(scene, name, path, &notes, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    l.model = mj_loadXML(path, NULL, error, sizeof error);
    if (!l.model) {
        test_note("%s: %s", name, error);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.model);
    l.data = mj_makeData(l.model);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.data);
    if (l.model->nkey > 0) {
        mj_resetDataKeyframe(l.model, l.data, 0);
    }
    mj_forward(l.model, l.data);
    return l;
}

static void unload(loaded *l)
{
    mj_deleteData(l->data);
    mj_deleteModel(l->model);
}

static perp_scene *scene_named(const char *name)
{
    char path[4096];
    perp_scene *scene = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/experiments/scenes/%s.json", test_source(), name);
    if (perp_scene_read(&scene, path, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

static perp_scene *scene_of(const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_scene_parse(&scene, text, strlen(text), "test", &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Largest difference of two poses: positions, and quaternions up to their sign. */
static double pose_error(const double *s, const mjtNum *x, const mjtNum *q)
{
    double error = 0.0;
    double dot = s[3] * q[0] + s[4] * q[1] + s[5] * q[2] + s[6] * q[3];

    for (size_t k = 0; k < 3; k++) {
        error = larger(error, fabs(s[k] - x[k]));
    }
    for (size_t k = 0; k < 4; k++) {
        error = larger(error, fabs(s[3 + k] - (dot < 0.0 ? -q[k] : q[k])));
    }
    return error;
}

/* MuJoCo has principal moments and their axes; the tensor in axes of the body is compared. */
static double inertia_error(const double I[9], const mjtNum *moments, const mjtNum *q)
{
    mjtNum R[9];
    double error = 0.0;

    mju_quat2Mat(R, q);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double sum = 0.0;

            for (int k = 0; k < 3; k++) {
                sum += R[3 * a + k] * moments[k] * R[3 * b + k];
            }
            error = larger(error, fabs(sum - I[3 * a + b]));
        }
    }
    return error;
}

static int body_id(const loaded *l, const perp_world *w, size_t k)
{
    return mj_name2id(l->model, mjOBJ_BODY, w->name[k]);
}

/* Bodies at the start: relative 1e-12, velocities 1e-11 (of nested bodies they are sums). */
static void check_start(const perp_scene *scene, const char *name)
{
    const perp_world *w = scene->world;
    loaded l = load(scene, name);
    double pose = 0.0;
    double mass = 0.0;
    double inertia = 0.0;
    double speed = 0.0;

    for (size_t k = 0; k < w->body_count; k++) {
        int id = body_id(&l, w, k);
        const double *s = perp_body_pose(w->start, k);
        const double *u = perp_body_velocity(w->start, k);
        const double *I = w->inertia + 9 * k;
        double scale = larger(1.0, fabs(s[0]) + fabs(s[1]) + fabs(s[2]));
        mjtNum rates[6];

        CU_ASSERT_FATAL(id >= 0);
        pose = larger(pose, pose_error(s, l.data->xpos + 3 * id, l.data->xquat + 4 * id) /
                                scale);
        if (w->motion[k] != PERP_MOTION_DYNAMIC) {
            continue;
        }
        mass = larger(mass, fabs(l.model->body_mass[id] / w->mass[k] - 1.0));
        inertia = larger(inertia, inertia_error(I, l.model->body_inertia + 3 * id,
                                                l.model->body_iquat + 4 * id) /
                                      (I[0] + I[4] + I[8]));
        mj_objectVelocity(l.model, l.data, mjOBJ_BODY, id, rates, 0);
        for (size_t c = 0; c < 3; c++) {
            speed = larger(speed, fabs(rates[c] - u[3 + c]) / (1.0 + fabs(u[3 + c])));
            speed = larger(speed, fabs(rates[3 + c] - u[c]) / (1.0 + fabs(u[c])));
        }
    }
    test_note("%s: pose %.1e, mass %.1e, inertia %.1e, velocity %.1e", name, pose, mass,
              inertia, speed);
    CU_ASSERT(pose <= 1e-12);
    CU_ASSERT(mass <= 1e-12);
    CU_ASSERT(inertia <= 1e-12);
    CU_ASSERT(speed <= 1e-11);
    unload(&l);
}

TEST(scenes_have_their_masses_inertias_poses_and_velocities)
{
    static const char *const names[] = {
        "stack",      "gravel",          "masonry-arch", "chain-net", "dominoes",
        "four-bar",   "heavy-top",       "hopper",       "pendulum",  "rattleback",
        "ring",       "triple-pendulum", "tree",         "towers",    "t-handle-1",
        "projectile", "double-pendulum", "rolling",      "card-house"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_scene *scene = scene_named(names[k]);

        check_start(scene, names[k]);
    }
}

/* Both with Runge and Kutta's method of order 4; perp in reduced coordinates, as MuJoCo. The
 * largest difference of a pose at time t. */
static double compare_motion(perp_scene *scene, const char *name, double dt, double t)
{
    perp_stepper *stepper = NULL;
    perp_state *state = NULL;
    perp_report report;
    perp_error err = {0};
    double error = 0.0;
    loaded l;

    scene->scheme.dt = dt;
    scene->scheme.integrator = PERP_INTEGRATOR_RK4;
    OK(perp_world_reduce(scene->world, NULL, &err));
    l = load(scene, name);
    OK(perp_state_new(&state, scene->world, &err));
    OK(perp_stepper_new(
        &stepper, scene->world, &scene->scheme,
        &(perp_stepper_options){.solver = perp_solver_find("auto"), .state = state},
        &err));
    for (int k = 0; k < (int)lround(t / dt); k++) {
        OK(perp_stepper_step(stepper, &report, &err));
        mj_step(l.model, l.data);
    }
    mj_forward(l.model, l.data);
    for (size_t k = 0; k < scene->world->body_count; k++) {
        int id = body_id(&l, scene->world, k);

        error = larger(error, pose_error(perp_body_pose(state, k), l.data->xpos + 3 * id,
                                         l.data->xquat + 4 * id));
    }
    test_note("%s: %.2e apart after %g s", name, error, t);
    unload(&l);
    return error;
}

/* The pendulums differ by rounding. The top turns by 100 rad/s; perp's gyroscopic stage has an
 * error of order dt^2: 8e-5 with 1 ms. */
TEST(a_pendulum_swings_alike)
{
    static const struct {
        const char *name;
        double dt, error;
    } runs[] = {{"pendulum", 1e-3, 1e-10},
                {"pendulum-chain", 1e-3, 1e-10},
                {"heavy-top", 1e-4, 2e-6}};

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        perp_scene *scene = scene_named(runs[k].name);

        CU_ASSERT(compare_motion(scene, runs[k].name, runs[k].dt, 0.1) <= runs[k].error);
    }
}

/* Each type of joint, between the world and a body and once reversed, with springs and dampers, at
 * poses and velocities that are not special. */
#define BODY(name, at, more)                                                             \
    "{\"name\": \"" name "\", \"mass\": 2, \"inertia\": [0.3, 0.02, 0.01, 0.02, 0.4, "   \
    "0.03, 0.01, 0.03, 0.5], \"position\": " at                                          \
    ", \"rotation\": [0.5, 0.5, 0.5, 0.5]" more "}"

static perp_scene *joint_scene(const char *type, const char *more, bool reversed)
{
    char text[3000];

    snprintf(
        text, sizeof text,
        "{\"gravity\": [0.3, -9, 2], \"bodies\": [{\"name\": \"base\", \"motion\": "
        "\"static\", "
        "\"position\": [1, 2, 3], \"rotation\": [0.8, 0, 0.6, 0]}, " BODY(
            "a", "[0.2, 0.1, 0.3]",
            ", \"spin\": [1, 2, 3]") ", " BODY("b", "[0.9, -0.2, 0.4]",
                                               ", \"spin\": [-2, 3, 1], \"velocity\": "
                                               "[1, 0.5, "
                                               "-1]") "], "
                                                      "\"joints\": [{\"name\": \"hold\", "
                                                      "\"type\": \"revolute\", "
                                                      "\"bodies\": "
                                                      "[\"base\", \"a\"], \"at\": [0.1, "
                                                      "0.2, 0.3], \"axis\": [0, 0.6, "
                                                      "0.8], "
                                                      "\"spring\": {\"stiffness\": 30, "
                                                      "\"damping\": 2, \"rest\": 0.4}}, "
                                                      "{\"name\": \"j <&>\", \"type\": "
                                                      "\"%s\", \"bodies\": [\"%s\", "
                                                      "\"%s\"]%s}]}",
        type, reversed ? "b" : "a", reversed ? "a" : "b", more);
    return scene_of(text);
}

/* Springs on axes and the gyroscopic torque are of order 1 in perp: a tenth of the step leaves a
 * tenth of the difference. */
static void check_joint(const char *type, const char *more, bool reversed)
{
    double error[2];
    char name[100];

    snprintf(name, sizeof name, "%s%s", type, reversed ? "-reversed" : "");
    for (size_t k = 0; k < 2; k++) {
        perp_scene *scene = joint_scene(type, more, reversed);

        error[k] = compare_motion(scene, name, k ? 1e-4 : 1e-3, 0.1);
        check_start(scene, name);
        perp_scene_free(scene);
    }
    CU_ASSERT(error[0] <= 1e-3);
    CU_ASSERT(error[1] <= 0.12 * error[0]);
}

/* Springs and dampers on all axes that may have them. Axes of the wheel are not perpendicular: its
 * springs are those of its angles only where it is exact. */
#define SPRING                                                                           \
    "{\"spring\": {\"stiffness\": 50, \"damping\": 3, \"rest\": 0.3}, \"armature\": "    \
    "0.1}"

TEST(each_type_of_joint_moves_alike)
{
    static const char *const joints[][2] = {
        {"revolute",
         ", \"at\": [0.5, 0, 0.3], \"axis\": [1, 0, 0], \"axes\": [" SPRING "]"},
        {"prismatic", ", \"axis\": [0.6, 0.8, 0], \"axes\": [" SPRING "]"},
        {"spherical", ", \"at\": [0.5, 0, 0.3]"},
        {"fixed", ""},
        {"cylindrical", ", \"at\": [0.5, 0, 0.3], \"axis\": [0, 1, 0], \"axes\": [" SPRING
                        ", " SPRING "]"},
        {"universal", ", \"at\": [0.5, 0, 0.3], \"axis\": [1, 0, 0], \"axis2\": [0, 0.6, "
                      "0.8], \"axes\": [" SPRING ", " SPRING "]"},
        {"wheel",
         ", \"at\": [0.5, 0, 0.3], \"axis\": [1, 0, 0], \"axis2\": [0.6, 0, 0.8], "
         "\"exact\": true, \"axes\": [" SPRING ", " SPRING "]"},
        {"planar", ", \"at\": [0.5, 0, 0.3], \"axis\": [0, 0.6, 0.8]"},
    };

    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        check_joint(joints[k][0], joints[k][1], false);
        check_joint(joints[k][0], joints[k][1], true);
    }
}

/* Friction of a contact of two bodies, by their names; -1: they do not touch. */
static double friction_of(const loaded *l, const char *a, const char *b)
{
    int x = mj_name2id(l->model, mjOBJ_BODY, a);
    int y = mj_name2id(l->model, mjOBJ_BODY, b);

    for (int k = 0; k < l->data->ncon; k++) {
        const mjContact *c = &l->data->contact[k];
        int i = l->model->geom_bodyid[c->geom1];
        int j = l->model->geom_bodyid[c->geom2];

        if ((i == x && j == y) || (i == y && j == x)) {
            return c->dim == 1 ? 0.0 : c->friction[0];
        }
    }
    return -1.0;
}

/* Balls that overlap a little, of three materials whose friction multiplies: all products differ,
 * ice excepted. "rough" meets itself with 0.81, "wood" with "rough" 0.45 and with itself 0.25. */
TEST(friction_of_each_pair_is_that_of_the_scene)
{
    static const char text[] =
        "{\"materials\": [{\"name\": \"ice\", \"friction\": 0}, {\"name\": \"rough\", "
        "\"friction\": "
        "0.9}, "
        "{\"name\": \"wood\", \"friction\": 0.5}], \"bodies\": ["
        "{\"name\": \"floor\", \"motion\": \"static\", \"shapes\": [{\"type\": "
        "\"plane\", "
        "\"material\": \"rough\"}]}, "
        "{\"name\": \"a\", \"density\": 1, \"position\": [0, 0, 0.99], \"shapes\": "
        "[{\"type\": "
        "\"sphere\", \"radius\": 1, \"material\": \"wood\"}]}, "
        "{\"name\": \"b\", \"density\": 1, \"position\": [1.99, 0, 0.99], \"shapes\": "
        "[{\"type\": \"sphere\", \"radius\": 1, \"material\": \"wood\"}]}, "
        "{\"name\": \"c\", \"density\": 1, \"position\": [3.98, 0, 0.99], \"shapes\": "
        "[{\"type\": \"sphere\", \"radius\": 1, \"material\": \"ice\"}]}]}";
    perp_scene *scene = scene_of(text);
    loaded l = load(scene, "friction");

    CU_ASSERT_DOUBLE_EQUAL(friction_of(&l, "floor", "a"), 0.45, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(friction_of(&l, "a", "b"), 0.25, 1e-15);
    CU_ASSERT_EQUAL(friction_of(&l, "b", "c"), 0.0);
    CU_ASSERT_EQUAL(friction_of(&l, "floor", "c"), 0.0);
    CU_ASSERT_EQUAL(friction_of(&l, "a", "c"), -1.0);
    unload(&l);
}

/* Two moving materials and their own pairs, 0.81 and 0.25, with 0.45 between them: neither the
 * larger value nor a priority gives these, but a floor of ice alone would. */
TEST(friction_that_no_model_has_is_refused)
{
    static const char text[] =
        "{\"materials\": [{\"name\": \"rough\", \"friction\": 0.9}, {\"name\": \"wood\", "
        "\"friction\": 0.5}], "
        "\"bodies\": [{\"name\": \"a\", \"density\": 1, \"shapes\": [{\"type\": "
        "\"sphere\", "
        "\"radius\": 1, \"material\": \"rough\"}]}, {\"name\": \"b\", \"density\": 1, "
        "\"position\": [3, 0, 0], \"shapes\": [{\"type\": \"sphere\", \"radius\": 1, "
        "\"material\": "
        "\"wood\"}]}]}";
    perp_scene *scene = scene_of(text);
    perp_error err = {0};
    mjcf_notes notes = {0};

    CU_ASSERT_EQUAL(mjcf_write(scene, "two", test_scratch("refused.xml"), &notes, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "two: materials \"rough\" and \""));
}

/* Group 1 with mask 2 meets group 2 with mask 1 only; all three overlap. */
TEST(groups_and_joints_decide_what_touches)
{
#define BALL(name, x, groups, meets)                                                     \
    "{\"name\": \"" name "\", \"density\": 1, \"position\": [" x                         \
    ", 0, 0], \"shapes\": [{\"type\": \"sphere\", \"radius\": 1, \"groups\": [" groups   \
    "], \"meets\": [" meets "]}]}"
    static const char text[] = "{\"bodies\": [" BALL("a", "0", "1", "2") ", " BALL(
        "b", "0.5", "1",
        "2") ", " BALL("c", "1", "2",
                       "1") ", " BALL("d", "1.5", "2",
                                      "1") "], "
                                           "\"joints\": [{\"type\": \"spherical\", "
                                           "\"bodies\": [\"b\", \"c\"], \"at\": [0.7, 0, "
                                           "0]}]}";
#undef BALL
    perp_scene *scene = scene_of(text);
    loaded l = load(scene, "groups");

    CU_ASSERT_EQUAL(friction_of(&l, "a", "b"), -1.0);
    CU_ASSERT_EQUAL(friction_of(&l, "c", "d"), -1.0);
    CU_ASSERT_EQUAL(friction_of(&l, "b", "c"), -1.0); /* a joint */
    CU_ASSERT(friction_of(&l, "a", "c") >= 0.0);
    CU_ASSERT(friction_of(&l, "a", "d") >= 0.0);
    CU_ASSERT(friction_of(&l, "b", "d") >= 0.0);
    unload(&l);
}

/* A spring of 100 N/m, 0.5 m long at rest, stretched to 2 m, pulls 2 kg with 75 m/s^2; one of two
 * ropes is taut by 0.1 m; a rod is of the length that it has; a motor with cfm 0.5 and the target
 * 3 rad/s gives (3 - 1)/0.5 = 4 N m at 1 rad/s, but at most 3; friction of a joint. */
TEST(springs_ropes_rods_motors_and_limits_are_there)
{
    static const char text[] =
        "{\"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"base\", \"motion\": "
        "\"static\"}, "
        "{\"name\": \"m\", \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [0, 0, "
        "2]}, "
        "{\"name\": \"wheel\", \"mass\": 1, \"inertia\": [1, 1, 2], \"position\": [5, 0, "
        "0], "
        "\"spin\": [0, 0, 1]}, "
        "{\"name\": \"n\", \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [9, 0, "
        "2]}, "
        "{\"name\": \"slide\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 9, "
        "0]}], "
        "\"forces\": [{\"type\": \"spring\", \"name\": \"s\", \"bodies\": [\"base\", "
        "\"m\"], "
        "\"stiffness\": 100, \"rest-length\": 0.5}], "
        "\"joints\": [{\"type\": \"revolute\", \"name\": \"hub\", \"bodies\": [\"base\", "
        "\"wheel\"], "
        "\"at\": [5, 0, 0], \"axis\": [0, 0, 1], \"motor\": {\"kind\": \"velocity\", "
        "\"target\": 3, "
        "\"cfm\": 0.5, \"max-force\": 3}, \"limits\": {\"lower\": -2, \"upper\": 2}}, "
        "{\"type\": \"rope\", \"name\": \"slack\", \"bodies\": [\"base\", \"n\"], "
        "\"at\": [0, 0, 0], "
        "\"length\": 20}, "
        "{\"type\": \"rod\", \"name\": \"rod\", \"bodies\": [\"base\", \"n\"], \"at\": "
        "[0, 0, 0]}, "
        "{\"type\": \"prismatic\", \"name\": \"rail\", \"bodies\": [\"base\", "
        "\"slide\"], \"axis\": "
        "[1, 0, 0], \"motor\": {\"kind\": \"friction\", \"max-force\": 7}}]}";
    perp_scene *scene = scene_of(text);
    loaded l = load(scene, "parts");
    int m = mj_name2id(l.model, mjOBJ_BODY, "m");
    int hub = mj_name2id(l.model, mjOBJ_JOINT, "hub");
    int rail = mj_name2id(l.model, mjOBJ_JOINT, "rail");

    CU_ASSERT_DOUBLE_EQUAL(l.data->qacc[l.model->body_dofadr[m] + 2], -75.0, 1e-9);
    CU_ASSERT_EQUAL(l.model->nu, 1);
    CU_ASSERT_DOUBLE_EQUAL(l.data->actuator_force[0], 3.0, 1e-12);
    CU_ASSERT_EQUAL(l.model->jnt_range[2 * hub], -2.0);
    CU_ASSERT_EQUAL(l.model->jnt_range[2 * hub + 1], 2.0);
    CU_ASSERT_EQUAL(l.model->dof_frictionloss[l.model->jnt_dofadr[rail]], 7.0);
    CU_ASSERT_EQUAL(l.model->ntendon, 3);
    CU_ASSERT_EQUAL(l.model->neq, 1); /* the rod */
    CU_ASSERT_DOUBLE_EQUAL(l.model->tendon_range[1], 20.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(l.data->ten_length[1], sqrt(85.0), 1e-12);
    CU_ASSERT_EQUAL(l.data->nefc, 2); /* the rod, and the friction; ropes are slack */
    unload(&l);
}

/* The error of a gear is q + 0.5 q' - 0.25 for MuJoCo, too, also after a whole turn and where the
 * joint carries its first body: here 1 + 0.5 2 pi - 0.25 after the rail has moved by 1. */
TEST(a_gear_has_the_error_and_the_rates_of_its_axes)
{
    static const char text[] =
        "{\"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"base\", \"motion\": "
        "\"static\"}, {\"name\": \"slide\", \"mass\": 1, \"inertia\": [1, 1, 1]}, "
        "{\"name\": \"wheel\", \"mass\": 1, \"inertia\": [1, 1, 2], \"position\": [5, 0, "
        "0]}], \"joints\": [{\"type\": \"prismatic\", \"name\": \"rail\", \"bodies\": "
        "[\"base\", \"slide\"], \"axis\": [1, 0, 0]}, {\"type\": \"revolute\", \"name\": "
        "\"hub\", \"bodies\": [\"wheel\", \"base\"], \"at\": [5, 0, 0], \"axis\": [0, 0, "
        "1], \"axes\": [{\"value\": \"360 deg\"}]}], \"gears\": [{\"joint\": \"rail\", "
        "\"follows\": \"hub\", \"ratio\": -0.5, \"offset\": 0.25}]}";
    perp_scene *scene = scene_of(text);
    loaded l = load(scene, "gear");
    int rail = mj_name2id(l.model, mjOBJ_JOINT, "rail");
    int hub = mj_name2id(l.model, mjOBJ_JOINT, "hub");

    CU_ASSERT_EQUAL_FATAL(l.model->neq, 1);
    l.data->qpos[l.model->jnt_qposadr[rail]] += 1.0;
    mj_forward(l.model, l.data);
    CU_ASSERT_EQUAL_FATAL(l.data->nefc, 1);
    CU_ASSERT_DOUBLE_EQUAL(l.data->efc_pos[0], 1.0 + acos(-1.0) - 0.25, 1e-14);
    l.data->qvel[l.model->jnt_dofadr[rail]] = 3.0;
    l.data->qvel[l.model->jnt_dofadr[hub]] = 4.0;
    mj_forward(l.model, l.data);
    CU_ASSERT_DOUBLE_EQUAL(l.data->efc_vel[0], 3.0 + 0.5 * 4.0, 1e-14);
    unload(&l);
}
