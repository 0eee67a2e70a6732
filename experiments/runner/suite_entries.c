/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_entries.c: what a set lists: entries, files and globs, calls swept over lists
 * of values. */
#include <config.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/runner/suite_entries.h"

enum { SUITE_PARAMETERS = 16 };

void *suite_grow(void **items, size_t *count, size_t *room, size_t size)
{
    char *base = *items;

    if (*count == *room) {
        size_t more = 2 * *room + 8;

        base = realloc(*items, more * size);
        if (!base) {
            return NULL;
        }
        *items = base;
        *room = more;
    }
    base += (*count)++ * size;
    memset(base, 0, size);
    return base;
}

static bool entries_have(const suite_set *set, const char *name, size_t before)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(set->entries[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Is the same file there already, read in the same way with the same parameters? */
static bool entries_repeat(const suite_set *set, const suite_entry *e)
{
    for (const suite_entry *k = set->entries; k < e; k++) {
        if (same_text(k->file, e->file) && same_text(k->parameters, e->parameters) &&
            same_text(k->read.kind, e->read.kind) && k->read.item == e->read.item &&
            k->read.symmetric_upper == e->read.symmetric_upper) {
            return true;
        }
    }
    return false;
}

perp_status suite_add_entry(const suite_reader *r, const document *d,
                            const suite_source *source, perp_error *err)
{
    suite_set *set = r->set;
    size_t before = set->entry_count;
    suite_entry *e = NULL;

    if (before == SUITE_ENTRIES) {
        return document_fail(d, err, "more than %d instances in a set", SUITE_ENTRIES);
    }
    e = suite_grow((void **)&set->entries, &set->entry_count, &set->entry_room,
                   sizeof *e);
    if (!e) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    e->type = r->type;
    e->read = source->read;
    e->coordinates = source->coordinates;
    e->path = perp_text_new(source->path);
    e->file = perp_text_new(source->file);
    if (!e->path || !e->file) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    e->parameters = e->path + (source->parameters ? source->parameters - source->path
                                                  : (ptrdiff_t)strlen(e->path));
    if (source->name) {
        snprintf(e->name, sizeof e->name, "%s", source->name);
    } else {
        instance_name(e->file, e->read.item, e->name);
        if (entries_have(set, e->name, before)) {
            snprintf(e->name, sizeof e->name, "%s", e->path); /* same stem elsewhere */
        }
    }
    if (entries_have(set, e->name, before) || entries_repeat(set, e)) {
        return document_fail(d, err, "the %s \"%s\" is listed twice", r->what, e->name);
    }
    return PERP_OK;
}

perp_status suite_add_files(const suite_reader *r, const document *d, const char *path,
                            const perp_read_options *read, const char *name,
                            perp_error *err)
{
    const char *folder = path[0] == '/' ? "" : r->folder;
    size_t skip = strlen(folder);
    char *pattern = malloc(skip + strlen(path) + 1);
    suite_source source = {.read = *read};
    glob_t found = {0};
    perp_status status = PERP_OK;

    if (!pattern) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    sprintf(pattern, "%s%s", folder, path);
    if (!strpbrk(path, "*?[")) {
        source.path = pattern + skip;
        source.file = pattern;
        source.name = name;
        status = access(pattern, R_OK) == 0
                     ? suite_add_entry(r, d, &source, err)
                     : document_fail(d, err, "no such file: %s", pattern);
    } else if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t k = 0; k < found.gl_pathc && status == PERP_OK; k++) {
            source.path = found.gl_pathv[k] + skip;
            source.file = found.gl_pathv[k];
            status = suite_add_entry(r, d, &source, err);
        }
    } else {
        status = document_fail(d, err, "no file matches %s", pattern);
    }
    globfree(&found);
    free(pattern);
    return status;
}

bool suite_odometer_next(suite_odometer *o)
{
    for (size_t k = o->count; k-- > 0;) {
        if (++o->digit[k] < o->values[k]) {
            return true;
        }
        o->digit[k] = 0;
    }
    return false;
}

/* The call of the present digits: "generate:spd:n=50,seed=7", or "chain:links=5". */
static perp_status entries_print_call(suite_odometer *sweep, const document *d,
                                      const char *key, char *call, perp_error *err)
{
    document head = document_member(d, key);
    const char *name = "", *member = NULL, *mark = ":";
    json_t *value = NULL;
    int length = 0;
    perp_status status = document_text(&head, &name, err);

    if (status != PERP_OK) {
        return status;
    }
    length = snprintf(call, SUITE_CALL, "%s%s",
                      strcmp(key, "generate") == 0 ? "generate:" : "", name);
    sweep->count = 0;
    json_object_foreach((json_t *)(uintptr_t)d->value, member, value)
    {
        document m = document_member(d, member);
        size_t k = sweep->count;
        char text[64];

        if (strcmp(member, key) == 0) {
            continue;
        }
        if (length >= SUITE_CALL || k == SUITE_PARAMETERS) {
            return document_fail(&m, err, "too many parameters");
        }
        if (json_is_array(value)) {
            m = document_item(&m, sweep->digit[k]);
        }
        status = document_print(&m, text, sizeof text, err);
        if (status != PERP_OK) {
            return status;
        }
        length += snprintf(call + length, (size_t)(SUITE_CALL - length), "%s%s=%s", mark,
                           member, text);
        mark = ",";
        sweep->values[sweep->count++] = json_is_array(value) ? json_array_size(value) : 1;
    }
    return length < SUITE_CALL ? PERP_OK : document_fail(d, err, "too many parameters");
}

perp_status suite_sweep_calls(const suite_reader *r, const document *d, const char *key,
                              suite_add_call *add, perp_error *err)
{
    suite_odometer sweep = {.count = 0};
    char call[SUITE_CALL];
    perp_status status = PERP_OK;

    do {
        status = entries_print_call(&sweep, d, key, call, err);
        if (status == PERP_OK) {
            status = add(r, d, call, err);
        }
    } while (status == PERP_OK && suite_odometer_next(&sweep));
    return status;
}
