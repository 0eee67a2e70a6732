/* SPDX-License-Identifier: Apache-2.0
 * runner/arms.c: a sequence solved step by step, from one kind of start. Two steps are in
 * memory at a time. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/runner/arms.h"

const char *arm_name(arm_kind arm)
{
    static const char *const names[] = {
#define ARM_TEXT(name, text) text,
        ARMS_LIST(ARM_TEXT)
#undef ARM_TEXT
    };

    return names[arm];
}

bool arm_find(const char *name, arm_kind *arm)
{
    for (int k = 0; k < ARM_KINDS; k++) {
        if (strcmp(arm_name((arm_kind)k), name) == 0) {
            *arm = (arm_kind)k;
            return true;
        }
    }
    return false;
}

/* A step at work, and what it leaves to the next. */
typedef struct frame {
    perp_sequence_item step; /* its problem is that of `in` */
    instance *in;
    perp_result *result;
    double *start; /* of the problem as asked */
    double *given; /* the answer as a point of the given problem, once it is solved */
    size_t matched;
    double seconds;
    bool solved;
} frame;

static void frame_free(frame *f)
{
    if (f->in) {
        f->step.problem = NULL; /* it goes with the instance */
    }
    perp_sequence_item_clear(&f->step);
    instance_free(f->in);
    perp_result_free(f->result);
    free(f->start);
    free(f->given);
    memset(f, 0, sizeof *f);
}

static perp_status frame_open(frame *f, const arms_orders *o, size_t i, perp_error *err)
{
    perp_status status = perp_sequence_get(o->sequence, i, &f->step, err);
    perp_problem *p = f->step.problem;

    if (status != PERP_OK) {
        return status;
    }
    f->step.problem = NULL; /* taken over, also on failure */
    status = instance_new(&f->in, p, &o->request, err);
    if (status != PERP_OK) {
        return status;
    }
    f->step.problem = p;
    f->start = perp_reals_new(f->in->problem->n);
    f->given = perp_reals_new(p->n);
    if (!f->start || !f->given) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    return perp_result_new(&f->result, f->in->problem->n, err);
}

/* Solve from f->start; the least time of all repeats counts. */
static perp_status frame_solve(frame *f, const arms_orders *o, size_t repeats,
                               perp_error *err)
{
    const perp_problem *p = f->in->problem;
    double limit = perp_options_real(o->opt, "time-limit");
    double spent = 0.0;
    perp_status status = PERP_OK;

    f->seconds = INFINITY;
    for (size_t k = 0; k < repeats && status == PERP_OK; k++) {
        perp_result_restart(f->result);
        memcpy(f->result->z, f->start, p->n * sizeof *f->start);
        status = perp_solve(o->type, p, o->opt, f->result, err);
        f->seconds = fmin(f->seconds, f->result->seconds);
        spent += f->result->seconds;
        if ((o->opt->interrupt && *o->opt->interrupt) ||
            (limit > 0.0 && spent + f->result->seconds > limit)) {
            break;
        }
    }
    f->solved = status == PERP_OK && f->result->outcome == PERP_SOLVED;
    return status;
}

/* Impulses of the step before, by key. */
static perp_status start_warm(frame *f, const frame *before, perp_error *err)
{
    double *carried = NULL;
    perp_status status = PERP_OK;

    if (!before->solved) {
        return PERP_OK; /* no step before, or one that leaves nothing to trust */
    }
    carried = perp_reals_new(f->step.problem->n);
    status = carried ? perp_sequence_carry(&before->step, before->given, &f->step,
                                           carried, &f->matched, err)
                     : perp_fail(err, PERP_ERR_MEMORY, "no memory for a start");
    if (status == PERP_OK) {
        instance_map(f->in, carried, f->start);
    }
    free(carried);
    return status;
}

/* Every number of the start by at most noise * rms, then back into the set. */
static void add_noise(frame *f, double noise, perp_random *g)
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

static perp_status frame_start(frame *f, const frame *before, const arms_orders *o,
                               perp_random *g, perp_error *err)
{
    perp_status status = PERP_OK;

    if (o->arm == ARM_COLD) {
        return PERP_OK; /* it is 0 */
    }
    if (o->arm == ARM_WARM) {
        return start_warm(f, before, err);
    }
    status = frame_solve(f, o, 1, err);
    if (status == PERP_OK && f->solved) {
        memcpy(f->start, f->result->z, f->in->problem->n * sizeof *f->start);
        if (o->arm == ARM_PERTURBED) {
            add_noise(f, o->noise, g);
        }
    }
    return status; /* without an answer there is no oracle: the start stays 0 */
}

static perp_status run_step(frame *f, const frame *before, const arms_orders *o, size_t i,
                            perp_random *g, perp_error *err)
{
    perp_error inner = {0};
    perp_status status = frame_open(f, o, i, err);

    if (status != PERP_OK) {
        return status;
    }
    status = frame_start(f, before, o, g, &inner);
    status = status ? status : frame_solve(f, o, o->repeats, &inner);
    if (status == PERP_OK && f->solved && o->arm == ARM_WARM) {
        instance_unmap(f->in, f->result->z, f->given);
    }
    return status ? perp_fail(err, status, "step %zu: %s", i, inner.text) : PERP_OK;
}

perp_status arms_run(const arms_orders *o,
                     perp_status (*tell)(void *context, const arms_step *step,
                                         perp_error *err),
                     void *context, perp_error *err)
{
    perp_random g = {(uint64_t)perp_options_integer(o->opt, "seed")};
    frame frames[2] = {0};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < perp_sequence_count(o->sequence) && status == PERP_OK; i++) {
        frame *f = &frames[i % 2];

        frame_free(f);
        status = run_step(f, &frames[(i + 1) % 2], o, i, &g, err);
        if (status == PERP_OK) {
            const arms_step step = {.index = i,
                                    .t = f->step.t,
                                    .problem = f->in->problem,
                                    .blocks = f->step.problem->set->count,
                                    .matched = f->matched,
                                    .result = f->result,
                                    .seconds = f->seconds};

            status = tell(context, &step, err);
        }
        if (o->opt->interrupt && *o->opt->interrupt) {
            break;
        }
    }
    frame_free(&frames[0]);
    frame_free(&frames[1]);
    return status;
}
