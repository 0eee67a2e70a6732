/* SPDX-License-Identifier: Apache-2.0
 * families/torture.h: small hard problems, of which it is known whether they have a solution.
 *
 * A kind draws a set, a matrix and a point z, w that satisfies the law of each block. Then
 * b := w - A z. Numbers are integers times powers of two, so that b has no rounding in almost
 * all draws; perp_torture_truth checks that for each problem. */
#ifndef PERP_FAMILIES_TORTURE_H
#define PERP_FAMILIES_TORTURE_H

#include "build.h"

/** What is known of a problem. */
typedef enum perp_torture_truth {
    TORTURE_UNKNOWN,
    TORTURE_EXACT,     /**< A z + b = w without rounding: the doubles have a solution */
    TORTURE_NEARLY,    /**< the residual of the point built in is at most 1e-12 */
    TORTURE_INFEASIBLE /**< no solution, by construction and without rounding */
} perp_torture_truth;

/** A problem being drawn. */
typedef struct torture {
    family_draft d;
    perp_random g;
    family_answer answer; /* what is known of b and of the solution */
} torture;

/** One kind of problem: `draw` fills a torture whose stream is set. */
typedef struct perp_torture_kind {
    const char *name;    /**< "masses" */
    const char *summary; /**< what is hard about it */
    bool infeasible;
    perp_status (*draw)(torture *t, perp_error *err);
} perp_torture_kind;

/** All kinds, ended by one without a name. */
extern const perp_torture_kind perp_torture_kinds[];

/** What is known of a problem of this kind. */
perp_torture_truth perp_torture_truth_of(const perp_torture_kind *kind,
                                         const perp_problem *p);

/* Draws that kinds share. */

size_t torture_choose(torture *t, size_t count);
double torture_integer(torture *t, long low, long high);
/** One of the mu that a contact has in torture: 0, 2^-20, ordinary ones, 50, 1024, 1e6. */
double torture_mu(torture *t);
/** The number of contacts or rows: mostly at most `usual`, one time in eight up to `most`. */
size_t torture_size(torture *t, size_t usual, size_t most);
/** Begin with the rows of `set`, taken over: A = B B^T with integers of the rank given. */
perp_status torture_gram(torture *t, perp_set *set, size_t rank, perp_error *err);
/** A += S - S^T with integers. */
void torture_add_skew(torture *t);
/** A point that satisfies the law of each block of the set. */
void torture_draw_point(torture *t);
/** Scale A by 2^a and b by 2^b, and all that follows from it. */
void torture_scale(torture *t, int a, int b);
/** Scale the rows and columns of each block by its own power of two, up to 2^+-most. */
void torture_scale_blocks(torture *t, long most);

/* The kinds, by file. */
perp_status torture_masses(torture *t, perp_error *err);
perp_status torture_mass_ratios(torture *t, perp_error *err);
perp_status torture_ranks(torture *t, perp_error *err);
perp_status torture_skew(torture *t, perp_error *err);
perp_status torture_scales(torture *t, perp_error *err);
perp_status torture_row_scales(torture *t, perp_error *err);
perp_status torture_cancel(torture *t, perp_error *err);
perp_status torture_near_singular(torture *t, perp_error *err);
perp_status torture_subnormal(torture *t, perp_error *err);
perp_status torture_boxes(torture *t, perp_error *err);
perp_status torture_friction_rows(torture *t, perp_error *err);
perp_status torture_coulomb(torture *t, perp_error *err);
perp_status torture_coulomb_plane(torture *t, perp_error *err);
perp_status torture_coulomb_steep(torture *t, perp_error *err);
perp_status torture_coulomb_reals(torture *t, perp_error *err);
perp_status torture_coulomb_masses(torture *t, perp_error *err);
perp_status torture_associated(torture *t, perp_error *err);
perp_status torture_mixed(torture *t, perp_error *err);
perp_status torture_slack(torture *t, perp_error *err);
perp_status torture_programs(torture *t, perp_error *err);
perp_status torture_near_balance(torture *t, perp_error *err);
perp_status torture_no_balance(torture *t, perp_error *err);
perp_status torture_no_program(torture *t, perp_error *err);
perp_status torture_no_rows(torture *t, perp_error *err);
perp_status torture_no_contacts(torture *t, perp_error *err);

#endif
