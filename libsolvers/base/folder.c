/* SPDX-License-Identifier: Apache-2.0
 * base/folder.c: folders that are written under another name, then renamed.
 *
 * An existing folder is replaced only when the format owns the name of every entry in it, so
 * that no other file is lost. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

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

perp_status perp_folder_create(char *name, size_t length, const char *path,
                               const char *word, perp_error *err)
{
    for (int k = 0; k < 1000; k++) { /* the first that is free */
        snprintf(name, length, "%s.%s-%ld-%d", path, word, (long)getpid(), k);
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
