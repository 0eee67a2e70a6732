/* SPDX-License-Identifier: Apache-2.0
 * runner/pinning.c: which processors the runs of a campaign are bound to. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "command/campaign/pinning.h"
#include "command/cli/take.h"

/* The value of an integer option, 1 where the solver has none of this name. */
static size_t pinning_option(const perp_options *opt, const char *name)
{
    long value = perp_options_find(opt, name) ? perp_options_integer(opt, name) : 1;

    return value > 1 ? (size_t)value : 1;
}

size_t pinning_each(const suite_run *runs, size_t count)
{
    const char *blas = getenv("PERP_BLAS_THREADS");
    long most = blas ? atol(blas) : 1;
    size_t each = most > 1 ? (size_t)most : 1;

    for (size_t k = 0; k < count; k++) {
        const perp_options *opt = &runs[k].solver->options;
        const json_t *scheme =
            json_object_get(runs[k].set->rules.scheme.value, "threads");
        const size_t asked[] = {pinning_option(opt, "threads"),
                                pinning_option(opt, "ranks"),
                                (size_t)json_integer_value(scheme)};

        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            each = asked[i] > each ? asked[i] : each;
        }
    }
    return each;
}

static void pinning_allocate(pinning *p, size_t jobs, size_t each)
{
    *p = (pinning){.count = jobs,
                   .each = each,
                   .jobs = take(jobs, sizeof *p->jobs),
                   .claims = take(PERP_CORES_MAX, sizeof *p->claims)};
}

static bool pinning_claim(pinning *p, int cpu)
{
    int file = perp_cores_claim(cpu);

    if (file >= 0) {
        p->claims[p->claim_count++] = file;
    }
    return file >= 0;
}

static void pinning_release(pinning *p)
{
    for (size_t k = 0; k < p->claim_count; k++) {
        close(p->claims[k]);
    }
    p->claim_count = 0;
    for (size_t k = 0; k < p->count; k++) {
        p->jobs[k].count = p->jobs[k].physical = 0;
    }
}

/* Claim processors in the order of the list, those of different cores first. */
static void pinning_choose(pinning *p)
{
    cpu_set_t allowed;
    perp_cores all;

    perp_cores_allowed(&allowed);
    perp_cores_list(&all, &allowed, NULL);
    for (size_t k = 0; k < all.count && p->free < p->count * p->each; k++) {
        if (pinning_claim(p, all.cpu[k])) {
            perp_cores *job = &p->jobs[p->free++ / p->each];

            job->cpu[job->count++] = all.cpu[k];
            job->physical += k < all.physical;
            p->shared = p->shared || k >= all.physical;
        }
    }
}

void pinning_open(pinning *p, size_t jobs, size_t each, bool wanted)
{
    pinning_allocate(p, jobs, each);
    if (wanted) {
        p->wanted = true;
        pinning_choose(p);
        p->pinned = p->free == jobs * each;
    }
    if (!p->pinned) {
        pinning_release(p);
    }
}

void pinning_adopt(pinning *p, const perp_cores *cores, bool wanted)
{
    pinning_allocate(p, 1, cores->count);
    p->wanted = wanted;
    p->pinned = cores->count > 0;
    p->jobs[0] = *cores;
    p->shared = cores->physical < cores->count;
    for (size_t k = 0; k < cores->count; k++) {
        p->pinned = pinning_claim(p, cores->cpu[k]) && p->pinned;
    }
    if (!p->pinned) {
        pinning_release(p);
    }
}

void pinning_close(pinning *p)
{
    if (p->jobs && p->claims) {
        pinning_release(p);
    }
    free(p->jobs);
    free(p->claims);
    *p = (pinning){0};
}

void pinning_describe(const pinning *p, char *text, size_t length)
{
    const char *runs = p->count == 1 ? "run" : "runs";

    if (p->pinned && p->each == 1) {
        snprintf(text, length, "%zu %s at a time, each pinned to a processor%s", p->count,
                 runs, p->shared ? "; some processors share a core" : " of its own");
    } else if (p->pinned) {
        snprintf(text, length, "%zu %s at a time, each pinned to %zu processors%s",
                 p->count, runs, p->each,
                 p->shared ? "; some processors share a core" : "");
    } else {
        snprintf(text, length, "%zu %s at a time, not pinned to processors", p->count,
                 runs);
    }
}

void pinning_doubt(const pinning *p, char *text, size_t length)
{
    *text = '\0';
    if (p->wanted && !p->pinned && p->each == 0) {
        snprintf(
            text, length,
            "the ranks of a machine need more processors than are free: runs are not "
            "pinned, and their times are not comparable");
    } else if (p->wanted && !p->pinned) {
        snprintf(
            text, length,
            "the runs at a time (%zu) need %zu processors and %zu are free: they are "
            "not pinned, and their times are not comparable",
            p->count, p->count * p->each, p->free);
    } else if (p->shared) {
        snprintf(text, length,
                 "some of the %zu runs at a time share a core: their times are not "
                 "comparable with those of runs on a core of their own",
                 p->count);
    }
}
