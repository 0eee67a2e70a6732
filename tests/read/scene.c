/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene.c: scenes that are right: members, units, repetition, mass from
 * shapes. Joints and forces are in scene_links.c, what is wrong in tests/refusals and
 * scene_errors.c. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes.h"

static void body_at(const perp_scene *s, const char *name, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    int32_t k = perp_world_find_body(s->world, name);

    CU_ASSERT_FATAL(k >= 0);
    test_agree(name, perp_body_pose(s->world->start, (size_t)k), expected, 3, ROUNDING);
}

TEST(an_empty_scene_has_every_default)
{
    perp_scene *s = parse("{}");
    perp_scheme scheme;

    perp_scheme_default(&scheme);
    CU_ASSERT_STRING_EQUAL(s->name, "test");
    CU_ASSERT_STRING_EQUAL(s->title, "");
    CU_ASSERT_STRING_EQUAL(s->description, "");
    CU_ASSERT_STRING_EQUAL(s->answer, "");
    CU_ASSERT_STRING_EQUAL(s->solver, "auto");
    CU_ASSERT_EQUAL(s->coordinates, PERP_COORDINATES_MAXIMAL);
    CU_ASSERT_FALSE(s->reduction.euler);
    CU_ASSERT_FALSE(s->reduction.no_chart_switch);
    CU_ASSERT_EQUAL(s->time, 10.0);
    CU_ASSERT_EQUAL(s->world->dimension, 3);
    CU_ASSERT_EQUAL(s->world->gravity[2], -9.81);
    CU_ASSERT_EQUAL(s->world->body_count, 0);
    CU_ASSERT_EQUAL(s->world->combine_erp, PERP_COMBINE_PRODUCT);
    CU_ASSERT_EQUAL(memcmp(&scheme, &s->scheme, sizeof scheme), 0);
    perp_scene_free(NULL);
}

TEST(every_member_of_the_scheme_is_read)
{
    perp_scene *s = parse(
        "{\"scheme\": {\"dt\": \"1/120 s\", \"friction\": \"pyramid:6\", \"stabilize\": "
        "\"project\", \"erp\": 0.3, \"slop\": \"1 mm\", \"max-correction\": \"2 m/s\", "
        "\"margin\": \"2 cm\", \"threshold\": 0.5, \"restitution\": \"poisson\", "
        "\"bias\": \"sum\", \"limits\": \"on-violation\", \"integrator\": \"rk4\", "
        "\"turn\": \"linear\", \"max-angle\": \"90 deg\", \"gyro\": \"implicit-body\", "
        "\"gyro-split\": \"added\", \"storage\": \"bsr\"}}");
    const perp_scheme *c = &s->scheme;

    CU_ASSERT_EQUAL(c->dt, 1.0 / 120.0);
    CU_ASSERT_EQUAL(c->model, PERP_MODEL_PYRAMID);
    CU_ASSERT_EQUAL(c->eta, 6);
    CU_ASSERT_EQUAL(c->stabilize, PERP_STABILIZE_PROJECT);
    CU_ASSERT_EQUAL(c->erp, 0.3);
    CU_ASSERT_EQUAL(c->slop, 1e-3);
    CU_ASSERT_EQUAL(c->max_correction, 2.0);
    CU_ASSERT_DOUBLE_EQUAL(c->margin, 0.02, ROUNDING);
    CU_ASSERT_EQUAL(c->threshold, 0.5);
    CU_ASSERT_EQUAL(c->restitution, PERP_RESTITUTION_POISSON);
    CU_ASSERT_EQUAL(c->bias, PERP_BIAS_SUM);
    CU_ASSERT_EQUAL(c->limits, PERP_LIMITS_ON_VIOLATION);
    CU_ASSERT_EQUAL(c->integrator, PERP_INTEGRATOR_RK4);
    CU_ASSERT_EQUAL(c->turn, PERP_TURN_LINEAR);
    CU_ASSERT_DOUBLE_EQUAL(c->max_angle, acos(0.0), ROUNDING);
    CU_ASSERT_TRUE(c->override_gyro);
    CU_ASSERT_EQUAL(c->gyro, PERP_GYRO_IMPLICIT_BODY);
    CU_ASSERT_EQUAL(c->gyro_split, PERP_GYRO_ADDED);
    CU_ASSERT_EQUAL(c->storage, PERP_STORAGE_BSR);
    s = parse("{\"scheme\": {\"max-correction\": \"infinite\", \"friction\": \"box\"}}");
    CU_ASSERT_TRUE(isinf(s->scheme.max_correction));
    CU_ASSERT_EQUAL(s->scheme.model, PERP_MODEL_BOX);
    CU_ASSERT_FALSE(s->scheme.override_gyro);
}

