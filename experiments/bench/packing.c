/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/packing.c: spheres in close-packed layers, without a simulation.
 *
 * Centres stand on a face-centred cubic lattice, moved a little; radii differ a little. Of all
 * pairs of neighbours and of walls that are near, those with the least gaps touch: as many as
 * are asked for, three a sphere. Gravity has pulled for one step, and every sphere still moves
 * a little on its own, so that contacts open, slide and stick. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/bench/packing.h"

enum { PER_SPHERE = 3, NEAR_MOST = 16 };

static const double diameter = 1.0;
static const double jitter = 0.02;       /* of a centre, each way [m] */
static const double shrink = 0.04;       /* radii: 0.48 to 0.5 m */
static const double bearing = 0.05;      /* contacts that carry are nearer: so much [m] */
static const double density = 1000.0;    /* [kg/m^3] */
static const double fall = 9.81 * 0.005; /* what gravity adds in a step [m/s] */
static const double wander = 0.03;       /* velocity of a sphere, each way [m/s] */

typedef struct sphere {
    double x[3], r, v[6];
} sphere;

/* Two spheres, or one and a plane: body b is -1 and n points from the plane. */
typedef struct near {
    int32_t a, b;
    double gap, n[3];
} near;

typedef struct lattice {
    size_t side, layers, count;
    sphere *spheres;
    near *found;
    size_t found_count;
} lattice;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (!memory) {
        exit(2);
    }
    return memory;
}

/* Row j of a layer is half a diameter aside, each layer a third of a triangle. */
static void place_spheres(lattice *g, perp_random *random)
{
    for (size_t s = 0; s < g->count; s++) {
        size_t i = s % g->side, j = s / g->side % g->side, k = s / (g->side * g->side);
        sphere *p = &g->spheres[s];

        p->x[0] = (double)i + 0.5 * (double)(j % 2) + 0.5 * (double)(k % 3 % 2);
        p->x[1] = sqrt(0.75) * (double)j + sqrt(1.0 / 12.0) * (double)(k % 3);
        p->x[2] = sqrt(2.0 / 3.0) * (double)k;
        p->r = 0.5 * diameter * (1.0 - perp_random_uniform(random, 0.0, shrink));
        for (size_t d = 0; d < 3; d++) {
            p->x[d] += perp_random_uniform(random, -jitter, jitter);
            p->v[d] = perp_random_uniform(random, -wander, wander);
            p->v[3 + d] = perp_random_uniform(random, -wander, wander);
        }
        p->v[2] -= fall;
    }
}

static void find_pair(lattice *g, size_t a, size_t b)
{
    const sphere *p = &g->spheres[a], *q = &g->spheres[b];
    near *c = &g->found[g->found_count];
    double length = 0.0;

    for (size_t d = 0; d < 3; d++) {
        c->n[d] = q->x[d] - p->x[d];
        length += c->n[d] * c->n[d];
    }
    length = sqrt(length);
    c->gap = length - p->r - q->r;
    if (c->gap > 0.2 * diameter) {
        return;
    }
    for (size_t d = 0; d < 3; d++) {
        c->n[d] /= length;
    }
    c->a = (int32_t)a;
    c->b = (int32_t)b;
    g->found_count++;
}

/* Planes just outside the lattice, as its layers shift by up to one and a half diameters. */
static void find_walls(lattice *g, size_t a)
{
    double end[2] = {(double)g->side - 0.5, sqrt(0.75) * ((double)g->side - 1.0) + 0.6};

    for (size_t wall = 0; wall < 5; wall++) {
        size_t d = wall < 2 ? 0 : wall < 4 ? 1 : 2;
        near *c = &g->found[g->found_count];
        double sign = wall % 2 ? -1.0 : 1.0;
        double at = wall % 2 ? end[d] + 0.5 : -0.5;

        c->gap = sign * (g->spheres[a].x[d] - at) - g->spheres[a].r;
        if (c->gap <= 0.2 * diameter) {
            memset(c->n, 0, sizeof c->n);
            c->n[d] = sign;
            c->a = (int32_t)a;
            c->b = -1;
            g->found_count++;
        }
    }
}

/* Each sphere looks at those after it in its layer and the next one. */
static void find_all(lattice *g)
{
    for (size_t a = 0; a < g->count; a++) {
        size_t layer = a / (g->side * g->side), row = a / g->side % g->side;

        find_walls(g, a);
        for (size_t k = layer; k <= layer + 1 && k < g->layers; k++) {
            for (size_t j = row > 2 ? row - 2 : 0; j <= row + 2 && j < g->side; j++) {
                size_t first = (k * g->side + j) * g->side, i = a % g->side;

                for (size_t m = i > 2 ? i - 2 : 0; m <= i + 2 && m < g->side; m++) {
                    if (first + m > a) {
                        find_pair(g, a, first + m);
                    }
                }
            }
        }
    }
}

static int by_gap(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* The contacts with the least gaps, in the order found; false when there are too few. */
static bool keep(lattice *g, size_t contacts)
{
    double *gap = room(g->found_count, sizeof *gap);
    size_t kept = 0;

    for (size_t c = 0; c < g->found_count; c++) {
        g->found[c].gap -= bearing * fabs(g->found[c].n[2]);
        gap[c] = g->found[c].gap;
    }
    qsort(gap, g->found_count, sizeof *gap, by_gap);
    for (size_t c = 0; g->found_count >= contacts && c < g->found_count; c++) {
        if (g->found[c].gap <= gap[contacts - 1] && kept < contacts) {
            g->found[kept++] = g->found[c];
        }
    }
    free(gap);
    return kept == contacts;
}

static void shuffle(near *found, size_t count, perp_random *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)(perp_random_next(random) % i);
        near swap = found[i - 1];

        found[i - 1] = found[j];
        found[j] = swap;
    }
}

