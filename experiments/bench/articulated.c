/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/articulated.c: trees of bodies in reduced coordinates: kinematics
 * with articulated bodies, Newton-Euler or composite bodies, answers and rows;
 * nanoseconds a link.
 *
 * Bounds are stretched as those of rigid bodies are: by as much as this machine's memory
 * streams less than 38 GB/s. */
#include <config.h>

#include <math.h>
#include <stdio.h>

#include <perp/dynamics/articulation.h>
#include <perp/random.h>

#include "experiments/bench/measure.h"

enum { SEED = 11 };

typedef enum shape { SHAPE_CHAIN, SHAPE_BUSHY, SHAPE_HUMANOID } shape;

typedef struct stand {
    perp_articulation *tree;
    double *tau, *qdd, *H;
    double *rows, *factors; /* sparse H */
} stand;

/* A pelvis that floats, legs of six hinges, a spine of two, arms of five: 30 coordinates.
 */
static int32_t humanoid_parent(size_t k)
{
    static const int32_t parents[] = {-1, 0,  1,  2,  3,  4,  5,  0,  7,  8,  9,  10, 11,
                                      0,  13, 14, 15, 16, 17, 18, 14, 20, 21, 22, 23};

    return parents[k];
}

static int32_t stand_parent(shape form, size_t k, perp_random *g)
{
    if (k == 0) {
        return -1;
    }
    return form == SHAPE_CHAIN   ? (int32_t)k - 1
           : form == SHAPE_BUSHY ? (int32_t)perp_random_integer(g, 0, (long)k - 1)
                                 : humanoid_parent(k);
}

/* Rods of 0.3 m and 1 kg about the three axes in turn, and about a slanted one. */
static perp_link stand_link(shape form, size_t k, perp_random *g)
{
    static const double axes[4][3] = {
        {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.6, 0.0, 0.8}};
    perp_link link = {
        .mobilizer =
            perp_mobilizer_find(form == SHAPE_HUMANOID && k == 0 ? "free" : "revolute"),
        .parent = stand_parent(form, k, g),
        .mass = 1.0,
        .inertia = {0.01, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.002},
    };
    const double turn[3] = {perp_random_uniform(g, -0.5, 0.5),
                            perp_random_uniform(g, -0.5, 0.5),
                            perp_random_uniform(g, -0.5, 0.5)};

    perp_frame_identity(&link.Ep);
    perp_frame_identity(&link.Ec);
    perp_exponential(turn, link.Ep.R);
    link.Ep.p[2] = link.Ec.p[2] = 0.15;
    for (int i = 0; i < 3; i++) {
        link.axes[i] = axes[k % 4][i];
    }
    return link;
}

static stand stand_new(shape form, size_t count)
{
    perp_random g = {SEED};
    perp_link *links = calloc(count, sizeof *links);
    char(*names)[24] = calloc(count, sizeof *names);
    stand s = {.tree = NULL};
    perp_error err = {0};

    if (!links || !names) {
        exit(2);
    }
    for (size_t k = 0; k < count; k++) {
        links[k] = stand_link(form, k, &g);
        snprintf(names[k], sizeof names[k], "link %zu", k);
        links[k].name = names[k];
    }
    if (perp_articulation_new(&s.tree, links, count, &err) != PERP_OK) {
        give_up("articulated", &err);
    }
    for (size_t i = 0; i < s.tree->n; i++) {
        s.tree->q[i] = perp_random_uniform(&g, -1.0, 1.0);
        /* slow, so that ends of long chains are no projectiles */
        s.tree->qd[i] = perp_random_uniform(&g, -1.0, 1.0) / (double)count;
    }
    s.tree->gravity[2] = -9.81;
    s.tau = filled(s.tree->n);
    s.qdd = filled(s.tree->n);
    s.H = count <= 1000 ? filled(s.tree->n * s.tree->n) : NULL;
    s.rows = count <= 1000 ? filled(s.tree->row[s.tree->n]) : NULL;
    s.factors = count <= 1000 ? filled(s.tree->row[s.tree->n]) : NULL;
    free(links);
    free(names);
    return s;
}

