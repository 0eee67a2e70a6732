/* SPDX-License-Identifier: Apache-2.0
 * families/scenes.c: one time step of scenes whose motion is known, rows (n, t1, t2), b the
 * free velocity, h = 0.01 s, g = 9.81 m/s^2.
 *
 *     random-cloud  contacts between bodies of masses over two decades
 *     wall          bricks in running bond: hyperstatic, the hardest for first-order methods
 *     incline       a block on a plane of angle th: stays iff tan th <= mu
 *     table         four legs pushed by a force: stays iff the push is below mu m g
 *     stack         spheres, each `ratio` times as heavy as the one below */
#include <config.h>

#include "scene.h"

/* The problem of a scene with cones; the scene is used up. */
static perp_status cones_of(scene *s, perp_problem **p, perp_error *err)
{
    family_draft d;
    perp_status status = scene_draft(s, SCENE_CONES, &d, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = scene_cones(s, &d, err);
    }
    scene_free(s);
    if (status != PERP_OK) {
        family_drop(&d);
        return status;
    }
    return scene_finish(&d, FAMILY_NO_ANSWER, p, err);
}

static perp_status random_cloud_make(const perp_options *opt, perp_problem **p,
                                     perp_error *err)
{
    scene s;
    perp_status status = scene_cloud(&s, (size_t)perp_options_integer(opt, "contacts"),
                                     (size_t)perp_options_integer(opt, "bodies"),
                                     (uint64_t)perp_options_integer(opt, "seed"),
                                     perp_options_real(opt, "mu-low"),
                                     perp_options_real(opt, "mu-high"), err);

    return status == PERP_OK ? cones_of(&s, p, err) : status;
}

/* Inertias of a solid box of half sizes. */
static void box_inertia(double m, const double half[3], double I[3])
{
    for (int k = 0; k < 3; k++) {
        double a = 2.0 * half[(k + 1) % 3];
        double b = 2.0 * half[(k + 2) % 3];

        I[k] = m / 12.0 * (a * a + b * b);
    }
}

static const double brick_half[3] = {0.5, 0.25, 0.25};

/* Left end of brick i in row k: odd rows are shifted by half a brick. */
static double brick_left(size_t i, size_t k)
{
    return (double)i + (k % 2 ? 0.5 : 0.0) - brick_half[0];
}

static void wall_bodies(scene *s, size_t nx, perp_random *g, double push)
{
    for (size_t k = 0; k < s->body_count; k++) {
        size_t row = k / nx;
        const double x[3] = {brick_left(k % nx, row) + brick_half[0], 0.0,
                             0.25 + 0.5 * (double)row};
        double m = 0.25 * (0.5 + perp_random_unit(g));
        double I[3];

        box_inertia(m, brick_half, I);
        scene_set_body(&s->bodies[k], m, I, x);
        for (int l = 0; l < 3; l++) { /* drawn also when nothing pushes */
            s->bodies[k].velocity[l] = push * perp_random_uniform(g, -1.0, 1.0);
        }
        s->bodies[k].velocity[2] -= scene_step * scene_gravity;
    }
}

/* Four points at the ends of an overlap from x to y, at the height z. */
static void wall_points(scene *s, long below, long above, double x, double y, double z,
                        double mu)
{
    for (int corner = 0; corner < 4; corner++) {
        const double point[3] = {corner < 2 ? x : y, corner % 2 ? 0.25 : -0.25, z};

        scene_flat_contact(&s->contacts[s->contact_count++], below, above, point, mu);
    }
}

static void wall_contacts(scene *s, size_t nx, size_t nz, double mu)
{
    const double least = 1e-9; /* bricks that only meet at a corner do not touch */

    s->contact_count = 0;
    for (size_t k = 0; k < nz; k++) {
        for (size_t i = 0; i < nx; i++) {
            double left = brick_left(i, k);
            long above = (long)(k * nx + i);

            if (k == 0) {
                wall_points(s, SCENE_GROUND, above, left, left + 1.0, 0.0, mu);
            }
            for (size_t j = 0; k > 0 && j < nx; j++) {
                double from = fmax(left, brick_left(j, k - 1));
                double to = fmin(left, brick_left(j, k - 1)) + 1.0;

                if (to - from > least) {
                    wall_points(s, (long)((k - 1) * nx + j), above, from, to,
                                0.5 * (double)k, mu);
                }
            }
        }
    }
}

static perp_status wall_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    size_t nx = (size_t)perp_options_integer(opt, "nx");
    size_t nz = (size_t)perp_options_integer(opt, "nz");
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    scene s;
    perp_status status = scene_new(&s, nx * nz, 8 * nx * nz, err); /* at most 2 below */

    if (status != PERP_OK) {
        return status;
    }
    wall_bodies(&s, nx, &g, perp_options_real(opt, "push"));
    wall_contacts(&s, nx, nz, perp_options_real(opt, "mu"));
    return cones_of(&s, p, err);
}

