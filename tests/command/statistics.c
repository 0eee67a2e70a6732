/* SPDX-License-Identifier: Apache-2.0
 * tests/command/statistics.c: intervals, rank tests, profiles, fits and repeated times. */
#include <config.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "command/campaign/repeat.h"
#include "command/results/noise.h"
#include "command/results/profiles.h"
#include "command/results/rank.h"
#include "command/results/statistics.h"
#include "report.h"

/* Of 100 samples of 20 from lognormal(0, 1), whose median is 1 and whose geometric mean is 1, how
 * many intervals contain it: of so few samples 92 to 94 % (1500 draws), with a standard deviation
 * of 2.7 %; the seed is fixed. */
TEST(intervals_contain_the_true_value_as_often_as_they_say)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int median = 0, mean = 0, ratio = 0;

    gsl_rng_set(rng, 17);
    for (int k = 0; k < 100; k++) {
        double x[20], y[20];
        bootstrap_interval of;

        for (int i = 0; i < 20; i++) {
            x[i] = gsl_ran_lognormal(rng, 0.0, 1.0);
            y[i] = x[i] * gsl_ran_lognormal(rng, log(2.0), 0.3);
        }
        bootstrap_median(&of, x, 20);
        median += of.low <= 1.0 && 1.0 <= of.high;
        bootstrap_shifted_mean(&of, x, 20, 0.0);
        mean += of.low <= 1.0 && 1.0 <= of.high;
        bootstrap_mean_ratio(&of, y, x, 20, 0.0);
        ratio += of.low <= 2.0 && 2.0 <= of.high;
    }
    gsl_rng_free(rng);
    test_note("of 100 intervals: median %d, mean %d, ratio %d", median, mean, ratio);
    CU_ASSERT(median >= 84 && median < 100); /* bounds: three standard deviations */
    CU_ASSERT(mean >= 84 && mean < 100);
    CU_ASSERT(ratio >= 84 && ratio < 100);
}

/* The ends of a percentile interval are statistics of samples: those of the median of 1..5 lie
 * between 1 and 5, and the same data give the same bits. */
