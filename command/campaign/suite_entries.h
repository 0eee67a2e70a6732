/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_entries.h: what a set lists, added entry by entry. Private to the reader of
 * suites and the types of subjects. */
#ifndef PERP_RUNNER_SUITE_ENTRIES_H
#define PERP_RUNNER_SUITE_ENTRIES_H

#include "command/campaign/suite.h"

/** What varies (runner/suite_vary.h). */
typedef struct suite_vary suite_vary;

/** Where entries go. */
typedef struct suite_reader {
    suite_set *set;
    const subject_type *type;
    const char *what;   /* the name of the type, for messages */
    const char *folder; /* of the suite */
    suite_vary *vary;   /* at its present combination */
} suite_reader;

/** What becomes an entry. Texts are copied, but those of `read` and the coordinates. */
typedef struct suite_source {
    const char *path;             /* as in the suite */
    const char *file;             /* the same from the working folder */
    const char *name;             /* NULL: made from the file */
    const char *parameters;       /* the end of path that holds them; NULL: none */
    const char *coordinates;      /* of a scene */
    const suite_columns *columns; /* parameters that vary; NULL: none */
    perp_read_options read;
} suite_source;

perp_status suite_add_entry(const suite_reader *r, const document *d,
                            const suite_source *source, perp_error *err);
/** Add a file of the folder, or every file that a glob finds, in the order of their names. */
perp_status suite_add_files(const suite_reader *r, const document *d, const char *path,
                            const perp_read_options *read, const char *name,
                            perp_error *err);

/** Add what a call stands for; `columns` holds those of its parameters that vary. */
typedef perp_status suite_add_call(const suite_reader *r, const document *d,
                                   const char *call, const suite_columns *columns,
                                   perp_error *err);
/** A call that was swept by itself: none. */
extern const suite_columns suite_no_columns;
/** {"generate": "spd", "n": [50, 100], "seed": 7}: add the call of each combination;
 *  `key` is the member with its name, "generate" or "scene". */
perp_status suite_sweep_calls(const suite_reader *r, const document *d, const char *key,
                              suite_add_call *add, perp_error *err);

enum { SUITE_CALL = 512 };

/** Digits that count through all combinations: digit[k] picks one of values[k]. */
enum { SUITE_DIGITS = 64 };
typedef struct suite_odometer {
    size_t digit[SUITE_DIGITS], values[SUITE_DIGITS], count;
} suite_odometer;

/** Go to the next combination; false after the last. */
bool suite_odometer_next(suite_odometer *o);

/** Space for one more of `size` bytes in an array; zeroed. */
void *suite_grow(void **items, size_t *count, size_t *room, size_t size);

#endif
