/* SPDX-License-Identifier: Apache-2.0
 * simulate/condition.h: when a step is captured: a small, closed language of numbers.
 *
 *     step%50==0    residual>1e-6 || failed    t>=2 && !(penetration<1e-4)
 *
 * Numbers, names, + - * / %, < <= > >= == !=, && || !, parentheses, with the precedence
 * of C; a truth is 1 or 0, and what is not 0 is true.
 * A whole number N alone means step%N==0. */
#ifndef PERP_SIMULATE_CONDITION_H
#define PERP_SIMULATE_CONDITION_H

#include <perp/perp.h>

/** Parts of a condition, and how deep it may be nested. */
enum { CONDITION_ROOM = 128, CONDITION_DEPTH = 64 };

/** One instruction for the stack. */
typedef struct condition_code {
    int what;
    double number; /* a constant */
    size_t name;   /* a variable: its number */
} condition_code;

typedef struct condition {
    size_t count;
    condition_code code[CONDITION_ROOM];
} condition;

/** Compile `text`; `names` are the variables, ended by NULL; "step" is one of them.
 *  PERP_ERR_OPTION names the column, counted from 1, and the nearest known name. */
perp_status condition_parse(condition *c, const char *text, const char *const *names,
                            perp_error *err);
/** Does it hold for these values, in the order of the names? NaN is not true. */
bool condition_holds(const condition *c, const double *values);
/** Its value as a number. */
double condition_value(const condition *c, const double *values);

#endif
