/* SPDX-License-Identifier: Apache-2.0
 * judge/equilibrate.c: scales of a part of A that has no diagonal entry.
 *
 * Symmetric equilibration: max_j |A_kj|/(s_k s_j) = 1 for all k. It has many solutions, so that it
 * begins with the one of least squares, which moves with the scaling of A:
 *     min over log s of  sum (log |A_kj| - log s_k - log s_j)^2        [curtis-reid-1972]
 * Then s_k <- s_k sqrt(max_j |A_kj|/(s_k s_j)) until that is 1.
 *
 * In a part with two sides, as of an LP or a game, s c on one side and s/c on the other is as
 * good: z and w of the two sides have units of their own. c makes max |b|/s the same on both. */
#include <config.h>

#include "judge/judge_private.h"
#include "judge/scales.h"

enum { SQUARES = 1000, ROUNDS = 200 };

/* A connected part, its blocks in the order of the walk. */
typedef struct part {
    const scale_links *links;
    const int32_t *member;
    size_t count;
    double *s;              /* per block of the problem, as the others */
    double *x, *r, *d, *Ad; /* logarithms, and the vectors of conjugate gradients */
    signed char *side;      /* 1 and -1, 0: not met */
    bool two_sides;
} part;

/* Ad_k := sum_j (d_k + d_j), the matrix of the least squares. */
static double part_apply(const part *q)
{
    double curvature = 0.0;

    for (size_t m = 0; m < q->count; m++) {
        size_t k = (size_t)q->member[m];
        double sum = 0.0;

        for (size_t e = q->links->start[k]; e < q->links->start[k + 1]; e++) {
            sum += q->d[k] + q->d[q->links->to[e]];
        }
        q->Ad[k] = sum;
        curvature += q->d[k] * sum;
    }
    return curvature;
}

/* Conjugate gradients from 0, so that the solution is the shortest. */
static void part_least_squares(const part *q)
{
    double square = 0.0, first = 0.0;

    for (size_t m = 0; m < q->count; m++) {
        size_t k = (size_t)q->member[m];

        q->x[k] = q->r[k] = 0.0;
        for (size_t e = q->links->start[k]; e < q->links->start[k + 1]; e++) {
            q->r[k] += log(q->links->size[e]);
        }
        q->d[k] = q->r[k];
        square += q->r[k] * q->r[k];
    }
    first = square;
    for (size_t i = 0; i < SQUARES && square > 1e-30 * first; i++) {
        double curvature = part_apply(q), before = square;

        if (!(curvature > 0.0)) {
            break;
        }
        square = 0.0;
        for (size_t m = 0; m < q->count; m++) {
            size_t k = (size_t)q->member[m];

            q->x[k] += before / curvature * q->d[k];
            q->r[k] -= before / curvature * q->Ad[k];
            square += q->r[k] * q->r[k];
        }
        for (size_t m = 0; m < q->count; m++) {
            size_t k = (size_t)q->member[m];

            q->d[k] = q->r[k] + square / before * q->d[k];
        }
    }
}

/* One round of the equilibration: the largest |log| of the factors. */
static double part_round(const part *q)
{
    double change = 0.0;

    for (size_t m = 0; m < q->count; m++) {
        size_t k = (size_t)q->member[m];
        double most = -INFINITY;

        for (size_t e = q->links->start[k]; e < q->links->start[k + 1]; e++) {
            most = fmax(most, log(q->links->size[e]) - q->x[k] - q->x[q->links->to[e]]);
        }
        q->r[k] = 0.5 * most;
        change = fmax(change, fabs(q->r[k]));
    }
    for (size_t m = 0; m < q->count; m++) {
        q->x[q->member[m]] += q->r[q->member[m]];
    }
    return change;
}

/* x += log c on one side, x -= log c on the other. */
static void part_balance(const part *q, const perp_problem *p)
{
    double most[2] = {-INFINITY, -INFINITY}, half = 0.0;

    for (size_t m = 0; m < q->count; m++) {
        size_t k = (size_t)q->member[m], i = q->side[k] > 0;
        const perp_block *block = &p->set->blocks[k];
        double size = perp_block_norm(p->b + block->first, block->dim);

        most[i] = fmax(most[i], log(size) - q->x[k]);
    }
    half = isfinite(most[0]) && isfinite(most[1]) ? 0.5 * (most[1] - most[0]) : 0.0;
    for (size_t m = 0; m < q->count; m++) {
        q->x[q->member[m]] += half * q->side[q->member[m]];
    }
}

/* All blocks that links join to the first one, each on the side opposite to where it is met. */
static void part_walk(part *q, int32_t *member, size_t first)
{
    q->member = member;
    q->count = 1;
    q->two_sides = true;
    member[0] = (int32_t)first;
    q->side[first] = 1;
    for (size_t m = 0; m < q->count; m++) {
        size_t k = (size_t)member[m];

        for (size_t e = q->links->start[k]; e < q->links->start[k + 1]; e++) {
            size_t to = (size_t)q->links->to[e];

            if (q->side[to] == 0) {
                q->side[to] = (signed char)-q->side[k];
                member[q->count++] = (int32_t)to;
            }
            q->two_sides = q->two_sides && q->side[to] != q->side[k];
        }
    }
}

static void part_scale(const part *q, const perp_problem *p)
{
    part_least_squares(q);
    for (size_t i = 0; i < ROUNDS && part_round(q) > 1e-12; i++) {
    }
    if (q->two_sides) {
        part_balance(q, p);
    }
    for (size_t m = 0; m < q->count; m++) {
        size_t k = (size_t)q->member[m];

        q->s[k] = exp(q->x[k]);
    }
}

bool perp_equilibrate(const scale_links *links, const perp_problem *p, double *s)
{
    size_t count = p->set->count;
    double *reals = perp_reals_new(4 * count);
    int32_t *member = calloc(count + 1, sizeof *member);
    signed char *side = calloc(count + 1, sizeof *side);
    bool made = reals && member && side;
    part q = {.links = links,
              .s = s,
              .x = reals,
              .r = reals + count,
              .d = reals + 2 * count,
              .Ad = reals + 3 * count,
              .side = side};

    for (size_t k = 0; made && k < count; k++) {
        if (s[k] > 0.0) {
            continue;
        }
        if (links->start[k] == links->start[k + 1]) {
            s[k] = 1.0; /* an empty row */
            continue;
        }
        part_walk(&q, member, k);
        part_scale(&q, p);
    }
    free(reals);
    free(member);
    free(side);
    return made;
}
