/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/flush.c: shapes that lie side by side are one surface: a floor of tiles has the contacts
 * and the motion of a plane, steps and walls stay what they are. */
#include <config.h>

#include <stdio.h>

#include <perp/dynamics/rotation.h>

#include "contact_queries.h"
#include "world_run.h"

static const double tolerance = 1e-9;

/* What tiles are: bodies of their own, shapes of one body, parts of a compound; and their form. */
enum { TILES_BODIES, TILES_SHAPES, TILES_PARTS, TILES_KINDS };
enum { TILE_BOX, TILE_PRISM, TILE_FORMS };
enum { SIDE = 4, TILES = 2 * SIDE * SIDE };

/* Half of a tile, width 0.5, height 0.4, its top at z = 0: `half` is 0 or 1. */
static void prism(int half, double room[18])
{
    const double x[2][3] = {{-.25, .25, .25}, {-.25, .25, -.25}};
    const double y[2][3] = {{-.25, -.25, .25}, {-.25, .25, .25}};

    for (int k = 0; k < 6; k++) {
        vec3_set(room + 3 * k, x[half][k % 3], y[half][k % 3], k < 3 ? -.4 : 0.0);
    }
}

static const char *tile_name(size_t k)
{
    static char name[24];

    snprintf(name, sizeof name, "tile %zu", k);
    return name;
}

/* SIDE x SIDE tiles about the origin, those at x > 0 higher by a step, in the axes of a body at
 * r, turned by q. */
static void lay(perp_world *world, int kind, int form, double step, const double r[3],
                const double q[4])
{
    double room[TILES][18];
    perp_shape tile[TILES];
    perp_shape whole = shape_of("compound", 0, 0, 0);
    int32_t body = 0;
    size_t count = 0;

    for (int k = 0; k < SIDE * SIDE; k++) {
        for (int half = 0; half < (form == TILE_PRISM ? 2 : 1); half++) {
            perp_shape *t = &tile[count];
            bool high = k % SIDE >= SIDE / 2;

            if (form == TILE_BOX) {
                *t = shape_of("box", .25, .25, .2);
            } else {
                *t = shape_of("hull", 0, 0, 0);
                prism(half, room[count]);
                t->corners = room[count];
                t->corner_count = 6;
            }
            vec3_set(t->at, .5 * (k % SIDE) - .75, .5 * (double)(k / SIDE) - .75,
                     (form == TILE_BOX ? -.2 : 0.0) + (high ? step : 0.0));
            count++;
        }
    }
    whole.parts = tile;
    whole.part_count = count;
    if (kind == TILES_PARTS) {
        put(world, "floor", 0.0, &whole, r, q);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        if (kind == TILES_BODIES || k == 0) {
            body = put(world, tile_name(k), 0.0, &tile[k], r, q);
        } else {
            tile[k].body = body;
            OK(perp_world_add_shape(world, &tile[k], NULL, NULL));
        }
    }
}

enum { SHAPES = 8 };

static perp_shape shape_number(int k, double room[24], perp_shape parts[2])
{
    perp_shape pair = shape_of("compound", 0, 0, 0);

    switch (k) {
    case 0:
        return shape_of("sphere", 0.2, 0, 0);
    case 1:
        return shape_of("box", 0.2, 0.3, 0.15);
    case 2:
        return shape_of("capsule", 0.15, 0.3, 0);
    case 3:
        return shape_of("cylinder", 0.2, 0.3, 0);
    case 4:
        return shape_of("cone", 0.2, 0.4, 0);
    case 5:
        return shape_of("ellipsoid", 0.2, 0.15, 0.3);
    case 6:
        return hull_of_box(0.15, 0.2, 0.18, room);
    default:
        parts[0] = shape_of("box", 0.15, 0.2, 0.12);
        parts[1] = parts[0];
        parts[0].at[0] = -0.15;
        parts[1].at[0] = 0.15;
        pair.parts = parts;
        pair.part_count = 2;
        return pair;
    }
}

/* Boxes, cylinders and what they are made of lie flat in half of the poses. */
static void draw_lying(perp_random *g, double r[3], double q[4])
{
    draw_pose(g, 0.45, r, q);
    if (perp_random_integer(g, 0, 1)) {
        const double turn[3] = {0.0, 0.0, perp_random_uniform(g, -3.0, 3.0)};

        perp_quat_exp(turn, q);
    }
    r[2] = 0.0;
}

