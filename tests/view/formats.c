/* SPDX-License-Identifier: Apache-2.0
 * tests/view/formats.c: formats of motions: what they write, refuse and leave. */
#include <config.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "command/view/formats.h"
#include "command/view/gltf_keys.h"
#include "motions.h"
#include "support.h"

enum { FRAMES = 101 };

static char *slurp(const char *path, size_t *length)
{
    char *text = NULL;

    OK(perp_file_slurp(path, &text, length, NULL));
    return text;
}

TEST(a_format_is_known_by_its_extension_and_name)
{
    CU_ASSERT_PTR_EQUAL(motion_format_of("a.b/run.pvd"), &motion_format_paraview);
    CU_ASSERT_PTR_EQUAL(motion_format_of("run.glb"), &motion_format_gltf);
    CU_ASSERT_PTR_EQUAL(motion_format_of("run.gltf"), &motion_format_gltf);
    CU_ASSERT_PTR_NULL(motion_format_of("run.gltf.json"));
    CU_ASSERT_PTR_NULL(motion_format_of("glb"));
    CU_ASSERT_PTR_EQUAL(motion_format_find("gltf"), &motion_format_gltf);
    CU_ASSERT_PTR_NULL(motion_format_find("gl"));
}

/* Frames 0, 3, 6, 9: contacts of frame f are at x = f/100. */
TEST(frames_are_thinned_with_their_contacts)
{
    motion *m = motions_make(11);

    motion_keep_every(m, 3);
    CU_ASSERT_EQUAL(m->frame_count, 4);
    for (size_t f = 0; f < m->frame_count; f++) {
        CU_ASSERT_EQUAL(m->step[f], 3 * f);
        CU_ASSERT_EQUAL(m->poses[21 * f + 7], 0.01 * (double)(3 * f));
        CU_ASSERT_EQUAL(m->contact_end[f], 2 * f);
        if (f > 0) {
            CU_ASSERT_EQUAL(m->contacts[motion_first_contact(m, f)].point[0],
                            0.01 * (double)(3 * f));
        }
    }
    motions_free(m);
    m = motions_make(5);
    motion_keep_every(m, 1);
    CU_ASSERT_EQUAL(m->frame_count, 5);
    CU_ASSERT_EQUAL(m->contact_end[4], 8);
    motions_free(m);
}

/* Body 1 moves at a constant velocity: two keys. A jump in the middle needs the frames around
 * it. */
TEST(keys_are_where_interpolation_fails)
{
    motion *m = motions_make(FRAMES);
    size_t usable[FRAMES];
    gltf_keys keys;

    for (size_t f = 0; f < FRAMES; f++) {
        usable[f] = f;
    }
    gltf_keys_new(&keys, FRAMES);
    gltf_keys_choose(&keys, m, 1, GLTF_TRANSLATION, 1e-9, usable, FRAMES);
    CU_ASSERT_EQUAL(keys.count, 2);
    CU_ASSERT_EQUAL(keys.frame[1], FRAMES - 1);
    gltf_keys_choose(&keys, m, 1, GLTF_ROTATION, 1e-9, usable, FRAMES);
    CU_ASSERT_EQUAL(keys.count, 2);
    gltf_keys_choose(&keys, m, 2, GLTF_TRANSLATION, 1e-9, usable, FRAMES);
    CU_ASSERT_EQUAL(keys.count, 1);
    for (size_t f = 50; f < FRAMES; f++) {
        m->poses[21 * f + 8] += 1.0;
    }
    gltf_keys_choose(&keys, m, 1, GLTF_TRANSLATION, 1e-9, usable, FRAMES);
    CU_ASSERT_EQUAL(keys.count, 4);
    CU_ASSERT_EQUAL(keys.frame[1], 49);
    CU_ASSERT_EQUAL(keys.frame[2], 50);
    gltf_keys_free(&keys);
    motions_free(m);
}

/* A parabola x = t^2 between keys h apart is off by at most h^2/4. */
TEST(interpolation_between_keys_is_within_the_error)
{
    const double error = 1e-3;
    motion *m = motions_make(FRAMES);
    size_t usable[FRAMES];
    gltf_keys keys;

    for (size_t f = 0; f < FRAMES; f++) {
        usable[f] = f;
        m->poses[21 * f + 7] = m->time[f] * m->time[f];
    }
    gltf_keys_new(&keys, FRAMES);
    gltf_keys_choose(&keys, m, 1, GLTF_TRANSLATION, error, usable, FRAMES);
    test_note("%zu keys", keys.count);
    CU_ASSERT(keys.count < 40);
    for (size_t k = 1; k < keys.count; k++) {
        double h = m->time[keys.frame[k]] - m->time[keys.frame[k - 1]];

        CU_ASSERT(h * h / 4.0 <= error * 1.01);
    }
    gltf_keys_free(&keys);
    motions_free(m);
}

