/* SPDX-License-Identifier: Apache-2.0
 * reform/reforms.h: what the reformulations share. Private.
 *
 * Most of them are one linear substitution, made in reform/substitution.c:
 *
 *     z = B x + c,    A' = B^T A B + X,    b' = B^T (A c + b) + q
 *
 * where the columns of B say what each new unknown stands for, c what is fixed, and X, q
 * couple the new rows among themselves (multipliers). */
#ifndef PERP_REFORM_REFORMS_H
#define PERP_REFORM_REFORMS_H

#include "core/solvers.h"

/** A reformulation that takes over `to` and `state`; on failure both are freed. */
perp_status perp_reform_new(perp_reform **t, const perp_reform_type *type,
                            const perp_problem *from, perp_problem *to, void *state,
                            perp_error *err);
/** PERP_ERR_ARGUMENT for a global problem, which must be condensed first. */
perp_status perp_reform_needs_local(const perp_problem *from, perp_error *err);
/** Fill t->what. */
void perp_reform_describe(perp_reform *t, const char *format, ...) PERP_PRINTF(2, 3);
/** A map that changes nothing, for forth, back and certificate; copies from->n numbers. */
void perp_reform_same(const void *state, const perp_problem *from, const double *x,
                      double *y);
/** A local problem with name and law of `from`. Takes over A, b and set, also on failure. */
perp_status perp_reform_take(perp_problem **to, const perp_problem *from,
                             perp_operator *A, double *b, perp_set *set, perp_error *err);
/** A local problem with b, name and law of `from`. Takes over A and set, also on failure;
 *  where one is NULL it is copied. */
perp_status perp_reform_vary(perp_problem **to, const perp_problem *from,
                             perp_operator *A, perp_set *set, perp_error *err);

/* Global problems. */

/** Whether M, H, G, f and the set of a global problem agree; `who` asks. */
perp_status perp_global_check(const perp_problem *p, const char *who, perp_error *err);
/** The transpose in CSR, whatever the storage. */
perp_status perp_global_transpose(perp_operator **out, const perp_operator *A,
                                  perp_error *err);
/** [H G]^T in CSR: the rows of H^T, then those of G^T. */
perp_status perp_global_rows(perp_operator **Jt, const perp_problem *p, perp_error *err);

typedef struct perp_coupling {
    size_t i, j;
    double x;
} perp_coupling;

typedef struct perp_substitution {
    size_t n_from, n; /* rows of the old and the new problem */
    size_t *start;    /* n+1: terms of column j of B are start[j] .. start[j+1]-1 */
    size_t *row;      /* of a term: the row of z it adds to */
    double *coef;     /* of a term */
    double *shift;    /* n_from: c */
    double *offset;   /* q */
    perp_coupling *couplings; /* X, in any order */
    size_t coupling_count;
    size_t *at;    /* n_from: the new row that begins what an old block became */
    perp_set *set; /* of the new problem, until it is made */
} perp_substitution;

/** An empty one with room for `rows` new rows, two terms and three couplings each. */
perp_status perp_substitution_new(perp_substitution **s, const perp_problem *from,
                                  size_t rows, perp_error *err);
void perp_substitution_free(void *s); /* takes NULL */
/** Begin the next new row, stands for nothing yet; its number. */
size_t perp_substitution_row(perp_substitution *s);
/** The last row adds coef times itself to old row `row`; zeros are left out. */
void perp_substitution_term(perp_substitution *s, size_t row, double coef);
/** X_ij := x. */
void perp_substitution_couple(perp_substitution *s, size_t i, size_t j, double x);
/** Keep a block as it is; FRICTION blocks point to the new row `normal`. */
void perp_substitution_keep(perp_substitution *s, const perp_block *block, size_t normal);
/** The new problem: dense when A is dense, else CSR. Moves the set out of s. */
perp_status perp_substitution_problem(perp_problem **to, perp_substitution *s,
                                      const perp_problem *from, perp_error *err);
/** z := B x + c. */
void perp_substitution_back(const perp_substitution *s, const double *x, double *z);
/** y := B yy, since y.w of the old is yy.w' of the new but for constants. */
void perp_substitution_dual(const perp_substitution *s, const double *yy, double *y);

#endif