TEST(a_floor_of_tiles_has_the_contacts_of_a_plane)
{
    const double origin[3] = {0};
    perp_random g = {5};

    for (int k = 0; k < SHAPES * TILES_KINDS * TILE_FORMS * 40; k++) {
        double room[24];
        perp_shape parts[2];
        perp_shape shape = shape_number(k % SHAPES, room, parts);
        perp_world *world = test_world(3, 0.0);
        perp_contacts contacts = {0};
        double r[3], q[4];
        double gap = perp_random_uniform(&g, -0.04, 0.04);

        draw_lying(&g, r, q);
        r[2] = gap - gap_over_plane(&shape, r, q);
        lay(world, k / SHAPES % TILES_KINDS, k / SHAPES / TILES_KINDS % TILE_FORMS, 0.0,
            origin, NULL);
        put(world, "body", 1.0, &shape, r, q);
        collide(world, 0.05, &contacts);
        CU_ASSERT_DOUBLE_EQUAL(deepest(&contacts)->gap, gap, 2e-5);
        for (size_t c = 0; c < contacts.count; c++) {
            const perp_contact *one = &contacts.at[c];

            if (!(fabs(one->normal[2] - 1.0) < 2.1e-6)) {
                test_note("shape %d kind %d form %d gap %g: normal %g %g %g gap %g",
                          k % SHAPES, k / SHAPES % TILES_KINDS,
                          k / SHAPES / TILES_KINDS % TILE_FORMS, gap, one->normal[0],
                          one->normal[1], one->normal[2], one->gap);
            }
            CU_ASSERT_DOUBLE_EQUAL(one->normal[2], 1.0, 2.1e-6);
        }
    }
}

/* Without friction, in axes turned anyhow and away from the origin, gravity with them. The lowest point of an
 * ellipsoid is known to 1e-6. */
TEST(a_body_that_slides_over_tiles_keeps_its_velocity)
{
    const double q[4] = {0.4, -0.2, 0.7, 0.5};
    const double at[3] = {3.0, -7.0, 5.0};
    double R[9], unit[4];

    memcpy(unit, q, sizeof unit);
    perp_quat_normalize(unit);
    perp_rotation_matrix(unit, R);
    for (int k = 0; k < SHAPES * TILES_KINDS; k++) {
        double room[24];
        perp_shape parts[2];
        perp_shape shape = shape_number(k % SHAPES, room, parts);
        perp_scheme scheme = run_scheme(1.0 / 60.0);
        perp_world *world = test_world(3, 0.0);
        double start[3] = {-.7, .03, 0.0};
        const double slide[3] = {2.0, 0.1, 0.0};
        const double down[3] = {0.0, 0.0, -9.81};
        double expected[3];
        double *u = NULL;
        int32_t body = 0;
        run r = {0};

        start[2] = -gap_over_plane(&shape, start, NULL);
        mat3_apply(R, start, start);
        vec3_add(start, 1.0, at, start);
        mat3_apply(R, slide, expected);
        mat3_apply(R, down, world->gravity);
        lay(world, k / SHAPES, TILE_BOX, 0.0, at, unit);
        body = put(world, "body", 1.0, &shape, start, unit);
        u = perp_body_velocity(world->start, (size_t)body);
        vec3_copy(u, expected);
        run_material(world, 0.0, 0.0);
        r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-14", true);
        run_steps(&r, 42);
        for (int x = 0; x < 3; x++) {
            CU_ASSERT_DOUBLE_EQUAL(u[x], expected[x], tolerance);
            CU_ASSERT_DOUBLE_EQUAL(u[3 + x], 0.0, k % SHAPES == 5 ? 1e-5 : tolerance);
        }
        perp_stepper_free(r.stepper);
    }
}

