/* SPDX-License-Identifier: Apache-2.0
 * tests/reduced/chain_growth.c: a chain of 10^5 links that a platform carries against a
 * wall, in reduced coordinates. Nothing is timed: ways from each link up to the platform in
 * the energy balance of a step would be 5 10^9 links long. */
#include <config.h>

#include <stdio.h>

#include "world_run.h"

enum { LINKS = 100000 };

static const double mass = 0.01, radius = 0.1, speed = 0.5;

/* Balls 1 m apart, straight down, without gravity; the first touches a wall ahead. */
static perp_world *chain_new(void)
{
    static const double half[3] = {1.0, 0.4, 0.4};
    perp_world *world = test_world(3, 0.0);
    perp_body platform = {
        .name = "platform", .motion = PERP_MOTION_KINEMATIC, .v = {speed, 0, 0}};
    int32_t above = 0;
    char name[32];

    run_box(world, "wall", 0.0, half, radius + half[0], 0.0, -1.0);
    OK(perp_world_add_body(world, &platform, &above, NULL));
    for (int k = 0; k < LINKS; k++) {
        int32_t body = 0;

        snprintf(name, sizeof name, "link %d", k);
        body = k == 0 ? run_ball(world, name, mass, radius, 0.0, 0.0, -1.0)
                      : test_ball(world, name, mass, radius, 0.0, 0.0, -1.0 - k);
        world->start->u[6 * body] = speed;
        run_joint(world, "revolute", above, body, (const double[]){0, 0, -k},
                  (const double[]){0, 1, 0});
        above = body;
    }
    OK(perp_world_reduce(world, NULL, NULL));
    return world;
}

/* The wall stops the first link; the platform goes on and works. */
TEST(work_of_a_platform_on_a_hundred_thousand_links_is_in_the_balance)
{
    perp_scheme scheme = run_scheme(1e-4);
    run r = run_begin(chain_new(), &scheme, "nsgs tolerance=1e-12", false);
    double before = 0.5 * mass * speed * speed * LINKS;
    double sum = 0.0;

    OK(perp_stepper_step(r.stepper, &r.report, NULL));
    for (int k = 0; k < PERP_LEDGER_PARTS; k++) {
        sum += r.report.ledger[k];
    }
    /* a share of m v^2; sums of 10^5 energies are known to 1e-12 of them */
    CU_ASSERT(r.report.ledger[PERP_LEDGER_JOINTS] >= 0.01 * mass * speed * speed);
    CU_ASSERT_DOUBLE_EQUAL(r.report.kinetic - before, sum, 1e-12 * before);
}
