/* SPDX-License-Identifier: Apache-2.0
 * cli/holder.c: locks of files and folders by flock, and the process that holds one. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "command/cli/holder.h"

enum { HOLDER_NAME = 256, HOLDER_COMMAND = 160 };

/* The device of an open file as /proc/locks has it, that of its mount: stat gives another one
 * where a file system has devices of its own, as btrfs does. */
static dev_t holder_device(int file, const struct stat *st)
{
    char path[64], line[512];
    int mount = -1, id = 0;
    unsigned major = 0, minor = 0;
    dev_t device = st->st_dev;
    FILE *in = NULL;

    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", file);
    in = fopen(path, "re");
    while (in && mount < 0 && fgets(line, sizeof line, in)) {
        if (sscanf(line, "mnt_id: %d", &mount) != 1) {
            mount = -1;
        }
    }
    if (in) {
        fclose(in);
    }
    in = mount >= 0 ? fopen("/proc/self/mountinfo", "re") : NULL;
    while (in && fgets(line, sizeof line, in)) {
        if (sscanf(line, "%d %*d %u:%u", &id, &major, &minor) == 3 && id == mount) {
            device = makedev(major, minor);
            break;
        }
    }
    if (in) {
        fclose(in);
    }
    return device;
}

/* The process that holds a lock of the file, from /proc/locks; 0: not known. A line there is
 * "1: FLOCK  ADVISORY  WRITE 4711 08:01:1835011 0 EOF"; others wait, "1: -> FLOCK …". */
static long holder_process(int file, const struct stat *st)
{
    const dev_t device = holder_device(file, st);
    FILE *in = fopen("/proc/locks", "re");
    char line[256], type[16];
    long holder = 0;

    while (in && holder == 0 && fgets(line, sizeof line, in)) {
        unsigned long long number = 0;
        unsigned major = 0, minor = 0;
        long pid = 0;

        if (sscanf(line, "%*s %15s %*s %*s %ld %x:%x:%llu", type, &pid, &major, &minor,
                   &number) == 5 &&
            strcmp(type, "FLOCK") == 0 && number == (unsigned long long)st->st_ino &&
            makedev(major, minor) == device) {
            holder = pid;
        }
    }
    if (in) {
        fclose(in);
    }
    return holder;
}

/* The command line of a process, words apart; "" where /proc does not say. What a terminal would
 * take for more than a character is replaced. */
static void holder_command(long process, char command[HOLDER_COMMAND])
{
    char path[64];
    size_t length = 0;
    FILE *in = NULL;

    snprintf(path, sizeof path, "/proc/%ld/cmdline", process);
    in = fopen(path, "re");
    if (in) {
        length = fread(command, 1, HOLDER_COMMAND - 1, in);
        fclose(in);
    }
    while (length > 0 && command[length - 1] == '\0') {
        length--;
    }
    for (size_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)command[k];

        command[k] = (char)(c == '\0' ? ' ' : c < 0x20 || c >= 0x7f ? '?' : c);
    }
    command[length] = '\0';
}

static void holder_name(int file, const struct stat *st, char *name, size_t size)
{
    char command[HOLDER_COMMAND];
    long process = holder_process(file, st);

    if (process <= 0) { /* of another host, or of a container */
        snprintf(name, size, "another process");
        return;
    }
    holder_command(process, command);
    snprintf(name, size, *command ? "process %ld (%s)" : "process %ld", process, command);
}

/* Files and folders are locked, devices are not. */
static bool is_locked_kind(const struct stat *st)
{
    return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode);
}

perp_status holder_lock(int file, const char *path, perp_error *err)
{
    struct stat st = {0};
    char name[HOLDER_NAME];

    if (fstat(file, &st) != 0 || !is_locked_kind(&st) ||
        flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
        return PERP_OK;
    }
    holder_name(file, &st, name, sizeof name);
    return perp_fail(err, PERP_ERR_WRITE, "%s: %s is writing to it", path, name);
}

bool holder_find(const char *path, char *name, size_t size)
{
    struct stat st = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool held = file >= 0 && fstat(file, &st) == 0 && is_locked_kind(&st) &&
                flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

    if (held) {
        holder_name(file, &st, name, size);
    }
    if (file >= 0) {
        close(file);
    }
    return held;
}
