/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/urdf_errors.c: what can be wrong with a robot, each with its whole
 * line. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robots.h"

typedef struct wrong {
    const char *text;
    const char *message;
} wrong;

/* Each leaves the world as it was. */
static void refused_as(const wrong *cases, size_t count, const perp_urdf_options *opt,
                       perp_status status)
{
    perp_world *w = test_world(3, 9.81);

    test_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < count; k++) {
        perp_urdf *robot = NULL;
        perp_error err = {0};
        perp_status found = perp_urdf_parse(w, cases[k].text, strlen(cases[k].text),
                                            "r.urdf", opt, &robot, &err);

        if (found == PERP_OK || strcmp(err.text, cases[k].message) != 0) {
            test_note("says      %s", err.text);
            test_note("should be %s", cases[k].message);
        }
        CU_ASSERT_EQUAL(found, status);
        CU_ASSERT_EQUAL(err.status, status);
        CU_ASSERT_STRING_EQUAL(err.text, cases[k].message);
        CU_ASSERT_PTR_NULL(robot);
        CU_ASSERT_EQUAL(w->body_count, 1);
        CU_ASSERT_EQUAL(w->shape_count, 0);
        CU_ASSERT_EQUAL(w->joint_count, 0);
        CU_ASSERT_EQUAL(perp_world_find_body(w, "ball"), 0);
        CU_ASSERT_EQUAL(perp_world_find_body(w, "a"), -1);
    }
    perp_world_free(w);
}

#define REFUSED(cases, status)                                                           \
    refused_as(cases, sizeof(cases) / sizeof *(cases), NULL, status)

/* Its lines are ours, its words those of libxml2, which change with its versions. */
TEST(what_is_no_xml_is_said_with_its_line)
{
    static const wrong no_xml[] = {
        {"", "r.urdf:1: "},
        {"robot", "r.urdf:1: "},
        {"<robot name=\"r\">\n<link name=\"a\">\n</robot>\n", "r.urdf:3: "},
        {"<robot name=\"r\">\n<link name=a/>\n</robot>\n", "r.urdf:2: "},
        {"<robot name=\"r\">\n<link name=\"a\" name=\"b\"/>\n</robot>\n", "r.urdf:2: "},
        {"<robot name=\"r\">\n<link name=\"a\"/>\n", "r.urdf:3: "},
        {"<robot name=\"r\">\n<link name=\"&other;\"/>\n</robot>\n", "r.urdf:2: "},
        {"<robot name=\"r\"/>\n<robot name=\"s\"/>\n", "r.urdf:2: "},
        {"<robot name=\"\xFF\"/>\n", "r.urdf:1: "},
        {"<?xml version=\"1.0\" encoding=\"none-such\"?>\n<robot name=\"r\"/>",
         "r.urdf:1: "},
    };
    static const char end[] = ", expected XML";
    perp_world *w = test_world(3, 9.81);

    for (size_t k = 0; k < sizeof no_xml / sizeof *no_xml; k++) {
        perp_error err = {0};
        perp_status status = perp_urdf_parse(w, no_xml[k].text, strlen(no_xml[k].text),
                                             "r.urdf", NULL, NULL, &err);
        size_t length = strlen(err.text);

        test_note("%s", err.text);
        CU_ASSERT_EQUAL(status, PERP_ERR_FORMAT);
        CU_ASSERT_EQUAL(strncmp(err.text, no_xml[k].message, strlen(no_xml[k].message)),
                        0);
        CU_ASSERT(length > sizeof end &&
                  strcmp(err.text + length + 1 - sizeof end, end) == 0);
        CU_ASSERT_PTR_NULL(strchr(err.text, '\n'));
    }
    CU_ASSERT_EQUAL(w->body_count, 0);
    perp_world_free(w);
}

static const wrong document_types[] = {
    {"\n<!DOCTYPE robot SYSTEM \"http://localhost/robot.dtd\">\n<robot name=\"r\"/>",
     "r.urdf:2: found a document type declaration, expected none"},
    {"<!DOCTYPE r [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>\n<robot name=\"&c;\"/>",
     "r.urdf:1: found a document type declaration, expected none"},
};

