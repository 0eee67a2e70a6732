/* SPDX-License-Identifier: Apache-2.0
 * runner/repeat.c: the times of a solve that is repeated. */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/campaign/repeat.h"
#include "command/cli/answer.h"
#include "command/cli/output.h"

/* Solves that are being made, and the seconds they have taken. */
typedef struct repeat_work {
    const repeat_request *request;
    repeat_solve *solve;
    void *context;
    double spent, last;
} repeat_work;

static perp_status repeat_once(repeat_work *w, perp_error *err)
{
    perp_status status = w->solve(w->context, &w->last, err);

    w->spent += w->last;
    return status;
}

/* Would another solve pass the limit, or is none wanted? */
static bool repeat_ends(const repeat_work *w)
{
    double limit = w->request->limit;

    return (w->request->stop && *w->request->stop) ||
           (limit > 0.0 && w->spent + w->last > limit);
}

/* Solves per repeat, when one takes as long as the last. */
static size_t repeat_loops(const repeat_work *w)
{
    double loops = ceil(REPEAT_MEASURABLE / fmax(w->last, 1e-7));

    return loops > 1.0 ? (size_t)loops : 1;
}

/* The mean time of `loops` solves; *whole is false when the limit came first. */
static perp_status repeat_measure(repeat_work *w, size_t loops, double *seconds,
                                  bool *whole, perp_error *err)
{
    double sum = 0.0;
    perp_status status = PERP_OK;

    *whole = true;
    for (size_t k = 0; k < loops && *whole && status == PERP_OK; k++) {
        status = repeat_once(w, err);
        sum += w->last;
        *whole = k + 1 == loops || !repeat_ends(w);
    }
    *seconds = sum / (double)loops;
    return status;
}

perp_status repeat_run(repeat_times *times, const repeat_request *request,
                       repeat_solve *solve, void *context, perp_error *err)
{
    repeat_work w = {.request = request, .solve = solve, .context = context};
    perp_status status = repeat_once(&w, err);

    memset(times, 0, sizeof *times);
    times->loops = 1;
    times->seconds[times->count++] = w.last;
    if (status != PERP_OK || request->repeats < 2 || repeat_ends(&w)) {
        return status;
    }
    if (w.last <= REPEAT_WARM) { /* a time that is taken below replaces this one */
        times->warmed = true;
        times->loops = repeat_loops(&w);
        times->count = 0;
    }
    while (times->count < request->repeats && status == PERP_OK) {
        double seconds = 0.0;
        bool whole = false;

        status = repeat_measure(&w, times->loops, &seconds, &whole, err);
        if (!whole) {
            break;
        }
        times->seconds[times->count++] = seconds;
        if (repeat_ends(&w)) {
            break;
        }
    }
    if (times->count ==
        0) { /* stopped within the first repeat: the warm-up is all there is */
        times->count = times->loops = 1;
        times->warmed = false;
    }
    return status;
}

double repeat_least(const repeat_times *times)
{
    return gsl_stats_min(times->seconds, 1, times->count);
}

/* The quantile of the times at `share`. */
static double repeat_quantile(const repeat_times *times, double share)
{
    double sorted[REPEAT_MOST];

    memcpy(sorted, times->seconds, times->count * sizeof *sorted);
    gsl_sort(sorted, 1, times->count);
    return gsl_stats_quantile_from_sorted_data(sorted, 1, times->count, share);
}

void repeat_json(json_t *o, const repeat_times *times)
{
    answer_add(o, "seconds", answer_real(repeat_least(times)));
    answer_add(o, "seconds_median", answer_real(repeat_quantile(times, 0.5)));
    answer_add(o, "seconds_low", answer_real(repeat_quantile(times, 0.25)));
    answer_add(o, "seconds_high", answer_real(repeat_quantile(times, 0.75)));
    answer_add(o, "seconds_all", answer_vector(times->seconds, times->count));
    answer_add(o, "repeats", json_integer((json_int_t)times->count));
    answer_add(o, "loops", json_integer((json_int_t)times->loops));
    answer_add(o, "warmed", json_boolean(times->warmed));
}

void repeat_print(const repeat_times *times, FILE *f)
{
    char loops[64] = "";

    if (times->count < 2) {
        return;
    }
    if (times->loops > 1) {
        snprintf(loops, sizeof loops, ", each the mean of %zu solves", times->loops);
    }
    output_fact(f, "repeats", "%zu%s%s; least %s, median %s, half within %s to %s",
                times->count, times->warmed ? " after a warm-up" : "", loops,
                output_seconds(OUTPUT_ROOM, repeat_least(times)),
                output_seconds(OUTPUT_ROOM, repeat_quantile(times, 0.5)),
                output_seconds(OUTPUT_ROOM, repeat_quantile(times, 0.25)),
                output_seconds(OUTPUT_ROOM, repeat_quantile(times, 0.75)));
}
