/* SPDX-License-Identifier: Apache-2.0
 * tests/read/urdf.c: links as bodies and joints as joints, against numbers worked by
 * hand; which links are one body, where joints start, and what is left out. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "robots.h"
#include "scarce.h"

/* Products and sums of a handful of numbers near 1. */
#define ROUNDING 1e-14
#define PI       3.14159265358979323846

static void near(const char *what, const double *x, const double *y, size_t n)
{
    test_agree(what, x, y, n, ROUNDING);
}

/* The body axes of a pose, row by row. */
static void axes_of(const perp_world *w, size_t k, double R[9])
{
    perp_rotation_matrix(perp_body_pose(w->start, k) + 3, R);
}

/* R = Rz(0.3) Ry(-0.2) Rx(0.1), multiplied out; and R I R^T by it. */
TEST(roll_pitch_and_yaw_turn_about_fixed_axes)
{
    static const char text[] = ROBOT(
        LINK("a") "<link name=\"b\"><inertial><origin rpy=\"0.1 -0.2 0.3\"/>" MASS(1)
            INERTIA(1, 2, 2.5) "</inertial></link>" JOINT("j", "floating", "a", "b",
                                                          "<origin xyz=\"1 2 3\" "
                                                          "rpy=\"0.1 -0.2 0.3\"/>"));
    const double cr = cos(0.1), sr = sin(0.1), cp = cos(-0.2), sp = sin(-0.2);
    const double cy = cos(0.3), sy = sin(0.3);
    const double expected[9] = {cy * cp,
                                cy * sp * sr - sy * cr,
                                cy * sp * cr + sy * sr,
                                sy * cp,
                                sy * sp * sr + cy * cr,
                                sy * sp * cr - cy * sr,
                                -sp,
                                cp * sr,
                                cp * cr};
    const double moments[3] = {1.0, 2.0, 2.5};
    const double r[3] = {1.0, 2.0, 3.0};
    double inertia[9];
    double R[9];
    perp_world *w = robot_world(text, NULL, NULL);

    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            inertia[3 * i + j] = 0.0;
            for (size_t k = 0; k < 3; k++) {
                inertia[3 * i + j] +=
                    expected[3 * i + k] * moments[k] * expected[3 * j + k];
            }
        }
    }
    axes_of(w, 1, R);
    near("axes", R, expected, 9);
    near("place", perp_body_pose(w->start, 1), r, 3);
    near("inertia", w->inertia + 9, inertia, 9);
    CU_ASSERT_EQUAL(w->joint_count, 0); /* floating: free of each other */
}

#define ARM                                                                              \
    ROBOT(LINK("a") LINK("b") LINK("c") LINK("d") JOINT(                                 \
        "first", "revolute", "a", "b",                                                   \
        "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/><axis xyz=\"0 0 2\"/>"    \
        "<limit lower=\"-1\" upper=\"6\" effort=\"3\" velocity=\"4\"/>"                  \
        "<dynamics damping=\"0.5\"/>")                                                   \
              JOINT("second", "prismatic", "b", "c",                                     \
                    "<origin xyz=\"1 0 0\"/><limit lower=\"-0.1\" upper=\"0.5\" "        \
                    "effort=\"7\" velocity=\"8\"/><dynamics damping=\"2\" "              \
                    "friction=\"6\"/>")                                                  \
                  JOINT("third", "continuous", "c", "d",                                 \
                        "<origin xyz=\"0 0 1\"/><axis xyz=\"0 -1 0\"/>"))

/* What no scene has of them; the rest is in accepted/robots.urdf. */
TEST(joints_keep_efforts_and_velocities_of_the_file)
{
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(ARM, NULL, &robot);
    const perp_axis *first = &w->joints[0].axes[0];

    CU_ASSERT(first->motor == PERP_MOTOR_NONE &&
              w->joints[2].axes[0].motor == first->motor);
    CU_ASSERT(first->max_force == 3.0 && first->max_rate == 4.0);
    CU_ASSERT(robot->joints[1].effort == 7.0 && robot->joints[1].velocity == 8.0);
    CU_ASSERT(isinf(robot->joints[2].effort) && isinf(robot->joints[2].upper));
    CU_ASSERT(robot->link_count == 4 && strcmp(robot->name, "r") == 0);
    perp_urdf_free(robot);
}

