/* SPDX-License-Identifier: Apache-2.0
 * exact/exact.h: answers judged as theorems, each double being the rational number that it is.
 *
 * A solution is proved by an exact solution near it, found by solving its active set in rational
 * numbers (LCP, boxes) or enclosed by the interval operator of Krawczyk (cones). A direction of
 * infeasibility is proved by its sums in rational numbers. Uses FLINT and Arb; a build without
 * them refuses each call with PERP_ERR_LIBRARY. */
#ifndef PERP_EXACT_H
#define PERP_EXACT_H

#include <stddef.h>

#include <perp/perp.h>

#define EXACT_VERDICT_LIST(X)                                                            \
    X(EXACT_PROVED, "proved")   /* an exact solution is within the distances */          \
    X(EXACT_REFUTED, "refuted") /* the exact point breaks the inequality of `row` */     \
    X(EXACT_OPEN, "open")       /* neither could be shown */

typedef enum exact_verdict {
#define EXACT_ENUM(name, text) name,
    EXACT_VERDICT_LIST(EXACT_ENUM)
#undef EXACT_ENUM
} exact_verdict;

/** "proved", "refuted" or "open". */
const char *exact_verdict_name(exact_verdict verdict);

/** What was shown of one solution. Owns `distance` (exact_proof_clear). */
typedef struct exact_proof {
    exact_verdict verdict;
    const char *method; /**< "rational" or "krawczyk" */
    double *distance; /**< n: PROVED: upper bounds of |z_i - x_i|, x the exact solution */
    double delta;     /**< PROVED: the largest of them */
    bool unique;      /**< PROVED: no other solution within the enclosure is possible */
    size_t row;       /**< REFUTED: the row whose inequality fails */
    size_t changes; /**< rows whose state had to change before the exact point was one */
    char says[512]; /**< one sentence */
} exact_proof;

void exact_proof_clear(exact_proof *proof);

/** Whether an exact solution with |z_i - x_i| <= distance_i proves the answer z although it may be
 *  one of another active set: max s |z - x| is at most 1e-3 of max s |z|, |b|/s, where max |b|/s
 *  of b = 0 counts as 1, as the judge has it. All arrays have n entries; s: perp_row_scales. */
bool exact_is_near(const perp_problem *p, const double *s, const double *z,
                   const double *distance);
/** log2 of the largest s |z - x| that is near. */
double exact_near_size(const perp_problem *p, const double *s, const double *z);

/** Prove that an exact solution lies near z (n). `seconds` bounds the time; what it ends is
 *  OPEN, and says so. The second status is for memory and for what is not supported. */
perp_status exact_solution(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err);

/** exact_infeasible, which see, in the same way. Both of them end with PERP_ERR_MEMORY where memory
 *  is missing, and cannot be called again after that (fence.h). */
perp_status exact_denial(const perp_problem *p, const double *y, double *radius,
                         exact_proof *proof, perp_error *err);

/** The same for problems of scalar rows, and of cones: exact_solution chooses. Without a fence: FLINT
 *  ends the program where memory is missing. */
perp_status exact_rational(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err);
perp_status exact_krawczyk(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err);

/** Whether the direction y (n) shows that p has no solution with max s_k |z_k| <= *radius, in
 *  rational numbers; INFINITY: none at all. PROVED, or REFUTED with the reason in `says`. */
perp_status exact_infeasible(const perp_problem *p, const double *y, double *radius,
                             exact_proof *proof, perp_error *err);

#endif
