/* SPDX-License-Identifier: Apache-2.0
 * tests/command/motion_damage.c: files that are no trajectory, of another layout, or damaged:
 * counts that lie, indices out of range, missing datasets. Each is refused in one line. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <perp/random.h>

#include "base/file.h"
#include "command/view/motion.h"
#include "simulations.h"

static const char scene[] =
    "{\"name\": \"whole\", \"solver\": \"nsgs\", \"scheme\": {\"dt\": 0.01}, \"ground\": "
    "{},"
    " \"bodies\": [{\"name\": \"box\", \"density\": 1, \"position\": [0, 0, 0.5],"
    " \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]},"
    "{\"name\": \"hull\", \"density\": 1, \"position\": [0, 0, 3], \"shapes\": ["
    "{\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}],"
    " \"joints\": [{\"type\": \"revolute\", \"name\": \"hinge\", \"bodies\": [\"box\", "
    "\"hull\"],"
    " \"at\": [0, 0, 2], \"axis\": [1, 0, 0]}]}";

/* The file of a run of ten steps, as bytes. */
static void whole(char **bytes, size_t *size)
{
    const char *dir = fresh("damage-whole");
    char path[4096];
    sim_summary s;
    perp_error err = {0};

    if (run_into(dir, scene, 1, (char *[]){(char[]){"--steps=10"}}, &s, &err) !=
        PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a run fails");
    }
    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    OK(perp_file_slurp(path, bytes, size, &err));
}

static void put(const char *path, const char *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, out), size);
    CU_ASSERT_EQUAL(fclose(out), 0);
}

/* The file is refused in one line that names it and contains `expected`. */
static void refused(const char *path, const char *what, const char *expected)
{
    motion *m = NULL;
    perp_error err = {0};
    perp_status status = motion_read(&m, path, &err);

    if (status == PERP_OK || m || strchr(err.text, '\n') || !strstr(err.text, expected) ||
        !strstr(err.text, ".h5")) {
        test_note("%s: %s", what, err.text);
        CU_FAIL("a damaged file is not refused as it should be");
    }
    motion_free(m);
}

