/* SPDX-License-Identifier: Apache-2.0
 * reform/reforms.h: what the reformulations share. Private.
 *
 * Most of them are one linear substitution, made in reform/substitution.c:
 *
 *     z = B x + c,    A' = B^T A B + X,    b' = B^T (A c + b) + q
 *
 * Column j of B holds the old unknowns that new unknown j contributes to, c the
 * constant part of the old unknowns; X and q couple the new rows with each other
 * (multipliers). */
#ifndef PERP_REFORM_REFORMS_H
#define PERP_REFORM_REFORMS_H

#include "core/solvers.h"

/** perp_reform_scale by the scales of a judge of p (NULL: computed); *t is NULL where all factors
 *  are 1. */
perp_status perp_reform_scale_by(perp_reform **t, const perp_problem *p,
                                 const perp_judge *judge, perp_error *err);
/** A problem whose bounds out of reach are infinite; *t is NULL where all are in reach. Its solutions
 *  may miss these bounds. */
perp_status perp_reform_open(perp_reform **t, const perp_problem *p, perp_error *err);
/** Whether all cones have two rows and obey Coulomb's law: they are friction rows then, exactly. */
bool perp_reform_is_plane(const perp_problem *p);
/** Cones of the plane -> a NONNEG and a FRICTION row each; perp_reform_is_plane. */
perp_status perp_reform_plane(perp_reform **t, const perp_problem *p, perp_error *err);
/** The range of the exponents of its factors. */
void perp_scale_range(const perp_problem *p, const perp_judge *judge, int *least,
                      int *most);
/** A reformulation of `from`, which it borrows. Takes over `to` and `state`, also on
 *  failure. */
perp_status perp_reform_new(perp_reform **t, const perp_reform_type *type,
                            const perp_problem *from, perp_problem *to, void *state,
                            perp_error *err);
/** PERP_ERR_ARGUMENT for a global problem, which must be condensed first. */
perp_status perp_reform_needs_local(const perp_problem *from, perp_error *err);
/** Write t->what. */
void perp_reform_describe(perp_reform *t, const char *format, ...) PERP_PRINTF(2, 3);
/** The identity, as map, inverse map or map of certificates: copies from->n numbers. */
void perp_reform_identity(const void *state, const perp_problem *from, const double *x,
                          double *y);
/** A local problem with the name, the law and the origin of `from`. Takes over A, b and set,
 *  also on failure; where the set is NULL, that of `from` is copied, with its labels. */
perp_status perp_reform_problem_new(perp_problem **to, const perp_problem *from,
                                    perp_operator *A, double *b, perp_set *set,
                                    perp_error *err);
/** A local problem with the name, the law and a copy of the b of `from`. Takes over A
 *  and set, also on failure; where one is NULL, that of `from` is copied. Another set may cut
 *  the same rows into other blocks, each with the label of its first row. */
perp_status perp_reform_problem_like(perp_problem **to, const perp_problem *from,
                                     perp_operator *A, perp_set *set, perp_error *err);

/** Where a block of a new problem comes from. */
typedef struct perp_reform_source {
    size_t row; /**< a row of the old problem: the block has the label of its block */
    const char *part; /**< "direction", NULL: all of it, or its first row */
    size_t number;    /**< of parts of this name, from 1; 0: there is one */
    bool auxiliary;   /**< not an unknown of the old problem: a multiplier */
} perp_reform_source;

/** Labels for `to` from those of `from`, one source per block of `to`, and a copy of its origin.
 *  No labels where `from` has none. */
perp_status perp_reform_label(perp_problem *to, const perp_problem *from,
                              const perp_reform_source *source, perp_error *err);

/* Global problems. */

/** Check that the extents of M, H, G, f and the set agree; a message begins with
 *  `name`. */
perp_status perp_global_check(const perp_problem *p, const char *name, perp_error *err);
/** The transpose in CSR, of any storage. */
perp_status perp_global_transpose(perp_operator **out, const perp_operator *A,
                                  perp_error *err);
/** [H G]^T in CSR: the rows of H^T, then those of G^T. */
perp_status perp_global_rows(perp_operator **Jt, const perp_problem *p, perp_error *err);

/** The global problem of one whose A = J M^-1 J^T is in factors: M, H = J^T, f = 0 and the same
 *  b. PERP_ERR_UNSUITABLE for other storages and for C that is not 0. */
perp_status perp_reform_unfactor(perp_problem **out, const perp_problem *p,
                                 perp_error *err);

typedef struct perp_coupling {
    size_t i, j;
    double x;
} perp_coupling;

