/* SPDX-License-Identifier: Apache-2.0
 * tests/step/orders.c: orders of the integrators where joints have rows. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "course.h"

/* Joints alone, in maximal coordinates; the last body is compared. */
static const struct linkage {
    const char *name, *text;
} linkages[] = {
    {"pendulum", "{'bodies': [{'name': 'a', 'mass': 2, 'inertia': [0.02, 0.03, 0.04], "
                 "'position': [0.5, 0, 0]}], 'joints': [{'type': 'revolute', 'bodies': "
                 "['world', 'a'], "
                 "'at': [0, 0, 0], 'axis': [0, 1, 0]}]}"},
    {"pendulum in the plane",
     "{'dimension': 2, 'bodies': [{'name': 'a', 'mass': 2, 'inertia': 0.03, "
     "'position': [0.5, 0]}], 'joints': [{'type': 'revolute', 'bodies': ['world', 'a'], "
     "'at': [0, 0], 'axis': [0, 0, 1]}]}"},
    {"double pendulum",
     "{'bodies': [{'name': 'a', 'mass': 2, 'inertia': [0.02, 0.03, 0.04], "
     "'position': [0.5, 0, 0]}, {'name': 'b', 'mass': 1, 'inertia': [0.02, 0.03, 0.04], "
     "'position': [1.5, 0, 0]}], 'joints': ["
     "{'type': 'revolute', 'bodies': ['world', 'a'], 'at': [0, 0, 0], 'axis': [0, 1, "
     "0]}, "
     "{'type': 'revolute', 'bodies': ['a', 'b'], 'at': [1, 0, 0], 'axis': [0, 1, 0]}]}"},
    {"chain of four links",
     "{'bodies': [{'name': 'link {k}', 'mass': 1, 'inertia': [0.02, 0.03, 0.04], "
     "'position': ['{0.5 + k}', 0, 0], 'repeat': {'count': 4}}], 'joints': ["
     "{'type': 'spherical', 'bodies': ['world', 'link 0'], 'at': [0, 0, 0]}, "
     "{'type': 'spherical', 'bodies': ['link {k}', 'link {k+1}'], 'at': ['{k + 1}', 0, "
     "0], 'repeat': {'count': 3}}]}"},
    {"spherical pendulum of unequal inertia",
     "{'bodies': [{'name': 'a', 'mass': 2, 'inertia': [0.2, 0.3, 0.45], "
     "'position': [0.5, 0.1, 0], 'spin': [1, 2, 3], 'velocity': [-0.3, 1.5, -0.9]}], "
     "'joints': [{'type': 'spherical', 'bodies': ['world', 'a'], 'at': [0, 0, 0]}]}"},
};

enum { LINKAGES = sizeof linkages / sizeof *linkages };

static const double duration = 0.5;

/* Position and velocity of the last body after the duration. */
static void run(const course_case *at, double y[6])
{
    size_t mark = test_mark();
    course c = course_begin(at);
    const size_t last = course_body(&c);

    course_steps(&c, (size_t)lround(duration / at->dt));
    memcpy(y, perp_body_pose(c.world->start, last), 3 * sizeof *y);
    memcpy(y + 3, perp_body_velocity(c.world->start, last), 3 * sizeof *y);
    course_end(&c);
    test_release(mark);
}

static double distance(const double x[6], const double y[6])
{
    double sum = 0.0;

    for (size_t k = 0; k < 6; k++) {
        sum = hypot(sum, x[k] - y[k]);
    }
    return sum;
}

/* Errors of the explicit method change their sign at coarse steps. */
static void check_order(course_case at, const double exact[6])
{
    const int halved = at.integrator == PERP_INTEGRATOR_EXPLICIT   ? 4
                       : at.integrator <= PERP_INTEGRATOR_IMPLICIT ? 2
                                                                   : 0;
    const bool first = at.integrator <= PERP_INTEGRATOR_IMPLICIT;
    double error[2];
    double y[6];
    double order = 0.0;

    for (int fine = 0; fine < 2; fine++) {
        at.dt = duration / (100 << fine << halved);
        run(&at, y);
        error[fine] = distance(y, exact);
    }
    order = log2(error[0] / error[1]);
    if (!(first ? fabs(order - 1.0) <= 0.25 : order >= 1.8)) {
        test_note("%s, %s, %s: order %.2f of errors %.3g and %.3g, expected %s", at.name,
                  perp_integrator_names[at.integrator],
                  perp_stabilize_names[at.stabilize], order, error[0], error[1],
                  first ? "1" : "2");
        CU_FAIL("order");
    }
}

TEST(joints_with_rows_keep_the_order_of_each_method)
{
    for (size_t k = 0; k < LINKAGES; k++) {
        course_case at = {.name = linkages[k].name,
                          .text = linkages[k].text,
                          .integrator = PERP_INTEGRATOR_RK4,
                          .reduced = true,
                          .dt = duration / 2000};
        double exact[6];

        run(&at, exact);
        at.reduced = false;
        for (at.stabilize = 0; perp_stabilize_names[at.stabilize]; at.stabilize++) {
            for (at.integrator = 0; perp_integrator_names[at.integrator];
                 at.integrator++) {
                check_order(at, exact);
            }
        }
    }
}

/* Largest change of energy of the pendulum in maximal coordinates in 50 s. */
static double change_of_energy(int integrator)
{
    const course_case at = {.name = linkages[0].name,
                            .text = linkages[0].text,
                            .integrator = integrator,
                            .dt = 0.005};
    course c = course_begin(&at);
    double most = 0.0;

    for (size_t k = 0; k < 10000 && course_steps(&c, 1); k++) {
        most = fmax(most, fabs(c.energy - c.start_energy));
    }
    course_end(&c);
    return most;
}

/* Of m g l = 9.81 J. Rows are no symplectic method: the error grows with time, slowly. */
TEST(methods_of_verlet_keep_the_energy_of_a_pendulum_better_than_semi_implicit)
{
    static const int verlet[] = {PERP_INTEGRATOR_POSITION_VERLET,
                                 PERP_INTEGRATOR_VELOCITY_VERLET,
                                 PERP_INTEGRATOR_LEAPFROG};
    const double euler = change_of_energy(PERP_INTEGRATOR_SEMI_IMPLICIT);

    for (size_t k = 0; k < sizeof verlet / sizeof *verlet; k++) {
        const double found = change_of_energy(verlet[k]);

        if (!(found <= 0.2 * euler)) {
            test_note("%s: %.3g J, expected at most a fifth of %.3g J",
                      perp_integrator_names[verlet[k]], found, euler);
            CU_FAIL("energy");
        }
    }
}
