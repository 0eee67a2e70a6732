/* SPDX-License-Identifier: Apache-2.0
 * families/torture_cones.c: kinds of torture with cones. */
#include <config.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "torture.h"

/* Contacts of a dimension; one in two with mu of at least 50 where `steep`. */
static perp_status cones_set(torture *t, size_t contacts, unsigned dim, bool steep,
                             perp_set **set, perp_error *err)
{
    static const double large[] = {50.0, 1024.0, 1e6};
    perp_status status = perp_set_new(set, dim * contacts, err);

    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        double mu =
            steep && torture_choose(t, 2) ? large[torture_choose(t, 3)] : torture_mu(t);

        perp_set_add_cone(*set, dim, mu);
    }
    return status;
}

/* Contacts with A = B B^T of any rank, and a point. */
static perp_status cones_contacts(torture *t, unsigned dim, bool steep, perp_law law,
                                  perp_error *err)
{
    size_t contacts = torture_size(t, 6, 14);
    perp_set *set = NULL;

    TRY(cones_set(t, contacts, dim, steep, &set, err));
    TRY(torture_gram(t, set, torture_choose(t, set->n + 1), err));
    t->d.law = law;
    torture_draw_point(t);
    return PERP_OK;
}

perp_status torture_coulomb(torture *t, perp_error *err)
{
    return cones_contacts(t, 3, false, PERP_LAW_COULOMB, err);
}

perp_status torture_coulomb_plane(torture *t, perp_error *err)
{
    return cones_contacts(t, 2, false, PERP_LAW_COULOMB, err);
}

perp_status torture_coulomb_steep(torture *t, perp_error *err)
{
    return cones_contacts(t, 3, true, PERP_LAW_COULOMB, err);
}

perp_status torture_coulomb_masses(torture *t, perp_error *err)
{
    TRY(cones_contacts(t, 3, false, PERP_LAW_COULOMB, err));
    torture_scale_blocks(t, 10);
    return PERP_OK;
}

perp_status torture_associated(torture *t, perp_error *err)
{
    unsigned dim = 2 + (unsigned)torture_choose(t, 2);

    return cones_contacts(t, dim, torture_choose(t, 2), PERP_LAW_ASSOCIATED, err);
}

/* B with reals of all digits, and impulses that are not integers either. */
perp_status torture_coulomb_reals(torture *t, perp_error *err)
{
    size_t contacts = torture_size(t, 5, 10), n = 3 * contacts;
    size_t rank = 1 + torture_choose(t, n);
    perp_set *set = NULL;
    perp_status status = cones_set(t, contacts, 3, torture_choose(t, 2), &set, err);
    double *B = take_reals(n * rank);

    if (status == PERP_OK) {
        status = torture_gram(t, set, 0, err);
    }
    for (size_t k = 0; status == PERP_OK && k < n * rank; k++) {
        B[k] = perp_random_uniform(&t->g, -1.0, 1.0);
    }
    if (status == PERP_OK) {
        family_gram(&t->d, B, rank, 1.0);
        torture_draw_point(t);
    }
    for (size_t k = 0; status == PERP_OK && k < contacts; k++) {
        double size = perp_random_uniform(&t->g, 0.0, 10.0);

        for (size_t i = 3 * k; i < 3 * k + 3; i++) {
            t->d.z[i] *= size;
        }
    }
    free(B);
    return status;
}

/* Contacts and rows of every other kind; half of them with a skew part. */
perp_status torture_mixed(torture *t, perp_error *err)
{
    size_t blocks = torture_size(t, 6, 10);
    perp_set *set = NULL;
    perp_status status = PERP_OK;

    TRY(perp_set_new(&set, 3 * blocks, err));
    for (size_t k = 0; k < blocks; k++) {
        switch (torture_choose(t, 4)) {
        case 0:
            perp_set_add_free(set);
            break;
        case 1:
            perp_set_add_box(set, torture_integer(t, -4, 0), torture_integer(t, 0, 4));
            break;
        default:
            perp_set_add_cone(set, 3, torture_mu(t));
            break;
        }
    }
    status = torture_gram(t, set, torture_choose(t, set->n + 1), err);
    if (status == PERP_OK) {
        torture_draw_point(t);
    }
    return status;
}

/* A y = 0 where y is 1 in all normals: their rows of A add up to zero. The normal velocities
 * then have the sum b.y < 0. */
perp_status torture_no_contacts(torture *t, perp_error *err)
{
    size_t contacts = 1 + torture_choose(t, 5);
    perp_set *set = NULL;
    perp_status status = cones_set(t, contacts, 3, false, &set, err);
    double sum = 0.0;
    size_t last = 3 * (contacts - 1);

    if (status == PERP_OK) {
        status = torture_gram(t, set, torture_choose(t, set->n + 1), err);
    }
    if (status != PERP_OK) {
        return status;
    }
    t->d.law = torture_choose(t, 2) ? PERP_LAW_COULOMB : PERP_LAW_ASSOCIATED;
    for (size_t i = 0; i < t->d.n;
         i++) { /* the rows of B: the last normal is minus the rest */
        double row = 0.0;

        for (size_t j = 0; j < last; j += 3) {
            row += *family_at(&t->d, i, j);
        }
        *family_at(&t->d, i, last) = -row;
    }
    for (size_t j = 0; j < t->d.n; j++) {
        double column = 0.0;

        for (size_t i = 0; i < last; i += 3) {
            column += *family_at(&t->d, i, j);
        }
        *family_at(&t->d, last, j) = -column;
        t->d.b[j] = torture_integer(t, -9, 9);
        sum += j % 3 == 0 ? t->d.b[j] : 0.0;
    }
    t->d.b[last] -= fmax(sum, 0.0) + torture_integer(t, 1, 9);
    return PERP_OK;
}
