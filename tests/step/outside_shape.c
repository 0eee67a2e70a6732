/* SPDX-License-Identifier: Apache-2.0
 * tests/step/outside_shape.c: a shape that the library does not know, made of public headers
 * alone and passed by pointer, at work in queries and in steps. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "world_run.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* -- a shape: |x| + |y| + |z| <= size[0] -------------------------------------------------- */

static perp_status octahedron_inertia(const perp_shape *shape, double density, double *m,
                                      double center[3], double inertia[9],
                                      perp_error *err)
{
    const double s = shape->size[0];

    (void)err;
    *m = density * 4.0 / 3.0 * s * s * s;
    memset(center, 0, 3 * sizeof *center);
    memset(inertia, 0, 9 * sizeof *inertia);
    inertia[0] = inertia[4] = inertia[8] = *m * s * s / 5.0;
    return PERP_OK;
}

static double octahedron_reach(const perp_shape *shape)
{
    return shape->size[0];
}

static int octahedron_axis(const double d[3])
{
    int best = fabs(d[1]) > fabs(d[0]) ? 1 : 0;

    return fabs(d[2]) > fabs(d[best]) ? 2 : best;
}

static void octahedron_support(const perp_shape *shape, const double d[3], double p[3])
{
    const int k = octahedron_axis(d);

    memset(p, 0, 3 * sizeof *p);
    p[k] = d[k] < 0.0 ? -shape->size[0] : shape->size[0];
}

/* The side that looks along d, counter-clockwise, or the corner. */
static void octahedron_face(const perp_shape *shape, const double d[3], perp_face *face)
{
    const double s = shape->size[0], third = 1.0 / sqrt(3.0);
    const bool odd = (d[0] < 0.0) ^ (d[1] < 0.0) ^ (d[2] < 0.0);

    memset(face->corner, 0, 9 * sizeof *face->corner);
    memcpy(face->normal, d, sizeof face->normal);
    if (third * (fabs(d[0]) + fabs(d[1]) + fabs(d[2])) < 0.98) {
        const int k = octahedron_axis(d);

        face->count = 1;
        face->corner[k] = d[k] < 0.0 ? -s : s;
        face->id[0] = (uint32_t)(2 * k + (d[k] < 0.0));
        return;
    }
    face->count = 3;
    for (int c = 0; c < 3; c++) {
        const int k = odd ? 2 - c : c;

        face->normal[k] = d[k] < 0.0 ? -third : third;
        face->corner[3 * c + k] = d[k] < 0.0 ? -s : s;
        face->id[c] = (uint32_t)(2 * k + (d[k] < 0.0));
    }
}

static void octahedron_bounds(const perp_shape *shape, unsigned dimension,
                              const double R[9], const double x[3], perp_aabb *box)
{
    (void)dimension;
    for (int k = 0; k < 3; k++) {
        const double *row = R + 3 * k;
        const double most =
            shape->size[0] * fmax(fabs(row[0]), fmax(fabs(row[1]), fabs(row[2])));

        box->lo[k] = x[k] - most;
        box->hi[k] = x[k] + most;
    }
}

static const perp_shape_type octahedron = {
    .name = "octahedron",
    .summary = "six corners, at a distance [m] from the origin along the axes",
    .sizes = 1,
    .size_name = {"distance"},
    .is_polytope = true,
    .inertia = octahedron_inertia,
    .reach = octahedron_reach,
    .support = octahedron_support,
    .face = octahedron_face,
    .bounds = octahedron_bounds,
};

/* A body of that shape with a side down, its centre at height z above x. */
static void put_octahedron(perp_world *world, const perp_shape_type *type,
                           const char *name, double size, double x, double z)
{
    /* (1, 1, 1)/sqrt 3 to -z: half a turn about (1, 1, 1 - sqrt 3) */
    double axis[3] = {1.0, 1.0, 1.0 - sqrt(3.0)};
    const double length = sqrt(dot(axis, axis));
    perp_shape shape = {.type = type, .size = {size}};
    perp_body body = {.name = name,
                      .r = {x, 0.0, z},
                      .q = {0.0, axis[0] / length, axis[1] / length, axis[2] / length}};
    double center[3];
    perp_error err = {0};

    OK(type->inertia(&shape, 1000.0, &body.mass, center, body.inertia, &err));
    OK(perp_world_add_body(world, &body, &shape.body, &err));
    if (perp_world_add_shape(world, &shape, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("shape");
    }
}

/* The sum of the impulses of normals in the last step. */
static double normal_impulses(const run *r)
{
    const perp_rows *rows = &perp_stepper_system(r->stepper)->rows;
    const double *z = perp_stepper_result(r->stepper)->z;
    double sum = 0.0;

    for (size_t k = 0; k < rows->block_count; k++) {
        sum += rows->blocks[k].role == PERP_ROLE_CONTACT ? z[rows->blocks[k].first] : 0.0;
    }
    return sum;
}

/* On a plane and on a box, on its three corners; one on the other. */
TEST(a_shape_of_the_users_own_rests_on_its_side)
{
    const double size = 0.2, height = size / sqrt(3.0), top[3] = {1.0, 1.0, 0.25};
    perp_scheme scheme = run_scheme(0.01);
    perp_world *world = test_world(3, 9.81);
    double m = 0.0;
    run r;

    scheme.stabilize = PERP_STABILIZE_BAUMGARTE;
    run_ground(world);
    run_box(world, "table", 0.0, top, 5.0, 0.0, 0.25);
    put_octahedron(world, &octahedron, "on the ground", size, 0.0, height);
    put_octahedron(world, &octahedron, "on the table", size, 5.0, 0.5 + height);
    put_octahedron(world, &octahedron, "on another", size, 0.0, 3.0 * height);
    m = world->mass[2];
    r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-10", true);
    run_steps(&r, 100);
    CU_ASSERT(r.report.contacts >= 9);
    CU_ASSERT(r.report.penetration < 1e-3);
    CU_ASSERT(r.report.speed < 1e-3);
    /* two on the ground, the upper one through the lower; each rests: impulses are dt m g */
    CU_ASSERT_DOUBLE_EQUAL(normal_impulses(&r), 0.01 * 4.0 * m * 9.81,
                           1e-3 * 0.04 * m * 9.81);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(world->start, 3)[2], 0.5 + height, 1e-3);
}

