/* SPDX-License-Identifier: Apache-2.0
 * runner/runner.c: a suite run to its end, or to a signal.
 *
 * One thread: it hands out runs to workers, waits for their records and appends these to the
 * journal. Workers are processes of this machine or of other ranks of mpiexec. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/campaign/record.h"
#include "command/campaign/runner.h"
#include "command/campaign/workers.h"
#include "command/cli/machine.h"
#include "command/cli/output.h"
#include "command/cli/plugin.h"

/* A run whose workers have ended so often is recorded as failed, and so many workers per job may end
 * before they greet; seconds in which workers that were started are ready. */
enum { RUNNER_LOSSES = 2, RUNNER_PATIENCE = 2 };

typedef struct runner {
    const runner_request *request;
    suite_run *runs;
    size_t run_count;
    queue queue;
    pinning pinning;
    workers workers;
    progress progress;
    bool stopping;  /* no further run is started */
    double opened;  /* when the workers were started */
    json_t *laws;   /* {set: {law: true}} of the records */
    size_t unready; /* workers that ended before they greeted, since the last report */
} runner;

/* The names of a run, for lines about it. */
typedef struct runner_name {
    progress_run run;
    char label[2 * SUITE_LABEL];
} runner_name;

static const progress_run *runner_name_of(runner_name *name, const suite_run *run)
{
    run->entry->type->label(run, name->label, sizeof name->label);
    name->run = (progress_run){.set = run->set->name,
                               .instance = run->entry->name,
                               .label = name->label,
                               .limit = run->set->rules.limits.seconds};
    return &name->run;
}

/* Two signals of the same kind, or one that ends at once, are all that counts. */
static volatile sig_atomic_t runner_signals;

static void runner_signalled(int number)
{
    runner_signals = number == SIGTERM ? 2 : runner_signals + 1;
}

/* Note the law of friction of a record. */
static void runner_note_law(runner *r, const char *set, const json_t *record)
{
    const char *law = record_law(record);
    json_t *laws = json_object_get(r->laws, set);

    if (*law && !laws) {
        laws = json_object();
        json_object_set_new(r->laws, set, laws);
    }
    if (*law) {
        json_object_set_new(laws, law, json_true());
    }
}

/* "friction: piles Coulomb's law, heap associated law" */
static void runner_say_laws(runner *r)
{
    char text[1024] = "";
    size_t used = 0;
    const char *set = NULL, *law = NULL;
    json_t *laws = NULL, *value = NULL;

    json_object_foreach(r->laws, set, laws)
    {
        json_object_foreach(laws, law, value)
        {
            if (used < sizeof text) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s",
                                         used ? ", " : "", set, record_law_words(law));
            }
        }
    }
    if (used) {
        progress_say(&r->progress, "friction: %s%s", text,
                     used < sizeof text ? "" : "\u2026");
    }
}

/* Append a record, which it takes over, and count the run. */
static perp_status runner_append(runner *r, size_t k, json_t *record, const char *summary,
                                 progress_count count, double seconds, perp_error *err)
{
    runner_name name;
    perp_status status = PERP_OK;

    runner_note_law(r, r->runs[k].set->name, record);
    status = journal_append(r->request->journal, record, err);
    if (status == PERP_OK) {
        r->queue.runs[k].state = QUEUE_DONE;
        progress_report(&r->progress, runner_name_of(&name, &r->runs[k]), summary, count,
                        seconds);
    }
    return status;
}

