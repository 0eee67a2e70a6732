/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/narrow_pairs.c: the narrow phase of pairs that touch, with all their
 * contacts: boxes drawn anyhow, boxes face to face as in a pile, spheres.
 *
 * The bounds are those of a machine whose memory streams 38 GB/s on one thread; here they are
 * stretched as much as this one streams less, measured in the same run. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include <perp/dynamics/rotation.h>

#include "collision/query.h"
#include "experiments/bench/measure.h"

/* [m] and shares of it: half a side, how deep pairs overlap at most, the margin. */
static const double half = 0.5;
static const double deepest = 0.1;
static const double margin = 0.01;

enum { PAIRS = 2000, RUNS = 50, SEED = 5 };

typedef struct stage {
    perp_world *world;
    perp_shape shape;
    placed a[PAIRS], b[PAIRS];
    perp_contacts contacts;
    scratch scratch;
} stage;

static void stand(placed *p, const perp_shape *shape, size_t number, const double turn[4],
                  const double x[3])
{
    double q[4];

    memcpy(q, turn, sizeof q);
    perp_quat_normalize(q);
    *p = (placed){.at.shape = shape,
                  .number = number,
                  .body = (int32_t)number,
                  .reach = shape->type->reach(shape)};
    perp_rotation_matrix(q, p->at.R);
    vec3_copy(p->at.x, x);
}

static void draw(perp_random *g, double *x, size_t n, double spread)
{
    for (size_t k = 0; k < n; k++) {
        x[k] = perp_random_uniform(g, -spread, spread);
    }
}

static contact_query query_of(stage *s)
{
    return (contact_query){.world = s->world,
                           .dimension = 3,
                           .margin = margin * half,
                           .contacts = &s->contacts,
                           .scratch = &s->scratch};
}

static void meet(contact_query *m, const perp_narrow_type *type, const placed *a,
                 const placed *b)
{
    m->a = a;
    m->b = b;
    m->first = m->contacts->count;
    m->combined = false;
    type->meet(m);
}

/* Pairs whose contacts are there and not deeper than asked. */
static bool touches(stage *s, const perp_narrow_type *type, size_t k)
{
    contact_query m = query_of(s);
    double least = 0.0;

    s->contacts.count = 0;
    meet(&m, type, &s->a[k], &s->b[k]);
    for (size_t c = 0; c < s->contacts.count; c++) {
        least = fmin(least, s->contacts.at[c].gap);
    }
    return s->contacts.count > 0 && least >= -deepest * half;
}

/* Anyhow, or b on a, turned about the upright. */
static void draw_pairs(stage *s, const perp_narrow_type *type, bool flush)
{
    perp_random g = {SEED};

    for (size_t k = 0; k < PAIRS;) {
        double q[4] = {1, 0, 0, 0};
        double x[3] = {0};

        if (!flush) {
            draw(&g, q, 4, 1.0);
        }
        stand(&s->a[k], &s->shape, 2 * k, q, x);
        draw(&g, q, 4, 1.0);
        draw(&g, x, 3, 3.0 * half);
        if (flush) {
            q[1] = q[2] = 0.0;
            x[2] = (2.0 - 0.1 * deepest) * half;
        }
        stand(&s->b[k], &s->shape, 2 * k + 1, q, x);
        k += touches(s, type, k);
    }
}

static void bench_pairs(stage *s, const char *what, const char *shape, const char *type,
                        bool flush, double bound)
{
    const perp_narrow_type *narrow = perp_narrow_find(type);
    double best = INFINITY;
    char row[128];

    s->shape =
        (perp_shape){.type = perp_shape_type_find(shape), .size = {half, half, half}};
    draw_pairs(s, narrow, flush);
    for (int run = 0; run < RUNS; run++) {
        contact_query m = query_of(s);
        double begin = 0.0;

        s->contacts.count = 0;
        begin = work_clock();
        for (size_t k = 0; k < PAIRS; k++) {
            meet(&m, narrow, &s->a[k], &s->b[k]);
        }
        best = fmin(best, work_clock() - begin);
    }
    snprintf(row, sizeof row, "%s, %.1f points: ns a pair", what,
             (double)s->contacts.count / PAIRS);
    report(row, 1e3 * best / PAIRS, 1e3 * bound, 1.0);
}

void bench_narrow_pairs(void)
{
    double stretch = time_stretch();
    static stage s; /* too wide for a stack */
    perp_error err = {0};

    if (perp_world_new(&s.world, 3, &err) != PERP_OK) {
        give_up("pairs", &err);
    }
    bench_pairs(&s, "box-box", "box", "sat", false, 0.2e-6 * stretch);
    bench_pairs(&s, "box-box face to face", "box", "sat", true, 0.2e-6 * stretch);
    bench_pairs(&s, "sphere-sphere", "sphere", "analytic", false, 0.03e-6 * stretch);
    perp_contacts_clear(&s.contacts);
    free(s.scratch.at);
    perp_world_free(s.world);
}
