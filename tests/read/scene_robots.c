/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_robots.c: robots in scenes: where they stand, what is set on their
 * joints, who finds them. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <perp/dynamics/rotation.h>

#include "scarce.h"
#include "scenes.h"

#define PI 3.14159265358979323846

/* Written to the scratch folder, beside which scenes are read. */
static const char robot[] =
    "<robot name=\"r\">\n<link name=\"world\"/>\n"
    "<link name=\"arm\"><inertial><origin xyz=\"0.5 0 0\"/><mass value=\"1\"/>"
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>"
    "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>\n"
    "<link name=\"slide\"><inertial><mass value=\"1\"/>"
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>"
    "</link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"world\"/><child "
    "link=\"arm\"/><axis xyz=\"0 0 1\"/><limit lower=\"-2\" upper=\"2\" effort=\"7\" "
    "velocity=\"1\"/><dynamics damping=\"0.5\" friction=\"3\"/></joint>\n"
    "<joint name=\"s\" type=\"prismatic\"><parent link=\"arm\"/><child link=\"slide\"/>"
    "<limit lower=\"0\" upper=\"1\"/></joint>\n"
    "<joint name=\"f\" type=\"fixed\"><parent link=\"slide\"/><child link=\"tip\"/>"
    "</joint>\n<link name=\"tip\"/>\n</robot>\n";

