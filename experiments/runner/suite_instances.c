/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_instances.c: the instances and sequences of a set: files, globs, generator
 * calls. */
#include <config.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/runner/call.h"
#include "experiments/runner/suite_parts.h"

enum { SUITE_CALL = 512, SUITE_PARAMETERS = 16 };

static bool instances_have(const suite_set *set, const char *name, size_t before)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(set->instances[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The same file read in the same way. */
static bool instances_repeat(const suite_set *set, const suite_instance *in)
{
    for (const suite_instance *k = set->instances; k < in; k++) {
        bool same_kind =
            (!k->read.kind && !in->read.kind) ||
            (k->read.kind && in->read.kind && strcmp(k->read.kind, in->read.kind) == 0);

        if (strcmp(k->file, in->file) == 0 && k->read.item == in->read.item &&
            k->read.symmetric_upper == in->read.symmetric_upper && same_kind &&
            !k->scene) {
            return true;
        }
    }
    return false;
}

perp_status suite_add_instance(suite_set *set, const document *d, const char *shown,
                               const char *file, const perp_read_options *read,
                               const char *name, perp_error *err)
{
    suite_instance *in = NULL;

    if (set->instance_count == SUITE_INSTANCES) {
        return document_fail(d, err, "more than %d instances in a set", SUITE_INSTANCES);
    }
    in = suite_grow((void **)&set->instances, &set->instance_count, &set->instance_room,
                    sizeof *in);
    if (!in || !(in->path = perp_text_new(shown)) || !(in->file = perp_text_new(file))) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    in->read = *read;
    in->sets = in->path + strlen(in->path);
    if (name) {
        snprintf(in->name, sizeof in->name, "%s", name);
    } else {
        instance_name(file, read->item, in->name);
    }
    if (!name && instances_have(set, in->name, set->instance_count - 1)) {
        snprintf(in->name, sizeof in->name, "%s", shown); /* same stem elsewhere */
    }
    if (instances_have(set, in->name, set->instance_count - 1) ||
        instances_repeat(set, in)) {
        return document_fail(d, err, "the instance \"%s\" is there twice", in->name);
    }
    return PERP_OK;
}

static perp_status instances_add_call(suite_set *set, const document *d, const char *call,
                                      perp_error *err)
{
    perp_read_options read = {0};
    perp_error inner = {0};

    if (call_check(call + strlen("generate:"), &inner) != PERP_OK) {
        return document_fail(d, err, "%s", inner.text);
    }
    return suite_add_instance(set, d, call, call, &read, NULL, err);
}

/* "generate:spd:n=10,seed=1..100" stands for a hundred calls; several ranges multiply. */
static perp_status instances_add_calls(suite_set *set, const char *folder,
                                       const document *d, const char *call,
                                       perp_error *err)
{
    const char *dots = strstr(call, ".."), *first = dots;
    char one[SUITE_CALL], *end = NULL;
    long from = 0, to = 0;
    bool range = false;

    if (!dots) {
        return instances_add_call(set, d, call, err);
    }
    while (first > call && first[-1] != '=') {
        first--;
    }
    from = strtol(first, &end, 10);
    range = first < dots && end == dots; /* the numbers stand right beside the dots */
    to = range ? strtol(dots + 2, &end, 10) : 0;
    if (!range || end == dots + 2 || (*end && *end != ',') || to < from ||
        (unsigned long)to - (unsigned long)from >= SUITE_INSTANCES) {
        return document_fail(d, err, "found \"%s\", expected a range such as seed=1..9",
                             call);
    }
    for (long k = from; k <= to; k++) {
        if (snprintf(one, sizeof one, "%.*s%ld%s", (int)(first - call), call, k, end) >=
            SUITE_CALL) {
            return document_fail(d, err, "too many parameters");
        }
        if (instances_add_calls(set, folder, d, one, err) != PERP_OK) {
            return err->status;
        }
    }
    return PERP_OK;
}

/* A file, or all that a glob finds, in the order of their names. */
static perp_status instances_add_files(suite_set *set, const char *folder,
                                       const document *d, const char *path,
                                       const perp_read_options *read, const char *name,
                                       perp_error *err)
{
    size_t skip = path[0] == '/' ? 0 : strlen(folder);
    char *pattern = malloc(strlen(folder) + strlen(path) + 1);
    glob_t found = {0};
    perp_status status = PERP_OK;

    if (!pattern) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    sprintf(pattern, "%s%s", path[0] == '/' ? "" : folder, path);
    if (!strpbrk(path, "*?[")) {
        status = access(pattern, R_OK) == 0
                     ? suite_add_instance(set, d, path, pattern, read, name, err)
                     : document_fail(d, err, "no such file: %s", pattern);
    } else if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t k = 0; k < found.gl_pathc && status == PERP_OK; k++) {
            status = suite_add_instance(set, d, found.gl_pathv[k] + skip,
                                        found.gl_pathv[k], read, NULL, err);
        }
    } else {
        status = document_fail(d, err, "no file matches %s", pattern);
    }
    globfree(&found);
    free(pattern);
    return status;
}

