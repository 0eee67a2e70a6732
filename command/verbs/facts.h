/* SPDX-License-Identifier: Apache-2.0
 * verbs/facts.h: the numbers of an instance: blocks, entries, pattern, symmetry, spectrum. */
#ifndef PERP_VERBS_FACTS_H
#define PERP_VERBS_FACTS_H

#include <jansson.h>
#include <stdio.h>

#include "command/campaign/instance.h"
#include "command/campaign/spectrum.h"

/* A pattern has at most so many dots per side. Rows up to which the decompositions are made
 * unless asked for; 1000 rows take less than two seconds. Rows up to which all principal minors
 * are computed. */
enum { FACTS_DOTS = 64, FACTS_SPECTRUM_ROWS = 1000, FACTS_MINOR_ROWS = 14 };

/** Of the symmetric part S = (A + A^T)/2. */
typedef enum facts_definite {
    FACTS_NOT_KNOWN, /**< too many rows */
    FACTS_DEFINITE, /**< certified: Cholesky's factorisation of S - c I exists, where c bounds
                          all roundings [rump-2006] */
    FACTS_SEMIDEFINITE, /**< to rounding: the least eigenvalue is not below -n eps of the largest */
    FACTS_INDEFINITE,
} facts_definite;

/** Whether all principal minors of A are positive. */
typedef enum facts_p {
    FACTS_P_NOT_KNOWN,
    FACTS_P_DEFINITE,     /**< yes, since S is positive definite */
    FACTS_P_TRIANGULAR,   /**< yes, triangular with a positive diagonal */
    FACTS_P_DOMINANT,     /**< yes, rows strictly dominated by a positive diagonal */
    FACTS_P_MINORS,       /**< yes, each minor was computed */
    FACTS_NOT_P_DIAGONAL, /**< no, the diagonal entry of `row` is not positive */
    FACTS_NOT_P_MINOR,    /**< no, a minor that was computed is not positive */
} facts_p;

typedef struct facts {
    const instance *in;
    double asymmetry;
    double mu[2], diagonal[2], entries[2],
        b[2];                   /**< least and greatest; entries and b: of
                                                     absolute values that are not 0; NaN: none */
    size_t blocks[8];           /**< of each kind of set */
    size_t nonzeros, bandwidth; /**< entries that are not 0; max |i - j| */
    size_t dots;                /**< per side of the pattern */
    unsigned char dot[FACTS_DOTS * FACTS_DOTS]; /**< by rows: an entry that is not 0 */
    bool lower, upper;                          /**< triangular */
    size_t undominated; /**< rows not strictly dominated by a positive diagonal */
    size_t limit;       /**< rows up to which there is a spectrum */
    bool ranked;
    spectrum spectrum;
    size_t rank;      /**< singular values above 1e-10 of the largest */
    double condition; /**< the largest over the smallest of these; NaN: rank 0 */
    facts_definite definite;
    double eigenvalue; /**< the least of S, where it is not definite; else NaN */
    facts_p p;
    size_t row; /**< of FACTS_NOT_P_DIAGONAL */
} facts;

/** Clear them also after a failure. `limit`: rows up to which decompositions are made. */
perp_status facts_gather(facts *f, const instance *in, size_t limit, perp_error *err);
void facts_clear(facts *f);
const char *facts_definite_text(facts_definite definite);
/** A new reference. */
json_t *facts_json(const facts *f);
/** Print them; with `draw` the pattern and the spectrum in characters. */
void facts_print(FILE *out, const facts *f, bool draw);
/** The least of the pivots whose signs are those of the principal minors of x (n x n by columns,
 *  1 <= n <= FACTS_MINOR_ROWS), up to the first that is not above `least`: all of them are
 *  positive if and only if x is a P-matrix. There are 2^n - 1. */
double facts_least_pivot(const double *x, size_t n, double least);

#endif
