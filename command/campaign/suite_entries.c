/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_entries.c: what a set lists: entries, files and globs, calls swept over lists
 * of values. */
#include <config.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/text.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_values.h"
#include "command/cli/take.h"

enum { SUITE_PARAMETERS = 16 };

const suite_columns suite_no_columns = {NULL, 0, 0};

void *suite_grow(void **items, size_t *count, size_t *room, size_t size)
{
    char *base = *items = take_more(*items, room, *count + 1, size);

    base += (*count)++ * size;
    memset(base, 0, size);
    return base;
}

static uint64_t entries_hash(const char *text)
{
    return perp_hash_bytes(PERP_HASH_START, text, strlen(text));
}

/* Is the stem of a file that of an earlier one? */
static bool entries_share_stem(const suite_set *set, const char *stem)
{
    const uint64_t hash = entries_hash(stem);
    size_t probe = 0, k = 0;

    while (perp_index_next(&set->by_problem, hash, &probe, &k)) {
        if (strcmp(set->entries[k].problem, stem) == 0) {
            return true;
        }
    }
    return false;
}

static bool entries_have(const suite_set *set, const char *name)
{
    const uint64_t hash = entries_hash(name);
    size_t probe = 0, k = 0;

    while (perp_index_next(&set->by_name, hash, &probe, &k)) {
        if (strcmp(set->entries[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint64_t entries_hash_file(const suite_entry *e)
{
    uint64_t hash =
        perp_hash_bytes(entries_hash(e->file), e->parameters, strlen(e->parameters));

    return perp_hash_bytes(hash, &e->read.item, sizeof e->read.item);
}

/* Is the same file there already, read in the same way with the same parameters? */
static bool entries_repeat(const suite_set *set, const suite_entry *e)
{
    const uint64_t hash = entries_hash_file(e);
    size_t probe = 0, number = 0;

    while (perp_index_next(&set->by_file, hash, &probe, &number)) {
        const suite_entry *k = &set->entries[number];

        if (same_text(k->file, e->file) && same_text(k->parameters, e->parameters) &&
            same_text(k->read.kind, e->read.kind) && k->read.item == e->read.item &&
            k->read.symmetric_upper == e->read.symmetric_upper) {
            return true;
        }
    }
    return false;
}

/* Later entries find this one. Of entries of one problem the first is enough. */
static void entries_index(suite_set *set, const suite_entry *e)
{
    const size_t number = (size_t)(e - set->entries);

    bool good = perp_index_add(&set->by_name, entries_hash(e->name), number) &&
                perp_index_add(&set->by_file, entries_hash_file(e), number) &&
                (entries_share_stem(set, e->problem) ||
                 perp_index_add(&set->by_problem, entries_hash(e->problem), number));

    if (!good) {
        take_missing(0);
    }
}

/* The name of the problem, and that of the instance: with the rules that vary. */
static perp_status entry_add_rules(suite_entry *e, const suite_reader *r,
                                   const document *d, perp_error *err)
{
    const suite_columns *rules = &r->set->columns;
    const char *mark = strchr(e->name, ':') ? "," : ":";
    size_t used = strlen(e->name);

    suite_columns_remove(&e->columns, e->name, e->problem, sizeof e->problem);
    for (size_t k = 0; k < rules->count && used < sizeof e->name; k++) {
        const suite_column *c = &rules->items[k];
        const char *dot = strchr(c->name, '.');

        if (c->named && suite_column_concerns(c, r->type->list) &&
            !suite_columns_find(&e->columns, c->name)) {
            used += (size_t)snprintf(e->name + used, sizeof e->name - used, "%s%s=%s",
                                     mark, dot ? dot + 1 : c->name, c->text);
            mark = ",";
        }
    }
    return used < sizeof e->name
               ? PERP_OK
               : document_fail(d, err,
                               "its name with all that varies has more than %zu "
                               "characters",
                               sizeof e->name - 1);
}

perp_status suite_add_entry(const suite_reader *r, const document *d,
                            const suite_source *source, perp_error *err)
{
    suite_set *set = r->set;
    suite_entry *e = NULL;

    if (set->entry_count == SUITE_ENTRIES) {
        return document_fail(d, err, "more than %d instances in a set", SUITE_ENTRIES);
    }
    e = suite_grow((void **)&set->entries, &set->entry_count, &set->entry_room,
                   sizeof *e);
    e->type = r->type;
    e->read = source->read;
    e->coordinates = source->coordinates;
    e->path = take_text(source->path);
    e->file = take_text(source->file);
    e->parameters = e->path + (source->parameters ? source->parameters - source->path
                                                  : (ptrdiff_t)strlen(e->path));
    if (source->name) {
        snprintf(e->name, sizeof e->name, "%s", source->name);
    } else {
        instance_name(e->file, e->read.item, e->name);
        if (entries_share_stem(set, e->name)) {
            char *path = take_made(perp_text_utf8(e->path)); /* same stem elsewhere */

            perp_text_shorten(e->name, sizeof e->name, path);
            free(path);
        }
    }
    if (source->columns) {
        suite_columns_copy(&e->columns, source->columns);
    }
    if (entry_add_rules(e, r, d, err) != PERP_OK) {
        return PERP_ERR_FORMAT;
    }
    if (entries_have(set, e->name) || entries_repeat(set, e)) {
        return document_fail(d, err, "the %s \"%s\" is listed twice", r->what, e->name);
    }
    entries_index(set, e);
    return PERP_OK;
}

perp_status suite_add_files(const suite_reader *r, const document *d, const char *path,
                            const perp_read_options *read, const char *name,
                            perp_error *err)
{
    const char *folder = path[0] == '/' ? "" : r->folder;
    size_t skip = strlen(folder);
    char *pattern = take(1, skip + strlen(path) + 1);
    suite_source source = {.read = *read};
    glob_t found = {0};
    perp_status status = PERP_OK;

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

/* The value of a member that has several. */
static perp_status entries_add_column(suite_columns *columns, const document *d,
                                      const char *member, perp_error *err)
{
    suite_column column = {.named = false};
    perp_status status = suite_value_read(d, &column, err);

    snprintf(column.name, sizeof column.name, "%s", member);
    if (status == PERP_OK) {
        suite_columns_add(columns, &column);
    }
    json_decref(column.value);
    return status;
}

/* The call of the present digits: "generate:spd:n=50,seed=7", or "chain:links=5". */
static perp_status entries_print_call(suite_odometer *sweep, const document *d,
                                      const char *key, char *call, suite_columns *columns,
                                      perp_error *err)
{
    document head = document_member(d, key);
    const char *name = "", *member = NULL, *mark = ":";
    json_t *value = NULL;
    int length = 0;
    perp_status status = PERP_OK;

    TRY(document_text(&head, &name, err));
    length = snprintf(call, SUITE_CALL, "%s%s",
                      strcmp(key, "generate") == 0 ? "generate:" : "", name);
    sweep->count = 0;
    json_object_foreach((json_t *)(uintptr_t)d->value, member, value)
    {
        document m = document_member(d, member);
        size_t k = sweep->count;
        char text[COLUMN_TEXT];

        if (strcmp(member, key) == 0) {
            continue;
        }
        if (length >= SUITE_CALL || k == SUITE_PARAMETERS) {
            return document_fail(&m, err, "too many parameters");
        }
        if (json_is_array(value)) {
            m = document_item(&m, sweep->digit[k]);
            status = entries_add_column(columns, &m, member, err);
            snprintf(text, sizeof text, "%s",
                     status == PERP_OK ? columns->items[columns->count - 1].text : "");
        } else {
            status = document_print(&m, text, sizeof text, err);
        }
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

/* Parameters of the scene or the family of a sweep, {name: unit}; NULL: unknown. */
static json_t *entries_parameters(const suite_reader *r, const document *d,
                                  const char *key)
{
    const char *name = json_string_value(json_object_get(d->value, key));
    char call[SUITE_CALL];

    snprintf(call, sizeof call, "%s%s",
             strcmp(key, "generate") == 0 ? "generate:"
             : r->type->one_answer        ? "scene:"
                                          : "",
             name ? name : "");
    return name ? r->type->parameters(r, call) : NULL;
}

/* Numbers are in the units of the parameters. */
static void entries_set_units(suite_columns *columns, const json_t *parameters)
{
    for (size_t k = 0; k < columns->count; k++) {
        suite_column *c = &columns->items[k];
        const char *unit = json_string_value(json_object_get(parameters, c->name));

        if (unit) {
            snprintf(c->unit, sizeof c->unit, "%s", unit);
        }
    }
}

perp_status suite_sweep_calls(const suite_reader *r, const document *d, const char *key,
                              suite_add_call *add, perp_error *err)
{
    suite_odometer sweep = {.count = 0};
    char call[SUITE_CALL];
    json_t *parameters = entries_parameters(r, d, key);
    perp_status status = PERP_OK;
    bool more = true;

    while (more) {
        suite_columns columns = {NULL, 0, 0};

        status = entries_print_call(&sweep, d, key, call, &columns, err);
        if (status == PERP_OK) {
            entries_set_units(&columns, parameters);
            status = add(r, d, call, &columns, err);
        }
        suite_columns_clear(&columns);
        more = status == PERP_OK && suite_odometer_next(&sweep);
    }
    json_decref(parameters);
    return status;
}
