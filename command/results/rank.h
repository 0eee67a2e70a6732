/* SPDX-License-Identifier: Apache-2.0
 * report/rank.h: is one solver faster than another? Tests of paired differences by their ranks
 * and signs, and the correction for several tests at once. */
#ifndef PERP_REPORT_RANK_H
#define PERP_REPORT_RANK_H

#include <stddef.h>

#include <perp/base.h>

/** A two-sided test that paired differences have no preferred sign. */
typedef struct rank_test {
    size_t pairs;     /**< differences that are not 0: the others say nothing */
    size_t positive;  /**< of these */
    double statistic; /**< signed ranks: the sum of the ranks of positive differences */
    double p;         /**< probability of a result at least as extreme; 1 without pairs */
    bool exact;       /**< p was counted, not approximated by a normal distribution */
} rank_test;

/** Pairs up to which Wilcoxon's test is exact. */
enum { RANK_EXACT = 50 };

/** Wilcoxon's signed-rank test [wilcoxon-1945]. Equal magnitudes share their mean rank, also in
 *  the exact distribution; differences may be infinite (a failure), not NAN. */
void rank_signed(rank_test *out, const double *differences, size_t count);
/** The sign test, by the binomial distribution; `statistic` is the number of positive ones. */
rank_test rank_sign(const double *differences, size_t count);
/** The sign test of `pairs` differences, `positive` of them positive. */
rank_test rank_sign_counted(size_t positive, size_t pairs);
/** Replace p-values of several tests by Holm's corrected ones [holm-1979]; each may then be
 *  compared with 0.05. NAN marks a test that was not made. */
void rank_holm(double *p, size_t count);

#endif
