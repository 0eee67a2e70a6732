/* SPDX-License-Identifier: Apache-2.0
 * families/torture.c: the family of small hard problems, and what its kinds share. */
#include <config.h>

#include <float.h>
#include <stdio.h>

#include "command/cli/take.h"
#include "torture.h"

size_t torture_choose(torture *t, size_t count)
{
    return (size_t)perp_random_integer(&t->g, 0, (long)count - 1);
}

double torture_integer(torture *t, long low, long high)
{
    return (double)perp_random_integer(&t->g, low, high);
}

double torture_mu(torture *t)
{
    static const double ends[] = {0.0, 0x1p-20, 50.0, 1024.0, 1e6};

    return torture_choose(t, 2) ? 0.25 * torture_integer(t, 1, 4)
                                : ends[torture_choose(t, 5)];
}

size_t torture_size(torture *t, size_t usual, size_t most)
{
    size_t count = 1 + torture_choose(t, usual);

    return torture_choose(t, 8) ? count : count + torture_choose(t, most - usual + 1);
}

perp_status torture_gram(torture *t, perp_set *set, size_t rank, perp_error *err)
{
    size_t n = set->n, count = n * rank;
    double *B = take_reals(count + 1);
    perp_status status = family_dense(&t->d, n, err);

    t->d.set = set;
    for (size_t k = 0; status == PERP_OK && k < count; k++) {
        B[k] = torture_integer(t, -3, 3);
    }
    if (status == PERP_OK) {
        family_gram(&t->d, B, rank, 1.0);
    }
    free(B);
    return status;
}

void torture_add_skew(torture *t)
{
    for (size_t i = 0; i < t->d.n; i++) {
        for (size_t j = 0; j < i; j++) {
            double s = torture_integer(t, -3, 3);

            *family_at(&t->d, i, j) += s;
            *family_at(&t->d, j, i) -= s;
        }
    }
}

/* A row with bounds: between them, on one of them and pushed against it, or not pushed. */
static void point_row(torture *t, const perp_block *k)
{
    double *z = t->d.z + k->first, *w = t->d.w + k->first;
    double lo = 0.0, hi = 0.0;
    size_t at = torture_choose(t, 4);
    bool low = true;

    perp_block_bounds(k, t->d.z, &lo, &hi);
    if (lo == -INFINITY && hi == INFINITY) {
        *z = torture_integer(t, -3, 3);
        return;
    }
    low = hi == INFINITY || (lo > -INFINITY && torture_choose(t, 2));
    *z = low ? lo : hi;
    if (at == 0 && isfinite(lo) && isfinite(hi)) {
        *z = 0.5 * (lo + hi);
    } else if (at == 0) {
        *z += torture_integer(t, 1, 9) * (low ? 1.0 : -1.0);
    } else if (at < 3) {
        *w = torture_integer(t, 1, 9) * (low ? 1.0 : -1.0);
    }
}

/* A direction of length 5 with integers. */
static void point_direction(torture *t, unsigned dim, double *x)
{
    static const double of[][2] = {{5, 0}, {0, 5}, {3, 4}, {4, 3}};
    const double *direction = of[torture_choose(t, 4)];

    x[0] = dim == 2 ? 5.0 : direction[0];
    x[0] *= torture_choose(t, 2) ? 1.0 : -1.0;
    if (dim == 3) {
        x[1] = direction[1] * (torture_choose(t, 2) ? 1.0 : -1.0);
    }
}

