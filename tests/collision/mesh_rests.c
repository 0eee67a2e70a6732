/* SPDX-License-Identifier: Apache-2.0
 * tests/collision/mesh_rests.c: bodies of triangles at rest, sliding and in impacts: forces m g,
 * no motion, no trace of seams, momentum. */
#include <config.h>

#include <perp/dynamics/scene.h>

#include "polyhedra.h"
#include "surfaces.h"
#include "world_run.h"

static const double gravity = 9.81;
static const double dt = 1.0 / 240.0;

/* What a block of 8 kg, half extents 0.5, rests on. */
enum { ON_PLANE, ON_FLOOR, ON_BLOCK, GROUNDS };

static const double rest[3] = {0.13, 0.07, 0.5};

/* The ground's surface is at z = 0. `fine`: squares on each side of the block; 0: a box. */
static perp_world *block_on(int ground, size_t fine, perp_mesh *held[2])
{
    perp_world *world = test_world(3, gravity);
    perp_shape low = shape_of("plane", 0, 0, 0);
    perp_shape high = shape_of("box", .5, .5, .5);
    const double r[3] = {0, 0, ground == ON_BLOCK ? -.4 : 0.0};

    held[0] = ground == ON_FLOOR ? surface_floor(2.0, 9) : surface_box(.45, .6, .4, 2);
    held[1] = surface_box(.5, .5, .5, fine ? fine : 1);
    low = ground == ON_PLANE ? low : surface_shape(held[0]);
    high = fine ? surface_shape(held[1]) : high;
    put(world, "ground", 0.0, &low, r, NULL);
    put(world, "block", 8.0, &high, rest, NULL);
    return world;
}

static double normal_force(const run *r, size_t *count)
{
    const perp_contacts *contacts = perp_stepper_contacts(r->stepper);
    double sum = 0.0;

    *count = contacts->count;
    for (size_t k = 0; k < contacts->count; k++) {
        double force[6];

        OK(perp_stepper_contact_force(r->stepper, k, force, NULL));
        sum += force[2];
    }
    return sum;
}

TEST(a_block_of_triangles_rests_as_a_box_does)
{
    const double weight = 8.0 * gravity;

    for (int ground = 0; ground < GROUNDS; ground++) {
        for (size_t fine = 0; fine <= 4; fine += fine < 1 ? 1 : 3) {
            perp_mesh *held[2];
            perp_world *world = block_on(ground, fine, held);
            perp_scheme scheme = run_scheme(dt);
            run r = {0};
            size_t count = 0;
            const double *pose = perp_body_pose(world->start, 1);

            run_material(world, 0.5, 0.0);
            r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-13", true);
            run_steps(&r, 1000);
            CU_ASSERT_DOUBLE_EQUAL(normal_force(&r, &count), weight, 1e-9 * weight);
            CU_ASSERT(fine == 0 || count == 4);
            for (int x = 0; x < 3; x++) {
                CU_ASSERT_DOUBLE_EQUAL(pose[x], rest[x], 1e-10);
                CU_ASSERT_DOUBLE_EQUAL(pose[4 + x], 0.0, 1e-10);
            }
            perp_stepper_free(r.stepper);
        }
    }
}

