/* SPDX-License-Identifier: Apache-2.0
 * perp/reform.h: a problem turned into one that a given solver takes, with the way back.
 *
 * Exact: condense, factor (global -> local), box_to_lcp, friction_to_lcp, eliminate_free,
 * scale, store. Changing the physics, asked for by name: pyramid, box_friction, associated. */
#ifndef PERP_REFORM_H
#define PERP_REFORM_H

#include <perp/problem.h>

PERP_BEGIN_DECLS

typedef struct perp_reform perp_reform;

/** What a reformulation provides; the state is its own. */
typedef struct perp_reform_type {
    const char *name; /**< "pyramid", "scale", … */
    bool changes_physics;
    /** A guess for the new problem from one of the old. */
    void (*map)(const void *state, const perp_problem *from, const double *z, double *zz);
    /** The point of the old problem that a point of the new one stands for. */
    void (*unmap)(const void *state, const perp_problem *from, const double *zz,
                  double *z);
    /** A certificate of the old problem from one of the new; NULL: none can be given. */
    void (*certificate)(const void *state, const perp_problem *from, const double *yy,
                        double *y);
    void (*free)(void *state);
} perp_reform_type;

struct perp_reform {
    const perp_reform_type *type;
    const perp_problem *from; /**< borrowed; must outlive the reformulation */
    perp_problem *to;         /**< owned by the reformulation; always local */
    void *state;
    char what[160]; /**< for what ran: "pyramid with 8 directions: 36 rows become 120" */
};

void perp_reform_free(perp_reform *t); /* takes NULL */

/** Global -> local: A = [H G]^T M^-1 [H G] by a sparse LU of M; never forms M^-1. */
perp_status perp_reform_condense(perp_reform **t, const perp_problem *p, perp_error *err);

/** Global -> local with A = [H G]^T M^-1 [H G] kept in factors, for a block diagonal M.
 *  PERP_ERR_UNSUITABLE when a block of M is larger than 12. */
perp_status perp_reform_factor(perp_reform **t, const perp_problem *p, perp_error *err);

/** Cones -> the LCP of Stewart and Trinkle with eta (even, >= 4) directions in 3D and the two
 *  of the line in 2D; other rows stay. A cone with mu = 0 becomes one NONNEG row.
 *  Rows of a contact: n, beta_1..beta_eta, lambda [stewart-trinkle-1996]. */
perp_status perp_reform_pyramid(perp_reform **t, const perp_problem *p, size_t eta,
                                perp_error *err);

/** Cones -> NONNEG normal and coupled FRICTION rows along t1, t2 (box friction). */
perp_status perp_reform_box_friction(perp_reform **t, const perp_problem *p,
                                     perp_error *err);

/** The same problem under the associated law. */
perp_status perp_reform_associated(perp_reform **t, const perp_problem *p,
                                   perp_error *err);

/** FRICTION rows -> two NONNEG directions and a multiplier each; exact. */
perp_status perp_reform_friction_to_lcp(perp_reform **t, const perp_problem *p,
                                        perp_error *err);

/** Bounds -> NONNEG rows: z = lo + x, one more row for each second finite bound; rows with
 *  only an upper bound are reflected; FREE rows stay. */
perp_status perp_reform_box_to_lcp(perp_reform **t, const perp_problem *p,
                                   perp_error *err);

/** FREE rows pivoted out of the dictionary w = A z + b (dense), also where A_FF is singular.
 *  Takes FREE and NONNEG rows. An inconsistent free row fails with PERP_ERR_DATA and, when
 *  y (n, may be NULL) is given, its certificate in y. */
perp_status perp_reform_eliminate_free(perp_reform **t, const perp_problem *p, double *y,
                                       perp_error *err);

/** D A D with D = diag(1/s) rounded to powers of two: maps back without rounding. */
perp_status perp_reform_scale(perp_reform **t, const perp_problem *p, perp_error *err);

/** The same problem with A in another storage. */
perp_status perp_reform_store(perp_reform **t, const perp_problem *p,
                              perp_storage storage, perp_error *err);

/** By name: "natural" (*t = NULL: nothing to do), "associated", "box", "pyramid:8". */
perp_status perp_reform_named(perp_reform **t, const perp_problem *p, const char *name,
                              perp_error *err);

PERP_END_DECLS

#endif
