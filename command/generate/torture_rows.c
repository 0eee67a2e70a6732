/* SPDX-License-Identifier: Apache-2.0
 * families/torture_rows.c: kinds of torture without cones. */
#include <config.h>

#include "base/base.h"
#include "torture.h"

/* n rows of the LCP. */
static perp_status rows_set(size_t n, perp_set **set, perp_error *err)
{
    return perp_set_new_uniform(set, PERP_SET_NONNEG, n, err);
}

/* An LCP with A = B B^T of any rank and a point. */
static perp_status rows_lcp(torture *t, size_t most, perp_error *err)
{
    perp_set *set = NULL;
    size_t n = torture_size(t, 12, most);

    TRY(rows_set(n, &set, err));
    TRY(torture_gram(t, set, torture_choose(t, n + 1), err));
    torture_draw_point(t);
    return PERP_OK;
}

/* The exponents of masses over 14 decades: 46 digits of a double. */
enum { DECADES = 23 };

/* J M^-1 J^T of a pile: row i between bodies i - 1 and i, row 0 on the ground. */
static void rows_pile(torture *t, const double *mass)
{
    for (size_t i = 0; i < t->d.n; i++) {
        *family_at(&t->d, i, i) = 1.0 / mass[i] + (i > 0 ? 1.0 / mass[i - 1] : 0.0);
        if (i > 0) {
            *family_at(&t->d, i, i - 1) = -1.0 / mass[i - 1];
            *family_at(&t->d, i - 1, i) = -1.0 / mass[i - 1];
        }
    }
}

/* Every contact carries the weight of all bodies above it: z_i = 9 sum of their masses, w = 0. b is
 * written as it is, since w - A z loses it among products of 2^46. */
