/* SPDX-License-Identifier: Apache-2.0
 * tests/command/simulated.c: what a run writes of contacts and impulses is what the
 * bodies felt, and what is resumed is what was. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/simulate/frames.h"
#include "command/simulate/metrics_csv.h"
#include "command/simulate/run.h"
#include "formats/formats.h"
#include "simulations.h"

static const char still[] =
    "{\"name\": \"still\", \"time\": 0.5, \"solver\": \"nsgs\","
    " \"scheme\": {\"dt\": 0.01}, \"ground\": {},"
    " \"bodies\": [{\"name\": \"box\", \"mass\": 2, \"position\": [0, 0, 0.5],"
    "   \"velocity\": [0.5, 0, 0],"
    "   \"shapes\": [{\"type\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}]}";

static const char *const ways[] = {"--friction=coulomb",  "--friction=pyramid:8",
                                   "--friction=box",      "--stabilize=split",
                                   "--stabilize=project", "--restitution=poisson"};
enum { WAYS = sizeof ways / sizeof *ways };

/* m (v+ - v) = m g dt + sum of impulses on the box, in each frame, however it is run. The
 * box is body j or body i of its contacts. The solver stops at 1e-8 of its own scale, but
 * the velocities are made of these very impulses: 1e-13 is their rounding. */
TEST(impulses_of_contacts_are_what_the_body_felt)
{
    for (size_t m = 0; m < WAYS; m++) {
        char way[32], solver[] = "--solver=auto", path[4096];
        char *argv[] = {way, solver};
        const char *dir = fresh("simulated-felt");
        double before[12], after[12], impulse[3];
        uint64_t first = 0, end = 0;
        size_t touched = 0;
        trajectory_file f;
        sim_summary s;
        perp_error err = {0};

        snprintf(way, sizeof way, "%s", ways[m]);
        if (run_into(dir, still, 2, argv, &s, &err) != PERP_OK) {
            test_note("%s: %s", way, err.text);
            CU_FAIL_FATAL("a run fails");
        }
        open_run(&f, dir, path);
        CU_ASSERT_EQUAL(f.count[TRAJECTORY_FRAME], 51);
        trajectory_read(&f, TRAJECTORY_VELOCITIES, NULL, 0, 1, before);
        for (size_t k = 1; k < 51; k++) {
            double sum[3] = {0.0, 0.0, -9.81 * 2.0 * 0.01};

            trajectory_read(&f, TRAJECTORY_CONTACT_END, NULL, k, 1, &end);
            for (size_t c = first; c < end; c++) {
                int32_t pair[2];

                trajectory_read(&f, TRAJECTORY_CONTACT_IMPULSE, NULL, c, 1, impulse);
                trajectory_read(&f, TRAJECTORY_BODIES, NULL, c, 1, pair);
                for (size_t i = 0; i < 3; i++) {
                    sum[i] += pair[1] == 0 ? impulse[i] : -impulse[i];
                }
                touched++;
            }
            first = end;
            trajectory_read(&f, TRAJECTORY_VELOCITIES, NULL, k, 1, after);
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT_DOUBLE_EQUAL(2.0 * (after[i] - before[i]), sum[i], 1e-13);
            }
            memcpy(before, after, sizeof before);
        }
        CU_ASSERT(touched >= 4 * 40); /* four corners, most of the time */
        trajectory_shut(&f);
    }
}

/* A run of 30 and 20 more, or of 50: the summaries agree but for times. */
TEST(a_summary_sums_on_over_a_resume)
{
    char thirty[] = "--steps=30", resume[] = "--resume";
    char *one[] = {thirty}, *two[] = {resume};
    const char *dir = fresh("simulated-parts");
    sim_summary parts, whole;

    OK(run_into(dir, still, 1, one, &parts, NULL));
    CU_ASSERT_EQUAL(parts.steps, 30.0);
    OK(run_into(dir, still, 1, two, &parts, NULL));
    OK(run_into(fresh("simulated-whole"), still, 0, NULL, &whole, NULL));
    parts.seconds = whole.seconds;
    parts.solve_seconds = whole.solve_seconds;
    CU_ASSERT_EQUAL(memcmp(&parts, &whole, sizeof parts), 0);
    CU_ASSERT_EQUAL(whole.solved, 50.0);
}

/* A trajectory of the same head and no checkpoint, as a kill at once leaves it. */
TEST(a_run_killed_at_once_is_begun_anew)
{
    static const char *const none[] = {NULL};
    const trajectory_head head = {.attributes = none, .scene = still, .settings = ""};
    char resume[] = "--resume", path[4096];
    char *argv[] = {resume};
    const char *dir = fresh("simulated-parts");
    trajectory *t = NULL;
    sim_summary s;

    OK(run_into(dir, still, 0, NULL, &s, NULL));
    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    OK(trajectory_create(&t, path, &head, NULL, NULL));
    trajectory_close(t);
    OK(run_into(dir, still, 1, argv, &s, NULL));
    CU_ASSERT_EQUAL(s.solved, 50.0);
}

/* Another file in the place of the trajectory, and a trajectory without a checkpoint. */
TEST(a_resume_refuses_what_is_no_run)
{
    char resume[] = "--resume", path[4096];
    char *argv[] = {resume};
    const char *dir = fresh("simulated-none");
    sim_summary s;
    perp_error err = {0};

    OK(run_into(dir, still, 0, NULL, &s, NULL));
    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("none\n", out);
    fclose(out);
    CU_ASSERT_EQUAL(run_into(dir, still, 1, argv, &s, &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "trajectory.h5: cannot open"));
}

/* A name with a comma, quotes and letters beyond ASCII, as text and as a table. */
TEST(odd_names_are_kept)
{
    const char *path = test_scratch("simulated-odd.csv");
    static const char *const metrics[] = {"kinetic"}, *const units[] = {"J"};
    static const char *const joints[] = {"a, \"b\" \xc3\xa4"};
    const trajectory_head head = {.metric_count = 1,
                                  .joint_count = 1,
                                  .metrics = metrics,
                                  .units = units,
                                  .joints = joints};
    metrics_csv c;
    char *text = NULL;
    size_t length = 0;

    OK(metrics_csv_open(&c, path, &head, NULL, NULL));
    metrics_csv_row(&c, 1, PERP_SOLVED, &(double){0.1}, (const double[2]){INFINITY, -1});
    OK(metrics_csv_close(&c));
    OK(perp_file_slurp(path, &text, &length, NULL));
    CU_ASSERT_STRING_EQUAL(text,
                           "step,outcome,kinetic [J],\"drift a, \"\"b\"\" \xc3\xa4 [m]\","
                           "\"drift a, \"\"b\"\" \xc3\xa4 [rad]\"\n"
                           "1,solved,0.10000000000000001,inf,-1\n");
    free(text);
}

TEST(settings_that_differ_are_named)
{
    perp_error err = {0};

    OK(sim_settings_same("f", "a = 1\nb = 2\n", "a = 1\nb = 2\n", NULL));
    sim_settings_same("f", "a = 1\nb = 2\nc = 3\n", "a = 1\nb = 22\nc = 3\n", &err);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "f: b is 22, the stored run has 2"));
    perp_error_clear(&err);
    sim_settings_same("f", "a = 1\n", "a = 1\nb = 2\n", &err);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "found \"b = 2\", the stored run has \"\""));
    perp_error_clear(&err);
    sim_settings_same("f", "a = 1\nsolver = nsgs\n", "a = 1\nform = auto\n", &err);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "found \"form = auto\", the stored run has \"solver = nsgs\""));
}
