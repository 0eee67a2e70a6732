/* SPDX-License-Identifier: Apache-2.0
 * formats/arrays_folder.c: folders with one file per array: paths, the description, folders
 * that are written whole or not at all. */
#include <config.h>

#include <string.h>
#include <unistd.h>

#include "arrays_folder.h"
#include "base/base.h"

static const char description_file[] = "problem.json";

static perp_status folder_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                               const char *file, perp_error *err)
{
    int length = snprintf(path, PERP_FILE_PATH_LENGTH, "%.*s/%s",
                          (int)perp_path_length(folder), folder, file);

    if (length < 0 || length >= PERP_FILE_PATH_LENGTH) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%.80s...: the path is longer than %d bytes", folder,
                         PERP_FILE_PATH_LENGTH - 1);
    }
    return PERP_OK;
}

/* The file of an array, or of the description. */
static void file_name(const char *name, const char *extension, char file[64])
{
    if (strcmp(name, "description") == 0) {
        snprintf(file, 64, "%s", description_file);
    } else {
        snprintf(file, 64, "%.40s%.20s", name, extension);
    }
}

void perp_arrays_folder_of(char folder[PERP_FILE_PATH_LENGTH], const perp_source *from,
                           const char *extension)
{
    const char *slash = from->memory ? NULL : strrchr(from->name, '/');
    const char *file = slash ? slash + 1 : from->name;
    const size_t length =
        slash ? (size_t)(slash - from->name) + (slash == from->name) : 0;

    folder[0] = '\0';
    if (from->memory || strlen(from->name) >= PERP_FILE_PATH_LENGTH) {
        return;
    }
    if (perp_source_is_folder(from)) {
        strcpy(folder, from->name);
    } else if ((file[0] == 'A' || file[0] == 'M') && strcmp(file + 1, extension) == 0) {
        snprintf(folder, PERP_FILE_PATH_LENGTH, "%.*s", (int)length, from->name);
        if (length == 0) {
            strcpy(folder, ".");
        }
    }
}

perp_status perp_arrays_folder_path(char path[PERP_FILE_PATH_LENGTH], const char *folder,
                                    const char *name, const char *extension,
                                    perp_error *err)
{
    char file[64];

    file_name(name, extension, file);
    return folder_path(path, folder, file, err);
}

bool perp_arrays_folder_has(const char *folder, const char *name, const char *extension)
{
    char path[PERP_FILE_PATH_LENGTH];

    return perp_arrays_folder_path(path, folder, name, extension, NULL) == PERP_OK &&
           access(path, F_OK) == 0;
}

void perp_arrays_folder_place(const char *folder, const char *name, const char *extension,
                              char place[PERP_ARRAY_PLACE])
{
    char file[64];

    file_name(name, extension, file);
    snprintf(place, PERP_ARRAY_PLACE, "%.*s/%s", PERP_FILE_PATH_LENGTH - 40, folder,
             file);
}

perp_status perp_arrays_folder_describe(const char *folder, json_t **root,
                                        perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_source from = {.name = path};
    perp_status status = folder_path(path, folder, description_file, err);

    *root = NULL;
    if (status == PERP_OK && access(path, F_OK) == 0) {
        status = perp_json_load(root, &from, err);
        perp_source_release(&from);
    }
    return status;
}

bool perp_arrays_folder_owns(const char *file, const char *extension)
{
    static const char *const names[] = {"A", "M",      "H",      "G",         "b", "f",
                                        "q", "lo",     "hi",     "mu",        "z", "w",
                                        "v", "radius", "findex", "mu_rolling"};
    const size_t length = strlen(file);
    const size_t stem = length - strlen(extension);
    size_t number = 0;
    int end = 0;

    if (strcmp(file, description_file) == 0) {
        return true;
    }
    if (length <= strlen(extension) || strcmp(file + stem, extension) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == stem && strncmp(file, names[i], stem) == 0) {
            return true;
        }
    }
    return sscanf(file, "guess_%zu%n", &number, &end) == 1 && (size_t)end == stem;
}

static perp_status folder_write_description(const perp_arrays_out *out, const char *text,
                                            size_t length, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_file_out file;

    TRY(folder_path(path, out->context, description_file, err));
    TRY(perp_file_create(&file, path, err));
    fwrite(text, 1, length, file.f);
    return perp_file_commit(&file, err);
}

perp_status perp_arrays_folder_write(perp_arrays_out *out, const char *path,
                                     const perp_problem *p, const char *kind,
                                     perp_folder_owns owns, perp_error *err)
{
    char place[PERP_FILE_PATH_LENGTH];
    char fresh[PERP_FILE_PATH_LENGTH + 64];
    bool there = false;
    perp_status status = folder_path(place, path, "", err); /* ends in one slash */

    if (status == PERP_OK) {
        place[strlen(place) - 1] = '\0';
        status = perp_folder_check(place, owns, "problem", &there, err);
    }
    if (status == PERP_OK) {
        status = perp_folder_create(fresh, sizeof fresh, place, "tmp", err);
    }
    if (status != PERP_OK) {
        return status;
    }
    out->file = path;
    out->context = fresh;
    out->describe = folder_write_description;
    status = perp_arrays_write(out, p, kind, err);
    if (status == PERP_OK) {
        status = perp_folder_install(fresh, place, there, owns, err);
    }
    if (status != PERP_OK) {
        perp_folder_remove(fresh, owns);
    }
    return status;
}
