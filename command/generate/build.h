/* SPDX-License-Identifier: Apache-2.0
 * families/build.h: the list of families and what their files share. Private. */
#ifndef PERP_FAMILIES_BUILD_H
#define PERP_FAMILIES_BUILD_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/perp.h>

#include "base/base.h"
#include "families.h"

extern const perp_family perp_family_murty_lower, perp_family_murty_upper,
    perp_family_fathi, perp_family_csizmadia, perp_family_csizmadia_alt, perp_family_ahn,
    perp_family_geiger_kanzow, perp_family_circulant, perp_family_skew2,
    perp_family_hilbert;
extern const perp_family perp_family_harker_pang, perp_family_integer_spd,
    perp_family_integer_psd, perp_family_degenerate, perp_family_qp_kkt,
    perp_family_qp_kkt_infeasible;
extern const perp_family perp_family_kostreva, perp_family_infeasible_zero,
    perp_family_feasible_unsolvable, perp_family_three_solutions,
    perp_family_copositive_plus, perp_family_skew_rotation, perp_family_lemke_ray,
    perp_family_all_free, perp_family_all_fixed, perp_family_empty;
extern const perp_family perp_family_obstacle, perp_family_obstacle_2d,
    perp_family_journal_bearing, perp_family_american_put, perp_family_american_option;
extern const perp_family perp_family_game, perp_family_transport;
extern const perp_family perp_family_random_cloud, perp_family_wall, perp_family_incline,
    perp_family_table, perp_family_stack, perp_family_cradle, perp_family_arch;
extern const perp_family perp_family_spd, perp_family_spd_sparse, perp_family_boxed,
    perp_family_normal_contacts;
extern const perp_family perp_family_contacts, perp_family_friction_cloud,
    perp_family_pyramid, perp_family_torture;

/** A problem being built: a dense matrix, or triplets of a sparse one; all of it zeroed. */
typedef struct family_draft {
    size_t n;
    perp_operator *A;       /**< dense, or NULL */
    perp_arrays dense;      /**< those of A */
    perp_triplets triplets; /**< where A is NULL */
    double *b;
    double *z, *w; /**< the built solution */
    perp_set *set; /**< NULL: all rows NONNEG */
    perp_law law;
} family_draft;

/* Both leave nothing behind when they fail. */
perp_status family_dense(family_draft *d, size_t n, perp_error *err);
/** `capacity`: how many entries are expected. */
void family_sparse(family_draft *d, size_t n, size_t capacity);
/** What is left of a draft that will not be finished. */
void family_drop(family_draft *d);

/** Entry of the dense matrix, to be assigned. */
static inline double *family_at(const family_draft *d, size_t i, size_t j)
{
    return &d->dense.x[i + j * d->dense.ld];
}
/** A_ij += a. */
void family_entry(family_draft *d, size_t i, size_t j, double a);

/** Whether b := w - A z of the built solution, or what stands in b, and what is stored. */
typedef enum family_answer {
    FAMILY_NO_ANSWER,     /**< b stands, nothing is stored */
    FAMILY_ANSWER,        /**< b stands, z and w are stored */
    FAMILY_ANSWER_MAKES_B /**< b := w - A z, z and w are stored */
} family_answer;

/** Make the problem; the draft is used up, also on failure. */
perp_status family_finish(family_draft *d, family_answer answer, perp_problem **p,
                          perp_error *err);

/** Keys 1, 2, 3, ... for the blocks of a step whose problem is there: who stays in place is
 *  who it was. */
void family_keys_by_place(perp_sequence_item *step);

/** A := B B^T / divisor, B by rows, n x m; symmetric bit by bit. */
void family_gram(family_draft *d, const double *B, size_t m, double divisor);

/** The roles of n rows in random order: count[k] rows have role k; the rest the last. */
void family_roles(unsigned char *role, size_t n, const size_t *count, size_t kinds,
                  perp_random *g);

#endif