typedef struct perp_substitution {
    perp_workspace *ws; /* the arrays below */
    size_t n_from, n;   /* rows of the old and the new problem */
    size_t *start;      /* n+1: terms of column j of B are start[j] .. start[j+1]-1 */
    size_t *row;        /* of a term: the row of z it adds to */
    double *coef;       /* of a term */
    double *shift;      /* n_from: c */
    double *offset;     /* q */
    perp_coupling *couplings; /* X, in any order */
    size_t coupling_count;
    size_t *at; /* n_from: of the first row of an old block: the first of its new rows */
    perp_reform_source *source; /* of each new block */
    perp_set *set;              /* of the new problem, until it is made */
} perp_substitution;

/** An empty substitution with memory for `rows` new rows. */
perp_status perp_substitution_new(perp_substitution **s, const perp_problem *from,
                                  size_t rows, perp_error *err);
/** NULL is allowed (no-op). */
void perp_substitution_free(void *s);
/** Append a new row, without terms; returns its number. */
size_t perp_substitution_add_row(perp_substitution *s);
/** B[row, last new row] := coef; zeros are left out. At most two per new row. */
void perp_substitution_add_term(perp_substitution *s, size_t row, double coef);
/** X_ij := x; on average at most three per new row. */
void perp_substitution_add_coupling(perp_substitution *s, size_t i, size_t j, double x);
/** State where the last block of the set comes from. */
void perp_substitution_source(perp_substitution *s, size_t row, const char *part,
                              size_t number, bool auxiliary);
/** Append a block as it is, with its rows; `normal` is the new row that bounds a
 *  FRICTION row. */
void perp_substitution_copy_block(perp_substitution *s, const perp_block *block,
                                  size_t normal);
/** The new problem: dense when A is dense, else CSR. Takes over the set of s. */
perp_status perp_substitution_problem(perp_problem **to, perp_substitution *s,
                                      const perp_problem *from, perp_error *err);
/** z := B x + c. */
void perp_substitution_unmap(const perp_substitution *s, const double *x, double *z);
/** y := B yy, the map of certificates: y.w and yy.w' differ by a constant. */
void perp_substitution_linear(const perp_substitution *s, const double *yy, double *y);

/* Reformulations that perp_solve makes by itself, or that have a name. */

/** Global -> local with A = [H G]^T M^-1 [H G] kept in factors, for a block diagonal M.
 *  PERP_ERR_UNSUITABLE when a block of M is larger than 12. */
perp_status perp_reform_factor(perp_reform **t, const perp_problem *p, perp_error *err);
/** Cones -> NONNEG normal and coupled FRICTION rows along t1, t2 (box friction). */
perp_status perp_reform_box_friction(perp_reform **t, const perp_problem *p,
                                     perp_error *err);
/** The same problem under the associated law. */
perp_status perp_reform_associated(perp_reform **t, const perp_problem *p,
                                   perp_error *err);
/** FRICTION rows -> two NONNEG directions and a multiplier each; exact. */
perp_status perp_reform_friction_to_lcp(perp_reform **t, const perp_problem *p,
                                        perp_error *err);
/** Bounds -> NONNEG rows: z = lo + x, one more row for each second finite bound; rows
 *  with only an upper bound are reflected; FREE rows stay. */
perp_status perp_reform_box_to_lcp(perp_reform **t, const perp_problem *p,
                                   perp_error *err);
/** FREE rows pivoted out of the dictionary w = A z + b (dense), also where A_FF is
 *  singular. Takes FREE and NONNEG rows. An inconsistent free row fails with
 *  PERP_ERR_DATA and, when y (n, may be NULL) is given, its certificate in y. */
perp_status perp_reform_eliminate_free(perp_reform **t, const perp_problem *p, double *y,
                                       perp_error *err);
/** D A D with D = diag(1/s) rounded to powers of two: maps back without rounding. */
perp_status perp_reform_scale(perp_reform **t, const perp_problem *p, perp_error *err);
/** The same problem with A in another storage. */
perp_status perp_reform_store(perp_reform **t, const perp_problem *p,
                              perp_storage storage, perp_error *err);

/** Map a certificate of infeasibility yy of p_from back to one of p_to, in y. Returns
 *  false, with y unchanged, when a reformulation in between cannot map it. */
bool perp_reform_path_certificate(perp_reform_path *path, size_t from, size_t to,
                                  const double *yy, double *y);
/** p_k; NULL when k > count. */
const perp_problem *perp_reform_path_problem(const perp_reform_path *path, size_t k);
/** The reformulation from p_k to p_k+1; NULL when k >= count. */
const perp_reform *perp_reform_path_step(const perp_reform_path *path, size_t k);

#endif
