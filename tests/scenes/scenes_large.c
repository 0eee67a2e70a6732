/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_large.c: scenes that grow to thousands of bodies, small: they start
 * at rest where they rest, and carry what statics says; at their large sizes, they start
 * without overlap. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact_scene.h"
#include "math/vec3.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double g = 9.81;
static const double pi = 3.14159265358979323846;

/* The impulse of the last step from one body to another, along z [N s]. */
static double upwards(const show *s, const char *below, const char *above)
{
    double push[3];

    show_push(s, show_body(s, below), show_body(s, above), true, push);
    return push[2];
}

/* That of the world on all bodies, over dt [N]. */
static void from_the_world(const show *s, double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    for (size_t k = 0; k < s->world->body_count; k++) {
        double push[3];

        if (s->world->motion[k] == PERP_MOTION_DYNAMIC) {
            show_push(s, show_body(s, "world"), k, true, push);
            for (int c = 0; c < 3; c++) {
                force[c] += push[c] / s->play.scheme.dt;
            }
        }
    }
}

/* Momentum along x over the mass of all [m/s]. */
static double common_speed(const show *s)
{
    double momentum[3];
    double mass = 0.0;

    for (size_t k = 0; k < s->world->body_count; k++) {
        mass += s->world->motion[k] == PERP_MOTION_DYNAMIC ? s->world->mass[k] : 0.0;
    }
    perp_world_momentum(s->world, s->world->start, momentum);
    return momentum[0] / mass;
}

/* At rest from the first step on, to what a residual of 1e-8 leaves (scenes_stacks.c). */
static void rests(show *s, size_t steps, double contacts, double weight)
{
    double force[3];

    show_begin(s, NULL);
    show_steps(s, 1);
    CU_ASSERT_EQUAL((double)s->play.run.report.contacts, contacts);
    CU_ASSERT(show_drift(s) <= 1e-9);
    show_steps(s, steps - 1);
    test_note("%s: %zu contacts, penetration %.2g m, drift %.2g m, RES %.2g", s->name,
              (size_t)s->play.run.report.contacts, s->play.penetration, show_drift(s),
              s->play.residual);
    CU_ASSERT_EQUAL((double)s->play.run.report.contacts, contacts);
    CU_ASSERT(s->play.penetration <= 1e-9);
    CU_ASSERT(show_drift(s) <= 1e-7);
    from_the_world(s, force);
    CU_ASSERT_DOUBLE_EQUAL(force[2], weight, 1e-6 * weight);
    CU_ASSERT(fabs(force[0]) + fabs(force[1]) <= 1e-6 * weight);
}

/* 4 n^2 contacts of n levels: four of each box of the lowest, eight of each other one. */
TEST(a_pyramid_of_boxes_rests_and_carries_its_top_on_two)
{
    static const perp_scene_set sets[] = {{"levels", "8"}};
    show s = show_open_with("box-pyramid", SETS(sets));
    double weight = 0.0;
    double top = 0.0;
    double force[3];

    rests(&s, play_brief() ? 2 : 30, 256.0, 36.0 * g);
    weight = g * s.play.scheme.dt;
    top = upwards(&s, "box-7-1", "box-8-1") + upwards(&s, "box-7-2", "box-8-1");
    CU_ASSERT_DOUBLE_EQUAL(top, weight, 1e-6 * weight);
    from_the_world(&s, force);
    page_says("box-pyramid", "contacts of 8 levels", (double)s.play.run.report.contacts);
    page_says("box-pyramid", "farthest movement, 8 levels, 0.5 s [m]", show_drift(&s));
    page_says("box-pyramid", "normal force of the ground, 8 levels [N]", force[2]);
    page_says("box-pyramid", "force of two boxes on the top one [N]",
              top / s.play.scheme.dt);
    show_end(&s);
}

/* All contacts of the floor slide: the sum of their friction is mu of the weight. */
TEST(a_pyramid_that_slides_is_slowed_down_by_friction)
{
    static const perp_scene_set sets[] = {
        {"levels", "4"}, {"slide", "1"}, {"friction", "0.2"}};
    show s = show_open_with("box-pyramid", SETS(sets));
    double dt = 0.0;

    show_begin(&s, NULL);
    show_steps(&s, 10);
    dt = s.play.scheme.dt;
    CU_ASSERT_DOUBLE_EQUAL(common_speed(&s), 1.0 - 10.0 * dt * 0.2 * g, 1e-6);
    page_says("box-pyramid",
              "speed after 10 steps, 4 levels, slide 1, friction 0.2 [m/s]",
              common_speed(&s));
    show_end(&s);
}