/* What a worker reports: a record, or why it cannot make runs. */
static perp_status runner_report(runner *r, workers_seat *seat, const json_t *message,
                                 perp_error *err)
{
    const char *error = json_string_value(json_object_get(message, "error"));
    const char *summary = json_string_value(json_object_get(message, "summary"));
    json_t *record = json_object_get(message, "record");
    const json_t *described = json_object_get(message, "instance");
    perp_status status = PERP_OK;
    json_int_t count = json_integer_value(json_object_get(message, "count"));
    size_t k = seat->run;

    if (!json_is_object(record) || count < 0 || count >= PROGRESS_COUNTS) {
        json_int_t code = json_integer_value(json_object_get(message, "status"));

        return perp_fail(err, code > 0 ? (perp_status)code : PERP_ERR_LIBRARY, "%s: %s",
                         seat->name, error ? error : "it does not report its run");
    }
    seat->run = QUEUE_NONE;
    r->unready = 0;
    /* Before the record, after which --resume asks for no description. */
    if (json_is_object(described)) {
        status = instances_append(r->request->instances, described, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    return runner_append(r, k, json_incref(record), summary ? summary : "",
                         (progress_count)count, perp_clock() - seat->started, err);
}

/* Record a run during which several workers have ended. */
static perp_status runner_give_up(runner *r, size_t k, double seconds, perp_error *err)
{
    const suite_run *run = &r->runs[k];
    subject s = {.type = run->entry->type};
    record_summary summary = {0};
    json_t *machine = machine_json(), *record = NULL;

    perp_fail(&s.err, PERP_ERR_LIBRARY, "%d workers ended unexpectedly during this run",
              RUNNER_LOSSES);
    record = record_make(r->request->suite, run, &s, NULL, machine, &summary);
    json_decref(machine);
    return runner_append(r, k, record, summary.text, summary.count, seconds, err);
}

/* A worker of this machine has ended before it greeted: without memory, the next one may as well. */
static perp_status runner_lose_unready(runner *r, const workers_seat *lost,
                                       perp_error *err)
{
    r->unready++;
    return r->unready <= RUNNER_LOSSES * r->pinning.count
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY,
                           "perp compare: %s: %zu workers ended before their first run: "
                           "not enough memory, or something ends them",
                           lost->name, r->unready);
}

/* A worker has ended: its run is made again by another one, RUNNER_LOSSES times at most. */
static perp_status runner_lose(runner *r, size_t seat, perp_error *err)
{
    const workers_seat *lost = &r->workers.seats[seat];
    size_t k = lost->run;
    double seconds = perp_clock() - lost->started;
    perp_status status = PERP_OK;

    if (k != QUEUE_NONE) {
        runner_name name;
        const progress_run *run = runner_name_of(&name, &r->runs[k]);
        bool again = ++r->queue.runs[k].losses < RUNNER_LOSSES;

        r->queue.groups[r->queue.runs[k].group].described = false;
        progress_say(&r->progress, "%s ended unexpectedly; its run %s %s %s is %s",
                     lost->name, run->set, run->instance, run->label,
                     again ? "made again" : "recorded as failed");
        if (again) {
            queue_add(&r->queue, k);
        } else {
            status = runner_give_up(r, k, seconds, err);
        }
    } else if (lost->pid && !lost->greeted) {
        status = runner_lose_unready(r, lost, err);
    }
    return status == PERP_OK ? workers_drop(&r->workers, seat, err) : status;
}

/* Is the worker of a run to describe its instance? The first one is. */
static bool runner_describes(runner *r, size_t run)
{
    queue_group *group = &r->queue.groups[r->queue.runs[run].group];
    bool describes = r->request->instances && !group->described &&
                     r->runs[run].entry->type == &subject_instance;

    group->described = group->described || describes;
    return describes;
}

/* Hand out runs to workers that have none; how many are in flight then. */
static size_t runner_hand_out(runner *r)
{
    size_t busy = 0;

    for (size_t k = 0; k < r->workers.count; k++) {
        workers_seat *seat = &r->workers.seats[k];

        if (seat->greeted && seat->run == QUEUE_NONE && !r->stopping) {
            size_t run = queue_take(&r->queue, &seat->group);

            if (run != QUEUE_NONE) {
                workers_give(&r->workers, k, run, runner_describes(r, run));
            }
        }
        busy += seat->run != QUEUE_NONE;
    }
    return busy;
}

/* All that the workers have sent. */
static perp_status runner_listen(runner *r, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = r->workers.count; k-- > 0 && status == PERP_OK;) {
        json_t *message = NULL;
        workers_event event = workers_next(&r->workers, k, &message);

        if (event == WORKERS_REPORT) {
            status = runner_report(r, &r->workers.seats[k], message, err);
        } else if (event == WORKERS_LOST) {
            status = runner_lose(r, k, err);
        }
        json_decref(message);
    }
    return status;
}

