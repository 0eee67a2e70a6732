/* SPDX-License-Identifier: Apache-2.0
 * formats/list.c: the list of formats, and the format of a name, a file or a path. */
#include <config.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "formats.h"

static const perp_format_type *const types[] = {
#define PERP_FORMAT(name) &perp_format_##name,
    PERP_FORMAT_LIST(PERP_FORMAT)
#undef PERP_FORMAT
};

enum { FORMAT_COUNT = sizeof types / sizeof types[0] };

static const perp_format *const formats[FORMAT_COUNT + 1] = {
#define PERP_FORMAT(name) &perp_format_##name.format,
    PERP_FORMAT_LIST(PERP_FORMAT)
#undef PERP_FORMAT
};

const perp_format *const *perp_formats(size_t *count)
{
    if (count) {
        *count = FORMAT_COUNT;
    }
    return formats;
}

static const perp_format_type *type_find(const char *name)
{
    for (size_t i = 0; name && i < FORMAT_COUNT; i++) {
        if (strcmp(types[i]->format.name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

const perp_format *perp_format_find(const char *name)
{
    const perp_format_type *type = type_find(name);

    return type ? &type->format : NULL;
}

enum { FORMAT_NAMES = 400 }; /* bytes of a list of all formats */

static bool format_reads(const perp_format *format)
{
    return format->reads;
}

static bool format_writes(const perp_format *format)
{
    return format->writes;
}

/* "fclib, siconos, npz": those that can do it, for messages. */
static void list_names(char *text, size_t length, bool (*able)(const perp_format *format))
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < FORMAT_COUNT && used < length; i++) {
        if (able(formats[i])) {
            used += (size_t)snprintf(text + used, length - used, "%s%s", used ? ", " : "",
                                     formats[i]->name);
        }
    }
}

#ifdef HAVE_MATIO
static const bool lacks_matio = false;
#else
static const bool lacks_matio = true;
#endif

static perp_status refuse_mat(const char *path, perp_error *err)
{
    return perp_fail(
        err, PERP_ERR_UNSUITABLE,
        "%s: perp was built without matio, which reads and writes MATLAB files", path);
}

static perp_status refuse_to_read(const char *path, const char *format, perp_error *err)
{
    return perp_fail(err, PERP_ERR_UNSUITABLE, "%s: format %s can only be written", path,
                     format);
}

static perp_status named_type(const perp_format_type **type, const char *name,
                              const char *path, bool (*able)(const perp_format *format),
                              perp_error *err)
{
    char names[FORMAT_NAMES];

    *type = type_find(name);
    if (!*type && lacks_matio && strcmp(name, "mat") == 0) {
        return refuse_mat(path, err);
    }
    if (!*type) {
        list_names(names, sizeof names, able);
        return perp_fail(err, PERP_ERR_OPTION, "format is \"%s\", expected one of: %s",
                         name, names);
    }
    return PERP_OK;
}

static bool format_any(const perp_format *format)
{
    (void)format;
    return true;
}

perp_status perp_format_named(const perp_format **format, const char *name,
                              perp_error *err)
{
    const perp_format_type *type = NULL;
    perp_status status = named_type(&type, name, name, format_any, err);

    *format = type ? &type->format : NULL;
    return status;
}

/* Of a file that no format recognises: its extension may be that of a format without a reader. */
static const char *format_written_only(const perp_source *from)
{
    for (size_t i = 0; !from->memory && i < FORMAT_COUNT; i++) {
        const perp_format *format = &types[i]->format;

        if (!format->reads && perp_path_ends(from->name, format->extension)) {
            return format->name;
        }
    }
    return NULL;
}

/* The format that is most certain of the source; the first of the list among equals. */
static perp_status detect_type(const perp_format_type **type, const perp_source *from,
                               perp_error *err)
{
    int best = 0;
    char names[FORMAT_NAMES];
    char head[PERP_SOURCE_HEAD + 1] = "";
    char start[3];
    const char *written_only = format_written_only(from);
    perp_source probe = *from;
    struct stat st;

    *type = NULL;
    if (!from->memory && stat(from->name, &st) != 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: cannot open: %s", from->name,
                         strerror(errno));
    }
    if (perp_source_head(&probe, head, err) != PERP_OK) {
        return PERP_ERR_READ;
    }
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        int certain = types[i]->detect ? types[i]->detect(&probe) : 0;

        if (certain > best) {
            best = certain;
            *type = types[i];
        }
    }
    if (lacks_matio && (strncmp(head, "MATLAB ", strlen("MATLAB ")) == 0 ||
                        (!*type && perp_path_ends(from->name, ".mat")))) {
        return refuse_mat(from->name, err);
    }
    if (!*type && strncmp(head, "%%MatrixMarket", strlen("%%MatrixMarket")) == 0) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: one matrix alone, expected a folder that holds it as A.mtx, "
            "with b.mtx",
            from->name);
    }
    if (!*type && perp_source_check(start, perp_source_peek(&probe, start, 2), from->name,
                                    err) != PERP_OK) {
        return PERP_ERR_FORMAT;
    }
    if (!*type && written_only) {
        return refuse_to_read(from->name, written_only, err);
    }
    if (!*type) {
        list_names(names, sizeof names, format_reads);
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: no format of an instance is recognised, expected one of: %s", from->name,
            names);
    }
    return PERP_OK;
}

/* To write: by the extension of the path; a path without one becomes a folder. A descriptor has
 * neither. */
static perp_status extension_type(const perp_format_type **type, const char *path,
                                  perp_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char names[FORMAT_NAMES];

    *type = NULL;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const perp_format *format = &types[i]->format;
        bool folder = format->extension[0] == '\0';

        if (!format->writes || perp_file_descriptor(path) >= 0) {
            continue;
        }
        if (folder ? !strchr(name, '.') : perp_path_ends(name, format->extension)) {
            *type = types[i];
            return PERP_OK;
        }
        if (folder && perp_path_ends(name, types[i]->part)) {
            return perp_fail(
                err, PERP_ERR_OPTION,
                "%s: %s is a folder of files here: give a folder, or --to %s", path,
                types[i]->title, format->name);
        }
    }
    if (lacks_matio && perp_path_ends(path, ".mat")) {
        return refuse_mat(path, err);
    }
    list_names(names, sizeof names, format_writes);
    return perp_fail(err, PERP_ERR_OPTION,
                     "%s: its extension belongs to no format, name one of: %s", path,
                     names);
}

perp_status perp_format_to_read(const perp_format_type **type, const perp_source *from,
                                const perp_read_options *opt, perp_error *err)
{
    TRY(opt->format ? named_type(type, opt->format, from->name, format_reads, err)
                    : detect_type(type, from, err));
    if (!(*type)->format.reads) {
        TRY(refuse_to_read(from->name, (*type)->format.name, err));
    }
    if (from->memory && !(*type)->format.memory) {
        TRY(perp_fail(err, PERP_ERR_UNSUITABLE,
                      "%s: %s is read from a path only, not from memory", from->name,
                      (*type)->format.name));
    }
    return PERP_OK;
}

perp_status perp_format_to_write(const perp_format_type **type, const char *name,
                                 const char *path, perp_error *err)
{
    return name ? named_type(type, name, path, format_writes, err)
                : extension_type(type, path, err);
}
