/* SPDX-License-Identifier: Apache-2.0
 * tests/command/kinds_paths.c: figures of a simulation's folder and of a problem, with known
 * answers. */
#include <config.h>

#include <perp/dynamics/step.h>

#include "command/simulate/trajectory.h"
#include "kinds.h"

/* A run of `steps` steps of 1 s with the ledger of `each`, which changes the kinetic energy by
 * `rate` per step; the potential energy is -5 J throughout. Step 2 of more is not solved. Joints drift by
 * `drift_rate` and twice that per step [m]. `first`: step of the first row, 0 is the start. */
static const char *run_folder_of(const char *name, size_t first, size_t steps,
                                 size_t joints, perp_report each, double rate,
                                 double drift_rate)
{
    static const char *const bodies[] = {"floor", "box"};
    static const char *const names[] = {"elbow", "knee"};
    const char *const attributes[] = {"layout", first ? "3" : "4", NULL};
    const char *metrics[64], *units[64], *dir = test_scratch(name);
    char path[1100];
    size_t count = 0;
    const perp_metric *const *all = perp_metrics(&count);
    trajectory *t = NULL;
    const double summary = 0.0;

    CU_ASSERT_FATAL(count < 64);
    for (size_t k = 0; k < count; k++) {
        metrics[k] = all[k]->name;
        units[k] = all[k]->unit;
    }
    const trajectory_head head = {.body_count = 2,
                                  .joint_count = joints,
                                  .metric_count = count,
                                  .summary_size = 1,
                                  .bodies = bodies,
                                  .joints = names,
                                  .metrics = metrics,
                                  .units = units,
                                  .attributes = attributes,
                                  .scene = "{}\n",
                                  .settings = "\n",
                                  .name_room = 32};

    mkdir(dir, 0777);
    snprintf(path, sizeof path, "%s/trajectory.h5", dir);
    OK(trajectory_create(&t, path, &head, NULL, NULL));
    for (size_t i = first; i <= steps; i++) {
        const double time = (double)i;
        const int32_t outcome = i == 0                ? TRAJECTORY_OUTCOME_START
                                : i == 2 && steps > 2 ? PERP_ITERATION_LIMIT
                                                      : PERP_SOLVED;
        const double drift[4] = {drift_rate * time, 0.0, 2.0 * drift_rate * time, 0.0};
        perp_report r = i ? each : (perp_report){.step = 0};

        r.step = i;
        r.t = time;
        r.kinetic = 10.0 + rate * time;
        r.potential = -5.0;
        r.penetration = 1e-3 * time;
        r.residual = i == 0 ? 0.0 : outcome == PERP_SOLVED ? 1e-9 : 1e-3;
        trajectory_append(t, TRAJECTORY_T, &time);
        trajectory_append(t, TRAJECTORY_OUTCOME, &outcome);
        trajectory_append(t, TRAJECTORY_DRIFT, drift);
        for (size_t k = 0; k < count; k++) {
            double value = all[k]->value(&r);

            trajectory_append(t, TRAJECTORY_FIXED + k, &value);
        }
    }
    OK(trajectory_checkpoint(t, steps, &summary, 1, &summary));
    OK(trajectory_close(t));
    return dir;
}

/* Forces give 3 J per step, and friction takes 2 J. */
static const char *run_folder(const char *name, size_t steps, size_t joints)
{
    const perp_report each = {
        .ledger = {[PERP_LEDGER_FORCES] = 3.0, [PERP_LEDGER_FRICTION] = -2.0}};

    return run_folder_of(name, 1, steps, joints, each, 1.0, 1e-6);
}

