/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_trajectory.c: a sound trajectory, damaged by the edits that are the input: four
 * bytes each, a place of three (little-endian, modulo the length) and what is written there. The
 * place 0xffffff cuts the file at the place before it. What perp simulate --resume and perp view
 * read of it is there or has a message. */
#include <config.h>

#include <time.h>

#include <perp/dynamics/scene.h>

#include "command/simulate/trajectory.h"
#include "command/view/motion.h"
#include "fuzz_files.h"

FUZZ_MALLOC

enum { SUMMARY = 4, LARGEST = 1 << 20 };

/* libhdf5 sleeps between its attempts to read what a writer may be changing. There is none here. */
int nanosleep(const struct timespec *asked, struct timespec *left)
{
    (void)asked;
    (void)left;
    return 0;
}

static const char *const bodies[] = {"floor", "box"};
static const char *const joints[] = {"hinge"};
static const char *const metrics[] = {"kinetic"};
static const char *const units[] = {"J"};
static const char *const attributes[] = {"format", "perp-trajectory", "layout",
                                         TRAJECTORY_LAYOUT_TEXT, NULL};
static const char scene_text[] =
    "{\"bodies\": [{\"name\": \"floor\", \"motion\": \"static\", \"shapes\": [{\"type\": "
    "\"plane\"}]}, {\"name\": \"box\", \"mass\": 1, \"position\": [0, 0, 1], \"shapes\": "
    "[{\"type\": \"box\", \"size\": [1, 1, 1]}]}], \"joints\": [{\"type\": \"revolute\", "
    "\"name\": \"hinge\", \"bodies\": [\"floor\", \"box\"], \"at\": [0, 0, 0], \"axis\": "
    "[0, 1, 0]}]}";

static trajectory_head head_of(const perp_world *world)
{
    return (trajectory_head){.body_count = 2,
                             .joint_count = 1,
                             .metric_count = 1,
                             .summary_size = SUMMARY,
                             .bodies = bodies,
                             .joints = joints,
                             .metrics = metrics,
                             .units = units,
                             .attributes = attributes,
                             .scene = scene_text,
                             .settings = "dt = 0.1\n",
                             .name_room = 16,
                             .world = world,
                             .dt = 0.1};
}

/* A step that is a frame with one contact, and its checkpoint. */
static bool put_step(trajectory *t, uint64_t k)
{
    const double zero[16] = {0};
    const double x = (double)k;
    const uint64_t end = k + 1;
    const struct {
        size_t id;
        const void *row;
    } rows[] = {
        {TRAJECTORY_T, &x},
        {TRAJECTORY_OUTCOME, zero},
        {TRAJECTORY_DRIFT, zero},
        {TRAJECTORY_FIXED, &x},
        {TRAJECTORY_POINT, zero},
        {TRAJECTORY_NORMAL, (const double[3]){0, 0, 1}},
        {TRAJECTORY_GAP, zero},
        {TRAJECTORY_CONTACT_IMPULSE, zero},
        {TRAJECTORY_BODIES, (const int32_t[2]){0, 1}},
        {TRAJECTORY_KEY, &k},
        {TRAJECTORY_MU, &x},
        {TRAJECTORY_STATUS, zero},
        {TRAJECTORY_RESIDUAL, zero},
        {TRAJECTORY_LAMBDA_NAMES, "hinge          "},
        {TRAJECTORY_LAMBDA_NAME, zero},
        {TRAJECTORY_LAMBDA, zero},
        {TRAJECTORY_FRAME_TIME, &x},
        {TRAJECTORY_FRAME_STEP, &k},
        {TRAJECTORY_POSES, (const double[14]){0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0}},
        {TRAJECTORY_VELOCITIES, zero},
        {TRAJECTORY_CONTACT_END, &end},
        {TRAJECTORY_LAMBDA_END, &end},
    };
    bool good = true;

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        good = trajectory_append(t, rows[r].id, rows[r].row) == PERP_OK && good;
    }
    return good && trajectory_checkpoint(t, k, zero, 3, zero) == PERP_OK;
}

