/* SPDX-License-Identifier: Apache-2.0
 * perp/problem.h: complementarity problems. A problem is constant while it is solved.
 *
 * Find z such that
 *
 *     z in K,  w = A z + b,  -w in N_K(z)
 *
 * A cone obeys one of two laws, a property of the problem: Coulomb, where De Saxce's
 * term mu |w_T| is added to w_N (dry friction), or associated (the convex relaxation).
 * z are impulses [N s] when w are velocities [m/s]; b is the free velocity.
 *
 * A global problem instead holds M, H, f (and G, c):
 *
 *     M v = H r + G l + f,    u = H^T v + b_u,    G^T v + b_l = 0
 *
 * with z = (r, l), w = (u, 0): it is condensed to A = [H G]^T M^-1 [H G] by
 * perp_reform_condense. */
#ifndef PERP_PROBLEM_H
#define PERP_PROBLEM_H

#include <perp/labels.h>
#include <perp/operator.h>
#include <perp/set.h>

PERP_BEGIN_DECLS

/** The law that cones obey. */
typedef enum perp_law {
    PERP_LAW_COULOMB,
    PERP_LAW_ASSOCIATED,
} perp_law;

/** The kind of problem that a file holds, by which it is written again (perp_kind_name). */
#define PERP_KIND_LIST(X)                                                                \
    X(PERP_KIND_LCP, "lcp")            /* all rows NONNEG */                             \
    X(PERP_KIND_MLCP, "mlcp")          /* FREE and NONNEG rows */                        \
    X(PERP_KIND_BLCP, "blcp")          /* FREE, NONNEG, BOX rows; Siconos' relay */      \
    X(PERP_KIND_FINDEX, "blcp-findex") /* the same with FRICTION rows */                 \
    X(PERP_KIND_FC2D, "fc2d")          /* cones of dimension 2 */                        \
    X(PERP_KIND_FC3D, "fc3d")          /* cones of dimension 3 */                        \
    X(PERP_KIND_ROLLING, "rolling")    /* rolling cones */                               \
    X(PERP_KIND_MIXED, "mixed")        /* anything else */

