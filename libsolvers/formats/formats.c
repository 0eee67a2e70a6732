/* SPDX-License-Identifier: Apache-2.0
 * formats/formats.c: the calls that read and write a problem in the format that is asked for.
 *
 * Numbers in files are written as in C, whatever the user's language: reading and writing
 * run in the "C" locale, which uselocale(3) sets for this thread alone. */
#include <config.h>

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "formats.h"
#include "meta.h"
#include "mtx.h"
#include "scan.h"

static const char memory_name[] = "memory"; /* of bytes in memory, in messages */

/* The "C" locale for this thread, and the one to return to. */
typedef struct locale_pair {
    locale_t c, before;
} locale_pair;

static perp_status locale_enter(locale_pair *l, const char *name, perp_error *err)
{
    l->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!l->c) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a locale", name);
    }
    l->before = uselocale(l->c);
    return PERP_OK;
}

static void locale_leave(locale_pair *l)
{
    uselocale(l->before);
    freelocale(l->c);
}

static perp_status read_source(perp_problem **p, perp_source *from,
                               const perp_read_options *opt, perp_notes *notes,
                               perp_error *err)
{
    static const perp_read_options defaults;
    const perp_format_type *type = NULL;
    locale_pair locale = {0};
    perp_status status = PERP_OK;

    *p = NULL;
    if (notes) {
        notes->count = 0;
    }
    opt = opt ? opt : &defaults;
    status = perp_format_to_read(&type, from, opt, err);
    if (status == PERP_OK) {
        status = locale_enter(&locale, from->name, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    status = type->read(from, opt, p, notes, err);
    if (status == PERP_OK && !from->memory && !(*p)->labels && !(*p)->origin) {
        status = perp_meta_side_read(*p, from->name, notes, err);
    }
    locale_leave(&locale);
    perp_source_release(from);
    if (status == PERP_OK) {
        status = perp_problem_seal(*p, err);
        if (status != PERP_OK) {
            perp_fail_in(err, status, from->name);
        }
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    return status;
}

/* A pipe can be read once: its bytes are kept in memory. */
static perp_status read_pipe(perp_problem **p, const char *path,
                             const perp_read_options *opt, perp_notes *notes,
                             perp_error *err)
{
    perp_source from = {.name = path, .memory = true};
    char *bytes = NULL;
    perp_status status = perp_file_slurp(path, &bytes, &from.size, err);

    from.bytes = bytes;
    if (status == PERP_OK) {
        status = read_source(p, &from, opt, notes, err);
    }
    free(bytes);
    return status;
}

perp_status perp_problem_read(perp_problem **p, const char *path,
                              const perp_read_options *opt, perp_notes *notes,
                              perp_error *err)
{
    perp_source from = {.name = path};
    struct stat st;

    if (perp_check_arguments(p && path, "perp_problem_read", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }
    *p = NULL;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode)
               ? read_pipe(p, path, opt, notes, err)
               : read_source(p, &from, opt, notes, err);
}

perp_status perp_problem_read_memory(perp_problem **p, const void *bytes, size_t size,
                                     const perp_read_options *opt, perp_notes *notes,
                                     perp_error *err)
{
    if (perp_check_arguments(p && (bytes || size == 0), "perp_problem_read_memory",
                             err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_source from = {
        .name = memory_name, .bytes = bytes, .size = bytes ? size : 0, .memory = true};

    return read_source(p, &from, opt, notes, err);
}

static perp_status check_to_write(const perp_format_type *type, const perp_problem *p,
                                  const char *kind, const char *name, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!type->format.writes) {
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s: format %s can only be read", name,
                         type->format.name);
    }
    status = perp_problem_ensure_checked(p, err);
    if (status == PERP_OK) { /* they may have changed since it was sealed */
        status = perp_labels_check(p, err);
    }
    if (status != PERP_OK) {
        return perp_fail_in(err, status, name);
    }
    return type->suits ? type->suits(p, kind, name, err) : PERP_OK;
}

/* To a file that is created and committed here. */
static perp_status write_one(const perp_format_type *type, const perp_problem *p,
                             const char *path, const char *kind, perp_error *err)
{
    perp_file_out out;
    perp_status status = PERP_OK;

    TRY(perp_file_create(&out, path, err));
    status = type->write(&out, p, kind, err);
    if (status != PERP_OK) {
        perp_file_abandon(&out);
        return status;
    }
    return perp_file_commit(&out, err);
}

/* With its side file, which is there once the file is. */
static perp_status write_file(const perp_format_type *type, const perp_problem *p,
                              const char *path, const char *kind, perp_error *err)
{
    perp_file_out side = {0};
    perp_status status = type->holds & PERP_HOLDS_LABELS
                             ? PERP_OK
                             : perp_meta_side_create(&side, path, p, err);

    if (status == PERP_OK) {
        status = write_one(type, p, path, kind, err);
    }
    if (status == PERP_OK && side.path) {
        return perp_file_commit(&side, err);
    }
    perp_file_abandon(&side);
    return status;
}

/* No format of one problem holds factors: A multiplied out, which the caller frees, or NULL where
 * it has no factors; `to` is the problem with it. */
static perp_status write_multiplied(perp_problem *to, perp_operator **A,
                                    const perp_problem *p, perp_error *err)
{
    size_t e = perp_set_block_size(p->set);
    perp_status status = PERP_OK;

    *to = *p;
    *A = NULL;
    if (p->A && perp_operator_in_factors(p->A)) {
        status = perp_operator_convert(
            A, p->A, e > 1 ? PERP_STORAGE_BSR : PERP_STORAGE_CSR, e, err);
        to->A = *A;
    }
    return status;
}

perp_status perp_problem_write(const perp_problem *p, const char *path,
                               const char *format, const char *kind, perp_error *err)
{
    if (perp_check_arguments(p && path, "perp_problem_write", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const perp_format_type *type = NULL;
    locale_pair locale = {0};
    perp_problem to = {0};
    perp_operator *A = NULL;
    perp_status status = perp_format_to_write(&type, format, path, err);

    if (status == PERP_OK) {
        status = check_to_write(type, p, kind, path, err);
    }
    if (status == PERP_OK) {
        status = write_multiplied(&to, &A, p, err);
    }
    if (status == PERP_OK) {
        status = locale_enter(&locale, path, err);
    }
    if (status == PERP_OK) {
        status = type->write_folder ? type->write_folder(path, &to, kind, err)
                                    : write_file(type, &to, path, kind, err);
        locale_leave(&locale);
    }
    perp_operator_free(A);
    return status;
}

/* Starting points of p that the format does not hold. */
static size_t starts_left_out(const perp_format_type *type, const perp_problem *p)
{
    const bool first = type->holds & PERP_HOLDS_START;
    const bool all = (type->holds & PERP_HOLDS_STARTS) == PERP_HOLDS_STARTS;

    return all || p->guess_count == 0 ? 0 : p->guess_count - first;
}

void perp_problem_left_out(const perp_problem *p, const char *path, const char *format,
                           perp_notes *notes)
{
    const perp_format_type *type = NULL;
    char list[128] = "";
    size_t length = 0;

    if (!p || !path || !notes ||
        perp_format_to_write(&type, format, path, NULL) != PERP_OK) {
        return;
    }

    const size_t starts = starts_left_out(type, p);
    const struct {
        bool out;
        const char *name;
    } parts[] = {
        {p->solution && !(type->holds & PERP_HOLDS_ANSWER), "the answer"},
        {p->title && !(type->holds & PERP_HOLDS_TEXTS), "title"},
        {p->description && !(type->holds & PERP_HOLDS_TEXTS), "description"},
        {p->math_info && !(type->holds & PERP_HOLDS_TEXTS), "math_info"},
    };

    if (starts > 0) {
        length = (size_t)snprintf(list, sizeof list, "%zu starting point%s", starts,
                                  perp_plural(starts));
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (parts[k].out) {
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length ? ", " : "", parts[k].name);
        }
    }
    if (length > 0) {
        perp_note(notes, "left out, since %s has no place for it: %s", type->format.name,
                  list);
    }
    if (type->remark && p->A && !perp_operator_in_factors(p->A)) {
        type->remark(p, notes);
    }
}

static perp_status write_memory(const perp_problem *p, const char *format,
                                const char *kind, char **bytes, size_t *size,
                                perp_error *err)
{
    const perp_format_type *type = NULL;
    perp_file_out out;
    locale_pair locale = {0};
    perp_problem to = {0};
    perp_operator *A = NULL;
    perp_status status = PERP_OK;

    TRY(perp_format_to_write(&type, format ? format : "missing", memory_name, err));
    if (type->write_folder) {
        TRY(perp_fail(err, PERP_ERR_UNSUITABLE,
                      "%s: %s is a folder of files, which has no form in memory",
                      memory_name, type->format.name));
    }
    TRY(check_to_write(type, p, kind, memory_name, err));
    TRY(perp_file_create_memory(&out, memory_name, err));
    status = write_multiplied(&to, &A, p, err);
    if (status == PERP_OK) {
        status = locale_enter(&locale, memory_name, err);
    }
    if (status == PERP_OK) {
        status = type->write(&out, &to, kind, err);
        locale_leave(&locale);
    }
    perp_operator_free(A);
    if (status != PERP_OK) {
        perp_file_abandon(&out);
        return status;
    }
    return perp_file_commit_memory(&out, bytes, size, err);
}

perp_status perp_problem_write_memory(const perp_problem *p, const char *format,
                                      const char *kind, char **bytes, size_t *size,
                                      perp_error *err)
{
    if (perp_check_arguments(p && bytes && size, "perp_problem_write_memory", err) !=
        PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    *bytes = NULL;
    *size = 0;
    return write_memory(p, format, kind, bytes, size, err);
}

/* Numbers as they come, from a text. */
static perp_status read_plain_vector(double **x, size_t *n, const char *path,
                                     perp_error *err)
{
    perp_source from = {.name = path};
    perp_status status = perp_source_load(&from, err);

    *x = NULL;
    if (status == PERP_OK) {
        perp_scan text = perp_scan_start(&from, err);

        text.separator = ',';
        text.comments = "%#";
        status = perp_scan_all(&text, x, n);
    }
    perp_source_release(&from);
    return status;
}

perp_status perp_vector_read(double **x, size_t *n, const char *path, perp_error *err)
{
    if (perp_check_arguments(x && n && path, "perp_vector_read", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    static const char banner[] = "%%MatrixMarket";
    const perp_source from = {.name = path};
    char head[sizeof banner];
    locale_pair locale = {0};
    perp_status status = locale_enter(&locale, path, err);

    *x = NULL;
    *n = PERP_ARRAY_ANY;
    if (status != PERP_OK) {
        return status;
    }
    perp_source_peek(&from, head, sizeof head - 1);
    status = strcmp(head, banner) == 0 ? perp_mtx_vector(x, n, path, false, NULL, err)
                                       : read_plain_vector(x, n, path, err);
    locale_leave(&locale);
    return status;
}

perp_status perp_batch_count(const char *path, const perp_read_options *opt,
                             size_t *count, perp_error *err)
{
    if (perp_check_arguments(path && count, "perp_batch_count", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    static const perp_read_options defaults;
    const perp_format_type *type = NULL;
    perp_source from = {.name = path};
    perp_status status = perp_format_to_read(&type, &from, opt ? opt : &defaults, err);

    *count = 1;
    if (status == PERP_OK && type->count) {
        status = type->count(&from, count, err);
        perp_source_release(&from);
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

perp_status perp_operator_use_blocks(perp_operator **A, size_t block_size,
                                     perp_error *err)
{
    perp_operator *blocks = NULL;
    perp_status status = PERP_OK;

    if (block_size <= 1 || (*A)->block_size == block_size) {
        return PERP_OK;
    }
    status = perp_operator_convert(&blocks, *A, PERP_STORAGE_BSR, block_size, err);
    if (status == PERP_OK) {
        perp_operator_free(*A);
        *A = blocks;
    }
    return status;
}

void perp_triplets_sides(const perp_triplets *t, size_t *above, size_t *below)
{
    *above = 0;
    *below = 0;
    for (size_t k = 0; k < t->count; k++) {
        *above += t->x[k] != 0.0 && t->i[k] < t->j[k];
        *below += t->x[k] != 0.0 && t->i[k] > t->j[k];
    }
}

void perp_triplets_mirror(perp_triplets *t, double factor)
{
    for (size_t k = 0, stored = t->count; k < stored; k++) {
        if (t->i[k] != t->j[k]) {
            perp_triplets_add(t, (size_t)t->j[k], (size_t)t->i[k], factor * t->x[k]);
        }
    }
}