/* The figure of a path, kept for the test; NULL with the message of a refusal. */
static figure_book *path_draw(const char *kind, const char *path, const char **message)
{
    static perp_error err;
    figure_book *book = test_keep(calloc(1, sizeof *book), free);
    const figure_source source = {.path = path};
    const figure_order order = order_of(kind, NULL, NULL, NULL);
    perp_status status = PERP_OK;

    memset(&err, 0, sizeof err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(figure_kind_find(kind));
    test_keep(book, book_release);
    status = figure_kind_find(kind)->make(book, &source, &order, &err);
    CU_ASSERT_EQUAL(status == PERP_OK, message == NULL);
    if (status != PERP_OK && !message) {
        test_note("%s", err.text);
    }
    if (message) {
        CU_ASSERT_EQUAL(book->count, 0);
        *message = err.text;
    }
    return book;
}

TEST(stacked_areas_sum_to_the_change_of_energy)
{
    const char *dir = run_folder("energy", 5, 0);
    const figure_book *book = path_draw("energy", dir, NULL);
    const figure_series *total = series_find(book, 1, "total");
    const figure_panel *p = book->figures[0]->panels[1];

    CU_ASSERT_EQUAL(series_find(book, 1, "forces")->form, FIGURE_AREA);
    CU_ASSERT_EQUAL(p->count, 3); /* forces, friction, total: the rest is 0 */
    CU_ASSERT_EQUAL_FATAL(total->count, 6);
    for (size_t k = 0; k < 6; k++) {
        double sum = 0.0;

        for (size_t i = 0; i < p->count; i++) {
            sum += p->series[i]->form == FIGURE_AREA ? p->series[i]->points[k].y : 0.0;
        }
        CU_ASSERT_DOUBLE_EQUAL(total->points[k].y, sum, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(sum, (double)k, 1e-12);
    }
    /* Above: kinetic 11 .. 15; the potential energy is constant and has no area. */
    CU_ASSERT_EQUAL(series_find(book, 0, "kinetic")->points[4].y, 15.0);
    CU_ASSERT_EQUAL(book->figures[0]->panels[0]->count, 2);
    CU_ASSERT_EQUAL(series_find(book, 0, "total")->points[4].y, 15.0);
    folder_remove(dir);
}

/* What the free motion gives and contacts take in the same step is set off: of 3 J given the
 * normals take 2 J and friction 4 J; friction keeps 3 J, and the sum is right. */
TEST(energy_given_and_taken_in_a_step_is_set_off)
{
    const char *dir =
        run_folder_of("off", 1, 2, 0,
                      (perp_report){.ledger = {[PERP_LEDGER_INTEGRATOR] = 3.0,
                                               [PERP_LEDGER_NORMAL] = -2.0,
                                               [PERP_LEDGER_FRICTION] = -4.0}},
                      -3.0, 0.0);
    const figure_book *book = path_draw("energy", dir, NULL);

    CU_ASSERT_EQUAL(book->figures[0]->panels[1]->count, 2); /* friction, total */
    CU_ASSERT_EQUAL(series_find(book, 1, "friction")->points[2].y, -6.0);
    CU_ASSERT_EQUAL(series_find(book, 1, "total")->points[2].y, -6.0);
    folder_remove(dir);
}

TEST(a_run_over_time_keeps_its_failures)
{
    const char *dir = run_folder("run", 5, 0);
    const figure_book *book = path_draw("run", dir, NULL);
    const figure *f = book->figures[0];
    const figure_series *residual = f->panels[2]->series[0];

    CU_ASSERT_EQUAL_FATAL(f->count, 3); /* penetration, energy, residual */
    CU_ASSERT_STRING_EQUAL(f->panels[0]->y.label, "penetration");
    CU_ASSERT_STRING_EQUAL(f->panels[0]->y.unit, "m");
    CU_ASSERT_EQUAL(f->panels[0]->series[0]->points[4].y, 5e-3);
    CU_ASSERT_EQUAL(residual->points[1].y, 1e-3);
    CU_ASSERT_EQUAL_FATAL(residual->failure_count, 1);
    CU_ASSERT_EQUAL(residual->failures[0].x, 2.0);
    CU_ASSERT(caption_has(book, "1 step was not solved"));
    folder_remove(dir);
}

/* 1000 steps are drawn as 334 stretches of 3, the last of 1: range and peak are kept. */
TEST(a_long_run_is_thinned_and_keeps_its_range)
{
    const char *dir = run_folder("long", 1000, 0);
    const figure_book *book = path_draw("run", dir, NULL);
    const figure_series *s = book->figures[0]->panels[0]->series[0];
    const figure_series *residual = book->figures[0]->panels[2]->series[0];

    CU_ASSERT_EQUAL_FATAL(s->count, 334);
    CU_ASSERT_EQUAL(s->points[0].x, 3.0);
    CU_ASSERT_DOUBLE_EQUAL(s->points[0].low, 1e-3, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(s->points[0].high, 3e-3, 1e-15);
    CU_ASSERT_EQUAL(s->points[333].x, 1000.0);
    CU_ASSERT_EQUAL(residual->points[0].y, 1e-3); /* of the second of three steps */
    folder_remove(dir);
}

TEST(joints_have_names_and_errors)
{
    const char *dir = run_folder("joints", 5, 2), *message = NULL;
    const figure_book *book = path_draw("joints", dir, NULL);

    CU_ASSERT_EQUAL(book->figures[0]->count, 2); /* lengths, energy; no angles */
    CU_ASSERT_DOUBLE_EQUAL(series_find(book, 0, "knee")->points[4].y, 1e-5, 1e-18);
    CU_ASSERT_DOUBLE_EQUAL(series_find(book, 0, "elbow")->points[4].y, 5e-6, 1e-18);
    /* (15 - 11) J of 15 J since the first step */
    CU_ASSERT_DOUBLE_EQUAL(series_find(book, 1, "")->points[4].y, 4.0 / 15.0, 1e-15);
    folder_remove(dir);
    dir = run_folder("free", 5, 0);
    path_draw("joints", dir, &message);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "the scene has no joints"));
    folder_remove(dir);
}

/* Drifts of 2e-15 m and a stored energy of 1e-15 J beside 12 J are rounding; residual and iterations
 * are those of the first step in both. */
TEST(rounding_and_constants_of_a_run_are_named_and_not_drawn)
{
    const perp_report each = {.stored = 1e-15, .iterations = 1};
    const char *dir = run_folder_of("rounding", 1, 2, 2, each, 1.0, 5e-16);
    const figure_book *book = path_draw("run", dir, NULL);
    const figure *f = book->figures[0];

    CU_ASSERT_EQUAL_FATAL(f->count, 2); /* penetration, energy */
    CU_ASSERT_EQUAL(f->panels[1]->count, 3);
    CU_ASSERT(caption_has(book, "and not drawn: stored energy [J]."));
    CU_ASSERT(caption_has(book, "Constant, and not drawn: residual 10⁻⁹, iterations 1."));
    book = path_draw("joints", dir, NULL);
    CU_ASSERT_EQUAL(book->figures[0]->count, 1); /* the relative change of energy */
    CU_ASSERT(caption_has(book, "not drawn: drift of elbow [m], drift of knee [m]."));
    folder_remove(dir);
}

/* An impact in the first step takes 2 J of 10 J, all others nothing more: the plots begin before
 * it. Residual and iterations begin with step 1. */
TEST(plots_of_a_run_begin_with_the_start)
{
    const perp_report each = {.iterations = 3, .ledger = {[PERP_LEDGER_NORMAL] = -2.0}};
    const char *dir = run_folder_of("start", 0, 1, 2, each, -2.0, 1e-6);
    const figure_book *book = path_draw("run", dir, NULL);
    const figure_series *s = series_find(book, 1, "kinetic");

    CU_ASSERT_EQUAL_FATAL(s->count, 2);
    CU_ASSERT(s->points[0].x == 0.0 && s->points[0].y == 10.0);
    CU_ASSERT(s->points[1].x == 1.0 && s->points[1].y == 8.0);
    CU_ASSERT(caption_has(book, "over time, 1 step."));
    CU_ASSERT(caption_has(book, "All steps were solved"));
    s = book->figures[0]->panels[2]->series[0]; /* residual */
    CU_ASSERT(s->count == 1 && s->points[0].x == 1.0);
    book = path_draw("energy", dir, NULL);
    s = series_find(book, 0, "total");
    CU_ASSERT(s->count == 2 && s->points[0].y == 10.0 && s->points[1].y == 8.0);
    s = series_find(book, 1, "normal");
    CU_ASSERT(s->count == 2 && s->points[0].x == 0.0 && s->points[0].y == 0.0 &&
              s->points[1].y == -2.0);
    book = path_draw("joints", dir, NULL);
    CU_ASSERT_DOUBLE_EQUAL(series_find(book, 1, "")->points[1].y, -0.2, 1e-15);
    CU_ASSERT(caption_has(book, "since the start"));
    folder_remove(dir);
}

/* 1001 rows: the start alone, then 334 stretches of 3 steps, the last of 1. */
TEST(a_long_run_is_thinned_behind_its_start)
{
    const char *dir =
        run_folder_of("thin", 0, 1000, 0, (perp_report){.step = 0}, 1.0, 0.0);
    const figure_book *book = path_draw("run", dir, NULL);
    const figure_series *s = series_find(book, 1, "kinetic");

    CU_ASSERT_EQUAL_FATAL(s->count, 335);
    CU_ASSERT(s->points[0].x == 0.0 && s->points[1].x == 3.0);
    CU_ASSERT(s->points[1].low == 11.0 && s->points[1].high == 13.0);
    CU_ASSERT_EQUAL(s->points[334].x, 1000.0);
    folder_remove(dir);
}

TEST(what_is_no_run_is_refused)
{
    const char *message = NULL;

    path_draw("run", "/nowhere", &message);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "/nowhere: cannot open"));
}