/* The first is turned back to x, so that c comes to (2, 0, 0) and slides to 2.25 along
 * its own x; d turns about -y. */
TEST(joints_start_where_they_are_told)
{
    static const perp_urdf_position positions[] = {
        {"first", 0.0}, {"second", 0.25}, {"third", 4.0}, {"first", 1.5 * PI}};
    const perp_urdf_options opt = {.positions = positions, .position_count = 4};
    const double c[3] = {2.25, 0.0, 0.0};
    const double d[3] = {2.25, 0.0, 1.0};
    const double axes[9] = {cos(4.0), 0, -sin(4.0), 0, 1, 0, sin(4.0), 0, cos(4.0)};
    double R[9];
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(ARM, &opt, &robot);

    near("c", perp_body_pose(w->start, 2), c, 3);
    near("d", perp_body_pose(w->start, 3), d, 3);
    axes_of(w, 3, R);
    near("axes of d", R, axes, 9);
    for (size_t k = 0; k < 3; k++) {
        const double values[3] = {1.5 * PI, 0.25, 4.0}; /* not wrapped */
        double length = 1.0;
        double angle = 1.0;

        perp_joint_drift(&w->joints[k], w, w->start, &length, &angle);
        CU_ASSERT(length <= ROUNDING && angle <= ROUNDING);
        near("value", &perp_joint_axes_of(w->start, k)[0], &values[k], 1);
        CU_ASSERT_EQUAL(robot->joints[k].value, values[k]);
    }
    perp_urdf_free(robot);
}

TEST(lower_and_upper_are_zero_where_they_are_missing)
{
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(
        BETWEEN("revolute", "<limit effort=\"1\" velocity=\"1\"/>"), NULL, &robot);

    CU_ASSERT(w->joints[0].axes[0].has_lower && w->joints[0].axes[0].has_upper);
    CU_ASSERT(w->joints[0].axes[0].lower == 0.0 && w->joints[0].axes[0].upper == 0.0);
    CU_ASSERT_EQUAL_FATAL(robot->ignored_count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(robot->ignored[0], "the joint is locked"));
    perp_urdf_free(robot);
    robot_world(BETWEEN("revolute", "<limit lower=\"0\" effort=\"1\" velocity=\"1\"/>"),
                NULL, &robot);
    CU_ASSERT_EQUAL(robot->ignored_count, 0);
    perp_urdf_free(robot);
}

/* Two unit masses, unit inertias, 2 apart along the y of a: c halfway, and 2 + 2 (1)^2
 * about x and z. The tool weighs nothing and brings its shape. */
#define DUMBBELL(type)                                                                   \
    ROBOT(LINK("a") LINK(                                                                \
        "b") "<link name=\"tool\"><collision><geometry><sphere "                         \
             "radius=\"0.1\"/></geometry></collision></link>\n" JOINT(                   \
                 "ab", type, "a", "b", "<origin xyz=\"0 2 0\" rpy=\"0 0 1\"/>")          \
                 JOINT("bt", "fixed", "b", "tool", "<origin xyz=\"0 0 0.5\"/>"))