typedef enum perp_kind {
#define PERP_ENUM(name, text) name,
    PERP_KIND_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_kind;

/** What one pass over the entries of a dense or CSR matrix has found, while the matrix is constant. */
typedef struct perp_entries {
    bool known;
    double asymmetry; /**< perp_operator_asymmetry() */
    double largest;   /**< max |A_ij|; 0: not known, or all entries are 0 */
} perp_entries;

/** The global form. M is n_v x n_v, H n_v x n_r, G n_v x n_l or NULL. */
typedef struct perp_global {
    perp_operator *M, *H, *G;
    double *f; /**< n_v: applied impulses */
} perp_global;

/** A point that came with the problem: a stored guess or solution. Never trusted. */
typedef struct perp_point {
    double *z; /**< n */
    double *w; /**< n, or NULL */
    double *v; /**< n_v of a global problem, or NULL */
} perp_point;

/** A problem and all it owns (perp_problem_free). One that is composed by hand on the stack
 *  may borrow all its parts: then it is not freed. */
typedef struct perp_problem {
    size_t n;            /**< rows of z and w */
    perp_operator *A;    /**< n x n; NULL for a global problem that is not condensed */
    double *b;           /**< n; for a global problem (b_u, b_l) */
    perp_set *set;       /**< K, n rows */
    perp_law law;        /**< of its cones */
    perp_global *global; /**< or NULL */

    char *name;        /**< short: the stem of the file or the identifier; may be NULL */
    char *title;       /**< one line about it; may be NULL */
    char *description; /**< several lines, UTF-8; may be NULL */
    char *math_info;   /**< remarks on the mathematics, UTF-8; may be NULL */

    perp_point *guesses; /**< guess_count starting points that came with the file */
    size_t guess_count;
    perp_point *solution; /**< one that came with the file, or NULL */

    bool sealed;          /**< set by perp_problem_seal; false in a zeroed problem */
    perp_entries entries; /**< of a sealed problem: what the check has found; private */
    bool borrows_b, borrows_set; /**< b and set belong to the caller */

    perp_labels *labels; /**< one per block of the set; NULL: unknown */
    perp_origin *origin; /**< where it comes from; NULL: unknown */
    bool borrows_labels; /**< labels and origin belong to another problem */
} perp_problem;

/** A zeroed problem; the caller fills its fields. */
perp_status perp_problem_new(perp_problem **p, perp_error *err);
void perp_problem_free(perp_problem *p); /* NULL is allowed */

/* Problems from arrays: w = A z + b with z in `set`, or in z >= 0 (an LCP) when `set` is NULL.
 * The arrays and the set are copied or borrowed (perp_ownership). The problems are checked and
 * sealed. The law matters for cones only. PERP_ERR_DATA: what perp_problem_seal refuses; *p
 * is NULL after a failure. */

/** A dense, A[i + j*ld] (column-major). */
perp_status perp_problem_new_dense(perp_problem **p, size_t n, const double *A, size_t ld,
                                   const double *b, const perp_set *set, perp_law law,
                                   perp_ownership ownership, perp_error *err);
/** A in CSR, as for perp_operator_new_from_csr. */
perp_status perp_problem_new_csr(perp_problem **p, size_t n, const size_t *ptr,
                                 const int32_t *col, const double *x, const double *b,
                                 const perp_set *set, perp_law law,
                                 perp_ownership ownership, perp_error *err);
/** A in blocks, as for perp_operator_new_from_bsr. */
perp_status perp_problem_new_bsr(perp_problem **p, size_t n, size_t block_size,
                                 const size_t *ptr, const int32_t *col, const double *x,
                                 const double *b, const perp_set *set, perp_law law,
                                 perp_ownership ownership, perp_error *err);
/** A heap problem that takes over A, b (allocated with perp_reals_new) and set; on failure
 *  they are freed too, so the caller never frees them after this call. */
perp_status perp_problem_new_take(perp_problem **p, perp_operator *A, double *b,
                                  perp_set *set, perp_law law, perp_error *err);
perp_status perp_problem_copy(perp_problem **out, const perp_problem *p, perp_error *err);

/** n zeroed doubles for a field of a problem, or NULL; freed with the problem. */
double *perp_reals_new(size_t n);
/** A copy of a string for a field of a problem, or NULL. */
char *perp_text_new(const char *text);

/** Check everything that a solver relies on, once, and mark the problem as sealed, so that
 *  perp_solve and other calls do not check it again: extents agree, blocks cover the rows, every
 *  number is finite (bounds may be infinite), mu >= 0, lo <= hi, FRICTION rows point to a NONNEG
 *  (or one-sided) row. PERP_ERR_DATA with the place of the first fault. A sealed problem passes
 *  at once. Problems that were read from a file or a
 *  sequence are sealed.
 *
 *  After sealing, the names, texts, labels, origin, guesses and the stored solution may change,
 *  nothing else:
 *  whoever changes n, A, b, set, law or global, in place or in a copy of the struct, sets
 *  `sealed` to false first. perp_problem_copy returns a problem that is not sealed. */
perp_status perp_problem_seal(perp_problem *p, perp_error *err);

/** Store A as its entries ask for: dense where more than a fifth of them are not 0, else in blocks
 *  where the blocks of K are cones of one dimension, else in CSR; zeros off the diagonal are
 *  dropped, the diagonal is kept, and -0 becomes 0 everywhere. M, H and G of a global problem are
 *  stored in CSR. Problems with the same hash are then equal to the bit, and so are the answers
 *  of a solver. The command does this with every problem. Readers and constructors do not: they keep
 *  the storage of the file or of the caller. A in factors stays in factors, with a hash of its own.
 *
 *  p owns its parts; PERP_ERR_ARGUMENT: it borrows some. It is sealed afterwards where it was
 *  and its matrices have been canonical before. PERP_ERR_MEMORY: p is the same problem, stored as
 *  it was in part. */
perp_status perp_problem_canonical(perp_problem *p, perp_error *err);

/** The class that the set of p puts it into, and the name of a class: "lcp". */
perp_kind perp_problem_kind(const perp_problem *p);
const char *perp_kind_name(perp_kind kind);
/** The law that the cones of p obey: "coulomb" or "associated"; "none" without cones. */
const char *perp_problem_law_name(const perp_problem *p);
/** Contacts: cones, rolling cones, or NONNEG rows that bound a FRICTION row. */
size_t perp_problem_contacts(const perp_problem *p);

/** FNV-1a 64 over the data that define the problem (set, law, A entry by entry, b), the
 *  same in every assembled storage. A in factors has another one than A multiplied out, since
 *  solvers then work with the factors and round otherwise. */
uint64_t perp_problem_hash(const perp_problem *p);

PERP_END_DECLS

#endif
