/* SPDX-License-Identifier: Apache-2.0
 * tests/step/held.c: what rows hold stays, and what motors drive covers v t, under
 * every integrator, correction and kind of coordinates. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "course.h"

/* Largest motion in one step that is not v dt [m or rad], and in all steps. */
static const double step_slack = 1e-13;
static const double total_slack = 1e-11;

#define MATERIAL "'materials': [{'name': 'm', 'friction': 1}], "
#define BOX                                                                              \
    "'shapes': [{'type': 'box', 'half-extents': [0.1, 0.1, 0.1], 'material': 'm'}]"
#define FLAT_BOX                                                                         \
    "'shapes': [{'type': 'box', 'half-extents': [0.1, 0.1], 'material': 'm'}]"
#define LOAD      "'bodies': [{'name': 'load', 'mass': 2, 'inertia': [0.02, 0.03, 0.04]"
#define FLAT_LOAD "'dimension': 2, 'bodies': [{'name': 'load', 'mass': 2, 'inertia': 0.02"
#define JOINED    "'bodies': ['world', 'load']"

/* Every body keeps its velocity at the start. */
static const struct held {
    const char *name, *text;
    bool joints;
} scenes[] = {
    {"cube that sticks on an incline",
     "{" MATERIAL "'bodies': [{'name': 'ramp', 'motion': 'static', "
     "'rotation': {'axis': [0, 1, 0], 'angle': '-15 deg'}, "
     "'shapes': [{'type': 'plane', 'material': 'm'}]}, {'name': 'cube', 'mass': 8, "
     "'position': ['{-0.1*sin(pi/12)}', 0, '{0.1*cos(pi/12)}'], "
     "'rotation': {'axis': [0, 1, 0], 'angle': '-15 deg'}, " BOX "}]}",
     false},
    {"box on the ground",
     "{" MATERIAL "'ground': {'material': 'm'}, 'bodies': [{'name': 'box', 'mass': 3, "
     "'position': [0, 0, 0.1], " BOX "}]}",
     false},
    {"stack of three boxes",
     "{" MATERIAL "'ground': {'material': 'm'}, 'bodies': ["
     "{'name': 'box {k}', 'mass': 3, 'position': [0, 0, '{0.1 + 0.2*k}'], " BOX
     ", 'repeat': {'count': 3}}]}",
     false},
    {"ball on a table",
     "{" MATERIAL "'bodies': [{'name': 'table', 'motion': 'static', " BOX "}, "
     "{'name': 'ball', 'mass': 1, 'position': [0.02, 0.03, 0.15], "
     "'shapes': [{'type': 'sphere', 'radius': 0.05, 'material': 'm'}]}]}",
     false},
    {"box on a platform that moves",
     "{" MATERIAL "'bodies': [{'name': 'platform', 'motion': 'kinematic', "
     "'velocity': [0.3, 0.1, 0.2], " BOX "}, {'name': 'box', 'mass': 3, "
     "'position': [0, 0, 0.2], 'velocity': [0.3, 0.1, 0.2], " BOX "}]}",
     false},
    {"motor that holds a load on a slide",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 0, 1], 'motor': {'kind': 'velocity', 'target': 0}}]}",
     true},
    {"motor with a largest force that holds a load",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 0, 1], 'motor': {'kind': 'velocity', 'target': 0, 'max-force': "
     "40}}]}",
     true},
    {"friction of a slide that holds a load",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 0, 1], 'motor': {'kind': 'friction', 'max-force': 40}}]}",
     true},
    {"motor of a hinge that holds an arm",
     "{" LOAD ", 'position': [0.5, 0, 0]}], 'joints': [{'type': 'revolute', " JOINED
     ", 'at': [0, 0, 0], 'axis': [0, 1, 0], 'motor': {'kind': 'velocity', 'target': "
     "0}}]}",
     true},
    {"limit of a slide that holds a load",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 0, 1], 'limits': {'lower': 0, 'upper': 1}}]}",
     true},
    {"limit of a hinge that holds an arm",
     "{" LOAD ", 'position': [0.5, 0, 0]}], 'joints': [{'type': 'revolute', " JOINED
     ", 'at': [0, 0, 0], 'axis': [0, 1, 0], 'limits': {'lower': -1, 'upper': 0}}]}",
     true},
    {"body on a fixed joint",
     "{" LOAD ", 'position': [0.5, 0, 0]}], 'joints': [{'type': 'fixed', " JOINED
     ", 'at': [0, 0, 0]}]}",
     true},
    {"load on a spring of an axis at rest",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED ", 'axis': [0, 0, 1], "
     "'spring': {'stiffness': 2000, 'damping': 5, 'rest': '{2*9.81/2000}'}}]}",
     true},
    {"square that sticks on an incline in the plane",
     "{'dimension': 2, " MATERIAL "'bodies': [{'name': 'ramp', 'motion': 'static', "
     "'rotation': '15 deg', 'shapes': [{'type': 'plane', 'material': 'm'}]}, "
     "{'name': 'square', 'mass': 8, 'position': ['{-0.1*sin(pi/12)}', "
     "'{0.1*cos(pi/12)}'], 'rotation': '15 deg', " FLAT_BOX "}]}",
     false},
    {"motor that holds a load in the plane",
     "{" FLAT_LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 1], 'motor': {'kind': 'velocity', 'target': 0}}]}",
     true},
    {"limit that holds an arm in the plane",
     "{" FLAT_LOAD ", 'position': [0.5, 0]}], 'joints': [{'type': 'revolute', " JOINED
     ", 'at': [0, 0], 'axis': [0, 0, 1], 'limits': {'lower': 0, 'upper': 1}}]}",
     true},
};