/* The bar, with the run that has been in flight for longest, if that is a second. */
static void runner_show(runner *r)
{
    const workers_seat *slowest = NULL;
    double since = perp_clock() - 1.0; /* one that has just started is not slow */
    size_t jobs = 0;
    runner_name name;

    for (size_t k = 0; k < r->workers.count; k++) {
        const workers_seat *seat = &r->workers.seats[k];

        jobs += seat->greeted;
        if (seat->run != QUEUE_NONE && seat->started < since) {
            slowest = seat;
            since = seat->started;
        }
    }
    progress_show(&r->progress,
                  slowest ? runner_name_of(&name, &r->runs[slowest->run]) : NULL,
                  perp_clock() - since, jobs);
}

/* Nothing is left to do; ranks that are about to connect are waited for, since one that cannot
 * connect prints an error. */
static bool runner_is_done(const runner *r, size_t busy)
{
    size_t expected = r->pinning.count + (size_t)r->request->ranks->count - 1;
    bool idle = busy == 0 && (r->stopping || r->queue.waiting == 0);

    return idle &&
           (r->workers.joined >= expected || perp_clock() > r->opened + RUNNER_PATIENCE);
}

static perp_status runner_loop(runner *r, bool *interrupted, perp_error *err)
{
    perp_status status = PERP_OK;

    while (status == PERP_OK && runner_signals < 2) {
        size_t busy = runner_hand_out(r);

        if (runner_is_done(r, busy)) {
            break;
        }
        workers_wait(&r->workers, 0.2);
        status = runner_listen(r, err);
        if (runner_signals == 1 && !r->stopping) {
            r->stopping = true;
            progress_say(&r->progress,
                         "interrupted: no further run is started; a second signal ends "
                         "those in flight");
        }
        runner_show(r);
    }
    *interrupted = runner_signals > 0;
    return status;
}

/* Does the request leave this subject to another part? */
static bool runner_skips(const runner_request *request, size_t group)
{
    return request->parts > 0 && group % request->parts != request->part;
}

/* Runs that were made by plugins that have changed since. */
typedef struct runner_old {
    size_t count;
    const suite_run *first;
} runner_old;

/* Was the run made, by the plugins that are loaded now? */
static bool runner_has(const journal *j, const suite_run *run, runner_old *old)
{
    const perp_options *opt = &run->solver->options;
    bool there = journal_has(j, run->key);

    if (there && plugin_is_used(opt) &&
        !plugin_is_same(journal_plugins(j, run->key), opt)) {
        old->first = old->first ? old->first : run;
        old->count++;
        return false;
    }
    return there;
}

/* A member of a plugin of a list. */
static const char *runner_text(const json_t *plugins, size_t k, const char *member)
{
    const char *text =
        json_string_value(json_object_get(json_array_get(plugins, k), member));

    return text ? text : "unknown";
}

/* Why runs that are there are made again, by the first plugin of the first of them. */
static void runner_say_old(runner *r, const runner_old *old)
{
    json_t *now = plugin_json(&old->first->solver->options);
    const json_t *was = journal_plugins(r->request->journal, old->first->key);
    size_t k = 0;

    while (k + 1 < json_array_size(now) &&
           json_equal(json_object_get(json_array_get(now, k), "hash"),
                      json_object_get(json_array_get(was, k), "hash"))) {
        k++;
    }
    progress_say(&r->progress, "%zu run%s made again: %s has changed, hash %s, before %s",
                 old->count, old->count == 1 ? " is" : "s are",
                 runner_text(now, k, "file"), runner_text(now, k, "hash"),
                 runner_text(was, k, "hash"));
    json_decref(now);
}

