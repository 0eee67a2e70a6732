/* SPDX-License-Identifier: Apache-2.0
 * runner/worker.c: a process that makes runs, one after another, as it is told over a socket. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/process.h"
#include "command/campaign/instances.h"
#include "command/campaign/line.h"
#include "command/campaign/record.h"
#include "command/campaign/wire.h"
#include "command/campaign/worker.h"
#include "command/cli/answer.h"
#include "command/cli/machine.h"

typedef struct worker {
    const worker_orders *orders;
    wire line;
    bool pinned;
    json_t *machine;
    subject subject; /* open from one of its runs to the next */
    const suite_entry *entry;
} worker;

void worker_plan_name(const suite_run *runs, size_t count, char name[17])
{
    uint64_t hash = PERP_HASH_START;

    for (size_t k = 0; k < count; k++) {
        hash = suite_hash_text(hash, runs[k].key);
    }
    snprintf(name, 17, "%016llx", (unsigned long long)hash);
}

static json_t *worker_greeting(const worker_orders *o)
{
    char plan[17], host[256] = "";

    worker_plan_name(o->runs, o->count, plan);
    gethostname(host, sizeof host - 1);
    return json_pack("{s:s, s:i, s:s, s:s, s:i}", "token", o->token, "rank", o->rank,
                     "host", host, "plan", plan, "pid", (int)getpid());
}

/* The subject of a run: that of the run before, or opened now. */
static perp_status worker_subject(worker *w, const suite_run *run, perp_error *err)
{
    if (w->entry == run->entry) {
        return PERP_OK;
    }
    subject_close(&w->subject);
    w->entry = run->entry;
    return subject_open(&w->subject, run, err);
}

/* Run the process to its end. False when the socket was closed meanwhile: it is killed. */
static bool worker_watch(worker *w, perp_process *c)
{
    while (c->pid) {
        json_t *message = NULL;

        perp_process_wait(c, 1, 0.05);
        if (c->pid && wire_receive(&w->line, &message) != WIRE_EMPTY) {
            json_decref(message);
            perp_process_kill(c);
            return false;
        }
    }
    return true;
}

/* AddressSanitizer maps terabytes of addresses before main: no limit holds a perp that was built with
 * it. A program in the place of perp keeps its limit. */
static double worker_megabytes(const suite_limits *limits)
{
#ifdef __SANITIZE_ADDRESS__
    if (!getenv("PERP_EXECUTABLE")) {
        return 0.0;
    }
#endif
    return limits->megabytes;
}

static perp_status worker_start(const worker *w, perp_process *c, const suite_run *run,
                                perp_error *err)
{
    const suite_limits *limits = &run->set->rules.limits;
    double seconds = limits->seconds * w->subject.type->solves(&w->subject, run);
    run_line line;

    subject_command(&line, run, w->orders->executable);
    /* The solver stops by itself at its limit, with an answer; a process that does not stop is
     * killed later: reading and judging, which take up to half as long, are not on its clock. */
    return perp_process_start(
        c,
        &(perp_process_orders){.argv = line.word,
                               .seconds = 2.0 * seconds + 1.0,
                               .megabytes = worker_megabytes(limits)},
        err);
}

/* "pinned": [3], the processors of the run; null when it ran on any. */
static json_t *worker_pinned(const worker *w)
{
    json_t *list = w->pinned ? json_array() : json_null();

    for (size_t k = 0; w->pinned && k < w->orders->cores->count; k++) {
        json_array_append_new(list, json_integer(w->orders->cores->cpu[k]));
    }
    return list;
}

/* The record of a run that ended, or that could not start (c is NULL), and its summary; where it
 * is asked for the description of the instance, too. */
static json_t *worker_report(const worker *w, const suite_run *run, const perp_process *c,
                             bool describe)
{
    const perp_problem *p =
        c && describe && w->subject.in ? w->subject.in->problem : NULL;
    record_summary summary = {0};
    json_t *record =
        record_make(w->orders->suite, run, &w->subject, c, w->machine, &summary);

    answer_add(record, "pinned", worker_pinned(w));
    return json_pack("{s:i, s:o, s:o, s:o}", "count", (int)summary.count, "summary",
                     answer_text(summary.text), "record", record, "instance",
                     p ? instances_describe(p, w->subject.hash) : json_null());
}

/* Make a run; *report is what to send about it. False when the socket was closed. */
static bool worker_make(worker *w, const suite_run *run, bool describe, json_t **report)
{
    perp_process c = {0};
    perp_error err = {0};
    perp_status status = worker_subject(w, run, &err);
    bool started = status == PERP_OK && w->subject.steps > 0, open = true;

    perp_process_clear(&c);
    if (started) {
        status = worker_start(w, &c, run, &err);
    }
    if (started && status == PERP_OK) {
        open = worker_watch(w, &c);
        if (c.end != PERP_PROCESS_EXITED) {
            perp_folder_temporary_sweep(); /* what the killed one would have removed */
        }
    }
    *report = NULL;
    if (open && status == PERP_OK) {
        *report = worker_report(w, run, started ? &c : NULL, describe);
    }
    if (open && !*report) {
        *report = json_pack("{s:o, s:i}", "error", answer_text(err.text), "status",
                            (int)status);
    }
    perp_process_clear(&c);
    return open;
}

void worker_serve(const worker_orders *orders, int file)
{
    worker w = {.orders = orders, .line = {.file = file}, .machine = machine_json()};
    bool open = false;

    w.pinned = orders->cores->count > 0 && perp_cores_bind(orders->cores);
    open = wire_send(&w.line, worker_greeting(orders));
    while (open) {
        json_t *message = NULL, *report = NULL;
        wire_state state = wire_receive(&w.line, &message);
        json_int_t k = json_integer_value(json_object_get(message, "run"));
        bool describe = json_is_true(json_object_get(message, "describe"));

        json_decref(message);
        if (state == WIRE_EMPTY) {
            wire_wait(&w.line, -1.0);
            continue;
        }
        open = state == WIRE_MESSAGE && k >= 0 && (size_t)k < orders->count &&
               worker_make(&w, &orders->runs[k], describe, &report);
        if (open) {
            answer_add(report, "run", json_integer(k));
            open = wire_send(&w.line, json_incref(report));
        }
        json_decref(report);
    }
    subject_close(&w.subject);
    json_decref(w.machine);
    wire_close(&w.line);
}