TEST(a_pyramid_that_lands_stops_in_a_step)
{
    static const perp_scene_set sets[] = {{"levels", "4"}, {"fall", "2"}};
    show s = show_open_with("box-pyramid", SETS(sets));

    show_begin(&s, NULL);
    show_steps(&s, 1);
    CU_ASSERT(s.play.run.report.kinetic <= 1e-10); /* of 20 J */
    page_says("box-pyramid", "kinetic energy a step after fall 2, 4 levels [J]",
              s.play.run.report.kinetic);
    show_end(&s);
}

/* Impacts without restitution and friction only take energy. */
TEST(a_pyramid_that_is_shaken_loses_energy)
{
    static const perp_scene_set sets[] = {{"levels", "4"}, {"shake", "1"}};
    show s = show_open_with("box-pyramid", SETS(sets));
    double first = 0.0;

    CU_ASSERT(show_twist(&s, "box-1-1")[1] != show_twist(&s, "box-1-2")[1]);
    show_begin(&s, NULL);
    first = s.play.energy;
    show_steps(&s, 1);
    CU_ASSERT(s.rise <= 1e-7); /* of 196 J */
    CU_ASSERT(s.play.run.energy < first - 0.1);
    show_end(&s);
}

TEST(a_ball_that_hits_a_pyramid_brings_no_energy_but_its_own)
{
    static const perp_scene_set sets[] = {{"levels", "3"}, {"ball", "10"}};
    show s = show_open_with("box-pyramid", SETS(sets));
    double first = 0.0;

    show_begin(&s, "nsgs+newton");
    show_steps(&s, 5);
    CU_ASSERT(show_pose(&s, "ball-1")[0] < -2.5); /* on its way */
    CU_ASSERT(show_pose(&s, "box-1-1")[2] < 0.5 + 1e-7);
    first = common_speed(&s);
    show_steps(&s, 15);
    CU_ASSERT(s.rise <= 1e-5); /* of 2500 J */
    CU_ASSERT(show_twist(&s, "box-2-1")[0] > 1.0);
    CU_ASSERT(common_speed(&s) <= first + 1e-9);
    show_end(&s);
}

TEST(towers_carry_themselves_one_by_one)
{
    static const perp_scene_set sets[] = {{"towers", "3"}, {"boxes", "5"}};
    show s = show_open_with("towers", SETS(sets));
    char name[2][24];

    rests(&s, play_brief() ? 2 : 40, 60.0, 15.0 * g);
    for (int j = 1; j <= 3; j++) {
        snprintf(name[0], sizeof name[0], "world");
        for (int k = 1; k <= 5; k++) {
            double weight = (6.0 - k) * g * s.play.scheme.dt;

            snprintf(name[1], sizeof name[1], "box-%d-%d", j, k);
            CU_ASSERT_DOUBLE_EQUAL(upwards(&s, name[0], name[1]), weight, 1e-6 * weight);
            memcpy(name[0], name[1], sizeof name[0]);
        }
    }
    page_says("towers", "contacts of 3 towers of 5", (double)s.play.run.report.contacts);
    page_says("towers", "farthest movement [m]", show_drift(&s));
    page_says("towers", "normal force under a tower of 5 [N]",
              upwards(&s, "world", "box-2-1") / s.play.scheme.dt);
    show_end(&s);
}

/* Five courses of three bricks, whole ones 3, 2, 3, 2, 3 and two halves twice: 12 contacts
 * with the floor, 24 between courses, four at each of 2 or 3 joints within one. */
TEST(a_wall_of_any_size_rests)
{
    static const perp_scene_set sets[] = {{"courses", "5"}, {"bricks", "3"}};
    show s = show_open_with("wall", SETS(sets));
    double brick = 2000.0 * 0.25 * 0.125 * 0.0625;

    rests(&s, 5, 12.0 + 4.0 * 24.0 + 3.0 * 8.0 + 2.0 * 12.0, 15.0 * brick * g);
    page_says("wall", "contacts of 5 courses of 3", (double)s.play.run.report.contacts);
    show_end(&s);
}