/* A file with A = [2 1 0; 1 2 0; 0 0 4]: 5 nonzeros, singular values 4, 3, 1. */
static const char *problem_file(const char *name, const char *data)
{
    const char *path = test_scratch(name);
    FILE *f = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "{\"id\": \"a\", \"M\": [%s], \"q\": [1, 1, 1]}", data);
    fclose(f);
    return path;
}

TEST(a_pattern_has_a_dot_for_each_nonzero)
{
    const char *path = problem_file("pattern.json", "[2, 1, 0], [1, 2, 0], [0, 0, 4]");
    const figure_book *book = path_draw("pattern", path, NULL);
    const figure_panel *p = book->figures[0]->panels[0];

    CU_ASSERT_EQUAL_FATAL(p->series[0]->count, 5);
    CU_ASSERT_EQUAL(p->series[0]->points[1].x, 2.0); /* row 1, column 2 */
    CU_ASSERT_EQUAL(p->series[0]->points[1].y, 1.0);
    CU_ASSERT_EQUAL(p->series[0]->points[4].x, 3.0);
    CU_ASSERT(p->equal && p->y.reversed);
    CU_ASSERT(caption_has(book, "3 rows, 5 nonzeros (55.6 %, 1.67 per row)"));
    CU_ASSERT(caption_has(book, "half bandwidth 1."));
    remove(path);
}

