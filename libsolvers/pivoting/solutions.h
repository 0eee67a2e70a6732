/* SPDX-License-Identifier: Apache-2.0
 * pivoting/solutions.h: the search for all solutions, some sets at a time. Private. */
#ifndef PERP_PIVOTING_SOLUTIONS_H
#define PERP_PIVOTING_SOLUTIONS_H

#include <perp/result.h>
#include <perp/solutions.h>

typedef struct solution_search solution_search;

/** PERP_ERR_UNSUITABLE as perp_solutions_find; the problem must outlive the search. start (n): what the nearest
 *  solution is near to. */
perp_status solution_search_new(solution_search **search, const perp_problem *p,
                                const double *start, perp_error *err);
/** perp_solutions_find of scalar rows. */
perp_status solution_search_all(const perp_problem *p, perp_solutions **out,
                                perp_error *err);
void solution_search_free(solution_search *s); /* NULL is allowed (no-op) */
/** Look at so many sets more and count the work; *more: there are others. PERP_ERR_MEMORY. */
perp_status solution_search_step(solution_search *s, size_t sets, perp_work *work,
                                 bool *more, perp_error *err);
/** The vertices found so far; the search owns them. */
const perp_solutions *solution_search_found(const solution_search *s);
/** Of the vertices and the points of least norm of singular blocks the one nearest to the start; NULL: none. */
const double *solution_search_nearest(const solution_search *s);

#endif
