/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_links.c: joints and forces of scenes,
 * and scenes without memory. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scarce.h"
#include "scenes.h"

TEST(every_member_of_a_joint_is_read)
{
    perp_scene *s = parse(
        "{\"bodies\": [{\"name\": \"arm\", \"mass\": 1, \"inertia\": [1, 1, 1], "
        "\"position\": [1, 0, 0]}], \"joints\": [{\"type\": \"revolute\", \"name\": "
        "\"elbow\", \"bodies\": [\"world\", \"arm\"], \"at\": [\"50 cm\", 0, 0], "
        "\"axis\": [0, 2, 0], \"axis2\": [0, 1, 0], \"exact\": true, \"collide\": true, "
        "\"erp\": 0.5, \"cfm\": 1e-3, \"stiffness\": 7, \"damping\": \"8 N s/m\", "
        "\"angular-cfm\": \"2e-3 rad/s/N/m\", \"angular-stiffness\": \"5 N m/rad\", "
        "\"angular-damping\": \"6 N m s/rad\", "
        "\"limits\": {\"lower\": \"-90 deg\", \"upper\": 1, \"restitution\": 0.25, "
        "\"cfm\": \"0.5 rad/s/N/m\"}, "
        "\"motor\": {\"kind\": \"servo\", \"target\": \"45 deg\", \"max-force\": "
        "\"2 N m\", \"max-rate\": \"60 rpm\", \"cfm\": \"0.125 rad/s/N/m\"}, \"spring\": "
        "{\"stiffness\": "
        "\"3 N m/rad\", \"damping\": 4, \"rest\": \"0.5 rad\"}, \"armature\": \"200 g "
        "m^2\"}]}");
    const double pi = acos(-1.0);
    const perp_joint *j = s->world->joints;
    const perp_axis *a = &j->axes[0];

    CU_ASSERT_EQUAL_FATAL(s->world->joint_count, 1);
    CU_ASSERT_STRING_EQUAL(j->type->name, "revolute");
    CU_ASSERT_STRING_EQUAL(j->name, "elbow");
    CU_ASSERT_EQUAL(j->i, 1);
    CU_ASSERT_EQUAL(j->j, 0);
    CU_ASSERT_EQUAL(j->anchor_i[0], 0.5);
    CU_ASSERT_EQUAL(j->anchor_j[0], -0.5);
    CU_ASSERT_EQUAL(j->axis_i[1], 1.0);
    CU_ASSERT_EQUAL(j->axis_j[1], 1.0);
    CU_ASSERT_TRUE(j->exact && j->collide);
    CU_ASSERT_EQUAL(j->erp, 0.5);
    CU_ASSERT_EQUAL(j->cfm, 1e-3);
    CU_ASSERT_EQUAL(j->stiffness, 7.0);
    CU_ASSERT_EQUAL(j->damping, 8.0);
    CU_ASSERT_EQUAL(j->angular_cfm, 2e-3);
    CU_ASSERT_EQUAL(j->angular_stiffness, 5.0);
    CU_ASSERT_EQUAL(j->angular_damping, 6.0);
    CU_ASSERT_TRUE(a->has_lower && a->has_upper);
    CU_ASSERT_DOUBLE_EQUAL(a->lower, -0.5 * pi, ROUNDING);
    CU_ASSERT_EQUAL(a->upper, 1.0);
    CU_ASSERT_EQUAL(a->restitution, 0.25);
    CU_ASSERT_EQUAL(a->motor, PERP_MOTOR_SERVO);
    CU_ASSERT_DOUBLE_EQUAL(a->target, 0.25 * pi, ROUNDING);
    CU_ASSERT_EQUAL(a->max_force, 2.0);
    CU_ASSERT_DOUBLE_EQUAL(a->max_rate, 2.0 * pi, ROUNDING);
    CU_ASSERT_EQUAL(a->limit_cfm, 0.5);
    CU_ASSERT_EQUAL(a->motor_cfm, 0.125);
    CU_ASSERT_EQUAL(a->stiffness, 3.0);
    CU_ASSERT_EQUAL(a->damping, 4.0);
    CU_ASSERT_EQUAL(a->rest, 0.5);
    CU_ASSERT_DOUBLE_EQUAL(a->armature, 0.2, ROUNDING);
}

