/* SPDX-License-Identifier: Apache-2.0
 * formats/formats.c: the list of formats, and the calls that choose one.
 *
 * Numbers in files are written as in C, whatever the user's language: reading and writing
 * run in the "C" locale, which uselocale(3) sets for this thread alone. */
#include <config.h>

#include <errno.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>

#include "formats.h"

static const perp_format *const formats[] = {
    &perp_format_sequence, /* before fclib, which claims all HDF5 files */
    &perp_format_fclib,    &perp_format_siconos, &perp_format_matrix_market,
    &perp_format_golden,   &perp_format_npz,     NULL, /* ends the list */
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] - 1 };

const perp_format *const *perp_formats(size_t *count)
{
    if (count) {
        *count = FORMAT_COUNT;
    }
    return formats;
}

const perp_format *perp_format_find(const char *name)
{
    for (size_t i = 0; name && formats[i]; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

/* "fclib, siconos, npz": for messages. */
static void list_names(char *text, size_t length)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; formats[i] && used < length; i++) {
        used += (size_t)snprintf(text + used, length - used, "%s%s", i ? ", " : "",
                                 formats[i]->name);
    }
}

static perp_status named_format(const perp_format **format, const char *name,
                                perp_error *err)
{
    char names[200];

    *format = perp_format_find(name);
    if (!*format) {
        list_names(names, sizeof names);
        return perp_fail(err, PERP_ERR_OPTION, "format is \"%s\", expected one of: %s",
                         name, names);
    }
    return PERP_OK;
}

/* The format that is surest of the path; the first of the list among equals. */
static perp_status detect_format(const perp_format **format, const char *path,
                                 perp_error *err)
{
    int best = 0;
    char names[200];
    struct stat st;

    *format = NULL;
    if (stat(path, &st) != 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: cannot open: %s", path,
                         strerror(errno));
    }
    for (size_t i = 0; formats[i]; i++) {
        int sure = formats[i]->detect(path);

        if (sure > best) {
            best = sure;
            *format = formats[i];
        }
    }
    if (!*format) {
        list_names(names, sizeof names);
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: no format of an instance is recognised, expected one of: %s", path,
            names);
    }
    return PERP_OK;
}

/* To write: by the extension of the path; a path without one becomes a folder. */
static perp_status extension_format(const perp_format **format, const char *path,
                                    perp_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char names[200];

    *format = NULL;
    for (size_t i = 0; formats[i]; i++) {
        bool folder = formats[i]->extension[0] == '\0';

        if (!formats[i]->writes) {
            continue;
        }
        if (folder ? !strchr(name, '.') : perp_path_ends(name, formats[i]->extension)) {
            *format = formats[i];
            return PERP_OK;
        }
    }
    list_names(names, sizeof names);
    return perp_fail(err, PERP_ERR_OPTION,
                     "%s: its extension belongs to no format, name one of: %s", path,
                     names);
}

static perp_status format_to_read(const perp_format **format, const char *path,
                                  const perp_read_options *opt, perp_error *err)
{
    return opt->format ? named_format(format, opt->format, err)
                       : detect_format(format, path, err);
}

perp_status perp_problem_read(perp_problem **p, const char *path,
                              const perp_read_options *opt, perp_notes *notes,
                              perp_error *err)
{
    static const perp_read_options defaults;
    const perp_format *format = NULL;
    locale_t before = (locale_t)0;
    locale_t c_locale = (locale_t)0;
    perp_status status = PERP_OK;

    *p = NULL;
    if (notes) {
        notes->count = 0;
    }
    opt = opt ? opt : &defaults;
    status = format_to_read(&format, path, opt, err);
    if (status != PERP_OK) {
        return status;
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a locale", path);
    }
    before = uselocale(c_locale);
    status = format->read(path, opt, p, notes, err);
    uselocale(before);
    freelocale(c_locale);
    if (status == PERP_OK) {
        status = perp_problem_seal(*p, err);
        if (status != PERP_OK) {
            perp_fail_in(err, status, path);
        }
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    return status;
}

perp_status perp_problem_write(const perp_problem *p, const char *path,
                               const char *format_name, const char *kind, perp_error *err)
{
    const perp_format *format = NULL;
    locale_t before = (locale_t)0;
    locale_t c_locale = (locale_t)0;
    perp_status status = format_name ? named_format(&format, format_name, err)
                                     : extension_format(&format, path, err);

    if (status != PERP_OK) {
        return status;
    }
    if (!format->writes) {
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s: format %s can only be read", path,
                         format->name);
    }
    status = perp_problem_ensure_checked(p, err);
    if (status != PERP_OK) {
        return perp_fail_in(err, status, path);
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a locale", path);
    }
    before = uselocale(c_locale);
    status = format->write(path, p, kind, err);
    uselocale(before);
    freelocale(c_locale);
    return status;
}

perp_status perp_batch_count(const char *path, const perp_read_options *opt,
                             size_t *count, perp_error *err)
{
    static const perp_read_options defaults;
    const perp_format *format = NULL;
    perp_status status = format_to_read(&format, path, opt ? opt : &defaults, err);

    *count = 1;
    if (status == PERP_OK && format == &perp_format_golden) {
        status = perp_golden_count(path, count, err);
    }
    if (status == PERP_OK && format == &perp_format_sequence) {
        perp_sequence *s = NULL;

        status = perp_sequence_open(&s, path, err);
        *count = status == PERP_OK ? perp_sequence_count(s) : 1;
        perp_sequence_free(s);
    }
    return status;
}

void perp_note(perp_notes *notes, const char *format, ...)
{
    va_list args;

    if (!notes || notes->count >= sizeof notes->line / sizeof notes->line[0]) {
        return;
    }
    va_start(args, format);
    vsnprintf(notes->line[notes->count++], sizeof notes->line[0], format, args);
    va_end(args);
}