/* The same contacts as of the hull of its corners: three of one depth. */
TEST(contacts_of_a_shape_of_the_users_own_are_those_of_its_hull)
{
    static const double corners[18] = {0.2, 0,    0, -0.2, 0, 0,   0, 0.2, 0,
                                       0,   -0.2, 0, 0,    0, 0.2, 0, 0,   -0.2};
    const double top[3] = {1.0, 1.0, 0.25};
    perp_world *world[2] = {test_world(3, 9.81), test_world(3, 9.81)};
    perp_contacts found[2] = {{0}, {0}};
    perp_shape_type plain = octahedron;

    for (int k = 0; k < 2; k++) {
        perp_shape hull = {.type = perp_shape_type_find("hull"),
                           .body = 1,
                           .corner_count = 6,
                           .corners = corners};

        run_box(world[k], "table", 0.0, top, 0.0, 0.0, -0.25);
        put_octahedron(world[k], &octahedron, "solid", 0.2, 0.0, 0.2 / sqrt(3.0) - 1e-4);
        if (k == 1) {
            world[k]->shape_count--;
            OK(perp_world_add_shape(world[k], &hull, NULL, NULL));
        }
        OK(perp_collide(world[k], world[k]->start, 0.01, &found[k], NULL));
    }
    CU_ASSERT_EQUAL(found[0].count, 3);
    CU_ASSERT_EQUAL(found[1].count, 3);
    for (size_t k = 0; k < found[0].count; k++) {
        bool met = false;

        CU_ASSERT_DOUBLE_EQUAL(found[0].at[k].gap, -1e-4, 1e-12);
        for (size_t l = 0; l < found[1].count; l++) {
            met = met || hypot(found[0].at[k].point[0] - found[1].at[l].point[0],
                               found[0].at[k].point[1] - found[1].at[l].point[1]) < 1e-9;
        }
        CU_ASSERT_TRUE(met);
    }
    plain.face = NULL; /* a point of the support instead */
    world[0]->shapes[1].type = &plain;
    OK(perp_collide(world[0], world[0]->start, 0.01, &found[0], NULL));
    CU_ASSERT_EQUAL(found[0].count, 1);
    for (int k = 0; k < 2; k++) {
        perp_contacts_clear(&found[k]);
    }
}

static void expect_refused(perp_world *world, const perp_shape_type *type,
                           const char *text)
{
    const perp_shape shape = {.type = type, .size = {1.0}};
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_world_add_shape(world, &shape, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, text);
}

TEST(a_shape_type_that_lacks_a_function_is_refused)
{
    perp_world *world = test_world(3, 9.81);
    perp_shape_type type = octahedron;

    test_ball(world, "a", 1.0, 0.1, 0.0, 0.0, 0.0);
    type.reach = NULL;
    expect_refused(world, &type,
                   "octahedron: its type has no reach, expected a function");
    type = octahedron;
    type.bounds = NULL;
    expect_refused(world, &type,
                   "octahedron: its type has no bounds, expected a function");
    type = octahedron;
    type.support = NULL;
    expect_refused(world, &type,
                   "octahedron: its type has no support, expected a convex shape");
}

/* Rays pass through a type without cast. */
TEST(rays_miss_a_shape_without_a_cast)
{
    const double o[3] = {0, 0, 5}, d[3] = {0, 0, -1};
    perp_shape shape = {.type = &octahedron, .size = {1.0}};
    const perp_placed at = {.shape = &shape, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    perp_ray_hit hit;

    CU_ASSERT_FALSE(perp_ray_cast(&at, 3, o, d, 10.0, &hit));
}
