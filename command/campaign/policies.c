/* SPDX-License-Identifier: Apache-2.0
 * runner/policies.c: a sequence solved item by item, under one warm-start policy. Two items
 * are in memory at a time. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/policies.h"
#include "command/campaign/repeat.h"
#include "command/cli/take.h"

const char *policy_name(policy_kind policy)
{
    static const char *const names[] = {
#define POLICY_TEXT(name, text) text,
        POLICY_LIST(POLICY_TEXT)
#undef POLICY_TEXT
    };

    return names[policy];
}

bool policy_find(const char *name, policy_kind *policy)
{
    for (int k = 0; k < POLICY_KINDS; k++) {
        if (strcmp(policy_name((policy_kind)k), name) == 0) {
            *policy = (policy_kind)k;
            return true;
        }
    }
    return false;
}

/* The item being solved, and what the next one needs of it. */
typedef struct frame {
    perp_sequence_item item; /* its problem is that of `in` */
    instance *in;
    perp_result *result;
    double *start; /* of the problem as asked */
    double *given; /* the solution as a point of the given problem, once it is solved */
    size_t matched;
    double seconds;
    bool solved;
} frame;

static void frame_free(frame *f)
{
    if (f->in) {
        f->item.problem = NULL; /* the instance owns it */
    }
    perp_sequence_item_clear(&f->item);
    instance_free(f->in);
    perp_result_free(f->result);
    free(f->start);
    free(f->given);
    memset(f, 0, sizeof *f);
}

static perp_status frame_open(frame *f, const policies_request *o, size_t i,
                              perp_error *err)
{
    perp_status status = perp_sequence_get(o->sequence, i, &f->item, err);
    perp_problem *p = f->item.problem;

    if (status != PERP_OK) {
        return status;
    }
    f->item.problem = NULL; /* taken over, also on failure */
    TRY(instance_new(&f->in, p, &o->item, err));
    f->item.problem = p;
    f->start = take_reals(f->in->problem->n);
    f->given = take_reals(p->n);
    return perp_result_new(&f->result, f->in->problem->n, err);
}

/* A solve from the start of an item. */
typedef struct frame_job {
    frame *f;
    const policies_request *o;
} frame_job;

static perp_status frame_solve_once(void *context, double *seconds, perp_error *err)
{
    const frame_job *job = context;
    frame *f = job->f;
    const perp_problem *p = f->in->problem;
    perp_status status = PERP_OK;

    perp_result_restart(f->result);
    memcpy(f->result->z, f->start, p->n * sizeof *f->start);
    status = perp_solve(job->o->type, p, job->o->opt, f->result, err);
    *seconds = f->result->seconds;
    return status;
}

/* Solve from f->start; the least time of all repeats counts. */
static perp_status frame_solve(frame *f, const policies_request *o, size_t repeats,
                               perp_error *err)
{
    const repeat_request request = {.repeats = repeats,
                                    .limit = perp_options_real(o->opt, "time-limit"),
                                    .stop = o->opt->interrupt};
    repeat_times times;
    perp_status status =
        repeat_run(&times, &request, frame_solve_once, &(frame_job){f, o}, err);

    f->seconds = repeat_least(&times);
    f->solved = status == PERP_OK && f->result->outcome == PERP_SOLVED;
    return status;
}

/* The solution of the previous item, block by block by its key. */
static perp_status frame_start_warm(frame *f, const frame *before, perp_error *err)
{
    double *carried = NULL;
    perp_status status = PERP_OK;

    if (!before->solved) {
        return PERP_OK; /* there is no previous item, or it was not solved */
    }
    carried = take_reals(f->item.problem->n);
    status = perp_sequence_carry(&before->item, before->given, &f->item, carried,
                                 &f->matched, err);
    if (status == PERP_OK) {
        instance_map(f->in, carried, f->start);
    }
    free(carried);
    return status;
}

/* Change every number of the start by at most noise * rms, then project on the set. */
static void frame_add_noise(frame *f, double noise, perp_random *g)
{
    const perp_set *set = f->in->problem->set;
    size_t n = f->in->problem->n;
    double sum = 0.0;
    double most = 0.0;

    for (size_t i = 0; i < n; i++) {
        sum += f->start[i] * f->start[i];
    }
    most = n ? noise * sqrt(sum / (double)n) : 0.0;
    for (size_t i = 0; i < n; i++) {
        f->start[i] += most * perp_random_uniform(g, -1.0, 1.0);
    }
    for (size_t k = 0; k < set->count; k++) {
        perp_set_project(set, k, f->start);
    }
}

static perp_status frame_start(frame *f, const frame *before, const policies_request *o,
                               perp_random *g, perp_error *err)
{
    perp_status status = PERP_OK;

    if (o->policy == POLICY_COLD) {
        return PERP_OK; /* the start is 0 */
    }
    if (o->policy == POLICY_WARM) {
        return frame_start_warm(f, before, err);
    }
    status = frame_solve(f, o, 1, err);
    if (status == PERP_OK && f->solved) {
        memcpy(f->start, f->result->z, f->in->problem->n * sizeof *f->start);
        if (o->policy == POLICY_PERTURBED) {
            frame_add_noise(f, o->noise, g);
        }
    }
    return status; /* without a solution the start remains 0 */
}

static perp_status frame_run(frame *f, const frame *before, const policies_request *o,
                             size_t i, perp_random *g, perp_error *err)
{
    perp_error inner = {0};
    perp_status status = PERP_OK;

    TRY(frame_open(f, o, i, err));
    status = frame_start(f, before, o, g, &inner);
    if (status == PERP_OK) {
        status = frame_solve(f, o, o->repeats, &inner);
    }
    if (status == PERP_OK && f->solved && o->policy == POLICY_WARM) {
        instance_unmap(f->in, f->result->z, f->given);
    }
    return status == PERP_OK ? PERP_OK
                             : perp_fail(err, status, "step %zu: %s", i, inner.text);
}

perp_status policies_run(const policies_request *o,
                         perp_status (*report)(void *context, const policies_step *step,
                                               perp_error *err),
                         void *context, perp_error *err)
{
    perp_random g = {(uint64_t)perp_options_integer(o->opt, "seed")};
    frame frames[2] = {0};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < perp_sequence_count(o->sequence) && status == PERP_OK; i++) {
        frame *f = &frames[i % 2];

        frame_free(f);
        status = frame_run(f, &frames[(i + 1) % 2], o, i, &g, err);
        if (status == PERP_OK) {
            const policies_step step = {.index = i,
                                        .t = f->item.t,
                                        .problem = f->in->problem,
                                        .blocks = f->item.problem->set->count,
                                        .matched = f->matched,
                                        .result = f->result,
                                        .seconds = f->seconds};

            status = report(context, &step, err);
        }
        if (o->opt->interrupt && *o->opt->interrupt) {
            break;
        }
    }
    frame_free(&frames[0]);
    frame_free(&frames[1]);
    return status;
}
