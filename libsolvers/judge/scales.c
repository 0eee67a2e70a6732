/* SPDX-License-Identifier: Apache-2.0
 * judge/scales.c: the scales d_k and s_k = sqrt(d_k) of the residual.
 *
 *     d_k = the mean of the diagonal of block k,
 * where that is above 1e-14 of the largest entry of its rows. The other blocks, in this order:
 *     beside blocks with a scale, breadth first:   s_k = max_j |A_kj|/s_j,
 *     parts without any diagonal entry:            judge/equilibrate.c,
 *     empty rows:                                  1.
 * |A_kj| is the largest entry that blocks k and j share, in either direction. With these scales
 * A -> D A D, one number of D per block, changes s to D s. */
#include <config.h>

#include "judge/scales.h"
#include "matrix/storages.h"

/* A mean diagonal of more than this part of the largest entry of its rows is the scale. */
static const double diagonal_least = 1e-14;

/* largest[i] := max(largest[i], |a[i]|) */
static inline void raise_to(double *largest, const double *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double size = fabs(a[i]);

        largest[i] = size > largest[i] ? size : largest[i];
    }
}

/* The mean of the diagonal of a block. The sum may overflow, the mean does not. */
static double mean_diagonal(const perp_operator *A, const perp_block *block)
{
    double trace = 0.0, mean = 0.0;

    for (unsigned i = 0; i < block->dim; i++) {
        double d = perp_operator_diagonal(A, block->first + i);

        trace += d;
        mean += d / block->dim;
    }
    return isfinite(trace) ? trace / block->dim : fmin(mean, DBL_MAX);
}

/* The largest entries of the rows of a matrix in factors are expensive, so that a bound replaces
 * them wherever it suffices: |A_ij|^2 <= A_ii A_jj, or the lengths of rows of the factors. */
static void maxima_in_factors(const perp_operator *A, const perp_set *set,
                              const double *d, double *largest)
{
    bool even = A->pairs && perp_pairs_scaled_evenly(A);
    double longest = A->pairs ? 0.0 : perp_factored_longest(A);
    double most = 0.0;

    for (size_t k = 0; even && k < set->count; k++) {
        most = fmax(most, d[k] * set->blocks[k].dim);
    }
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        for (unsigned i = 0; i < block->dim; i++) {
            size_t row = block->first + i;
            double bound = A->pairs
                               ? (even ? sqrt(d[k] * block->dim) * sqrt(most) : INFINITY)
                               : perp_factored_row_bound(A, row, longest);

            largest[row] =
                d[k] > diagonal_least * bound ? bound : perp_operator_row_max(A, row);
        }
    }
}

/* Whether every diagonal is a scale compared with the largest entry of A, if that is known. */
static bool diagonals_suffice(const perp_operator *A, const perp_set *set,
                              const double *d)
{
    bool known = A->entries.known && A->entries.largest > 0.0;
    double least = known ? diagonal_least * A->entries.largest : INFINITY;

    for (size_t k = 0; k < set->count; k++) {
        if (!(d[k] > least)) {
            return false;
        }
    }
    return true;
}

/* largest[i] := max_j |A_ij|, or a bound where that suffices; in the order of storage: row by row,
 * each entry of a dense matrix would cost a cache line, and each of a sparse one a call. */
static void row_maxima(const perp_operator *A, const perp_set *set, const double *d,
                       double *largest)
{
    size_t e = A->block_size;

    memset(largest, 0, A->rows * sizeof *largest);
    if (perp_operator_in_factors(A)) {
        maxima_in_factors(A, set, d, largest);
    }
    for (size_t I = 0; A->ptr && I < A->rows / e; I++) {
        const double *a = A->x + A->ptr[I] * e * e;

        for (size_t k = e * (A->ptr[I + 1] - A->ptr[I]); k > 0; k--, a += e) {
            raise_to(largest + I * e, a, e);
        }
    }
    for (size_t j = 0; A->type->storage == PERP_STORAGE_DENSE && j < A->cols; j++) {
        raise_to(largest, A->x + j * A->ld, A->rows);
    }
}

