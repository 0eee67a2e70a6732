/* SPDX-License-Identifier: Apache-2.0
 * tests/step/bounces.c: repeated impacts under every integrator, law and correction. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"

enum { APEXES_MOST = 64 };

static const double gravity = 9.81;

/* A body without friction over the ground, its lowest point at z - 0.1; and a load on a
 * slide over the limit at -1 m. */
#define FALLER(e, z, shape)                                                              \
    "{'materials': [{'name': 'm', 'friction': 0, 'restitution': " e "}], "               \
    "'combine': {'restitution': 'max'}, 'ground': {'material': 'm'}, "                   \
    "'bodies': [{'name': 'body', 'mass': 1, 'inertia': [0.01, 0.01, 0.01], "             \
    "'position': [0, 0, " z "], 'shapes': [{" shape ", 'material': 'm'}]}]}"
#define SPHERE "'type': 'sphere', 'radius': 0.1"
#define CUBE   "'type': 'box', 'half-extents': [0.1, 0.1, 0.1]"
#define CAPSULE                                                                          \
    "'type': 'capsule', 'radius': 0.1, 'length': 0.3, "                                  \
    "'rotation': {'axis': [0, 1, 0], 'angle': '90 deg'}"
#define SLIDER(e, low)                                                                   \
    "{'bodies': [{'name': 'load', 'mass': 1, 'inertia': [0.01, 0.01, 0.01]}], "          \
    "'joints': [{'type': 'prismatic', 'bodies': ['world', 'load'], 'axis': [0, 0, 1], "  \
    "'limits': {'lower': " low ", 'upper': 100, 'restitution': " e "}}]}"

static const struct faller {
    const char *name, *elastic, *lossy; /* e = 1 from 1 m; e = 0.9 from 0.4 m */
    bool joints;
} fallers[] = {
    {"sphere", FALLER("1", "1.1", SPHERE), FALLER("0.9", "0.5", SPHERE), false},
    {"cube", FALLER("1", "1.1", CUBE), FALLER("0.9", "0.5", CUBE), false},
    {"capsule", FALLER("1", "1.1", CAPSULE), FALLER("0.9", "0.5", CAPSULE), false},
    {"disc in the plane",
     "{'dimension': 2, 'materials': [{'name': 'm', 'friction': 0, 'restitution': 1}], "
     "'ground': {'material': 'm'}, 'bodies': [{'name': 'disc', 'mass': 1, 'inertia': "
     "0.01, "
     "'position': [0, 1.1], 'shapes': [{'type': 'sphere', 'radius': 0.1, 'material': "
     "'m'}]}]}",
     "{'dimension': 2, 'materials': [{'name': 'm', 'friction': 0, 'restitution': 0.9}], "
     "'combine': {'restitution': 'max'}, 'ground': {'material': 'm'}, 'bodies': "
     "[{'name': "
     "'disc', 'mass': 1, 'inertia': 0.01, 'position': [0, 0.5], 'shapes': [{'type': "
     "'sphere', 'radius': 0.1, 'material': 'm'}]}]}",
     false},
    {"load over a limit", SLIDER("1", "-1"), SLIDER("0.9", "-0.4"), true},
};

/* Height and velocity of the body that falls. */
static size_t up(const course *c)
{
    return c->world->dimension - 1;
}

static double height(const course *c)
{
    return perp_body_pose(c->world->start, course_body(c))[up(c)];
}

static double speed(const course *c)
{
    return perp_body_velocity(c->world->start, course_body(c))[up(c)];
}

/* Slope of the straight line through y of x. */
static double slope(size_t n, const double *x, const double *y)
{
    double mean_x = 0.0;
    double mean_y = 0.0;
    double above = 0.0;
    double below = 0.0;

    for (size_t k = 0; k < n; k++) {
        mean_x += x[k] / (double)n;
        mean_y += y[k] / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        above += (x[k] - mean_x) * (y[k] - mean_y);
        below += (x[k] - mean_x) * (x[k] - mean_x);
    }
    return above / below;
}