enum { SCENES = sizeof scenes / sizeof *scenes, BODIES_MOST = 4 };

/* The pose of every dynamic body is that at the start, moved by v t. `previous` has the
 * deviations of the step before. */
static bool check_still(course *c, const double *start, double *previous)
{
    const perp_world *w = c->world;
    bool good = true;

    for (size_t k = 0; k < w->body_count && good; k++) {
        const double *s = perp_body_pose(w->start, k);
        const double *u = perp_body_velocity(w->start, k);

        for (size_t x = 0; x < 7 && w->motion[k] == PERP_MOTION_DYNAMIC; x++) {
            const double moved = x < 3 ? start[13 * k + 7 + x] * w->start->t : 0.0;
            const double off = s[x] - start[13 * k + x] - moved;

            good = good &&
                   course_agree(c, "motion in one step", off, previous[7 * k + x],
                                step_slack) &&
                   course_agree(c, "motion since the start", off, 0.0, total_slack);
            previous[7 * k + x] = off;
        }
        for (size_t x = 0; x < 6; x++) {
            good = good &&
                   course_agree(c, "velocity", u[x], start[13 * k + 7 + x], total_slack);
        }
    }
    return good;
}

static void remember(const course *c, double *start)
{
    CU_ASSERT_FATAL(c->world->body_count <= BODIES_MOST);
    for (size_t k = 0; k < c->world->body_count; k++) {
        const double *s = perp_body_pose(c->world->start, k);
        const double *u = perp_body_velocity(c->world->start, k);

        for (size_t x = 0; x < 7; x++) {
            start[13 * k + x] = s[x];
        }
        for (size_t x = 0; x < 6; x++) {
            start[13 * k + 7 + x] = u[x];
        }
    }
}

static void stay(const course_case *at, size_t steps, double push)
{
    double start[13 * BODIES_MOST];
    double previous[7 * BODIES_MOST] = {0.0};
    course c = course_begin(at);
    const size_t last = course_body(&c);

    remember(&c, start);
    for (size_t k = 0; k < steps && c.good; k++) {
        for (size_t x = 0; x < 3; x++) {
            c.world->start->load[6 * last + x] =
                x + 1 == c.world->dimension || x == 0 ? push * sin(0.3 * (double)k) : 0.0;
        }
        course_steps(&c, 1);
        check_still(&c, start, previous);
    }
    course_end(&c);
}

static void stay_short(const course_case *at)
{
    stay(at, 100, 0.0);
}

/* Less than friction, limits and motors can hold. */
static void stay_pushed(const course_case *at)
{
    stay(at, 100, 3.0);
}

TEST(bodies_held_by_rows_keep_their_poses)
{
    for (size_t k = 0; k < SCENES; k++) {
        course_each((course_case){.name = scenes[k].name,
                                  .text = scenes[k].text,
                                  .dt = 1.0 / 60.0},
                    scenes[k].joints, stay_short);
    }
}

/* All but the spring, which gives way, and the ball, which rolls. */
TEST(bodies_held_by_rows_keep_their_poses_under_a_varying_load)
{
    for (size_t k = 0; k < SCENES; k++) {
        if (!strstr(scenes[k].name, "spring") && !strstr(scenes[k].name, "ball")) {
            course_each(
                (course_case){.name = scenes[k].name, .text = scenes[k].text, .dt = 0.01},
                scenes[k].joints, stay_pushed);
        }
    }
}

TEST(nothing_drifts_in_ten_thousand_steps)
{
    static const size_t some[] = {0, 5, 9};

    for (int method = 0; perp_integrator_names[method]; method++) {
        for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
            const course_case at = {.name = scenes[some[k]].name,
                                    .text = scenes[some[k]].text,
                                    .integrator = method,
                                    .dt = 0.005};

            stay(&at, 10000, 0.0); /* 50 s */
        }
    }
}

/* From rest at the coordinate 0 the load sinks by m g/k; backward Euler and the damper end
 * the oscillation. */
