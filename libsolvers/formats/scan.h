/* SPDX-License-Identifier: Apache-2.0
 * formats/scan.h: words and numbers of a text, with the lines they stand in. Private.
 *
 * A scan is a plain value: a copy of it remembers a place, so that a reader can look ahead. */
#ifndef PERP_FORMATS_SCAN_H
#define PERP_FORMATS_SCAN_H

#include <perp/base.h>

#include "base/file.h"

enum { PERP_SCAN_WORD = 72 };

typedef struct perp_scan {
    const char *path;          /**< of the file, for messages */
    const char *at, *end;      /**< what is left of the text */
    size_t line;               /**< of `at`, from 1 */
    size_t word_line;          /**< of the last word */
    char word[PERP_SCAN_WORD]; /**< the last word; a longer one ends in "..." */
    char separator;            /**< counts as a blank, or 0 */
    const char *comments; /**< characters that start a comment to the end of the line */
    perp_error *err;
} perp_scan;

/** What can be wrong with the next word. */
typedef enum perp_scan_fault {
    PERP_SCAN_GOOD,
    PERP_SCAN_END,        /**< the text ends */
    PERP_SCAN_NO_NUMBER,  /**< the word is not a number */
    PERP_SCAN_NO_INTEGER, /**< the word is not an integer of 64 bits */
    PERP_SCAN_NAN,
    PERP_SCAN_INFINITE, /**< *x is set */
    PERP_SCAN_BEYOND,   /**< 1e999 */
} perp_scan_fault;

/** The text of a loaded source from its start. */
perp_scan perp_scan_start(const perp_source *from, perp_error *err);

/** Read the next word; false at the end of the text. */
bool perp_scan_next(perp_scan *s);
perp_scan_fault perp_scan_real(perp_scan *s, double *x);
perp_scan_fault perp_scan_integer(perp_scan *s, int64_t *k);
/** Whether nothing but blanks and comments is left. */
bool perp_scan_at_end(const perp_scan *s);

/** Report the fault of the last word: "file:line: q[3] is "nan", expected …". */
perp_status perp_scan_refuse(const perp_scan *s, perp_scan_fault fault,
                             const char *format, ...) PERP_PRINTF(3, 4);
/** "file:line: …", at the last word. */
perp_status perp_scan_fail(const perp_scan *s, perp_status status, const char *format,
                           ...) PERP_PRINTF(3, 4);

/** A finite number; the format names it in messages. */
perp_status perp_scan_value(perp_scan *s, double *x, const char *format, ...)
    PERP_PRINTF(3, 4);
/** An integer from min to max, called `what` in messages. */
perp_status perp_scan_size(perp_scan *s, const char *what, size_t min, size_t max,
                           size_t *k);
/** n finite numbers name[0..n-1], on the heap (perp_reals_new). */
perp_status perp_scan_reals(perp_scan *s, const char *name, size_t n, double **x);
/** All numbers that are left, infinite ones too, on the heap. */
perp_status perp_scan_all(perp_scan *s, double **x, size_t *n);
/** Exactly this word. */
perp_status perp_scan_expect(perp_scan *s, const char *word);
/** The next line that is not blank and no comment, as a scan of its own; `s` continues after
 *  it. False at the end. */
bool perp_scan_line(perp_scan *s, perp_scan *line);
/** The text of a line from its next word on, without blanks at its end, cut to `length`. */
void perp_scan_text(const perp_scan *line, char *text, size_t length);

/** The largest count of numbers that the rest of the text can hold: no larger size is true. */
size_t perp_scan_room(const perp_scan *s);
/** How many numbers follow, counted up to `most`; *only: nothing else follows. */
size_t perp_scan_numbers_ahead(const perp_scan *s, size_t most, bool *only);

#endif
