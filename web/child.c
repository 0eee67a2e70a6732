/* SPDX-License-Identifier: Apache-2.0
 * web/child.c: a program that is spoken to over a socket, and of which nothing stays.
 *
 * The keeper is a fork of this process that runs no program. It holds one end of a socket, `life`;
 * the other end is closed when this process ends, however it ends. The keeper is the reaper of all
 * orphans among the descendants of the program, so that those that left its process group are
 * found as well. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "web/child.h"

/* The place of descriptors while others are exchanged; beyond those of any program here. */
enum { CHILD_ASIDE = 10 };
/* Seconds that killed processes may take to end. */
static const double child_patience = 5.0;

bool child_find(const char *name, char path[CHILD_PATH])
{
    const char *folders = getenv("PATH");

    if (strchr(name, '/')) {
        return snprintf(path, CHILD_PATH, "%s", name) < CHILD_PATH &&
               access(path, X_OK) == 0;
    }
    for (folders = folders ? folders : "/usr/bin:/bin"; *folders;) {
        size_t length = strcspn(folders, ":");
        int written = snprintf(path, CHILD_PATH, "%.*s/%s", length ? (int)length : 1,
                               length ? folders : ".", name);

        if (written < CHILD_PATH && access(path, X_OK) == 0) {
            return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

static void child_close(int *file)
{
    if (*file >= 0) {
        close(*file);
    }
    *file = -1;
}

/* --- The keeper. */

/* Close all descriptors but the standard ones and those in `kept`, ended by -1. */
static void child_close_others(const int *kept)
{
    DIR *d = opendir("/proc/self/fd");
    const struct dirent *entry = NULL;

    while (d && (entry = readdir(d))) {
        int file = atoi(entry->d_name);
        bool keep = file <= 2 || file == dirfd(d);

        for (const int *k = kept; *k >= 0; k++) {
            keep = keep || *k == file;
        }
        if (!keep) {
            close(file);
        }
    }
    if (d) {
        closedir(d);
    }
}

/* Kill what descends from this process: children, and orphans that became its children. */
static void child_kill_all(void)
{
    char path[64];
    FILE *f = NULL;
    long pid = 0;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    f = fopen(path, "r");
    while (f && fscanf(f, "%ld", &pid) == 1) {
        kill((pid_t)pid, SIGKILL);
    }
    if (f) {
        fclose(f);
    }
}

static void child_clean(pid_t program, const child_orders *orders)
{
    double until = perp_clock() + child_patience;

    /* Its number stays its own until it is waited for. */
    kill(-program, SIGKILL);
    while (perp_clock() < until) {
        pid_t ended = 0;

        child_kill_all();
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (ended < 0 && errno == ECHILD) {
            break;
        }
        poll(NULL, 0, 2);
    }
    for (const char *const *path = orders->leftover; path && *path; path++) {
        if (unlink(*path) != 0) {
            perp_folder_remove_all(*path);
        }
    }
}

/* The program, in a process group of its own: its end of the socket, the log, nothing else. */
static void child_become(const child_orders *orders, int socket, int log)
{
    int none = open("/dev/null", O_RDWR);
    int kept[CHILD_ASIDE + 1];
    size_t count = 0;
    sigset_t no_signal;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive the keeper */
    socket = fcntl(socket, F_DUPFD, CHILD_ASIDE);
    log = fcntl(log, F_DUPFD, CHILD_ASIDE);
    if (none < 0 || socket < 0 || log < 0 || dup2(none, 0) < 0 || dup2(none, 1) < 0 ||
        dup2(log, 2) < 0) {
        return;
    }
    for (const int *k = orders->sockets; *k >= 0; k++) {
        if (dup2(socket, *k) < 0) {
            return;
        }
        kept[count++] = *k;
    }
    kept[count] = -1;
    child_close_others(kept);
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    sigemptyset(&no_signal);
    sigprocmask(SIG_SETMASK, &no_signal, NULL);
    /* putenv and exec promise not to write to the strings, but take them as if they might. */
    for (const char *const *v = orders->variables; v && *v; v++) {
        putenv((char *)(uintptr_t)*v);
    }
    execv(orders->argv[0], (char *const *)(uintptr_t)orders->argv);
}

/* Wait until the other end of `life` is closed; report the end of the program on the way. */
static void child_watch(pid_t program, int life, int signals)
{
    bool runs = true;

    for (;;) {
        struct pollfd watch[2] = {{life, POLLIN, 0}, {signals, POLLIN, 0}};
        struct signalfd_siginfo info;
        siginfo_t end = {0};
        char byte = 0;

        poll(watch, 2, -1);
        if (watch[0].revents && read(life, &byte, 1) <= 0) {
            return;
        }
        if (watch[1].revents && read(signals, &info, sizeof info) < 0 && errno != EINTR) {
            return;
        }
        /* It is left to be waited for, so that its number stays its own. */
        if (runs &&
            waitid(P_PID, (id_t)program, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            end.si_pid == program) {
            const int report[2] = {end.si_code == CLD_EXITED, end.si_status};

            runs = false;
            if (send(life, report, sizeof report, MSG_NOSIGNAL) < 0) {
                return;
            }
        }
    }
}

_Noreturn static void child_keep(const child_orders *orders, int socket, int life,
                                 int log)
{
    const int kept[] = {socket, life, log, -1};
    sigset_t ends, every;
    int signals = -1;
    int none = open("/dev/null", O_RDWR);
    pid_t program = 0;

    /* It belongs to no job of the shell, and holds no pipe open in which this process stands. */
    setpgid(0, 0);
    sigfillset(&every);
    sigprocmask(SIG_SETMASK, &every, NULL);
    signal(SIGCHLD, SIG_DFL);
    for (int k = 0; k <= 2 && none >= 0; k++) {
        dup2(none, k);
    }
    child_close_others(kept);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    signals = signalfd(-1, &ends, SFD_CLOEXEC);
    program = signals < 0 ? -1 : fork();
    if (program == 0) {
        child_become(orders, socket, log);
        _exit(CHILD_NOT_STARTED);
    }
    close(socket);
    if (program > 0) {
        setpgid(program, program);
        child_watch(program, life, signals);
        child_clean(program, orders);
    }
    _exit(0);
}

/* --- This side. */

static perp_status child_open_log(child *c, perp_error *err)
{
    FILE *f = tmpfile();

    c->log = f ? fcntl(fileno(f), F_DUPFD_CLOEXEC, CHILD_ASIDE) : -1;
    if (f) {
        fclose(f);
    }
    return c->log >= 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_WRITE, "no temporary file: %s", strerror(errno));
}

/* Two connected descriptors, none of them a standard one of the keeper or the program. */
static perp_status child_pair(int pair[2], perp_error *err)
{
    int low[2] = {-1, -1};

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) == 0) {
        pair[0] = fcntl(low[0], F_DUPFD_CLOEXEC, CHILD_ASIDE);
        pair[1] = fcntl(low[1], F_DUPFD_CLOEXEC, CHILD_ASIDE);
    }
    child_close(&low[0]);
    child_close(&low[1]);
    return pair[0] >= 0 && pair[1] >= 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY, "no socket: %s", strerror(errno));
}

