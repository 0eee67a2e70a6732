/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/scenes.h: scenes that are read, and scenes that are refused, each with
 * its whole line. */
#ifndef PERP_TEST_SCENES_H
#define PERP_TEST_SCENES_H

#include <string.h>

#include "dynamics.h"

/* Products and sums of a handful of numbers near 1. */
#define ROUNDING 1e-12

static inline perp_scene *parse(const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_scene_parse(&scene, text, strlen(text), "test.json", &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

typedef struct wrong {
    const char *text;
    const char *message; /* "...": whatever follows, as a registry grows */
} wrong;

static inline bool says(const char *found, const char *expected)
{
    size_t length = strlen(expected);

    return length > 3 && strcmp(expected + length - 3, "...") == 0
               ? strncmp(found, expected, length - 3) == 0
               : strcmp(found, expected) == 0;
}

static inline void refused(const wrong *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        perp_scene *scene = NULL;
        perp_error err = {0};
        perp_status status = perp_scene_parse(&scene, cases[k].text,
                                              strlen(cases[k].text), "s.json", &err);

        if (status == PERP_OK || !says(err.text, cases[k].message)) {
            test_note("%s", cases[k].text);
            test_note("says      %s", err.text);
            test_note("should be %s", cases[k].message);
        }
        CU_ASSERT(status != PERP_OK && err.status == status);
        CU_ASSERT(says(err.text, cases[k].message));
        CU_ASSERT_PTR_NULL(scene);
        perp_scene_free(scene);
    }
}

/* Two bodies, and a line of joints; a body, and a line of forces. */
#define JOINT(members)                                                                   \
    "{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}, {\"name\": "  \
    "\"b\", \"motion\": \"static\"}],\n \"joints\": [{" members "}]}"
#define FORCE(members)                                                                   \
    "{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}],\n "          \
    "\"forces\": "                                                                       \
    "[{" members "}]}"
#define BODY(members) "{\"bodies\": [{" members "}]}"
#define SHAPE(members)                                                                   \
    "{\"bodies\": [{\"motion\": \"static\", \"shapes\": [{" members "}]}]}"
#define REFUSED(cases) refused(cases, sizeof(cases) / sizeof *(cases))

#endif
