/* SPDX-License-Identifier: Apache-2.0
 * perp/quantity.h: numbers with units as texts, and expressions of numbers. */
#ifndef PERP_QUANTITY_H
#define PERP_QUANTITY_H

#include <perp/random.h>

PERP_BEGIN_DECLS

/** A quantity in SI units: "0.02", "12 cm", "1/60 s", "5ms", "infinity". A number without a unit
 *  is in `si` ("s", "m/s"; "1": none). PERP_ERR_DATA: no number, or a unit of another dimension;
 *  the message continues after a name: ` is "5 kg", expected a unit of: s, ms, min`. */
perp_status perp_quantity_read(const char *text, const char *si, double *x,
                               perp_error *err);
/** The same in whichever dimension: `si` becomes the SI unit of the one found, "" for a number
 *  alone and for a ratio such as s/s. */
perp_status perp_quantity_parse(const char *text, double *x, char si[48],
                                perp_error *err);

/** Names that an expression may use. */
typedef struct perp_expression_names {
    void *context;
    /** Store the value of the known name at the start of `text`; returns the length of
     *  the name, 0: no known name. */
    size_t (*find)(void *context, const char *text, double *value);
    /** The k-th known name, for messages; NULL after the last. */
    const char *(*known)(void *context, size_t k);
    /** Random stream for a call of random() or normal(): the shared stream with this
     *  number, or (NULL) the stream of the place of the call. May be NULL: these
     *  functions are then unknown. */
    perp_random (*random)(void *context, const int64_t *number);
} perp_expression_names;

/** Evaluate the expression at *at, a part of `text`, up to the character `close`: '\0' or '}'.
 *  Numbers, names, pi, functions, + - * / % ^, < <= > >= == !=, && || !, parentheses, with the
 *  precedence of C; a truth value is 1 or 0, and every number but 0 and NaN is true.
 *  *at becomes the position after `close`. PERP_ERR_FORMAT: "column 5: unknown name …",
 *  with columns of `text` from 1. The value may be infinite or NaN. */
perp_status perp_expression_evaluate(const perp_expression_names *names, const char *text,
                                     const char **at, char close, double *value,
                                     perp_error *err);

PERP_END_DECLS

#endif