perp_status child_start(child *c, const child_orders *orders, perp_error *err)
{
    int sockets[2] = {-1, -1}, life[2] = {-1, -1};
    perp_status status = PERP_OK;

    *c = (child){.open = true, .socket = -1, .life = -1, .log = -1};
    status = child_open_log(c, err);
    status = status == PERP_OK ? child_pair(sockets, err) : status;
    status = status == PERP_OK ? child_pair(life, err) : status;
    if (status == PERP_OK) {
        c->keeper = fork();
        if (c->keeper == 0) {
            child_keep(orders, sockets[1], life[1], c->log);
        }
        if (c->keeper < 0) {
            c->keeper = 0;
            status = perp_fail(err, PERP_ERR_LIBRARY, "cannot start %s: %s",
                               orders->argv[0], strerror(errno));
        }
    }
    child_close(&sockets[1]);
    child_close(&life[1]);
    c->socket = sockets[0];
    c->life = life[0];
    if (status == PERP_OK) {
        fcntl(c->socket, F_SETFL, O_NONBLOCK);
    } else {
        child_end(c);
    }
    return status;
}

/* Whether the socket became ready before `until`; an end of the program counts, too. */
static bool child_ready(const child *c, short events, double until)
{
    for (;;) {
        struct pollfd watch = {c->socket, events, 0};
        double left = until - perp_clock();
        int found = poll(&watch, 1, left > 0.0 ? (int)(left * 1e3) + 1 : 0);

        if (found > 0 || (found < 0 && errno != EINTR)) {
            return found > 0;
        }
        if (left <= 0.0) {
            return false;
        }
    }
}

