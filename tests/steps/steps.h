/* SPDX-License-Identifier: Apache-2.0
 * tests/steps/steps.h: the words of steps.tsv, and the problems that they name. */
#ifndef PERP_TEST_STEPS_H
#define PERP_TEST_STEPS_H

#include "support.h"

enum { LENGTH = 400, ROWS = 16 };

/* The next part of *text up to a separator; NULL after the last. */
const char *steps_next(const char **text, char separator, char *part, size_t room);
/* The text behind `words`, or NULL where it begins otherwise. */
const char *steps_after(const char *text, const char *words);
/* Numbers with commas; NAN for "*". How many there are. */
size_t steps_numbers(const char *text, double *x, size_t most);

/* A golden id, a file of the datasets, the call of a family, or rows of A | b | sets. */
perp_problem *steps_problem(const char *text);
/* Change it as told: "associated factors". */
void steps_change(perp_problem *p, const char *as);

#endif