TEST(intervals_repeat_and_have_limits)
{
    const double x[] = {1, 2, 3, 4, 5}, same[] = {7, 7, 7}, y[] = {10, 20, 30, 40, 50};
    bootstrap_interval a, b;

    bootstrap_median(&a, x, 5);
    bootstrap_median(&b, x, 5);
    CU_ASSERT_EQUAL(a.value, 3.0);
    CU_ASSERT(1.0 <= a.low && a.low < 3.0 && 3.0 < a.high && a.high <= 5.0);
    CU_ASSERT(a.low == b.low && a.high == b.high);
    bootstrap_shifted_mean(&a, same, 3, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(a.low, 7.0, 1e-14); /* exp and log: some ulp of 8 */
    CU_ASSERT_DOUBLE_EQUAL(a.high, 7.0, 1e-14);
    bootstrap_mean_ratio(&a, y, x, 5, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(a.low, 10.0, 1e-12); /* pairs stay together */
    CU_ASSERT_DOUBLE_EQUAL(a.high, 10.0, 1e-12);
    bootstrap_median_ratio(&a, y, 5, x, 5);
    CU_ASSERT_EQUAL(a.value, 10.0);
    CU_ASSERT(a.low < 10.0 && 10.0 < a.high); /* independent samples do not */
    bootstrap_median(&a, x, 1);
    CU_ASSERT(a.value == 1.0 && isnan(a.low) && isnan(a.high));
    bootstrap_shifted_mean(&a, x, 0, 1.0);
    CU_ASSERT(isnan(a.value) && isnan(a.low));
    bootstrap_median_ratio(&a, y, 5, x, 0);
    CU_ASSERT(isnan(a.value));
}

/* Groups of samples are left out when there are many. The interval is near that of the normal
 * distribution, exp(mean -+ 1.96 s / sqrt(n)): a thousand draws put its ends within 10 % of its
 * half width. */
TEST(intervals_of_many_samples_are_normal)
{
    enum { MANY = 2001 };
    static double x[MANY];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus);
    double mean = 0.0, squares = 0.0;
    bootstrap_interval of;

    for (int i = 0; i < MANY; i++) {
        double g = gsl_ran_gaussian(rng, 0.5);

        x[i] = exp(g);
        mean += g / MANY;
        squares += g * g / MANY;
    }
    gsl_rng_free(rng);
    double half = 1.96 * sqrt((squares - mean * mean) / MANY);
    bootstrap_shifted_mean(&of, x, MANY, 0.0);
    CU_ASSERT_DOUBLE_EQUAL(log(of.value), mean, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(log(of.low), mean - half, 0.1 * half);
    CU_ASSERT_DOUBLE_EQUAL(log(of.high), mean + half, 0.1 * half);
}

/* Hollander and Wolfe (1973, p. 29): Hamilton's scale of nine patients before and after; W = 40,
 * P(W >= 40) = 10/512. Darwin's fifteen pairs of maize (Fisher 1935): the negative ranks are 10
 * and 14, W = 96, p = 0.04126. Ten pairs with the negative ranks 3 and 5: 25 of 1024 choices of
 * signs have a sum of at most 8. */
TEST(ranks_agree_with_textbooks)
{
    const double depression[] = {1.83 - 0.878, 0.50 - 0.647, 1.62 - 0.598,
                                 2.48 - 2.05,  1.68 - 1.06,  1.88 - 1.29,
                                 1.55 - 1.06,  3.06 - 3.14,  1.30 - 1.29};
    const double maize[] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
    const double ten[] = {1, 2, -3, 4, -5, 6, 7, 8, 9, 10};
    rank_test test;

    rank_signed(&test, depression, 9);
    CU_ASSERT(test.exact && test.pairs == 9 && test.positive == 7);
    CU_ASSERT_EQUAL(test.statistic, 40.0);
    CU_ASSERT_DOUBLE_EQUAL(test.p, 20.0 / 512.0, 1e-15);
    rank_signed(&test, maize, 15);
    CU_ASSERT_EQUAL(test.statistic, 96.0);
    CU_ASSERT_DOUBLE_EQUAL(test.p, 0.04126, 5e-6); /* as printed */
    rank_signed(&test, ten, 10);
    CU_ASSERT_DOUBLE_EQUAL(test.p, 50.0 / 1024.0, 1e-15);
}

/* Magnitudes 1, 1, 2 have the ranks 1.5, 1.5, 3: of the eight sums 0, 1.5 (twice), 3 (twice), 4.5
 * (twice) and 6, two are as far from 3 as 6. A 0 says nothing, and two failures share a rank. */
TEST(ranks_share_ties_and_leave_out_zeros)
{
    const double tied[] = {1, 0, 1, 2, 0}, failures[] = {INFINITY, INFINITY, -1};
    const double zeros[] = {0, 0};
    rank_test test;

    rank_signed(&test, tied, 5);
    CU_ASSERT(test.pairs == 3 && test.statistic == 6.0 && test.p == 0.25);
    rank_signed(&test, failures, 3);
    CU_ASSERT(test.pairs == 3 && test.statistic == 5.0);
    rank_signed(&test, zeros, 2);
    CU_ASSERT(test.pairs == 0 && test.p == 1.0);
}

/* n = 60 differences of the magnitudes 1, 1, 2, 2, ..., 30, 30, those of 1 to 10 negative: the
 * ranks of a pair are 2k - 1/2, W = 1830 - 2 sum (2k - 1/2) = 1620, its mean 915, and
 * 24 variance = 60 61 121 - 30 (8 - 2)/2. */
TEST(ranks_of_many_pairs_are_normal)
{
    double x[60];
    double variance = (60.0 * 61.0 * 121.0 - 90.0) / 24.0;
    double z = (1620.0 - 915.0 - 0.5) / sqrt(variance);
    rank_test test;

    for (int i = 0; i < 60; i++) {
        x[i] = i < 20 ? -(i / 2 + 1) : i / 2 + 1;
    }
    rank_signed(&test, x, 60);
    CU_ASSERT(!test.exact && test.statistic == 1620.0);
    CU_ASSERT_DOUBLE_EQUAL(test.p, 2.0 * gsl_cdf_ugaussian_Q(z), 1e-15);
}

/* 2 of 10 positive: 2 (1 + 10 + 45)/1024. Holm: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04 is raised
 * to the one before. */
TEST(signs_and_holm_by_hand)
{
    const double x[] = {-1, -1, 2, -3, -1, -1, 5, -1, -1, 0, -2};
    double p[] = {0.01, 0.04, NAN, 0.03, 0.005}, all[] = {0.9, 0.8};
    const rank_test test = rank_sign(x, 11);

    CU_ASSERT(test.pairs == 10 && test.positive == 2);
    CU_ASSERT_DOUBLE_EQUAL(test.p, 112.0 / 1024.0, 1e-14);
    CU_ASSERT_EQUAL(rank_sign(x, 0).p, 1.0);
    rank_holm(p, 5);
    CU_ASSERT_DOUBLE_EQUAL(p[0], 0.03, 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(p[1], 0.06, 1e-16);
    CU_ASSERT(isnan(p[2]));
    CU_ASSERT_DOUBLE_EQUAL(p[3], 0.06, 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(p[4], 0.02, 1e-16);
    rank_holm(all, 2);
    CU_ASSERT(all[0] == 1.0 && all[1] == 1.0);
}

enum { PROBLEMS = 8 };
static const char *const problem_names[] = {"p1", "p2", "p3", "p4",
                                            "p5", "p6", "p7", "p8"};

/* Three solvers on eight problems: b takes twice as long as a, c 3 % more; c fails on p7 and does
 * not take p8. Products: 10 of a, and of b 1 and 40 flops of factors over 2 x 5 entries. */
static const char *eight_problems(void)
{
    static line lines[3 * PROBLEMS];
    static const char *const labels[] = {"a", "b", "c"};
    const double slower[] = {1.0, 2.0, 1.03};

    for (size_t k = 0; k < 3 * PROBLEMS; k++) {
        size_t i = k / 3, s = k % 3;
        bool fails = s == 2 && i >= 6;

        lines[k] = (line){
            .set = "eight",
            .instance = problem_names[i],
            .label = labels[s],
            .status = s == 2 && i == 7 ? "unsuitable" : NULL,
            .seconds = slower[s] * pow(2.0, (double)i),
            .residual = fails ? 1e-3 : 1e-9,
            .iterations = 10,
            .n = 10.0 * pow(2.0, (double)(i / 2)),
            .place = (double)k,
            .solved = !fails,
            .more = s == 1 ? ", \"nonzeros\": 5, \"work\": {\"products\": 1, "
                             "\"flops_factor\": 40}, \"problem\": \"family\""
                           : ", \"work\": {\"products\": 10}, \"problem\": \"family\"",
        };
    }
    return folder_of("eight", lines, 3 * PROBLEMS);
}

/* Read them as a table. */
static void eight_read(stored_runs *s, run_table *t)
{
    const char *dir = eight_problems();

    OK(runs_read(s, dir, NULL));
    run_table_make(t, s, "eight", 1e-8);
    folder_remove(dir);
}

/* All eight ranks of b agree: p = 2/256, times 2 for two tests. c ties on six and fails on one. */
TEST(says_slower_only_where_ranks_do)
{
    stored_runs s;
    run_table t;

    eight_read(&s, &t);
    solver_statistics *of = statistics_new(&t);
    CU_ASSERT_STRING_EQUAL(of[0].verdict, "best");
    CU_ASSERT_STRING_EQUAL(of[1].verdict, "slower");
    CU_ASSERT_DOUBLE_EQUAL(of[1].p, 4.0 / 256.0, 1e-15);
    CU_ASSERT(1.0 < of[1].ratio.low && of[1].ratio.low < of[1].ratio.value);
    CU_ASSERT(of[1].ratio.value < of[1].ratio.high && of[1].ratio.high <= 2.0 + 1e-9);
    CU_ASSERT_EQUAL(of[2].taken, 7);
    CU_ASSERT_EQUAL(of[2].inapplicable, 1);
    CU_ASSERT_EQUAL(of[2].common, 7);
    CU_ASSERT_EQUAL(of[2].fastest, 6); /* 3 % is a tie */
    CU_ASSERT_EQUAL(of[2].p, 1.0);
    free(of);
    run_table_free(&t);
    runs_free(&s);
}

TEST(profiles_are_over_what_a_solver_takes)
{
    const size_t pair[] = {1, 2};
    stored_runs s;
    run_table t;
    profile p;

    eight_read(&s, &t);
    profile_make(&p, &t, &(profile_request){.relative = true});
    CU_ASSERT(p.count == 3 && p.problems == 8 && p.unsolved == 0);
    CU_ASSERT(p.curves[0].solved == 8 && p.curves[0].values[7] == 1.0);
    CU_ASSERT(p.curves[2].solved == 6 && p.curves[2].taken == 7);
    CU_ASSERT_EQUAL(profile_share(&p.curves[1], 1.9), 0.0);
    CU_ASSERT_EQUAL(profile_share(&p.curves[1], 2.0), 1.0);
    CU_ASSERT_EQUAL(profile_share(&p.curves[2], 100.0), 6.0 / 7.0);
    CU_ASSERT(p.least == 1.0 && p.most == 2.0);
    profile_free(&p);
    /* Of b and c alone b is the best where c fails, and only p8 is not common. */
    profile_make(&p, &t,
                 &(profile_request){
                     .relative = true, .common = true, .columns = pair, .count = 2});
    CU_ASSERT(p.count == 2 && p.problems == 7);
    CU_ASSERT_STRING_EQUAL(p.curves[0].label, "b");
    CU_ASSERT_EQUAL(profile_share(&p.curves[0], 1.0), 1.0 / 7.0);
    CU_ASSERT_DOUBLE_EQUAL(p.most, 2.0 / 1.03, 1e-12);
    profile_free(&p);
    run_table_free(&t);
    runs_free(&s);
}

TEST(profiles_of_products_and_residuals_are_absolute)
{
    stored_runs s;
    run_table t;
    profile p;

    eight_read(&s, &t);
    profile_make(&p, &t, &(profile_request){.cost = PROFILE_PRODUCTS});
    CU_ASSERT_EQUAL(p.curves[0].values[0], 10.0);
    CU_ASSERT_EQUAL(p.curves[1].values[0], 5.0);
    profile_free(&p);
    profile_make(&p, &t, &(profile_request){.cost = PROFILE_RESIDUAL});
    CU_ASSERT_EQUAL(p.curves[2].solved, 7); /* of the failure what it reached */
    CU_ASSERT_EQUAL(p.most, 1e-3);
    profile_free(&p);
    profile_free(&p); /* a zeroed one */
    run_table_free(&t);
    runs_free(&s);
}

/* Times 2^i at sizes 10 2^(i/2), in pairs: log2 y = 0, 1, 2, .., 7 at log2 x = 0, 0, 1, 1, ..:
 * slope 2. The residuals are +-1/2, their squares sum to 2, sum (x - mean)^2 = 10, so the error
 * is sqrt(2/6/10), and Student's quantile of 6 degrees is 2.446912. */
TEST(fits_each_family_with_an_interval)
{
    stored_runs s;
    run_table t;
    size_t count = 0;
    double reach = 2.446912 * sqrt(2.0 / 60.0);

    eight_read(&s, &t);
    scaling_fit *fits = scaling_fits_new(&count, &t, 0, "n", "seconds");
    CU_ASSERT_EQUAL_FATAL(count, 1);
    CU_ASSERT_STRING_EQUAL(fits->problem, "family");
    CU_ASSERT_EQUAL(fits->count, 8);
    CU_ASSERT_DOUBLE_EQUAL(fits->slope, 2.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(fits->low, 2.0 - reach, 1e-6); /* digits of the quantile */
    CU_ASSERT_DOUBLE_EQUAL(fits->high, 2.0 + reach, 1e-6);
    CU_ASSERT(fits->least == 10.0 && fits->most == 80.0);
    free(fits);
    for (size_t i = 0; i < t.instances.count;
         i++) { /* each a family of its own: no fit */
        ((stored_run *)(uintptr_t)run_at(&t, i, 0))->problem = t.instances.names[i];
    }
    fits = scaling_fits_new(&count, &t, 0, "n", "seconds");
    CU_ASSERT_EQUAL(count, 0);
    free(fits);
    run_table_free(&t);
    runs_free(&s);
}

/* The warnings about runs that were made on such machines. */
static const char *warnings_of(const char *const *machines, size_t count)
{
    line lines[4];
    stored_runs s;
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);

    CU_ASSERT_FATAL(f && count <= 4);
    for (size_t k = 0; k < count; k++) {
        lines[k] = (line){.set = "noise",
                          .instance = problem_names[k],
                          .label = "a",
                          .seconds = 1,
                          .solved = true,
                          .more = machines[k]};
    }
    const char *dir = folder_of("noise", lines, count);
    OK(runs_read(&s, dir, NULL));
    noise_print(f, "Warning: ", &s);
    fclose(f);
    runs_free(&s);
    folder_remove(dir);
    return test_keep(text, free);
}

TEST(warns_of_a_machine_that_is_not_quiet)
{
    static const char *const quiet[] = {
        ", \"machine\": {\"load\": 1.9, \"cores\": 2, \"steal\": 0.01, "
        "\"mhz_most\": 3000}",
        ", \"machine\": {\"load\": 2, \"cores\": 2, \"steal\": null, "
        "\"mhz_most\": 2900}",
        ", \"machine\": {}",
    };
    static const char *const noisy[] = {
        ", \"machine\": {\"load\": 7.25, \"cores\": 2, \"steal\": 0.2, "
        "\"mhz_most\": 3000}",
        ", \"machine\": {\"load\": 1, \"cores\": 2, \"steal\": 0, "
        "\"mhz_most\": 2800}",
    };
    const char *text = warnings_of(noisy, 2);

    CU_ASSERT_STRING_EQUAL(warnings_of(quiet, 3), "");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "a load of up to 7.2 on 2 cores, above it in 1 of 2 runs."));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "up to 20 % of the time"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "from 2800 to 3000 MHz"));
}