/* A contact that slides, sticks, is open, or touches without an impulse. */
static void point_cone(torture *t, const perp_block *k)
{
    double *z = t->d.z + k->first, *w = t->d.w + k->first;
    double e[2] = {0}, size = torture_integer(t, 1, 9), slip = torture_integer(t, 1, 9);
    bool associated = t->d.law == PERP_LAW_ASSOCIATED;
    unsigned tangents = k->dim - 1;

    point_direction(t, k->dim, e);
    switch (torture_choose(t, 7)) {
    case 0: /* open */
        w[0] = size + (associated ? 5.0 * k->mu * slip : 0.0);
        for (unsigned i = 0; i < tangents; i++) {
            w[i + 1] = slip * e[i];
        }
        break;
    case 1: /* no impulse, no velocity */
        break;
    case 2:
    case 3: /* sticks, on the boundary or within */
        z[0] = 5.0 * size;
        size *= torture_choose(t, 2) ? 1.0 : 0.5;
        for (unsigned i = 0; i < tangents; i++) {
            z[i + 1] = k->mu * size * e[i];
        }
        break;
    default: /* slides */
        z[0] = 5.0 * size;
        w[0] = associated ? 5.0 * k->mu * slip : 0.0;
        for (unsigned i = 0; i < tangents; i++) {
            z[i + 1] = -k->mu * size * e[i];
            w[i + 1] = slip * e[i];
        }
        break;
    }
}

void torture_draw_point(torture *t)
{
    for (size_t k = 0; k < t->d.set->count; k++) {
        const perp_block *block = &t->d.set->blocks[k];

        if (block->dim == 1) {
            point_row(t, block);
        } else {
            point_cone(t, block);
        }
    }
}

/* Rows and columns of a block by 2^e: impulses by 2^-e. */
static void scale_block(torture *t, perp_block *k, int e)
{
    for (size_t i = k->first; i < k->first + k->dim; i++) {
        for (size_t j = 0; j < t->d.n; j++) {
            *family_at(&t->d, i, j) = ldexp(*family_at(&t->d, i, j), e);
        }
        for (size_t j = 0; j < t->d.n; j++) {
            *family_at(&t->d, j, i) = ldexp(*family_at(&t->d, j, i), e);
        }
        t->d.z[i] = ldexp(t->d.z[i], -e);
        t->d.w[i] = ldexp(t->d.w[i], e);
    }
    k->lo = ldexp(k->lo, -e);
    k->hi = ldexp(k->hi, -e);
}

void torture_scale_blocks(torture *t, long most)
{
    int e = 0;

    for (size_t k = 0; k < t->d.set->count; k++) {
        perp_block *block = &t->d.set->blocks[k];

        if (block->kind != PERP_SET_FRICTION) { /* which has the factor of its normal */
            e = (int)perp_random_integer(&t->g, -most, most);
        }
        scale_block(t, block, e);
    }
}

void torture_scale(torture *t, int a, int b)
{
    for (size_t i = 0; i < t->d.n; i++) {
        for (size_t j = 0; j < t->d.n; j++) {
            *family_at(&t->d, i, j) = ldexp(*family_at(&t->d, i, j), a);
        }
        t->d.z[i] = ldexp(t->d.z[i], b - a);
        t->d.w[i] = ldexp(t->d.w[i], b);
    }
    for (size_t k = 0; k < t->d.set->count; k++) {
        t->d.set->blocks[k].lo = ldexp(t->d.set->blocks[k].lo, b - a);
        t->d.set->blocks[k].hi = ldexp(t->d.set->blocks[k].hi, b - a);
    }
}

/* sum += x, and in *lost what rounding took from it (Knuth, TAOCP 2, 4.2.2); exact without overflow. */
static void truth_add(double *sum, double *lost, double x)
{
    double next = *sum + x, part = next - *sum;

    *lost += fabs((*sum - (next - part)) + (x - part));
    *sum = next;
}

/* Whether w = A z + b has no rounding in any order of its sums that begins with b. */
static bool truth_is_exact(const perp_problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        double sum = p->b[i], lost = 0.0;

        for (size_t j = 0; j < p->n; j++) {
            double a = perp_operator_entry(p->A, i, j), x = p->solution->z[j];

            lost += fabs(fma(a, x, -(a * x)));
            truth_add(&sum, &lost, a * x);
        }
        if (lost != 0.0 || sum != p->solution->w[i]) {
            return false;
        }
    }
    return true;
}

perp_torture_truth perp_torture_truth_of(const perp_torture_kind *kind,
                                         const perp_problem *p)
{
    double residual = INFINITY;

    if (kind->infeasible) {
        return TORTURE_INFEASIBLE;
    }
    residual = p->solution ? perp_residual(p, p->solution->z) : INFINITY;
    if (!(residual <= 1e-12)) {
        return TORTURE_UNKNOWN; /* beyond the range or the radius of the judge */
    }
    return truth_is_exact(p) ? TORTURE_EXACT : TORTURE_NEARLY;
}