static perp_status instances_read_file(suite_set *set, const char *folder,
                                       const document *d, perp_error *err)
{
    document file = document_member(d, "file"), kind = document_member(d, "kind");
    document format = document_member(d, "format"), item = document_member(d, "item");
    document upper = document_member(d, "symmetric-upper");
    document name = document_member(d, "name");
    perp_read_options read = {0};
    const char *path = "", *called = NULL;
    long number = 0;

    if (document_keys(d, "file|kind|format|item|symmetric-upper|name", err) != PERP_OK ||
        document_text(&file, &path, err) != PERP_OK ||
        document_text(&kind, &read.kind, err) != PERP_OK ||
        document_text(&format, &read.format, err) != PERP_OK ||
        document_integer(&item, 0, 1000000000, &number, err) != PERP_OK ||
        document_switch(&upper, &read.symmetric_upper, err) != PERP_OK ||
        document_text(&name, &called, err) != PERP_OK) {
        return err->status;
    }
    if (read.format && !perp_format_find(read.format)) {
        return document_fail(&format, err, "unknown format \"%s\"", read.format);
    }
    read.item = (size_t)number;
    return instances_add_files(set, folder, &file, path, &read, called, err);
}

/* An object that makes calls, its parameters swept like an odometer. */
typedef struct call_sweep {
    size_t digit[SUITE_PARAMETERS], values[SUITE_PARAMETERS], count;
} call_sweep;

/* The call of the present digits: "generate:spd:n=50,seed=7", or "chain:links=5". */
static perp_status call_print(call_sweep *sweep, const document *d, const char *key,
                              char *call, perp_error *err)
{
    document head = document_member(d, key);
    const char *name = "", *member = NULL, *mark = ":";
    json_t *value = NULL;
    int length = 0;

    if (document_text(&head, &name, err) != PERP_OK) {
        return err->status;
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
        if (document_print(&m, text, sizeof text, err) != PERP_OK) {
            return err->status;
        }
        length += snprintf(call + length, (size_t)(SUITE_CALL - length), "%s%s=%s", mark,
                           member, text);
        mark = ",";
        sweep->values[sweep->count++] = json_is_array(value) ? json_array_size(value) : 1;
    }
    return length < SUITE_CALL ? PERP_OK : document_fail(d, err, "too many parameters");
}

static bool call_turn(call_sweep *sweep)
{
    for (size_t k = sweep->count; k-- > 0;) {
        if (++sweep->digit[k] < sweep->values[k]) {
            return true;
        }
        sweep->digit[k] = 0;
    }
    return false;
}

perp_status suite_sweep_calls(suite_set *set, const char *folder, const document *d,
                              const char *key, suite_add_call *add, perp_error *err)
{
    call_sweep sweep = {.count = 0};
    char call[SUITE_CALL];

    do {
        if (call_print(&sweep, d, key, call, err) != PERP_OK ||
            add(set, folder, d, call, err) != PERP_OK) {
            return err->status;
        }
    } while (call_turn(&sweep));
    return PERP_OK;
}