/* n (3 n + 1)/2 cards. */
TEST(a_card_house_of_four_levels_rests)
{
    static const perp_scene_set sets[] = {{"levels", "4"}};
    show s = show_open_with("card-house", SETS(sets));

    CU_ASSERT_EQUAL(s.world->body_count, 27);
    rests(&s, 5, 108.0, 26.0 * 0.02 * g);
    page_says("card-house", "movement of 4 levels in 50 ms [m]", show_drift(&s));
    show_end(&s);
}

TEST(an_arch_of_two_hundred_stones_rests)
{
    static const perp_scene_set sets[] = {{"stones", "199"}};
    show s = show_open_with("masonry-bridge", SETS(sets));
    double weight = 0.0;
    double force[3], sum[3] = {0.0, 0.0, 0.0};

    for (size_t k = 0; k < s.world->body_count; k++) {
        weight += s.world->motion[k] == PERP_MOTION_DYNAMIC ? s.world->mass[k] * g : 0.0;
    }
    show_begin(&s, NULL);
    show_steps(&s, play_brief() ? 1 : 3);
    CU_ASSERT(show_drift(&s) <= 1e-7);
    for (int k = 1; k <= 2; k++) {
        char name[2][24];

        snprintf(name[0], sizeof name[0], "abutment-%d", k);
        snprintf(name[1], sizeof name[1], "voussoir-%d", k == 1 ? 1 : 199);
        show_push(&s, show_body(&s, name[0]), show_body(&s, name[1]), true, force);
        for (int c = 0; c < 3; c++) {
            sum[c] += force[c] / s.play.scheme.dt;
        }
    }
    test_note("arch: %zu contacts, drift %.2g, force %.6g of %.6g N",
              (size_t)s.play.run.report.contacts, show_drift(&s), sum[2], weight);
    CU_ASSERT_DOUBLE_EQUAL(sum[2], weight, 1e-5 * weight);
    CU_ASSERT(fabs(sum[0]) <= 1e-5 * weight);
    page_says("masonry-bridge", "force of the abutments on 199 stones and the load [N]",
              sum[2]);
    show_end(&s);
}

/* Rope k from below carries k nodes; those across carry nothing. */
TEST(a_net_hangs_by_its_columns)
{
    static const perp_scene_set sets[] = {{"rows", "5"}, {"columns", "4"}};
    play p = play_start(play_read_with("chain-net", SETS(sets)), NULL);
    double force = 0.0, total = 0.0;
    char name[32];

    play_steps(&p, 20);
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "top %d", k);
        play_force(&p, name, PERP_ROLE_JOINT, 1, &force);
        CU_ASSERT_DOUBLE_EQUAL(fabs(force), 0.5 * g, 1e-6 * g);
        total += fabs(force);
        for (int j = 0; j < 4; j++) {
            snprintf(name, sizeof name, "down %d,%d", j, k);
            play_force(&p, name, PERP_ROLE_JOINT, 1, &force);
            CU_ASSERT_DOUBLE_EQUAL(fabs(force), (4.0 - j) * 0.1 * g, 1e-6 * g);
        }
    }
    for (int j = 0; j < 5; j++) {
        snprintf(name, sizeof name, "across %d,1", j);
        play_force(&p, name, PERP_ROLE_JOINT, 1, &force);
        CU_ASSERT_DOUBLE_EQUAL(force, 0.0, 1e-6 * g);
    }
    CU_ASSERT(p.drift_length <= 1e-9);
    page_says("chain-net", "force of the bar on 5 x 4 nodes [N]", total);
    page_says("chain-net", "stretch of a rope [m]", p.drift_length);
    play_end(&p);
}

TEST(a_net_catches_a_ball)
{
    static const perp_scene_set sets[] = {{"rows", "6"}, {"columns", "6"}, {"ball", "3"}};
    show s = show_open_with("chain-net", SETS(sets));

    show_begin(&s, NULL);
    show_steps(&s, play_brief() ? 20 : 60);
    CU_ASSERT(s.rise <= 1e-6); /* of 9 J */
    CU_ASSERT(s.play.drift_length <= 0.02);
    if (!play_brief()) {
        CU_ASSERT(show_twist(&s, "ball-1")[1] < 2.0);
        page_says("chain-net", "speed of a ball of 3 m/s after 0.25 s [m/s]",
                  show_twist(&s, "ball-1")[1]);
        page_says("chain-net", "stretch of a rope that it hits [m]", s.play.drift_length);
    }
    show_end(&s);
}

