/* SPDX-License-Identifier: Apache-2.0
 * perp/set.h: the set K, a product of blocks in the order of the rows.
 *
 *     FREE      1       w = 0                                joints
 *     NONNEG    1       0 <= z _|_ w >= 0                    limits, the classical LCP
 *     BOX       1       lo <= z <= hi, either infinite       motors
 *     FRICTION  1       |z| <= mu z[normal], coupled         box friction (findex)
 *     CONE      2, 3    |z_T| <= mu z_N, normal first        Coulomb friction in 2D, 3D
 *     ROLLING   5       cone with rolling moments            (N, T1, T2, R1, R2)
 *     DISK      2       |z_T| <= r                           Tresca friction */
#ifndef PERP_SET_H
#define PERP_SET_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** Kinds and their names. The kinds are bits, so that a solver can list those it
 *  takes. */
#define PERP_SET_LIST(X)                                                                 \
    X(PERP_SET_FREE, 1, "free")                                                          \
    X(PERP_SET_NONNEG, 2, "nonneg")                                                      \
    X(PERP_SET_BOX, 4, "box")                                                            \
    X(PERP_SET_FRICTION, 8, "friction")                                                  \
    X(PERP_SET_CONE, 16, "cone")                                                         \
    X(PERP_SET_ROLLING, 32, "rolling")                                                   \
    X(PERP_SET_DISK, 64, "disk")

typedef enum perp_set_kind {
#define PERP_ENUM(name, bit, text) name = bit,
    PERP_SET_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_set_kind;

/** One block of K: rows first .. first+dim-1. */
typedef struct perp_block {
    perp_set_kind kind;
    unsigned dim; /**< 1; CONE 2 or 3; ROLLING 5; DISK 2 */
    size_t first; /**< first row */
    double lo,
        hi;    /**< bounds: of BOX any; FREE: -INFINITY, INFINITY; NONNEG: 0, INFINITY */
    double mu; /**< FRICTION, CONE, ROLLING: friction coefficient, >= 0 */
    double mu_rolling; /**< ROLLING: rolling friction coefficient [m], >= 0 */
    double radius;     /**< DISK: bound, >= 0 */
    size_t normal;     /**< FRICTION: the row whose impulse bounds this one */
} perp_block;

/** K itself. Blocks cover the rows 0 .. n-1 without gap, in order. */
typedef struct perp_set {
    size_t n;           /**< rows */
    size_t count;       /**< blocks */
    perp_block *blocks; /**< count */
    size_t capacity;    /**< blocks for which there is memory; 0 for borrowed blocks */
} perp_set;

/** An empty set with memory for `capacity` blocks. */
perp_status perp_set_new(perp_set **set, size_t capacity, perp_error *err);
/** NULL is allowed (no-op). */
void perp_set_free(perp_set *set);
perp_status perp_set_copy(perp_set **out, const perp_set *set, perp_error *err);

/** Append one block after the last row of a set made by perp_set_new. Within the capacity
 *  given there this always succeeds; beyond it the set grows, or stays as it is and
 *  PERP_ERR_MEMORY is returned. PERP_ERR_ARGUMENT for NULL. Values out of range are found
 *  by perp_problem_seal. */
perp_status perp_set_add_free(perp_set *set);
perp_status perp_set_add_nonneg(perp_set *set);
perp_status perp_set_add_box(perp_set *set, double lo, double hi);
perp_status perp_set_add_friction(perp_set *set, double mu, size_t normal);
perp_status perp_set_add_cone(perp_set *set, unsigned dim, double mu);
perp_status perp_set_add_rolling(perp_set *set, double mu, double mu_rolling);
perp_status perp_set_add_disk(perp_set *set, double radius);

/** n rows of one kind, NONNEG or FREE; PERP_ERR_ARGUMENT for another kind. */
perp_status perp_set_new_uniform(perp_set **set, perp_set_kind kind, size_t n,
                                 perp_error *err);
/** nc cones of dimension 2 or 3; PERP_ERR_ARGUMENT for another dimension. */
perp_status perp_set_new_cones(perp_set **set, unsigned dim, size_t nc, const double *mu,
                               perp_error *err);

/** "free", "nonneg", ...; NULL for an unknown kind. */
const char *perp_set_kind_name(perp_set_kind kind);
/** Bits of all kinds that occur. */
unsigned perp_set_kinds(const perp_set *set);
/** Blocks of a kind. */
static inline size_t perp_set_count(const perp_set *set, perp_set_kind kind)
{
    size_t count = 0;

    for (size_t k = 0; k < set->count; k++) {
        count += set->blocks[k].kind == kind;
    }
    return count;
}
/** The dimension of the blocks where all have the same, else 1. */
size_t perp_set_block_size(const perp_set *set);

/** The number of the block with this row, of a set that covers it. */
size_t perp_set_block_at(const perp_set *set, size_t row);

/** Lower and upper bound of a scalar block at z: FREE, NONNEG, BOX, and FRICTION with
 *  +-mu max(z[normal], 0). */
void perp_block_bounds(const perp_block *k, const double *z, double *lo, double *hi);

/** Replace rows of block k of the full vector z by their projection onto the block.
 *  The interval of a FRICTION row is that of the present z[normal]. */
void perp_set_project(const perp_set *set, size_t k, double *z);

PERP_END_DECLS

#endif