static const char chain[] =
    "{\"bodies\": [{\"name\": \"link-{k}\", \"density\": 1, \"position\": [0, 0, 0], "
    "\"shapes\": [{\"type\": \"box\", \"half-extents\": [0.5, 0.1, 0.1], \"at\": [0.5, "
    "0, 0]}], \"repeat\": {\"count\": 4, \"step\": [1, 0, 0]}}], \"joints\": [{\"type\": "
    "\"spherical\", \"bodies\": [\"link-{k}\", \"link-{k+1}\"], \"at\": [1, 0, 0], "
    "\"repeat\": {\"count\": 3, \"step\": [1, 0, 0]}}, {\"type\": \"rope\", \"bodies\": "
    "[\"world\", \"link-{k}\"], \"anchors\": [[0, 0, 2], [0, 0, 0]], \"repeat\": "
    "{\"count\": 2, \"step\": [1, 0, 0]}}, {\"type\": \"wheel\", \"bodies\": [\"world\", "
    "\"link-0\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1], \"axis2\": [0, 1, 0], "
    "\"axes\": [{\"limits\": {\"lower\": 0}}, {\"motor\": {\"kind\": \"velocity\", "
    "\"target\": 3}, \"armature\": 2}]}, {\"type\": \"cone\", \"bodies\": [\"world\", "
    "\"link-1\"], "
    "\"axis\": [1, 0, 0], \"angle\": \"30 deg\"}]}";

TEST(joints_are_repeated_and_have_anchors_and_axes)
{
    perp_scene *s = parse(chain);
    const perp_joint *j = s->world->joints;

    CU_ASSERT_EQUAL_FATAL(s->world->joint_count, 7);
    CU_ASSERT_STRING_EQUAL(j[2].name, "spherical-2");
    CU_ASSERT_EQUAL(j[2].i, 2);
    CU_ASSERT_EQUAL(j[2].j, 3);
    CU_ASSERT_DOUBLE_EQUAL(j[2].anchor_i[0], 0.5, ROUNDING); /* from the centre of mass */
    CU_ASSERT_DOUBLE_EQUAL(j[2].anchor_j[0], -0.5, ROUNDING);
    CU_ASSERT_EQUAL(j[2].erp, 0.0);                          /* the scheme's */
    CU_ASSERT_DOUBLE_EQUAL(j[4].anchor_i[0], 1.0, ROUNDING); /* the world's moves */
    CU_ASSERT_DOUBLE_EQUAL(j[4].anchor_j[0], -0.5, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(j[4].length, 2.0, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(j[5].theta, acos(0.0), ROUNDING);
    CU_ASSERT_TRUE(j[5].axes[0].has_lower && !j[5].axes[0].has_upper);
    CU_ASSERT_EQUAL(j[5].axes[0].motor, PERP_MOTOR_NONE);
    CU_ASSERT_EQUAL(j[5].axes[1].motor, PERP_MOTOR_VELOCITY);
    CU_ASSERT_TRUE(isinf(j[5].axes[1].max_force));
    CU_ASSERT_EQUAL(j[5].axes[1].armature, 2.0);
    CU_ASSERT_DOUBLE_EQUAL(j[6].theta, acos(-1.0) / 6.0, ROUNDING);
}

static perp_scene *write_again(const perp_scene *s)
{
    char *text = NULL;
    perp_scene *again = NULL;

    OK(perp_scene_print(s, NULL, &text, NULL));
    again = parse(text);
    free(text);
    return again;
}

/* The line that the reader refuses a scene with ends so. */
static void refuse(const char *text, const char *line)
{
    perp_scene *scene = NULL;
    perp_error err = {0};
    const size_t length = strlen(line);

    CU_ASSERT_NOT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "test.json", &err),
                        PERP_OK);
    CU_ASSERT_FATAL(strlen(err.text) >= length);
    CU_ASSERT_STRING_EQUAL(err.text + strlen(err.text) - length, line);
}

/* Two carts on rails and a nut on a screw. */
#define GEARED(gears)                                                                    \
    "{\"bodies\": [{\"name\": \"b{k}\", \"mass\": 1, \"inertia\": [1, 1, 1], "           \
    "\"repeat\": {\"count\": 3, \"step\": [2, 0, 0]}}], \"joints\": [{\"type\": "        \
    "\"prismatic\", \"name\": \"rail{k}\", \"bodies\": [\"world\", \"b{k}\"], "          \
    "\"axis\": [1, 0, 0], \"repeat\": {\"count\": 2, \"step\": [2, 0, 0]}}, {\"type\": " \
    "\"cylindrical\", \"name\": \"nut\", \"bodies\": [\"world\", \"b2\"], \"at\": [4, "  \
    "0, 0], \"axis\": [0, 0, 1]}], \"gears\": [" gears "]}"