perp_status torture_masses(torture *t, perp_error *err)
{
    size_t n = 1 + torture_choose(t, 12);
    perp_set *set = NULL;
    perp_status status = rows_set(n, &set, err);
    double mass[16], above = 0.0;

    if (status == PERP_OK) {
        status = torture_gram(t, set, 0, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        mass[i] = ldexp(1.0, (int)perp_random_integer(&t->g, -DECADES, DECADES));
    }
    rows_pile(t, mass);
    for (size_t i = n; i-- > 0;) {
        above += mass[i];
        t->d.z[i] = 9.0 * above;
    }
    t->d.b[0] = -9.0;
    t->answer = FAMILY_ANSWER;
    return PERP_OK;
}

/* Contacts between pairs of bodies, and a point. */
perp_status torture_mass_ratios(torture *t, perp_error *err)
{
    enum { BODIES = 6 };
    size_t n = torture_size(t, 8, 20);
    perp_set *set = NULL;
    perp_status status = rows_set(n, &set, err);
    double inverse[BODIES + 1] = {0}, J[24][BODIES + 1] = {{0}};

    if (status == PERP_OK) {
        status = torture_gram(t, set, 0, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    for (size_t k = 1; k <= BODIES; k++) { /* body 0 is the ground */
        inverse[k] = ldexp(1.0, (int)perp_random_integer(&t->g, -DECADES, DECADES));
    }
    for (size_t i = 0; i < n; i++) {
        size_t upper = 1 + torture_choose(t, BODIES);

        J[i][upper] = 1.0;
        J[i][torture_choose(t, upper)] = -1.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 1; k <= BODIES; k++) {
                *family_at(&t->d, i, j) += J[i][k] * J[j][k] * inverse[k];
            }
        }
    }
    torture_draw_point(t);
    return PERP_OK;
}

perp_status torture_ranks(torture *t, perp_error *err)
{
    return rows_lcp(t, 40, err);
}

perp_status torture_skew(torture *t, perp_error *err)
{
    TRY(rows_lcp(t, 24, err));
    torture_add_skew(t);
    return PERP_OK;
}

/* 2^498 is 1e150. */
perp_status torture_scales(torture *t, perp_error *err)
{
    TRY(torture_choose(t, 2) ? rows_lcp(t, 16, err) : torture_mixed(t, err));
    torture_scale(t, (int)perp_random_integer(&t->g, -498, 498),
                  (int)perp_random_integer(&t->g, -498, 498));
    return PERP_OK;
}

perp_status torture_row_scales(torture *t, perp_error *err)
{
    TRY(rows_lcp(t, 16, err));
    torture_scale_blocks(t, 20);
    return PERP_OK;
}

/* A += K (e_i - e_j)(e_i - e_j)^T with z_i = z_j: products of size K z cancel. */
perp_status torture_cancel(torture *t, perp_error *err)
{
    perp_status status = rows_lcp(t, 16, err);
    size_t n = t->d.n, i = 0, j = 0;
    double K = ldexp(1.0, (int)perp_random_integer(&t->g, 20, 40));

    if (status != PERP_OK || n < 2) {
        return status;
    }
    i = torture_choose(t, n);
    j = (i + 1 + torture_choose(t, n - 1)) % n;
    t->d.z[i] = t->d.z[j] = torture_integer(t, 1, 9);
    t->d.w[i] = t->d.w[j] = 0.0;
    *family_at(&t->d, i, i) += K;
    *family_at(&t->d, j, j) += K;
    *family_at(&t->d, i, j) -= K;
    *family_at(&t->d, j, i) -= K;
    return PERP_OK;
}

/* [1 -1; -1 1 + 2^-k], whose inverse has entries of 2^k. */
perp_status torture_near_singular(torture *t, perp_error *err)
{
    perp_set *set = NULL;

    TRY(rows_set(2, &set, err));
    TRY(torture_gram(t, set, 0, err));
    *family_at(&t->d, 0, 0) = 1.0;
    *family_at(&t->d, 1, 1) = 1.0 + ldexp(1.0, -(int)perp_random_integer(&t->g, 10, 50));
    *family_at(&t->d, 0, 1) = *family_at(&t->d, 1, 0) = -1.0;
    for (size_t i = 0; i < 2; i++) {
        t->d.z[i] = ldexp(torture_integer(t, 1, 9), (int)torture_choose(t, 40));
    }
    if (torture_choose(t, 2)) { /* both of one size: A z is small */
        t->d.z[1] = t->d.z[0];
    }
    return PERP_OK;
}

/* A is up to 1e300, so that b/sqrt(A) underflows. */
perp_status torture_subnormal(torture *t, perp_error *err)
{
    TRY(rows_lcp(t, 12, err));
    torture_scale(t, (int)perp_random_integer(&t->g, -40, 900),
                  -(int)perp_random_integer(&t->g, 1030, 1074));
    return PERP_OK;
}

perp_status torture_boxes(torture *t, perp_error *err)
{
    size_t n = torture_size(t, 12, 40);
    perp_set *set = NULL;
    perp_status status = PERP_OK;

    TRY(perp_set_new(&set, n, err));
    for (size_t i = 0; i < n; i++) {
        double low = torture_integer(t, -4, 2);

        switch (torture_choose(t, 6)) {
        case 0:
            perp_set_add_free(set);
            break;
        case 1:
            perp_set_add_nonneg(set);
            break;
        case 2:
            perp_set_add_box(set, -INFINITY, low);
            break;
        default: /* one in three of these is fixed */
            perp_set_add_box(set, low, low + 2.0 * (double)torture_choose(t, 3));
            break;
        }
    }
    status = torture_gram(t, set, torture_choose(t, n + 1), err);
    if (status == PERP_OK) {
        torture_draw_point(t);
    }
    return status;
}

perp_status torture_friction_rows(torture *t, perp_error *err)
{
    size_t contacts = torture_size(t, 5, 10);
    unsigned tangents = 1 + (unsigned)torture_choose(t, 2);
    perp_set *set = NULL;
    perp_status status = PERP_OK;

    TRY(perp_set_new(&set, 3 * contacts, err));
    for (size_t k = 0; k < contacts; k++) {
        double mu = torture_mu(t);
        size_t normal = set->n;

        perp_set_add_nonneg(set);
        for (unsigned i = 0; i < tangents; i++) {
            perp_set_add_friction(set, mu, normal);
        }
    }
    status = torture_gram(t, set, torture_choose(t, set->n + 1), err);
    if (status == PERP_OK) {
        torture_draw_point(t);
    }
    return status;
}

/* C x >= d and -C x >= 1 - d of an integer C contradict each other:
 * A = [H, -C^T, C^T; C, 0, 0; -C, 0, 0], x free or at least 0. */
perp_status torture_no_program(torture *t, perp_error *err)
{
    size_t x = 1 + torture_choose(t, 6);
    perp_set *set = NULL;
    perp_status status = perp_set_new(&set, x + 2, err);
    bool free_x = torture_choose(t, 2) == 0;

    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < x + 2; i++) {
        if (free_x && i < x) {
            perp_set_add_free(set);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    status = torture_gram(t, set, torture_choose(t, x + 1), err);
    for (size_t i = 0; status == PERP_OK && i < x + 2; i++) {
        for (size_t k = x; k < x + 2; k++) {
            *family_at(&t->d, i, k) = *family_at(&t->d, k, i) = 0.0;
        }
        t->d.b[i] = torture_integer(t, -9, 9);
    }
    for (size_t j = 0; status == PERP_OK && j < x; j++) {
        double c = torture_integer(t, -3, 3);

        *family_at(&t->d, x, j) = *family_at(&t->d, j, x + 1) = c;
        *family_at(&t->d, x + 1, j) = *family_at(&t->d, j, x) = -c;
    }
    if (status == PERP_OK) {
        t->d.b[x + 1] = -t->d.b[x] - torture_integer(t, 1, 9);
    }
    return status;
}

/* The last row of B is minus the sum of the others: A y = 0 for y = (1, ..., 1), b.y < 0. */
perp_status torture_no_rows(torture *t, perp_error *err)
{
    size_t n = 2 + torture_choose(t, 12);
    perp_set *set = NULL;
    perp_status status = rows_set(n, &set, err);
    double sum = 0.0;

    if (status == PERP_OK) {
        status = torture_gram(t, set, torture_choose(t, n), err);
    }
    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) { /* columns, then rows, of the others add up */
        double row = 0.0;

        for (size_t j = 0; j + 1 < n && i + 1 < n; j++) {
            row += *family_at(&t->d, i, j);
        }
        *family_at(&t->d, i, n - 1) = -row;
    }
    for (size_t j = 0; j < n; j++) {
        double column = 0.0;

        for (size_t i = 0; i + 1 < n; i++) {
            column += *family_at(&t->d, i, j);
        }
        *family_at(&t->d, n - 1, j) = -column;
        t->d.b[j] = torture_integer(t, -9, 9);
        sum += t->d.b[j];
    }
    t->d.b[n - 1] -= fmax(sum, 0.0) + torture_integer(t, 1, 9);
    return PERP_OK;
}
