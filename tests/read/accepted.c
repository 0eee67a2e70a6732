/* SPDX-License-Identifier: Apache-2.0
 * tests/read/accepted.c: texts that a reader accepts, each with the scene that it makes, as the
 * writer prints it, below a line "//-". A text is a test, whose name is its mark.
 *
 * Defaults are left out by the writer; scene.c has them. PERP_ACCEPTED=write renews the files. */
#include <config.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/urdf.h>

#include "marked_texts.h"
#include "same_world.h"
#include "scarce.h"

enum { MOST_CASES = 200 };

static marked_text cases[MOST_CASES];
static size_t case_count;

static const char between[] = "\n//-";

/* Length of the text before the scene. */
static size_t case_length(const marked_text *t)
{
    const char *end = strstr(t->text, between);

    return end ? (size_t)(end - t->text) : strlen(t->text);
}

static perp_status read_one(const marked_text *t, const char *text, size_t length,
                            perp_scene **scene, perp_error *err)
{
    return perp_urdf_detect(text, length)
               ? perp_urdf_scene(scene, text, length, t->path, NULL, NULL, 0, err)
               : perp_scene_parse(scene, text, length, t->path, err);
}

static perp_scene *read_text(const marked_text *t, const char *text, size_t length)
{
    perp_scene *scene = NULL;
    perp_error err = {0};
    perp_status status = read_one(t, text, length, &scene, &err);

    if (status != PERP_OK) {
        test_note("%s:%zu: %s", t->path, t->line, err.text);
    }
    OK(status);
    return scene;
}

/* Numbers agree to 1e-12; `what` is where the values are. */
static bool agrees(const char *what, json_t *found, const json_t *expected)
{
    char *texts[2] = {NULL, NULL}, place[400];
    const char *key = NULL;
    json_t *value = NULL;
    size_t k = 0, wrong = 0;

    if (json_is_number(found) && json_is_number(expected)) {
        const double x = json_number_value(found), y = json_number_value(expected);

        wrong = !(fabs(x - y) <= 1e-12 * fmax(1.0, fabs(y)));
    } else if (json_is_array(found) &&
               json_array_size(found) == json_array_size(expected)) {
        json_array_foreach(found, k, value)
        {
            snprintf(place, sizeof place, "%s[%zu]", what, k);
            wrong += !agrees(place, value, json_array_get(expected, k));
        }
        return wrong == 0;
    } else if (json_is_object(found) &&
               json_object_size(found) == json_object_size(expected)) {
        json_object_foreach(found, key, value)
        {
            snprintf(place, sizeof place, "%s.%s", what, key);
            wrong += !agrees(place, value, json_object_get(expected, key));
        }
        return wrong == 0;
    } else {
        wrong = !json_equal(found, expected);
    }
    if (wrong) {
        texts[0] = json_dumps(found, JSON_ENCODE_ANY);
        texts[1] = json_dumps(expected, JSON_ENCODE_ANY);
        test_note("%s: found    %s", what, texts[0]);
        test_note("%s: expected %s", what, texts[1] ? texts[1] : "nothing");
        free(texts[0]);
        free(texts[1]);
    }
    return wrong == 0;
}

static perp_status read_scarcely(void *context, perp_error *err)
{
    const marked_text *t = context;
    perp_scene *scene = NULL;
    perp_status status = read_one(t, t->text, case_length(t), &scene, err);

    CU_ASSERT_EQUAL(scene != NULL, status == PERP_OK);
    return status;
}

static void accept(void)
{
    marked_text *t = &cases[test_number()];
    const char *expected = t->text + case_length(t) + strlen(between);
    json_error_t error;
    json_t *found = NULL, *wanted = NULL;
    perp_scene *scene = NULL, *again = NULL;
    char *text = NULL;

    CU_ASSERT_FATAL(case_length(t) < strlen(t->text));
    scene = read_text(t, t->text, case_length(t));
    OK(perp_scene_print(scene, NULL, &text, NULL));
    found = json_loads(text, 0, &error);
    wanted = json_loads(expected, 0, &error);
    if (!wanted) {
        test_note("%s: %s", t->mark, error.text);
    }
    CU_ASSERT(agrees("scene", found, wanted));
    again = read_text(t, text, strlen(text));
    CU_ASSERT(same_scenes(t->mark, scene, again));
    json_decref(found);
    json_decref(wanted);
    free(text);
    scarce_everywhere(read_scarcely, t, t->mark);
}

static void add_case(const void *context, const marked_text *t)
{
    (void)context;
    if (case_count == MOST_CASES) {
        puts("Bail out! tests/read/accepted.c: raise MOST_CASES");
        exit(99);
    }
    cases[case_count++] = *t;
    test_add(__FILE__, t->mark, accept);
}

/* Writes all cases again, each with what it makes now. */
static void renew(void)
{
    for (size_t k = 0; k < case_count; k++) {
        const marked_text *t = &cases[k];
        const bool first = k == 0 || strcmp(t->path, t[-1].path) != 0;
        const size_t length = case_length(t);
        const perp_scene *scene = read_text(t, t->text, length);
        FILE *f = fopen(t->path, first ? "w" : "a");
        char *text = NULL;

        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        OK(perp_scene_print(scene, NULL, &text, NULL));
        fprintf(f, "%s//= %s\n%.*s%s\n%s", first ? "" : "\n", t->mark, (int)length,
                t->text, between, text);
        free(text);
        fclose(f);
    }
}

TEST_SETUP
{
    const char *order = getenv("PERP_ACCEPTED");

    marked_texts("read/accepted", "json", add_case, NULL);
    marked_texts("read/accepted", "urdf", add_case, NULL);
    if (order && strcmp(order, "write") == 0) {
        test_add(__FILE__, "the files are written again", renew);
    }
}