/* A solve that takes the times of a list, the last one again and again. */
typedef struct fake {
    const double *seconds;
    size_t count, calls;
} fake;

static perp_status fake_solve(void *context, double *seconds, perp_error *err)
{
    fake *f = context;

    (void)err;
    *seconds = f->seconds[f->calls < f->count ? f->calls : f->count - 1];
    f->calls++;
    return PERP_OK;
}

static fake repeat_fake(repeat_times *times, const double *seconds, size_t count,
                        size_t repeats, double limit)
{
    fake f = {.seconds = seconds, .count = count};

    OK(repeat_run(times, &(repeat_request){repeats, limit, NULL}, fake_solve, &f, NULL));
    return f;
}

static double json_number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

TEST(repeats_after_a_warm_up)
{
    const double seconds[] = {0.9, 0.3, 0.1, 0.2, 0.5, 0.4}, slow[] = {2.0, 1.5};
    repeat_times times;
    fake f = repeat_fake(&times, seconds, 6, 5, 0.0);
    json_t *o = json_object();

    CU_ASSERT(f.calls == 6 && times.count == 5 && times.warmed && times.loops == 1);
    repeat_json(o, &times);
    CU_ASSERT_EQUAL(json_number(o, "seconds"), 0.1);
    CU_ASSERT_EQUAL(json_number(o, "seconds_median"), 0.3);
    CU_ASSERT_EQUAL(json_number(o, "seconds_low"), 0.2);
    CU_ASSERT_EQUAL(json_number(o, "seconds_high"), 0.4);
    CU_ASSERT_EQUAL(json_number(o, "repeats"), 5);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(o, "seconds_all")), 5);
    json_decref(o);
    f = repeat_fake(&times, slow, 2, 3, 0.0); /* too long to be wasted */
    CU_ASSERT(f.calls == 3 && times.count == 3 && !times.warmed);
    f = repeat_fake(&times, seconds, 6, 1, 0.0); /* once is once */
    CU_ASSERT(f.calls == 1 && times.count == 1 && !times.warmed);
}

