/* SPDX-License-Identifier: Apache-2.0
 * runner/document.h: JSON read with the place of each fault: "file: sets[1].name: …". */
#ifndef PERP_RUNNER_DOCUMENT_H
#define PERP_RUNNER_DOCUMENT_H

#include <jansson.h>

#include <perp/perp.h>

enum { DOCUMENT_PLACE = 256 };

/** A value and its place. */
typedef struct document {
    const char *file;
    const json_t *value;
    char place[DOCUMENT_PLACE]; /* "" at the root */
    bool whole; /* all within is shown at this place: it was made from one value */
} document;

/** The member `key`; its value is NULL when there is none. */
document document_member(const document *d, const char *key);
/** The item k of an array. */
document document_item(const document *d, size_t k);

/** "file: place: message". */
perp_status document_fail(const document *d, perp_error *err, const char *format, ...)
    PERP_PRINTF(3, 4);

/** Fail unless d is an object whose keys are all among "a|b|c"; the nearest is named. */
perp_status document_keys(const document *d, const char *known, perp_error *err);
/** Fail unless d is an array. */
perp_status document_array(const document *d, perp_error *err);
/** A string; what was in *text stays when there is no value. */
perp_status document_text(const document *d, const char **text, perp_error *err);
/** One of "a|b|c". */
perp_status document_choice(const document *d, const char *choices, const char **text,
                            perp_error *err);
/** A number from low to high; what was in *x stays when there is no value. */
perp_status document_number(const document *d, double low, double high, double *x,
                            perp_error *err);
perp_status document_integer(const document *d, long low, long high, long *n,
                             perp_error *err);
perp_status document_switch(const document *d, bool *on, perp_error *err);
/** A number, switch or string as one types it after an option; a number in its shortest
 *  form. */
perp_status document_print(const document *d, char *text, size_t length, perp_error *err);

/** A member of an object: its row of a table, and the member of a struct that it fills. */
typedef struct document_row {
    perp_option option; /**< kind, range, default */
    size_t offset; /**< of a double (REAL), long (INTEGER), bool (SWITCH), const char * */
    /** Reads the member, absent or not, in place of the kind; NULL: as the kind says. */
    perp_status (*read)(const struct document_row *row, const document *member, void *out,
                        perp_error *err);
} document_row;

/** Fill a struct with the defaults of a table that ends with PERP_OPTION_END; texts and what
 *  has a function of its own become NULL or stay. */
void document_defaults(const document_row *rows, void *out);
/** Read the members that d has, and leave the others as they are. Other keys are the
 *  caller's concern. */
perp_status document_read(const document *d, const document_row *rows, void *out,
                          perp_error *err);
/** "limits|tolerances|…": the names of a table; at most `length` bytes. */
void document_row_names(const document_row *rows, char *text, size_t length);

#endif