/* Queue the runs that are to be made. */
static void runner_plan(runner *r)
{
    const runner_request *request = r->request;
    size_t total = 0, there = 0;
    runner_old old = {0};

    for (size_t k = 0; k < r->run_count; k++) {
        if (runner_skips(request, r->queue.runs[k].group)) {
            continue;
        }
        total++;
        if (runner_has(request->journal, &r->runs[k], &old)) {
            there++;
            if (request->instances &&
                instances_has(request->instances,
                              journal_hash(request->journal, r->runs[k].key))) {
                r->queue.groups[r->queue.runs[k].group].described = true;
            }
        } else {
            queue_add(&r->queue, k);
        }
    }
    /* mpiexec gives rank 0 a terminal, whatever its own output is */
    progress_start(&r->progress, request->out, request->quiet, request->ranks->count > 1,
                   total, there);
    if (old.count > 0) {
        runner_say_old(r, &old);
    }
    for (size_t k = 0; k < r->run_count; k++) {
        if (r->queue.runs[k].state == QUEUE_WAITS) {
            runner_name name;

            progress_expect(&r->progress, runner_name_of(&name, &r->runs[k]));
        }
    }
}

/* Processors for the jobs of this machine, and the other ranks, which choose theirs together. */
static perp_status runner_pin(runner *r, perp_error *err)
{
    const runner_request *request = r->request;
    size_t each = pinning_each(r->runs, r->run_count);
    char text[256];
    perp_status status = PERP_OK;

    if (request->ranks->count > 1) {
        status = ranks_invite(request->ranks, request->pin ? each : 0, err);
        if (status == PERP_OK) {
            pinning_adopt(&r->pinning, &request->ranks->cores, request->pin);
        }
    } else {
        pinning_open(&r->pinning, request->jobs, each, request->pin);
    }
    if (status != PERP_OK) {
        return status;
    }
    pinning_describe(&r->pinning, text, sizeof text);
    if (request->ranks->count > 1) {
        progress_say(&r->progress, "%d ranks, on each %s", request->ranks->count, text);
    } else {
        progress_say(&r->progress, "%s", text);
    }
    pinning_doubt(&r->pinning, text, sizeof text);
    if (*text) {
        output_print(stderr, OUTPUT_PLAIN, "perp compare: %s\n", text);
    }
    return PERP_OK;
}

static perp_status runner_open(runner *r, perp_error *err)
{
    const runner_request *request = r->request;
    perp_status status = suite_plan(request->suite, &r->runs, &r->run_count, err);

    if (status == PERP_OK) {
        queue_open(&r->queue, r->runs, r->run_count);
    }
    if (status == PERP_OK) {
        runner_plan(r);
        status = runner_pin(r, err);
    }
    r->opened = perp_clock();
    if (status == PERP_OK) {
        status = workers_open(&r->workers,
                              &(worker_orders){.suite = request->suite,
                                               .runs = r->runs,
                                               .count = r->run_count,
                                               .executable = request->executable,
                                               .token = request->ranks->token},
                              &r->pinning, request->ranks->listener,
                              request->journal->file, err);
    }
    return status;
}

perp_status runner_run(const runner_request *request, bool *interrupted, perp_error *err)
{
    static const int numbers[] = {SIGINT, SIGUSR1, SIGTERM};
    enum { SIGNALS = sizeof numbers / sizeof *numbers };
    const struct sigaction action = {.sa_handler = runner_signalled};
    struct sigaction before[SIGNALS];
    runner r = {.request = request,
                .laws = json_object(),
                .workers = {.listener = -1, .lock = -1}};
    perp_status status = PERP_OK;

    *interrupted = false;
    runner_signals = 0;
    for (size_t k = 0; k < SIGNALS; k++) {
        sigaction(numbers[k], &action, &before[k]);
    }
    status = runner_open(&r, err);
    if (status == PERP_OK) {
        status = runner_loop(&r, interrupted, err);
        workers_close(&r.workers);
        runner_say_laws(&r);
        progress_end(&r.progress, *interrupted);
    } else {
        workers_close(&r.workers);
    }
    pinning_close(&r.pinning);
    queue_close(&r.queue);
    json_decref(r.laws);
    free(r.runs);
    for (size_t k = 0; k < SIGNALS; k++) {
        sigaction(numbers[k], &before[k], NULL);
    }
    return status;
}
