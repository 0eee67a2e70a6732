/* SPDX-License-Identifier: Apache-2.0
 * export/collection.c: problems as a folder of files with an index and a page. */
#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/campaign/spectrum.h"
#include "command/cli/take.h"
#include "command/export/collection.h"
#include "command/export/page.h"

struct collection {
    collection_orders orders;
    const perp_format *format;
    char path[PERP_FILE_PATH_LENGTH]; /* of the folder, without a slash at its end */
    char work[PERP_FILE_PATH_LENGTH +
              64]; /* of the folder until it is installed; "": none */
    collection_row *rows;
    size_t count, room, refused;
};

static perp_status collection_format(collection *c, perp_error *err)
{
    const char *name = c->orders.format;

    TRY(perp_format_named(&c->format, name, err));
    return c->format->writes
               ? PERP_OK
               : perp_fail(err, PERP_ERR_OPTION, "format %s can only be read", name);
}

/* The folder must be new or empty: rename(2) replaces an empty one. */
static perp_status collection_folder(collection *c, perp_error *err)
{
    size_t length = strlen(c->orders.dir);

    if (length == 0 || length >= sizeof c->path) {
        return perp_fail(err, PERP_ERR_OPTION, "\"%.80s\": not the name of a folder",
                         c->orders.dir);
    }
    memcpy(c->path, c->orders.dir, length + 1);
    c->path[perp_path_length(c->path)] = '\0';
    if (access(c->path, F_OK) == 0 && rmdir(c->path) != 0) {
        return perp_fail(err, PERP_ERR_OPTION, "%s: %s; choose another folder", c->path,
                         errno == ENOTDIR ? "it is not a folder" : "it is not empty");
    }
    TRY(perp_folder_create(c->work, sizeof c->work, c->path, "part", err));
    take_temporary(c->work);
    return PERP_OK;
}

perp_status collection_open(collection **c, const collection_orders *orders,
                            perp_error *err)
{
    collection *new = take(1, sizeof *new);
    perp_status status = PERP_OK;

    *c = NULL;
    new->orders = *orders;
    status = collection_format(new, err);
    if (status == PERP_OK) {
        status = collection_folder(new, err);
    }
    if (status != PERP_OK) {
        new->work[0] = '\0';
        collection_free(new);
        return status;
    }
    *c = new;
    return PERP_OK;
}

static bool collection_has(const collection *c, const char *name)
{
    for (size_t k = 0; k < c->count; k++) {
        if (strcasecmp(c->rows[k].name, name) == 0) { /* one file on some systems */
            return true;
        }
    }
    return false;
}

/* Letters, digits and ._=,+- stay; two problems of one name become name and name-2. */
static void collection_name(const collection *c, const char *from, char name[])
{
    static const char others[] = "._=,+-";
    char plain[COLLECTION_NAME - 16];
    size_t length = 0;

    for (; *from && length < sizeof plain - 1; from++) {
        bool fit = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                   (*from >= '0' && *from <= '9') || strchr(others, *from);

        plain[length++] = fit ? *from : '-';
    }
    plain[length] = '\0';
    if (length == 0 || plain[0] == '.' || plain[0] == '-') {
        plain[0] = 'p';
        plain[length + (length == 0)] = '\0';
    }
    snprintf(name, COLLECTION_NAME, "%s", plain);
    for (size_t k = 2; collection_has(c, name); k++) {
        snprintf(name, COLLECTION_NAME, "%s-%zu", plain, k);
    }
}

static void collection_row_new(collection *c, collection_row **row)
{
    TAKE_ROOM(c->rows, c->room, c->count + 1);
    *row = &c->rows[c->count];
    memset(*row, 0, sizeof **row);
}

/* Nonzeros of A, or of M and H of a global problem. */
static size_t collection_nonzeros(const perp_problem *p)
{
    return p->A ? perp_operator_nonzeros(p->A)
                : perp_operator_nonzeros(p->global->M) +
                      perp_operator_nonzeros(p->global->H);
}

