/* SPDX-License-Identifier: Apache-2.0
 * tests/command/trajectory.c: the file of a run: what goes in comes out, also after a
 * kill at any moment, and its documentation names each dataset. */
#include <config.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perp/dynamics/scene.h>
#include <perp/random.h>

#include "command/simulate/trajectory_columns.h"
#include "formats/formats.h"
#include "support.h"

enum { BODIES = 3, JOINTS = 2, METRICS = 2, SUMMARY = 4 };

static const char *const bodies[] = {"floor", "box", "b\xc3\xa4r"};
static const char *const joints[] = {"elbow", "knee"};
static const char *const metrics[] = {"kinetic", "residual"};
static const char *const units[] = {"J", ""};
static const char *const attributes[] = {"version", "1.2.3", "solver", "nsgs", NULL};

enum { NAME_ROOM = 48 };

static trajectory_head head_of(size_t joint_count)
{
    return (trajectory_head){
        .body_count = BODIES,
        .joint_count = joint_count,
        .metric_count = METRICS,
        .summary_size = SUMMARY,
        .bodies = bodies,
        .joints = joints,
        .metrics = metrics,
        .units = units,
        .attributes = attributes,
        .scene = "{\"a\": 1}\n",
        .settings = "dt = 0.1\n",
        .name_room = NAME_ROOM,
    };
}

/* The row of step k, a frame each second step with k % 3 contacts: all known from k. */
static void put_step(trajectory *t, uint64_t k)
{
    const double x = (double)k;
    const double drift[2 * JOINTS] = {x, x + 1, x + 2, x + 3};
    const int32_t outcome = (int32_t)(k % 5);
    double poses[7 * BODIES], velocities[6 * BODIES];

    OK(trajectory_append(t, TRAJECTORY_T, &x));
    trajectory_append(t, TRAJECTORY_OUTCOME, &outcome);
    trajectory_append(t, TRAJECTORY_DRIFT, drift);
    trajectory_append(t, TRAJECTORY_FIXED, &(double){sin(x)});
    trajectory_append(t, TRAJECTORY_FIXED + 1, &(double){cos(x)});
    if (k % 2) {
        return;
    }
    for (size_t i = 0; i < 7 * BODIES; i++) {
        poses[i] = 100.0 * x + (double)i;
        velocities[i < 6 * BODIES ? i : 0] = -100.0 * x - (double)i;
    }
    for (uint64_t c = 0; c < k % 3; c++) {
        const double point[3] = {x, (double)c, 1.0};
        const uint64_t key = ~k;
        const uint8_t touch = (uint8_t)(k % 3);
        char name[NAME_ROOM] = "";

        trajectory_append(t, TRAJECTORY_POINT, point);
        trajectory_append(t, TRAJECTORY_NORMAL, point);
        trajectory_append(t, TRAJECTORY_GAP, &x);
        trajectory_append(t, TRAJECTORY_CONTACT_IMPULSE, point);
        trajectory_append(t, TRAJECTORY_BODIES, (int32_t[2]){0, (int32_t)c});
        trajectory_append(t, TRAJECTORY_KEY, &key);
        trajectory_append(t, TRAJECTORY_MU, &x);
        trajectory_append(t, TRAJECTORY_STATUS, &touch);
        trajectory_append(t, TRAJECTORY_RESIDUAL, &(double){-x});
        snprintf(name, sizeof name, "name %d", (int)(k + c));
        trajectory_append(t, TRAJECTORY_LAMBDA_NAMES, name);
    }
    uint64_t end = trajectory_count(t, TRAJECTORY_CONTACT);
    trajectory_append(t, TRAJECTORY_FRAME_TIME, &x);
    trajectory_append(t, TRAJECTORY_FRAME_STEP, &k);
    trajectory_append(t, TRAJECTORY_POSES, poses);
    trajectory_append(t, TRAJECTORY_VELOCITIES, velocities);
    trajectory_append(t, TRAJECTORY_CONTACT_END, &end);
    end = 0;
    trajectory_append(t, TRAJECTORY_LAMBDA_END, &end);
}

/* The state of step k: k % 4 + 1 numbers. */
static perp_status checkpoint(trajectory *t, uint64_t k)
{
    const double x = (double)k;
    const double state[4] = {x, x, x, x};
    const double summary[SUMMARY] = {x, 2 * x, 3 * x, 4 * x};

    return trajectory_checkpoint(t, k, state, k % 4 + 1, summary);
}