TEST(gears_are_read_and_written)
{
    perp_scene *s = parse(GEARED(
        "{\"joint\": \"rail1\", \"follows\": \"rail0\", \"ratio\": -2, \"offset\": \"3 "
        "cm\", \"stiffness\": \"4 N/m\", \"damping\": 5}, "
        "{\"joint\": \"nut\", \"axis\": 2, \"follows\": \"nut\", \"follows-axis\": 1, "
        "\"ratio\": 0.25, \"cfm\": 6}"));

    for (int k = 0; k < 2; k++) {
        const perp_gear *a = &s->world->joints[1].axes[0].gear;
        const perp_gear *b = &s->world->joints[2].axes[1].gear;

        CU_ASSERT_EQUAL(a->joint, 0);
        CU_ASSERT_EQUAL(a->axis, 0);
        CU_ASSERT_EQUAL(a->ratio, -2.0);
        CU_ASSERT_DOUBLE_EQUAL(a->offset, 0.03, ROUNDING);
        CU_ASSERT_EQUAL(a->stiffness, 4.0);
        CU_ASSERT_EQUAL(a->damping, 5.0);
        CU_ASSERT_EQUAL(b->joint, 2);
        CU_ASSERT_EQUAL(b->axis, 0);
        CU_ASSERT_EQUAL(b->ratio, 0.25);
        CU_ASSERT_EQUAL(b->cfm, 6.0);
        s = write_again(s);
    }
}

TEST(gears_that_cannot_be_are_refused_with_their_place)
{
    refuse(GEARED("{\"joint\": \"rail1\", \"follows\": \"rail3\", \"ratio\": 1}"),
           "gears[0].follows is \"rail3\", which is no joint; the nearest is \"rail0\"");
    refuse(GEARED("{\"joint\": \"rail1\", \"follows\": \"rail0\", \"ratio\": 0}"),
           "gears[0].ratio is 0, expected a number that is not 0");
    refuse(GEARED("{\"joint\": \"rail1\", \"axis\": 2, \"follows\": \"rail0\", "
                  "\"ratio\": 1}"),
           "gears[0].axis is 2, expected a whole number 1 .. 1");
    refuse(GEARED("{\"joint\": \"rail1\", \"follows\": \"rail1\", \"ratio\": 1}"),
           "gears[0]: joint \"rail1\": its axis 1 has a gear with itself, expected "
           "another axis");
    refuse(GEARED("{\"joint\": \"rail1\", \"follows\": \"rail0\", \"ratio\": 1}, "
                  "{\"joint\": \"rail1\", \"follows\": \"nut\", \"ratio\": 1}"),
           "gears[1]: axis 1 of joint \"rail1\" follows joint \"rail0\" already, "
           "expected one gear per axis");
    refuse(GEARED("{\"joint\": \"rail1\", \"follows\": \"rail0\", \"ratio\": 1}, "
                  "{\"joint\": \"rail0\", \"follows\": \"rail1\", \"ratio\": 1}"),
           "gears[1]: joint \"rail0\": its gear with joint \"rail1\" closes a cycle of "
           "gears, expected none");
}

TEST(joints_in_the_plane_turn_about_z)
{
    perp_scene *s = parse("{\"dimension\": 2, \"bodies\": [{\"name\": \"a\", \"mass\": "
                          "1, \"inertia\": 1}], "
                          "\"joints\": [{\"type\": \"revolute\", \"bodies\": [\"world\", "
                          "\"a\"], \"at\": [1, 2]}, "
                          "{\"type\": \"prismatic\", \"bodies\": [\"world\", \"a\"], "
                          "\"axis\": [0, 2], \"limits\": "
                          "{\"upper\": \"3 cm\"}}]}");
    const perp_joint *j = s->world->joints;

    CU_ASSERT_EQUAL_FATAL(s->world->joint_count, 2);
    CU_ASSERT_EQUAL(j[0].axis_i[2], 1.0);
    CU_ASSERT_EQUAL(j[0].anchor_j[1], 2.0);
    CU_ASSERT_EQUAL(j[1].axis_i[1], 1.0);
    CU_ASSERT_DOUBLE_EQUAL(j[1].axes[0].upper, 0.03, ROUNDING);
}

