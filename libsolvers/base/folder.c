/* SPDX-License-Identifier: Apache-2.0
 * base/folder.c: folders that are written under another name, then renamed.
 *
 * An existing folder is replaced only when the format owns the name of every entry in it, so
 * that no other file is lost. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/system.h"

static void folder_empty(int fd, perp_folder_owns owns);

/* Remove an entry; all of a folder, where all is owned. context: a perp_folder_owns. */
static bool folder_drop(int fd, const char *name, const void *context)
{
    const perp_folder_owns owns = *(const perp_folder_owns *)context;
    int inner = -1;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (owns && !owns(name))) {
        return false;
    }
    if (unlinkat(fd, name, 0) == 0) {
        return true;
    }
    inner = owns ? -1 : openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0) {
        folder_empty(inner, NULL);
        close(inner);
    }
    return inner >= 0 && unlinkat(fd, name, AT_REMOVEDIR) == 0;
}

/* Passes, since a removal may move the entries that follow. */
static void folder_empty(int fd, perp_folder_owns owns)
{
    while (perp_folder_visit(fd, folder_drop, &owns)) {
    }
}

void perp_folder_empty(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0) {
        folder_empty(fd, NULL);
        close(fd);
    }
}

void perp_folder_remove(const char *folder, perp_folder_owns owns)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (owns ? 0 : O_NOFOLLOW));

    if (fd >= 0) {
        folder_empty(fd, owns);
        close(fd);
    }
    rmdir(folder);
}

void perp_folder_remove_all(const char *folder)
{
    perp_folder_remove(folder, NULL);
}

perp_status perp_folder_check(const char *path, perp_folder_owns owns, const char *what,
                              bool *there, perp_error *err)
{
    struct stat st;
    DIR *d = NULL;
    perp_status status = PERP_OK;

    *there = stat(path, &st) == 0;
    if (perp_file_descriptor(path) >= 0) {
        return perp_fail(err, PERP_ERR_WRITE,
                         "%s: a %s is a folder of files and cannot go to standard output",
                         path, what);
    }
    if (!*there) {
        return PERP_OK;
    }
    d = S_ISDIR(st.st_mode) ? opendir(path) : NULL;
    if (!d) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: it exists and is not a folder", path);
    }
    for (struct dirent *e = readdir(d); e && status == PERP_OK; e = readdir(d)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            !owns(e->d_name)) {
            status = perp_fail(err, PERP_ERR_WRITE,
                               "%s: it holds %s, which no %s has; nothing was written",
                               path, e->d_name, what);
        }
    }
    closedir(d);
    return status;
}

/* A zombie is dead: the first process of a container may never reap it. */
static bool process_is_alive(long pid)
{
    char name[64], state = 0;
    FILE *f = NULL;

    if (kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
        return false;
    }
    snprintf(name, sizeof name, "/proc/%ld/stat", pid);
    f = fopen(name, "r");
    if (f) {
        (void)!fscanf(f, "%*d (%*[^)]) %c", &state);
        fclose(f);
    }
    return state != 'Z';
}

void perp_folder_sweep(const char *path, const char *word)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char left[PERP_FILE_PATH_LENGTH + 512], mark[PERP_FILE_PATH_LENGTH];
    const int folder = (int)(base - path);
    const int length = snprintf(mark, sizeof mark, "%s.%s-", base, word);
    DIR *d = NULL;

    snprintf(left, sizeof left, "%.*s", folder, path);
    d = opendir(folder > 0 ? left : ".");
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        long pid = 0;
        int used = 0;

        if (strncmp(e->d_name, mark, (size_t)length) == 0 &&
            sscanf(e->d_name + length, "%ld-%*d%n", &pid, &used) == 1 && used > 0 &&
            e->d_name[length + used] == '\0' && pid > 0 && !process_is_alive(pid)) {
            snprintf(left, sizeof left, "%.*s%s", folder, path, e->d_name);
            if (unlink(left) != 0) {
                perp_folder_remove_all(left);
            }
        }
    }
    if (d) {
        closedir(d);
    }
}

perp_status perp_folder_create(char *name, size_t length, const char *path,
                               const char *word, perp_error *err)
{
    perp_folder_sweep(path, word);
    for (int k = 0; k < 1000; k++) { /* the first that is free */
        int used = snprintf(name, length, "%s.%s-%ld-%d", path, word, (long)getpid(), k);

        if (used < 0 || (size_t)used >= length) {
            errno = ENAMETOOLONG;
            break;
        }
        if (mkdir(name, 0777) == 0) {
            return PERP_OK;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return perp_fail(err, PERP_ERR_WRITE, "%s: cannot make a folder next to it: %s", path,
                     strerror(errno));
}

const char *perp_folder_temporary_usual(void)
{
    static const char disk[] = "/var/tmp";
    struct stat st;

    return stat(disk, &st) == 0 && S_ISDIR(st.st_mode) && access(disk, W_OK | X_OK) == 0
               ? disk
               : "/tmp";
}

const char *perp_folder_temporary_parent(void)
{
    const char *parent = getenv("TMPDIR");

    return parent && *parent ? parent : perp_folder_temporary_usual();
}

perp_status perp_folder_temporary(char *name, size_t length, bool stays, perp_error *err)
{
    const char *parent = perp_folder_temporary_parent();
    const char *word = stays ? "-XXXXXX" : "";
    char path[PERP_FILE_PATH_LENGTH];
    perp_error inner = {0};
    int used = snprintf(path, sizeof path, "%s/perp%s", parent, word);
    bool made = used >= 0 && (size_t)used < sizeof path && (size_t)used < length;

    errno = ENAMETOOLONG;
    if (made && stays) {
        memcpy(name, path, (size_t)used + 1);
        made = mkdtemp(name) != NULL;
    } else if (made) {
        made = perp_folder_create(name, length, path, "run", &inner) == PERP_OK &&
               chmod(name, 0700) == 0;
    }
    return made ? PERP_OK
                : perp_fail(err, PERP_ERR_WRITE, "cannot make a folder in %s: %s", parent,
                            strerror(errno));
}

void perp_folder_temporary_sweep(void)
{
    char path[PERP_FILE_PATH_LENGTH];

    if (snprintf(path, sizeof path, "%s/perp", perp_folder_temporary_parent()) <
        (int)sizeof path) {
        perp_folder_sweep(path, "run");
    }
}

perp_status perp_folder_install(const char *fresh, const char *path, bool there,
                                perp_folder_owns owns, perp_error *err)
{
    char old[PERP_FILE_PATH_LENGTH + 64];
    perp_status status = PERP_OK;

    if (there) { /* rename may replace an empty folder: the old one takes its place */
        status = perp_folder_create(old, sizeof old, path, "old", err);
        if (status == PERP_OK && rename(path, old) != 0) {
            rmdir(old);
            status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot replace it: %s", path,
                               strerror(errno));
        }
    }
    if (status == PERP_OK && rename(fresh, path) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot rename to it: %s", path,
                           strerror(errno));
        if (there && rename(old, path) == 0) {
            there = false;
        }
    }
    if (status == PERP_OK && there) {
        perp_folder_remove(old, owns);
    }
    return status;
}
