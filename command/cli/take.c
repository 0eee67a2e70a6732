/* SPDX-License-Identifier: Apache-2.0
 * cli/take.c: memory of the command, and how the program ends without it. */
#include <config.h>

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/memory.h"
#include "command/cli/take.h"

enum { TAKE_STATUS = 2, TAKE_FOLDERS = 16, TAKE_FILES = 256, TAKE_PATH = 4096 };

/* The folders that take_temporary names, each with the process that made it: a process that was forked
 * removes nothing of its parent. */
static struct {
    _Atomic(const char *) path;
    pid_t owner;
} take_folders[TAKE_FOLDERS];

void take_temporary(const char *folder)
{
    for (size_t k = 0; k < TAKE_FOLDERS; k++) {
        const char *none = NULL;

        if (atomic_compare_exchange_strong(&take_folders[k].path, &none, folder)) {
            take_folders[k].owner = getpid();
            return;
        }
    }
}

void take_kept(const char *folder)
{
    for (size_t k = 0; k < TAKE_FOLDERS; k++) {
        if (atomic_load(&take_folders[k].path) == folder) {
            atomic_store(&take_folders[k].path, NULL);
        }
    }
}

/* Remove the open files called TARGET.tmp-PID-K, with the number of this process: perp_file_create
 * gives these names. A system without /proc leaves them to the next process that writes TARGET. */
static void take_remove_files(void)
{
    char pid[32];

    snprintf(pid, sizeof pid, "-%ld-", (long)getpid());
    for (int fd = 3; fd < TAKE_FILES; fd++) {
        char link[64], path[TAKE_PATH];
        ssize_t length = 0;
        const char *name = NULL;

        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        length = readlink(link, path, sizeof path - 1);
        if (length > 0) {
            path[length] = '\0';
            name = strstr(path, ".tmp-");
            if (name && strstr(name, pid) && !strchr(name, '/')) {
                unlink(path);
            }
        }
    }
}

void take_remove(void)
{
    take_remove_files();
    for (size_t k = 0; k < TAKE_FOLDERS; k++) {
        if (take_folders[k].path && take_folders[k].owner == getpid()) {
            perp_folder_remove_all(take_folders[k].path);
        }
    }
}

_Noreturn void take_missing(size_t bytes)
{
    static atomic_flag ends = ATOMIC_FLAG_INIT;
    char line[128] = "perp: not enough memory\n";
    ssize_t printed = 0;

    while (atomic_flag_test_and_set(&ends)) {
        pause(); /* another thread ends the program */
    }
    if (bytes >> 20) {
        snprintf(line, sizeof line, "perp: not enough memory for %zu MiB\n", bytes >> 20);
    } else if (bytes) {
        snprintf(line, sizeof line, "perp: not enough memory for %zu bytes\n", bytes);
    }
    take_remove();
    printed = write(STDERR_FILENO, line, strlen(line));
    (void)printed;      /* no other stream is left */
    _exit(TAKE_STATUS); /* functions of exit may need memory */
}

void *take_made(void *made)
{
    if (!made) {
        take_missing(0);
    }
    return made;
}

void *take(size_t count, size_t size)
{
    size_t bytes = SIZE_MAX;
    void *memory = NULL;

    count = count ? count : 1;
    memory = calloc(count, size);
    if (!memory) {
        perp_mul(count, size, &bytes);
        take_missing(bytes);
    }
    return memory;
}

double *take_reals(size_t n)
{
    return take(n, sizeof(double));
}

void *take_more(void *array, size_t *room, size_t needed, size_t size)
{
    size_t more = *room, bytes = 0;

    while (more < needed && more <= SIZE_MAX / 4) {
        more = 2 * more + 8;
    }
    if (more == *room) {
        return array;
    }
    if (more < needed || !perp_mul(more, size, &bytes)) {
        take_missing(SIZE_MAX);
    }
    array = realloc(array, bytes);
    if (!array) {
        take_missing(bytes);
    }
    memset((char *)array + *room * size, 0, bytes - *room * size);
    *room = more;
    return array;
}

void *take_copy(const void *objects, size_t count, size_t size)
{
    void *copy = take(count, size);

    if (count > 0) {
        memcpy(copy, objects, count * size);
    }
    return copy;
}

char *take_part(const char *text, size_t length)
{
    char *copy = take(length + 1, 1);

    memcpy(copy, text, strnlen(text, length));
    return copy;
}

char *take_text(const char *text)
{
    return text ? take_part(text, strlen(text)) : NULL;
}

char *take_format(const char *format, ...)
{
    char *text = NULL;
    int length = 0;
    va_list args;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        take_missing(0);
    }
    text = take((size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

FILE *take_stream(char **text, size_t *length)
{
    return take_made(perp_memory_stream(text, length));
}

void take_stream_end(FILE *f)
{
    bool failed = ferror(f);

    if (fclose(f) != 0 || failed) {
        take_missing(0);
    }
}

static void *take_bytes(size_t size)
{
    void *memory = malloc(size ? size : 1); /* not zero: jansson writes all of it */

    if (!memory) {
        take_missing(size);
    }
    return memory;
}

void take_for_json(void)
{
    json_set_alloc_funcs(take_bytes, free);
}