/* Four contacts below one body, at (+-x, +-y, -z) from its centre; the order of the legs. */
static perp_status four_legs(scene *s, double m, const double I[3], const double leg[3],
                             double mu, perp_error *err)
{
    static const double sign[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    const double origin[3] = {0, 0, 0};
    perp_status status = scene_new(s, 1, 4, err);

    if (status != PERP_OK) {
        return status;
    }
    scene_set_body(&s->bodies[0], m, I, origin);
    for (size_t k = 0; k < 4; k++) {
        const double point[3] = {sign[k][0] * leg[0], sign[k][1] * leg[1], -leg[2]};

        scene_flat_contact(&s->contacts[k], SCENE_GROUND, 0, point, mu);
    }
    return PERP_OK;
}

/* A block of 2 kg, 1 x 0.8 x 0.6 m, in axes of the plane: t1 points downslope. */
static perp_status incline_make(const perp_options *opt, perp_problem **p,
                                perp_error *err)
{
    const double half[3] = {0.5, 0.4, 0.3};
    double angle = perp_options_real(opt, "angle");
    double I[3];
    scene s;
    perp_status status = PERP_OK;

    box_inertia(2.0, half, I);
    status = four_legs(&s, 2.0, I, half, perp_options_real(opt, "mu"), err);
    if (status != PERP_OK) {
        return status;
    }
    s.bodies[0].velocity[0] = scene_step * scene_gravity * sin(angle);
    s.bodies[0].velocity[2] = -scene_step * scene_gravity * cos(angle);
    return cones_of(&s, p, err);
}

/* 10 kg, legs at (+-0.5, +-0.3), centre of mass 0.7 m above the floor. */
static perp_status table_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    const double I[3] = {2.0, 2.5, 3.0};
    const double leg[3] = {0.5, 0.3, 0.7};
    scene s;
    perp_status status = four_legs(&s, 10.0, I, leg, perp_options_real(opt, "mu"), err);

    if (status != PERP_OK) {
        return status;
    }
    s.bodies[0].velocity[0] = scene_step * perp_options_real(opt, "force-x") / 10.0;
    s.bodies[0].velocity[1] = scene_step * perp_options_real(opt, "force-y") / 10.0;
    s.bodies[0].velocity[2] = -scene_step * scene_gravity;
    return cones_of(&s, p, err);
}

/* Spheres of radius 1/2, the lowest of 1 kg, with inertia 0.4 m r^2. */
static perp_status stack_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    double ratio = perp_options_real(opt, "ratio");
    double mu = perp_options_real(opt, "mu");
    double m = 1.0;
    scene s;
    perp_status status = scene_new(&s, n, n, err);

    if (status != PERP_OK) {
        return status;
    }
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
    return cones_of(&s, p, err);
}

static const perp_option random_cloud_parameters[] = {
    PERP_INTEGER_FROM("contacts", 8, 1, 1e6, "contacts"),
    PERP_INTEGER_FROM("bodies", 5, 2, 1e6, "bodies"),
    PERP_INTEGER_FROM("seed", 3, 0, 9e15, "first state of the random stream"),
    PERP_REAL_FROM("mu-low", 0.1, 0.0, 10.0, "least friction"),
    PERP_REAL_FROM("mu-high", 0.9, 0.0, 10.0, "most friction"),
    PERP_OPTION_END,
};

static const perp_option wall_parameters[] = {
    PERP_INTEGER_FROM("nx", 2, 1, 1000, "bricks in a row"),
    PERP_INTEGER_FROM("nz", 2, 1, 1000, "rows"),
    PERP_REAL_FROM("mu", 0.6, 0.0, 10.0, "friction"),
    PERP_INTEGER_FROM("seed", 1, 0, 9e15, "first state of the random stream"),
    PERP_REAL_FROM("push", 0.0, 0.0, 1e3, "random velocities up to this [m/s]"),
    PERP_OPTION_END,
};

static const perp_option incline_parameters[] = {
    PERP_REAL_FROM("angle", 0.3, 0.0, 1.5, "of the plane [rad]"),
    PERP_REAL_FROM("mu", 0.5, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

static const perp_option table_parameters[] = {
    PERP_REAL_FROM("force-x", 0.0, -1e6, 1e6, "push along x [N]"),
    PERP_REAL_FROM("force-y", 0.0, -1e6, 1e6, "push along y [N]"),
    PERP_REAL_FROM("mu", 0.6, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

static const perp_option stack_parameters[] = {
    PERP_INTEGER_FROM("n", 4, 1, 10000, "spheres"),
    PERP_REAL_FROM("ratio", 10.0, 1e-3, 1e3,
                   "mass of a sphere over that of the one below"),
    PERP_REAL_FROM("mu", 0.5, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

const perp_family perp_family_random_cloud = {
    .name = "random-cloud",
    .summary = "random 3D contacts between bodies, masses over two decades",
    .reference = "",
    .parameters = random_cloud_parameters,
    .make = random_cloud_make,
};

const perp_family perp_family_wall = {
    .name = "wall",
    .summary = "bricks in running bond, hyperstatic, at rest or pushed",
    .reference = "",
    .parameters = wall_parameters,
    .make = wall_make,
};

const perp_family perp_family_incline = {
    .name = "incline",
    .summary = "a block on an inclined plane, four contacts",
    .reference = "",
    .parameters = incline_parameters,
    .make = incline_make,
};

const perp_family perp_family_table = {
    .name = "table",
    .summary = "a table of four legs, pushed: hyperstatic",
    .reference = "",
    .parameters = table_parameters,
    .make = table_make,
};

const perp_family perp_family_stack = {
    .name = "stack",
    .summary = "a column of spheres with a mass ratio: badly conditioned",
    .reference = "",
    .parameters = stack_parameters,
    .make = stack_make,
};
