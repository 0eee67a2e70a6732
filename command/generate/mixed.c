/* SPDX-License-Identifier: Apache-2.0
 * families/mixed.c: problems built around a solution whose rows are active, inactive and
 * degenerate in given shares, as they are in contact: b := w - A z.
 *
 *     spd              dense B D B^T/n + shift I, B in (-1, 1), D = diag from 1 down to
 *                      1/condition in equal ratios
 *     spd-sparse       symmetric, diagonally dominant, about eight entries per row
 *     boxed            dense, a third of the rows at the lower bound, inside, at the upper
 *     normal-contacts  W = J J^T of normal contacts between bodies, of a given rank
 *
 * Active: z > 0, w = 0. Inactive: z = 0, w > 0. Degenerate: z = w = 0. */
#include <config.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "scene.h"

enum { ACTIVE, DEGENERATE, INACTIVE, ROLES };

/* Shares of the rows, in random order; values between 0.5 and 1.5. */
static void mixed_answer(family_draft *d, const perp_options *opt, perp_random *g)
{
    double active = perp_options_real(opt, "active");
    double degenerate = perp_options_real(opt, "degenerate");
    const size_t count[ROLES] = {(size_t)(active * (double)d->n + 0.5),
                                 (size_t)(degenerate * (double)d->n + 0.5), 0};
    unsigned char *role = take(d->n + 1, 1);

    family_roles(role, d->n, count, ROLES, g);
    for (size_t i = 0; i < d->n; i++) {
        double value = perp_random_uniform(g, 0.5, 1.5);

        d->z[i] = role[i] == ACTIVE ? value : 0.0;
        d->w[i] = role[i] == INACTIVE ? value : 0.0;
    }
    free(role);
}

/* b and the problem; the draft is used up. */
static perp_status mixed_finish(family_draft *d, const perp_options *opt, perp_random *g,
                                perp_problem **p, perp_error *err)
{
    mixed_answer(d, opt, g);
    return family_finish(d, FAMILY_ANSWER_MAKES_B, p, err);
}

/* B := B D^(1/2), n x n by rows. */
static void weight_columns(double *B, size_t n, double condition)
{
    for (size_t j = 0; condition > 1.0 && j < n; j++) {
        double weight = pow(condition, -0.5 * (double)j / (double)n);

        for (size_t i = 0; i < n; i++) {
            B[i * n + j] *= weight;
        }
    }
}

/* A := B D B^T/n + shift I. */
static perp_status dense_spd(family_draft *d, const perp_options *opt, perp_random *g,
                             perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    double *B = take_reals(n * n); /* n <= 5000 */
    perp_status status = family_dense(d, n, err);

    if (status != PERP_OK) {
        free(B);
        return status;
    }
    for (size_t k = 0; k < n * n; k++) {
        B[k] = perp_random_uniform(g, -1.0, 1.0);
    }
    weight_columns(B, n, perp_options_real(opt, "condition"));
    family_gram(d, B, n, (double)n);
    for (size_t i = 0; i < n; i++) {
        *family_at(d, i, i) += perp_options_real(opt, "shift");
    }
    free(B);
    return PERP_OK;
}