TEST(every_member_of_the_document_and_of_materials_is_read)
{
    perp_scene *s = parse(
        "{\"name\": \"n\", \"title\": \"t\", \"description\": \"d\", \"answer\": \"a\","
        "\"dimension\": 2, \"gravity\": [1, \"-2 m/s^2\"], \"time\": \"1 min\","
        "\"solver\": \"ds:mpgp\", \"coordinates\": \"reduced\", "
        "\"rotations\": \"euler\", \"chart-switch\": \"off\", \"materials\": "
        "[{\"name\": \"ice\", \"friction\": "
        "\"2 %\", \"restitution\": 0.9, \"rolling-friction\": \"1 mm\", \"erp\": 0.4, "
        "\"cfm\": \"2 mm/s/N\"}],"
        "\"combine\": {\"friction\": \"min\", \"restitution\": \"max\", \"erp\": "
        "\"geometric-mean\"}}");
    const perp_material *m = &s->world->materials[1];

    CU_ASSERT_STRING_EQUAL(s->name, "n");
    CU_ASSERT_STRING_EQUAL(s->title, "t");
    CU_ASSERT_STRING_EQUAL(s->description, "d");
    CU_ASSERT_STRING_EQUAL(s->answer, "a");
    CU_ASSERT_STRING_EQUAL(s->solver, "ds:mpgp");
    CU_ASSERT_EQUAL(s->coordinates, PERP_COORDINATES_REDUCED);
    CU_ASSERT_TRUE(s->reduction.euler);
    CU_ASSERT_TRUE(s->reduction.no_chart_switch);
    CU_ASSERT_EQUAL(s->world->dimension, 2);
    CU_ASSERT_EQUAL(s->world->gravity[0], 1.0);
    CU_ASSERT_EQUAL(s->world->gravity[1], -2.0);
    CU_ASSERT_EQUAL(s->world->gravity[2], 0.0);
    CU_ASSERT_EQUAL(s->time, 60.0);
    CU_ASSERT_EQUAL_FATAL(s->world->material_count, 2);
    CU_ASSERT_STRING_EQUAL(m->name, "ice");
    CU_ASSERT_EQUAL(m->mu, 0.02);
    CU_ASSERT_EQUAL(m->restitution, 0.9);
    CU_ASSERT_EQUAL(m->mu_rolling, 1e-3);
    CU_ASSERT_EQUAL(m->erp, 0.4);
    CU_ASSERT_EQUAL(m->cfm, 2e-3);
    CU_ASSERT_EQUAL(s->world->combine_mu, PERP_COMBINE_MIN);
    CU_ASSERT_EQUAL(s->world->combine_restitution, PERP_COMBINE_MAX);
    CU_ASSERT_EQUAL(s->world->combine_erp, PERP_COMBINE_GEOMETRIC_MEAN);
}

