/* SPDX-License-Identifier: Apache-2.0
 * families/scenes.c: one time step of scenes whose motion is known, rows (n, t1, t2), b the
 * free velocity, h = 0.01 s, g = 9.81 m/s^2.
 *
 *     random-cloud  contacts between bodies of masses over two decades
 *     incline       a block on a plane of angle th: stays iff tan th <= mu
 *     table         four legs pushed by a force: stays iff the push is below mu m g
 *     stack         spheres, each `ratio` times as heavy as the one below
 *     cradle        Newton's cradle: all impacts at once, with restitution */
#include <config.h>

#include "base/base.h"
#include "scene.h"

static perp_status random_cloud_make(const perp_options *opt, perp_problem **p,
                                     perp_error *err)
{
    scene s;

    scene_cloud(&s, (size_t)perp_options_integer(opt, "contacts"),
                (size_t)perp_options_integer(opt, "bodies"),
                (uint64_t)perp_options_integer(opt, "seed"),
                perp_options_real(opt, "mu-low"), perp_options_real(opt, "mu-high"));
    return scene_problem(&s, p, err);
}

/* Four contacts below one body, at (+-x, +-y, -z) from its centre; the order of the legs. */
static void four_legs(scene *s, double m, const double I[3], const double leg[3],
                      double mu)
{
    static const double sign[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    const double origin[3] = {0, 0, 0};

    scene_new(s, 1, 4);
    scene_set_body(&s->bodies[0], m, I, origin);
    for (size_t k = 0; k < 4; k++) {
        const double point[3] = {sign[k][0] * leg[0], sign[k][1] * leg[1], -leg[2]};

        scene_flat_contact(&s->contacts[k], SCENE_GROUND, 0, point, mu);
    }
}

/* A block of 2 kg, 1 x 0.8 x 0.6 m, in axes of the plane: t1 points downslope. */
static perp_status incline_make(const perp_options *opt, perp_problem **p,
                                perp_error *err)
{
    const double half[3] = {0.5, 0.4, 0.3};
    double angle = perp_options_real(opt, "angle");
    double I[3];
    scene s;

    scene_box_inertia(2.0, half, I);
    four_legs(&s, 2.0, I, half, perp_options_real(opt, "mu"));
    s.bodies[0].velocity[0] = scene_step * scene_gravity * sin(angle);
    s.bodies[0].velocity[2] = -scene_step * scene_gravity * cos(angle);
    return scene_problem(&s, p, err);
}

/* 10 kg, legs at (+-0.5, +-0.3), centre of mass 0.7 m above the floor. */
static perp_status table_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    const double I[3] = {2.0, 2.5, 3.0};
    const double leg[3] = {0.5, 0.3, 0.7};
    scene s;

    four_legs(&s, 10.0, I, leg, perp_options_real(opt, "mu"));
    s.bodies[0].velocity[0] = scene_step * perp_options_real(opt, "force-x") / 10.0;
    s.bodies[0].velocity[1] = scene_step * perp_options_real(opt, "force-y") / 10.0;
    s.bodies[0].velocity[2] = -scene_step * scene_gravity;
    return scene_problem(&s, p, err);
}

/* Spheres of radius 1/2, the lowest of 1 kg, with inertia 0.4 m r^2. */
static perp_status stack_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    double ratio = perp_options_real(opt, "ratio");
    double mu = perp_options_real(opt, "mu");
    double m = 1.0;
    scene s;

    scene_new(&s, n, n);
    for (size_t k = 0; k < n; k++) {
        const double inertia = 0.4 * m * 0.25;
        const double I[3] = {inertia, inertia, inertia};
        const double x[3] = {0.0, 0.0, 0.5 + (double)k};
        const double foot[3] = {0.0, 0.0, (double)k};

        scene_set_body(&s.bodies[k], m, I, x);
        s.bodies[k].velocity[2] = -scene_step * scene_gravity;
        scene_flat_contact(&s.contacts[k], (long)k - 1, (long)k, foot, mu);
        m *= ratio;
    }
    return scene_problem(&s, p, err);
}

