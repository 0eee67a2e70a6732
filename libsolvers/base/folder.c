/* SPDX-License-Identifier: Apache-2.0
 * base/folder.c: folders written beside the place they will take, then renamed.
 *
 * A folder that is there is replaced only when every entry of it has a name that the format
 * owns: nobody's files are lost. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

void perp_folder_remove(const char *folder, perp_folder_owns owns,
                        perp_folder_owns owns_below)
{
    DIR *d = opendir(folder);

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        if (owns(e->d_name) && unlinkat(dirfd(d), e->d_name, 0) != 0 && owns_below) {
            char below[PERP_FILE_PATH_LENGTH + 320];

            snprintf(below, sizeof below, "%s/%s", folder, e->d_name);
            perp_folder_remove(below, owns_below, NULL);
        }
    }
    if (d) {
        closedir(d);
    }
    rmdir(folder);
}

perp_status perp_folder_place(const char *path, perp_folder_owns owns, const char *what,
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
        return perp_fail(err, PERP_ERR_WRITE, "%s: it is there and not a folder", path);
    }
    for (struct dirent *e = readdir(d); e && status == PERP_OK; e = readdir(d)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            !owns(e->d_name)) {
            status = perp_fail(err, PERP_ERR_WRITE,
                               "%s: it holds %s, which no %s has; it is left alone", path,
                               e->d_name, what);
        }
    }
    closedir(d);
    return status;
}

perp_status perp_folder_beside(char *name, size_t length, const char *path,
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
    return perp_fail(err, PERP_ERR_WRITE, "%s: cannot make a folder beside it: %s", path,
                     strerror(errno));
}

perp_status perp_folder_install(const char *fresh, const char *path, bool there,
                                perp_folder_owns owns, perp_folder_owns owns_below,
                                perp_error *err)
{
    char old[PERP_FILE_PATH_LENGTH + 64];
    perp_status status = PERP_OK;

    if (there) { /* over an empty folder rename is allowed: the old one goes there */
        status = perp_folder_beside(old, sizeof old, path, "old", err);
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
        perp_folder_remove(old, owns, owns_below);
    }
    return status;
}