TEST(links_with_a_fixed_joint_are_one_body_when_asked)
{
    const perp_urdf_options opt = {.merge_fixed = true};
    const double c[3] = {0.0, 1.0, 0.0};
    const double inertia[9] = {4, 0, 0, 0, 2, 0, 0, 0, 4};
    const double tool[3] = {0.0, 1.0, 0.5};
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(DUMBBELL("fixed"), &opt, &robot);

    CU_ASSERT_EQUAL_FATAL(w->body_count, 1);
    CU_ASSERT_EQUAL(w->joint_count, 0);
    CU_ASSERT_STRING_EQUAL(w->name[0], "a");
    CU_ASSERT_EQUAL(w->mass[0], 2.0);
    near("centre", perp_body_pose(w->start, 0), c, 3);
    near("inertia", w->inertia, inertia, 9);
    CU_ASSERT_EQUAL_FATAL(w->shape_count, 1);
    near("the shape", w->shapes[0].at, tool, 3);
    CU_ASSERT_DOUBLE_EQUAL(w->shapes[0].turn[3], sin(0.5), ROUNDING);
    near("the frame of the tool", robot->links[2].at, tool, 3);
    CU_ASSERT_EQUAL(robot->joints[0].joint, -1);
    perp_urdf_free(robot);
}

/* A footprint below the base: the body is called after the link that weighs. */
TEST(a_body_has_the_name_of_its_first_link_with_mass)
{
    perp_urdf *robot = NULL;
    perp_world *w =
        robot_world(ROBOT(EMPTY("footprint") LINK("base") JOINT(
                        "j", "fixed", "footprint", "base", "<origin xyz=\"0 0 1\"/>")),
                    NULL, &robot);
    const double r[3] = {0.0, 0.0, 1.0};
    const double foot[3] = {0.0, 0.0, -1.0};

    CU_ASSERT_EQUAL_FATAL(w->body_count, 1);
    CU_ASSERT_STRING_EQUAL(w->name[0], "base");
    CU_ASSERT_EQUAL(w->motion[0], PERP_MOTION_DYNAMIC);
    near("place", perp_body_pose(w->start, 0), r, 3);
    near("the footprint", robot->links[0].at, foot, 3);
    perp_urdf_free(robot);
}

static perp_motion base_motion(const char *text, perp_urdf_base base)
{
    const perp_urdf_options opt = {.base = base};
    perp_world *w = robot_world(text, &opt, NULL);
    perp_motion motion = w->motion[0];

    return motion;
}

TEST(the_base_is_fixed_or_floats)
{
    const char *heavy = BETWEEN("continuous", "");
    const char *light =
        ROBOT(EMPTY("a") LINK("b") JOINT("j", "continuous", "a", "b", ""));
    const char *world =
        ROBOT(LINK("world") LINK("b") JOINT("j", "continuous", "world", "b", ""));

    CU_ASSERT_EQUAL(base_motion(heavy, PERP_URDF_BASE_USUAL), PERP_MOTION_DYNAMIC);
    CU_ASSERT_EQUAL(base_motion(heavy, PERP_URDF_BASE_FIXED), PERP_MOTION_STATIC);
    CU_ASSERT_EQUAL(base_motion(light, PERP_URDF_BASE_USUAL), PERP_MOTION_STATIC);
    CU_ASSERT_EQUAL(base_motion(world, PERP_URDF_BASE_USUAL), PERP_MOTION_STATIC);
    CU_ASSERT_EQUAL(base_motion(world, PERP_URDF_BASE_FLOATING), PERP_MOTION_DYNAMIC);
}

