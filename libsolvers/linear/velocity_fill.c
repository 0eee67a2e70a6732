/* SPDX-License-Identifier: Apache-2.0
 * linear/velocity_fill.c: the numbers of S = M + L^T H J.
 *
 * A block of S is the sum over the contacts of two bodies (of all contacts of one, on the
 * diagonal), in the order of the blocks of K. S is kept from one H to the next: where the blocks
 * of H of some contacts changed, the blocks of S of their bodies are summed again, and the others
 * have the bits that they would get. Contacts with H = 0, which are open, cost nothing.
 * Cost: some 700 flops per contact of two bodies, in the kernels of linear/block_kernel.c. */
#include <config.h>

#include "velocity_private.h"

enum {
    fill_most =
        8, /* blocks of K at once; four is the usual number of contacts of two boxes */
    fill_dim = 5, /* rows of the largest block, a rolling contact */
};

static unsigned fill_area(const perp_velocity *s, size_t k)
{
    return (unsigned)s->set->blocks[k].dim * s->set->blocks[k].dim;
}

/* Mark the bodies of block k, and their pairs. */
static void fill_mark_block(perp_velocity *s, size_t k)
{
    for (size_t e = s->pair[k]; e < s->pair[k + 1]; e++) {
        s->stale[s->entry[e]] = true;
    }
    for (size_t at = s->touch[k]; at < s->touch[k + 1]; at++) {
        s->changed[s->body[at]] = true;
    }
}

/* Mark what H has changed since S was filled. */
static void fill_mark(perp_velocity *s, bool unsymmetric)
{
    size_t entries = s->S.ptr[s->S.blocks];
    bool kept = s->filled && (s->filled_upper || !unsymmetric);

    memset(s->stale, !kept, entries * sizeof *s->stale);
    if (!kept) {
        memset(s->changed, true, s->S.blocks * sizeof *s->changed);
    }
    for (size_t k = 0; kept && k < s->set->count; k++) {
        size_t bytes = fill_area(s, k) * sizeof *s->H;

        if (memcmp(s->H + s->start[k], s->filled_H + s->start[k], bytes) != 0) {
            fill_mark_block(s, k);
        }
    }
    memcpy(s->filled_H, s->H, s->area * sizeof *s->H);
    s->filled = true;
    s->filled_upper = unsymmetric;
}

/* The stale blocks := those of M. */
static void fill_masses(perp_velocity *s, double *upper)
{
    perp_block_matrix *S = &s->S;
    size_t square = (size_t)S->size * S->size;

    for (size_t e = 0; e < S->ptr[S->blocks]; e++) {
        if (s->stale[e]) {
            memset(S->lower + e * square, 0, square * sizeof *S->lower);
            if (upper) {
                memset(upper + e * square, 0, square * sizeof *upper);
            }
        }
    }
    for (size_t k = 0; k < S->blocks; k++) {
        size_t e = S->ptr[k + 1] - 1;
        double *diagonal = S->lower + square * e;

        if (s->stale[e] && s->M) {
            memcpy(diagonal, s->M + k * square, square * sizeof *diagonal);
        }
        for (size_t i = 0; s->stale[e] && !s->M && i < S->size; i++) {
            diagonal[i * (S->size + 1)] = 1.0;
        }
    }
}

static bool fill_is_zero(const perp_velocity *s, size_t k)
{
    const double *H = s->H + s->start[k];
    bool zero = true;

    for (unsigned i = 0; zero && i < fill_area(s, k); i++) {
        zero = H[i] == 0.0;
    }
    return zero;
}

static bool fill_is_stale(const perp_velocity *s, size_t k)
{
    bool stale = false;

    for (size_t e = s->pair[k]; !stale && e < s->pair[k + 1]; e++) {
        stale = s->stale[s->entry[e]];
    }
    return stale;
}

/* The end of the run of blocks of K from `first` on that act on the same bodies, with as many
 * rows, and whose H is not 0. */
static size_t fill_run(const perp_velocity *s, size_t first)
{
    size_t bodies = s->touch[first + 1] - s->touch[first];
    const int32_t *body = s->body + s->touch[first];
    size_t end = first + 1;

    while (end < s->set->count && end - first < fill_most &&
           s->set->blocks[end].dim == s->set->blocks[first].dim &&
           s->touch[end + 1] - s->touch[end] == bodies &&
           memcmp(s->body + s->touch[end], body, bodies * sizeof *body) == 0 &&
           !fill_is_zero(s, end)) {
        end++;
    }
    return end;
}

/* What the blocks first .. end - 1 of K, a run, add to the stale blocks of S of their bodies: for
 * each body, T = -H J, and for each pair of bodies -L^T T. */
static void fill_add(perp_velocity *s, size_t first, size_t end, double *upper)
{
    const perp_block_kernel *kernel = s->kernel;
    unsigned dim = s->set->blocks[first].dim;
    size_t bodies = s->touch[first + 1] - s->touch[first];
    size_t step = (size_t)dim * s->S.size;
    size_t square = (size_t)s->S.size * s->S.size;
    const double *J = s->J + s->row_start[first];
    const double *L = s->L + s->row_start[first];
    const int32_t *entry = s->entry + s->pair[first];
    double T[fill_most * fill_dim * PERP_BLOCK_MOST];

    for (size_t j = 0; j < bodies; j++) {
        for (size_t k = first; k < end; k++) {
            kernel->weigh(T + (k - first) * step, s->H + s->start[k],
                          J + ((k - first) * bodies + j) * step, dim);
        }
        for (size_t i = 0; i < bodies; i++) {
            bool below = i >= j;
            size_t e = (size_t)entry[below ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
            double *to = below ? s->S.lower : upper;

            if (to && s->stale[e]) {
                kernel->subtract_rows(to + square * e, L + i * step, bodies * step, T,
                                      end - first, dim);
            }
        }
    }
}

void perp_velocity_fill(perp_velocity *s, bool unsymmetric)
{
    double *upper = unsymmetric ? s->S.upper : NULL;

    fill_mark(s, unsymmetric);
    fill_masses(s, upper);
    for (size_t k = 0, end = 0; k < s->set->count; k = end) {
        end = k + 1;
        if (fill_is_stale(s, k) && !fill_is_zero(s, k)) {
            end = fill_run(s, k);
            fill_add(s, k, end, upper);
        }
    }
}
