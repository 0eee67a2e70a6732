/* SPDX-License-Identifier: Apache-2.0
 * exact/krawczyk_part.c: the regular part of equations with dependent rows.
 *
 * More sticking contacts than a body needs make rows of A dependent: then z is not unique, and no
 * box contains one zero only. As many unknowns as there are dependent rows are held at their
 * values, and the other rows are solved for the other unknowns. The point found solves all rows
 * where each row left out is a combination of linear rows that were kept, its constant too: that
 * is decided by ranks over the rational numbers. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "interop/exact/krawczyk.h"

/* A pivot below this part of the first one counts as 0: rows that dependence and rounding of
 * doubles made. */
static const double part_least_pivot = 1e-11;

perp_status krawczyk_part_init(krawczyk_part *part, slong n, perp_error *err)
{
    size_t bytes = ((size_t)n + 1) * sizeof(slong);

    *part = (krawczyk_part){.m = n,
                            .rows = malloc(bytes),
                            .cols = malloc(bytes),
                            .spare = malloc(bytes),
                            .held = malloc(bytes)};
    if (!part->rows || !part->cols || !part->spare || !part->held) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %ld rows", (long)n);
    }
    for (slong i = 0; i < n; i++) {
        part->rows[i] = part->cols[i] = i;
    }
    return PERP_OK;
}

void krawczyk_part_clear(krawczyk_part *part)
{
    free(part->rows);
    free(part->cols);
    free(part->spare);
    free(part->held);
}

/* ------------------------------------------------------------------ rank in doubles */

static void part_swap(slong *list, slong i, slong j)
{
    slong t = list[i];

    list[i] = list[j];
    list[j] = t;
}

/* The largest entry below and right of (k, k), rows and columns by their lists. */
static double part_pivot(const double *a, slong n, const krawczyk_part *part, slong k,
                         slong *row, slong *col)
{
    double most = -1.0;

    for (slong i = k; i < n; i++) {
        for (slong j = k; j < n; j++) {
            double size = fabs(a[part->rows[i] * n + part->cols[j]]);

            if (size > most) {
                most = size;
                *row = i;
                *col = j;
            }
        }
    }
    return most;
}

/* Elimination with complete pivoting; the pivots first in both lists; how many there are. */
static slong part_rank(double *a, slong n, krawczyk_part *part)
{
    double first = 0.0;

    for (slong k = 0; k < n; k++) {
        slong row = k, col = k;
        double most = part_pivot(a, n, part, k, &row, &col);

        first = k == 0 ? most : first;
        if (!(most > part_least_pivot * first)) {
            return k;
        }
        part_swap(part->rows, k, row);
        part_swap(part->cols, k, col);
        for (slong i = k + 1; i < n; i++) {
            double *to = a + part->rows[i] * n;
            const double *from = a + part->rows[k] * n;
            double factor = to[part->cols[k]] / from[part->cols[k]];

            for (slong j = k; j < n && factor != 0.0; j++) {
                to[part->cols[j]] -= factor * from[part->cols[j]];
            }
        }
    }
    return n;
}

bool krawczyk_part_reduce(krawczyk_part *part, krawczyk_map *map)
{
    slong n = map->n;
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    arb_mat_t S;

    if (!a) {
        return false;
    }
    arb_mat_init(S, n, n);
    krawczyk_map_at(map, map->x);
    krawczyk_map_slopes(map, n, part->rows, part->cols, S);
    for (slong i = 0; i < n; i++) {
        for (slong j = 0; j < n; j++) {
            a[i * n + j] = arf_get_d(arb_midref(arb_mat_entry(S, i, j)), ARF_RND_NEAR);
        }
    }
    arb_mat_clear(S);
    part->m = part_rank(a, n, part);
    for (slong i = part->m; i < n; i++) {
        part->spare[i - part->m] = part->rows[i];
        part->held[i - part->m] = part->cols[i];
    }
    free(a);
    return true;
}

/* ------------------------------------------------------------------- exact ranks */

/* Whether w_i = 0 wherever x lies in the last argument. */
static bool part_linear(const krawczyk_map *map, slong i)
{
    return arb_is_zero(map->W + i);
}

/* Row i of (A b) as whole numbers, times a power of two; false where they have too many
 * digits. Columns of impulses that are 0 are left out. */
static bool part_row(const krawczyk_map *map, slong i, fmpz_mat_t L, slong to)
{
    const slong widest = 8192; /* bits */
    slong least = WORD_MAX, most = WORD_MIN;
    bool fits = true;

    for (slong j = 0; j <= map->n; j++) {
        const arb_struct *a = j < map->n ? arb_mat_entry(map->A, i, j) : map->b + i;

        if (!arb_is_zero(a)) {
            slong high = arf_abs_bound_lt_2exp_si(arb_midref(a));

            least = high - 64 < least ? high - 64 : least; /* a double has 53 bits */
            most = high > most ? high : most;
        }
    }
    if (least < most && most - least > widest) {
        return false;
    }
    for (slong j = 0; j <= map->n && fits; j++) {
        const arb_struct *a = j < map->n ? arb_mat_entry(map->A, i, j) : map->b + i;
        bool used = j == map->n || !arb_is_zero(map->Z + j);

        if (used && !arb_is_zero(a)) {
            /* nonzero: bits were lost */
            fits = !arf_get_fmpz_fixed_si(fmpz_mat_entry(L, to, j), arb_midref(a), least);
        }
    }
    return fits;
}

static slong part_rank_modulo(const fmpz_mat_t L)
{
    nmod_mat_t modulo;
    slong rank = 0;

    nmod_mat_init(modulo, fmpz_mat_nrows(L), fmpz_mat_ncols(L), EXACT_PRIME);
    fmpz_mat_get_nmod_mat(modulo, L);
    rank = nmod_mat_rank(modulo);
    nmod_mat_clear(modulo);
    return rank;
}

/* Whether the rows of L beyond the first `kept` are in the span of those. A rank modulo a prime is
 * at most the rank, so that it can deny without long numbers. */
static bool part_spanned(const fmpz_mat_t L, slong kept)
{
    fmpz_mat_t first;
    bool spanned = false;

    if (part_rank_modulo(L) > kept) {
        return false;
    }
    fmpz_mat_window_init(first, L, 0, 0, kept, fmpz_mat_ncols(L));
    spanned = fmpz_mat_rank(L) == fmpz_mat_rank(first);
    fmpz_mat_window_clear(first);
    return spanned;
}

bool krawczyk_part_implies(const krawczyk_part *part, const krawczyk_map *map)
{
    slong spare = map->n - part->m, kept = 0;
    bool implied = true;
    fmpz_mat_t L;

    for (slong k = 0; k < spare; k++) {
        if (!part_linear(map, part->spare[k])) {
            return false;
        }
    }
    for (slong k = 0; k < part->m; k++) {
        kept += part_linear(map, part->rows[k]);
    }
    fmpz_mat_init(L, kept + spare, map->n + 1);
    for (slong k = 0, to = 0; k < part->m && implied; k++) {
        if (part_linear(map, part->rows[k])) {
            implied = part_row(map, part->rows[k], L, to++);
        }
    }
    for (slong k = 0; k < spare && implied; k++) {
        implied = part_row(map, part->spare[k], L, kept + k);
    }
    implied = implied && part_spanned(L, kept);
    fmpz_mat_clear(L);
    return implied;
}
