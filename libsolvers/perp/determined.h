/* SPDX-License-Identifier: Apache-2.0
 * perp/determined.h: what is determined about an answer.
 *
 * Let z solve a problem and w = A z + b. The answers with these velocities are a convex set,
 *
 *     S(w) = { y in the sets below : A (y - z) = 0 }
 *
 *     NONNEG, BOX        w_k != 0: the bound;   w_k = 0: the interval
 *     FREE               any number
 *     FRICTION           the same with the bounds that z_N of the answer gives
 *     DISK               w_k != 0: -r w_k/|w_k|;   w_k = 0: the disk
 *     CONE, Coulomb      w_N > 0: 0;   w_T != 0: the ray t (1, -mu w_T/|w_T|);   w = 0: the cone
 *     CONE, associated   w inside the dual cone: 0;   on its boundary: the same ray;   0: the cone
 *     ROLLING            as CONE, tangents and moments each
 *
 * With A = J M^-1 J^T and no compliance, A d = 0 means J^T d = 0: the resultant on each body is
 * determined. For A symmetric positive semidefinite with FREE, NONNEG, BOX, DISK and associated cones
 * w is the same for all solutions, and S(w) is the set of solutions. Under Coulomb's law and with
 * FRICTION rows other velocities, with answers of their own, may exist.
 *
 * The range of a linear function over S(w) is that of a linear program, or of one with second-order
 * cones, solved by a primal-dual interior point method in the space of velocities. A bound is that of the
 * dual point: velocities u with c - J u in the dual cones show c.y >= u.J^T z for all y of S(w). */
#ifndef PERP_DETERMINED_H
#define PERP_DETERMINED_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

/** What the velocities of an answer leave to a block of K. */
#define PERP_FREEDOM_LIST(X)                                                             \
    X(PERP_FREEDOM_NONE, "none") /* one value */                                         \
    X(PERP_FREEDOM_RAY, "ray")   /* a contact slides (and rolls) */                      \
    X(PERP_FREEDOM_PART, "part") /* a rolling contact slides or rolls, not both */       \
    X(PERP_FREEDOM_SET, "set")   /* the set of the block */

typedef enum perp_freedom {
#define PERP_ENUM(name, text) name,
    PERP_FREEDOM_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_freedom;

/** What is known of a linear function over S(w). */
#define PERP_DETERMINACY_LIST(X)                                                         \
    X(PERP_DETERMINED, "determined")       /* hi - lo <= 1e-6 of the largest force */    \
    X(PERP_INDETERMINATE, "indeterminate") /* an interval */                             \
    X(PERP_UNLIMITED, "unbounded")         /* lo or hi is infinite */                    \
    X(PERP_UNRESOLVED, "not resolved")     /* the program ended without a bound */

typedef enum perp_determinacy {
#define PERP_ENUM(name, text) name,
    PERP_DETERMINACY_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_determinacy;

/** "none", …; "determined", …. */
const char *perp_freedom_name(perp_freedom freedom);
const char *perp_determinacy_name(perp_determinacy determinacy);

/** The range of a linear function over S(w); lo = hi where it is determined. */
typedef struct perp_interval {
    double lo, hi;
    perp_determinacy kind;
} perp_interval;

/** An answer, its set S(w), and the memory of the programs. */
typedef struct perp_determined perp_determined;

/** The degree of an answer whose equations are too many to be counted. */
#define PERP_DEGREE_UNKNOWN SIZE_MAX

/** The set S(w) of the answer z (n) of a local problem, which must outlive *d; z is copied.
 *  PERP_ERR_UNSUITABLE: the residual of z is above 1e-6, or A is not in factors and has more than 6000 rows;
 *  PERP_ERR_ARGUMENT: a global problem; PERP_ERR_MEMORY. */
perp_status perp_determined_new(perp_determined **d, const perp_problem *p,
                                const double *z, perp_error *err);
void perp_determined_free(perp_determined *d); /* NULL is allowed (no-op) */

/** What is left to each block of K. */
const perp_freedom *perp_determined_freedom(const perp_determined *d);
/** The degree of indeterminacy: the dimension of { y - z } over the directions that the blocks leave
 *  open; 0: S(w) = {z}. */
size_t perp_determined_degree(const perp_determined *d);
/** The scale of the answer: the largest impulse that a block leaves open, in the unit of row `row`. */
double perp_determined_scale(const perp_determined *d, size_t row);

/** The range of sum c_i y_{row i} over S(w), `count` rows. With `proof` (2 n), q of both bounds: q is in the
 *  row space of A, so that q.y = q.z on S(w), and (c - q).y >= its least value over the sets above gives lo;
 *  the second one gives hi in the same way for -c. NaN where there is no bound. */
perp_status perp_determined_function(perp_determined *d, size_t count, const size_t *row,
                                     const double *c, perp_interval *interval,
                                     double *proof, perp_error *err);
/** The ranges of `count` single rows. Points of S(w) that one program has found serve the others. */
perp_status perp_determined_rows(perp_determined *d, size_t count, const size_t *row,
                                 perp_interval *interval, perp_error *err);
/** The answer of S(w) with the least sum of squares of impulses in units of the rows, s_k y_k
 *  (perp/residual.h). y (n). PERP_ERR_UNSUITABLE: the program ended without a point. */
perp_status perp_determined_least(perp_determined *d, double *y, perp_error *err);
/** The answer of S(w) that spreads most: the least largest normal impulse in units of the rows. */
perp_status perp_determined_spread(perp_determined *d, double *y, perp_error *err);
/** Whether y (n), another answer, has these velocities: then both are equal up to what is determined.
 *  *row: where A (y - z) is largest in units of the rows, *part: there, relative to beta. */
bool perp_determined_same(const perp_determined *d, const double *y, size_t *row,
                          double *part);

PERP_END_DECLS

#endif
