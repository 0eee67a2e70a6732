/* SPDX-License-Identifier: Apache-2.0
 * perp/solutions.h: all solutions of a small problem with scalar rows. */
#ifndef PERP_SOLUTIONS_H
#define PERP_SOLUTIONS_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

enum { PERP_SOLUTIONS_ROWS = 20, PERP_SOLUTIONS_MOST = 4096 };

/** What lies around a solution of the list. */
#define PERP_SOLUTION_LIST(X)                                                            \
    X(PERP_SOLUTION_ISOLATED, "isolated")   /* no other one near it */                   \
    X(PERP_SOLUTION_ON_FACE, "on a face")   /* the segment to another one solves */      \
    X(PERP_SOLUTION_UNBOUNDED, "unbounded") /* a ray or a line from it solves */

typedef enum perp_solution_kind {
#define PERP_ENUM(name, text) name,
    PERP_SOLUTION_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_solution_kind;

/** "isolated", …. */
const char *perp_solution_kind_text(perp_solution_kind kind);

/**
 * All solutions: those of one choice of the rows at their bounds and of the rows with w = 0 are a
 * polyhedron, and the list has the vertices and the rays of all of these. Listed solutions k and l are on a
 * common face if joined[k count + l]; those that are joined in pairs, and what lies between them, are
 * solutions, and so are these plus multiples >= 0 of their rays, and of any multiples of lines.
 */
typedef struct perp_solutions {
    size_t n, count;
    double *z;                /**< count x n: vertices */
    perp_solution_kind *kind; /**< count */
    bool *joined;             /**< count x count */
    size_t ray_count;
    double *ray;     /**< ray_count x n, largest entry 1 */
    size_t *ray_of;  /**< ray_count: the vertex that it starts from */
    size_t lines;    /**< free rows that the others determine: directions of lines */
    size_t sets;     /**< choices that were looked at */
    size_t singular; /**< of these, with a singular block */
    size_t faces;    /**< of these, with a vertex that is no basic solution */
    bool
        complete; /**< false: there are more vertices or rays than the list holds, or contacts in space with a
                    *   set of modes that is singular or was not decided */
} perp_solutions;

/** Find all solutions of a problem of rows FREE, NONNEG and BOX, at most PERP_SOLUTIONS_ROWS, of at most
 *  2^20 choices; seconds for 20 rows. FRICTION rows, and contacts in the plane under Coulomb's law, count as
 *  the rows of their LCP (four per contact of the plane). Of up to three contacts in space and no other rows
 *  all modes are tried (open, stick, slide), with the directions of sliding by subdivision: isolated solutions are listed,
 *  and `complete` is false where a set of modes is singular, as where contacts share a load in many ways.
 *  PERP_ERR_UNSUITABLE: other rows, or more. PERP_ERR_MEMORY. A point solves if its residual is at most 1e-10.
 *  [murty-1988, section 1.3] */
perp_status perp_solutions_find(const perp_problem *p, perp_solutions **out,
                                perp_error *err);
void perp_solutions_free(perp_solutions *s); /* NULL is allowed (no-op) */

PERP_END_DECLS

#endif
