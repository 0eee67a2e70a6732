/* SPDX-License-Identifier: Apache-2.0
 * base/process.c: a program in a process of its own, with a time and a memory limit. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/process.h"
#include "base/system.h"

/* A program that never stops writing is checked between two parts of its output. */
enum { PROCESS_OUTPUT_MAX = 1 << 29, PROCESS_ROOM = 65536, PROCESS_PART = 1 << 20 };

/* What a child needs to become the program. */
typedef struct process_child {
    const perp_process_orders *orders;
    int out, error;
    const struct rlimit *memory; /* NULL: no limit */
} process_child;

/* What the child does before exec: it may borrow the parent's memory, so it calls the kernel and
 * nothing else. The limit is there before the program's first instruction. */
static void process_become(const void *child)
{
    const process_child *c = child;
    const perp_process_orders *orders = c->orders;
    static const int usual[] = {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ};
    const char *const *environment =
        orders->environment ? orders->environment : (const char *const *)environ;
    int none = open("/dev/null", O_RDWR);
    sigset_t no_signal;

    setpgid(0, 0);
    perp_child_bind();
    if (none < 0 || dup2(none, 0) < 0 || dup2(orders->quiet ? none : c->out, 1) < 0 ||
        dup2(c->error, 2) < 0 || (c->memory && setrlimit(RLIMIT_AS, c->memory) != 0)) {
        return;
    }
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
        signal(usual[k], SIG_DFL);
    }
    sigemptyset(&no_signal);
    sigprocmask(SIG_SETMASK, &no_signal, NULL);
    /* exec promises not to write to the strings, but takes them as if it might. */
    execve(orders->argv[0], (char *const *)(uintptr_t)orders->argv,
           (char *const *)(uintptr_t)environment);
}

static perp_status process_spawn(perp_process *c, const process_child *child,
                                 perp_error *err)
{
    int failed = 0;
    pid_t pid = perp_child_start(process_become, child, &failed);

    if (pid > 0 && failed) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    if (pid < 0 || failed) {
        return perp_fail(err, PERP_ERR_LIBRARY, "cannot start %s: %s",
                         child->orders->argv[0], strerror(failed));
    }
    c->pid = pid;
    return PERP_OK;
}

static void process_close(int *file)
{
    if (*file >= 0) {
        close(*file);
    }
    *file = -1;
}

/* The ends of the pipes that this process reads: they become the process's own. */
static void process_adopt(perp_process *c, int out[2], int error[2])
{
    c->end = PERP_PROCESS_RUNS;
    c->out = out[0];
    c->error = error[0];
    out[0] = error[0] = -1;
    fcntl(c->out, F_SETFL, O_NONBLOCK);
    fcntl(c->error, F_SETFL, O_NONBLOCK);
}

double perp_process_megabytes(double asked)
{
    struct rlimit now;

    if (getrlimit(RLIMIT_AS, &now) != 0 || now.rlim_max == RLIM_INFINITY) {
        return asked;
    }
    return fmin(asked, (double)now.rlim_max / 0x1p20);
}

perp_status perp_process_start(perp_process *c, const perp_process_orders *orders,
                               perp_error *err)
{
    int out[2] = {-1, -1}, error[2] = {-1, -1};
    rlim_t bytes = (rlim_t)(perp_process_megabytes(orders->megabytes) * 0x1p20);
    const struct rlimit memory = {bytes, bytes};
    perp_status status = PERP_OK;

    perp_process_clear(c);
    if (access(orders->argv[0], X_OK) != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "cannot start %s: %s", orders->argv[0],
                         strerror(errno));
    }
    if (perp_pipe(out) != 0 || perp_pipe(error) != 0) {
        status = perp_fail(err, PERP_ERR_LIBRARY, "no pipe: %s", strerror(errno));
    }
    c->started = perp_clock();
    c->deadline = orders->seconds > 0.0 ? c->started + orders->seconds : INFINITY;
    if (status == PERP_OK) {
        const process_child child = {orders, out[1], error[1], bytes ? &memory : NULL};

        status = process_spawn(c, &child, err);
    }
    if (status == PERP_OK) {
        process_adopt(c, out, error);
    }
    process_close(&out[0]);
    process_close(&out[1]);
    process_close(&error[0]);
    process_close(&error[1]);
    return status;
}