/* Number `index` of a dataset becomes `value`, for all types of numbers. */
static void change(const char *path, const char *dataset, size_t index, double value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
    double *all = calloc(count + 1, sizeof *all);

    CU_ASSERT_FATAL(file >= 0 && set >= 0 && all && index < count);
    CU_ASSERT(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    all[index] = value;
    CU_ASSERT(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    free(all);
    H5Sclose(space);
    H5Dclose(set);
    CU_ASSERT(H5Fclose(file) >= 0);
}

TEST(numbers_that_lie_are_refused)
{
    static const struct {
        const char *dataset;
        size_t index;
        double value;
        const char *expected;
    } lies[] = {
        {"/contacts/end", 5, 1e15, "/contacts/end: row 5 is 1000000000000000, expected"},
        {"/contacts/end", 5, 0, "/contacts/end: row 5 is 0, expected"},
        {"/contacts/bodies", 3, 3, "/contacts/bodies: row 1 has body 3, expected 0 .. 2"},
        {"/contacts/bodies", 3, -1, "row 1 has body -1"},
        {"/contacts/status", 2, 3, "/contacts/status: row 2 is 3, expected 0 .. 2"},
        {"/contacts/point", 4, INFINITY,
         "/contacts: row 1 has a number that is not finite"},
        {"/poses", 30, NAN, "/poses: number 30 is nan"},
        {"/velocities", 2, NAN, "/velocities: number 2 is nan"},
        {"/time", 2, INFINITY, "/time: number 2 is inf"},
        {"/shapes/body", 0, 3, "/shapes/body: number 0 is 3, expected 0 .. 2"},
        {"/shapes/body", 1, -1, "number 1 is -1"},
        {"/shapes/size", 0, -1, "/shapes/size: size 0 of shape 0, a box, is -1"},
        {"/shapes/size", 3, NAN, "/shapes/size: number 3 is nan"},
        {"/shapes/pose", 3, 0, "/shapes/pose: the quaternion of shape 0 has length 0"},
        {"/shapes/colour", 2, 4e9, "/shapes/colour: number 2 is 4000000000"},
        {"/shapes/vertex_end", 1, 5, "/shapes/vertex_end: shape 1 has rows 0 .. 5 of 4"},
        {"/shapes/vertex_end", 1, 0, "/shapes/triangle_end: shape 1, a hull"},
        {"/shapes/vertex_end", 1, 3, "/shapes/triangles: number"},
        {"/shapes/vertex_start", 1, 9, "/shapes/vertex_end: shape 1 has rows 9 .. 4"},
        {"/shapes/triangle_end", 1, 1e18, "/shapes/triangle_end: shape 1 has rows"},
        {"/shapes/triangles", 7, 4,
         "/shapes/triangles: number 7 is 4, expected one of 4 vertices"},
        {"/shapes/triangles", 7, -4, "/shapes/triangles: number 7 is -4"},
        {"/shapes/vertices", 1, NAN, "/shapes/vertices: number 1 is nan"},
        {"/bodies/mass", 1, NAN, "/bodies/mass: number 1 is nan"},
        {"/bodies/fixed", 1, 2, "/bodies/fixed: number 1 is 2, expected 0 .. 1"},
        {"/joints/bodies", 0, 7, "/joints/bodies: number 0 is 7, expected -1 .. 2"},
        {"/joints/anchor", 0, NAN, "/joints/anchor: number 0 is nan"},
        {"/joints/axis", 0, NAN, "/joints/axis: number 0 is nan"},
        {"/meta/gravity", 2, NAN, "/meta/gravity: number 2 is nan"},
        /* the last checkpoint: steps, frames, contacts, impulses, names, state, checkpoints */
        {"/state/counts", 7, 1e15, "1000000000000000"}, /* steps */
        {"/state/counts", 8, 1e15, "1000000000000000"}, /* frames */
        {"/state/counts", 8, 12, "has 11 rows, expected 12"},
        {"/state/counts", 8, 0, "no frame is written yet"},
        {"/state/counts", 9, 1,
         "/contacts/end: row"}, /* fewer contacts than frames have */
    };
    const char *path = test_scratch("damage-lies.h5");
    char *bytes = NULL;
    size_t size = 0;

    whole(&bytes, &size);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        put(path, bytes, size);
        change(path, lies[k].dataset, lies[k].index, lies[k].value);
        refused(path, lies[k].dataset, lies[k].expected);
    }
    free(bytes);
}

/* Without it, and with one number in its place. */
static void replace(const char *path, const char *dataset, bool by_one)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);

    CU_ASSERT(H5Ldelete(file, dataset, H5P_DEFAULT) >= 0);
    if (by_one) {
        hid_t set = H5Dcreate2(file, dataset, H5T_NATIVE_INT, space, H5P_DEFAULT,
                               H5P_DEFAULT, H5P_DEFAULT);

        CU_ASSERT(set >= 0);
        H5Dclose(set);
    }
    H5Sclose(space);
    H5Fclose(file);
}

TEST(missing_and_foreign_datasets_are_refused)
{
    static const char *const datasets[] = {
        "/meta/bodies",
        "/meta/joints",
        "/meta/gravity",
        "/time",
        "/step",
        "/poses",
        "/velocities",
        "/contacts/end",
        "/contacts/point",
        "/contacts/normal",
        "/contacts/gap",
        "/contacts/impulse",
        "/contacts/bodies",
        "/contacts/mu",
        "/contacts/status",
        "/contacts/residual",
        "/bodies/mass",
        "/bodies/inertia",
        "/bodies/fixed",
        "/shapes/type",
        "/shapes/body",
        "/shapes/pose",
        "/shapes/size",
        "/shapes/colour",
        "/shapes/vertex_start",
        "/shapes/vertex_end",
        "/shapes/triangle_start",
        "/shapes/triangle_end",
        "/shapes/vertices",
        "/shapes/triangles",
        "/joints/type",
        "/joints/bodies",
        "/joints/anchor",
        "/joints/axis",
        "/steps/t",
        "/metrics/energy",
        "/state/counts",
    };
    const char *path = test_scratch("damage-missing.h5");
    char *bytes = NULL;
    size_t size = 0;

    whole(&bytes, &size);
    for (size_t k = 0; k < sizeof datasets / sizeof *datasets; k++) {
        for (int one = 0; one < 2; one++) {
            if (one == 0 && strncmp(datasets[k], "/metrics/", 9) == 0) {
                continue; /* a file without a metric is a file without a metric */
            }
            put(path, bytes, size);
            replace(path, datasets[k], one);
            refused(path, datasets[k], "damage-missing.h5");
        }
    }
    free(bytes);
}