TEST(every_member_of_a_body_is_read)
{
    const double turned[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    const double load[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    const double twist[6] = {1.0, 2.0, 3.0, 0.5, 0.25, 0.125};
    perp_scene *s = parse(
        "{\"bodies\": [{\"name\": \"a\", \"gyro\": \"none\", \"mass\": \"2 t\","
        "\"inertia\": [2, 3, \"4 kg m^2\"], \"position\": [\"1 km\", \"1 m\", \"1 cm\"],"
        "\"rotation\": {\"axis\": [0, 0, 5], \"angle\": \"90 deg\"}, \"velocity\": [1, "
        "2, 3], \"spin\": [0.5, 0.25, 0.125], \"load\": {\"force\": [1, 2, 3], "
        "\"torque\": [4, 5, 6]}, \"shapes\": []},"
        "{\"motion\": \"static\"}, {\"motion\": \"kinematic\", \"velocity\": [1, 0, 0]},"
        "{\"mass\": 1, \"inertia\": [1, 0.1, 0, 0.1, 1, 0, 0, 0, 1]},"
        "{\"mass\": 1, \"inertia\": [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]]}]}");
    const perp_world *w = s->world;

    CU_ASSERT_EQUAL_FATAL(w->body_count, 5);
    CU_ASSERT_EQUAL(w->gyro[0], PERP_GYRO_NONE);
    CU_ASSERT_EQUAL(w->mass[0], 2000.0);
    CU_ASSERT_EQUAL(w->inertia[0], 2.0);
    CU_ASSERT_EQUAL(w->inertia[4], 3.0);
    CU_ASSERT_EQUAL(w->inertia[8], 4.0);
    CU_ASSERT_EQUAL(w->inertia[1], 0.0);
    body_at(s, "a", 1000.0, 1.0, 0.01);
    test_agree("rotation", perp_body_pose(w->start, 0) + 3, turned, 4, ROUNDING);
    test_agree("velocity", perp_body_velocity(w->start, 0), twist, 6, 0.0);
    test_agree("load", w->start->load, load, 6, 0.0);
    CU_ASSERT_STRING_EQUAL(w->name[1], "body-1");
    CU_ASSERT_EQUAL(w->motion[1], PERP_MOTION_STATIC);
    CU_ASSERT_EQUAL(w->motion[2], PERP_MOTION_KINEMATIC);
    CU_ASSERT_EQUAL(perp_body_velocity(w->start, 2)[0], 1.0);
    CU_ASSERT_EQUAL(w->inertia[9 * 3 + 1], 0.1);
    CU_ASSERT_EQUAL(
        memcmp(w->inertia + 9 * 4, w->inertia + 9 * 3, 9 * sizeof *w->inertia), 0);
}

TEST(a_rotation_is_a_quaternion_a_turn_or_turns_in_order)
{
    /* z by 90 degrees, then x by 90 degrees about the axis of the world:
     * e_x -> e_y -> e_z */
    perp_scene *s = parse(
        "{\"bodies\": [{\"motion\": \"static\", \"rotation\": [0.6, 0, 0.8, 0]},"
        "{\"motion\": \"static\", \"rotation\": {\"euler\": [{\"axis\": [0, 0, 1], "
        "\"angle\": \"90 deg\"}, {\"axis\": [1, 0, 0], \"angle\": \"1/4 rev\"}]}}]}");
    const double x[3] = {1.0, 0.0, 0.0};
    const double z[3] = {0.0, 0.0, 1.0};
    double turned[3];

    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(s->world->start, 0)[5], 0.8, ROUNDING);
    perp_quat_rotate(perp_body_pose(s->world->start, 1) + 3, x, turned);
    test_agree("e_x", turned, z, 3, ROUNDING);
}

TEST(comments_may_stand_anywhere_but_in_texts)
{
    perp_scene *s =
        parse("// first\n/* second */{/**/\"title\"// third\n:/* : */\n"
              "\"a // b /* c */ \\\" // d\"/* \" */,\"time\":/***/3//\n}//end");

    CU_ASSERT_STRING_EQUAL(s->title, "a // b /* c */ \" // d");
    CU_ASSERT_EQUAL(s->time, 3.0);
    s = parse("\xEF\xBB\xBF{}"); /* the mark of UTF-8 */
}

TEST(units_are_factors_of_their_dimension)
{
    static const struct unit_case {
        const char *text;
        double mass;
    } cases[] = {
        {"3", 3.0},       {"3 kg", 3.0},          {"3kg", 3.0},           {"3 g", 3e-3},
        {"3 t", 3000.0},  {"3/4 kg", 0.75},       {"3e2 g", 0.3},         {"1.5 kg", 1.5},
        {"2 N s^2/m", 2}, {"2 kN s^2/m", 2000.0}, {"2 N*m s^2/m^2", 2.0},
    };
    char text[256];

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_scene *s = NULL;

        snprintf(text, sizeof text,
                 "{\"bodies\": [{\"mass\": \"%s\", \"inertia\": [1, 1, 1]}]}",
                 cases[k].text);
        s = parse(text);
        CU_ASSERT_DOUBLE_EQUAL(s->world->mass[0], cases[k].mass, ROUNDING);
    }
    perp_scene *s = parse("{\"bodies\": [{\"motion\": \"kinematic\", \"spin\": "
                          "[\"60 rpm\", \"180 deg/s\", \"1 rev/min\"]}]}");
    const double pi = acos(-1.0);
    const double spin[3] = {2.0 * pi, pi, pi / 30.0};

    test_agree("spin", perp_body_velocity(s->world->start, 0) + 3, spin, 3, ROUNDING);
}

