/* SPDX-License-Identifier: Apache-2.0
 * perp/certificate.h: certificates of negative answers, checked from the data alone.
 *
 *     infeasible   y: a direction along which w cannot satisfy the conditions of K
 *     ray          an almost complementary ray of Lemke's path: (z, z0) + t (dz, dz0), t >= 0
 *     singular     x: supported on a block F of rows, with A_FF x = 0, or x.A x <= 0
 *     cycle        active sets that follow from one another indefinitely under a
 *                  rule
 *
 * Only the first one shows that there is no solution. The others show why a solver stopped. */
#ifndef PERP_CERTIFICATE_H
#define PERP_CERTIFICATE_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

#define PERP_CERTIFICATE_LIST(X)                                                         \
    X(PERP_CERTIFICATE_NONE, "none")                                                     \
    X(PERP_CERTIFICATE_INFEASIBLE, "infeasible")                                         \
    X(PERP_CERTIFICATE_RAY, "ray")                                                       \
    X(PERP_CERTIFICATE_SINGULAR, "singular")                                             \
    X(PERP_CERTIFICATE_CYCLE, "cycle")

/** What a certificate proves. */
typedef enum perp_certificate_kind {
#define PERP_ENUM(name, text) name,
    PERP_CERTIFICATE_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_certificate_kind;

/** How one active set follows from another. The point of a set has z on a bound outside F and
 *  w = 0 in F; H are the rows that violate their state at that point. */
#define PERP_RULE_LIST(X)                                                                \
    X(PERP_RULE_MINMAP, "minmap")               /* states recomputed from z - w/d */     \
    X(PERP_RULE_LEAST_INDEX, "least-index")     /* the first row of H changes */         \
    X(PERP_RULE_MOST_NEGATIVE, "most-negative") /* the most violated row of H changes */ \
    X(PERP_RULE_BLOCK, "block")                 /* all rows of H change */

typedef enum perp_rule {
#define PERP_ENUM(name, text) name,
    PERP_RULE_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_rule;

/** State of a row in an active set. */
enum { PERP_STATE_LOWER, PERP_STATE_FREE, PERP_STATE_UPPER };

/** Owns its arrays (perp_certificate_clear). */
typedef struct perp_certificate {
    perp_certificate_kind kind;
    size_t n;              /**< rows of the problem it is about */
    double *y;             /**< n: infeasible: y; singular: x; ray: z where it starts */
    double *dz;            /**< n: ray */
    double *cover;         /**< n: ray: the covering vector d > 0 */
    double z0, dz0;        /**< ray */
    perp_rule rule;        /**< cycle */
    size_t steps;          /**< cycle: sets until the first returns */
    unsigned char *states; /**< cycle: steps x n, one set after the other */
} perp_certificate;

/** "infeasible", "ray", …; NULL for an unknown kind. */
const char *perp_certificate_name(perp_certificate_kind kind);
const char *perp_rule_name(perp_rule rule);
/** Free the arrays and set the kind to NONE. A zeroed certificate is allowed. */
void perp_certificate_clear(perp_certificate *c);
/** A certificate of a kind with the arrays of that kind, zeroed. */
perp_status perp_certificate_init(perp_certificate *c, perp_certificate_kind kind,
                                  size_t n, size_t steps, perp_error *err);

/** Whether the certificate holds for p, checked from the data alone. `why` (at most `length`
 *  bytes, may be NULL) receives a sentence: what was checked, or what fails. */
bool perp_certificate_check(const perp_certificate *c, const perp_problem *p, char *why,
                            size_t length);

/** The radius R within which y (n) shows that p has no solution: none with max s_k |z_k| < R;
 *  INFINITY: no solution at all; 0: y shows nothing [cottle-pang-stone-2009, section 3.1].
 *  y_i >= 0 on NONNEG rows, free on FREE rows, 0 on two-sided ones, y_k in K on cones of the
 *  associated law; R follows from max over z in K of (A^T y).z + b.y < 0, with all roundings
 *  counted against y. And a margin m: every point z with S = max s_k |z_k| < R has
 *      max e_k/beta_b >= m (1 - S/R)
 *  in the terms of perp/residual.h. A point whose residual is below this bound contradicts y; one
 *  whose residual is not, or with S >= R, does not, since it is no exact solution. m may be
 *  below the tolerance of a solve: such a problem is infeasible by less than the tolerance. */
void perp_certificate_measure(const perp_problem *p, const double *y, double *radius,
                              double *margin);

PERP_END_DECLS

#endif