perp_status child_send(child *c, const void *bytes, size_t size, double until,
                       perp_error *err)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t sent = send(c->socket, next, size, MSG_NOSIGNAL);

        if (sent > 0) {
            next += sent;
            size -= (size_t)sent;
        } else if (errno == EAGAIN && !child_ready(c, POLLOUT, until)) {
            return perp_fail(err, PERP_ERR_LIBRARY, "it does not read: out of time");
        } else if (errno != EAGAIN && errno != EINTR) {
            return perp_fail(err, PERP_ERR_LIBRARY, "it does not read: %s",
                             strerror(errno));
        }
    }
    return PERP_OK;
}

perp_status child_receive(child *c, void *bytes, size_t room, double until, size_t *got,
                          perp_error *err)
{
    for (;;) {
        ssize_t read = recv(c->socket, bytes, room, 0);

        if (read >= 0 || errno == ECONNRESET) {
            *got = read > 0 ? (size_t)read : 0;
            return PERP_OK;
        }
        if (errno == EAGAIN && !child_ready(c, POLLIN, until)) {
            return perp_fail(err, PERP_ERR_LIBRARY, "no answer in time");
        }
        if (errno != EAGAIN && errno != EINTR) {
            return perp_fail(err, PERP_ERR_LIBRARY, "no answer: %s", strerror(errno));
        }
    }
}

void child_close_input(child *c)
{
    shutdown(c->socket, SHUT_WR);
}

bool child_wait(child *c, double until)
{
    while (!c->ended) {
        struct pollfd watch = {c->life, POLLIN, 0};
        double left = until - perp_clock();
        int report[2] = {0, 0};
        int found = poll(&watch, 1, left > 0.0 ? (int)(left * 1e3) + 1 : 0);

        if (found > 0) {
            c->ended = recv(c->life, report, sizeof report, MSG_WAITALL) ==
                       (ssize_t)sizeof report;
            c->state = report[0] ? report[1] : -report[1];
            if (!c->ended) {
                return false; /* the keeper itself was killed */
            }
        } else if (left <= 0.0) {
            return false;
        }
    }
    return true;
}

void child_last_line(const child *c, const char *word, char *text, size_t length)
{
    char tail[8192] = "", *rest = NULL;
    off_t size = lseek(c->log, 0, SEEK_END);
    off_t from = size > (off_t)sizeof tail - 1 ? size - (off_t)sizeof tail + 1 : 0;
    ssize_t got = size > 0 ? pread(c->log, tail, sizeof tail - 1, from) : 0;
    bool found = false;

    tail[got > 0 ? got : 0] = '\0';
    text[0] = '\0';
    for (char *line = strtok_r(tail, "\r\n", &rest); line;
         line = strtok_r(NULL, "\r\n", &rest)) {
        bool holds = strstr(line, word) != NULL;

        if (line[strspn(line, " \t")] && (holds || !found)) {
            snprintf(text, length, "%s", line);
        }
        found = found || holds;
    }
}

void child_end(child *c)
{
    if (!c->open) {
        return;
    }
    child_close(&c->socket);
    child_close(&c->life);
    while (c->keeper > 0 && waitpid(c->keeper, NULL, 0) < 0 && errno == EINTR) {
    }
    child_close(&c->log);
    c->keeper = 0;
    c->open = false;
}