static perp_status collection_describe(const collection *c, collection_row *row,
                                       const perp_problem *p,
                                       const collection_origin *origin, perp_error *err)
{
    spectrum s = {0};
    bool known = false;
    const char *licence = origin->computed ? c->orders.licence : origin->licence;
    perp_status status = spectrum_of(p, c->orders.most_rows, &s, &known, err);

    if (status != PERP_OK) {
        spectrum_clear(&s);
        return status;
    }
    row->kind = perp_kind_name(perp_problem_kind(p));
    row->global = !p->A;
    row->n = p->n;
    row->contacts = perp_problem_contacts(p);
    row->nonzeros = collection_nonzeros(p);
    row->hash = perp_problem_hash(p);
    row->rank = known ? (double)s.rank : NAN;
    row->condition = known ? s.condition : NAN;
    spectrum_clear(&s);
    row->source = take_text(origin->source);
    row->licence = take_text(licence ? licence : "");
    return PERP_OK;
}

/* The file; a problem that the format cannot hold has the reason in its row. */
static perp_status collection_write(collection *c, collection_row *row,
                                    const perp_problem *p, perp_error *err)
{
    char path[sizeof c->work + COLLECTION_NAME + 32];
    perp_error inner = {0};
    perp_status status = PERP_OK;

    snprintf(row->file, sizeof row->file, "%s%s", row->name, c->format->extension);
    snprintf(path, sizeof path, "%s/%s", c->work, row->file);
    status = perp_problem_write(p, path, c->format->name, NULL, &inner);
    if (status == PERP_ERR_UNSUITABLE) {
        const char *said =
            strncmp(inner.text, path, strlen(path)) == 0
                ? inner.text + strlen(path) + strspn(inner.text + strlen(path), ": ")
                : inner.text;

        snprintf(row->remark, sizeof row->remark, "%s", said);
        row->file[0] = '\0';
        c->refused++;
        return PERP_OK;
    }
    if (status == PERP_OK) {
        perp_notes notes = {0};

        perp_problem_left_out(p, path, c->format->name, &notes);
        snprintf(row->remark, sizeof row->remark, "%s", notes.line[0]);
    }
    return status == PERP_OK ? PERP_OK : perp_fail(err, status, "%s", inner.text);
}

/* A suite may name a problem in several sets: it is written once. */
static bool collection_holds(const collection *c, const collection_row *row)
{
    for (size_t k = 0; k < c->count; k++) {
        if (c->rows[k].hash == row->hash && strcmp(c->rows[k].source, row->source) == 0) {
            return true;
        }
    }
    return false;
}

static void collection_row_clear(collection_row *row)
{
    free(row->source);
    free(row->licence);
}

perp_status collection_add(collection *c, const perp_problem *p, const char *name,
                           const collection_origin *origin, perp_error *err)
{
    collection_row *row = NULL;
    perp_status status = PERP_OK;

    collection_row_new(c, &row);
    status = collection_describe(c, row, p, origin, err);
    if (status != PERP_OK || collection_holds(c, row)) {
        collection_row_clear(row);
        return status;
    }
    collection_name(c, name, row->name);
    c->count++;
    return collection_write(c, row, p, err);
}

size_t collection_count(const collection *c)
{
    return c->count;
}

size_t collection_refused(const collection *c)
{
    return c->refused;
}

/* One of the two texts of the folder. */
static perp_status collection_text(const collection *c, const char *name,
                                   void (*print)(FILE *out, const collection_page *page),
                                   perp_error *err)
{
    const collection_page page = {
        .orders = &c->orders, .format = c->format, .rows = c->rows, .count = c->count};
    char path[sizeof c->work + 32];
    perp_file_out out;

    snprintf(path, sizeof path, "%s/%s", c->work, name);
    TRY(perp_file_create(&out, path, err));
    print(out.f, &page);
    return perp_file_commit(&out, err);
}

perp_status collection_install(collection *c, perp_error *err)
{
    perp_status status = collection_text(c, "index.csv", collection_print_index, err);

    if (status == PERP_OK) {
        status = collection_text(c, "README.md", collection_print_page, err);
    }
    if (status == PERP_OK && rename(c->work, c->path) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot rename to it: %s", c->path,
                           strerror(errno));
    }
    if (status == PERP_OK) {
        take_kept(c->work);
        c->work[0] = '\0';
    }
    return status;
}

void collection_free(collection *c)
{
    if (!c) {
        return;
    }
    if (c->work[0]) { /* made here, under a name that was free: all in it is ours */
        perp_folder_remove_all(c->work);
        take_kept(c->work);
    }
    for (size_t k = 0; k < c->count; k++) {
        collection_row_clear(&c->rows[k]);
    }
    free(c->rows);
    free(c);
}
