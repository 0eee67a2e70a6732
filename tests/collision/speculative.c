/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/speculative.c: margins that grow with speed: what would meet within a
 * step is seen at its start. */
#include <config.h>

#include <stdlib.h>

#include "contact_queries.h"

static const double origin[3] = {0};

/* A ball of 0.1 m at 100 m/s against a wall of 1 cm, whose near side is x = 0: in a step
 * it flies 1.67 m. Where it is after `steps`. */
static double shoot(bool speculative, size_t steps, const char *solver)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape wall = shape_of("box", 0.005, 2.0, 2.0);
    perp_shape ball = shape_of("sphere", 0.1, 0, 0);
    const double behind[3] = {0.005, 0, 0};
    const double start[3] = {-5.8, 0.1, 0.2};
    perp_stepper *stepper = NULL;
    perp_scheme scheme;
    double x = 0.0;

    put(world, "wall", 0.0, &wall, behind, NULL);
    put(world, "ball", 1.0, &ball, start, NULL);
    perp_body_velocity(world->start, 1)[0] = 100.0;
    perp_scheme_default(&scheme);
    scheme.speculative = speculative;
    OK(perp_stepper_new(&stepper, world, &scheme,
                        &(perp_stepper_options){.solver = perp_solver_find(solver),
                                                .state = world->start},
                        NULL));
    for (size_t k = 0; k < steps; k++) {
        perp_report report;

        OK(perp_stepper_step(stepper, &report, NULL));
    }
    x = perp_body_pose(world->start, 1)[0];
    return x;
}

TEST(a_fast_ball_does_not_pass_a_thin_wall)
{
    CU_ASSERT(shoot(false, 10, "nsgs") > 5.0); /* nothing was in its way */
    for (size_t steps = 1; steps <= 20; steps++) {
        /* the row lets it close the gap and no more: solved to 1e-8 of 100 m/s, in 20
         * steps of 1/60 s */
        CU_ASSERT(shoot(true, steps, "nsgs") <= -0.1 + 1e-6);
    }
    CU_ASSERT_DOUBLE_EQUAL(shoot(true, 20, "nsgs"), -0.1, 1e-6); /* it got there */
}

/* How deep two bodies are at most while they fly freely for dt, looked at often
 * enough. */
static double closest_flight(perp_world *world, double dt)
{
    enum { LOOKS = 24 };
    perp_scheme scheme;
    double least = INFINITY;

    perp_scheme_default(&scheme);
    for (int k = 0; k <= LOOKS; k++) {
        perp_placed a = {.shape = &world->shapes[0]};
        perp_placed b = {.shape = &world->shapes[1]};
        perp_proximity p;

        perp_shape_pose(world->start, a.shape, a.R, a.x);
        perp_shape_pose(world->start, b.shape, b.R, b.x);
        OK(perp_proximity_find(NULL, &a, &b, NULL, &p, NULL));
        least = fmin(least, p.gap);
        perp_world_move(world, world->start, world->start->u, dt / LOOKS, &scheme, NULL);
    }
    return least;
}

/* Whatever two bodies do in a step, if it brings them together, they are seen before. */
TEST(bodies_that_meet_within_a_step_have_contacts_at_its_start)
{
    static const char *const kinds[] = {"sphere", "box", "capsule"};
    const int draws = getenv("PERP_TEST_BRIEF") ? 300 : 3000;
    const double dt = 0.1;
    perp_random random = {31};
    perp_collider *c = NULL;
    perp_contacts contacts = {0};
    int met = 0;
    int apart = 0;

    OK(perp_collider_new(&c, NULL));
    for (int draw = 0; draw < draws; draw++) {
        const perp_collide_settings s = {.margin = 0.001, .speculative = dt};
        perp_world *world = test_world(3, 0.0);

        for (int k = 0; k < 2; k++) {
            perp_shape shape = shape_of(kinds[(draw / (k ? 3 : 1)) % 3], 0.3, 0.6, 0.2);
            double r[3], q[4];

            draw_pose(&random, 1.2, r, q);
            shape.at[k] = 0.4; /* off the centre: spin moves it */
            put(world, k ? "b" : "a", 1.0, &shape, r, q);
            for (int x = 0; x < 6; x++) {
                perp_body_velocity(world->start, (size_t)k)[x] =
                    perp_random_uniform(&random, -6.0, 6.0);
            }
        }
        OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
        apart += contacts.count == 0;
        if (closest_flight(world, dt) <= 0.0) {
            CU_ASSERT(contacts.count > 0);
            met++;
        }
    }
    CU_ASSERT(met > draws / 20 && apart > draws / 20); /* both happen */
}

/* A lid that turns about a far axis sweeps fast where the ball is: the plane has no reach
 * of its own, its field at the ball counts. */
