/* SPDX-License-Identifier: Apache-2.0
 * judge/certificate.c: certificates as data, and the check of one against a problem.
 *
 * Sums are compared with the sum of the magnitudes of their terms, row by row, so that the
 * verdict does not change when rows are scaled. Directions of infeasibility are checked in
 * certificate_infeasible.c, cycles of active sets in certificate_cycle.c. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "judge/certificate_private.h"
#include "judge/judge.h"

const char *perp_certificate_name(perp_certificate_kind kind)
{
    switch (kind) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_CERTIFICATE_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return NULL;
}

const char *perp_rule_name(perp_rule rule)
{
    switch (rule) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_RULE_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return NULL;
}

void perp_certificate_clear(perp_certificate *c)
{
    free(c->y);
    free(c->dz);
    free(c->cover);
    free(c->states);
    *c = (perp_certificate){0};
}

perp_status perp_certificate_init(perp_certificate *c, perp_certificate_kind kind,
                                  size_t n, size_t steps, perp_error *err)
{
    if (perp_check_arguments(c, "perp_certificate_init", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    bool ray = kind == PERP_CERTIFICATE_RAY;
    bool cycle = kind == PERP_CERTIFICATE_CYCLE;
    size_t bytes = 0;

    perp_certificate_clear(c);
    c->kind = kind;
    c->n = n;
    c->steps = cycle ? steps : 0;
    if (cycle && !perp_mul(n, steps, &bytes)) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu sets of %zu rows",
                         steps, n);
    }
    c->y = cycle ? NULL : perp_reals_new(n);
    c->dz = ray ? perp_reals_new(n) : NULL;
    c->cover = ray ? perp_reals_new(n) : NULL;
    c->states = cycle ? calloc(bytes ? bytes : 1, 1) : NULL;
    if (cycle ? !c->states : !c->y || (ray && (!c->dz || !c->cover))) {
        perp_certificate_clear(c);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a certificate of %zu rows",
                         n);
    }
    return PERP_OK;
}

/* Part of the magnitudes that counts as zero. A pivot is refused at some 1e-14 of its row;
 * the vectors formed from it have lost some digits more. */
static const double zero = 1e-9;

bool perp_certificate_verdict(bool verdict, char *why, size_t length, const char *format,
                              ...)
{
    va_list args;

    if (why && length) {
        va_start(args, format);
        vsnprintf(why, length, format, args);
        va_end(args);
    }
    return verdict;
}

/* A sum as part of the magnitudes of its terms, with the rounding of n products, rounded up. */
static double check_part(double sum, double size, size_t n)
{
    return sum == 0.0 && size == 0.0 ? 0.0 : sum / size + (double)(n + 4) * DBL_EPSILON;
}

/* The block F is where x is not 0. |A_FF x| <= e |A_FF| |x| says that a matrix within e |A_FF| of
 * A_FF is singular [oettli-prager-1964], x.A x <= e |x|.|A_FF| |x| that one is not positive
 * definite. */
static bool check_singular(const perp_certificate *c, const perp_problem *p, char *why,
                           size_t length)
{
    const double *x = c->y;
    double curvature = 0.0, size = 0.0, null = 0.0;
    size_t rows = 0;
    char part[PERP_NUMBER_LENGTH];

    for (size_t i = 0; i < p->n; i++) {
        if (x[i] != 0.0) {
            perp_row_sum s = perp_operator_row_sum(p->A, i, x);

            rows++;
            null = fmax(null, check_part(fabs(s.sum), s.size, p->n));
            curvature += x[i] * s.sum;
            size += fabs(x[i]) * s.size;
        }
    }
    curvature = check_part(curvature, size, p->n);
    if (rows == 0) {
        return perp_certificate_verdict(false, why, length, "the vector is zero");
    }
    if (null <= zero) {
        return perp_certificate_verdict(
            true, why, length,
            "a block of %zu row%s is singular within %s of its entries: A_FF x = 0", rows,
            perp_plural(rows), perp_number_above(part, null));
    }
    if (curvature < 0.0) {
        return perp_certificate_verdict(
            true, why, length, "a block of %zu row%s is not positive definite: x.A x < 0",
            rows, perp_plural(rows));
    }
    if (curvature <= zero) {
        return perp_certificate_verdict(
            true, why, length,
            "a block of %zu row%s is not positive definite within %s of its entries: "
            "x.A x = 0",
            rows, perp_plural(rows), perp_number_above(part, curvature));
    }
    return perp_certificate_verdict(
        false, why, length,
        "the block of %zu rows is neither singular nor indefinite along x", rows);
}

