/* SPDX-License-Identifier: Apache-2.0
 * base/json.h: JSON documents, read with a place in every message, and written.
 *
 * `file` and `place` serve messages only: "arch.json: M.data[17] is null, expected a number".
 * All numbers of a document are reals; JSON has no NaN and no infinity. */
#ifndef PERP_BASE_JSON_H
#define PERP_BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include <perp/base.h>

#include "base/file.h"
#include "base/number.h"

enum { PERP_PLACE_LENGTH = 120 };

/** The document in a file or in memory, an object; the message about malformed text has the
 *  form file:line:column. */
perp_status perp_json_load(json_t **root, perp_source *from, perp_error *err);
/** Documents name other files, which may be anything: the message about text that does not begin as
 *  an object or an array does quotes none of it. */
void perp_json_hush(json_error_t *fault, const char *text, size_t length);
/** A member that is required. `at` is the prefix of its place: "" or "cases[3].". */
perp_status perp_json_get(json_t **value, const json_t *object, const char *file,
                          const char *at, const char *key, perp_error *err);
/** A member that is a text; NULL when it is missing. Borrowed from the document. */
perp_status perp_json_text(const char **text, const json_t *object, const char *file,
                           const char *at, const char *key, perp_error *err);
/** Whether an object has no other members than these, of two lists ended by NULL; the second may be
 *  NULL. A name that ends in "_" stands for all that begin with it. */
perp_status perp_json_expect_members(const json_t *object, const char *const *names,
                                     const char *const *more, const char *file,
                                     const char *at, perp_error *err);
/** A member that is one of two words; *second says whether it is the other one. The first is
 *  the default. */
perp_status perp_json_choice(bool *second, const json_t *object, const char *file,
                             const char *at, const char *key, const char *first,
                             const char *other, perp_error *err);
/** A member that is a whole number from 0; `fallback` when it is missing. */
perp_status perp_json_size(size_t *size, const json_t *object, const char *file,
                           const char *at, const char *key, size_t fallback,
                           perp_error *err);
/** A member that is a number. */
perp_status perp_json_real(double *real, const json_t *object, const char *file,
                           const char *at, const char *key, perp_error *err);
/** `count` numbers from an array of as many, or from a single number when count is 1. */
perp_status perp_json_reals(double *reals, size_t count, const json_t *value,
                            const char *file, const char *place, perp_error *err);
/** The kind of a value for messages: "null", "a text", "an array", … */
const char *perp_json_kind(const json_t *value);

/** As perp_number_format, but "null" for an infinity. */
void perp_number_print(char text[PERP_NUMBER_LENGTH], double x);
/** A JSON string, quoted; a byte that is not UTF-8 becomes "\\xff". */
void perp_json_print_text(FILE *f, const char *text);
/** [1, 2, 3] */
void perp_json_print_reals(FILE *f, const double *x, size_t count);

/** A file with one JSON object per line (JSON Lines). */
typedef struct perp_json_lines {
    const char *path;
    FILE *in;
    char *text; /**< the line, and its length with the newline */
    size_t length;
    bool whole;    /**< the line ends with a newline; the last one may be torn */
    json_t *json;  /**< the object, until the next line; NULL: the line is no JSON */
    size_t number; /**< of the line, from 1 */
    size_t room;
} perp_json_lines;

/** PERP_ERR_READ: "path: reason" and `expected`, which may be "". */
perp_status perp_json_lines_open(perp_json_lines *lines, const char *path,
                                 const char *expected, perp_error *err);
/** Read a line; false behind the last one. */
bool perp_json_lines_next(perp_json_lines *lines);
/** Free what is held; returns `status`, or PERP_ERR_READ when reading ended early. */
perp_status perp_json_lines_close(perp_json_lines *lines, perp_status status,
                                  perp_error *err);

#endif
