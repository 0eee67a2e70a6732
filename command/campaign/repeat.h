/* SPDX-License-Identifier: Apache-2.0
 * runner/repeat.h: the times of a solve that is repeated.
 *
 * Of several repeats the first solve warms caches and clock and does not count, unless it takes
 * longer than REPEAT_WARM. A solve too short for the clock is made several times per repeat, as
 * many as reach REPEAT_MEASURABLE together; a time is then their mean. */
#ifndef PERP_RUNNER_REPEAT_H
#define PERP_RUNNER_REPEAT_H

#include <jansson.h>

#include <perp/base.h>

enum { REPEAT_MOST = 1000 };
/** Seconds beyond which the first solve counts. */
#define REPEAT_WARM 1.0
/** Seconds that one repeat takes at least: a hundred times the microsecond that a solve's clock
 *  is trusted to. */
#define REPEAT_MEASURABLE 1e-4

/** One solve from the same start; *seconds: its time. */
typedef perp_status repeat_solve(void *context, double *seconds, perp_error *err);

typedef struct repeat_request {
    size_t repeats;           /**< 1 to REPEAT_MOST; 1: one solve, without a warm-up */
    double limit;             /**< seconds for all solves; 0: none */
    const volatile int *stop; /**< not 0: make no further solve; may be NULL */
} repeat_request;

typedef struct repeat_times {
    double seconds[REPEAT_MOST]; /**< of one solve, as taken */
    size_t count;                /**< of them: fewer than asked at the limit */
    size_t loops;                /**< solves behind each of them */
    bool warmed;                 /**< a solve was made before that does not count */
} repeat_times;

/** Repeat a solve. With PERP_OK there is at least one time. */
perp_status repeat_run(repeat_times *times, const repeat_request *request,
                       repeat_solve *solve, void *context, perp_error *err);

double repeat_least(const repeat_times *times);
/** Add "seconds" (the least), "seconds_median", "seconds_low" and "seconds_high" (quartiles),
 *  "seconds_all", "repeats", "loops" and "warmed". */
void repeat_json(json_t *o, const repeat_times *times);
/** Print the spread of several repeats, as a fact; nothing of a single one. */
void repeat_print(const repeat_times *times, FILE *f);

#endif