/* 30 us: four solves reach 100 us. A time is the mean of four. */
TEST(repeats_short_solves_in_a_loop)
{
    const double seconds[] = {30e-6, 10e-6, 20e-6, 30e-6, 40e-6, 25e-6};
    repeat_times times;
    fake f = repeat_fake(&times, seconds, 6, 2, 0.0);

    CU_ASSERT(times.loops == 4 && f.calls == 9 && times.count == 2);
    CU_ASSERT_DOUBLE_EQUAL(times.seconds[0], 25e-6, 1e-18);
    CU_ASSERT_DOUBLE_EQUAL(times.seconds[1], 25e-6, 1e-18);
    f = repeat_fake(&times, (const double[]){0.0}, 1, 1, 0.0);
    CU_ASSERT(times.count == 1 && times.seconds[0] == 0.0);
}

TEST(repeats_end_at_the_limit)
{
    const double seconds[] = {0.4};
    repeat_times times;
    fake f = repeat_fake(&times, seconds, 1, 10, 2.1); /* five solves take 2 s */

    CU_ASSERT(f.calls == 5 && times.count == 4 && times.warmed);
    f = repeat_fake(&times, seconds, 1, 10, 0.5); /* no room for a second */
    CU_ASSERT(f.calls == 1 && times.count == 1 && !times.warmed);
    f = repeat_fake(&times, (const double[]){10e-6}, 1, 10, 50e-6); /* within a loop */
    CU_ASSERT(f.calls == 5 && times.count == 1 && times.loops == 1 && !times.warmed);
    CU_ASSERT_EQUAL(times.seconds[0], 10e-6);
}