static double block_largest(const perp_block *block, const double *largest)
{
    double most = 0.0;

    for (unsigned i = 0; i < block->dim; i++) {
        most = fmax(most, largest[block->first + i]);
    }
    return most;
}

/* ---- blocks without a diagonal ---- */

/* One pass over the entries that a block without a scale shares with another block: counted, or
 * written into both rows of the links. */
typedef struct link_pass {
    const perp_problem *p;
    const double *d;
    const int32_t *block; /* of each row */
    size_t from;          /* block of the row that is visited */
    size_t *at;           /* per block: next free place, or the count */
    scale_links *links;   /* NULL: count */
} link_pass;

static void link_add(const link_pass *pass, size_t from, size_t to, double size)
{
    size_t at = pass->at[from]++;

    if (pass->links) {
        pass->links->to[at] = (int32_t)to;
        pass->links->size[at] = size;
    }
}

static void link_visit(void *context, size_t j, double a)
{
    const link_pass *pass = context;
    size_t to = (size_t)pass->block[j];
    bool lacks = pass->d[pass->from] == 0.0 || pass->d[to] == 0.0;

    if (a != 0.0 && to != pass->from && lacks) {
        link_add(pass, pass->from, to, fabs(a));
        link_add(pass, to, pass->from, fabs(a));
    }
}

/* A matrix in factors is symmetric: the rows of blocks without a scale are all that is needed. */
static void link_rows(link_pass *pass)
{
    const perp_set *set = pass->p->set;
    bool all = !perp_operator_in_factors(pass->p->A);

    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        pass->from = k;
        for (unsigned i = 0; (all || pass->d[k] == 0.0) && i < block->dim; i++) {
            perp_operator_row_visit(pass->p->A, block->first + i, link_visit, pass);
        }
    }
}

/* Of several links between two blocks the largest is kept. */
static void links_merge(scale_links *links, size_t count, size_t *place)
{
    size_t kept = 0;

    memset(place, 0, count * sizeof *place); /* 1 + place of the link to a block */
    for (size_t k = 0; k < count; k++) {
        size_t from = links->start[k], end = links->start[k + 1], first = kept;

        links->start[k] = kept;
        for (size_t e = from; e < end; e++) {
            size_t to = (size_t)links->to[e];
            double size = links->size[e];

            if (place[to] > first) {
                links->size[place[to] - 1] = fmax(links->size[place[to] - 1], size);
                continue;
            }
            links->to[kept] = (int32_t)to;
            links->size[kept++] = size;
            place[to] = kept;
        }
    }
    links->start[count] = kept;
}

static bool links_make(scale_links *links, const perp_problem *p, const double *d)
{
    size_t count = p->set->count, total = 0;
    int32_t *block = calloc(p->n + 1, sizeof *block);
    size_t *at = calloc(count + 1, sizeof *at);
    link_pass pass = {.p = p, .d = d, .block = block, .at = at};
    bool made = false;

    links->start = calloc(count + 1, sizeof *links->start);
    if (!block || !at || !links->start) {
        goto done;
    }
    for (size_t k = 0; k < count; k++) {
        for (unsigned i = 0; i < p->set->blocks[k].dim; i++) {
            block[p->set->blocks[k].first + i] = (int32_t)k;
        }
    }
    link_rows(&pass);
    for (size_t k = 0; k < count; k++) {
        links->start[k] = total;
        total += at[k];
        at[k] = links->start[k];
    }
    links->start[count] = total;
    links->to = calloc(total + 1, sizeof *links->to);
    links->size = perp_reals_new(total + 1);
    if (links->to && links->size) {
        pass.links = links;
        link_rows(&pass);
        links_merge(links, count, at);
        made = true;
    }
done:
    free(block);
    free(at);
    return made;
}