static trajectory *created(const char *path, const trajectory_file *old)
{
    const trajectory_head head = head_of(JOINTS);
    trajectory *t = NULL;
    perp_error err = {0};

    if (trajectory_create(&t, path, &head, old, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    return t;
}

/* All that belongs to the last checkpoint is there, and right. */
static void check(const trajectory_file *f)
{
    size_t steps = (size_t)f->count[TRAJECTORY_STEP];
    size_t frames = (size_t)f->count[TRAJECTORY_FRAME], wrong = 0, size = 0;
    uint64_t end = 0, contacts = 0;
    double x = 0.0, drift[2 * JOINTS], poses[7 * BODIES], *state = NULL;
    double summary[SUMMARY];
    uint64_t named = 0;

    CU_ASSERT_EQUAL(steps, f->step + 1);
    CU_ASSERT_EQUAL(frames, f->step / 2 + 1);
    for (size_t k = 0; k < steps; k++) {
        OK(trajectory_read(f, TRAJECTORY_FIXED, "kinetic", k, 1, &x));
        wrong += x != sin((double)k);
        trajectory_read(f, TRAJECTORY_DRIFT, NULL, k, 1, drift);
        wrong += drift[3] != (double)k + 3;
    }
    for (size_t k = 0; k < frames; k++) {
        trajectory_read(f, TRAJECTORY_POSES, NULL, k, 1, poses);
        wrong += poses[20] != 200.0 * (double)k + 20.0;
        for (uint64_t c = 0; c < 2 * k % 3; c++) {
            char name[NAME_ROOM] = "", expected[NAME_ROOM] = "";
            uint8_t touch = 9;

            snprintf(expected, sizeof expected, "name %d", (int)(2 * k + c));
            trajectory_read(f, TRAJECTORY_LAMBDA_NAMES, NULL, named++, 1, name);
            trajectory_read(f, TRAJECTORY_STATUS, NULL, contacts + c, 1, &touch);
            trajectory_read(f, TRAJECTORY_RESIDUAL, NULL, contacts + c, 1, &x);
            wrong += memcmp(name, expected, sizeof name) != 0 || touch != 2 * k % 3 ||
                     x != -2.0 * (double)k;
        }
        contacts += 2 * k % 3;
        trajectory_read(f, TRAJECTORY_CONTACT_END, NULL, k, 1, &end);
        wrong += end != contacts;
    }
    CU_ASSERT_EQUAL(contacts, f->count[TRAJECTORY_CONTACT]);
    OK(trajectory_state(f, &state, &size));
    CU_ASSERT_EQUAL(size, f->step % 4 + 1);
    wrong += state[size - 1] != (double)f->step;
    free(state);
    OK(trajectory_summary(f, SUMMARY, summary));
    CU_ASSERT_EQUAL(trajectory_summary(f, SUMMARY - 1, summary), PERP_ERR_FORMAT);
    wrong += summary[3] != 4.0 * (double)f->step;
    CU_ASSERT_EQUAL(wrong, 0);
}

TEST(what_goes_in_comes_out)
{
    const char *path = test_scratch("trajectory-plain.h5");
    trajectory *t = created(path, NULL);
    trajectory_file f;
    char *text = NULL, version[16];
    bool there = false;

    for (uint64_t k = 0; k <= 1000; k++) {
        put_step(t, k);
        if (k % 100 == 0) {
            OK(checkpoint(t, k));
        }
    }
    OK(trajectory_close(t));
    OK(trajectory_open(&f, path, NULL));
    CU_ASSERT_EQUAL(f.step, 1000);
    check(&f);
    OK(trajectory_text(&f, "scene", &text));
    CU_ASSERT_STRING_EQUAL(text, "{\"a\": 1}\n");
    free(text);
    CU_ASSERT(perp_h5_attribute_text(&f.file, "/meta", "version", version, sizeof version,
                                     &there) == PERP_OK &&
              there);
    CU_ASSERT_STRING_EQUAL(version, "1.2.3");
    CU_ASSERT_EQUAL(trajectory_read(&f, TRAJECTORY_T, NULL, 1000, 2, &(double[2]){0}[0]),
                    PERP_ERR_FORMAT);
    trajectory_shut(&f);
}

TEST(a_world_without_joints_has_no_drift)
{
    const char *path = test_scratch("trajectory-free.h5");
    const trajectory_head head = head_of(0);
    trajectory *t = NULL;
    trajectory_file f;
    bool there = false;

    OK(trajectory_create(&t, path, &head, NULL, NULL));
    OK(trajectory_append(t, TRAJECTORY_DRIFT, &(double){0}));
    OK(checkpoint(t, 0));
    OK(trajectory_close(t));
    OK(trajectory_open(&f, path, NULL));
    CU_ASSERT(perp_h5_exists(&f.file, "/joints/drift", &there) == PERP_OK && !there);
    CU_ASSERT(perp_h5_exists(&f.file, "/meta/joints", &there) == PERP_OK && there);
    trajectory_shut(&f);
}

/* Steps beyond the last checkpoint are dropped, and made again. */
TEST(a_file_goes_on_from_its_last_checkpoint)
{
    const char *path = test_scratch("trajectory-resume.h5");
    trajectory *t = created(path, NULL);
    trajectory_file f;

    for (uint64_t k = 0; k <= 500; k++) {
        put_step(t, k);
        if (k == 333 || k == 10) {
            OK(checkpoint(t, k));
        }
    }
    trajectory_close(t);
    OK(trajectory_open(&f, path, NULL));
    CU_ASSERT_EQUAL(f.step, 333);
    check(&f);
    t = created(path, &f);
    trajectory_shut(&f);
    for (uint64_t k = 334; k <= 600; k++) {
        put_step(t, k);
    }
    OK(checkpoint(t, 600));
    trajectory_close(t);
    OK(trajectory_open(&f, path, NULL));
    CU_ASSERT_EQUAL(f.step, 600);
    CU_ASSERT_EQUAL(f.count[TRAJECTORY_CHECKPOINT], 3);
    check(&f);
    trajectory_shut(&f);
}

/* States of at most four numbers: the room of three, also after a resume. */
TEST(states_of_many_checkpoints_share_their_room)
{
    const char *path = test_scratch("trajectory-states.h5");
    trajectory *t = created(path, NULL);
    trajectory_file f;

    for (uint64_t k = 0; k <= 300; k++) {
        put_step(t, k);
        OK(checkpoint(t, k));
        if (k % 100 == 99) {
            trajectory_close(t);
            OK(trajectory_open(&f, path, NULL));
            check(&f);
            t = created(path, &f);
            trajectory_shut(&f);
        }
    }
    trajectory_close(t);
    OK(trajectory_open(&f, path, NULL));
    CU_ASSERT_EQUAL(f.count[TRAJECTORY_CHECKPOINT], 301);
    CU_ASSERT(f.count[TRAJECTORY_STATE] <= 3 * 4);
    check(&f);
    trajectory_shut(&f);
}

/* Write without end, with a checkpoint each seventh step, and report each. */
static void write_until_killed(const char *path, volatile uint64_t *told)
{
    trajectory *t = created(path, NULL);

    for (uint64_t k = 0;; k++) {
        put_step(t, k);
        if (k % 7 == 6) {
            if (checkpoint(t, k) != PERP_OK) {
                _exit(1);
            }
            *told = k;
        }
    }
}

/* SIGKILL up to 30 ms after the first checkpoint: in the midst of anything, twenty times.
 * What the writer told of is there; a checkpoint that it did not come to tell of may be,
 * too. */
TEST(a_kill_at_any_moment_leaves_all_up_to_a_checkpoint)
{
    const char *path = test_scratch("trajectory-killed.h5");
    void *shared = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    volatile uint64_t *told = shared;
    perp_random g = {7};

    CU_ASSERT_FATAL(shared != MAP_FAILED);
    for (int trial = 0; trial < 20; trial++) {
        trajectory_file f;
        perp_error err = {0};
        int how = 0;

        *told = 0;
        pid_t child = fork();
        CU_ASSERT_FATAL(child >= 0);
        if (child == 0) {
            write_until_killed(path, told);
        }
        while (*told == 0 && waitpid(child, &how, WNOHANG) == 0) {
            usleep(100);
        }
        usleep((useconds_t)(perp_random_next(&g) % 30000));
        kill(child, SIGKILL);
        CU_ASSERT_EQUAL(waitpid(child, &how, 0), child);
        CU_ASSERT(WIFSIGNALED(how));
        if (trajectory_open(&f, path, &err) != PERP_OK) {
            test_note("trial %d: %s", trial, err.text);
            CU_FAIL("a killed writer leaves a file that cannot be opened");
        } else {
            CU_ASSERT(f.step >= *told && f.step <= *told + 7);
            check(&f);
        }
        trajectory_shut(&f);
    }
    munmap(shared, sizeof(uint64_t));
}

/* Killed before its first checkpoint. */
TEST(a_file_without_a_checkpoint_is_an_empty_one)
{
    const char *path = test_scratch("trajectory-empty.h5");
    trajectory *t = created(path, NULL);
    trajectory_file f;

    put_step(t, 0);
    trajectory_close(t);
    OK(trajectory_open(&f, path, NULL));
    CU_ASSERT_EQUAL(f.count[TRAJECTORY_CHECKPOINT], 0);
    CU_ASSERT_EQUAL(f.count[TRAJECTORY_STEP], 0);
    trajectory_shut(&f);
}

TEST(other_files_are_refused_in_one_line)
{
    const char *path = test_scratch("trajectory-none.h5");
    FILE *out = fopen(path, "w");
    trajectory_file f;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("no trajectory\n", out);
    fclose(out);
    CU_ASSERT_EQUAL(trajectory_open(&f, path, &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "trajectory-none.h5: cannot open"));
    trajectory_shut(&f);
    CU_ASSERT_EQUAL(trajectory_open(&f, "/nowhere/at/all", NULL), PERP_ERR_READ);
    trajectory_shut(&f);
    perp_error_clear(&err);
    const char *other = test_scratch("trajectory-other.h5");
    perp_h5_file h = {0};
    perp_file_out made;

    OK(perp_file_create(&made, other, NULL));
    OK(perp_h5_create(&h, &made, NULL));
    OK(perp_h5_close(&h));
    OK(perp_file_commit(&made, NULL));
    CU_ASSERT_EQUAL(trajectory_open(&f, other, &err), PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/state/counts"));
    trajectory_shut(&f);
}

/* The times of the frames go to another file. */
static void move_times(const char *path, const char *elsewhere)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t rows = 1;
    hid_t space = H5Screate_simple(1, &rows, NULL), set = H5I_INVALID_HID;

    CU_ASSERT(H5Pset_external(creation, elsewhere, 0, sizeof(double)) >= 0);
    CU_ASSERT(H5Ldelete(file, "/time", H5P_DEFAULT) >= 0);
    set = H5Dcreate2(file, "/time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation,
                     H5P_DEFAULT);
    CU_ASSERT(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(file);
}

TEST(numbers_in_another_file_are_refused)
{
    const char *path = test_scratch("trajectory-elsewhere.h5");
    const char *other = test_scratch("trajectory-elsewhere.raw");
    FILE *out = fopen(other, "w");
    trajectory *t = created(path, NULL);
    trajectory_file f;
    perp_error err = {0};
    double time = 0.0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("not to be read", out);
    fclose(out);
    put_step(t, 0);
    OK(checkpoint(t, 0));
    trajectory_close(t);
    move_times(path, other);
    OK(trajectory_open(&f, path, &err));
    CU_ASSERT_EQUAL(trajectory_read(&f, TRAJECTORY_FRAME_TIME, NULL, 0, 1, &time),
                    PERP_ERR_FORMAT);
    trajectory_shut(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/time: its data are in another file"));
}

enum { LISTED = 96 };

typedef struct listing {
    size_t count;
    char name[LISTED][PERP_H5_PATH];
} listing;

static herr_t list_dataset(hid_t file, const char *name, const H5O_info_t *info, void *to)
{
    listing *l = to;

    (void)file;
    if (info->type == H5O_TYPE_DATASET && l->count < LISTED) {
        snprintf(l->name[l->count++], PERP_H5_PATH, "/%s",
                 strncmp(name, "metrics/", 8) == 0 ? "metrics/NAME" : name);
    }
    return 0;
}

/* Each dataset has a row "| `/poses` |" in docs/trajectory.md,
 * and each such row a dataset. */
TEST(the_documentation_names_each_dataset)
{
    const char *path = test_scratch("trajectory-documented.h5");
    char page[4096], *text = NULL, row[PERP_H5_PATH + 16];
    size_t length = 0, rows = 0;
    static listing l;
    trajectory_head head = head_of(JOINTS);
    trajectory *t = NULL;
    perp_scene *scene = NULL;
    trajectory_file f;

    OK(perp_scene_parse(&scene, "{\"ground\": {}}", 14, "test.json", NULL));
    head.world = scene->world;
    head.dt = 0.1;
    OK(trajectory_create(&t, path, &head, NULL, NULL));
    OK(checkpoint(t, 0));
    OK(trajectory_close(t));
    snprintf(page, sizeof page, "%s/docs/trajectory.md", test_source());
    OK(perp_file_slurp(page, &text, &length, NULL));
    OK(trajectory_open(&f, path, NULL));
    l.count = 0;
    H5Ovisit(f.file.id, H5_INDEX_NAME, H5_ITER_NATIVE, list_dataset, &l);
    trajectory_shut(&f);
    for (size_t k = 0; k < l.count; k++) {
        snprintf(row, sizeof row, "\n| `%s` |", l.name[k]);
        if (!strstr(text, row)) {
            test_note("no row for %s", l.name[k]);
            CU_FAIL("a dataset is not documented");
        }
    }
    for (const char *at = text; (at = strstr(at, "\n| `/")); at++) {
        rows++;
    }
    CU_ASSERT_EQUAL(rows, l.count - METRICS + 1); /* all metrics share a row */
    free(text);
}
