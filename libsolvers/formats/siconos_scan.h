/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_scan.h: words and numbers of a text file, with their lines. Private.
 *
 * A scan is a plain value: copying it remembers a place, so that a reader can look ahead. */
#ifndef PERP_FORMATS_SICONOS_SCAN_H
#define PERP_FORMATS_SICONOS_SCAN_H

#include <perp/base.h>

enum { SICONOS_TOKEN = 72 };

typedef struct siconos_scan {
    const char *path;          /* of the file, for messages */
    const char *at, *end;      /* what is left of the text */
    size_t line;               /* of `at`, from 1 */
    size_t token_line;         /* of the last word taken */
    char token[SICONOS_TOKEN]; /* the last word taken; a longer one ends in "..." */
    perp_error *err;
} siconos_scan;

/* What can be wrong with the next word. */
typedef enum siconos_fault {
    SICONOS_GOOD,
    SICONOS_END,        /* there is none */
    SICONOS_NO_NUMBER,  /* it is no number */
    SICONOS_NO_INTEGER, /* it is no integer, or one too large to be meant */
    SICONOS_NAN,
    SICONOS_INFINITE, /* also 1e999; *x is set */
} siconos_fault;

/** Take the next word; false at the end of the text. */
bool perp_siconos_take(siconos_scan *s);
siconos_fault perp_siconos_take_real(siconos_scan *s, double *x);
siconos_fault perp_siconos_take_integer(siconos_scan *s, long *k);

/** Say what was expected at the last word: "file:line: q[3] is "nan", expected …". */
perp_status perp_siconos_refuse(const siconos_scan *s, siconos_fault fault,
                                const char *format, ...) PERP_PRINTF(3, 4);
/** "file:line: …". */
perp_status perp_siconos_fail(const siconos_scan *s, perp_status status,
                              const char *format, ...) PERP_PRINTF(3, 4);

/** An integer from min to max, called `what` in messages. */
perp_status perp_siconos_size(siconos_scan *s, const char *what, size_t min, size_t max,
                              size_t *k);
/** n finite numbers name[0..n-1], on the heap (perp_reals_new). */
perp_status perp_siconos_reals(siconos_scan *s, const char *name, size_t n, double **x);
/** The same word, or a complaint. */
perp_status perp_siconos_word(siconos_scan *s, const char *word);
/** The next line that is not blank, cut to `length`; false at the end. */
bool perp_siconos_text_line(siconos_scan *s, char *line, size_t length);

/** Most numbers that the rest of the text can hold: no size beyond it can be true. */
size_t perp_siconos_room(const siconos_scan *s);
/** How many numbers follow, counting no further than `most`; *only: nothing else does. */
size_t perp_siconos_numbers_ahead(const siconos_scan *s, size_t most, bool *only);

#endif
