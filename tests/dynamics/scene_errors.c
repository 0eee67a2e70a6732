/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/scene_errors.c: what can be wrong with a scene,
 * each with its whole line. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

static const wrong no_json[] = {
    {"", "s.json:1:1: '[' or '{' expected near end of file, expected JSON"},
    {"{", "s.json:1:1: string or '}' expected near end of file, expected JSON"},
    {"[]", "s.json:1:1: the scene is an array of 0, expected an object"},
    {"3", "s.json:1:1: '[' or '{' expected near '3', expected JSON"},
    {"{\"time\": 1,}", "s.json:1:12: string or '}' expected near '}', expected JSON"},
    {"{\"time\": 1} x", "s.json:1:13: end of file expected near 'x', expected JSON"},
    {"{\"time\": 1, \"time\": 2}",
     "s.json:1:18: duplicate object key near '\"time\"', expected JSON"},
    {"{\"time\": 1e999}",
     "s.json:1:14: real number overflow near '1e999', expected JSON"},
    {"{\"time\": NaN}", "s.json:1:12: invalid token near 'NaN', expected JSON"},
    {"{\n /* open", "s.json:2:2: the comment is not closed, expected */"},
    {"{\"title\": \"open}",
     "s.json:1:16: premature end of input near '\"open}', expected JSON"},
    {"{\"title\": \"\\u0000\"}",
     "s.json:1:18: \\u0000 is not allowed without JSON_ALLOW_NUL near "
     "'\"\\u0000\"', expected JSON"},
};

TEST(what_is_no_json_is_said_with_its_place)
{
    REFUSED(no_json);
}

static const wrong unknown_members[] = {
    {"{\"tiem\": 3}", "s.json:1:2: tiem is not known, the nearest is time"},
    {BODY("\"masss\": 2"),
     "s.json:1:14: bodies[0].masss is not known, the nearest is mass"},
    {"{\"scheme\": {\"max-corection\": 1}}",
     "s.json:1:13: scheme.max-corection is not known, the nearest is max-correction"},
    {"{\"materials\": [{\"nam\": \"a\"}]}",
     "s.json:1:17: materials[0].nam is not known, the nearest is name"},
    {SHAPE("\"type\": \"sphere\", \"radus\": 1"),
     "s.json:1:64: bodies[0].shapes[0].radus is not known, the nearest is radius"},
    {SHAPE("\"type\": \"box\", \"radius\": 1"),
     "s.json:1:61: bodies[0].shapes[0].radius is not known, the nearest is parts"},
    {"{\n  // über\n  \"títle\": \"x\"}",
     "s.json:3:3: títle is not known, the nearest is title"},
    {"{\"materials\": [{\"name\": \"m\", \"repeat\": {\"count\": 0}}]}",
     "s.json:1:30: materials[0].repeat is not known, the nearest is name"},
    {BODY("\"load\": {\"forces\": 1}"),
     "s.json:1:13: bodies[0].mass is missing, expected a mass or a density"},
    {"{\"a\\nb\": 1}", "s.json:1:2: a b is not known, the nearest is name"},
};

TEST(an_unknown_member_has_its_nearest_name)
{
    REFUSED(unknown_members);
}

static const wrong other_kinds[] = {
    {"{\"time\": true}", "s.json:1:10: time is true, expected a positive number [s]"},
    {"{\"time\": null}", "s.json:1:10: time is null, expected a positive number [s]"},
    {"{\"time\": [1]}",
     "s.json:1:10: time is an array of 1, expected a positive number [s]"},
    {"{\"title\": 3}", "s.json:1:11: title is 3, expected a text"},
    {"{\"scheme\": 3}", "s.json:1:12: scheme is 3, expected an object"},
    {"{\"bodies\": {}}", "s.json:1:12: bodies is an object, expected an array"},
    {"{\"bodies\": [3]}", "s.json:1:13: bodies[0] is 3, expected an object"},
    {"{\"materials\": [[]]}",
     "s.json:1:16: materials[0] is an array of 0, expected an object"},
    {"{\"ground\": 3}",
     "s.json:1:12: ground is 3, expected an object, or an array of them"},
    {"{\"gravity\": [1, 2]}",
     "s.json:1:13: gravity is an array of 2, expected an array of 3 numbers"},
    {"{\"gravity\": 9.81}",
     "s.json:1:13: gravity is 9.81, expected an array of 3 numbers"},
    {"{\"dimension\": 4}", "s.json:1:15: dimension is 4, expected a whole number 2 .. 3"},
    {"{\"dimension\": 2.5}",
     "s.json:1:15: dimension is 2.5, expected a whole number 2 .. 3"},
    {"{\"dimension\": \"3d\"}",
     "s.json:1:15: dimension is \"3d\", column 1: found '3', expected a number"},
    {"{\"solver\": \"lemk\"}",
     "s.json:1:12: solver: unknown solver \"lemk\", the nearest is \"lemke\""},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
           "\"exact\": 1"),
     "s.json:2:83: joints[0].exact is 1, expected true or false"},
    {"{\"dimension\": 2, \"bodies\": [{\"spin\": [1]}]}",
     "s.json:1:38: bodies[0].spin is an array of 1, expected a number about z, or "
     "three"},
    {"{\"dimension\": 2, \"bodies\": [{\"inertia\": [1]}]}",
     "s.json:1:41: bodies[0].inertia is an array of 1, expected a number about z, "
     "3 moments, or 9 numbers"},
    {"{\"dimension\": 2, \"bodies\": [{\"rotation\": [1]}]}",
     "s.json:1:42: bodies[0].rotation is an array of 1, expected an angle about z, "
     "or as in space"},
    {"{\"dimension\": 2, \"gravity\": [1]}",
     "s.json:1:29: gravity is an array of 1, expected an array of 2 or 3 numbers"},
};