/* An apex lies between samples: where v = 0 of the parabola through one of them. */
static void elastic(const course_case *at)
{
    course c = course_begin(at);
    double v = sqrt(2.0 * gravity);
    double start = height(&c);
    double when[APEXES_MOST];
    double apex[APEXES_MOST];
    size_t n = 0;
    double before = 0.0;

    while (c.good && c.world->start->t < 12.0 - 0.5 * at->dt && course_steps(&c, 1)) {
        if (before > 0.0 && speed(&c) <= 0.0 && n < APEXES_MOST) {
            when[n] = c.world->start->t;
            apex[n++] = height(&c) + speed(&c) * speed(&c) / (2.0 * gravity);
            course_agree(&c, "apex", apex[n - 1], start, 2.0 * v * at->dt);
        }
        before = speed(&c);
    }
    if (c.good) {
        /* a fall takes 0.4515 s: 13 apexes in 12 s */
        course_agree(&c, "number of apexes", (double)n, 13.0, 1.0);
        course_agree(&c, "trend of the apexes in 12 s", 12.0 * slope(n, when, apex), 0.0,
                     v * at->dt);
    }
    course_end(&c);
}

/* sqrt(2 h/g) (1 + 2 e/(1 - e)) in all, for 54 impacts faster than the threshold of
 * 0.01 m/s, each of which may end a step late, two under
 * Poisson's law, where contacts keep the rebound for a whole step. */
static void lossy(const course_case *at)
{
    course c = course_begin(at);
    double end = sqrt(2.0 * 0.4 / gravity) * 19.0;
    double start = height(&c);
    double last = 0.0; /* time when it was last seen above 0.1 mm or moving */

    while (c.good && c.world->start->t < end + 1.0 && course_steps(&c, 1)) {
        if (fabs(speed(&c)) > 0.02 || height(&c) > start - 0.4 + 1e-3) {
            last = c.world->start->t;
        }
        if (c.world->start->t > 1.0) {
            course_agree(&c, "height over the start", fmax(height(&c) - start, 0.0), 0.0,
                         1e-9);
        }
    }
    if (c.good) {
        course_agree(&c, "time at rest", last, end,
                     (at->law == PERP_RESTITUTION_POISSON ? 108.0 : 54.0) * at->dt);
    }
    course_end(&c);
}

/* With all corrections and coordinates only at coarse steps, for the sake of time. */
static void each_law(bool is_elastic, double dt, bool all)
{
    for (size_t k = 0; k < sizeof fallers / sizeof *fallers; k++) {
        course_case at = {.name = fallers[k].name,
                          .text = is_elastic ? fallers[k].elastic : fallers[k].lossy,
                          .dt = dt};
        void (*run)(const course_case *) = is_elastic ? elastic : lossy;

        for (at.law = 0; perp_restitution_names[at.law]; at.law++) {
            if (all) {
                course_each(at, fallers[k].joints, run);
            }
            for (at.integrator = 0; !all && perp_integrator_names[at.integrator];
                 at.integrator++) {
                /* a capsule rocks by 1e-4 m for a second more under explicit, which feeds it */
                if (is_elastic || at.integrator != PERP_INTEGRATOR_EXPLICIT ||
                    strcmp(at.name, "capsule") != 0) {
                    run(&at);
                }
            }
        }
    }
}

TEST(elastic_impacts_keep_the_height_at_60_steps_per_second)
{
    each_law(true, 1.0 / 60.0, true);
}

TEST(elastic_impacts_keep_the_height_at_240_steps_per_second)
{
    each_law(true, 1.0 / 240.0, false);
}

TEST(elastic_impacts_keep_the_height_at_1000_steps_per_second)
{
    for (int law = 0; perp_restitution_names[law]; law++) {
        for (int method = 0; perp_integrator_names[method]; method++) {
            elastic(&(course_case){.name = fallers[0].name,
                                   .text = fallers[0].elastic,
                                   .integrator = method,
                                   .law = law,
                                   .dt = 0.001});
        }
    }
}

TEST(impacts_that_lose_end_when_the_geometric_series_does)
{
    each_law(false, 1.0 / 240.0, false);
}