/* A cube of edge 1 and one of edge 1 beside it make a bar 2 x 1 x 1, whose centre lies
 * 1/2 from that of the first: m = 2, I = (1/3, 5/6, 5/6). */
TEST(mass_and_centre_come_from_all_shapes)
{
    static const char *const bar =
        "{\"bodies\": [{\"name\": \"bar\", %s, \"position\": [10, 0, 0], \"rotation\": "
        "{\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}, \"shapes\": [{\"type\": \"box\", "
        "\"size\": [0.5, 0.5, 0.5]}, {\"type\": \"box\", \"half-extents\": [0.5, 0.5, "
        "\"50 cm\"], \"at\": [1, 0, 0], \"rotation\": {\"axis\": [0, 1, 0], \"angle\": "
        "\"90 deg\"}}]}]}";
    const double inertia[9] = {1.0 / 3.0, 0, 0, 0, 5.0 / 6.0, 0, 0, 0, 5.0 / 6.0};
    const double at[2][3] = {{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    char text[1024];

    for (int k = 0; k < 2; k++) {
        perp_scene *s = NULL;

        snprintf(text, sizeof text, bar, k ? "\"mass\": 2" : "\"density\": 1");
        s = parse(text);
        CU_ASSERT_DOUBLE_EQUAL(s->world->mass[0], 2.0, ROUNDING);
        test_agree("inertia", s->world->inertia, inertia, 9, ROUNDING);
        body_at(s, "bar", 10.0, 0.5, 0.0); /* the centre, turned with the body */
        CU_ASSERT_EQUAL_FATAL(s->world->shape_count, 2);
        test_agree("first", s->world->shapes[0].at, at[0], 3, ROUNDING);
        test_agree("second", s->world->shapes[1].at, at[1], 3, ROUNDING);
    }
}

TEST(an_inertia_that_is_given_keeps_the_origin)
{
    perp_scene *s =
        parse("{\"bodies\": [{\"name\": \"a\", \"density\": \"1 g/cm^3\", \"inertia\": "
              "[1, 1, 1], \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1, \"at\": "
              "[1, 0, 0]}]}]}");

    body_at(s, "a", 0.0, 0.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(s->world->mass[0], 4.0 / 3.0 * acos(-1.0), ROUNDING);
    CU_ASSERT_EQUAL(s->world->shapes[0].at[0], 1.0);
}

TEST(shapes_take_sizes_by_order_or_by_name)
{
    perp_scene *s = parse(
        "{\"materials\": [{\"name\": \"ice\"}], \"bodies\": [{\"motion\": \"static\", "
        "\"shapes\": [{\"type\": \"sphere\", \"size\": 2, \"material\": \"ice\"}, "
        "{\"type\": \"sphere\", \"radius\": \"2 cm\"}, {\"type\": \"capsule\", "
        "\"radius\": 1, \"length\": 3}, {\"type\": \"cylinder\", \"size\": [1, 3]}, "
        "{\"type\": \"ellipsoid\", \"semi-axes\": [1, 2, 3]}, {\"type\": \"plane\"}, "
        "{\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
        "\"1 m\"]]}]}]}");
    const perp_shape *shape = s->world->shapes;
    const double axes[3] = {1.0, 2.0, 3.0};

    CU_ASSERT_EQUAL_FATAL(s->world->shape_count, 7);
    CU_ASSERT_EQUAL(shape[0].size[0], 2.0);
    CU_ASSERT_EQUAL(shape[0].material, 1);
    CU_ASSERT_EQUAL(shape[1].size[0], 0.02);
    CU_ASSERT_EQUAL(shape[1].material, 0);
    CU_ASSERT_EQUAL(shape[2].size[1], 3.0);
    CU_ASSERT_EQUAL(shape[3].size[1], 3.0);
    test_agree("semi-axes", shape[4].size, axes, 3, 0.0);
    CU_ASSERT_EQUAL(shape[6].polytope->corner_count, 4);
}

TEST(the_ground_is_planes_on_the_world)
{
    perp_scene *s = parse("{\"ground\": [{}, {\"normal\": [3, 0, 4], \"offset\": "
                          "\"10 cm\"}, {\"normal\": [0, 0, -1]}]}");
    const perp_shape *plane = NULL;
    const double normals[3][3] = {{0, 0, 1}, {0.6, 0.0, 0.8}, {0, 0, -1}};
    const double z[3] = {0.0, 0.0, 1.0};
    double n[3];

    CU_ASSERT_STRING_EQUAL(s->world->name[0], "world");
    CU_ASSERT_EQUAL(s->world->motion[0], PERP_MOTION_STATIC);
    CU_ASSERT_EQUAL_FATAL(s->world->shape_count, 3);
    for (size_t k = 0; k < 3; k++) {
        plane = &s->world->shapes[k];
        perp_quat_rotate(plane->turn, z, n);
        test_agree("normal", n, normals[k], 3, ROUNDING);
    }
    CU_ASSERT_DOUBLE_EQUAL(s->world->shapes[1].at[0], 0.06, ROUNDING);
    /* in the plane y points out of it */
    s = parse("{\"dimension\": 2, \"ground\": {\"normal\": [-3, 4]}}");
    perp_quat_rotate(s->world->shapes[0].turn, (const double[3]){0, 1, 0}, n);
    test_agree("normal", n, (const double[3]){-0.6, 0.8, 0.0}, 3, ROUNDING);
}

TEST(the_plane_takes_two_numbers_and_one_angle)
{
    perp_scene *s = parse(
        "{\"dimension\": 2, \"ground\": {}, \"bodies\": [{\"name\": \"a\", \"mass\": 1, "
        "\"inertia\": 2, \"position\": [1, 2], \"rotation\": \"180 deg\", \"velocity\": "
        "[3, 4], \"spin\": \"5 rad/s\", \"load\": {\"torque\": 6}}, {\"density\": "
        "\"2 kg/m^2\", \"shapes\": [{\"type\": \"box\", \"half-extents\": [1, 0.5]}]}]}");
    const perp_world *w = s->world;

    body_at(s, "a", 1.0, 2.0, 0.0);
    CU_ASSERT_EQUAL(w->inertia[8], 2.0);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(w->start, 0)[6], 1.0, ROUNDING);
    CU_ASSERT_EQUAL(perp_body_velocity(w->start, 0)[1], 4.0);
    CU_ASSERT_EQUAL(perp_body_velocity(w->start, 0)[5], 5.0);
    CU_ASSERT_EQUAL(w->start->load[5], 6.0);
    /* a rectangle 2 x 1 of 2 kg/m^2: m = 4, I = m (4 + 1)/12 */
    CU_ASSERT_DOUBLE_EQUAL(w->mass[1], 4.0, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(w->inertia[9 + 8], 20.0 / 12.0, ROUNDING);
}

TEST(repetition_moves_names_and_nests)
{
    perp_scene *s = parse(
        "{\"bodies\": [{\"name\": \"b{j}.{k+1}\", \"motion\": \"static\", \"position\": "
        "[1, 0, 0], \"repeat\": [{\"count\": 3, \"step\": [0, 0, 1]}, {\"count\": "
        "\"3-{j}\", \"step\": [2, 0, 0]}]}, {\"name\": \"c{2*(n-1)+1}\", \"mass\": "
        "\"{n+1} kg\", \"inertia\": [1, 1, 1], \"repeat\": {\"count\": 2, \"index\": "
        "\"n\"}}, {\"repeat\": {\"count\": 0}}, {\"name\": \"{plain}\", \"motion\": "
        "\"static\"}]}");

    CU_ASSERT_EQUAL(s->world->body_count, 6 + 2 + 1);
    body_at(s, "b0.1", 1.0, 0.0, 0.0);
    body_at(s, "b0.3", 5.0, 0.0, 0.0);
    body_at(s, "b1.2", 3.0, 0.0, 1.0);
    body_at(s, "b2.1", 1.0, 0.0, 2.0);
    CU_ASSERT(perp_world_find_body(s->world, "b2.2") < 0);
    CU_ASSERT_EQUAL(s->world->mass[perp_world_find_body(s->world, "c-1")], 1.0);
    CU_ASSERT_EQUAL(s->world->mass[perp_world_find_body(s->world, "c1")], 2.0);
    CU_ASSERT(perp_world_find_body(s->world, "{plain}") >= 0);
}

/* Copies of an arch: each turned by 90 degrees about (1, 0, 0),
 * all that it has with it. */
TEST(repetition_turns_the_whole_item)
{
    perp_scene *s = parse(
        "{\"bodies\": [{\"name\": \"b{k}\", \"motion\": \"kinematic\", \"position\": [2, "
        "0, 0], \"velocity\": [1, 0, 0], \"spin\": [0, 2, 0], \"load\": {\"force\": [1, "
        "0, 0]}, \"repeat\": {\"count\": 2, \"step\": [0, 0, 5], \"turn\": {\"axis\": "
        "[0, 0, 2], \"angle\": \"90 deg\", \"about\": [1, 0, 0]}}}]}");
    const double twist[6] = {0.0, 1.0, 0.0, -2.0, 0.0, 0.0};
    const double q[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    const double force[3] = {0.0, 1.0, 0.0};

    body_at(s, "b0", 2.0, 0.0, 0.0);
    body_at(s, "b1", 1.0, 1.0, 5.0);
    test_agree("rotation", perp_body_pose(s->world->start, 1) + 3, q, 4, ROUNDING);
    test_agree("velocity", perp_body_velocity(s->world->start, 1), twist, 6, ROUNDING);
    test_agree("load", s->world->start->load + 6, force, 3, ROUNDING);
}

TEST(a_file_is_read_and_named_by_its_stem)
{
    const char *path = test_scratch("a.b.json");
    FILE *f = fopen(path, "wb");
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("{\"time\": 2}", f);
    fclose(f);
    OK(perp_scene_read(&scene, path, &err));
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT_PTR_NOT_NULL(strstr(path, scene->name)); /* the process is before it */
    CU_ASSERT_STRING_EQUAL(scene->name + strlen(scene->name) - 3, "a.b");
    CU_ASSERT_EQUAL(scene->time, 2.0);
}

/* More than the reader takes at once. */
TEST(a_long_file_is_read_whole)
{
    const char *path = test_scratch("long.json");
    FILE *f = fopen(path, "wb");
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "{%200000s \"time\": 2}", "");
    fclose(f);
    OK(perp_scene_read(&scene, path, &err));
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    CU_ASSERT_EQUAL(scene->time, 2.0);
}

TEST(a_plane_has_no_mass)
{
    perp_scene *s = parse("{\"bodies\": [{\"name\": \"a\", \"mass\": 2, \"shapes\": "
                          "[{\"type\": \"plane\", \"at\": [0, 0, 9]}, {\"type\": "
                          "\"sphere\", \"radius\": 1}]}]}");

    body_at(s, "a", 0.0, 0.0, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(s->world->inertia[0], 0.8, ROUNDING); /* 2/5 m r^2 */
}
