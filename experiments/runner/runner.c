/* SPDX-License-Identifier: Apache-2.0
 * runner/runner.c: a suite run to its end, or to a SIGINT.
 *
 * One thread: it starts processes while there is a free slot, waits, judges their answers and
 * appends them to the journal. A subject is opened once for all its runs, which are
 * consecutive in the plan. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "experiments/cli/machine.h"
#include "experiments/runner/line.h"
#include "experiments/runner/record.h"
#include "experiments/runner/runner.h"

/* A subject and the number of its runs that are not recorded yet. */
typedef struct runner_slot {
    subject subject;
    const suite_entry *entry; /* NULL: free */
    size_t pending;
} runner_slot;

typedef struct runner {
    const runner_request *request;
    suite_run *runs;
    size_t run_count, next;
    perp_process *processes; /* jobs of them */
    const suite_run **at;    /* jobs: the run of each process */
    runner_slot *slots;      /* jobs + 1: more subjects are never open at once */
    size_t slot_count;
    json_t *machine;
    progress progress;
} runner;

/* The subject of a run, opened with the first of them. */
static perp_status runner_subject(runner *r, const suite_run *run, runner_slot **slot,
                                  perp_error *err)
{
    runner_slot *empty = NULL;

    for (size_t k = 0; k < r->slot_count; k++) {
        if (r->slots[k].entry == run->entry) {
            *slot = &r->slots[k];
            return PERP_OK;
        }
        empty = r->slots[k].entry ? empty : &r->slots[k];
    }
    if (!empty) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "more subjects are open than jobs");
    }
    *slot = empty;
    empty->entry = run->entry;
    for (size_t k = r->next; k < r->run_count && r->runs[k].entry == run->entry; k++) {
        empty->pending += !journal_has(r->request->journal, r->runs[k].key);
    }
    return subject_open(&empty->subject, run, err);
}

static void runner_release(runner_slot *slot)
{
    if (--slot->pending == 0) {
        subject_close(&slot->subject);
        memset(slot, 0, sizeof *slot);
    }
}

/* "set instance label": what distinguishes the runs of a suite. */
static void runner_name(const suite_run *run, char *name, size_t length)
{
    char label[2 * SUITE_LABEL];

    run->entry->type->label(run, label, sizeof label);
    snprintf(name, length, "%s %s %s", run->set->name, run->entry->name, label);
}

/* Judge and record a run that ended, or that could not start (c is NULL). */
static perp_status runner_finish(runner *r, const suite_run *run, const perp_process *c,
                                 perp_error *err)
{
    runner_slot *slot = NULL;
    record_summary summary;
    json_t *record = NULL;
    char name[3 * SUITE_LABEL + INSTANCE_NAME];
    perp_status status = runner_subject(r, run, &slot, err);

    if (status != PERP_OK) {
        return status;
    }
    record = record_make(r->request->suite, run, &slot->subject, c, r->machine, &summary);
    if (!record) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the record of a run");
    }
    status = journal_append(r->request->journal, record, err);
    if (status == PERP_OK) {
        runner_name(run, name, sizeof name);
        progress_report(&r->progress, name, summary.text, summary.count);
        runner_release(slot);
    }
    return status;
}

/* Start the process of a run in the free slot k. */
static perp_status runner_launch(runner *r, size_t k, const suite_run *run,
                                 const subject *s, perp_error *err)
{
    const suite_limits *limits = &run->set->rules.limits;
    double seconds = limits->seconds * s->type->solves(s, run);
    run_line line;

    subject_command(&line, run, r->request->executable);
    r->at[k] = run;
    /* The solver stops by itself at its limit, with an answer; a process that does not stop is
     * killed later: reading and judging, which take up to half as long, are not on its clock. */
    return perp_process_start(&r->processes[k],
                              &(perp_process_orders){.argv = line.word,
                                                     .seconds = 2.0 * seconds + 1.0,
                                                     .megabytes = limits->megabytes},
                              err);
}

/* Start the next run that is not recorded yet; record those whose subject cannot be opened. */
static perp_status runner_start(runner *r, size_t k, perp_error *err)
{
    perp_status status = PERP_OK;

    while (r->next < r->run_count && status == PERP_OK) {
        const suite_run *run = &r->runs[r->next];
        runner_slot *slot = NULL;

        if (journal_has(r->request->journal, run->key)) {
            r->next++;
            continue;
        }
        status = runner_subject(r, run, &slot, err);
        if (status != PERP_OK) {
            return status;
        }
        r->next++;
        if (slot->subject.steps > 0) {
            return runner_launch(r, k, run, &slot->subject, err);
        }
        status = runner_finish(r, run, NULL, err);
    }
    return status;
}

/* A signal handler reaches nothing else. Blocking signals is no alternative: BLAS has threads
 * of its own, and a signal is delivered to any thread that does not block it. */
static volatile sig_atomic_t runner_stop;

static void runner_signalled(int number)
{
    (void)number;
    runner_stop = 1;
}

static perp_status runner_loop(runner *r, bool *interrupted, perp_error *err)
{
    size_t jobs = r->request->jobs;
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
            perp_process_wait(r->processes, jobs, 1.0);
        }
        for (size_t k = 0; k < jobs && status == PERP_OK; k++) {
            if (r->at[k] && !r->processes[k].pid) {
                status = runner_finish(r, r->at[k], &r->processes[k], err);
                r->at[k] = NULL;
                perp_process_clear(&r->processes[k]);
            }
        }
        *interrupted = runner_stop != 0;
    }
    for (size_t k = 0; k < jobs; k++) {
        perp_process_kill(&r->processes[k]);
        perp_process_clear(&r->processes[k]);
    }
    return status;
}

static perp_status runner_open(runner *r, perp_error *err)
{
    size_t jobs = r->request->jobs, there = 0;
    perp_status status = suite_plan(r->request->suite, &r->runs, &r->run_count, err);

    if (status != PERP_OK) {
        return status;
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
        perp_process_clear(&r->processes[k]);
    }
    for (size_t k = 0; k < r->run_count; k++) {
        there += journal_has(r->request->journal, r->runs[k].key);
    }
    progress_start(&r->progress, r->request->out, r->request->quiet, r->run_count, there);
    return PERP_OK;
}

perp_status runner_run(const runner_request *request, bool *interrupted, perp_error *err)
{
    runner r = {.request = request};
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
        subject_close(&r.slots[k].subject);
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