/* So nothing is fetched, and no entity can grow. */
TEST(a_document_type_is_refused)
{
    REFUSED(document_types, PERP_ERR_FORMAT);
}

static const wrong no_robot[] = {
    {"<sdf version=\"1.6\">\n</sdf>\n", "r.urdf:1: <sdf>, expected <robot>"},
    {"<robot/>", "r.urdf:1: robot has no name, expected a name"},
    {"<robot name=\"\"/>", "r.urdf:1: robot has no name, expected a name"},
    {ROBOT(""), "r.urdf:1: robot has no link, expected one"},
    {ROBOT("<link/>"), "r.urdf:2: link has no name, expected a unique name"},
    {ROBOT("<link name=\"\"/>"),
     "r.urdf:2: link has no name, expected a unique name"},
    {WITHIN("<inertial>" INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": inertial has no mass, expected one"},
    {WITHIN("<inertial>" MASS(1) "</inertial>"),
     "r.urdf:2: link \"a\": inertial has no inertia, expected one"},
    {WITHIN("<inertial><mass/>" INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": mass has no value, expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(1) "<inertia ixx=\"1\"/></inertial>"),
     "r.urdf:2: link \"a\": inertia has no ixy, expected a number [kg m^2]"},
    {WITHIN("<inertial>" MASS(1) "\n" MASS(2) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:3: link \"a\": a second <mass> in <inertial>, expected one"},
    {WITHIN("<inertial>" MASS(1) INERTIA(1, 1, 1) "</inertial>\n<inertial/>"),
     "r.urdf:3: link \"a\": a second <inertial> in <link>, expected one"},
    {WITHIN("<collision/>"),
     "r.urdf:2: link \"a\": collision has no geometry, expected one"},
    {SHAPE(""), "r.urdf:2: link \"a\": no shape in a geometry, expected one"},
    {SHAPE("<sphere radius=\"1\"/><sphere radius=\"2\"/>"),
     "r.urdf:2: link \"a\": more than one shape in a geometry, expected one"},
    {SHAPE("<box/>"),
     "r.urdf:2: link \"a\": box has no size, expected three positive numbers [m]"},
    {SHAPE("<cylinder radius=\"1\"/>"),
     "r.urdf:2: link \"a\": cylinder has no length, expected a positive number [m]"},
    {SHAPE("<mesh/>"),
     "r.urdf:2: link \"a\": mesh has no filename, expected the name of a file"},
    {ROBOT(LINK("a") LINK("b") "<joint/>"),
     "r.urdf:4: joint has no name, expected a unique name"},
    {ROBOT(LINK("a") LINK("b") "<joint name=\"j\"/>"),
     "r.urdf:4: joint \"j\": joint has no type, expected revolute, fixed, …"},
    {ROBOT(LINK("a")
               LINK("b") "<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>"),
     "r.urdf:4: joint \"j\": joint has no parent, expected one"},
    {ROBOT(LINK("a")
               LINK("b") "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>"),
     "r.urdf:4: joint \"j\": joint has no child, expected one"},
    {ROBOT(LINK("a") LINK("b") "<joint name=\"j\" type=\"fixed\"><parent/><child "
                               "link=\"a\"/></joint>"),
     "r.urdf:4: joint \"j\": parent has no link, expected the name of a link"},
    {BETWEEN("revolute", ""),
     "r.urdf:4: joint \"j\": revolute joint has no limit, expected one"},
    {BETWEEN("prismatic", ""),
     "r.urdf:4: joint \"j\": prismatic joint has no limit, expected one"},
    {BETWEEN("continuous", "<axis/>"),
     "r.urdf:4: joint \"j\": axis has no xyz, expected three numbers, a direction"},
    {ROBOT("<xacro:property name=\"a\" value=\"1\"/>\n"),
     "r.urdf:2: <xacro:property> is a macro, expected the output of xacro"},
};

TEST(what_is_missing_or_there_twice_is_named)
{
    REFUSED(no_robot, PERP_ERR_FORMAT);
}

static const wrong bad_numbers[] = {
    {WITHIN("<inertial>" MASS(heavy) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"heavy\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(-1) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"-1\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(nan) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"nan\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(inf) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"inf\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(1e999) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"1e999\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(0x10) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"0x10\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(1 2) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": value of mass is \"1 2\", expected a number >= 0 [kg]"},
    {WITHIN("<inertial>" MASS(0) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": mass is 0 and inertia is not, expected a positive mass [kg] "
     "or no inertia"},
    {WITHIN("<inertial>" MASS(1) "\n" INERTIA(0, 0, 0) "</inertial>"),
     "r.urdf:3: link \"a\": inertia: a principal moment is 0, expected a positive number "
     "[kg m^2]"},
    {WITHIN("<inertial>" MASS(1) INERTIA(1, 1, 3) "</inertial>"),
     "r.urdf:2: link \"a\": inertia: principal moments are 1, 1, 3, expected each at "
     "most the sum of the other two"},
    {WITHIN("<inertial>" MASS(1) INERTIA(1, -1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": inertia: a principal moment is -1, expected a positive "
     "number [kg m^2]"},
    {WITHIN("<inertial>" MASS(1) INERTIA(1, x, 1) "</inertial>"),
     "r.urdf:2: link \"a\": iyy of inertia is \"x\", expected a number [kg m^2]"},
    {WITHIN("<inertial><origin xyz=\"0 0\"/>" MASS(1) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": xyz of origin is \"0 0\", expected three numbers [m]"},
    {WITHIN("<inertial><origin xyz=\"0 0 0 0\"/>" MASS(1) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": xyz of origin is \"0 0 0 0\", expected three numbers [m]"},
    {WITHIN("<inertial><origin rpy=\"0 0 nan\"/>" MASS(1) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": rpy of origin is \"0 0 nan\", expected three numbers [rad]"},
    {WITHIN("<inertial><origin rpy=\"0,0,0\"/>" MASS(1) INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": rpy of origin is \"0,0,0\", expected three numbers [rad]"},
    {WITHIN("<inertial><origin rpy=\"${pi/2} 0 0\"/>" MASS(1)
                INERTIA(1, 1, 1) "</inertial>"),
     "r.urdf:2: link \"a\": rpy of origin is \"${pi/2} 0 0\", expected three numbers "
     "[rad]"},
    {SHAPE("<box size=\"1 1\"/>"),
     "r.urdf:2: link \"a\": size of box is \"1 1\", expected three positive numbers [m]"},
    {SHAPE("<box size=\"1 -1 1\"/>"), "r.urdf:2: link \"a\": size of box is \"1 -1 1\", "
                                      "expected three positive numbers [m]"},
    {SHAPE("<sphere radius=\"0\"/>"),
     "r.urdf:2: link \"a\": radius of sphere is \"0\", expected a positive number [m]"},
    {SHAPE("<cylinder radius=\"1\" length=\"-2\"/>"),
     "r.urdf:2: link \"a\": length of cylinder is \"-2\", expected a positive number "
     "[m]"},
    {SHAPE("<capsule radius=\"1 2\" length=\"1\"/>"),
     "r.urdf:2: link \"a\": radius of capsule is \"1 2\", expected a positive number "
     "[m]"},
    {SHAPE("<mesh filename=\"a.stl\" scale=\"1 0 1\"/>"),
     "r.urdf:2: link \"a\": scale of mesh is \"1 0 1\", expected three nonzero numbers"},
    {BETWEEN("continuous", "<axis xyz=\"0 0 0\"/>"),
     "r.urdf:4: joint \"j\": xyz of axis has length 0, expected a direction"},
    {BETWEEN("continuous", "<axis xyz=\"0 1\"/>"),
     "r.urdf:4: joint \"j\": xyz of axis is \"0 1\", expected three numbers, a "
     "direction"},
    {BETWEEN("revolute", "<limit lower=\"2\" upper=\"1\"/>"),
     "r.urdf:4: joint \"j\": lower limit 2 is above the upper limit 1"},
    {BETWEEN("revolute", "<limit lower=\"low\" upper=\"1\"/>"),
     "r.urdf:4: joint \"j\": lower of limit is \"low\", expected a number [rad]"},
    {BETWEEN("prismatic", "<limit lower=\"-inf\" upper=\"1\"/>"),
     "r.urdf:4: joint \"j\": lower of limit is \"-inf\", expected a number [m]"},
    {BETWEEN("continuous", "<limit effort=\"-1\" velocity=\"1\"/>"),
     "r.urdf:4: joint \"j\": effort of limit is \"-1\", expected a number >= 0"},
    {BETWEEN("continuous", "<dynamics damping=\"-0.1\"/>"),
     "r.urdf:4: joint \"j\": damping of dynamics is \"-0.1\", expected a number >= 0"},
    {BETWEEN("continuous", "<dynamics friction=\"much\"/>"),
     "r.urdf:4: joint \"j\": friction of dynamics is \"much\", expected a number >= 0"},
};

TEST(a_number_out_of_range_is_shown)
{
    REFUSED(bad_numbers, PERP_ERR_DATA);
}

#define CHAIN(one, two) JOINT(one two, "floating", one, two, "")
#define LONG_NAME       "a234567890123456789012345678901234567890123456789"

static const wrong no_tree[] = {
    {ROBOT(LINK("a") LINK("b") LINK("a")),
     "r.urdf:4: link \"a\": line 2 has a link of this name, expected a unique name"},
    {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "a", "b", "")
               JOINT("j", "fixed", "b", "c", "")),
     "r.urdf:6: joint \"j\": line 5 has a joint of this name, expected a unique name"},
    {ROBOT(LINK("a") LINK("b") CHAIN("a", "c")),
     "r.urdf:4: joint \"ac\": child is link \"c\", expected a link of the robot"},
    {ROBOT(LINK("a") LINK("b") CHAIN("c", "a")),
     "r.urdf:4: joint \"ca\": parent is link \"c\", expected a link of the robot"},
    {ROBOT(LINK("a") LINK("b") LINK("c") CHAIN("a", "b") CHAIN("c", "b")),
     "r.urdf:6: joint \"cb\": link \"b\" has the parent \"a\" already, by joint \"ab\" "
     "of line 5, expected one parent"},
    {ROBOT(LINK("a") LINK("b") LINK("c") CHAIN("a", "b")),
     "r.urdf:4: link \"c\": this link and link \"a\" of line 2 are both roots, expected "
     "one root"},
    {ROBOT(LINK("a") CHAIN("a", "a")),
     "r.urdf:3: joint \"aa\": a cycle of links: \"a\" on \"a\", expected a tree"},
    {ROBOT(LINK("a") LINK("b") LINK("c") CHAIN("a", "b") CHAIN("b", "c") CHAIN("c", "a")),
     "r.urdf:7: joint \"ca\": a cycle of links: \"a\" on \"c\" on \"b\" on \"a\", "
     "expected a tree"},
    {ROBOT(LINK("a") LINK("b") LINK("c") LINK("d") CHAIN("b", "c") CHAIN("c", "b")
               CHAIN("c", "d")),
     "r.urdf:7: joint \"cb\": a cycle of links: \"b\" on \"c\" on \"b\", expected a "
     "tree"},
    {ROBOT(LINK("a") EMPTY("b") JOINT("j", "continuous", "a", "b", "")),
     "r.urdf:3: link \"b\": moves by joint \"j\" of line 4 but has no mass, expected an "
     "inertial"},
    {ROBOT(LINK("a") EMPTY("b") LINK("c") JOINT("j", "continuous", "a", "b", "")
               JOINT("k", "continuous", "b", "c", "")),
     "r.urdf:3: link \"b\": moves by joint \"j\" of line 5 but has no mass, expected an "
     "inertial"},
    {ROBOT(LINK("a") EMPTY("b") JOINT("j", "floating", "a", "b", "")),
     "r.urdf:3: link \"b\": moves by joint \"j\" of line 4 but has no mass, expected an "
     "inertial"},
    {ROBOT(LINK("a") LINK("b") JOINT(LONG_NAME, "fixed", "a", "b", "")),
     "r.urdf:4: joint \"a234567890123456789012345678901234567890123456789\": the name "
     "has 49 bytes, expected at most 47"},
    {ROBOT(LINK("a") LINK("ball") CHAIN("a", "ball")),
     "r.urdf:3: link \"ball\": body \"ball\": another body has this name"},
};

TEST(what_is_no_tree_is_told_by_its_links)
{
    REFUSED(no_tree, PERP_ERR_DATA);
}

static const wrong not_supported[] = {
    {BETWEEN("revolute", LIMIT "<mimic joint=\"k\"/>"),
     "r.urdf:4: joint \"j\": <mimic> is not supported"},
    {BETWEEN("screw", ""),
     "r.urdf:4: joint \"j\": type of joint is \"screw\", expected one of: revolute, "
     "continuous, prismatic, fixed, floating, planar"},
    {BETWEEN("prismatik", ""),
     "r.urdf:4: joint \"j\": type of joint is \"prismatik\", expected one of: revolute, "
     "continuous, prismatic, fixed, floating, planar"},
    {SHAPE("<torus radius=\"1\"/>"),
     "r.urdf:2: link \"a\": <torus> in <geometry>, expected one of: box, cylinder, "
     "capsule, sphere, mesh"},
    {SHAPE("<mesh filename=\"a.dae\"/>"),
     "r.urdf:2: link \"a\": mesh \"a.dae\", expected a file .stl or .obj"},
    {ROBOT(LINK("a") "<loop_joint name=\"l\"/>"),
     "r.urdf:3: <loop_joint> in <robot> is not known, the nearest is <joint>"},
    {ROBOT(LINK("a") "<jiont name=\"l\"/>"),
     "r.urdf:3: <jiont> in <robot> is not known, the nearest is <joint>"},
    {WITHIN("<contact><lateral_friction value=\"1\"/></contact>"),
     "r.urdf:2: link \"a\": <contact> in <link> is not known, the nearest is <visual>"},
    {BETWEEN("revolute", "<limit lowr=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"),
     "r.urdf:4: joint \"j\": lowr of limit is not known, the nearest is lower"},
    {WITHIN("<inertial rpy=\"0 0 0\"/>"),
     "r.urdf:2: link \"a\": rpy of inertial is not known"},
    {BETWEEN("fixed", "<axis><x/></axis>"),
     "r.urdf:4: joint \"j\": <x> in <axis> is not known"},
    {BETWEEN("floating", "<dynamics damping=\"1\"/>"),
     "r.urdf:4: joint \"j\": <dynamics> of a floating joint is not supported"},
    {BETWEEN("planar", "<dynamics friction=\"1\"/>"),
     "r.urdf:4: joint \"j\": <dynamics> of a planar joint is not supported"},
};

TEST(what_is_not_supported_is_refused_by_name)
{
    REFUSED(not_supported, PERP_ERR_UNSUITABLE);
}

static const wrong no_files[] = {
    {SHAPE("<mesh filename=\"none.stl\"/>"),
     "r.urdf:2: link \"a\": mesh \"none.stl\" is not a file, expected one"},
    {SHAPE("<mesh filename=\"file:///none.stl\"/>"),
     "r.urdf:2: link \"a\": mesh \"/none.stl\" is not a file, expected one"},
    {SHAPE("<mesh filename=\"/.stl\"/>"),
     "r.urdf:2: link \"a\": mesh \"/.stl\" is not a file, expected one"},
    {SHAPE("<mesh filename=\"http://localhost/a.stl\"/>"),
     "r.urdf:2: link \"a\": mesh \"http://localhost/a.stl\" is not a local file, "
     "expected a path, file:// or package://"},
    {SHAPE("<mesh filename=\"package://robot/a.stl\"/>"),
     "r.urdf:2: link \"a\": mesh \"package://robot/a.stl\" was found neither in the 0 "
     "given folders nor in a folder above the file"},
};

TEST(a_mesh_that_is_no_file_is_named)
{
    REFUSED(no_files, PERP_ERR_READ);
}

TEST(a_floating_base_needs_mass)
{
    static const wrong cases[] = {
        {ROBOT(EMPTY("a") LINK("b") JOINT("j", "continuous", "a", "b", "")),
         "r.urdf:2: link \"a\": the base floats but has no mass, expected an inertial, "
         "or a fixed base"}};
    const perp_urdf_options opt = {.base = PERP_URDF_BASE_FLOATING};

    refused_as(cases, 1, &opt, PERP_ERR_DATA);
}

TEST(a_start_is_one_that_a_joint_has)
{
    static const struct start {
        perp_urdf_position at;
        wrong one;
    } starts[] = {
        {{"k", 0.5},
         {BETWEEN("revolute", LIMIT),
          "r.urdf: a position for joint \"k\", expected a joint of the robot"}},
        {{"j", 1.5},
         {BETWEEN("revolute", LIMIT), "r.urdf: joint \"j\" starts at 1.5, expected a "
                                      "value within its limits -1 .. 1"}},
        {{"j", NAN},
         {BETWEEN("continuous", ""), "r.urdf: joint \"j\" starts at nan, expected a "
                                     "value within its limits -inf .. inf"}},
        {{"j", 0.0},
         {BETWEEN("fixed", ""), "r.urdf: a position for joint \"j\", expected a "
                                "revolute, continuous or prismatic joint"}},
    };

    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        const perp_urdf_options opt = {.positions = &starts[k].at, .position_count = 1};

        refused_as(&starts[k].one, 1, &opt, PERP_ERR_OPTION);
    }
}

TEST(a_large_or_deep_text_is_refused)
{
    enum { BYTES = (16 << 20) + 1, DEPTH = 5000 };
    char *text = malloc(BYTES);
    perp_world *w = test_world(3, 0.0);
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, ' ', BYTES);
    CU_ASSERT_EQUAL(perp_urdf_parse(w, text, BYTES, "r.urdf", NULL, NULL, &err),
                    PERP_ERR_FORMAT);
    CU_ASSERT_STRING_EQUAL(err.text, "r.urdf: more than 16 MB");
    perp_error_clear(&err);
    for (size_t k = 0; k < DEPTH; k++) {
        memcpy(text + 3 * k, "<a>", 3);
    }
    CU_ASSERT_EQUAL(
        perp_urdf_parse(w, text, 3 * (size_t)DEPTH, "r.urdf", NULL, NULL, &err),
        PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "r.urdf:1: Excessive depth"));
    free(text);
    perp_world_free(w);
}

TEST(a_folder_or_a_missing_file_cannot_be_read)
{
    perp_world *w = test_world(3, 0.0);
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_urdf_read(w, "/", NULL, NULL, &err), PERP_ERR_READ);
    CU_ASSERT_STRING_EQUAL(err.text, "/: cannot read: Is a directory");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_urdf_read(w, "no/such.urdf", NULL, NULL, &err), PERP_ERR_READ);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "no/such.urdf: cannot open: No such file or directory");
    perp_world_free(w);
}

TEST(options_that_make_no_sense_are_refused)
{
    static const perp_urdf_options options[] = {
        {.group = 3}, {.at = {NAN}}, {.turn = {0.5}}};
    const char *text = ROBOT(LINK("a"));
    perp_world *flat = test_world(2, 0.0);
    perp_world *w = test_world(3, 0.0);

    CU_ASSERT_EQUAL(perp_urdf_parse(flat, text, strlen(text), "r.urdf", NULL, NULL, NULL),
                    PERP_ERR_ARGUMENT);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        CU_ASSERT_EQUAL(
            perp_urdf_parse(w, text, strlen(text), "r.urdf", &options[k], NULL, NULL),
            PERP_ERR_ARGUMENT);
    }
    perp_world_free(flat);
    perp_world_free(w);
}

TEST_MAIN("urdf_errors")