/* Numbers of a .gltf: bytes and accessors are right where the validator is not installed. */
TEST(gltf_has_a_node_per_body_and_equal_surfaces_once)
{
    motion *m = motions_make(FRAMES);
    const char *path = test_scratch("formats.gltf");
    json_t *root = NULL;

    OK(motion_format_gltf.write(m, path, NULL));
    root = json_load_file(path, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    /* plane, sphere, box, hull; the two boxes share one. */
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "meshes")), 4);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "materials")), 2);
    /* 3 bodies, 5 shapes, the root. */
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "nodes")), 9);
    /* Body 1 moves and turns, the others stay. */
    CU_ASSERT_EQUAL(
        json_array_size(json_object_get(
            json_array_get(json_object_get(root, "animations"), 0), "channels")),
        2);
    /* 3 per surface, and times and values of two channels of two keys each. */
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "accessors")), 16);
    json_decref(root);
    motions_free(m);
}

TEST(glb_has_its_length_and_chunks)
{
    motion *m = motions_make(3);
    const char *path = test_scratch("formats.glb");
    size_t length = 0;
    char *bytes = NULL;
    uint32_t word[5];

    OK(motion_format_gltf.write(m, path, NULL));
    bytes = slurp(path, &length);
    memcpy(word, bytes, sizeof word);
    CU_ASSERT_EQUAL(memcmp(bytes, "glTF", 4), 0);
    CU_ASSERT_EQUAL(word[1], 2);
    CU_ASSERT_EQUAL(word[2], length);
    CU_ASSERT_EQUAL(word[3] % 4, 0);
    CU_ASSERT_EQUAL(memcmp(bytes + 16, "JSON", 4), 0);
    CU_ASSERT_EQUAL(memcmp(bytes + 24 + word[3], "BIN", 4), 0);
    free(bytes);
    motions_free(m);
}

static bool exists(const char *folder, const char *name)
{
    char path[4200];

    snprintf(path, sizeof path, "%s%s", folder, name);
    return access(path, F_OK) == 0;
}

/* A foreign file in the folder: refused, and nothing changes. A folder of its own is replaced. */
TEST(paraview_replaces_its_own_folder_only)
{
    motion *m = motions_make(2);
    char path[4200];
    char file[4300];
    const char *folder = test_scratch("pv");
    FILE *f = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s.pvd", folder);
    OK(motion_format_paraview.write(m, path, &err));
    CU_ASSERT(exists(folder, "/bodies_000001.vtp") &&
              exists(folder, "/joints_000000.vtp"));
    m->frame_count = 1;
    OK(motion_format_paraview.write(m, path, &err));
    CU_ASSERT(exists(folder, "/bodies_000000.vtp") &&
              !exists(folder, "/bodies_000001.vtp"));
    snprintf(file, sizeof file, "%s/thesis.tex", folder);
    f = fopen(file, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fclose(f);
    m->frame_count = 2;
    CU_ASSERT_EQUAL(motion_format_paraview.write(m, path, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "it holds thesis.tex"));
    CU_ASSERT(exists(folder, "/thesis.tex") && !exists(folder, "/bodies_000001.vtp"));
    remove(file);
    motions_free(m);
}

TEST(what_cannot_be_written_is_refused)
{
    motion *m = motions_make(2);
    motion empty = {.source = "problem.json", .dimension = 3};
    perp_error err = {0};

    CU_ASSERT_EQUAL(motion_format_paraview.write(m, "/nowhere/a.pvd", &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_EQUAL(motion_format_gltf.write(m, "/nowhere/a.glb", NULL), PERP_ERR_WRITE);
    CU_ASSERT_EQUAL(motion_format_paraview.write(m, "a.xml", NULL), PERP_ERR_UNSUITABLE);
    err = (perp_error){0};
    CU_ASSERT_EQUAL(motion_format_gltf.write(&empty, "a.glb", &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "problem.json: no bodies"));
    motions_free(m);
}

/* Into the folder PERP_MOTIONS, for the readers of these formats. */
TEST(each_format_is_written)
{
    static const char *const names[] = {"hand.pvd", "hand.glb", "hand.gltf"};
    const char *folder = getenv("PERP_MOTIONS");
    motion *m = motions_make(FRAMES);

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[4200];

        if (folder) {
            snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        } else {
            snprintf(path, sizeof path, "%s", test_scratch(names[k]));
        }
        OK(motion_format_of(path)->write(m, path, NULL));
    }
    motions_free(m);
}