/* Balls of 1 kg and radius 1/2 in a row, the first at 1 m/s; no gravity, no friction. With
 * restitution e the contact that approaches at u has b = (1 + e) u: a faster free velocity.
 * Impulse k of n - 1 is (1 + e) (n - k)/n. */
static perp_status cradle_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    scene s;

    scene_new(&s, n, n - 1);
    for (size_t k = 0; k < n; k++) {
        const double I[3] = {0.1, 0.1, 0.1};
        const double x[3] = {(double)k, 0.0, 0.0};

        scene_set_body(&s.bodies[k], 1.0, I, x);
    }
    s.bodies[0].velocity[0] = 1.0 + perp_options_real(opt, "restitution");
    for (size_t k = 0; k + 1 < n; k++) {
        scene_contact *c = &s.contacts[k];

        c->a = (long)k;
        c->b = (long)k + 1;
        c->point[0] = (double)k + 0.5;
        c->normal[0] = 1.0;
        scene_tangent(c);
    }
    return scene_problem(&s, p, err);
}

static const perp_option random_cloud_parameters[] = {
    PERP_INTEGER("contacts", 8, 1, 1e6, "contacts"),
    PERP_INTEGER("bodies", 5, 2, 1e6, "bodies"),
    PERP_INTEGER("seed", 3, 0, 9e15, "first state of the random stream"),
    PERP_REAL_CLOSED("mu-low", 0.1, 0.0, 10.0, "least friction"),
    PERP_REAL_CLOSED("mu-high", 0.9, 0.0, 10.0, "most friction"),
    PERP_OPTION_END,
};

static const perp_option incline_parameters[] = {
    PERP_REAL_CLOSED("angle", 0.3, 0.0, 1.5, "of the plane [rad]"),
    PERP_REAL_CLOSED("mu", 0.5, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

static const perp_option table_parameters[] = {
    PERP_REAL_CLOSED("force-x", 0.0, -1e6, 1e6, "push along x [N]"),
    PERP_REAL_CLOSED("force-y", 0.0, -1e6, 1e6, "push along y [N]"),
    PERP_REAL_CLOSED("mu", 0.6, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

static const perp_option stack_parameters[] = {
    PERP_INTEGER("n", 4, 1, 10000, "spheres"),
    PERP_REAL_CLOSED("ratio", 10.0, 1e-3, 1e3,
                     "mass of a sphere over that of the one below"),
    PERP_REAL_CLOSED("mu", 0.5, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

static const perp_option cradle_parameters[] = {
    PERP_INTEGER("n", 5, 2, 10000, "balls"),
    PERP_REAL_CLOSED("restitution", 1.0, 0.0, 1.0, "of all contacts at once"),
    PERP_OPTION_END,
};

const perp_family perp_family_random_cloud = {
    .name = "random-cloud",
    .summary = "random 3D contacts between bodies, masses over two decades",
    .reference = "",
    .parameters = random_cloud_parameters,
    .make = random_cloud_make,
};

const perp_family perp_family_incline = {
    .name = "incline",
    .summary = "a block on an inclined plane, four contacts",
    .reference = "",
    .parameters = incline_parameters,
    .make = incline_make,
    .grows = "angle",
};

const perp_family perp_family_table = {
    .name = "table",
    .summary = "a table of four legs, pushed: hyperstatic",
    .reference = "",
    .parameters = table_parameters,
    .make = table_make,
    .grows = "force-x",
};

const perp_family perp_family_stack = {
    .name = "stack",
    .summary = "a column of spheres with a mass ratio: badly conditioned",
    .reference = "",
    .parameters = stack_parameters,
    .make = stack_make,
};

const perp_family perp_family_cradle = {
    .name = "cradle",
    .summary = "Newton's cradle: one ball strikes a row, all impacts at once",
    .reference = "",
    .parameters = cradle_parameters,
    .make = cradle_make,
};