const perp_torture_kind perp_torture_kinds[] = {
    {"masses", "a pile under gravity, masses over 14 decades", false, torture_masses},
    {"mass-ratios", "contacts of bodies with masses over 14 decades", false,
     torture_mass_ratios},
    {"ranks", "an LCP, A of any rank", false, torture_ranks},
    {"skew", "an LCP, A semidefinite with a skew part", false, torture_skew},
    {"scales", "A and b scaled by up to 1e150", false, torture_scales},
    {"row-scales", "rows scaled by up to 1e6", false, torture_row_scales},
    {"cancel", "large entries whose products cancel", false, torture_cancel},
    {"near-singular", "two rows, nearly singular", false, torture_near_singular},
    {"subnormal", "b is subnormal", false, torture_subnormal},
    {"boxes", "bounds, free rows and fixed rows, A of any rank", false, torture_boxes},
    {"friction-rows", "box friction, mu from 0 to 1e6", false, torture_friction_rows},
    {"coulomb", "contacts in space, mu from 0 to 1e6", false, torture_coulomb},
    {"coulomb-plane", "contacts in the plane, mu from 0 to 1e6", false,
     torture_coulomb_plane},
    {"coulomb-steep", "contacts with mu of at least 50 among others", false,
     torture_coulomb_steep},
    {"coulomb-reals", "contacts with numbers of all digits", false,
     torture_coulomb_reals},
    {"coulomb-masses", "contacts whose rows differ by up to 1e6", false,
     torture_coulomb_masses},
    {"associated", "cones of the associated law, mu from 0 to 1e6", false,
     torture_associated},
    {"mixed", "cones with free rows and bounds", false, torture_mixed},
    {"slack", "rows that are slack by up to 2^40 among others", false, torture_slack},
    {"programs", "linear programs whose prices and quantities have any units", false,
     torture_programs},
    {"near-balance", "a transport problem whose supply is short by 2^-17 to 2^-33", false,
     torture_near_balance},
    {"no-balance", "a transport problem whose supply is short by up to 2^-16", true,
     torture_no_balance},
    {"no-program", "conditions of a convex quadratic program without a feasible point",
     true, torture_no_program},
    {"no-rows", "an LCP with a direction in which b falls and A vanishes", true,
     torture_no_rows},
    {"no-contacts", "contacts whose normal velocities have a negative sum", true,
     torture_no_contacts},
    {NULL, NULL, false, NULL},
};

static perp_status family_torture_make(const perp_options *opt, perp_problem **p,
                                       perp_error *err)
{
    const perp_torture_kind *kind = &perp_torture_kinds[perp_options_choice(opt, "kind")];
    torture t = {.g = {(uint64_t)perp_options_integer(opt, "seed")},
                 .answer = kind->infeasible ? FAMILY_NO_ANSWER : FAMILY_ANSWER_MAKES_B};
    perp_status status = kind->draw(&t, err);

    if (status != PERP_OK) {
        family_drop(&t.d);
        return status;
    }
    return family_finish(&t.d, t.answer, p, err);
}

static const perp_option torture_parameters[] = {
    PERP_CHOICE("kind", 0,
                "masses|mass-ratios|ranks|skew|scales|row-scales|cancel|near-singular|"
                "subnormal|boxes|friction-rows|coulomb|coulomb-plane|coulomb-steep|"
                "coulomb-reals|coulomb-masses|associated|mixed|slack|programs|"
                "near-balance|no-balance|no-program|no-rows|no-contacts",
                "what is hard about the problem; kinds that begin with no- have no "
                "solution"),
    PERP_INTEGER("seed", 1, 0, 9007199254740992, "first state of the random stream"),
    PERP_OPTION_END,
};

const perp_family perp_family_torture = {
    .name = "torture",
    .summary = "small hard problems, with or without a solution by construction",
    .reference = "",
    .parameters = torture_parameters,
    .make = family_torture_make,
};