/* Without friction over some dozen seams, between flat boxes and a floor of both meshes. */
TEST(a_block_slides_over_seams_at_one_velocity)
{
    for (size_t fine = 1; fine <= 4; fine += 3) {
        perp_mesh *held[2];
        perp_world *world = block_on(ON_FLOOR, fine, held);
        perp_scheme scheme = run_scheme(dt);
        double *pose = perp_body_pose(world->start, 1);
        double *u = perp_body_velocity(world->start, 1);
        run r = {0};

        run_material(world, 0.0, 0.0);
        pose[0] = -1.3;
        u[0] = 2.0;
        u[1] = 0.3;
        r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-14", true);
        for (int k = 0; k < 300; k++) {
            run_steps(&r, 1);
            CU_ASSERT_DOUBLE_EQUAL(u[0], 2.0, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(u[1], 0.3, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(u[2], 0.0, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(pose[2], 0.5, 1e-12);
        }
        CU_ASSERT(pose[0] > 1.0);
        perp_stepper_free(r.stepper);
    }
}

/* A ball of triangles, dropped and rolling, ends on one of them and weighs what it does. */
TEST(a_ball_of_triangles_falls_and_comes_to_rest)
{
    perp_random g = {82};
    double points[3 * 60];
    perp_polytope *hull = NULL;
    perp_mesh *ground = surface_floor(4.0, 16);
    perp_shape low = surface_shape(ground);
    perp_shape ball = shape_of("mesh", 0, 0, 0);
    const double origin[3] = {0};
    const double high[3] = {-1.0, 0.2, 1.3};
    perp_world *world = test_world(3, gravity);
    perp_scheme scheme = run_scheme(dt);
    double weight = 5.0 * gravity;
    double nearest = INFINITY;
    size_t count = 0;
    run r = {0};

    polyhedron_sphere(&g, 60, points);
    hull = polytope_of(60, points);
    ball = surface_shape(surface_of_hull(hull));
    for (size_t f = 0; f < hull->face_count; f++) {
        nearest = fmin(nearest, hull->height[f]);
    }
    put(world, "ground", 0.0, &low, origin, NULL);
    put(world, "ball", 5.0, &ball, high, NULL);
    run_material(world, 0.5, 0.0);
    perp_body_velocity(world->start, 1)[0] = 0.5;
    r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-12", true);
    run_steps(&r, 7200);
    CU_ASSERT_DOUBLE_EQUAL(normal_force(&r, &count), weight, 1e-6 * weight);
    CU_ASSERT_EQUAL(count, 3);
    CU_ASSERT(perp_body_pose(world->start, 1)[2] > nearest - 1e-3);
    CU_ASSERT(perp_body_pose(world->start, 1)[2] < 1.0);
    for (int k = 0; k < 6; k++) {
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(world->start, 1)[k], 0.0, 1e-6);
    }
    perp_stepper_free(r.stepper);
}

/* Two bodies, turned and spinning, fly at each other; no other force acts. */
TEST(an_impact_of_two_meshes_keeps_momentum)
{
    perp_mesh *mesh = surface_box(.5, .3, .4, 2);
    perp_shape shape = surface_shape(mesh);
    perp_random g = {81};
    size_t touched = 0;

    for (int draw = 0; draw < 20; draw++) {
        perp_world *world = test_world(3, 0.0);
        perp_scheme scheme = run_scheme(dt);
        double before[6] = {0};
        double after[6] = {0};
        run r = {0};

        for (int k = 0; k < 2; k++) {
            const double x[3] = {k ? 1.3 : 0.0, 0.1 * k, 0};
            double at[3], q[4];
            double *u = NULL;

            draw_pose(&g, 1.0, at, q);
            put(world, k ? "b" : "a", 1.0 + k, &shape, x, q);
            u = perp_body_velocity(world->start, (size_t)k);
            u[0] = k ? -3.0 : 2.0;
            vec3_copy(u + 3, at);
        }
        run_material(world, 0.3, 0.5);
        r = run_begin(world, &scheme, "nsgs+newton tolerance=1e-13", true);
        perp_world_momentum(world, world->start, before);
        perp_world_angular_momentum(world, world->start, before + 3);
        for (int k = 0; k < 120; k++) {
            run_steps(&r, 1);
            touched += perp_stepper_contacts(r.stepper)->count > 0;
        }
        perp_world_momentum(world, world->start, after);
        perp_world_angular_momentum(world, world->start, after + 3);
        for (int k = 0; k < 6; k++) {
            CU_ASSERT_DOUBLE_EQUAL(after[k], before[k], 1e-11);
        }
        perp_stepper_free(r.stepper);
    }
    CU_ASSERT(touched > 20);
}

/* The scenes of three reports. */
static const char on_plane[] =
    "{\"time\": \"4 s\", \"ground\": {}, \"bodies\": [{\"name\": \"b\", \"density\": "
    "1000, "
    "\"position\": [0, 0, 3], \"shapes\": [{\"type\": \"mesh\", "
    "\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
    "\"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}]}]}";
static const char on_mesh[] =
    "{\"time\": \"4 s\", \"bodies\": [{\"name\": \"s\", \"motion\": \"static\", "
    "\"shapes\": "
    "[{\"type\": \"mesh\", \"points\": [[-9, -9, 0], [9, -9, 0], [0, 9, 0]], "
    "\"triangles\": [[0, 1, 2]]}]}, {\"name\": \"b\", \"density\": 1000, "
    "\"position\": [0, 0, 3], \"shapes\": [{\"type\": \"mesh\", "
    "\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
    "\"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}]}]}";

/* It falls by 3 m, tumbles and ends on a side: its centre is 1/4 or, on the large side,
 * 1/(4 sqrt 3) above the ground, and it does not move. */
static void tetrahedron_falls(const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};
    run r = {0};
    size_t body = 0;
    const double *x = NULL;
    double energy[2];

    if (perp_scene_parse(&scene, text, strlen(text), "s.json", &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a scene");
    }
    body = scene->world->body_count - 1;
    for (size_t k = 0; k < scene->world->body_count; k++) {
        body = strcmp(scene->world->name[k], "b") == 0 ? k : body;
    }
    r = run_begin(scene->world, &scene->scheme, "nsgs+newton", true);
    energy[0] = r.energy;
    run_steps(&r, 400);
    energy[1] = r.energy;
    x = perp_body_pose(scene->world->start, body);
    CU_ASSERT(energy[1] < energy[0]);
    CU_ASSERT(fabs(x[2] - 0.25) < 1e-3 || fabs(x[2] - 0.25 / sqrt(3.0)) < 1e-3);
    for (int k = 0; k < 6; k++) {
        CU_ASSERT_DOUBLE_EQUAL(perp_body_velocity(scene->world->start, body)[k], 0.0,
                               1e-6);
    }
    perp_stepper_free(r.stepper);
    scene->world = NULL; /* freed with the test */
    perp_scene_free(scene);
}

TEST(a_tetrahedron_of_triangles_falls_and_lies)
{
    tetrahedron_falls(on_plane);
    tetrahedron_falls(on_mesh);
}