/* (n, t1, t2) right-handed. */
static void frame(const double *n, double F[9])
{
    size_t least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
                   : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                        : 2;
    double length = sqrt(1.0 - n[least] * n[least]);

    for (size_t d = 0; d < 3; d++) {
        F[d] = n[d];
        F[3 + d] = ((d == least) - n[least] * n[d]) / length;
    }
    for (size_t d = 0; d < 3; d++) {
        size_t e = (d + 1) % 3, f = (d + 2) % 3;

        F[6 + d] = F[e] * F[3 + f] - F[f] * F[3 + e];
    }
}

/* b += sign times what the velocity of a sphere with arm p adds along F. */
static void add_side(const double *F, const double *p, double sign, const sphere *s,
                     double *b)
{
    for (size_t d = 0; d < 3; d++) {
        size_t e = (d + 1) % 3, f = (d + 2) % 3;
        double at = s->v[d] + (s->v[3 + e] * p[f] - s->v[3 + f] * p[e]);

        for (size_t r = 0; r < 3; r++) {
            b[r] += sign * F[3 * r + d] * at;
        }
    }
}

/* Where a plane touches, it is the first body, and n points to the sphere. */
static void write_contact(packing *s, size_t c, const near *at, const sphere *spheres)
{
    double *F = s->frames + 15 * c, *first = F + 9, *second = F + 12;
    const bool plane = at->b < 0;
    const sphere *p = &spheres[at->a], *q = plane ? p : &spheres[at->b];

    frame(at->n, F);
    for (size_t d = 0; d < 3; d++) {
        first[d] = plane ? 0.0 : p->r * at->n[d];
        second[d] = -q->r * at->n[d];
    }
    s->body[2 * c] = plane ? -1 : at->a;
    s->body[2 * c + 1] = plane ? at->a : at->b;
    if (!plane) {
        add_side(F, first, -1.0, p, s->b + 3 * c);
    }
    add_side(F, second, 1.0, q, s->b + 3 * c);
}

static void write_bodies(packing *s, const lattice *g)
{
    for (size_t k = 0; k < g->count; k++) {
        double r = g->spheres[k].r;
        double mass = density * 4.0 / 3.0 * 3.141592653589793 * r * r * r;

        s->inverse_mass[k] = 1.0 / mass;
        for (size_t d = 0; d < 3; d++) {
            s->inverse_inertia[9 * k + 4 * d] = 2.5 / (mass * r * r);
        }
    }
}

packing *packing_new(size_t contacts, packing_order order, uint64_t seed)
{
    perp_random random = {seed};
    lattice g = {.side = 2};
    packing *s = room(1, sizeof *s);

    while (g.side * g.side * g.side * PER_SPHERE < contacts) {
        g.side++;
    }
    g.layers = (contacts / PER_SPHERE + g.side * g.side - 1) / (g.side * g.side);
    g.count = contacts / PER_SPHERE;
    g.layers = g.layers < 2 ? 2 : g.layers;
    g.count = g.layers * g.side * g.side;
    g.spheres = room(g.count, sizeof *g.spheres);
    g.found = room(NEAR_MOST * g.count, sizeof *g.found);
    place_spheres(&g, &random);
    find_all(&g);
    if (!keep(&g, contacts)) {
        exit(2);
    }
    if (order == PACKING_SHUFFLED) {
        shuffle(g.found, contacts, &random);
    }
    s->contacts = contacts;
    s->frames = room(15 * contacts, sizeof *s->frames);
    s->body = room(2 * contacts, sizeof *s->body);
    s->b = room(3 * contacts, sizeof *s->b);
    s->mu = room(contacts, sizeof *s->mu);
    s->inverse_mass = room(g.count, sizeof *s->inverse_mass);
    s->inverse_inertia = room(9 * g.count, sizeof *s->inverse_inertia);
    for (size_t c = 0; c < contacts; c++) {
        write_contact(s, c, &g.found[c], g.spheres);
        s->mu[c] = 0.1 * (double)perp_random_integer(&random, 3, 5);
    }
    write_bodies(s, &g);
    s->pairs = (perp_pairs){.rows = 3 * contacts,
                            .body = s->body,
                            .frames = s->frames,
                            .bodies = g.count,
                            .inverse_mass = s->inverse_mass,
                            .inverse_inertia = s->inverse_inertia};
    free(g.spheres);
    free(g.found);
    return s;
}

void packing_free(packing *s)
{
    if (s) {
        free(s->frames);
        free(s->body);
        free(s->b);
        free(s->mu);
        free(s->inverse_mass);
        free(s->inverse_inertia);
        free(s);
    }
}

perp_problem *packing_problem(const packing *s)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    perp_problem *p = NULL;
    double *b = perp_reals_new(3 * s->contacts);

    if (!b || perp_operator_new_pairs(&A, &s->pairs, NULL) != PERP_OK ||
        perp_set_new_cones(&set, 3, s->contacts, s->mu, NULL) != PERP_OK) {
        exit(2);
    }
    memcpy(b, s->b, 3 * s->contacts * sizeof *b);
    if (perp_problem_new_take(&p, A, b, set, PERP_LAW_COULOMB, NULL) != PERP_OK) {
        exit(2);
    }
    return p;
}
