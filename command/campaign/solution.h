/* SPDX-License-Identifier: Apache-2.0
 * runner/solution.h: an answer from any tool, read for judging or as a start. */
#ifndef PERP_RUNNER_SOLUTION_H
#define PERP_RUNNER_SOLUTION_H

#include "command/campaign/certificates.h"

typedef struct solution {
    double *z; /* n, or NULL when the file holds a certificate alone */
    size_t n;
    stored_certificate certificate; /* of a negative answer; kind NONE without one */
    json_t *
        plugins; /* "plugins" of an answer of perp: a list of {solver, file, hash}, or NULL */
} solution;

/** Read JSON (an array, or an object with "z" or "r", and "certificate"), a Matrix Market
 *  vector, or plain text: numbers between blanks, '#' and '%' start comments. */
perp_status solution_read(solution **s, const char *path, perp_error *err);
void solution_free(solution *s); /* no-op for NULL */

#endif