/* The link "world" is the static body of that name, wherever that stands. */
TEST(two_robots_share_a_world)
{
    static const char text[] = ROBOT(EMPTY("world") LINK("b") JOINT(
        "j", "continuous", "world", "b", "<origin xyz=\"0 0 1\"/>"));
    const perp_body body = {
        .name = "world", .motion = PERP_MOTION_STATIC, .r = {1, 0, 0}};
    const perp_urdf_options left = {.prefix = "left/"};
    const perp_urdf_options right = {.prefix = "right/", .at = {2.0, 0.0, 0.0}};
    const double on_world[3] = {1.0, 0.0, 0.0};
    perp_urdf *robot = NULL;
    perp_world *w = test_world(3, 9.81);

    OK(perp_world_add_body(w, &body, NULL, NULL));
    OK(perp_urdf_parse(w, text, sizeof text - 1, "r.urdf", &left, NULL, NULL));
    OK(perp_urdf_parse(w, text, sizeof text - 1, "r.urdf", &right, &robot, NULL));
    CU_ASSERT_EQUAL(w->body_count, 3);
    CU_ASSERT_EQUAL(perp_world_find_body(w, "right/b"), 2);
    CU_ASSERT_EQUAL(perp_world_find_joint(w, "left/j"), 0);
    CU_ASSERT_EQUAL(w->joints[1].i, 0);
    CU_ASSERT_EQUAL(robot->links[0].body, 0);
    near("the link on the world", robot->links[0].at, on_world, 3);
    perp_urdf_free(robot);
}

TEST(an_inertia_rounded_beyond_the_triangle_rule_is_taken_and_told)
{
    static const char text[] = ROBOT("<link name=\"a\"><inertial>" MASS(1) INERTIA(
        0.1, 0.2, 0.300001) "</inertial></link>\n");
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(text, NULL, &robot);

    CU_ASSERT_DOUBLE_EQUAL(w->inertia[8], 0.300001, 1e-15);
    CU_ASSERT_EQUAL_FATAL(robot->ignored_count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        robot->ignored[0], "principal moments are 0.1, 0.2, 0.300001, the last above the "
                           "sum of the others by rounding"));
    perp_urdf_free(robot);
}

TEST(what_is_left_out_is_told)
{
    static const char text[] =
        ROBOT(LINK("a") "<link name=\"b\"><inertial>" MASS(1) INERTIA(
            1, 1, 1) "</inertial><collision><geometry><torus/></geometry></collision></"
                     "link>\n" JOINT("j", "screw", "a", "b",
                                     "<mimic joint=\"k\"/>") "<loop_joint/>\n");
    static const char *const lines[] = {
        "r.urdf:5: <loop_joint> in <robot> is not known, the nearest is \"joint\": left "
        "out",
        "r.urdf:3: link \"b\": <torus> in <geometry>, expected one of: box, cylinder, "
        "capsule, sphere, mesh: the shape is left out",
        "r.urdf:4: joint \"j\": type of joint is \"screw\", expected one of: revolute, "
        "continuous, prismatic, fixed, floating, planar: treated as fixed",
        "r.urdf:4: joint \"j\": <mimic> of a screw joint, expected a revolute, "
        "continuous "
        "or prismatic joint: left out",
    };
    const perp_urdf_options opt = {.unknown = PERP_URDF_IGNORE};
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(text, &opt, &robot);

    CU_ASSERT_EQUAL_FATAL(robot->ignored_count, 4);
    for (size_t k = 0; k < 4; k++) {
        CU_ASSERT_STRING_EQUAL(robot->ignored[k], lines[k]);
    }
    CU_ASSERT_EQUAL(w->shape_count, 0);
    CU_ASSERT_STRING_EQUAL(w->joints[0].type->name, "fixed");
    perp_urdf_free(robot);
}

/* What only displays, controllers and other simulators read. */
TEST(what_has_no_meaning_here_is_passed_over)
{
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(
        "<?xml version=\"1.0\"?>\n<!-- a robot -->\n"
        "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n"
        "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>\n" LINK(
            "a") "<link name=\"b\"><inertial>" MASS(1)
            INERTIA(
                1, 1,
                1) "</inertial><visual><geometry><mesh "
                   "filename=\"a.dae\"/></geometry></visual>"
                   "</link>\n" JOINT(
                       "j", "revolute", "a", "b",
                       LIMIT
                       "<calibration rising=\"0\"/><safety_controller "
                       "k_velocity=\"1\"/>") "<transmission "
                                             "name=\"t\"><type>x</type></transmission>\n"
                                             "<gazebo "
                                             "reference=\"a\"><sensor:camera/></"
                                             "gazebo>\n</robot>\n",
        NULL, &robot);

    CU_ASSERT_EQUAL(robot->ignored_count, 0);
    CU_ASSERT_EQUAL(w->body_count, 2);
    CU_ASSERT_EQUAL(w->joint_count, 1);
    perp_urdf_free(robot);
}

