/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/broad.c: what finding the pairs of boxes that overlap costs a box, by
 * type and number.
 *
 * Boxes of side 1 lie uniformly in a cube in which each overlaps five others. Every second
 * one moves, up to a tenth of its side per step, always in its direction until it comes to
 * a wall; the others rest, but the broad phase is not told so. Sorting the pairs is part of the time.
 *
 * The bounds are those of a machine whose memory streams 38 GB/s on one thread; here they are
 * stretched as much as this one streams less, measured in the same run. */
#include <config.h>

#include <perp/dynamics/broad.h>
#include <stdio.h>

#include "experiments/bench/measure.h"

enum { OVERLAPS = 5, SEED = 11 };

typedef struct swarm {
    size_t n;
    double side; /* of the cube */
    perp_aabb *boxes;
    double *velocity; /* 3 each, a step */
} swarm;

static swarm swarm_new(size_t n)
{
    perp_random g = {SEED};
    /* centres of boxes that overlap one are in a cube of 2^3 around its centre */
    swarm s = {.n = n, .side = cbrt(8.0 * (double)n / OVERLAPS)};

    s.boxes = calloc(n, sizeof *s.boxes);
    s.velocity = calloc(3 * n, sizeof *s.velocity);
    if (!s.boxes || !s.velocity) {
        exit(2);
    }
    for (size_t i = 0; i < n; i++) {
        double length = 0.0;
        double *v = s.velocity + 3 * i;

        for (int k = 0; k < 3; k++) {
            s.boxes[i].lo[k] = perp_random_uniform(&g, 0.0, s.side - 1.0);
            s.boxes[i].hi[k] = s.boxes[i].lo[k] + 1.0;
            v[k] = perp_random_uniform(&g, -1.0, 1.0);
            length += v[k] * v[k];
        }
        length = perp_random_uniform(&g, 0.0, i % 2 ? 0.1 : 0.0) / sqrt(length);
        for (int k = 0; k < 3; k++) {
            v[k] *= length;
        }
    }
    return s;
}

static void swarm_free(swarm *s)
{
    free(s->boxes);
    free(s->velocity);
}

static void swarm_step(swarm *s)
{
    for (size_t k = 0; k < 3 * s->n; k++) {
        double *lo = &s->boxes[k / 3].lo[k % 3];
        double *hi = &s->boxes[k / 3].hi[k % 3];
        double *v = &s->velocity[k];

        *v = *lo < 0.0 ? fabs(*v) : *hi > s->side ? -fabs(*v) : *v;
        *lo += *v;
        *hi += *v;
    }
}

/* Seconds a box: the least of all steps, and of the first one, which starts from nothing. */
static double time_swarm(const char *type, size_t n, int steps)
{
    swarm s = swarm_new(n);
    perp_broad *broad = NULL;
    perp_box_pairs pairs = {0};
    perp_error err = {0};
    double best = 0.0;
    double first = 0.0;

    if (perp_broad_new(&broad, perp_broad_find(type), &err) != PERP_OK) {
        give_up(type, &err);
    }
    for (int step = 0; step <= steps; step++) {
        double begin = work_clock();

        if (perp_broad_run(broad, n, s.boxes, NULL, &pairs, &err) != PERP_OK) {
            give_up(type, &err);
        }
        if (step == 0) {
            best = first = work_clock() - begin;
        } else {
            best = fmin(best, work_clock() - begin);
        }
        swarm_step(&s);
    }
    best /= (double)n;
    printf(
        "    %-5s %7zu boxes: %8.3f us a box, %8.3f the first time; %.1f others each\n",
        type, n, 1e6 * best, 1e6 * first / (double)n,
        2.0 * (double)pairs.count / (double)n);
    perp_broad_free(broad);
    perp_box_pairs_clear(&pairs);
    swarm_free(&s);
    return best;
}

/* Seconds a box where none moves, or all do by so much at most [side] a step, to and fro,
 * as what rests and is solved to rounding does. */
static double time_rest(size_t n, double most)
{
    swarm s = swarm_new(n);
    perp_broad *broad = NULL;
    perp_box_pairs pairs = {0};
    perp_random g = {SEED};
    perp_error err = {0};
    double best = INFINITY;

    if (perp_broad_new(&broad, perp_broad_find("bvh"), &err) != PERP_OK) {
        give_up("bvh", &err);
    }
    for (int step = 0; step < 40; step++) {
        double begin = work_clock();

        if (perp_broad_run(broad, n, s.boxes, NULL, &pairs, &err) != PERP_OK) {
            give_up("bvh", &err);
        }
        best = fmin(best, work_clock() - begin);
        for (size_t k = 0; k < 3 * n && most > 0.0; k++) {
            double shift = perp_random_uniform(&g, 0.0, most) * (step % 2 ? 1.0 : -1.0);

            s.boxes[k / 3].lo[k % 3] += shift;
            s.boxes[k / 3].hi[k % 3] += shift;
        }
    }
    perp_broad_free(broad);
    perp_box_pairs_clear(&pairs);
    swarm_free(&s);
    return best / (double)n;
}

void bench_broad(void)
{
    const double stretch = time_stretch();
    /* log 1e6 / log 1e4, and half as much again for memory: 1e4 boxes and what belongs to
     * them lie in the second cache, 1e6 beyond all */
    const double growth = 1.5 * 1.5;
    double few = 0.0, many = 0.0, most = 0.0;

    few = time_swarm("bvh", 10000, 60);
    many = time_swarm("bvh", 100000, 20);
    most = time_swarm("bvh", 1000000, 4);
    time_swarm("sap", 10000, 20);
    time_swarm("sap", 100000, 4);
    time_swarm("brute", 10000, 2);
    time_swarm("brute", 100000, 0);
    report("bvh 10000 boxes, half of them moving / bound", few, 0.6e-6 * stretch, 1.0);
    report("bvh 100000 boxes, half of them moving / bound", many, 1.2e-6 * stretch, 1.0);
    report("bvh 10000 boxes, none moving / half moving", time_rest(10000, 0.0), few,
           0.12);
    report("bvh 10000 boxes, all by 1e-6 / half moving", time_rest(10000, 1e-6), few,
           0.15);
    report("bvh a box of 1e6 / a box of 1e4", most, few, growth);
    printf("    exponent of the time: %.3f from 1e4 to 1e5, %.3f from 1e5 to 1e6\n",
           1.0 + log10(many / few), 1.0 + log10(most / many));
}