static perp_status spd_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    family_draft d;
    perp_status status = dense_spd(&d, opt, &g, err);

    if (status != PERP_OK || perp_options_switch(opt, "known")) {
        return status == PERP_OK ? mixed_finish(&d, opt, &g, p, err) : status;
    }
    for (size_t i = 0; i < d.n; i++) {
        d.b[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

/* Pairs (i, j) with j up to n/10 rows away, each -1..0; the diagonal exceeds its row. */
static perp_status spd_sparse_make(const perp_options *opt, perp_problem **p,
                                   perp_error *err)
{
    enum { PAIRS = 4 }; /* per row; it has twice as many entries on average */
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    size_t n = (size_t)perp_options_integer(opt, "n");
    size_t reach = n / 10 + 1;
    family_draft d;

    family_sparse(&d, n, n * (2 * PAIRS + 1));
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < PAIRS; k++) {
            size_t j = i + 1 + (size_t)(perp_random_next(&g) % reach);
            double a = -perp_random_unit(&g);

            if (j < n) {
                family_entry(&d, i, j, a);
                family_entry(&d, j, i, a);
                d.w[i] -= a; /* for the moment: the sum of the row */
                d.w[j] -= a;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        family_entry(&d, i, i, d.w[i] + perp_options_real(opt, "shift"));
    }
    return mixed_finish(&d, opt, &g, p, err);
}

/* The bounds of row i around its z; each kind of bound occurs alone and with its partner. */
static void boxed_row(family_draft *d, size_t i, unsigned role, perp_random *g)
{
    double width = perp_random_uniform(g, 0.5, 1.5);
    double force = perp_random_uniform(g, 0.5, 1.5);
    bool single = perp_random_unit(g) < 0.5;
    double lo = perp_random_uniform(g, -1.0, 0.0);
    double hi = lo + width;

    switch (role) {
    case 0: /* at the lower bound */
        d->z[i] = lo;
        d->w[i] = force;
        perp_set_add_box(d->set, lo, single ? INFINITY : hi);
        break;
    case 1: /* at the upper one */
        d->z[i] = hi;
        d->w[i] = -force;
        perp_set_add_box(d->set, single ? -INFINITY : lo, hi);
        break;
    default: /* inside, or without bounds */
        d->z[i] = lo + width / 2.0;
        if (single) {
            perp_set_add_free(d->set);
        } else {
            perp_set_add_box(d->set, lo, hi);
        }
    }
}

static perp_status boxed_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    family_draft d;
    perp_status status = dense_spd(&d, opt, &g, err);
    unsigned char *role = NULL;

    if (status != PERP_OK) {
        return status;
    }
    role = take(d.n + 1, 1);
    const size_t count[3] = {(d.n + 1) / 3, (d.n + 1) / 3, 0};

    family_roles(role, d.n, count, 3, &g);
    status = perp_set_new(&d.set, d.n, err);
    for (size_t i = 0; status == PERP_OK && i < d.n; i++) {
        boxed_row(&d, i, role[i], &g);
    }
    free(role);
    if (status != PERP_OK) {
        family_drop(&d);
        return status;
    }
    return family_finish(&d, FAMILY_ANSWER_MAKES_B, p, err);
}

/* A chain of bodies, each contact between two that are at most four apart: 6 unknowns a
 * body, so that the rank is at most 6 bodies. The mass is 1, the inertia that of a ball. */
static void chain_scene(scene *s, size_t n, double rank, perp_random *g)
{
    const double I[3] = {0.4, 0.4, 0.4};
    size_t bodies = (size_t)ceil(rank * (double)n / 6.0);

    bodies = bodies < 2 ? 2 : bodies;
    scene_new(s, bodies, n);
    for (size_t i = 0; i < bodies; i++) {
        const double x[3] = {(double)i, perp_random_uniform(g, -1.0, 1.0),
                             perp_random_uniform(g, -1.0, 1.0)};

        scene_set_body(&s->bodies[i], 1.0, I, x);
    }
    for (size_t k = 0; k < n; k++) {
        scene_contact *c = &s->contacts[k];
        size_t b = k % bodies; /* every body is touched */
        size_t reach = 1 + (size_t)(perp_random_next(g) % 4);
        double length = 0.0;

        c->a = b >= reach ? (long)(b - reach) : SCENE_GROUND;
        c->b = (long)b;
        for (int l = 0; l < 3; l++) {
            c->normal[l] = perp_random_uniform(g, -1.0, 1.0);
            c->point[l] = s->bodies[b].position[l] + perp_random_uniform(g, -0.7, 0.7);
            length += c->normal[l] * c->normal[l];
        }
        for (int l = 0; l < 3; l++) {
            c->normal[l] = length > 0.0 ? c->normal[l] / sqrt(length) : (double)(l == 2);
        }
        scene_tangent(c);
    }
}

static perp_status normal_contacts_make(const perp_options *opt, perp_problem **p,
                                        perp_error *err)
{
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    scene s;
    family_draft d;

    chain_scene(&s, (size_t)perp_options_integer(opt, "n"),
                perp_options_real(opt, "rank"), &g);
    scene_draft(&s, SCENE_NORMALS, &d);
    scene_free(&s);
    return mixed_finish(&d, opt, &g, p, err);
}

#define SEED  PERP_INTEGER("seed", 1, 0, 9e15, "first state of the random stream")
#define SHIFT PERP_REAL_CLOSED("shift", 0.01, 0.0, 1e6, "added to the diagonal")
#define CONDITION                                                                        \
    PERP_REAL_CLOSED("condition", 1.0, 1.0, 1e16, "largest over least weight in D")
#define SHARES                                                                           \
    PERP_REAL_CLOSED("active", 0.5, 0.0, 1.0, "share of rows with z > 0"),               \
        PERP_REAL_CLOSED("degenerate", 0.1, 0.0, 1.0, "share of rows with z = w = 0")

static const perp_option spd_parameters[] = {
    PERP_INTEGER("n", 100, 1, 5000, "rows"),
    SEED,
    SHARES,
    SHIFT,
    CONDITION,
    PERP_SWITCH("known", 1, "b made from a known solution; off: b drawn in (-1, 1)"),
    PERP_OPTION_END,
};

static const perp_option spd_sparse_parameters[] = {
    PERP_INTEGER("n", 10000, 1, 1e8, "rows"), SEED, SHARES, SHIFT, PERP_OPTION_END,
};

static const perp_option boxed_parameters[] = {
    PERP_INTEGER("n", 99, 1, 5000, "rows"), SEED, SHIFT, CONDITION, PERP_OPTION_END,
};

static const perp_option normal_contacts_parameters[] = {
    PERP_INTEGER("n", 120, 1, 1e7, "contacts"),
    SEED,
    SHARES,
    PERP_REAL_CLOSED("rank", 0.5, 0.0, 1.0, "rank of W over its rows, from above"),
    PERP_OPTION_END,
};

const perp_family perp_family_spd = {
    .name = "spd",
    .summary = "dense symmetric positive definite; active, inactive, degenerate rows",
    .reference = "",
    .parameters = spd_parameters,
    .make = spd_make,
};

const perp_family perp_family_spd_sparse = {
    .name = "spd-sparse",
    .summary = "the same, sparse and diagonally dominant",
    .reference = "",
    .parameters = spd_sparse_parameters,
    .make = spd_sparse_make,
};

const perp_family perp_family_boxed = {
    .name = "boxed",
    .summary = "dense, a third of the rows at each bound and a third inside",
    .reference = "",
    .parameters = boxed_parameters,
    .make = boxed_make,
};

const perp_family perp_family_normal_contacts = {
    .name = "normal-contacts",
    .summary = "frictionless contacts of bodies, rank-deficient and sparse",
    .reference = "",
    .parameters = normal_contacts_parameters,
    .make = normal_contacts_make,
};