static void stand_free(stand *s)
{
    perp_articulation_free(s->tree);
    free(s->tau);
    free(s->qdd);
    free(s->H);
    free(s->rows);
    free(s->factors);
}

static void run_update(stand *s)
{
    perp_error err = {0};

    if (perp_articulation_update(s->tree, &err) != PERP_OK) {
        give_up("update", &err);
    }
}

static void run_aba(stand *s)
{
    perp_error err = {0};

    run_update(s);
    if (perp_articulation_aba(s->tree, s->tau, NULL, s->qdd, &err) != PERP_OK) {
        give_up("ABA", &err);
    }
}

static void run_rnea(stand *s)
{
    run_update(s);
    perp_articulation_rnea(s->tree, s->tau, NULL, s->qdd);
}

static void run_crba(stand *s)
{
    run_update(s);
    perp_articulation_crba(s->tree, s->H);
}

static void run_mass(stand *s)
{
    run_update(s);
    perp_articulation_mass(s->tree, s->rows);
}

/* Of a copy, since it is made in place. */
static void run_mass_factor(stand *s)
{
    memcpy(s->factors, s->rows, s->tree->row[s->tree->n] * sizeof *s->rows);
    if (!perp_articulation_sparse_ltdl(s->tree, s->factors)) {
        exit(2);
    }
}

static void run_mass_solve(stand *s)
{
    memcpy(s->qdd, s->tau, s->tree->n * sizeof *s->qdd);
    perp_articulation_sparse_ltdl_solve(s->tree, s->factors, s->qdd);
}

static void run_respond(stand *s)
{
    perp_articulation_solve_mass(s->tree, s->tau, NULL, s->qdd, NULL);
}

/* Forces of three rows, (f, tau) each: a normal and two tangents at a point. */
static const double three_forces[18] = {1,   0, 0, 0, 0.1, 0, 0, 1,   0,
                                        0.1, 0, 0, 0, 0,   1, 0, 0.1, 0};

/* Three rows of a force at the last link, of a chain: through all of them. */
static void run_row(stand *s)
{
    int32_t index[64];
    double value[3 * 64];

    perp_articulation_innovations(s->tree, (int32_t)s->tree->count - 1, -1, 3,
                                  three_forces, NULL, index, value);
}

/* Seconds per link: the least of many stretches of about a millisecond, so that some are not
 * disturbed by other processes. */
static double time_run(stand *s, void (*run)(stand *s))
{
    const size_t calls = 1 + 6000 / s->tree->count;
    double best = INFINITY;

    run(s);
    for (int repeat = 0; repeat < 20 * REPEATS; repeat++) {
        const double begin = work_clock();

        for (size_t k = 0; k < calls; k++) {
            run(s);
        }
        best = fmin(best, work_clock() - begin);
    }
    return best / (double)calls / (double)s->tree->count;
}

static void bench_one(const char *what, stand *s, void (*run)(stand *s), double bound)
{
    report(what, 1e3 * time_run(s, run), 1e-6 * bound, 1.0);
}

/* The sparse H, its factor and an answer by it, as shares of forward dynamics by
 * articulated bodies. */
static void bench_mass(const char *name, stand *s, const double bounds[3])
{
    const double aba = time_run(s, run_aba);
    char row[64];

    snprintf(row, sizeof row, "%s: sparse H / ABA", name);
    report(row, time_run(s, run_mass), aba, bounds[0]);
    snprintf(row, sizeof row, "%s: its factor / ABA", name);
    report(row, time_run(s, run_mass_factor), aba, bounds[1]);
    snprintf(row, sizeof row, "%s: an answer by it / ABA", name);
    report(row, time_run(s, run_mass_solve), aba, bounds[2]);
}

static void bench_masses(void)
{
    stand chain = stand_new(SHAPE_CHAIN, 50);
    stand humanoid = stand_new(SHAPE_HUMANOID, 25);
    stand bushy = stand_new(SHAPE_BUSHY, 1000);

    bench_mass("chain of 50", &chain, (const double[]){1.0, 1.4, 0.25});
    bench_mass("humanoid", &humanoid, (const double[]){0.8, 0.2, 0.2});
    bench_mass("bushy tree of 1000", &bushy, (const double[]){0.9, 0.2, 0.2});
    stand_free(&chain);
    stand_free(&humanoid);
    stand_free(&bushy);
}