/* Read what is there; false at the end of the pipe or when there is no room. */
static bool process_read_out(perp_process *c)
{
    for (size_t part = 0; part < PROCESS_PART;) {
        ssize_t got = 0;

        if (c->room - c->length <= PROCESS_ROOM) {
            size_t room = 2 * c->room + 2 * PROCESS_ROOM;
            bool fits = room < PROCESS_OUTPUT_MAX;
            char *text = fits ? realloc(c->text, room) : NULL;

            if (!text) {
                c->end = fits ? PERP_PROCESS_STARVED : PERP_PROCESS_TOO_LONG;
                return false;
            }
            c->text = text;
            c->room = room;
        }
        got = read(c->out, c->text + c->length, c->room - c->length - 1);
        if (got <= 0) {
            c->text[c->length] = '\0';
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
        c->length += (size_t)got;
        part += (size_t)got;
    }
    c->text[c->length] = '\0';
    return true;
}

/* Keep the last bytes of the standard error. */
static bool process_read_error(perp_process *c)
{
    char more[PERP_PROCESS_TAIL - 1];
    size_t part = 0;
    ssize_t got = 0;

    while ((got = read(c->error, more, sizeof more)) > 0) {
        size_t keep = c->tail_length;

        part += (size_t)got;

        if (keep + (size_t)got >= PERP_PROCESS_TAIL) {
            size_t drop = keep + (size_t)got - (PERP_PROCESS_TAIL - 1);

            memmove(c->tail, c->tail + drop, keep - drop);
            keep -= drop;
        }
        memcpy(c->tail + keep, more, (size_t)got);
        c->tail_length = keep + (size_t)got;
        c->tail[c->tail_length] = '\0';
        if (part >= PROCESS_PART) {
            return true;
        }
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Reap it if it has ended; a process may close its output long before. Its group goes while
 * its number is still its own. */
static void process_reap(perp_process *c)
{
    siginfo_t info = {0};
    int status = 0;
    bool lost = false; /* the caller ignores SIGCHLD: its end is not known */

    if (waitid(P_PID, (id_t)c->pid, &info,
               WEXITED | WNOWAIT | (c->end == PERP_PROCESS_RUNS ? WNOHANG : 0)) != 0) {
        lost = errno == ECHILD;
    }
    if (info.si_pid != c->pid && !lost) {
        return;
    }
    kill(-c->pid, SIGKILL);
    while (!lost && perp_child_reap(c->pid, &status, &c->peak) < 0 && errno == EINTR) {
    }
    c->pid = 0;
    c->wall = perp_clock() - c->started;
    if (c->end == PERP_PROCESS_RUNS) {
        c->end = WIFSIGNALED(status) ? PERP_PROCESS_SIGNALLED : PERP_PROCESS_EXITED;
        c->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        c->code = lost ? -1 : c->code;
    }
    if (c->out >= 0 && c->end != PERP_PROCESS_TOO_LONG &&
        c->end != PERP_PROCESS_STARVED) {
        process_read_out(c);
    }
    if (c->error >= 0) {
        process_read_error(c);
    }
    process_close(&c->out);
    process_close(&c->error);
}

/* Poll one process after its pipes may have spoken. */
static void process_poll(perp_process *c)
{
    if (c->out >= 0 && !process_read_out(c)) {
        process_close(&c->out);
    }
    if (c->error >= 0 && !process_read_error(c)) {
        process_close(&c->error);
    }
    if (c->end == PERP_PROCESS_RUNS && perp_clock() >= c->deadline) {
        c->end = PERP_PROCESS_OUT_OF_TIME;
    }
    if (c->end != PERP_PROCESS_RUNS) {
        kill(-c->pid, SIGKILL);
    }
    process_reap(c);
}

void perp_process_wait(perp_process *set, size_t count, double seconds)
{
    struct pollfd *watch = calloc(2 * count + 1, sizeof *watch);
    double until = perp_clock() + seconds;
    size_t open = 0;
    bool closed = false;

    for (size_t k = 0; k < count; k++) {
        if (!set[k].pid) {
            continue;
        }
        if (set[k].deadline < until) {
            until = set[k].deadline;
        }
        /* Its pipes are at their end, it itself soon will be. */
        closed = closed || (set[k].out < 0 && set[k].error < 0);
        if (watch && set[k].out >= 0) {
            watch[open++] = (struct pollfd){set[k].out, POLLIN, 0};
        }
        if (watch && set[k].error >= 0) {
            watch[open++] = (struct pollfd){set[k].error, POLLIN, 0};
        }
    }
    seconds = until - perp_clock();
    /* A process whose pipes a grandchild holds open is found by periodic checks. */
    seconds = closed || !watch ? 1e-3 : seconds < 0.05 ? seconds : 0.05;
    poll(watch, open, seconds > 0.0 ? (int)(seconds * 1e3) + 1 : 0);
    free(watch);
    for (size_t k = 0; k < count; k++) {
        if (set[k].pid) {
            process_poll(&set[k]);
        }
    }
}

void perp_process_kill(perp_process *c)
{
    if (c->pid) {
        kill(-c->pid, SIGKILL);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        c->pid = 0;
        process_close(&c->out);
        process_close(&c->error);
    }
}

void perp_process_last_line(const perp_process *c, char *text, size_t length)
{
    size_t end = c->tail_length, start = 0;

    while (end > 0 && strchr(" \r\n\t", c->tail[end - 1])) {
        end--;
    }
    for (start = end; start > 0 && c->tail[start - 1] != '\n'; start--) {
    }
    snprintf(text, length, "%.*s", (int)(end - start), c->tail + start);
}

void perp_process_clear(perp_process *c)
{
    free(c->text);
    *c = (perp_process){.out = -1, .error = -1};
}
