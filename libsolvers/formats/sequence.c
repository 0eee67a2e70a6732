/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence.c: a sequence on disk: one HDF5 file, or a folder of such files.
 *
 * A folder is read as one sequence: the items of its files NAME.hdf5, in the order of their
 * names (numbers in names by their value). So a program that runs for long can add items one
 * file at a time, and loses none when it is killed. One item is an instance too, by its
 * number. */
#include <config.h>

#include <dirent.h>
#include <string.h>

#include "base/base.h"
#include "sequence.h"

/* The files of a sequence. */
typedef struct file_list {
    size_t count;
    char **path;  /* count */
    size_t *last; /* count: number of items up to the end of each file */
} file_list;

static void list_close(void *state)
{
    file_list *list = state;

    for (size_t k = 0; list->path && k < list->count; k++) {
        free(list->path[k]);
    }
    free(list->path);
    free(list->last);
    free(list);
}

static perp_status list_read(const void *state, size_t i, perp_sequence_item *item,
                             perp_error *err)
{
    const file_list *list = state;
    size_t k = 0;

    while (list->last[k] <= i) {
        k++;
    }
    return perp_sequence_file_read(list->path[k], k ? i - list->last[k - 1] : i, item,
                                   err);
}

static const perp_sequence_store list_store = {.read = list_read, .close = list_close};

/* As strcmp(3), but digits count by the value of their number. */
static int names_compare(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    int order = 0;

    while (order == 0 && *a && *b) {
        size_t i = strspn(a, digits), j = strspn(b, digits);

        if (i > 0 && j > 0) {
            for (; i > 1 && *a == '0'; a++, i--) {
            }
            for (; j > 1 && *b == '0'; b++, j--) {
            }
            order = i != j ? (i < j ? -1 : 1) : memcmp(a, b, i);
            a += i;
            b += j;
        } else {
            order = (unsigned char)*a++ - (unsigned char)*b++;
        }
    }
    return order ? order : (unsigned char)*a - (unsigned char)*b;
}

static int entries_compare(const struct dirent **a, const struct dirent **b)
{
    int order = names_compare((*a)->d_name, (*b)->d_name);

    return order ? order : strcmp((*a)->d_name, (*b)->d_name); /* "1" and "01" */
}

static int is_part(const struct dirent *entry)
{
    return perp_path_ends(entry->d_name, ".hdf5");
}

/* "folder/name", on the heap. */
static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t room = length + strlen(name) + 2;
    char *path = malloc(room);

    if (path) {
        snprintf(path, room, "%s%s%s", folder,
                 length && folder[length - 1] == '/' ? "" : "/", name);
    }
    return path;
}

/* The files of a folder; without any of them *count is 0. */
static perp_status list_folder(file_list *list, const char *folder, perp_error *err)
{
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_part, entries_compare);
    size_t count = found > 0 ? (size_t)found : 0;
    bool good = true;

    list->path = calloc(count + 1, sizeof *list->path);
    for (size_t k = 0; k < count; k++) {
        if (list->path && good) {
            list->path[k] = join(folder, entries[k]->d_name);
            good = list->path[k] != NULL;
            list->count += good;
        }
        free(entries[k]);
    }
    free(entries);
    return found >= 0 && list->path && good
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a list of files",
                           folder);
}

static perp_status list_file(file_list *list, const char *path, perp_error *err)
{
    list->path = calloc(1, sizeof *list->path);
    if (list->path) {
        list->path[0] = perp_text_new(path);
        list->count = list->path[0] ? 1 : 0;
    }
    return list->count
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name", path);
}

/* The name is that of the first file. */
static perp_status list_heads(file_list *list, char name[SEQUENCE_NAME], perp_error *err)
{
    size_t total = 0;

    list->last = calloc(list->count + 1, sizeof *list->last);
    if (!list->last) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu files", list->count);
    }
    for (size_t k = 0; k < list->count; k++) {
        char other[SEQUENCE_NAME] = "";
        size_t count = 0;

        TRY(perp_sequence_file_head(list->path[k], k ? other : name, &count, err));
        total += count;
        list->last[k] = total;
    }
    return PERP_OK;
}

bool perp_sequence_detect(const char *path)
{
    const perp_source from = {.name = path};
    file_list *list = NULL;
    bool is = false;

    if (!perp_source_is_folder(&from)) {
        return perp_sequence_file_detect(path);
    }
    list = calloc(1, sizeof *list);
    if (list) {
        is = list_folder(list, path, NULL) == PERP_OK && list->count > 0 &&
             perp_sequence_file_detect(list->path[0]);
        list_close(list);
    }
    return is;
}

static perp_status sequence_open(perp_sequence **s, const char *path, perp_error *err)
{
    const perp_source from = {.name = path};
    char name[SEQUENCE_NAME] = "";
    file_list *list = calloc(1, sizeof *list);
    perp_status status = PERP_OK;

    if (!list) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", path);
    }
    status = perp_source_is_folder(&from) ? list_folder(list, path, err)
                                          : list_file(list, path, err);
    if (status == PERP_OK && list->count == 0) {
        status =
            perp_fail(err, PERP_ERR_FORMAT,
                      "%s: the folder holds no sequence, expected files NAME.hdf5", path);
    }
    if (status == PERP_OK) {
        status = list_heads(list, name, err);
    }
    if (status != PERP_OK) {
        list_close(list);
        return status;
    }
    return perp_sequence_new_stored(s, name, path, list->last[list->count - 1],
                                    &list_store, list, err);
}

perp_status perp_sequence_open(perp_sequence **s, const char *path, perp_error *err)
{
    if (perp_check_arguments(s && path, "perp_sequence_open", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *s = NULL;
    return sequence_open(s, path, err);
}

static int sequence_detect(const perp_source *from)
{
    return !from->memory && perp_sequence_detect(from->name) ? 2 : 0;
}

/* One item, as an instance. */
static perp_status sequence_read(perp_source *from, const perp_read_options *opt,
                                 perp_problem **p, perp_notes *notes, perp_error *err)
{
    perp_sequence *s = NULL;
    perp_sequence_item item = {0};
    perp_status status = perp_sequence_open(&s, from->name, err);

    if (status == PERP_OK) {
        status = perp_sequence_get(s, opt->item, &item, err);
    }
    if (status == PERP_OK) {
        perp_note(notes, "a sequence of %zu step%s: this is step %zu, t = %g",
                  perp_sequence_count(s), perp_plural(perp_sequence_count(s)), opt->item,
                  item.t);
        *p = item.problem;
        item.problem = NULL;
    }
    perp_sequence_item_clear(&item);
    perp_sequence_free(s);
    return status;
}

static perp_status sequence_count(perp_source *from, size_t *count, perp_error *err)
{
    perp_sequence *s = NULL;
    perp_status status = perp_sequence_open(&s, from->name, err);

    if (status == PERP_OK) {
        *count = perp_sequence_count(s);
    }
    perp_sequence_free(s);
    return status;
}

const perp_format_type perp_format_sequence = {
    .format = {.name = SEQUENCE_FORMAT,
               .summary =
                   "one step of a sequence, by --item: an HDF5 file, or a folder of "
                   "them",
               .extension = ".hdf5",
               .reads = true},
    .detect = sequence_detect,
    .read = sequence_read,
    .count = sequence_count,
};
