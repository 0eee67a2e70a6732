/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scene_text.c: scenes and worlds from JSON. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "scene_text.h"

void agree_pairs(const double (*pair)[2], size_t count, double tol, const char *pairs,
                 int line)
{
    for (size_t k = 0; k < count; k++) {
        const bool same =
            pair[k][0] == pair[k][1] || fabs(pair[k][0] - pair[k][1]) <= tol;

        if (!same) {
            test_note("line %d, pair %zu: found %.17g, expected %.17g, of %s", line,
                      k + 1, pair[k][0], pair[k][1], pairs);
        }
        CU_ASSERT(same);
    }
}

perp_scene *scene_text_named(const char *name, const char *text)
{
    const size_t length = strlen(text);
    char *json = test_alloc(length + 1, 1);
    perp_scene *scene = NULL;
    perp_error err = {0};

    for (size_t k = 0; k < length; k++) {
        json[k] = text[k] == '\'' ? '"' : text[k];
    }
    if (perp_scene_parse(&scene, json, length, name, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

perp_scene *scene_text(const char *text)
{
    return scene_text_named("test.json", text);
}

perp_world *world_text(const char *text)
{
    perp_scene *scene = scene_text(text);
    perp_world *world = test_keep(scene->world, test_free_world);

    scene->world = NULL;
    return world;
}