TEST(a_turning_half_space_sees_what_it_sweeps)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    const double far[3] = {20.0, 0, 2.5};
    perp_contacts contacts = {0};
    perp_collider *c = NULL;
    perp_collide_settings s = {.margin = 0.01, .speculative = 0.1};

    OK(perp_collider_new(&c, NULL));
    put(world, "lid", 0.0, &plane, origin, NULL);
    put(world, "ball", 1.0, &ball, far, NULL);
    world->motion[0] = PERP_MOTION_KINEMATIC;
    /* the gap is 2; at the ball the plane rises by |w x r| = 20.2 |w| at most */
    perp_body_velocity(world->start, 0)[4] = -0.5;
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 0); /* 0.1 * (10.1 + 0.25) is less */
    perp_body_velocity(world->start, 0)[4] = -1.0;
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 1);
}

/* Two that fly side by side have the margin of two that rest. */
TEST(a_common_motion_does_not_count)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape ball = shape_of("sphere", 0.5, 0, 0);
    const double beside[3] = {1.5, 0, 0};
    perp_contacts contacts = {0};
    perp_collider *c = NULL;
    perp_collide_settings s = {.margin = 0.01, .speculative = 0.1};

    OK(perp_collider_new(&c, NULL));
    put(world, "a", 1.0, &ball, origin, NULL);
    put(world, "b", 1.0, &ball, beside, NULL);
    perp_body_velocity(world->start, 0)[2] = perp_body_velocity(world->start, 1)[2] =
        50.0;
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 0);
    perp_body_velocity(world->start, 0)[2] = 45.0;
    OK(perp_collider_run(c, world, world->start, &s, &contacts, NULL));
    CU_ASSERT_EQUAL(contacts.count, 1); /* 0.1 * 5 reaches over the gap of 0.5 */
}

/* A few bodies that fall on a floor. */
static perp_world *fall(void)
{
    perp_world *world = test_world(3, 9.81);
    perp_shape plane = shape_of("plane", 0, 0, 0);
    perp_shape box = shape_of("box", 0.3, 0.2, 0.4);
    perp_random random = {41};

    put(world, "floor", 0.0, &plane, origin, NULL);
    for (int k = 0; k < 12; k++) {
        const char name[2] = {(char)('a' + k), 0};
        double r[3], q[4];

        draw_pose(&random, 0.8, r, q);
        r[2] += 1.5;
        put(world, name, 1.0, &box, r, q);
    }
    return world;
}

static perp_stepper *stepper_of(perp_world *world, const char *broad)
{
    perp_stepper *stepper = NULL;
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    scheme.speculative = true;
    scheme.broad = perp_broad_find(broad);
    scheme.reduce = 4;
    OK(perp_stepper_new(&stepper, world, &scheme,
                        &(perp_stepper_options){.solver = perp_solver_find("nsgs"),
                                                .state = world->start},
                        NULL));
    return stepper;
}

static void make_steps(perp_stepper *stepper, int count)
{
    for (int k = 0; k < count; k++) {
        perp_report report;

        OK(perp_stepper_step(stepper, &report, NULL));
    }
}

static bool same_state(const perp_stepper *a, const perp_stepper *b)
{
    size_t size = perp_stepper_state_size(a);
    double *x = test_alloc(2 * size, sizeof *x);
    bool same = x && perp_stepper_state_size(b) == size;

    if (same) {
        same = perp_stepper_save(a, x, size, NULL) == PERP_OK &&
               perp_stepper_save(b, x + size, size, NULL) == PERP_OK &&
               memcmp(x, x + size, size * sizeof *x) == 0;
    }
    return same;
}

/* A stepper that was saved and loaded knows nothing of searches before: neither what its
 * contacts were nor what its broad phase had found. */
TEST(a_run_that_goes_on_comes_to_the_same_bits)
{
    size_t types = 0;
    const perp_broad_type *const *type = perp_broad_types(&types);
    perp_world *first = fall();
    perp_stepper *all = stepper_of(first, type[0]->name);

    make_steps(all, 120);
    for (size_t k = 0; k < types; k++) {
        perp_world *one = fall();
        perp_world *two = fall();
        perp_stepper *before = stepper_of(one, type[k]->name);
        perp_stepper *after = stepper_of(two, type[(k + 1) % types]->name);
        double *state = NULL;
        size_t size = 0;

        make_steps(before, 57);
        size = perp_stepper_state_size(before);
        state = test_alloc(size, sizeof *state);
        OK(perp_stepper_save(before, state, size, NULL));
        OK(perp_stepper_load(after, state, size, NULL));
        make_steps(after, 63);
        CU_ASSERT(same_state(all, after));
    }
}

/* With speculative margins contacts belong to velocities too: what the user changes
 * between steps is seen in the next one. */
TEST(a_velocity_changed_between_steps_is_seen)
{
    perp_world *world = test_world(3, 0.0);
    perp_shape wall = shape_of("box", 0.005, 2.0, 2.0);
    perp_shape ball = shape_of("sphere", 0.1, 0, 0);
    const double start[3] = {-1.0, 0, 0};
    perp_stepper *stepper = NULL;

    put(world, "wall", 0.0, &wall, origin, NULL);
    put(world, "ball", 1.0, &ball, start, NULL);
    stepper = stepper_of(world, "bvh");
    make_steps(stepper, 3);
    perp_body_velocity(world->start, 1)[0] = 100.0;
    make_steps(stepper, 10);
    CU_ASSERT(perp_body_pose(world->start, 1)[0] < -0.1); /* before the wall */
}