static perp_status read_beside(const char *text, perp_scene **scene, perp_error *err)
{
    char name[1024];
    FILE *f = NULL;

    mkdir(test_scratch("robots"), 0777);
    f = fopen(test_scratch("robots/r.urdf"), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(fputs(robot, f) >= 0);
    fclose(f);
    snprintf(name, sizeof name, "%s", test_scratch("robots/s.json"));
    return perp_scene_parse(scene, text, strlen(text), name, err);
}

static perp_scene *scene_of(const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (read_beside(text, &scene, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a scene");
    }
    return scene;
}

/* At 30 deg its centre, half a metre out, is at (cos, sin)/2 from its place. */
TEST(a_robot_stands_where_the_scene_has_it)
{
    perp_scene *s = scene_of(
        "{\"ground\": {}, \"robots\": [{\"file\": \"r.urdf\", \"name\": \"a/\", "
        "\"position\": [1, 2, 3], \"joints\": {\"j\": \"30 deg\", \"s\": \"25 cm\"}}]}");
    perp_world *w = s->world;
    const double at[3] = {1.0 + 0.5 * cos(PI / 6.0), 2.25, 3.0};
    const double slid[3] = {1.0 + 0.25 * cos(PI / 6.0), 2.125, 3.0};

    CU_ASSERT_EQUAL_FATAL(w->body_count, 3);
    CU_ASSERT_STRING_EQUAL(w->name[0], "world");
    CU_ASSERT_STRING_EQUAL(w->name[1], "a/arm");
    test_agree("arm", perp_body_pose(w->start, 1), at, 3, ROUNDING);
    test_agree("slide", perp_body_pose(w->start, 2), slid, 3, ROUNDING);
    CU_ASSERT_EQUAL(w->joint_count, 2);
    CU_ASSERT_STRING_EQUAL(w->joints[0].name, "a/j");
    CU_ASSERT_EQUAL(w->joints[0].axes[0].motor, PERP_MOTOR_FRICTION);
}

TEST(a_base_called_world_is_the_world_of_the_scene)
{
    perp_scene *s =
        scene_of("{\"ground\": {}, \"robots\": [{\"file\": \"r.urdf\"}], "
                 "\"joints\": [{\"type\": \"spherical\", \"bodies\": [\"world\", "
                 "\"slide\"], \"at\": [0, 0, 0]}, {\"type\": \"rod\", "
                 "\"bodies\": [\"world\", \"arm\"], \"anchors\": [[0, 0, 1], "
                 "[0.25, 0, 0]]}]}");
    const double anchor[3] = {-0.25, 0.0, 0.0};

    CU_ASSERT_EQUAL(s->world->body_count, 3);
    CU_ASSERT_EQUAL(s->world->joints[0].i, 0);
    CU_ASSERT_EQUAL(s->world->joints[2].i, 0);
    CU_ASSERT_EQUAL(s->world->joints[2].j, 2);
    /* in axes of the link, whose centre of mass is half a metre out */
    test_agree("anchor", s->world->joints[3].anchor_j, anchor, 3, ROUNDING);
}

TEST(what_is_set_on_joints_goes_over_the_file)
{
    perp_scene *s = scene_of(
        "{\"robots\": [{\"file\": \"r.urdf\", \"joints\": {\"j\": {\"motor\": {\"kind\": "
        "\"servo\", \"target\": \"10 deg\"}, \"armature\": 0.25, \"limits\": {\"lower\": "
        "-1}}, \"s\": {\"start\": 0.5, \"spring\": {\"stiffness\": 9}, \"motor\": "
        "{\"kind\": \"velocity\", \"max-force\": 4}}}}]}");
    const perp_axis *j = &s->world->joints[0].axes[0];
    const perp_axis *slide = &s->world->joints[1].axes[0];

    CU_ASSERT_EQUAL(j->motor, PERP_MOTOR_SERVO);
    CU_ASSERT_DOUBLE_EQUAL(j->target, PI / 18.0, ROUNDING);
    CU_ASSERT_EQUAL(j->max_force, 7.0); /* the effort of the file */
    CU_ASSERT_EQUAL(j->armature, 0.25);
    CU_ASSERT(j->lower == -1.0 && !j->has_upper);
    CU_ASSERT_EQUAL(j->damping, 0.5); /* nothing was said of it */
    CU_ASSERT_EQUAL(slide->value, 0.5);
    CU_ASSERT_EQUAL(slide->stiffness, 9.0);
    CU_ASSERT_EQUAL(slide->max_force, 4.0);
    CU_ASSERT_EQUAL(slide->upper, 1.0);
}

/* Effort and velocity of the file bound a servo unless it has bounds of its own, infinite ones among them. */
TEST(bounds_of_the_file_hold_unless_the_motor_has_its_own)
{
    static const struct {
        const char *members;
        double force, rate;
    } cases[] = {
        {"", 7.0, 1.0},
        {", \"max-force\": 2, \"max-rate\": 3", 2.0, 3.0},
        {", \"max-force\": \"infinite\", \"max-rate\": \"infinite\"", INFINITY, 0.0},
        {", \"max-rate\": 0", 7.0, 0.0},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        const perp_axis *j = NULL;

        snprintf(text, sizeof text,
                 "{\"robots\": [{\"file\": \"r.urdf\", \"joints\": {\"j\": {\"motor\": "
                 "{\"kind\": "
                 "\"servo\", \"target\": \"10 deg\"%s}}}}]}",
                 cases[k].members);
        j = &scene_of(text)->world->joints[0].axes[0];
        CU_ASSERT_EQUAL(j->max_force, cases[k].force);
        CU_ASSERT_EQUAL(j->max_rate, cases[k].rate);
    }
}

TEST(robots_are_repeated)
{
    perp_scene *s = scene_of(
        "{\"robots\": [{\"file\": \"r.urdf\", \"name\": \"{k}/\", \"position\": [1, 0, "
        "0], "
        "\"no-self-collision\": true, \"repeat\": {\"count\": 3, \"step\": [0, 0, 1], "
        "\"turn\": {\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}}}]}");
    const perp_world *w = s->world;
    const double at[3] = {-1.5, 0.0, 2.0};
    int32_t last = perp_world_find_body(w, "2/arm");

    CU_ASSERT_EQUAL_FATAL(w->body_count, 7);
    CU_ASSERT_FATAL(last >= 0);
    test_agree("the last arm", perp_body_pose(w->start, (size_t)last), at, 3, ROUNDING);
    CU_ASSERT_EQUAL(w->shapes[0].group, UINT32_C(1) << 31);
    CU_ASSERT_EQUAL(w->shapes[2].group, UINT32_C(1) << 29);
    CU_ASSERT_EQUAL(w->shapes[2].mask, ~(UINT32_C(1) << 29));
}

static perp_status read_scarcely(void *context, perp_error *err)
{
    perp_scene *scene = NULL;
    perp_status status = perp_scene_parse(&scene, context, strlen(context),
                                          test_scratch("robots/s.json"), err);

    return status;
}

TEST(memory_may_fail_anywhere)
{
    static char text[] =
        "{\"robots\": [{\"file\": \"r.urdf\", \"package\": \"none\", \"joints\": {\"j\": "
        "{\"start\": \"10 deg\", \"armature\": 1}}}]}";

    perp_scene_free(scene_of(text)); /* the file is there now */
    scarce_everywhere(read_scarcely, text, "a scene with a robot");
}