/* s of the blocks that others with a scale reach, breadth first; next (0) and list: scratch. */
static void scale_neighbours(const scale_links *links, size_t count, double *s,
                             double *next, int32_t *list)
{
    size_t from = 0, end = 0;

    for (size_t k = 0; k < count; k++) {
        if (s[k] > 0.0) {
            list[end++] = (int32_t)k;
        }
    }
    while (from < end) {
        const size_t level = end;

        for (; from < level; from++) {
            size_t k = (size_t)list[from];

            for (size_t e = links->start[k]; e < links->start[k + 1]; e++) {
                size_t to = (size_t)links->to[e];

                if (s[to] == 0.0 && next[to] == 0.0) {
                    list[end++] = (int32_t)to;
                    next[to] = DBL_MIN;
                }
                next[to] = fmax(next[to], links->size[e] / s[k]);
            }
        }
        for (size_t m = level; m < end; m++) {
            s[list[m]] = next[list[m]];
        }
    }
}

/* d of the blocks where it is 0 still. */
static bool scales_complete(const perp_problem *p, double *d)
{
    size_t count = p->set->count;
    scale_links links = {0};
    double *s = perp_reals_new(2 * count);
    int32_t *list = calloc(count + 1, sizeof *list);
    bool complete = s && list && links_make(&links, p, d);

    if (complete) {
        for (size_t k = 0; k < count; k++) {
            s[k] = sqrt(d[k]);
        }
        scale_neighbours(&links, count, s, s + count, list);
        complete = perp_equilibrate(&links, p, s);
    }
    for (size_t k = 0; complete && k < count; k++) {
        d[k] = d[k] > 0.0 ? d[k] : s[k] * s[k];
    }
    free(links.start);
    free(links.to);
    free(links.size);
    free(list);
    free(s);
    return complete;
}

/* d of the diagonals. False where they do not suffice: largest has what they are compared with. */
static bool diagonal_scales(const perp_problem *p, double *d, double *largest)
{
    for (size_t k = 0; k < p->set->count; k++) {
        d[k] = mean_diagonal(p->A, &p->set->blocks[k]);
    }
    if (diagonals_suffice(p->A, p->set, d)) {
        return true;
    }
    row_maxima(p->A, p->set, d, largest);
    return false;
}

bool perp_block_scales(const perp_problem *p, double *d, double *largest)
{
    const perp_set *set = p->set;
    bool complete = true;

    if (diagonal_scales(p, d, largest)) {
        return true;
    }
    for (size_t k = 0; k < set->count; k++) {
        double most = block_largest(&set->blocks[k], largest);

        d[k] = d[k] > diagonal_least * most ? d[k] : 0.0;
        complete = complete && d[k] > 0.0;
    }
    return complete || scales_complete(p, d);
}

void perp_literature_scales(const perp_problem *p, double *d, double *largest)
{
    const perp_set *set = p->set;

    if (diagonal_scales(p, d, largest)) {
        return;
    }
    for (size_t k = 0; k < set->count; k++) {
        double most = block_largest(&set->blocks[k], largest);
        bool cone = set->blocks[k].dim > 1;

        if (!(d[k] > (cone ? 0.0 : diagonal_least * most))) {
            d[k] = cone || most == 0.0 ? 1.0 : most;
        }
    }
}

/* The scales of blocks for each of their rows. */
static void spread_scales(const perp_set *set, const double *d, double *s)
{
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];

        for (unsigned i = 0; i < block->dim; i++) {
            s[block->first + i] = sqrt(d[k]);
        }
    }
}

perp_status perp_row_scales(const perp_problem *p, double *s, perp_error *err)
{
    double *d = perp_reals_new(p->set->count);
    bool made = d && perp_block_scales(p, d, s);

    if (made) {
        spread_scales(p->set, d, s);
    }
    free(d);
    return made ? PERP_OK
                : perp_fail(err, PERP_ERR_MEMORY, "no memory for the scales of %zu rows",
                            p->n);
}

perp_status perp_row_scales_literature(const perp_problem *p, double *s, perp_error *err)
{
    double *d = perp_reals_new(p->set->count);

    if (!d) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the scales of %zu rows",
                         p->n);
    }
    perp_literature_scales(p, d, s);
    spread_scales(p->set, d, s);
    free(d);
    return PERP_OK;
}