TEST(forces_have_the_parameters_of_their_types)
{
    perp_scene *s = parse(
        "{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
        "\"forces\": [{\"type\": \"spring\", \"bodies\": [\"a\", \"world\"], "
        "\"anchors\": [[1, 0, 0], [0, 0, 1]], \"stiffness\": \"1 kN/m\", \"damping\": 2, "
        "\"rest-length\": \"10 cm\"}, {\"type\": \"torsion-spring\", \"name\": \"t\", "
        "\"bodies\": [\"a\", \"world\"], \"axis\": [0, 0, 1], \"stiffness\": "
        "\"2 N m/rad\", \"rest-angle\": \"180 deg\"}, {\"type\": \"constant\", "
        "\"bodies\": [\"a\"], \"axis\": [0, 0, 1], \"force\": \"5 N\"}]}");
    const perp_force *f = s->world->forces;

    CU_ASSERT_EQUAL_FATAL(s->world->force_count, 3);
    CU_ASSERT_STRING_EQUAL(f[0].name, "spring-0");
    CU_ASSERT_EQUAL(f[0].i, 0);
    CU_ASSERT_EQUAL(f[0].j, 1);
    CU_ASSERT_EQUAL(f[0].anchor_i[0], 1.0);
    CU_ASSERT_EQUAL(f[0].anchor_j[2], 1.0);
    CU_ASSERT_EQUAL(f[0].value[0], 1000.0);
    CU_ASSERT_EQUAL(f[0].value[1], 2.0);
    CU_ASSERT_DOUBLE_EQUAL(f[0].value[2], 0.1, ROUNDING);
    CU_ASSERT_STRING_EQUAL(f[1].name, "t");
    CU_ASSERT_DOUBLE_EQUAL(f[1].value[2], acos(-1.0), ROUNDING);
    CU_ASSERT_EQUAL(f[2].j, -1);
    CU_ASSERT_EQUAL(f[2].value[0], 5.0);
}

static perp_status parse_chain(void *context, perp_error *err)
{
    perp_scene *s = NULL;
    perp_status status = perp_scene_parse(&s, context, strlen(context), "c.json", err);

    CU_ASSERT_EQUAL(s != NULL, status == PERP_OK);
    return status;
}

static perp_status read_file(void *context, perp_error *err)
{
    perp_scene *s = NULL;
    perp_status status = perp_scene_read(&s, context, err);

    CU_ASSERT_EQUAL(s != NULL, status == PERP_OK);
    return status;
}

TEST(failing_memory_is_survived_while_a_file_is_read)
{
    char path[1024];
    FILE *f = NULL;

    snprintf(path, sizeof path, "%s", test_scratch("long.json"));
    f = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "{%200000s \"ground\": {}}", "");
    fclose(f);
    scarce_everywhere(read_file, path, "file");
}

TEST(failing_memory_is_survived)
{
    static char hulls[] =
        "{\"solver\": \"pgs\", \"materials\": [{\"name\": \"m\"}], \"ground\": {}, "
        "\"bodies\": [{\"density\": 1, \"shapes\": [{\"type\": \"hull\", \"corners\": "
        "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}]}";
    static char nobody[] = "{\"joints\": [{\"type\": \"spherical\", \"at\": [0, 0, 0], "
                           "\"bodies\": [\"world\", "
                           "\"word\"]}]}";
    static char links[sizeof chain];
    perp_error err = {0};

    memcpy(links, chain, sizeof chain);
    scarce_everywhere(parse_chain, links, "chain");
    scarce_everywhere(parse_chain, hulls, "hulls");
    for (long k = 0; k < 64; k++) { /* a complaint without memory for it */
        perp_error_clear(&err);
        scarce_begin(k);
        CU_ASSERT(parse_chain(nobody, &err) != PERP_OK && *err.text);
        scarce_end();
    }
}

TEST(a_byte_zero_is_refused)
{
    static const char text[] = "{\"time\":\n 3\0}";
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, sizeof text - 1, "s.json", &err),
                    PERP_ERR_FORMAT);
    CU_ASSERT_STRING_EQUAL(err.text, "s.json:2:3: a byte 0, expected text");
}
