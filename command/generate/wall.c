/* SPDX-License-Identifier: Apache-2.0
 * families/wall.c: bricks in running bond, 1 x 0.5 x 0.5 m: hyperstatic, the hardest scene for
 * first-order methods. As a sequence, a wall that is pushed: its top row slides, and contacts
 * end and begin. */
#include <config.h>

#include "command/cli/take.h"
#include "scene.h"

static const double brick_half[3] = {0.5, 0.25, 0.25};

/* nx bricks in each of nz rows, the top one moved along x by `slide`. */
typedef struct wall {
    size_t nx, nz;
    double mu, slide;
} wall;

/* Left end of brick i in row k: odd rows are shifted by half a brick. */
static double brick_left(const wall *w, size_t i, size_t k)
{
    double moved = k > 0 && k + 1 == w->nz ? w->slide : 0.0;

    return (double)i + (k % 2 ? 0.5 : 0.0) + moved - brick_half[0];
}

static void wall_bodies(scene *s, const wall *w, perp_random *g, double push)
{
    for (size_t k = 0; k < s->body_count; k++) {
        size_t row = k / w->nx;
        const double x[3] = {brick_left(w, k % w->nx, row) + brick_half[0], 0.0,
                             0.25 + 0.5 * (double)row};
        double m = 0.25 * (0.5 + perp_random_unit(g));
        double I[3];

        scene_box_inertia(m, brick_half, I);
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

/* The points where two bricks, or a brick and the ground, meet; each has a key of its own for
 * as long as they do. `keys` may be NULL. */
static void wall_contacts(scene *s, const wall *w, uint64_t *keys)
{
    const double least = 1e-9; /* bricks that only meet at a corner do not touch */
    size_t bricks = w->nx * w->nz;

    s->contact_count = 0;
    for (size_t above = 0; above < bricks; above++) {
        size_t k = above / w->nx;
        double left = brick_left(w, above % w->nx, k);
        size_t under = k ? w->nx : 1; /* the bricks of the row below, or the ground */

        for (size_t j = 0; j < under; j++) {
            double below = k ? brick_left(w, j, k - 1) : left;
            double from = fmax(left, below);
            double to = fmin(left, below) + 1.0;
            size_t first = s->contact_count;
            long body = k ? (long)((k - 1) * w->nx + j) : SCENE_GROUND;

            if (to - from > least) {
                wall_points(s, body, (long)above, from, to, 0.5 * (double)k, w->mu);
            }
            for (size_t c = first; keys && c < s->contact_count; c++) {
                uint64_t pair = (uint64_t)(body + 1) * (bricks + 1) + above + 1;

                keys[c] = 4 * pair + (c - first);
            }
        }
    }
}

/* The scene of a wall: velocities drawn up to `push`, and an impulse on the first brick of
 * the top row. At most two bricks are below one, four points each. */
static void wall_scene(scene *s, const wall *w, uint64_t seed, double push,
                       double impulse, uint64_t *keys)
{
    perp_random g = {seed};

    scene_new(s, w->nx * w->nz, 8 * w->nx * w->nz);
    scene_body *pushed = &s->bodies[w->nx * (w->nz - 1)];

    wall_bodies(s, w, &g, push);
    if (impulse != 0.0) { /* -0 + 0 would be another bit */
        pushed->velocity[0] += impulse * pushed->inverse[0];
    }
    wall_contacts(s, w, keys);
}

static wall wall_of(const perp_options *opt)
{
    return (wall){(size_t)perp_options_integer(opt, "nx"),
                  (size_t)perp_options_integer(opt, "nz"), perp_options_real(opt, "mu"),
                  0.0};
}

static perp_status wall_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    wall w = wall_of(opt);
    scene s;

    wall_scene(&s, &w, (uint64_t)perp_options_integer(opt, "seed"),
               perp_options_real(opt, "push"), 0.0, NULL);
    return scene_problem(&s, p, err);
}

/* The first brick of the top row is pushed along x, harder with each step, and the row gives
 * way: contacts move, end, and begin. */
static perp_status wall_sequence(const perp_options *opt, perp_sequence *sequence,
                                 perp_error *err)
{
    wall w = wall_of(opt);
    size_t steps = (size_t)perp_options_integer(opt, "steps");
    perp_status status = PERP_OK;

    for (size_t k = 0; k < steps && status == PERP_OK; k++) {
        double share = (double)(k + 1) / (double)steps;
        double impulse = share * scene_step * perp_options_real(opt, "force");
        perp_sequence_item step = {.t = (double)(k + 1) * scene_step, .h = scene_step};
        scene s;

        w.slide = share * perp_options_real(opt, "slide");
        step.keys = take(8 * w.nx * w.nz, sizeof *step.keys);
        wall_scene(&s, &w, (uint64_t)perp_options_integer(opt, "seed"),
                   perp_options_real(opt, "push"), impulse, step.keys);
        if (status == PERP_OK) {
            status = scene_problem(&s, &step.problem, err);
        }
        if (status == PERP_OK) {
            status = perp_sequence_add(sequence, &step, err);
        }
        perp_sequence_item_clear(&step);
    }
    return status;
}

static const perp_option wall_parameters[] = {
    PERP_INTEGER("nx", 2, 1, 1000, "bricks in a row"),
    PERP_INTEGER("nz", 2, 1, 1000, "rows"),
    PERP_REAL_CLOSED("mu", 0.6, 0.0, 10.0, "friction"),
    PERP_INTEGER("seed", 1, 0, 9e15, "first state of the random stream"),
    PERP_REAL_CLOSED("push", 0.0, 0.0, 1e3, "random velocities up to this [m/s]"),
    PERP_OPTION_END,
};

static const perp_option wall_sequence_parameters[] = {
    PERP_INTEGER("steps", 40, 1, 1e6, "of 0.01 s each"),
    PERP_REAL_CLOSED("force", 2.0, -1e6, 1e6, "push on the top row at the end [N]"),
    PERP_REAL_CLOSED("slide", 0.8, -1e3, 1e3, "of the top row at the end [m]"),
    PERP_OPTION_END,
};

const perp_family perp_family_wall = {
    .name = "wall",
    .summary = "bricks in running bond, hyperstatic, at rest or pushed",
    .reference = "",
    .parameters = wall_parameters,
    .make = wall_make,
    .sequence = wall_sequence,
    .sequence_parameters = wall_sequence_parameters,
};
