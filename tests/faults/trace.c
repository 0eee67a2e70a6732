/* SPDX-License-Identifier: Apache-2.0
 * faults/trace.c: run a command; kill it, or let a system call of it fail, at a chosen call.
 *
 *     trace [OPTIONS] -- COMMAND...
 *
 *     --kill K       kill the command and all its children with SIGKILL just before call K
 *     --after        kill just after call K
 *     --torn         call K, where it is a write, writes half of its bytes before the kill
 *     --alone        kill the process that makes call K only
 *     --fail K       call K fails
 *     --fail-from K  call K and all later ones fail
 *     --short K      call K, where it is a write, writes half of its bytes
 *     --errno NAME   how it fails: ENOSPC (default), EIO, EACCES, EMFILE, ENOMEM, EINTR, ...
 *     --calls LIST   kinds of calls that are counted, of write, open, rename, fsync, unlink, mkdir,
 *                    truncate, link, mode (these are the default), lock, read, open-any
 *     --only-first   count the calls of the first process only, not those of its children
 *     --only-children  the other way round
 *     --program NAME count the calls of processes of this name only, of which Linux keeps 15 bytes
 *     --count FILE   write the number of calls to FILE
 *     --list FILE    write a line per call to FILE: its number, process, name and object
 *
 * Calls are counted from 1 over all processes and threads in the order in which they are made.
 * Writes and reads count on regular files only, opens where they may write or create. What a
 * program writes through a shared mapping is not seen. Linux on x86-64 and aarch64, by ptrace and
 * SECCOMP_RET_TRACE: a call that is not counted costs nothing. A COMMAND that gains privileges
 * (setuid) runs without them.
 *
 * Exit status: that of the command, 128 + the signal that ended it; 125 when trace fails; 127 when
 * COMMAND cannot be run; 77 where tracing is not possible. */
#include <stdio.h>

#include "trace.h"

#ifdef TRACE_SUPPORTED
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRACE_ERROR = 125, TRACE_NO_COMMAND = 127, TRACE_SKIPPED = 77 };
enum {
    TRACE_OPTIONS = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                    PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD |
                    PTRACE_O_EXITKILL
};

typedef enum trace_action {
    ACTION_NONE,
    ACTION_KILL,
    ACTION_FAIL,
    ACTION_SHORT
} trace_action;

typedef struct tracer {
    unsigned mask;
    trace_action action;
    unsigned long at; /* the call K, from 1 */
    bool on;          /* later calls as well */
    bool after, torn, alone, only_first, only_children;
    const char *program;
    int error;
    const char *count_path, *list_path;
    FILE *list;
    unsigned long calls;
    pid_t first;
    int status;     /* of the first process, as waitpid gives it */
    bool killing;   /* everything is being killed */
    pid_t *threads; /* those that are traced */
    size_t thread_count, thread_room;
} tracer;

static void trace_leave(const char *what)
{
    fprintf(stderr, "trace: %s: %s\n", what, strerror(errno));
    exit(TRACE_ERROR);
}

/* The command: waits until it is traced, then asks to be stopped at its calls. */
static void trace_command(const tracer *t, int gate, char **words)
{
    char go;

    if (read(gate, &go, 1) != 1) {
        _exit(TRACE_ERROR);
    }
    close(gate);
    if (!trace_filter(t->mask)) {
        fprintf(stderr, "trace: no system call can be stopped here: %s\n",
                strerror(errno));
        _exit(TRACE_SKIPPED);
    }
    execvp(words[0], words);
    fprintf(stderr, "trace: %s: %s\n", words[0], strerror(errno));
    _exit(TRACE_NO_COMMAND);
}

static void trace_start(tracer *t, char **words)
{
    int gate[2];

    if (pipe(gate) != 0 || (t->first = fork()) < 0) {
        trace_leave("cannot start a process");
    }
    if (t->first == 0) {
        close(gate[1]);
        trace_command(t, gate[0], words);
    }
    close(gate[0]);
    if (ptrace(PTRACE_SEIZE, t->first, NULL, (void *)(uintptr_t)TRACE_OPTIONS) != 0) {
        fprintf(stderr, "trace: no process can be traced here: %s\n", strerror(errno));
        kill(t->first, SIGKILL);
        exit(TRACE_SKIPPED);
    }
    if (write(gate[1], "", 1) != 1) {
        trace_leave("cannot start the command");
    }
    close(gate[1]);
}

