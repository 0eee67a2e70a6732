/* SPDX-License-Identifier: Apache-2.0
 * base/folder.c: folders that are written under another name, then renamed.
 *
 * An existing folder is replaced only when the format owns the name of every entry in it, so
 * that no other file is lost. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_target.h"

void perp_folder_remove(const char *folder, perp_folder_owns owns)
{
    DIR *d = opendir(folder);

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        if (owns(e->d_name)) {
            unlinkat(dirfd(d), e->d_name, 0);
        }
    }
    if (d) {
        closedir(d);
    }
    rmdir(folder);
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

static int folder_remove_entry(const char *path, const struct stat *st, int kind,
                               struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

void perp_folder_remove_all(const char *folder)
{
    nftw(folder, folder_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Remove what dead processes left next to `path`. A folder that was to be replaced, by a process
 * that was killed before the new one was in its place, is put back. */
static void folder_sweep(const char *path, const char *mark, const char *host)
{
    const size_t length = perp_file_folder(path);
    char *name = length ? strndup(path, length) : strdup("./");
    char left[PERP_FILE_PATH_LENGTH + 512];
    DIR *d = name ? opendir(name) : NULL;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        snprintf(left, sizeof left, "%s%s", length ? name : "", e->d_name);
        if (perp_file_is_left(e->d_name, path + length, ".old-", host) &&
            access(path, F_OK) != 0 && rename(left, path) == 0) {
            continue;
        }
        if (perp_file_is_left(e->d_name, path + length, mark, host)) {
            perp_folder_remove_all(left);
        }
    }
    if (d) {
        closedir(d);
    }
    free(name);
}

perp_status perp_folder_create(char *name, size_t length, const char *path,
                               const char *word, perp_error *err)
{
    char host[PERP_FILE_HOST], mark[64];

    perp_file_host(host);
    snprintf(mark, sizeof mark, ".%s-", word);
    folder_sweep(path, mark, host);
    for (int k = 0; k < 1000; k++) { /* the first that is free */
        int used =
            snprintf(name, length, "%s%s%s-%ld-%d", path, mark, host, (long)getpid(), k);

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
