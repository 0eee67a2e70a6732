/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl_nl_scan.h: letters and numbers of a .nl file, of text or binary. Private. */
#ifndef PERP_FORMATS_AMPL_NL_SCAN_H
#define PERP_FORMATS_AMPL_NL_SCAN_H

#include <perp/base.h>

typedef struct perp_nl_scan {
    const char *path, *begin, *at, *end;
    size_t line; /**< of `at`, from 1; of text */
    bool
        binary; /**< bytes, integers of 32 bits and doubles; else words, and comments from # */
    perp_error *err;
} perp_nl_scan;

/** PERP_ERR_FORMAT with the line or the byte. */
perp_status perp_nl_fail(const perp_nl_scan *s, const char *format, ...)
    PERP_PRINTF(2, 3);
/** To the next byte that means something. */
void perp_nl_pass(perp_nl_scan *s);
perp_status perp_nl_letter(perp_nl_scan *s, char *c);
/** `count` bytes as they stand; false at the end of the file. */
bool perp_nl_bytes(perp_nl_scan *s, void *to, size_t count);
perp_status perp_nl_real(perp_nl_scan *s, double *x);
/** An integer 0 .. most, called `what` in messages. */
perp_status perp_nl_integer(perp_nl_scan *s, const char *what, size_t most, size_t *k);
perp_status perp_nl_finite(perp_nl_scan *s, const char *what, double *x);
/** The numbers that a line begins with, at most `most`, and to the next line. */
void perp_nl_line(perp_nl_scan *s, double *x, size_t most);

#endif
