/* SPDX-License-Identifier: Apache-2.0
 * perp/residual.h: the residual, one measure for every solver and formulation.
 *
 * A block of K has one scale, d_k = trace(A_kk)/dim and s_k = sqrt(d_k), where that is above
 * 1e-14 of the largest entry of its rows. Blocks without a diagonal: s_k = max_j |A_kj|/s_j beside
 * blocks that have a scale, breadth first; in a part of A without any diagonal symmetric
 * equilibration, max_j |A_kj|/(s_k s_j) = 1, and where that part has two sides max |b|/s is the
 * same on both; 1 in an empty row. With uhat = w + (mu|w_T|,0,0) for the Coulomb law and uhat = w
 * for the associated one,
 *     e_k      = s_k |z_k - P_K(z_k - uhat_k/d_k)|
 *     residual = max_k max(0, e_k - min(a_k, 1e-8 beta))/beta
 * beta is the largest, over all blocks and with z0 = P_K(0), of
 *     e_k(z0);   |b_k|/s_k of FREE, FRICTION and DISK;   |b_T|/s_k and max(-b_N, 0)/s_k of cones;
 *     min(|b_k|/s_k, s_k |z_k - z0_k|) of NONNEG and BOX, and with b_N of cones with b_N > 0,
 * so that a row which stays slack does not count. Where beta = 0, z0 is a solution; the residual of
 * another point is 0 or infinite. w = A z + b is computed in twice the working precision where its
 * rounding could decide. a_k = 2 eps (1 + mu) sum_j |A_kj||z_j|/s_k is what the rounding of z to
 * doubles may cost, with mu of Coulomb's law, else 0; for a matrix in factors it is that of the factors. It is subtracted from residuals of at
 * most 1e-6. The data are those given, unscaled. NaN or infinity anywhere gives an infinite
 * residual, and so do data out of the range of doubles: beta s_k or beta/s_k is not a normal
 * number. The residual is invariant under symmetric diagonal scaling and under a change of
 * units. */
#ifndef PERP_RESIDUAL_H
#define PERP_RESIDUAL_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** The radius within which a certificate excludes solutions is at least so many times
 *  max |b_k|/s_k, 4.5e13, or infinite; in the scales of perp_certificate_measure. */
#define PERP_RADIUS (0.01 / 2.220446049250313e-16)

/** Spread of a diagnostic over the contacts. */
typedef struct perp_percentiles {
    double max, p50, p90, p99;
} perp_percentiles;

/** The members of perp_measures: X(type, member, unit, meaning), with the units of mechanical
 *  problems; 1 is none. Only `residual` decides. Measures per contact are given in physical
 *  units, then without a unit: impulses times s, velocities over s, both over beta (energies
 *  over beta^2; beta = 0 counts as 1). */
