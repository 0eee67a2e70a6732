/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scenes.h: scenes that are read. */
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

#endif