static void sag(const course_case *at)
{
    course c = course_begin(at);

    if (course_steps(&c, 400)) {
        course_agree(&c, "sag", perp_body_pose(c.world->start, 0)[2],
                     -2.0 * 9.81 / 2000.0, 1e-11);
    }
    course_end(&c);
}

TEST(a_spring_of_an_axis_sags_by_m_g_over_k)
{
    for (double dt = 0.01; dt < 0.2; dt *= 10.0) {
        course_each(
            (course_case){.name = "load on a spring of an axis",
                          .text = "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
                                  ", 'axis': [0, 0, 1], 'spring': {'stiffness': 2000, "
                                  "'damping': 60}}]}",
                          .dt = dt},
            true, sag);
    }
}

/* Motors from rest, and what their axis (coordinate of the first joint) has reached. */
static const struct driven {
    const char *name, *text;
    double time, reached; /* [s, m or rad] */
} motors[] = {
    {"motor of a slide with target 1 m/s",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 0, 1], 'motor': {'kind': 'velocity', 'target': 1}}]}",
     2.0, 2.0},
    {"motor of a hinge with target 1 rad/s",
     "{" LOAD ", 'position': [0.5, 0, 0]}], 'joints': [{'type': 'revolute', " JOINED
     ", 'at': [0, 0, 0], 'axis': [0, 1, 0], 'motor': {'kind': 'velocity', 'target': "
     "1}}]}",
     2.0, 2.0},
    {"motor of a slide in the plane with target -1 m/s",
     "{" FLAT_LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 1], 'motor': {'kind': 'velocity', 'target': -1}}]}",
     2.0, -2.0},
    {"servo of a slide",
     "{" LOAD "}], 'joints': [{'type': 'prismatic', " JOINED
     ", 'axis': [0, 0, 1], 'motor': {'kind': 'servo', 'target': 0.4}}]}",
     2.0, 0.4},
    {"servo of a hinge",
     "{" LOAD ", 'position': [0.5, 0, 0]}], 'joints': [{'type': 'revolute', " JOINED
     ", 'at': [0, 0, 0], 'axis': [0, 1, 0], 'motor': {'kind': 'servo', 'target': 0.4}}]}",
     2.0, 0.4},
};

static double reached; /* by the motor that runs */
static double duration;

/* The corrections `split` and `project` also turn a hinge in maximal coordinates, by as much
 * as the joint is off: to the order of the integrator. Everything else is exact. */
static double drive_slack(const course_case *at)
{
    const bool first = at->integrator <= PERP_INTEGRATOR_IMPLICIT;
    const bool moves =
        at->stabilize == PERP_STABILIZE_SPLIT || at->stabilize == PERP_STABILIZE_PROJECT;

    if (!moves || at->reduced || !strstr(at->name, "motor of a hinge")) {
        return 1e-9;
    }
    return first ? at->dt : at->dt * at->dt;
}

static void drive(const course_case *at)
{
    course c = course_begin(at);

    if (course_steps(&c, (size_t)lround(duration / at->dt))) {
        course_agree(&c, "coordinate of the motor",
                     perp_joint_axes_of(c.world->start, 0)[0], reached, drive_slack(at));
    }
    course_end(&c);
}

TEST(a_motor_covers_its_velocity_times_the_time)
{
    for (size_t k = 0; k < sizeof motors / sizeof *motors; k++) {
        reached = motors[k].reached;
        duration = motors[k].time;
        course_each(
            (course_case){.name = motors[k].name, .text = motors[k].text, .dt = 0.01},
            true, drive);
    }
}

/* A block at rest on a platform at 1 m/s: mu g for 1/(mu g), then with it. How far it lags
 * is v^2/(2 mu g), to v dt. */
static void ride(const course_case *at)
{
    course c = course_begin(at);

    if (course_steps(&c, (size_t)lround(1.0 / at->dt))) {
        const double *s = perp_body_pose(c.world->start, 1);
        const double *u = perp_body_velocity(c.world->start, 1);

        course_agree(&c, "velocity of the block", u[0], 1.0, 1e-9);
        course_agree(&c, "way of the block", s[0], 1.0 - 0.5 / (0.5 * 9.81), at->dt);
        course_agree(&c, "height of the block", s[2], 0.2, 1e-9);
    }
    course_end(&c);
}

TEST(friction_drives_a_block_to_the_velocity_of_its_carrier)
{
    course_each(
        (course_case){
            .name = "block on a conveyor",
            .text = "{'materials': [{'name': 'm', 'friction': 0.5}], "
                    "'combine': {'friction': 'max'}, 'bodies': [{'name': 'belt', "
                    "'motion': 'kinematic', 'velocity': [1, 0, 0], 'shapes': [{'type': "
                    "'box', 'half-extents': [3, 1, 0.1], 'material': 'm'}]}, "
                    "{'name': 'block', 'mass': 3, 'position': [0, 0, 0.2], " BOX "}]}",
            .dt = 0.01},
        false, ride);
}