#define PERP_MEASURE_LIST(X)                                                             \
    X(double, residual, "1", "residual of the law of the problem: the one that decides") \
    X(double, residual_coulomb, "1", "residual with cones under Coulomb's law")          \
    X(double, residual_associated, "1", "residual with cones under the associated law")  \
    X(double, residual_local, "1", "max e_k/min(beta, beta_k): componentwise")           \
    X(double, residual_literature, "1",                                                  \
      "with max |b_k|/s_k over all rows, as published")                                  \
    X(double, residual_mean, "1", "sqrt(mean e_k^2)/beta, smoother in plots")            \
    X(double, rounding, "1", "max a_k/beta, what the rounding of z may cost")            \
    X(double, e_abs, "sqrt(J)", "max e_k, before the allowance for rounding")            \
    X(double, beta_b, "sqrt(J)", "beta, denominator of the residual")                    \
    X(double, beta_z, "sqrt(J)", "max(beta, max s_k |z_k|)")                             \
    X(double, feas_z, "sqrt(J)", "scalar rows: violation of the bounds of z, times s")   \
    X(double, feas_w, "sqrt(J)", "scalar rows: violation of the sign of w, over s")      \
    X(double, gap, "J", "scalar rows: complementarity gap")                              \
    X(double, relgap, "1", "scalar rows: complementarity gap, relative")                 \
    X(double, merit, "J", "nonneg rows: Fischer-Burmeister merit function")              \
    X(double, bilateral, "sqrt(J)", "free rows: max |w|/s")                              \
    X(double, cone_gap, "J", "cones: sum of max(z.u, 0)")                                \
    X(double, cone_relgap, "1", "cones: sum of max(z.u, 0), relative")                   \
    X(double, objective, "J", "z.A z/2 + b.z")                                           \
    X(double, objective_gap, "J", "upper bound of f(z) - f*, convex problems")           \
    X(double, error_literature, "1",                                                     \
      "|z - P_K(z - u)|_2/|b|_2: unit step, as published")                               \
    X(double, norm_map, "N s", "|z - P_K(z - u)|_2")                                     \
    X(double, norm_b, "m/s", "|b|_2")                                                    \
    X(double, norm_z, "N s", "|z|_2")                                                    \
    X(double, norm_w, "m/s", "|w|_2")                                                    \
    X(perp_percentiles, penetration, "m/s", "max(-w_N, 0)")                              \
    X(perp_percentiles, adhesion, "N s", "max(-z_N, 0)")                                 \
    X(perp_percentiles, signorini, "J", "|z_N w_N|")                                     \
    X(perp_percentiles, cone, "N s", "max(|z_T| - mu z_N, 0)")                           \
    X(perp_percentiles, dissipation, "J", "|mu z_N |w_T| + z_T.w_T|")                    \
    X(perp_percentiles, direction, "rad", "sliding: angle between z_T and -w_T")         \
    X(perp_percentiles, lift, "m/s", "sliding: w_N")                                     \
    X(perp_percentiles, penetration_rel, "1", "penetration over s beta")                 \
    X(perp_percentiles, adhesion_rel, "1", "adhesion times s over beta")                 \
    X(perp_percentiles, signorini_rel, "1", "signorini over beta^2")                     \
    X(perp_percentiles, cone_rel, "1", "cone times s over beta")                         \
    X(perp_percentiles, dissipation_rel, "1", "dissipation over beta^2")                 \
    X(size_t, contacts_free, "1", "contacts that separate")                              \
    X(size_t, contacts_stick, "1", "contacts that stick")                                \
    X(size_t, contacts_slide, "1", "contacts that slide")                                \
    X(size_t, contacts_undecided, "1", "contacts on the border between two modes")       \
    X(double, seconds, "s", "time spent on measuring")

/** All measures of a point z with w = A z + b. */
typedef struct perp_measures {
#define PERP_MEASURE_MEMBER(type, member, unit, meaning) type member;
    PERP_MEASURE_LIST(PERP_MEASURE_MEMBER)
#undef PERP_MEASURE_MEMBER
} perp_measures;

/** The residual at z in one call; infinity also when there is no memory, and for a global
 *  problem. */
double perp_residual(const perp_problem *p, const double *z);

/** The same, and the number of the block of the set whose residual is the largest; the number of
 *  blocks where there is none. */
double perp_residual_worst(const perp_problem *p, const double *z, size_t *block);

/** Residual and scale of each block of the set at z: residual[k] = e_k/beta, before the allowance
 *  for rounding, and scale[k] = s_k; `scale` and `beta` may be NULL. w (n) is A z + b where it is
 *  known, as in perp_result; NULL: it is computed, with one product. PERP_ERR_ARGUMENT: a global
 *  problem; PERP_ERR_MEMORY. */
perp_status perp_residual_blocks(const perp_problem *p, const double *z, const double *w,
                                 double *residual, double *scale, double *beta,
                                 perp_error *err);

PERP_END_DECLS

#endif