TEST(a_text_that_begins_like_a_robot_is_known)
{
    static const char *const robots[] = {
        "<robot name=\"r\">", "<?xml version=\"1.0\"?>\n<!-- > -->\n  <robot\n",
        "\xEF\xBB\xBF<robot/>", "<!-- -- --><robot>"};
    static const char *const others[] = {
        "",
        "{\"bodies\": []}",
        "<sdf>",
        "<robots>",
        "<robot",
        "<!-- <robot > ",
        "<!--><robot>",
        "<?xml",
        "robot",
        "  ",
        "<",
        "<!",
    };

    for (size_t k = 0; k < sizeof robots / sizeof *robots; k++) {
        CU_ASSERT_TRUE(perp_urdf_detect(robots[k], strlen(robots[k])));
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        CU_ASSERT_FALSE(perp_urdf_detect(others[k], strlen(others[k])));
    }
}

/* Three hinges of a link: "b" = 2 a - 0.5, "c" = -b + 0.25, in the order c, b, a. */
#define HINGES(c, b, a)                                                                  \
    ROBOT(LINK("base") LINK("la") LINK("lb") LINK("lc")                                  \
              JOINT("c", "revolute", "base", "lc", LIMIT c)                              \
                  JOINT("b", "prismatic", "base", "lb", LIMIT b)                         \
                      JOINT("a", "continuous", "base", "la", a))
#define B_FOLLOWS "<mimic joint=\"a\" multiplier=\"2\" offset=\"-0.5\"/>"
#define C_FOLLOWS "<mimic joint=\"b\" multiplier=\"-1\" offset=\"0.25\"/>"