static bool all_nonneg(const perp_problem *p)
{
    return (perp_set_kinds(p->set) & ~(unsigned)PERP_SET_NONNEG) == 0;
}

/* One row of a ray: z >= 0, w >= 0 along the whole ray, and one of the two is 0. */
static bool check_ray_row(const perp_certificate *c, const perp_problem *p, size_t i,
                          double z_size, double dz_size)
{
    perp_row_sum w = perp_operator_row_sum(p->A, i, c->y);
    perp_row_sum dw = perp_operator_row_sum(p->A, i, c->dz);
    double small_w = 0.0;
    double small_dw = 0.0;

    w.sum += p->b[i] + c->cover[i] * c->z0;
    small_w = zero * (w.size + fabs(p->b[i]) + c->cover[i] * c->z0);
    dw.sum += c->cover[i] * c->dz0;
    small_dw = zero * (dw.size + c->cover[i] * c->dz0);
    if (c->y[i] < 0.0 || c->dz[i] < 0.0 || !(c->cover[i] > 0.0) || w.sum < -small_w ||
        dw.sum < -small_dw) {
        return false;
    }
    return (c->y[i] <= zero * z_size && c->dz[i] <= zero * dz_size) ||
           (w.sum <= small_w && dw.sum <= small_dw);
}

static bool check_ray(const perp_certificate *c, const perp_problem *p, char *why,
                      size_t length)
{
    double z_size = perp_largest(c->n, c->y);
    double dz_size = perp_largest(c->n, c->dz);

    if (!all_nonneg(p)) {
        return perp_certificate_verdict(false, why, length,
                                        "a ray is a certificate for an LCP only");
    }
    if (!(c->z0 > 0.0) || c->dz0 < 0.0 || !(dz_size + c->dz0 > 0.0)) {
        return perp_certificate_verdict(
            false, why, length, "the ray has no direction or starts at a solution");
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!check_ray_row(c, p, i, z_size, dz_size)) {
            return perp_certificate_verdict(
                false, why, length, "row %zu is not complementary along the ray", i);
        }
    }
    return perp_certificate_verdict(true, why, length,
                                    "an almost complementary ray of %zu row%s", p->n,
                                    perp_plural(p->n));
}

static bool check_infeasible(const perp_certificate *c, const perp_problem *p, char *why,
                             size_t length)
{
    double radius = perp_certificate_radius(p, c->y);
    char text[PERP_NUMBER_LENGTH];

    if (!perp_certificate_infeasible(p, c->y)) {
        return perp_certificate_verdict(false, why, length,
                                        "the direction does not certify infeasibility");
    }
    return isinf(radius)
               ? perp_certificate_verdict(true, why, length, "there is no solution")
               : perp_certificate_verdict(true, why, length,
                                          "there is no solution with s|z| <= %s",
                                          perp_number_below(text, radius));
}

bool perp_certificate_check(const perp_certificate *c, const perp_problem *p, char *why,
                            size_t length)
{
    bool finite = (!c->y || perp_all_finite(c->y, c->n)) &&
                  (!c->dz || perp_all_finite(c->dz, c->n)) &&
                  (!c->cover || perp_all_finite(c->cover, c->n)) && isfinite(c->z0) &&
                  isfinite(c->dz0);

    if (c->kind != PERP_CERTIFICATE_NONE && (c->n != p->n || !p->A)) {
        return perp_certificate_verdict(false, why, length,
                                        "it has another number of rows");
    }
    if (!finite) {
        return perp_certificate_verdict(false, why, length,
                                        "it holds numbers that are not finite");
    }
    switch (c->kind) {
    case PERP_CERTIFICATE_INFEASIBLE:
        return check_infeasible(c, p, why, length);
    case PERP_CERTIFICATE_RAY:
        return check_ray(c, p, why, length);
    case PERP_CERTIFICATE_SINGULAR:
        return check_singular(c, p, why, length);
    case PERP_CERTIFICATE_CYCLE:
        return perp_certificate_check_cycle(c, p, why, length);
    case PERP_CERTIFICATE_NONE:
        break;
    }
    return perp_certificate_verdict(false, why, length, "there is no certificate");
}
