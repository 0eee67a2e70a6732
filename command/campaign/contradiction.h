/* SPDX-License-Identifier: Apache-2.0
 * runner/contradiction.h: a point that solves a problem beside a certificate that it has no
 * solution; one rule for perp verify, compare and plot. */
#ifndef PERP_RUNNER_CONTRADICTION_H
#define PERP_RUNNER_CONTRADICTION_H

#include <stdio.h>

#include <perp/perp.h>

#define CONTRADICTION_LIST(X)                                                            \
    X(CONTRADICTION_BEYOND, "beyond the radius")    /* the point lies outside of R */    \
    X(CONTRADICTION_WITHIN, "within the tolerance") /* the residual is not excluded */   \
    X(CONTRADICTION_ERROR, "error of perp")         /* both cannot be */

/** What the two say together; only the last one is a contradiction. */
typedef enum contradiction_kind {
#define CONTRADICTION_ENUM(name, text) name,
    CONTRADICTION_LIST(CONTRADICTION_ENUM)
#undef CONTRADICTION_ENUM
} contradiction_kind;

/** "beyond the radius", …; NULL for an unknown kind. */
const char *contradiction_name(contradiction_kind kind);

/** A point that the judge has accepted and a certificate that was checked. Strings are
 *  borrowed. */
typedef struct contradiction {
    const char *instance;  /**< the problem */
    const char *solved;    /**< whose point it is */
    const char *certified; /**< whose certificate it is */
    double residual;       /**< of the point */
    double size;     /**< max s_k |z_k| of the point, or beta_b where that is larger */
    double rounding; /**< bound of what the judge rounds, as a part of beta_b */
    double radius, margin; /**< of the certificate (perp_certificate_measure) */
} contradiction;

/** What the judge subtracts, and the rounding of n products per row, where |A_ij| <= s_i s_j. */
double contradiction_rounding(size_t n, double size, double beta_b);
/** The same from the data: also where A has larger entries. */
double contradiction_rounding_of(const perp_problem *p, const double *z,
                                 const perp_measures *m);

/** A certificate with radius R and margin m says that a point with s|z| = S < R has a natural map
 *  of at least m (1 - S/R) beta_b (perp/certificate.h). A residual below that, the rounding
 *  included, is an error of perp. With a larger residual, or S >= R, both answers are true: the
 *  point solves the problem to the tolerance, and no point solves it exactly within R. */
contradiction_kind contradiction_decide(const contradiction *x);

/** Whether a pair says more than another: an error, then a certificate that reaches farther. */
bool contradiction_worse(const contradiction *x, const contradiction *than);

/** The sentence, on one line without its end. */
void contradiction_print(FILE *f, const contradiction *x);
/** The same, released by free. */
char *contradiction_text(const contradiction *x);

#endif
