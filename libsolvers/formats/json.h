/* SPDX-License-Identifier: Apache-2.0
 * formats/json.h: the parts of the json format. Private. */
#ifndef PERP_FORMATS_JSON_H
#define PERP_FORMATS_JSON_H

#include "arrays.h"

/** The text of an array or of a sparse matrix. */
typedef struct perp_json_span {
    char name[24];
    const char *at, *end;
    size_t line; /**< of `at`, from 1 */
} perp_json_span;

/** An object whose arrays of numbers stay text, and everything else a document: a number of a
 *  document takes ten times the memory of a double, and its time. */
typedef struct perp_json_object {
    const char *file; /**< for messages */
    perp_json_span *spans;
    size_t count;
    json_t *rest; /**< 0 in the place of each span */
} perp_json_object;

/** Divide the object in a text; `names`, ended by NULL, are the members that become spans when
 *  they are arrays or objects ("guess_" stands for guess_1, guess_2, ...). */
perp_status perp_json_divide(perp_json_object *o, const char *file,
                             const perp_json_span *text, const char *const *names,
                             perp_error *err);
void perp_json_object_free(perp_json_object *o);
/** NULL: there is no such span. */
const perp_json_span *perp_json_span_find(const perp_json_object *o, const char *name);

/** The numbers of an array, on the heap; `infinite`: bounds, where null is -inf in "lo" and
 *  inf in "hi". */
perp_status perp_json_numbers(const perp_json_object *o, const perp_json_span *span,
                              bool infinite, double **x, size_t *count, perp_error *err);
/** The array of rows is rows x cols; cols PERP_ARRAY_ANY: as many as the first row has. */
perp_status perp_json_rows(const perp_json_object *o, const perp_json_span *span,
                           size_t rows, size_t cols, size_t most, perp_operator **A,
                           perp_error *err);

perp_status perp_json_write(perp_file_out *file, const perp_problem *p, const char *kind,
                            perp_error *err);

#endif
