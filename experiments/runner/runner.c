/* SPDX-License-Identifier: Apache-2.0
 * runner/runner.c: a suite run to its end, or to a SIGINT.
 *
 * One thread: it starts processes while there is a free slot, waits, judges what they say
 * and appends it to the journal. A problem is read once for all its runs, which stand one
 * after the other in the plan. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/machine.h"
#include "experiments/runner/line.h"
#include "experiments/runner/process.h"
#include "experiments/runner/record.h"
#include "experiments/runner/runner.h"

/* A problem and how many of its runs are still to come. */
typedef struct runner_slot {
    record_problem problem;
    const suite_instance *instance; /* NULL: free */
    size_t pending;
} runner_slot;

typedef struct runner {
    const runner_orders *orders;
    suite_run *runs;
    size_t run_count, next;
    process *processes;   /* jobs of them */
    const suite_run **at; /* jobs: what each is doing */
    runner_slot *slots;   /* jobs + 1: more problems are never open at once */
    size_t slot_count;
    json_t *machine;
    progress progress;
} runner;

/* The problem of a run, opened with the first of them. */
static perp_status runner_problem(runner *r, const suite_run *run, runner_slot **slot,
                                  perp_error *err)
{
    runner_slot *empty = NULL;

    for (size_t k = 0; k < r->slot_count; k++) {
        if (r->slots[k].instance == run->instance) {
            *slot = &r->slots[k];
            return PERP_OK;
        }
        empty = r->slots[k].instance ? empty : &r->slots[k];
    }
    if (!empty) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "more problems are open than jobs");
    }
    *slot = empty;
    empty->instance = run->instance;
    for (size_t k = r->next; k < r->run_count && r->runs[k].instance == run->instance;
         k++) {
        empty->pending += !journal_has(r->orders->journal, r->runs[k].key);
    }
    return record_problem_open(&empty->problem, run, err);
}

static void runner_release(runner_slot *slot)
{
    if (--slot->pending == 0) {
        record_problem_close(&slot->problem);
        memset(slot, 0, sizeof *slot);
    }
}

/* "set instance solver way": what tells the runs of a suite apart. */
static void runner_name(const suite_run *run, char *name, size_t length)
{
    const char *way = run->instance->scene      ? run->coordinates
                      : run->instance->sequence ? run->start
                                                : "";
    const char *more = run->integrator ? run->integrator : "";

    snprintf(name, length, "%s %s %s%s%s%s%s", run->set->name, run->instance->name,
             run->solver->label, *way ? " " : "", way, *more ? " " : "", more);
}

/* Judge and write down a run that ended, or that could not begin (c is NULL). */
static perp_status runner_finish(runner *r, const suite_run *run, const process *c,
                                 perp_error *err)
{
    runner_slot *slot = NULL;
    record_tale tale;
    json_t *record = NULL;
    char name[2 * SUITE_LABEL + INSTANCE_NAME];
    perp_status status = runner_problem(r, run, &slot, err);

    if (status != PERP_OK) {
        return status;
    }
    record = record_make(r->orders->suite, run, &slot->problem, c, r->machine, &tale);
    if (!record) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the record of a run");
    }
    status = journal_append(r->orders->journal, record, err);
    if (status == PERP_OK) {
        runner_name(run, name, sizeof name);
        progress_tell(&r->progress, name, tale.end, tale.count);
        runner_release(slot);
    }
    return status;
}