TEST(a_value_of_another_kind_is_refused)
{
    REFUSED(other_kinds);
}

static const wrong out_of_range[] = {
    {"{\"time\": 0}", "s.json:1:10: time is 0, expected a positive number [s]"},
    {"{\"time\": \"-1 s\"}",
     "s.json:1:10: time is \"-1 s\", expected a positive number [s]"},
    {"{\"scheme\": {\"dt\": 0}}",
     "s.json:1:19: scheme.dt is 0, expected a positive number [s]"},
    {"{\"scheme\": {\"erp\": 1.5}}",
     "s.json:1:20: scheme.erp is 1.5, expected a number 0 .. 1"},
    {"{\"scheme\": {\"slop\": -1}}",
     "s.json:1:21: scheme.slop is -1, expected a number >= 0 [m]"},
    {"{\"scheme\": {\"max-correction\": -1}}",
     "s.json:1:31: scheme.max-correction is -1, expected a positive number or "
     "\"infinite\" [m/s]"},
    {"{\"scheme\": {\"max-correction\": 0}}",
     "s.json:1:31: scheme.max-correction is 0, expected a positive number or "
     "\"infinite\" [m/s]"},
    {"{\"scheme\": {\"model\": \"pyramid:7\"}}",
     "s.json:1:22: scheme.model is \"pyramid:7\", expected an even number of "
     "directions from 4 to 64"},
    {"{\"scheme\": {\"model\": \"pyramid:\"}}",
     "s.json:1:22: scheme.model is \"pyramid:\", expected an even number of "
     "directions from 4 to 64"},
    {"{\"scheme\": {\"model\": \"cube\"}}",
     "s.json:1:22: scheme.model is \"cube\", expected one of: cone, associated, "
     "pyramid, box, frictionless"},
    {"{\"scheme\": {\"integrator\": \"rk5\"}}",
     "s.json:1:27: scheme.integrator is \"rk5\", expected one of: semi-implicit, "
     "explicit, implicit, position-verlet, velocity-verlet, leapfrog, midpoint, rk4, "
     "momentum"},
    {"{\"scheme\": {\"storage\": 3}}",
     "s.json:1:24: scheme.storage is 3, expected one of: dense, csr, bsr, factored"},
    {"{\"combine\": {\"friction\": \"mean\"}}",
     "s.json:1:26: combine.friction is \"mean\", expected one of: product, "
     "geometric-mean, min, max, average"},
    {"{\"materials\": [{\"friction\": 1}]}",
     "s.json:1:16: materials[0].name is missing, expected a unique name"},
    {"{\"materials\": [{\"name\": \"default\"}]}",
     "s.json:1:16: materials[0]: material \"default\": name is empty or in use, expected "
     "a unique name"},
    {"{\"materials\": [{\"name\": "
     "\"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\"}]}",
     "s.json:1:25: materials[0].name has 48 bytes, expected at most 47"},
    {"{\"materials\": [{\"name\": \"m\", \"friction\": -0.1}]}",
     "s.json:1:42: materials[0].friction is -0.1, expected a number >= 0"},
    {"{\"materials\": [{\"name\": \"m\", \"restitution\": 1.1}]}",
     "s.json:1:45: materials[0].restitution is 1.1, expected a number 0 .. 1"},
};