static void bench_small(double stretch)
{
    stand chain = stand_new(SHAPE_CHAIN, 50);
    stand humanoid = stand_new(SHAPE_HUMANOID, 25);

    bench_one("ABA, chain of 50: ns a link / bound", &chain, run_aba, 160.0 * stretch);
    bench_one("ABA, humanoid: ns a link / bound", &humanoid, run_aba, 160.0 * stretch);
    bench_one("RNEA, chain of 50: ns a link / bound", &chain, run_rnea, 110.0 * stretch);
    bench_one("RNEA, humanoid: ns a link / bound", &humanoid, run_rnea, 110.0 * stretch);
    bench_one("CRBA, chain of 50: ns a link / bound", &chain, run_crba, 130.0 * stretch);
    bench_one("CRBA, humanoid: ns a link / bound", &humanoid, run_crba, 110.0 * stretch);
    printf("    kinematics alone %.0f and %.0f ns a link; no bound\n",
           1e9 * time_run(&chain, run_update), 1e9 * time_run(&humanoid, run_update));
    run_aba(&chain);
    run_aba(&humanoid);
    printf(
        "    an answer to forces %.0f and %.0f ns a link, three rows at the chain's end "
        "%.0f; no bounds\n",
        1e9 * time_run(&chain, run_respond), 1e9 * time_run(&humanoid, run_respond),
        1e9 * time_run(&chain, run_row));
    stand_free(&chain);
    stand_free(&humanoid);
}

/* Twelve contacts of three rows between feet, hands and the ground; factors are there. */
static void bench_rows_of_contacts(double stretch)
{
    enum { CONTACTS = 12 };
    static const int32_t links[CONTACTS] = {6, 6, 6, 6, 12, 12, 12, 12, 19, 19, 24, 24};
    stand s = stand_new(SHAPE_HUMANOID, 25);
    int32_t index[64];
    double value[3 * 64];
    double best = INFINITY;

    run_aba(&s);
    for (int repeat = 0; repeat < 20 * REPEATS; repeat++) {
        const double begin = work_clock();

        for (int call = 0; call < 300; call++) {
            for (int c = 0; c < CONTACTS; c++) {
                perp_articulation_innovations(s.tree, links[c], -1, 3, three_forces, NULL,
                                              index, value);
            }
        }
        best = fmin(best, work_clock() - begin);
    }
    report("rows of 12 contacts of a humanoid / 5 us", best / 300.0, 5e-6 * stretch, 1.0);
    stand_free(&s);
}

/* How time grows with links from 10 to 1e4. */
static void bench_slope(shape form, const char *name)
{
    double time[4];
    double slope = 0.0;

    for (int k = 0; k < 4; k++) {
        stand s = stand_new(form, (size_t)(pow(10.0, k + 1) + 0.5));

        time[k] = time_run(&s, run_aba);
        /* least squares over log10 of 10, 100, 1000, 10000: weights -3, -1, 1, 3 of 10 */
        slope += (2.0 * k - 3.0) / 10.0 * log10(time[k]);
        stand_free(&s);
    }
    printf("    ABA, %s of 10 to 10000: %.0f, %.0f, %.0f, %.0f ns a link; slope %.3f "
           "(0.9 to 1.1): %s\n",
           name, 1e9 * time[0], 1e9 * time[1], 1e9 * time[2], 1e9 * time[3], 1.0 + slope,
           fabs(slope) <= 0.1 ? "met" : "MISSED");
    demand(fabs(slope) <= 0.1);
}

void bench_articulated(void)
{
    const double stretch = time_stretch();

    bench_small(stretch);
    bench_masses();
    bench_rows_of_contacts(stretch);
    bench_slope(SHAPE_CHAIN, "chains");
    bench_slope(SHAPE_BUSHY, "bushy trees");
}
