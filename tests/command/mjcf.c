/* SPDX-License-Identifier: Apache-2.0
 * tests/command/mjcf.c: models for MuJoCo without MuJoCo: what is refused, noted and named.
 * tests/interop/mjcf.c loads the models. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "command/export/mjcf.h"
#include "support.h"

static perp_scene *scene_of(const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_scene_parse(&scene, text, strlen(text), "test", &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

/* Bodies a, b and c at (1, 0, 0), (2, 0, 0) and (3, 0, 0) and a base, then `rest`. */
#define THREE                                                                            \
    "\"bodies\": [{\"name\": \"base\", \"motion\": \"static\"}, "                        \
    "{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 0, 0]}, "  \
    "{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0, 0]}, "  \
    "{\"name\": \"c\", \"mass\": 1, \"inertia\": [1, 2, 3], \"position\": [3, 0, 0]}]"
#define HINGE(name, i, j, more)                                                          \
    "{\"type\": \"revolute\", \"name\": \"" name "\", \"bodies\": [\"" i "\", \"" j      \
    "\"], \"at\": [1.5, 0, 0], \"axis\": [0, 1, 0]" more "}"
#define BALL "{\"type\": \"sphere\", \"radius\": 1}"

TEST(what_mjcf_cannot_express_is_refused_by_name)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"dimension\": 2, \"bodies\": []}", "test: a world of two dimensions"},
        {"{" THREE ", \"joints\": [" HINGE("soft", "base", "a", ", \"cfm\": 1e-3") "]}",
         "joint \"soft\" is soft"},
        {"{" THREE ", \"joints\": [" HINGE("u", "base", "a", "") ", " HINGE(
             "v", "a", "b",
             "") ", {\"type\": \"prismatic\", \"name\": \"p\", \"bodies\": "
                 "[\"base\", \"b\"], \"axis\": [1, 0, 0]}, {\"type\": \"prismatic\", "
                 "\"name\": \"loop\", \"bodies\": [\"b\", \"base\"], \"axis\": [0, 1, "
                 "0]}]}",
         "joint \"loop\" is prismatic and closes a loop"},
        {"{" THREE ", \"joints\": [" HINGE(
             "u", "base", "a",
             ", \"limits\": {\"upper\": 1}") ", " HINGE("v", "a", "base",
                                                        ", \"limits\": {\"upper\": "
                                                        "1}") "]}",
         "joint \"v\" is revolute with limits, motors or springs and closes a loop"},
        {"{" THREE ", \"joints\": [" HINGE(
             "bounce", "base", "a",
             ", \"limits\": {\"upper\": 1, \"restitution\": 0.5}") "]}",
         "joint \"bounce\" has limits with restitution"},
        {"{" THREE ", \"joints\": [" HINGE("drive", "base", "a",
                                           ", \"motor\": {\"kind\": \"velocity\", "
                                           "\"target\": 1}") "]}",
         "joint \"drive\" has a motor that holds a velocity exactly"},
        {"{" THREE
         ", \"joints\": [{\"type\": \"planar\", \"name\": \"p\", \"bodies\": [\"base\", "
         "\"a\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1], \"limits\": {\"upper\": 1}}]}",
         "joint \"p\" is planar with limits"},
        {"{" THREE
         ", \"joints\": [{\"type\": \"angle\", \"name\": \"h\", \"bodies\": [\"base\", "
         "\"a\"], \"axis\": [0, 0, 1]}]}",
         "joint \"h\" is of type angle"},
        {"{" THREE ", \"joints\": [" HINGE("u", "base", "a", "") ", " HINGE(
             "v", "a", "b", "") "], \"gears\": [{\"joint\": \"v\", \"follows\": \"u\", "
                                "\"ratio\": 2, \"cfm\": 1}]}",
         "joint \"v\" has a soft gear"},
        {"{" THREE ", \"joints\": [" HINGE("u", "base", "a", "") ", " HINGE(
             "v", "a", "base", "") "], \"gears\": [{\"joint\": \"v\", \"follows\": "
                                   "\"u\", \"ratio\": 2}]}",
         "joint \"v\" has a gear with joint \"u\""},
        {"{\"scheme\": {\"gyro\": \"none\"}, " THREE "}",
         "body \"c\" has no gyroscopic torque"},
        {"{\"bodies\": [{\"name\": \"off\", \"disabled\": true, \"density\": 1, "
         "\"shapes\": [" BALL "]}]}",
         "body \"off\" is disabled"},
        {"{\"bodies\": [{\"name\": \"top\", \"density\": 1, \"shapes\": [{\"type\": "
         "\"cone\", "
         "\"radius\": 1, \"length\": 1}]}]}",
         "body \"top\" has a cone"},
        {"{\"bodies\": [{\"name\": \"tilt\", \"mass\": 1, \"inertia\": [1, 1, 1], "
         "\"shapes\": "
         "[{\"type\": \"plane\"}]}]}",
         "body \"tilt\" moves and has a plane"},
        {"{\"bodies\": [{\"name\": \"new\\nline\", \"density\": 1, \"shapes\": [" BALL
         "]}]}",
         "the name of body 0 has a character"},
        {"{\"materials\": [{\"name\": \"gum\", \"cfm\": 1e-4}], \"bodies\": [{\"name\": "
         "\"a\", "
         "\"density\": 1, \"shapes\": [{\"type\": \"sphere\", \"radius\": 1, "
         "\"material\": "
         "\"gum\"}]}]}",
         "materials \"gum\" and \"gum\" have cfm"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_scene *scene = scene_of(cases[k].text);
        const char *path = test_scratch("refused.xml");
        FILE *f = NULL;
        perp_error err = {0};

        CU_ASSERT_EQUAL(mjcf_write(scene, "test", path, NULL, &err), PERP_ERR_UNSUITABLE);
        if (!strstr(err.text, cases[k].message)) {
            test_note("case %zu: %s", k, err.text);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, cases[k].message));
        f = fopen(path, "r");
        CU_ASSERT_PTR_NULL(f);
        if (f) {
            fclose(f);
        }
        perp_scene_free(scene);
    }
}

/* A body "world" that is not at the origin has another name; hostile names are escaped. */
TEST(names_are_escaped_and_world_is_renamed)
{
    static const char text[] =
        "{\"bodies\": [{\"name\": \"world\", \"motion\": \"static\", \"position\": [1, "
        "0, 0]}, "
        "{\"name\": \"world-body\", \"motion\": \"static\"}, {\"name\": \"a\\\"<b>&\", "
        "\"density\": 1, \"shapes\": [" BALL "]}]}";
    perp_scene *scene = scene_of(text);
    const char *path = test_scratch("names.xml");
    char *xml = NULL;
    size_t length = 0;
    mjcf_notes notes = {0};

    OK(mjcf_write(scene, "test", path, &notes, NULL));
    OK(perp_file_slurp(path, &xml, &length, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(xml, "<body name=\"world-body-2\" pos=\"1 0 0\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(xml, "<body name=\"a&quot;&lt;b&gt;&amp;\""));
    CU_ASSERT_EQUAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "\"world-body-2\""));
    free(xml);
    perp_scene_free(scene);
}