/* 1000 rows are drawn as 400 squares of 2.5 rows: the diagonal alone has 400 dots. */
TEST(a_large_pattern_is_drawn_by_squares)
{
    const figure_book *book = path_draw("pattern", "generate:geiger-kanzow:n=1000", NULL);

    CU_ASSERT(book->figures[0]->panels[0]->series[0]->count >= 400);
    CU_ASSERT(book->figures[0]->panels[0]->series[0]->count <= 1200);
    CU_ASSERT(caption_has(book, "1000 rows, 2998 nonzeros"));
    CU_ASSERT(caption_has(book, "Each dot is a square of 2.5 rows"));
}

TEST(a_spectrum_has_rank_and_condition)
{
    const char *path = problem_file("spectrum.json", "[2, 1, 0], [1, 2, 0], [0, 0, 4]");
    const figure_book *book = path_draw("spectrum", path, NULL);
    const figure_series *s = book->figures[0]->panels[0]->series[0];

    CU_ASSERT_EQUAL_FATAL(s->count, 3);
    CU_ASSERT_DOUBLE_EQUAL(s->points[0].y, 4.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(s->points[1].y, 3.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(s->points[2].y, 1.0, 1e-14);
    CU_ASSERT(caption_has(book, "rank 3"));
    CU_ASSERT(caption_has(book, "condition 4 "));
    remove(path);
}

/* Rows 1 and 2 are equal: rank 2, and a line shows what counts as zero. */
TEST(a_singular_matrix_has_a_limit_of_its_rank)
{
    const char *path = problem_file("singular.json", "[1, 1, 0], [1, 1, 0], [0, 0, 4]");
    const figure_book *book = path_draw("spectrum", path, NULL);

    CU_ASSERT(caption_has(book, "rank 2"));
    CU_ASSERT(caption_has(book, "condition 2 "));
    CU_ASSERT_EQUAL(book->figures[0]->panels[0]->series[1]->count, 2);
    remove(path);
}

TEST(a_zero_matrix_has_no_spectrum)
{
    const char *path = problem_file("zero.json", "[0, 0, 0], [0, 0, 0], [0, 0, 0]");
    const char *message = NULL;

    path_draw("spectrum", path, &message);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "A is zero"));
    path_draw("spectrum", "generate:geiger-kanzow:n=3001", &message);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "3001 rows, expected at most 3000"));
    remove(path);
}
