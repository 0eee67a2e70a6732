/* SPDX-License-Identifier: Apache-2.0
 * runner/workers.c: the processes that make the runs of a campaign. */
#include <config.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "command/campaign/ranks.h"
#include "command/campaign/workers.h"
#include "command/cli/output.h"
#include "command/cli/take.h"

/* A greeting is short; what connects and is no worker is not listened to for long. */
enum { WORKERS_GREETING = 4096, WORKERS_PATIENCE = 2 };

static void workers_room(workers *w)
{
    TAKE_ROOM(w->seats, w->room, w->count + 1);
    w->seats[w->count] = (workers_seat){
        .line = {.file = -1}, .run = QUEUE_NONE, .group = QUEUE_NONE, .name = "worker"};
}

/* The child: it keeps its own socket alone, and signals that end the campaign are for the
 * runner to handle. */
static void workers_child(const workers *w, size_t job, int file, pid_t parent)
{
    worker_orders orders = w->orders;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(0);
    }
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    for (size_t k = 0; k < w->count; k++) {
        if (w->seats[k].line.file >= 0) {
            close(w->seats[k].line.file);
        }
    }
    if (w->listener >= 0) {
        close(w->listener);
    }
    if (w->lock >= 0) {
        close(w->lock);
    }
    orders.cores = &w->pinning->jobs[job];
    worker_serve(&orders, file);
    _exit(0);
}

/* A process of this machine in the seat. */
static perp_status workers_fork(workers *w, workers_seat *seat, size_t job,
                                perp_error *err)
{
    pid_t parent = getpid();
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "no socket for a worker: %s",
                         strerror(errno));
    }
    fflush(NULL); /* the child must not write what this process has not written yet */
    seat->pid = fork();
    if (seat->pid == 0) {
        close(pair[0]);
        workers_child(w, job, pair[1], parent);
    }
    close(pair[1]);
    if (seat->pid < 0) {
        close(pair[0]);
        seat->pid = 0;
        return perp_fail(err, PERP_ERR_LIBRARY, "cannot start a worker: %s",
                         strerror(errno));
    }
    seat->line = (wire){.file = pair[0]};
    seat->job = job;
    seat->run = seat->group = QUEUE_NONE;
    seat->greeted = false;
    snprintf(seat->name, sizeof seat->name, "worker %zu", job + 1);
    return PERP_OK;
}

perp_status workers_open(workers *w, const worker_orders *orders, const pinning *p,
                         int listener, int lock, perp_error *err)
{
    perp_status status = PERP_OK;

    *w = (workers){.orders = *orders, .pinning = p, .listener = listener, .lock = lock};
    worker_plan_name(orders->runs, orders->count, w->plan);
    for (size_t job = 0; job < p->count && status == PERP_OK; job++) {
        workers_room(w);
        if (status == PERP_OK) {
            status = workers_fork(w, &w->seats[w->count], job, err);
            w->count += status == PERP_OK;
        }
    }
    return status;
}

/* A worker of another rank connects. */
static void workers_admit(workers *w)
{
    int file = accept4(w->listener, NULL, NULL, SOCK_CLOEXEC);

    if (file < 0) {
        return;
    }
    workers_room(w);
    ranks_keep_alive(file);
    w->seats[w->count].line = (wire){.file = file, .most = WORKERS_GREETING};
    w->seats[w->count].started = perp_clock();
    w->count++;
}

void workers_wait(workers *w, double seconds)
{
    struct pollfd *watch = take(w->count + 1, sizeof *watch);
    size_t open = 0;

    for (size_t k = 0; k < w->count; k++) {
        if (w->seats[k].line.file >= 0) {
            watch[open++] = (struct pollfd){w->seats[k].line.file, POLLIN, 0};
        }
    }
    if (w->listener >= 0) {
        watch[open++] = (struct pollfd){w->listener, POLLIN, 0};
    }
    poll(watch, open, (int)(seconds * 1e3));
    if (w->listener >= 0 && (watch[open - 1].revents & POLLIN)) {
        workers_admit(w);
    }
    free(watch);
}

/* Does the first message name the token and the plan of this campaign? */
static bool workers_greet(workers *w, workers_seat *seat, const json_t *message)
{
    const char *token = json_string_value(json_object_get(message, "token"));
    const char *plan = json_string_value(json_object_get(message, "plan"));
    const char *host = json_string_value(json_object_get(message, "host"));
    const char *error = json_string_value(json_object_get(message, "error"));
    int rank = (int)json_integer_value(json_object_get(message, "rank"));

    if (!token || strcmp(token, w->orders.token) != 0) {
        return false;
    }
    w->joined++;
    if (rank > 0) {
        snprintf(seat->name, sizeof seat->name, "rank %d on %.255s", rank,
                 host ? host : "?");
    }
    if (error || !plan || strcmp(plan, w->plan) != 0) {
        output_print(stderr, OUTPUT_PLAIN, "perp compare: %s makes no runs: %s\n",
                     seat->name, error ? error : "it read another suite");
        return false;
    }
    seat->greeted = true;
    seat->line.most = 0;
    return true;
}

workers_event workers_next(workers *w, size_t k, json_t **message)
{
    workers_seat *seat = &w->seats[k];
    wire_state state = wire_receive(&seat->line, message);

    if (state == WIRE_EMPTY) {
        bool silent = !seat->greeted && !seat->pid &&
                      perp_clock() > seat->started + WORKERS_PATIENCE;

        return silent ? WORKERS_LOST : WORKERS_NOTHING;
    }
    if (state == WIRE_MESSAGE && !seat->greeted) {
        bool ours = workers_greet(w, seat, *message);

        json_decref(*message);
        *message = NULL;
        return ours ? WORKERS_NOTHING : WORKERS_LOST;
    }
    if (state == WIRE_MESSAGE && seat->run != QUEUE_NONE &&
        json_integer_value(json_object_get(*message, "run")) == (json_int_t)seat->run) {
        return WORKERS_REPORT;
    }
    json_decref(*message);
    *message = NULL;
    return WORKERS_LOST;
}

/* A worker that is gone is found by the next look at its socket. */
void workers_give(workers *w, size_t k, size_t run, bool describe)
{
    workers_seat *seat = &w->seats[k];

    seat->run = run;
    seat->started = perp_clock();
    wire_send(&seat->line,
              json_pack("{s:I, s:b}", "run", (json_int_t)run, "describe", describe));
}

/* Wait until a process that has lost its socket ends; one that judges an answer does not notice
 * and is killed when the clock says `until`. */
static void workers_reap(workers_seat *seat, double until)
{
    while (seat->pid && waitpid(seat->pid, NULL, WNOHANG) == 0) {
        if (perp_clock() > until) {
            kill(seat->pid, SIGKILL);
            waitpid(seat->pid, NULL, 0);
            break;
        }
        poll(NULL, 0, 5);
    }
    seat->pid = 0;
}

perp_status workers_drop(workers *w, size_t k, perp_error *err)
{
    workers_seat *seat = &w->seats[k];

    wire_close(&seat->line);
    if (seat->pid) {
        workers_reap(seat, perp_clock());
        return workers_fork(w, seat, seat->job, err);
    }
    *seat = w->seats[--w->count];
    return PERP_OK;
}

void workers_close(workers *w)
{
    double until = perp_clock() + 1.0;

    for (size_t k = 0; k < w->count; k++) {
        wire_close(&w->seats[k].line);
    }
    for (size_t k = 0; k < w->count; k++) {
        workers_reap(&w->seats[k], until);
    }
    free(w->seats);
    *w = (workers){.listener = -1, .lock = -1};
}
