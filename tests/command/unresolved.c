/* SPDX-License-Identifier: Apache-2.0
 * tests/command/unresolved.c: scenes of pairs that were not resolved: which files a
 * run writes, that they are read, and that what is not written is counted. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perp/dynamics/scene.h>

#include "command/simulate/unresolved.h"
#include "support.h"

enum { BODIES = 16, PAIRS = BODIES * (BODIES - 1) / 2 };

static const char scene_text[] =
    "{\"bodies\": [{\"name\": \"b{k}\", \"density\": 1, \"position\": [\"{k}\", 0, 0],"
    " \"repeat\": {\"count\": 16}, \"shapes\": ["
    "{\"type\": \"ellipsoid\", \"size\": [0.5, 0.6, 0.7], \"rotation\": [0.6, 0, 0.8, "
    "0]}]}]}";

/* All pairs, as if none had been resolved. */
static size_t all_pairs(perp_unresolved pairs[PAIRS])
{
    size_t count = 0;

    for (size_t a = 0; a < BODIES; a++) {
        for (size_t b = a + 1; b < BODIES; b++) {
            pairs[count++] = (perp_unresolved){
                .shape_a = a, .shape_b = b, .gap = -0.125, .ran = "epa"};
        }
    }
    return count;
}

static bool file_of(const char *dir, size_t step, size_t a, size_t b, char path[512])
{
    snprintf(path, 512, "%s/unresolved-%zu-%zu-%zu.json", dir, step, a, b);
    return access(path, F_OK) == 0;
}

/* 120 pairs a step: the first step writes 100, the next none; parts of one pair share a
 * file. */
TEST(at_most_a_hundred_are_written_and_all_are_counted)
{
    const char *dir = test_scratch("unresolved");
    perp_unresolved pairs[PAIRS];
    const perp_unresolved parts[3] = {{.shape_b = 1, .ran = "epa"},
                                      {.shape_b = 1, .part_b = 1, .ran = "epa"},
                                      {.shape_b = 2, .ran = "epa"}};
    perp_collide_report report = {.unresolved_count = 3, .unresolved = parts};
    perp_scene *scene = NULL;
    perp_scene *again = NULL;
    sim_summary s = {0};
    perp_error err = {0};
    char path[512];

    mkdir(dir, 0777);
    OK(perp_scene_parse(&scene, scene_text, strlen(scene_text), "pairs.json", &err));
    scene->scheme.narrow = perp_narrow_find("gjk");
    scene->scheme.margin = 0.25;
    scene->scheme.reduce = 4;
    OK(sim_unresolved_write(dir, 7, scene->world, scene->world->start, &scene->scheme,
                            &report, &s, &err));
    CU_ASSERT(s.unresolved == 3.0 && s.unresolved_files == 2.0);
    report =
        (perp_collide_report){.unresolved_count = all_pairs(pairs), .unresolved = pairs};
    for (size_t step = 8; step <= 9; step++) {
        OK(sim_unresolved_write(dir, step, scene->world, scene->world->start,
                                &scene->scheme, &report, &s, &err));
    }
    CU_ASSERT_EQUAL(s.unresolved, 3.0 + 2.0 * PAIRS);
    CU_ASSERT_EQUAL(s.unresolved_files, (double)SIM_UNRESOLVED_FILES);
    CU_ASSERT(!file_of(dir, 9, 0, 1, path));
    CU_ASSERT(!file_of(dir, 8, 14, 15, path));
    CU_ASSERT(file_of(dir, 7, 0, 2, path));
    CU_ASSERT_FATAL(file_of(dir, 8, 3, 5, path));
    OK(perp_scene_read(&again, path, &err));
    CU_ASSERT(again->scheme.narrow == scene->scheme.narrow);
    CU_ASSERT(again->scheme.margin == 0.25 && again->scheme.reduce == 4);
    CU_ASSERT(memcmp(perp_body_pose(again->world->start, 1),
                     perp_body_pose(scene->world->start, 5), 7 * sizeof(double)) == 0);
    perp_scene_free(scene);
}

TEST(a_folder_that_is_none_is_an_error)
{
    const perp_unresolved pair = {.shape_b = 1, .ran = "epa"};
    const perp_collide_report report = {.unresolved_count = 1, .unresolved = &pair};
    perp_scene *scene = NULL;
    sim_summary s = {0};
    perp_error err = {0};

    OK(perp_scene_parse(&scene, scene_text, strlen(scene_text), "pairs.json", &err));
    CU_ASSERT_EQUAL(sim_unresolved_write("/nowhere/at/all", 1, scene->world,
                                         scene->world->start, &scene->scheme, &report, &s,
                                         &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/nowhere/at/all/unresolved-1-0-1.json"));
    perp_scene_free(scene);
}