TEST(mimic_is_a_gear_and_a_chain_starts_where_it_is_put)
{
    const perp_urdf_position at = {"a", 0.375};
    const perp_urdf_options opt = {.positions = &at, .position_count = 1, .prefix = "x/"};
    perp_urdf *robot = NULL;
    perp_world *w = robot_world(HINGES(C_FOLLOWS, B_FOLLOWS, ""), &opt, &robot);
    const perp_joint *c = &w->joints[perp_world_find_joint(w, "x/c")];
    const perp_joint *b = &w->joints[perp_world_find_joint(w, "x/b")];
    const perp_joint *a = &w->joints[perp_world_find_joint(w, "x/a")];

    CU_ASSERT_PTR_EQUAL(&w->joints[c->axes[0].gear.joint], b);
    CU_ASSERT_EQUAL(c->axes[0].gear.ratio, -1.0);
    CU_ASSERT_EQUAL(c->axes[0].gear.offset, 0.25);
    CU_ASSERT_PTR_EQUAL(&w->joints[b->axes[0].gear.joint], a);
    CU_ASSERT_EQUAL(b->axes[0].gear.ratio, 2.0);
    CU_ASSERT_EQUAL(a->axes[0].gear.ratio, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(a->axes[0].value, 0.375, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(b->axes[0].value, 0.25, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(c->axes[0].value, 0.0, ROUNDING);
    CU_ASSERT(robot->joints[0].follows && robot->joints[1].follows);
    CU_ASSERT_FALSE(robot->joints[2].follows);
    CU_ASSERT_EQUAL(robot->ignored_count, 0);
    perp_urdf_free(robot);
}

TEST(a_start_beyond_the_limits_of_a_joint_with_mimic_is_told)
{
    const perp_urdf_position at = {"a", 1.0};
    const perp_urdf_options opt = {.positions = &at, .position_count = 1};
    perp_urdf *robot = NULL;

    robot_world(HINGES("", B_FOLLOWS, ""), &opt, &robot);
    CU_ASSERT_EQUAL_FATAL(robot->ignored_count, 1);
    CU_ASSERT_STRING_EQUAL(robot->ignored[0],
                           "r.urdf:7: joint \"b\": starts at 1.5, as joint \"a\" "
                           "requires, beyond its limits -1 .. 1");
    perp_urdf_free(robot);
}

static void refuse_mimic(const char *text, const perp_urdf_position *at, const char *line)
{
    const perp_urdf_options opt = {.positions = at, .position_count = at != NULL};
    perp_world *w = test_world(3, 9.81);
    perp_error err = {0};

    CU_ASSERT_NOT_EQUAL(
        perp_urdf_parse(w, text, strlen(text), "r.urdf", &opt, NULL, &err), PERP_OK);
    CU_ASSERT_STRING_EQUAL(err.text, line);
}

TEST(mimic_without_a_meaning_is_refused)
{
    const perp_urdf_position at = {"b", 0.5};

    refuse_mimic(HINGES("", B_FOLLOWS, "<mimic joint=\"b\"/>"), NULL,
                 "r.urdf:7: joint \"b\": a cycle of <mimic>: \"b\" follows \"a\" follows "
                 "\"b\", expected none");
    refuse_mimic(HINGES("<mimic joint=\"c\"/>", "", ""), NULL,
                 "r.urdf:6: joint \"c\": a cycle of <mimic>: \"c\" follows \"c\", "
                 "expected none");
    refuse_mimic(HINGES("<mimic joint=\"z\"/>", "", ""), NULL,
                 "r.urdf:6: joint \"c\": mimic is joint \"z\", expected a joint of the "
                 "robot");
    refuse_mimic(HINGES("<mimic joint=\"a\" multiplier=\"0\"/>", "", ""), NULL,
                 "r.urdf:6: joint \"c\": multiplier of mimic is \"0\", expected a number "
                 "that is not 0");
    refuse_mimic(
        HINGES("", B_FOLLOWS, ""), &at,
        "r.urdf: a position for joint \"b\", which follows joint \"a\", expected "
        "one for that joint");
    refuse_mimic(ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "a", "b", "")
                           JOINT("k", "continuous", "a", "c", "<mimic joint=\"j\"/>")),
                 NULL,
                 "r.urdf:6: joint \"k\": mimic is joint \"j\" of type fixed, expected a "
                 "revolute, continuous or prismatic joint");
}

static perp_status load_scarcely(void *context, perp_error *err)
{
    static const perp_urdf_position start = {"j", 0.5};
    const perp_urdf_options opt = {
        .unknown = PERP_URDF_IGNORE, .positions = &start, .position_count = 1};
    const char *text = context;
    perp_urdf *robot = NULL;
    perp_world *w = NULL;
    perp_status status = perp_world_new(&w, 3, err);
    size_t bodies = 0;

    if (status != PERP_OK) {
        return status;
    }
    status = perp_urdf_parse(w, text, strlen(text), "r.urdf", &opt, &robot, err);
    bodies = w->body_count;
    CU_ASSERT((status == PERP_OK) == (robot != NULL));
    CU_ASSERT(status == PERP_OK || (bodies == 0 && w->joint_count == 0));
    perp_urdf_free(robot);
    return status;
}

TEST(memory_may_fail_anywhere)
{
    static char text[] = ROBOT(LINK("a") "<link name=\"b\"><inertial>" MASS(1) INERTIA(
        1, 1,
        1) "</inertial><collision><geometry><box size=\"1 1 1\"/></geometry></collision>"
           "</link>\n" EMPTY("c") JOINT("j", "revolute", "a", "b", LIMIT)
                                   JOINT("k", "fixed", "b", "c", "") LINK("d")
                                       JOINT("i", "prismatic", "a", "d",
                                             LIMIT "<mimic joint=\"j\"/>"));

    scarce_everywhere(load_scarcely, text, "a robot");
}