TEST(a_value_out_of_range_is_refused)
{
    REFUSED(out_of_range);
}

static const wrong wrong_units[] = {
    {"{\"time\": \"3 m\"}",
     "s.json:1:10: time is \"3 m\", expected a unit of: s, ms, us, min, h"},
    {"{\"time\": \"3 parsec\"}",
     "s.json:1:10: time is \"3 parsec\", expected a unit of: s, ms, us, min, h"},
    {"{\"time\": \"soon\"}",
     "s.json:1:10: time is \"soon\", expected a positive number [s], or one with a "
     "unit"},
    {"{\"time\": \"\"}",
     "s.json:1:10: time is \"\", expected a positive number [s], or one with a unit"},
    {"{\"time\": \"1/0 s\"}",
     "s.json:1:10: time is \"1/0 s\", expected a positive number [s]"},
    {"{\"time\": \"1/ s\"}",
     "s.json:1:10: time is \"1/ s\", expected a positive number [s], or one with a "
     "unit"},
    {"{\"time\": \"1e999 s\"}",
     "s.json:1:10: time is \"1e999 s\", expected a positive number [s], or one "
     "with a unit"},
    {"{\"scheme\": {\"erp\": \"3 kg\"}}",
     "s.json:1:20: scheme.erp is \"3 kg\", expected a number without a unit, or in "
     "%"},
    {BODY("\"mass\": \"1 m^9\""),
     "s.json:1:22: bodies[0].mass is \"1 m^9\", expected a unit of: kg, g, t"},
    {BODY("\"velocity\": [\"1 m\", 0, 0]"),
     "s.json:1:27: bodies[0].velocity[0] is \"1 m\", expected a unit of: m/s"},
    {BODY("\"inertia\": [\"1 kg\", 1, 1]"),
     "s.json:1:26: bodies[0].inertia[0] is \"1 kg\", expected a unit of: kg m^2"},
    {BODY("\"spin\": [\"3 1/s\", 0, 0]"),
     "s.json:1:23: bodies[0].spin[0] is \"3 1/s\", expected a unit of: rad/s, rpm"},
    {BODY("\"mass\": \"1 kg m/m m/m m/m\""),
     "s.json:1:22: bodies[0].mass is \"1 kg m/m m/m m/m\", expected a unit of: kg, "
     "g, t"},
};

TEST(a_unit_must_fit_its_place)
{
    REFUSED(wrong_units);
}

TEST(a_file_that_cannot_be_read_is_named)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_read(&scene, "no/such.json", &err), PERP_ERR_READ);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "no/such.json: cannot open: No such file or directory");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_scene_read(&scene, test_source(), &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ": cannot read: Is a directory"));
    CU_ASSERT_PTR_NULL(scene);
}

TEST(a_text_beyond_64_megabytes_is_refused)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    /* the length is looked at first: no such text is needed */
    CU_ASSERT_EQUAL(
        perp_scene_parse(&scene, "{}", ((size_t)64 << 20) + 1, "s.json", &err),
        PERP_ERR_FORMAT);
    CU_ASSERT_STRING_EQUAL(err.text, "s.json: more than 64 MB");
}

TEST(the_names_of_one_copy_have_a_limit)
{
    enum { LENGTH = 9000 };
    char *text = calloc(LENGTH + 128, 1);
    perp_scene *scene = NULL;
    perp_error err = {0};
    int start = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    start =
        sprintf(text, "{\"bodies\": [{\"motion\": \"static\", \"repeat\": {\"count\": "
                      "1}, \"name\": \"{k}");
    memset(text + start, 'x', LENGTH);
    strcpy(text + start + LENGTH, "\"}]}");
    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "s.json", &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "s.json:1:66: bodies[0].name (copy k=0): texts with "
                                     "indices exceed 8192 bytes in one item");
    free(text);
}

/* Without a limit of its own this would count to 1e12 and make nothing. */
TEST(repetitions_of_nothing_end)
{
    static const char text[] = BODY("\"repeat\": [{\"count\": 1000000}, {\"count\": "
                                    "1000000}, {\"count\": 0}]");
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "s.json", &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "s.json:1:45: bodies[0].repeat[1] (copy i=1): more than "
                           "2000000 copies in all, including copies without items");
}

TEST(a_deep_document_is_refused)
{
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH);
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '[', DEPTH);
    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, DEPTH, "s.json", &err),
                    PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "maximum parsing depth reached"));
    free(text);
}

TEST_MAIN("scene_errors")
