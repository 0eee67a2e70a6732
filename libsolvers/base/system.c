/* SPDX-License-Identifier: Apache-2.0
 * base/system.c: what the libraries ask of the operating system beyond POSIX.1-2008.
 *
 * realpath, initstate and setstate are POSIX: glibc declares them with its X/Open part. */
#if defined(__linux__) && !defined(PERP_POSIX_ONLY)
#define SYSTEM_LINUX
#define _GNU_SOURCE
#else
#define _XOPEN_SOURCE 700
#endif
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef SYSTEM_LINUX
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

#include "base/system.h"

char *perp_path_real(const char *path)
{
    return realpath(path, NULL);
}

char *perp_random_replace(char *state, size_t size)
{
    return initstate(1, state, size);
}

void perp_random_restore(char *before)
{
    if (before) {
        setstate(before);
    }
}

#ifdef SYSTEM_LINUX

FILE *perp_stream_open(void *cookie, const perp_stream_calls *calls)
{
    return fopencookie(cookie, "w",
                       (cookie_io_functions_t){.write = calls->write,
                                               .seek = calls->seek,
                                               .close = calls->close});
}

int perp_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

/* vfork starts a program without copying this one's pages: a millisecond, however much is held
 * here. */
pid_t perp_child_start(void (*become)(const void *orders), const void *orders, int *error)
{
    volatile int failed = 0;
    pid_t pid = vfork();

    if (pid == 0) {
        become(orders);
        failed = errno;
        _exit(127);
    }
    *error = pid < 0 ? errno : failed;
    return pid;
}

void perp_child_bind(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

pid_t perp_child_reap(pid_t pid, int *status, double *megabytes)
{
    struct rusage usage = {0};
    pid_t got = wait4(pid, status, 0, &usage);

    *megabytes = (double)usage.ru_maxrss / 1024.0;
    return got;
}

bool perp_process_ended(long pid)
{
    char path[64], state = '\0';
    FILE *in = NULL;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    in = fopen(path, "re");
    if (in) { /* "4711 (perp) Z 1 …" */
        if (fscanf(in, "%*d (%*[^)]) %c", &state) != 1) {
            state = '\0';
        }
        fclose(in);
    }
    return state == 'Z' || state == 'X';
}

void perp_process_program(char *path, size_t length)
{
    ssize_t got = readlink("/proc/self/exe", path, length - 1);

    path[got > 0 ? got : 0] = '\0';
}

/* An entry as getdents64(2) gives it; opendir(3) needs memory. */
typedef struct system_entry {
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
} system_entry;

bool perp_folder_visit(int fd,
                       bool (*visit)(int fd, const char *name, const void *context),
                       const void *context)
{
    _Alignas(system_entry) char list[4096];
    bool any = false;
    long got = 0;

    if (lseek(fd, 0, SEEK_SET) != 0) {
        return false;
    }
    while ((got = syscall(SYS_getdents64, fd, list, sizeof list)) > 0) {
        for (long at = 0; at < got;) {
            const system_entry *e = (const void *)(list + at);

            any = visit(fd, e->name, context) || any;
            at += e->length;
        }
    }
    return any;
}

#else

FILE *perp_stream_open(void *cookie, const perp_stream_calls *calls)
{
    (void)cookie;
    (void)calls;
    errno = ENOSYS;
    return NULL;
}

/* A program that another thread starts between the two calls inherits the ends. */
int perp_pipe(int ends[2])
{
    int result = pipe(ends);

    if (result == 0) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    }
    return result;
}

/* The error comes through a pipe that a program which is executed closes. */
pid_t perp_child_start(void (*become)(const void *orders), const void *orders, int *error)
{
    int ends[2] = {-1, -1};
    pid_t pid = perp_pipe(ends) == 0 ? fork() : -1;

    if (pid == 0) {
        become(orders);
        *error = errno;
        _exit(write(ends[1], error, sizeof *error) > 0 ? 127 : 126);
    }
    *error = pid < 0 ? errno : 0;
    if (ends[1] >= 0) {
        close(ends[1]);
        while (pid > 0 && read(ends[0], error, sizeof *error) < 0 && errno == EINTR) {
        }
        close(ends[0]);
    }
    return pid;
}

void perp_child_bind(void)
{
}

pid_t perp_child_reap(pid_t pid, int *status, double *megabytes)
{
    *megabytes = 0.0;
    return waitpid(pid, status, 0);
}

bool perp_process_ended(long pid)
{
    (void)pid;
    return false;
}

void perp_process_program(char *path, size_t length)
{
    (void)length;
    *path = '\0';
}

bool perp_folder_visit(int fd,
                       bool (*visit)(int fd, const char *name, const void *context),
                       const void *context)
{
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = own >= 0 ? fdopendir(own) : NULL;
    bool any = false;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        any = visit(fd, e->d_name, context) || any;
    }
    if (d) {
        closedir(d);
    } else if (own >= 0) {
        close(own);
    }
    return any;
}

#endif
