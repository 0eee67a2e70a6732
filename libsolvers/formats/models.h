/* SPDX-License-Identifier: Apache-2.0
 * formats/models.h: what the writers of optimisation models share: the rows of a problem by
 * the bounds of z, the walk over A, comments. Private.
 *
 * These formats are only written. They hold rows of one unknown each: FREE, NONNEG, BOX, and
 * most of them FRICTION, so that block i of K is row i. Rows are numbered from 1 in files. */
#ifndef PERP_FORMATS_MODELS_H
#define PERP_FORMATS_MODELS_H

#include <stdio.h>

#include "formats.h"

/** Rows by the bounds of z and the law that follows for w = A z + b. */
typedef enum perp_row_sort {
    PERP_ROW_FREE,     /**< w = 0 */
    PERP_ROW_NONNEG,   /**< 0 <= z _|_ w >= 0 */
    PERP_ROW_LOWER,    /**< lo <= z _|_ w >= 0 */
    PERP_ROW_UPPER,    /**< z <= hi _|_ w <= 0 */
    PERP_ROW_BOX,      /**< lo <= z <= hi: w >= 0 at lo, w <= 0 at hi, else w = 0 */
    PERP_ROW_FRICTION, /**< the same between -mu z[normal] and mu z[normal] */
    PERP_ROW_SORTS
} perp_row_sort;

/** Row i: its sort, and what it needs of its block. */
typedef struct perp_model_row {
    perp_row_sort sort;
    double lo, hi; /**< bounds of z, infinite where there is none; unused by FRICTION */
    double mu;     /**< FRICTION */
    size_t normal; /**< FRICTION: a row, from 0 */
    bool below, above; /**< z has a lower, an upper bound */
} perp_model_row;

perp_model_row perp_model_row_of(const perp_problem *p, size_t i);

/** Rows of each sort, and entries of A that are not zero. */
typedef struct perp_model_counts {
    size_t rows[PERP_ROW_SORTS];
    size_t nonzeros;
} perp_model_counts;

void perp_model_count(perp_model_counts *counts, const perp_problem *p);

/** Entries of row i that are not zero, columns ascending. */
void perp_model_row_entries(const perp_problem *p, size_t i,
                            void (*visit)(void *context, size_t j, double a),
                            void *context);

/** Sets that complementarity models and mixed-integer models hold. */
extern const perp_set_mask perp_model_sets;
/** A local problem of these sets with at least one row, of this kind. */
perp_status perp_model_suits(const char *format, perp_set_mask sets,
                             const perp_problem *p, const char *kind, const char *name,
                             perp_error *err);

/** PERP_ERR_UNSUITABLE where a finite number of the problem is larger: it would be infinite. */
perp_status perp_model_below(const char *format, double largest, const perp_problem *p,
                             const char *name, perp_error *err);

/** The first line of a text, at most so many bytes of it; control characters become blanks.
 *  Returns what follows. `most` >= 4. */
const char *perp_model_line(FILE *f, const char *text, size_t most);
/** Comments, each line after `mark`: what the problem is, its texts, the law, the units. */
void perp_model_head(FILE *f, const char *mark, const perp_problem *p);
/** A comment where a model is beyond the sizes that PATH solves without a licence. */
void perp_model_path_limit(FILE *f, const char *mark, const perp_problem *p,
                           const perp_model_counts *counts);

#endif