/* Start the next run that is not there yet in the free slot k. */
static perp_status runner_start(runner *r, size_t k, perp_error *err)
{
    while (r->next < r->run_count) {
        const suite_run *run = &r->runs[r->next];
        const suite_limits *limits = &run->set->rules.limits;
        runner_slot *slot = NULL;
        run_line line;
        double seconds = 0.0;

        if (journal_has(r->orders->journal, run->key)) {
            r->next++;
            continue;
        }
        if (runner_problem(r, run, &slot, err) != PERP_OK) {
            return err->status;
        }
        r->next++;
        if (!slot->problem.steps) {
            if (runner_finish(r, run, NULL, err) != PERP_OK) {
                return err->status;
            }
            continue;
        }
        line_make(&line, run, r->orders->executable);
        r->at[k] = run;
        /* The solver stops itself at its limit, with an answer; a process that does not
         * is killed somewhat later. */
        seconds = limits->seconds * record_solves(&slot->problem, run);
        return process_start(&r->processes[k], line.word, 1.1 * seconds + 1.0,
                             limits->megabytes, err);
    }
    return PERP_OK;
}

/* The one thing a signal can reach. A mask will not do: BLAS has threads of its own, and a
 * signal takes any thread that lets it in. */
static volatile sig_atomic_t runner_stop;

static void runner_signalled(int number)
{
    (void)number;
    runner_stop = 1;
}

static perp_status runner_loop(runner *r, bool *interrupted, perp_error *err)
{
    size_t jobs = r->orders->jobs;
    perp_status status = PERP_OK;

    for (size_t busy = 1; status == PERP_OK && busy && !*interrupted;) {
        busy = 0;
        for (size_t k = 0; k < jobs && status == PERP_OK; k++) {
            if (!r->processes[k].pid) {
                status = runner_start(r, k, err);
            }
            busy += r->processes[k].pid != 0;
        }
        if (status == PERP_OK && busy) {
            process_wait(r->processes, jobs, 1.0);
        }
        for (size_t k = 0; k < jobs && status == PERP_OK; k++) {
            if (r->at[k] && !r->processes[k].pid) {
                status = runner_finish(r, r->at[k], &r->processes[k], err);
                r->at[k] = NULL;
                process_clear(&r->processes[k]);
            }
        }
        *interrupted = runner_stop != 0;
    }
    for (size_t k = 0; k < jobs; k++) {
        process_kill(&r->processes[k]);
        process_clear(&r->processes[k]);
    }
    return status;
}

static perp_status runner_open(runner *r, perp_error *err)
{
    size_t jobs = r->orders->jobs, there = 0;

    if (suite_plan(r->orders->suite, &r->runs, &r->run_count, err) != PERP_OK) {
        return err->status;
    }
    r->processes = calloc(jobs, sizeof *r->processes);
    r->at = calloc(jobs, sizeof *r->at);
    r->slots = calloc(jobs + 1, sizeof *r->slots);
    r->slot_count = jobs + 1;
    r->machine = machine_json();
    if (!r->processes || !r->at || !r->slots || !r->machine) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu jobs", jobs);
    }
    for (size_t k = 0; k < jobs; k++) {
        process_clear(&r->processes[k]);
    }
    for (size_t k = 0; k < r->run_count; k++) {
        there += journal_has(r->orders->journal, r->runs[k].key);
    }
    progress_start(&r->progress, r->orders->out, r->orders->quiet, r->run_count, there);
    return PERP_OK;
}

perp_status runner_run(const runner_orders *orders, bool *interrupted, perp_error *err)
{
    runner r = {.orders = orders};
    const struct sigaction action = {.sa_handler = runner_signalled};
    struct sigaction interrupt, terminate;
    perp_status status = PERP_OK;

    *interrupted = false;
    runner_stop = 0;
    sigaction(SIGINT, &action, &interrupt);
    sigaction(SIGTERM, &action, &terminate);
    status = runner_open(&r, err);
    if (status == PERP_OK) {
        status = runner_loop(&r, interrupted, err);
        progress_end(&r.progress, *interrupted);
    }
    for (size_t k = 0; r.slots && k < r.slot_count; k++) {
        record_problem_close(&r.slots[k].problem);
    }
    free(r.slots);
    free(r.at);
    free(r.processes);
    json_decref(r.machine);
    free(r.runs);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    return status;
}