/* Remember a thread, for the time when all are killed. */
static void trace_note(tracer *t, pid_t thread)
{
    for (size_t i = 0; i < t->thread_count; i++) {
        if (t->threads[i] == thread) {
            return;
        }
    }
    if (t->thread_count == t->thread_room) {
        t->thread_room = 2 * t->thread_room + 16;
        t->threads = realloc(t->threads, t->thread_room * sizeof *t->threads);
        if (!t->threads) {
            trace_leave("threads");
        }
    }
    t->threads[t->thread_count++] = thread;
}

static void trace_forget(tracer *t, pid_t thread)
{
    for (size_t i = 0; i < t->thread_count; i++) {
        if (t->threads[i] == thread) {
            t->threads[i] = t->threads[--t->thread_count];
            return;
        }
    }
}

/* A signal to a thread reaches its process. */
static void trace_kill(tracer *t, pid_t thread)
{
    if (t->alone) {
        kill(thread, SIGKILL);
        return;
    }
    t->killing = true;
    for (size_t i = 0; i < t->thread_count; i++) {
        kill(t->threads[i], SIGKILL);
    }
}

static void trace_go(pid_t thread, enum __ptrace_request how, int sig)
{
    /* ESRCH: it has been killed in the meantime. */
    if (ptrace(how, thread, NULL, (void *)(uintptr_t)sig) != 0 && errno != ESRCH) {
        trace_leave("cannot continue a thread");
    }
}

static bool trace_is_first(const tracer *t, pid_t thread)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/task/%ld", (long)t->first, (long)thread);
    return access(path, F_OK) == 0;
}

/* Whether calls of the process of this thread count. */
static bool trace_is_meant(const tracer *t, pid_t thread)
{
    char path[64], name[64] = "";
    FILE *f = NULL;

    if ((t->only_first || t->only_children) &&
        trace_is_first(t, thread) == t->only_children) {
        return false;
    }
    if (!t->program) {
        return true;
    }
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)thread);
    f = fopen(path, "re");
    if (f) {
        if (!fgets(name, sizeof name, f)) {
            name[0] = '\0';
        }
        fclose(f);
    }
    name[strcspn(name, "\n")] = '\0';
    return *name && strncmp(name, t->program, 15) == 0;
}

/* Half of what a write would write; false: the call has no such number. */
static bool trace_tear(pid_t thread, const trace_call *call,
                       const unsigned long long arguments[6])
{
    return (strcmp(call->name, "write") == 0 || strcmp(call->name, "pwrite64") == 0) &&
           arguments[2] > 1 && trace_shorten(thread, arguments[2] / 2);
}

/* The chosen call. Returns how the thread goes on. */
static enum __ptrace_request trace_act(tracer *t, pid_t thread, const trace_call *call,
                                       const unsigned long long arguments[6])
{
    if (t->action == ACTION_FAIL && !trace_fail(thread, t->error) && errno != ESRCH) {
        trace_leave("cannot let a call fail");
    }
    if (t->action == ACTION_SHORT) {
        trace_tear(thread, call, arguments);
    }
    if (t->action == ACTION_KILL) {
        /* After the call it stops once more, and is killed there. */
        if ((t->torn && trace_tear(thread, call, arguments)) || t->after) {
            return PTRACE_SYSCALL;
        }
        trace_kill(t, thread);
    }
    return PTRACE_CONT;
}

/* A thread stands before a call. */
static void trace_meet(tracer *t, pid_t thread)
{
    unsigned long index = 0;
    unsigned long long arguments[6];
    enum __ptrace_request how = PTRACE_CONT;
    const trace_call *call = NULL;
    char object[512];

    if (ptrace(PTRACE_GETEVENTMSG, thread, NULL, &index) == 0) {
        call = trace_call_at(index);
    }
    if (call && trace_arguments(thread, arguments) &&
        trace_counts(thread, call, t->mask, arguments) && trace_is_meant(t, thread)) {
        t->calls++;
        if (t->list) {
            trace_object(thread, call, arguments, object, sizeof object);
            fprintf(t->list, "%lu %ld %s %s\n", t->calls, (long)thread, call->name,
                    object);
        }
        if (t->calls == t->at || (t->on && t->calls > t->at)) {
            how = trace_act(t, thread, call, arguments);
        }
    }
    trace_go(thread, how, 0);
}

/* A thread has stopped: why, and how it goes on. */
static void trace_stop(tracer *t, pid_t thread, int status)
{
    const int event = status >> 16, sig = WSTOPSIG(status);

    if (t->killing) {
        kill(thread, SIGKILL);
    } else if (event == PTRACE_EVENT_SECCOMP) {
        trace_meet(t, thread);
    } else if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) {
        trace_go(thread, PTRACE_LISTEN, 0); /* SIGSTOP and the like: it stays stopped */
    } else if (event != 0) {
        trace_go(thread, PTRACE_CONT, 0);
    } else if (sig == (SIGTRAP | 0x80)) {
        trace_kill(t, thread); /* after the call K */
        trace_go(thread, PTRACE_CONT, 0);
    } else {
        trace_go(thread, PTRACE_CONT, sig);
    }
}

