/* SPDX-License-Identifier: Apache-2.0
 * cli/replace.c: a folder of results that is replaced by a new one. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/holder.h"
#include "experiments/cli/replace.h"

enum { REPLACE_DEPTH = 8 }; /* folders within folders; perp writes two */

static bool is_written(const replace_kind *kind, const char *inside)
{
    for (const char *const *p = kind->patterns; *p; p++) {
        if (fnmatch(*p, inside, FNM_PATHNAME) == 0) {
            return true;
        }
    }
    return false;
}

/* Visit all files below dir/inside: check their names, or remove them. */
static perp_status replace_walk(const char *dir, const char *inside,
                                const replace_kind *kind, bool removing, int depth,
                                perp_error *err);

static perp_status replace_entry(const char *dir, const char *inside,
                                 const replace_kind *kind, bool removing, int depth,
                                 perp_error *err)
{
    char path[2 * DATA_PATH];
    struct stat st;

    snprintf(path, sizeof path, "%s/%s", dir, inside);
    if (lstat(path, &st) != 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
    }
    if (S_ISDIR(st.st_mode) && depth < REPLACE_DEPTH) {
        return replace_walk(dir, inside, kind, removing, depth + 1, err);
    }
    if (!is_written(kind, inside) || S_ISDIR(st.st_mode)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: not a file of perp %s; --force replaces a folder that "
                         "holds nothing else: "
                         "move the file away, or choose another -o DIR",
                         path, kind->verb);
    }
    if (removing && unlink(path) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return PERP_OK;
}

static perp_status replace_walk(const char *dir, const char *inside,
                                const replace_kind *kind, bool removing, int depth,
                                perp_error *err)
{
    char path[2 * DATA_PATH], name[DATA_PATH];
    DIR *folder = NULL;
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s%s%s", dir, *inside ? "/" : "", inside);
    folder = opendir(path);
    if (!folder) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
    }
    for (struct dirent *e = NULL; status == PERP_OK && (e = readdir(folder));) {
        int length = 0;

        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) {
            continue;
        }
        length =
            snprintf(name, sizeof name, "%s%s%s", inside, *inside ? "/" : "", e->d_name);
        status = length < (int)sizeof name
                     ? replace_entry(dir, name, kind, removing, depth, err)
                     : perp_fail(err, PERP_ERR_READ, "%s: too long a name", path);
    }
    closedir(folder);
    if (status == PERP_OK && removing && rmdir(path) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return status;
}

/* A folder that may be removed: of the verb, and no process writes to it. */
static perp_status replace_check(const char *dir, const replace_kind *kind,
                                 perp_error *err)
{
    char lock[DATA_PATH + 64], holder[256];

    if (!data_is_folder(dir)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: not a folder", dir);
    }
    snprintf(lock, sizeof lock, "%s%s%s", dir, *kind->lock ? "/" : "", kind->lock);
    if (holder_find(lock, holder, sizeof holder)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s is writing to it", dir, holder);
    }
    return replace_walk(dir, "", kind, false, 0, err);
}

/* The folder behind symbolic links and without slashes at the end. */
static perp_status replace_target(const char *dir, char target[DATA_PATH],
                                  perp_error *err)
{
    char *real = realpath(dir, NULL);
    int length = snprintf(target, DATA_PATH, "%s", real ? real : dir);

    free(real);
    if (length >= DATA_PATH - 80) {
        return perp_fail(err, PERP_ERR_OPTION, "%.80s...: too long a name", dir);
    }
    while (length > 1 && target[length - 1] == '/') {
        target[--length] = '\0';
    }
    return PERP_OK;
}

perp_status replace_name(const char *dir, char work[DATA_PATH], perp_error *err)
{
    perp_status status = replace_target(dir, work, err);

    if (status == PERP_OK) {
        strcat(work, ".new"); /* replace_target leaves room for it */
    }
    return status;
}

perp_status replace_start(const char *dir, const replace_kind *kind, perp_error *err)
{
    char target[DATA_PATH], work[DATA_PATH];
    perp_status status = replace_target(dir, target, err);

    if (status == PERP_OK && access(target, F_OK) == 0) {
        status = replace_check(target, kind, err);
    }
    if (status == PERP_OK) {
        status = replace_name(dir, work, err);
    }
    if (status == PERP_OK && access(work, F_OK) == 0) {
        status = replace_check(work, kind, err);
        if (status == PERP_OK) {
            status = replace_walk(work, "", kind, true, 0, err);
        }
    }
    return status;
}

perp_status replace_finish(const char *dir, const replace_kind *kind, perp_error *err)
{
    char target[DATA_PATH], work[DATA_PATH], old[DATA_PATH + 32];
    bool there = false;
    perp_status status = replace_target(dir, target, err);

    if (status == PERP_OK) {
        status = replace_name(dir, work, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    there = access(target, F_OK) == 0;
    if (there) { /* what came in while the new results were made is not removed either */
        status = replace_check(target, kind, err);
    }
    if (status == PERP_OK && there &&
        renameat2(AT_FDCWD, work, AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
        return replace_walk(work, "", kind, true, 0, err); /* it has the old results */
    }
    /* A file system that cannot exchange two names: for a moment there is no DIR. */
    snprintf(old, sizeof old, "%s.old-%ld", target, (long)getpid());
    if (status == PERP_OK && there && rename(target, old) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", target, strerror(errno));
    }
    if (status == PERP_OK && rename(work, target) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", work, strerror(errno));
        if (there && rename(old, target) != 0) {
            return status; /* both are there, under the names of the message and old */
        }
    }
    return status == PERP_OK && there ? replace_walk(old, "", kind, true, 0, err)
                                      : status;
}
