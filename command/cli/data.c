/* SPDX-License-Identifier: Apache-2.0
 * cli/data.c: where the data that come with perp are: suites, figure scripts.
 *
 * In this order: $PERP_DATA_DIR; the source tree, whose path a build writes to
 * experiments/source-tree in the folder of the executable; the installation. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/cli/data.h"

size_t data_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

void data_executable(char path[DATA_PATH])
{
    ssize_t length = readlink("/proc/self/exe", path, DATA_PATH - 1);

    if (length <= 0) {
        snprintf(path, DATA_PATH, "perp");
    } else {
        path[length] = '\0';
    }
}

/* How much of the path of the executable is the folder in which it was built. In a build with
 * shared libraries the program is in .libs, and a script of libtool takes its place. */
static size_t data_build_folder(const char *exe)
{
    static const char libs[] = "/.libs/";
    size_t length = data_folder_length(exe), end = strlen(libs);

    return length >= end && strncmp(exe + length - end, libs, end) == 0 ? length - end + 1
                                                                        : length;
}

/* The first line of experiments/source-tree. */
static bool data_source_tree(char path[DATA_PATH])
{
    char exe[DATA_PATH], file[DATA_PATH + 32];
    ssize_t length = 0;
    int in = -1;

    data_executable(exe);
    snprintf(file, sizeof file, "%.*sexperiments/source-tree",
             (int)data_build_folder(exe), exe);
    in = open(file, O_RDONLY | O_CLOEXEC);
    length = in >= 0 ? read(in, path, DATA_PATH - 16) : 0;
    if (in >= 0) {
        close(in);
    }
    if (length <= 0) {
        return false;
    }
    path[length] = '\0';
    path[strcspn(path, "\n")] = '\0';
    return true;
}

/* ../share/perp beside bin, where an installation was moved; else where it was meant to be. */
static void data_installed(char path[DATA_PATH])
{
    char exe[DATA_PATH];

    data_executable(exe);
    if (snprintf(path, DATA_PATH, "%.*s../share/perp", (int)data_folder_length(exe),
                 exe) >= DATA_PATH ||
        access(path, R_OK) != 0) {
        snprintf(path, DATA_PATH, "%s", PERP_DATA_DIR);
    }
}

bool data_folder(size_t k, char path[DATA_PATH])
{
    const char *named = getenv("PERP_DATA_DIR");

    path[0] = '\0';
    switch (k) {
    case 0:
        snprintf(path, DATA_PATH, "%s", named ? named : "");
        return true;
    case 1:
        if (!data_source_tree(path)) {
            path[0] = '\0';
        }
        return true;
    case 2:
        data_installed(path);
        return true;
    default:
        return false;
    }
}

perp_status data_find(const char *name, char path[DATA_PATH], perp_error *err)
{
    char folder[DATA_PATH];
    int failed = ENOENT;

    errno = 0;
    for (size_t k = 0; data_folder(k, folder); k++) {
        if (errno && errno != ENOENT) { /* the first reason that is not mere absence */
            failed = failed == ENOENT ? errno : failed;
        }
        if (folder[0] && snprintf(path, DATA_PATH, "%s/%s", folder, name) < DATA_PATH &&
            access(path, R_OK) == 0) {
            return PERP_OK;
        }
    }
    return perp_fail(err, PERP_ERR_READ,
                     "%s: not found in $PERP_DATA_DIR, the source tree or %s: %s", name,
                     PERP_DATA_DIR, strerror(failed));
}

/* "quick" of suites/quick.json, "energy" of energy/suite.json. */
static json_t *data_name(const char *file)
{
    size_t folder = data_folder_length(file), start = folder;
    size_t length = strlen(file + folder) - strlen(".json");

    if (folder && strcmp(file + folder, "suite.json") == 0) {
        for (start = folder - 1; start && file[start - 1] != '/'; start--) {
        }
        length = folder - 1 - start;
    }
    return json_stringn(file + start, length);
}

static void data_list_file(json_t *array, const char *file,
                           json_t *(*title)(const char *file))
{
    json_t *name = data_name(file);

    for (size_t k = 0; k < json_array_size(array); k++) {
        if (json_equal(json_object_get(json_array_get(array, k), "name"), name)) {
            json_decref(name);
            return;
        }
    }
    json_array_append_new(array, json_pack("{s:o, s:o, s:s}", "name", name, "title",
                                           title(file), "file", file));
}

json_t *data_list(const char *files, json_t *(*title)(const char *file))
{
    char folder[DATA_PATH], pattern[DATA_PATH + 64];
    json_t *array = json_array();

    for (size_t k = 0; data_folder(k, folder); k++) {
        glob_t found = {0};

        snprintf(pattern, sizeof pattern, "%s/%s", folder, files);
        if (folder[0] && glob(pattern, 0, NULL, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc; i++) {
                data_list_file(array, found.gl_pathv[i], title);
            }
            globfree(&found);
        }
    }
    return array;
}

bool data_is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool data_is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

perp_status data_make_folder(const char *dir, perp_error *err)
{
    char path[DATA_PATH];

    snprintf(path, sizeof path, "%s", dir);
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777); /* an error is reported by the last one */
            *at = '/';
        }
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot make the folder: %s", dir,
                         strerror(errno));
    }
    if (!data_is_folder(path)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: not a folder", dir);
    }
    if (access(path, W_OK) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", dir, strerror(errno));
    }
    return PERP_OK;
}