/* A cube at 2 m/s that meets a step, up or down, of 1 mm: up it stops, down it flies on. */
TEST(a_step_between_tiles_is_a_step)
{
    for (int k = 0; k < TILES_KINDS * 2; k++) {
        const double half[3] = {.1, .1, .1};
        const double origin[3] = {0};
        const double step = k % 2 ? 1e-3 : -1e-3;
        perp_scheme scheme = run_scheme(1.0 / 240.0);
        perp_world *world = test_world(3, 9.81);
        int32_t body = 0;
        double *u = NULL;
        run r = {0};

        lay(world, k / 2, TILE_BOX, step, origin, NULL);
        body = run_box(world, "cube", 1.0, half, -.5, .013, .1);
        u = perp_body_velocity(world->start, (size_t)body);
        u[0] = 2.0;
        run_material(world, 0.0, 0.0);
        r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-14", true);
        run_steps(&r, 72);
        if (step > 0.0) {
            CU_ASSERT(fabs(u[0]) < 1.5);
        } else {
            CU_ASSERT_DOUBLE_EQUAL(u[0], 2.0, 0.02);
        }
        perp_stepper_free(r.stepper);
    }
}

/* A wall on the floor, and what pushes against its foot: a cube, a wedge whose toe is all that touches, a
 * corner. The floor is a tile below the wall, or beside it. */
TEST(the_foot_of_a_wall_is_a_wall)
{
    const double straight[4] = {1, 0, 0, 0};
    const double corner[4] = {0.92387953251128674, 0, 0, 0.38268343236508977};
    static const double toe[18] = {.2,  -.1, 0, .2,  .1,  0,  -.2, -.1, 0,
                                   -.2, .1,  0, -.2, -.1, .2, -.2, .1,  .2};

    for (int k = 0; k < 3 * 2; k++) {
        perp_shape floor = shape_of("box", 2.0, 2.0, .2);
        perp_shape wall = shape_of("box", .1, 2.0, .5);
        perp_shape body = shape_of("box", .1, .1, .1);
        const double below[3] = {k / 3 ? -1.6 : 0.0, 0, -.2};
        const double stands[3] = {.5, 0, k / 3 ? 0.1 : .5};
        const double r[3] = {0, 0, k % 3 == 1 ? -1e-6 : .1 - 1e-6};
        perp_scheme scheme = run_scheme(1.0 / 240.0);
        perp_world *world = test_world(3, 9.81);
        double *u = NULL;
        int32_t moving = 0;
        run s = {0};

        if (k % 3 == 1) {
            body = shape_of("hull", 0, 0, 0);
            body.corners = toe;
            body.corner_count = 6;
        }
        put(world, "floor", 0.0, &floor, below, NULL);
        put(world, "wall", 0.0, &wall, stands, NULL);
        moving = put(world, "body", 1.0, &body, r, k % 3 == 2 ? corner : straight);
        u = perp_body_velocity(world->start, (size_t)moving);
        u[0] = 1.0;
        run_material(world, 0.0, 0.0);
        s = run_begin(world, &scheme, "nsgs+newton tolerance=1e-14", true);
        run_steps(&s, 240);
        CU_ASSERT(u[0] < 1e-6);
        CU_ASSERT(perp_body_pose(world->start, (size_t)moving)[0] < .4);
        perp_stepper_free(s.stepper);
    }
}

/* In the plane: a disc and a rectangle over rectangles side by side. */
TEST(tiles_of_the_plane_are_a_line)
{
    for (int k = 0; k < 2; k++) {
        perp_world *world = test_world(2, 9.81);
        perp_scheme scheme = run_scheme(1.0 / 60.0);
        perp_shape tile = shape_of("box", .25, .25, 0);
        perp_shape body = k ? shape_of("box", .2, .1, 0) : shape_of("sphere", .1, 0, 0);
        const double r[3] = {-.7, .1, 0};
        double *u = NULL;
        run s = {0};

        for (int t = 0; t < 6; t++) {
            const double at[3] = {.5 * t - 1.0, -.25, 0};

            put(world, tile_name((size_t)t), 0.0, &tile, at, NULL);
        }
        u = perp_body_velocity(world->start,
                               (size_t)put(world, "body", 1.0, &body, r, NULL));
        u[0] = 2.0;
        run_material(world, 0.0, 0.0);
        s = run_begin(world, &scheme, "nsgs+newton tolerance=1e-14", true);
        run_steps(&s, 48);
        CU_ASSERT_DOUBLE_EQUAL(u[0], 2.0, tolerance);
        CU_ASSERT_DOUBLE_EQUAL(u[1], 0.0, tolerance);
        CU_ASSERT_DOUBLE_EQUAL(u[5], 0.0, tolerance);
        perp_stepper_free(s.stepper);
    }
}