/* m v^2/r = 2 T sin(pi/n); statics leaves open what joints carry along z. */
TEST(a_ring_spins_on_and_keeps_its_length)
{
    static const perp_scene_set sets[] = {{"links", "16"}};
    show s = show_open_with("ring", SETS(sets));
    double r = 0.1 / (2.0 * tan(pi / 16.0));
    double tension = 0.05 * 0.25 / r / (2.0 * sin(pi / 16.0));
    double force[3], floor[3];
    double worst = 0.0;

    show_begin(&s, NULL);
    show_steps(&s, 240);
    for (int k = 0; k < 16; k++) {
        char name[16];

        snprintf(name, sizeof name, "joint %d", k);
        play_force(&s.play, name, PERP_ROLE_JOINT, 3, force);
        worst = fmax(worst, fabs(hypot(force[0], force[1]) - tension));
        snprintf(name, sizeof name, "link %d", k);
        CU_ASSERT_DOUBLE_EQUAL(hypot(show_pose(&s, name)[0], show_pose(&s, name)[1]), r,
                               1e-4);
    }
    from_the_world(&s, floor);
    test_note("ring: tension %.6g N, off by %.2g; drift %.2g m", tension, worst,
              s.play.drift_length);
    CU_ASSERT(worst <= 0.01 * tension);
    CU_ASSERT_DOUBLE_EQUAL(floor[2], 16.0 * 0.05 * g, 1e-6);
    CU_ASSERT(s.play.drift_length <= 1e-4);
    page_says("ring", "weight that the floor carries, 16 links [N]", floor[2]);
    page_says("ring", "tension of a joint, 16 links [N]", tension + worst);
    page_says("ring", "drift of the joints in 1 s [m]", s.play.drift_length);
    show_end(&s);
}

TEST(three_rag_dolls_run_into_each_other)
{
    static const perp_scene_set sets[] = {{"dolls", "3"}};
    show s = show_open_with("rag-doll", SETS(sets));

    CU_ASSERT_EQUAL(s.world->body_count, 34);
    show_begin(&s, NULL);
    show_steps(&s, play_brief() ? 20 : 160);
    CU_ASSERT(s.play.drift_length < 1e-6 && s.play.penetration < 1e-6);
    CU_ASSERT(s.rise <= 1e-4); /* of 3000 J */
    show_end(&s);
}

/* At the sizes that the pages name: nothing overlaps at first, so that no step has to push
 * bodies apart. */
TEST(large_scenes_start_without_overlap)
{
    static const struct {
        const char *name;
        perp_scene_set set;
        size_t bodies; /* that move */
    } cases[] = {
        {"box-pyramid", {"levels", "44"}, 990},
        {"towers", {"towers", "50"}, 500},
        {"chain-net", {"columns", "50"}, 400},
        {"ring", {"links", "1000"}, 1000},
        {"rag-doll", {"dolls", "100"}, 1100},
        {"sphere-pack", {"count", "2000"}, 2000},
        {"gravel", {"count", "2000"}, 2000},
        {"hopper", {"count", "3000"}, 3000},
        {"drum", {"count", "3000"}, 3000},
        {"masonry-bridge", {"stones", "199"}, 200},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_scene *scene = play_read_with(cases[k].name, &cases[k].set, 1);
        perp_contacts contacts = {0};
        size_t moving = 0;
        double deepest = 0.0;

        for (size_t i = 0; i < scene->world->body_count; i++) {
            moving += scene->world->motion[i] == PERP_MOTION_DYNAMIC;
        }
        CU_ASSERT_EQUAL(moving, cases[k].bodies);
        OK(perp_collide(scene->world, scene->world->start, scene->scheme.margin,
                        &contacts, NULL));
        for (size_t i = 0; i < contacts.count; i++) {
            deepest = fmin(deepest, contacts.at[i].gap);
        }
        test_note("%s: %zu bodies, %zu contacts, deepest %.2g m", cases[k].name, moving,
                  contacts.count, deepest);
        CU_ASSERT(deepest >= -1e-12); /* rounding of places of some 10 m */
        perp_contacts_clear(&contacts);
    }
}