perp_status suite_read_instances(suite_set *set, const char *folder, const document *d,
                                 perp_error *err)
{
    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    for (size_t k = 0; k < json_array_size(d->value); k++) {
        document item = document_item(d, k);
        const char *path = json_string_value(item.value);
        perp_read_options read = {0};
        perp_status status = PERP_OK;

        if (path && instance_is_call(path)) {
            status = instances_add_calls(set, folder, &item, path, err);
        } else if (path) {
            status = instances_add_files(set, folder, &item, path, &read, NULL, err);
        } else if (json_object_get(item.value, "generate")) {
            status = suite_sweep_calls(set, folder, &item, "generate",
                                       instances_add_calls, err);
        } else {
            status = instances_read_file(set, folder, &item, err);
        }
        if (status != PERP_OK) {
            return status;
        }
    }
    if (set->instance_count == 0) {
        return document_fail(d, err, "found no instance");
    }
    return PERP_OK;
}

/* "NESpheres_10_1:steps=20" for "generate:parametric:steps=20,instance=data/NESpheres…". */
static void sequences_name(const char *call, const char *where, char name[INSTANCE_NAME])
{
    const char *rest = strchr(strchr(call, ':') + 1, ':') + 1; /* behind "parametric:" */
    int length = (int)(where - rest) - (int)strlen("instance=");
    size_t used = 0;

    instance_name(where, 0, name);
    used = strlen(name);
    if (length > 1 && used < INSTANCE_NAME) { /* without the comma */
        snprintf(name + used, INSTANCE_NAME - used, ":%.*s", length - 1, rest);
    }
}

/* A call: the path of the instance in it is from the folder of the suite, too. */
static perp_status sequences_add_call(suite_set *set, const char *folder,
                                      const document *d, const char *call,
                                      perp_error *err)
{
    const char *where = call_instance(call + strlen("generate:"));
    bool moved = where && where[0] != '/' && !instance_is_call(where);
    perp_read_options read = {0};
    perp_error inner = {0};
    char *file = NULL;
    char name[INSTANCE_NAME];
    perp_status status = PERP_OK;

    if (call_check_sequence(call + strlen("generate:"), &inner) != PERP_OK) {
        return document_fail(d, err, "%s", inner.text);
    }
    file = malloc(strlen(folder) + strlen(call) + 1);
    if (!file) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", d->file);
    }
    sprintf(file, "%.*s%s%s", where ? (int)(where - call) : (int)strlen(call), call,
            moved ? folder : "", where ? where : "");
    if (moved && access(file + (where - call), R_OK) != 0) {
        status = document_fail(d, err, "no such file: %s", file + (where - call));
    }
    if (where) {
        sequences_name(call, where, name);
    }
    status =
        status ? status
               : suite_add_instance(set, d, call, file, &read, where ? name : NULL, err);
    free(file);
    return status;
}

perp_status suite_read_sequences(suite_set *set, const char *folder, const document *d,
                                 perp_error *err)
{
    size_t before = set->instance_count;

    if (document_array(d, err) != PERP_OK) {
        return err->status;
    }
    for (size_t k = 0; k < json_array_size(d->value); k++) {
        document item = document_item(d, k);
        const char *path = "";
        perp_read_options read = {0};
        perp_status status = document_text(&item, &path, err);

        if (status == PERP_OK && instance_is_call(path)) {
            status = sequences_add_call(set, folder, &item, path, err);
        } else if (status == PERP_OK) {
            status = instances_add_files(set, folder, &item, path, &read, NULL, err);
        }
        if (status != PERP_OK) {
            return status;
        }
    }
    if (set->instance_count == before) {
        return document_fail(d, err, "found no sequence");
    }
    for (size_t i = before; i < set->instance_count; i++) {
        set->instances[i].sequence = true;
    }
    return PERP_OK;
}