static void write_sound(const perp_world *world, const char *path)
{
    const trajectory_head head = head_of(world);
    trajectory *t = NULL;
    perp_error err = {0};
    bool good = trajectory_create(&t, path, &head, NULL, &err) == PERP_OK;

    for (uint64_t k = 0; k < 3; k++) {
        good = good && put_step(t, k);
    }
    if (trajectory_close(t) != PERP_OK || !good) {
        abort();
    }
}

static void damage_file(const char *path, const uint8_t *sound, size_t length,
                        const uint8_t *data, size_t size)
{
    static uint8_t bytes[LARGEST];
    size_t left = length, at = 0;

    memcpy(bytes, sound, length);
    for (size_t k = 0; k + 4 <= size; k += 4) {
        const size_t place =
            (size_t)data[k] | (size_t)data[k + 1] << 8 | (size_t)data[k + 2] << 16;

        if (place == 0xffffff) {
            left = at + 1;
        } else {
            at = place % length;
            bytes[at] = data[k + 3];
        }
    }
    fuzz_put(path, bytes, left);
}

static void expect_message(perp_status status, const perp_error *err)
{
    if (status != PERP_OK && (!err->text[0] || strchr(err->text, '\n'))) {
        abort();
    }
}

/* What a resume reads. */
static void read_resumed(const perp_world *world, const char *path)
{
    const trajectory_head head = head_of(world);
    trajectory_file f = {.file = {.id = H5I_INVALID_HID}};
    perp_error err = {0};
    double *state = NULL, summary[SUMMARY];
    char *text = NULL, **list = NULL;
    size_t count = 0;
    perp_status status = trajectory_open(&f, path, &err);

    if (status == PERP_OK) {
        status = trajectory_text(&f, "settings", &text);
    }
    if (status == PERP_OK) {
        status = trajectory_names(&f, "bodies", &list, &count);
    }
    if (status == PERP_OK && f.count[TRAJECTORY_CHECKPOINT] > 0) {
        status = trajectory_check(&f, &head);
        if (status == PERP_OK) {
            status = trajectory_state(&f, &state, &count);
        }
        if (status == PERP_OK) {
            status = trajectory_summary(&f, SUMMARY, summary);
        }
    }
    expect_message(status, &err);
    free(state);
    free(text);
    free(list);
    trajectory_shut(&f);
}

static bool read_motion(const char *path)
{
    motion *m = NULL;
    perp_error err = {0};
    double low[3], high[3];
    perp_status status = motion_read(&m, path, &err);

    expect_message(status, &err);
    if ((status == PERP_OK) != (m != NULL)) {
        abort();
    }
    if (m) {
        motion_bounds(m, low, high);
    }
    motion_free(m);
    return m != NULL;
}

FUZZ(trajectory)
{
    static uint8_t sound[LARGEST];
    static size_t length;
    static perp_scene *scene;
    char path[128];

    fuzz_path(path, "trajectory.h5");
    if (length == 0) {
        FILE *f = NULL;
        perp_error err = {0};

        if (perp_scene_parse(&scene, scene_text, strlen(scene_text), "scene.json",
                             &err) != PERP_OK) {
            fprintf(stderr, "%s\n", err.text);
            abort();
        }
        write_sound(scene->world, path);
        f = fopen(path, "rb");
        length = f ? fread(sound, 1, sizeof sound, f) : 0;
        if (length == 0 || length == sizeof sound || fclose(f) != 0) {
            abort();
        }
        if (!read_motion(path)) {
            abort(); /* the sound file must be read */
        }
    }
    damage_file(path, sound, length, data, size);
    read_resumed(scene->world, path);
    read_motion(path);
    unlink(path);
    return 0;
}