/* Until no process is left. */
static void trace_run(tracer *t)
{
    for (;;) {
        int status = 0;
        pid_t thread = waitpid(-1, &status, __WALL);

        if (thread < 0 && errno == ECHILD) {
            return;
        }
        if (thread < 0) {
            if (errno != EINTR) {
                trace_leave("wait");
            }
        } else if (WIFSTOPPED(status)) {
            trace_note(t, thread);
            trace_stop(t, thread, status);
        } else {
            trace_forget(t, thread);
            t->status = thread == t->first ? status : t->status;
        }
    }
}

static unsigned long trace_number(const char *text)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);

    if (number == 0 || *end) {
        fprintf(stderr, "trace: found \"%s\", expected a number of a call, from 1\n",
                text);
        exit(TRACE_ERROR);
    }
    return number;
}

static void trace_choose(tracer *t, trace_action action, const char *text)
{
    t->action = action;
    t->at = trace_number(text);
}

/* One option; false: it is none of ours. */
static bool trace_option(tracer *t, int option)
{
    switch (option) {
    case 'k':
        trace_choose(t, ACTION_KILL, optarg);
        break;
    case 'F':
        t->on = true; /* fall through */
    case 'f':
        trace_choose(t, ACTION_FAIL, optarg);
        break;
    case 's':
        trace_choose(t, ACTION_SHORT, optarg);
        break;
    case 'a':
        t->after = true;
        break;
    case 't':
        t->torn = true;
        break;
    case 'A':
        t->alone = true;
        break;
    case '1':
        t->only_first = true;
        break;
    case '2':
        t->only_children = true;
        break;
    case 'p':
        t->program = optarg;
        break;
    case 'c':
        t->count_path = optarg;
        break;
    case 'l':
        t->list_path = optarg;
        break;
    case 'e':
        t->error = trace_errno(optarg);
        break;
    case 'm':
        t->mask = trace_kinds(optarg);
        break;
    default:
        return false;
    }
    return t->error != 0 && t->mask != 0;
}

static bool trace_options(tracer *t, int argc, char **argv)
{
    static const struct option options[] = {
        {"kill", required_argument, NULL, 'k'},
        {"fail", required_argument, NULL, 'f'},
        {"fail-from", required_argument, NULL, 'F'},
        {"short", required_argument, NULL, 's'},
        {"after", no_argument, NULL, 'a'},
        {"torn", no_argument, NULL, 't'},
        {"alone", no_argument, NULL, 'A'},
        {"only-first", no_argument, NULL, '1'},
        {"only-children", no_argument, NULL, '2'},
        {"program", required_argument, NULL, 'p'},
        {"count", required_argument, NULL, 'c'},
        {"list", required_argument, NULL, 'l'},
        {"errno", required_argument, NULL, 'e'},
        {"calls", required_argument, NULL, 'm'},
        {NULL, 0, NULL, 0},
    };
    int option = 0;

    while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
        if (!trace_option(t, option)) {
            fprintf(stderr, "trace: bad option or value near \"%s\"\n", argv[optind - 1]);
            return false;
        }
    }
    if (optind == argc) {
        fprintf(stderr, "trace: found no command, expected one after --\n");
    }
    return optind < argc;
}

/* The number of calls to a file. */
static void trace_report(const tracer *t)
{
    FILE *out = t->count_path ? fopen(t->count_path, "w") : NULL;

    if (t->count_path &&
        (!out || fprintf(out, "%lu\n", t->calls) < 0 || fclose(out) != 0)) {
        trace_leave(t->count_path);
    }
    if (t->list && fclose(t->list) != 0) {
        trace_leave(t->list_path);
    }
}

int main(int argc, char **argv)
{
    tracer t = {.mask = TRACE_USUAL, .error = ENOSPC};

    if (!trace_options(&t, argc, argv)) {
        return TRACE_ERROR;
    }
    if (t.list_path && !(t.list = fopen(t.list_path, "we"))) {
        trace_leave(t.list_path);
    }
    trace_start(&t, argv + optind);
    trace_run(&t);
    trace_report(&t);
    free(t.threads);
    return WIFSIGNALED(t.status) ? 128 + WTERMSIG(t.status) : WEXITSTATUS(t.status);
}
#else
int main(void)
{
    fprintf(stderr, "trace: only on Linux, on x86-64 and aarch64\n");
    return 77;
}
#endif
