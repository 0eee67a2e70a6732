/* SPDX-License-Identifier: Apache-2.0
 * tests/read/urdf_errors.c: robots that are refused and do not stand in
 * tests/refusals: XML, positions, sizes, options. */
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
}

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
}
