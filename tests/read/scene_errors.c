/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_errors.c: scenes that are refused and do not stand in
 * tests/refusals: files, sizes, depths. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_text.h"

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
    char *text = test_alloc(LENGTH + 128, 1);
    perp_scene *scene = NULL;
    perp_error err = {0};
    int start = 0;

    start =
        sprintf(text, "{\"bodies\": [{\"motion\": \"static\", \"repeat\": {\"count\": "
                      "1}, \"name\": \"{k}");
    memset(text + start, 'x', LENGTH);
    strcpy(text + start + LENGTH, "\"}]}");
    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "s.json", &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "s.json:1:66: bodies[0].name (copy k=0): texts with "
                                     "indices exceed 8192 bytes in one item");
}

/* Without a limit of its own this would count to 1e12 and make nothing. */
TEST(repetitions_of_nothing_end)
{
    static const char text[] = "{\"bodies\": [{\"repeat\": [{\"count\": 1000000}, "
                               "{\"count\": 1000000}, {\"count\": 0}]}]}";
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "s.json", &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "s.json:1:24: bodies[0].repeat makes at least "
                           "1.000001e+12 copies and there are 0, including those "
                           "without items, expected at most 2000000");
}

/* The first copies would be made for seconds before the limit is met. */
TEST(more_copies_than_are_allowed_are_refused_before_the_first)
{
    static const struct {
        const char *scene, *message;
    } cases[] = {
        {"{\"bodies\": [{\"repeat\": [{\"count\": 100000}, {\"count\": 100000}, "
         "{\"count\": 100000}]}]}",
         "s.json:1:24: bodies[0].repeat makes 100000 x 100000 x 100000 = 1e+15 bodies "
         "and "
         "there are 0, expected at most 1000000"},
        {"{\"bodies\": [{\"repeat\": [{\"count\": 1000}, {\"count\": \"i+1\"}, "
         "{\"count\": \"1000+j\"}]}]}",
         "s.json:1:24: bodies[0].repeat makes at least 2057664 bodies and there are 0, "
         "expected at most 1000000"},
        {"{\"bodies\": [{\"shapes\": [{\"repeat\": {\"count\": 2000}}, {}], \"repeat\": "
         "{\"count\": 500}}]}",
         "s.json:1:69: bodies[0].repeat makes 500 bodies of 2001 shapes and there are 0 "
         "shapes, expected at most 1000000"},
        {"{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
         "\"joints\": [{\"repeat\": [{\"count\": 1001}, {\"count\": 1000}]}]}",
         "s.json:1:84: joints[0].repeat makes 1001 x 1000 = 1001000 joints and there are "
         "0, expected at most 1000000"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_scene *scene = NULL;
        perp_error err = {0};

        CU_ASSERT_EQUAL(perp_scene_parse(&scene, cases[k].scene, strlen(cases[k].scene),
                                         "s.json", &err),
                        PERP_ERR_DATA);
        CU_ASSERT_STRING_EQUAL(err.text, cases[k].message);
    }
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

TEST(a_byte_zero_is_refused)
{
    static const char text[] = "{\"time\":\n 3\0}";
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, sizeof text - 1, "s.json", &err),
                    PERP_ERR_FORMAT);
    CU_ASSERT_STRING_EQUAL(err.text, "s.json:2:3: a byte 0, expected text");
}