/* An attribute of /meta becomes this value. */
static void become(const char *path, const char *name, hid_t type, const void *value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gopen2(file, "/meta", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5I_INVALID_HID;

    CU_ASSERT(H5Adelete(group, name) >= 0);
    attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    CU_ASSERT(H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Gclose(group);
    CU_ASSERT(H5Fclose(file) >= 0);
}

static void say(const char *path, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, strlen(text) + 1);
    become(path, name, type, text);
    H5Tclose(type);
}

TEST(other_layouts_are_refused_by_the_viewer)
{
    const char *path = test_scratch("damage-layout.h5");
    char *bytes = NULL;
    size_t size = 0;

    whole(&bytes, &size);
    put(path, bytes, size);
    CU_ASSERT_TRUE(motion_is_trajectory(path));
    say(path, "layout", "2");
    CU_ASSERT_TRUE(motion_is_trajectory(path));
    refused(
        path, "layout 2",
        "damage-layout.h5: layout 2 has no shapes: run the scene again with this perp");
    say(path, "layout", "5");
    refused(path, "layout 5", "layout 5, expected 4");
    say(path, "format", "other");
    CU_ASSERT_FALSE(motion_is_trajectory(path));
    refused(path, "format", "no trajectory of perp simulate");
    put(path, bytes, size);
    say(path, "dt", "short");
    refused(path, "dt", "/meta: the attribute dt is something else, expected one number");
    put(path, bytes, size);
    become(path, "dt", H5T_NATIVE_DOUBLE, &(double){-1.0});
    refused(path, "dt", "/meta: dt is -1, expected a positive number [s]");
    put(path, "text", 4);
    CU_ASSERT_FALSE(motion_is_trajectory(path));
    refused(path, "text", "cannot open");
    CU_ASSERT_FALSE(motion_is_trajectory("/nowhere/at/all"));
    free(bytes);
}

/* What may be missing is not taken for missing where it cannot be read: the motion would be another. */
TEST(an_optional_text_that_cannot_be_read_is_an_error)
{
    const char *path = test_scratch("damage-optional.h5");
    char *bytes = NULL;
    size_t size = 0;

    whole(&bytes, &size);
    put(path, bytes, size);
    become(path, "name", H5T_NATIVE_INT, &(int){7});
    refused(path, "name",
            "/meta: the attribute name is something else, expected one text");
    put(path, bytes, size);
    become(path, "format", H5T_NATIVE_INT, &(int){7});
    refused(path, "format", "/meta: the attribute format is something else");
    free(bytes);
}

TEST(a_run_of_another_layout_is_not_resumed)
{
    const char *dir = fresh("damage-resume");
    char path[4096];
    char *bytes = NULL, *after = NULL;
    char *argv[] = {(char[]){"--steps=10"}, (char[]){"--resume"}};
    size_t size = 0, after_size = 0;
    sim_summary s;
    perp_error err = {0};

    OK(run_into(dir, scene, 1, argv, &s, &err));
    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    say(path, "layout", "2");
    OK(perp_file_slurp(path, &bytes, &size, &err));
    CU_ASSERT_EQUAL(run_into(dir, scene, 2, argv, &s, &err), PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "trajectory.h5: layout 2, expected 4"));
    OK(perp_file_slurp(path, &after, &after_size, &err));
    CU_ASSERT(after_size == size &&
              memcmp(bytes, after, size) == 0); /* it is left alone */
    free(bytes);
    free(after);
}

/* Any byte may be wrong: the file is read or refused, in one line. */
TEST(files_with_wrong_bytes_are_read_or_refused)
{
    const char *path = test_scratch("damage-bytes.h5");
    perp_random g = {18};
    char *bytes = NULL;
    size_t size = 0, refusals = 0;

    whole(&bytes, &size);
    for (size_t trial = 0; trial < 400; trial++) {
        const size_t at = (size_t)(perp_random_next(&g) % size);
        const char old = bytes[at];
        motion *m = NULL;
        perp_error err = {0};

        bytes[at] = (char)(perp_random_next(&g) & 255);
        put(path, bytes, size);
        if (motion_read(&m, path, &err) != PERP_OK) {
            refusals++;
            CU_ASSERT(err.text[0] != '\0' && !strchr(err.text, '\n'));
        }
        motion_free(m);
        bytes[at] = old;
    }
    for (size_t cut = 0; cut < 40; cut++) {
        motion *m = NULL;
        perp_error err = {0};

        put(path, bytes, size * cut / 40);
        CU_ASSERT_NOT_EQUAL(motion_read(&m, path, &err), PERP_OK);
        CU_ASSERT_PTR_NULL(m);
    }
    CU_ASSERT(refusals > 0);
    free(bytes);
}
