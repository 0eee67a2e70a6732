/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_folder.c: a sequence as a folder with one file per item and an index.
 *
 *     step_00000.hdf5, step_00001.hdf5, …   each a sequence of one item
 *     index.csv                             file,t,h,kind,n,contacts,hash
 *
 * The folder is written under another name and renamed, whole or not at all. Readers take the
 * files in the order of their names; the index is for people and for other programs. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/base.h"
#include "base/json.h"
#include "sequence.h"

static const char folder_index[] = "index.csv";

/* Whether a file of this name belongs to the format. */
static bool folder_owns(const char *name)
{
    size_t number = 0;
    int end = 0;

    return strcmp(name, folder_index) == 0 ||
           (sscanf(name, "step_%zu.hdf5%n", &number, &end) == 1 && end > 0 && !name[end]);
}

static void folder_index_item(FILE *f, const char *name, const perp_sequence_item *item)
{
    const perp_problem *p = item->problem;
    char t[PERP_NUMBER_LENGTH];
    char h[PERP_NUMBER_LENGTH];

    perp_number_print(t, item->t);
    perp_number_print(h, item->h);
    fprintf(f, "%s,%s,%s,%s,%zu,%zu,%016" PRIx64 "\n", name, t, h,
            perp_kind_name(perp_problem_kind(p)), p->n, perp_problem_contacts(p),
            perp_problem_hash(p));
}

/* Item i as a file of the folder, and its line of the index. */
static perp_status folder_write_item(const perp_sequence *s, size_t i, const char *folder,
                                     FILE *index, perp_error *err)
{
    char name[48];
    char path[PERP_FILE_PATH_LENGTH + 128];
    perp_sequence_item item;
    perp_status status = perp_sequence_get(s, i, &item, err);

    snprintf(name, sizeof name, "step_%05zu.hdf5", i);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (status == PERP_OK) {
        folder_index_item(index, name, &item);
        status = perp_sequence_file_write(s, i, 1, path, err);
    }
    perp_sequence_item_clear(&item);
    return status;
}

static perp_status folder_fill(const perp_sequence *s, const char *folder,
                               perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH + 128];
    perp_file_out index;
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/%s", folder, folder_index);
    TRY(perp_file_create(&index, path, err));
    fputs("file,t,h,kind,n,contacts,hash\n", index.f);
    for (size_t i = 0; status == PERP_OK && i < s->count; i++) {
        status = folder_write_item(s, i, folder, index.f, err);
    }
    if (status != PERP_OK) {
        perp_file_abandon(&index);
        return status;
    }
    return perp_file_commit(&index, err);
}

perp_status perp_sequence_folder_write(const perp_sequence *s, const char *path,
                                       perp_error *err)
{
    char place[PERP_FILE_PATH_LENGTH];
    char fresh[PERP_FILE_PATH_LENGTH + 64];
    size_t length = perp_path_length(path);
    bool there = false;
    perp_status status = PERP_OK;

    if (length >= sizeof place) {
        return perp_fail(err, PERP_ERR_WRITE, "%.80s...: the path is too long", path);
    }
    if (s->count == 0) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "%s: a sequence without steps is no folder, expected a name that "
            "ends in .hdf5",
            path);
    }
    memcpy(place, path, length);
    place[length] = '\0';
    TRY(perp_folder_check(place, folder_owns, "sequence", &there, err));
    TRY(perp_folder_create(fresh, sizeof fresh, place, "tmp", err));
    status = folder_fill(s, fresh, err);
    if (status == PERP_OK) {
        status = perp_folder_install(fresh, place, there, folder_owns, err);
    }
    if (status != PERP_OK) {
        perp_folder_remove(fresh, folder_owns);
    }
    return status;
}
