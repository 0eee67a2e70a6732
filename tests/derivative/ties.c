/* SPDX-License-Identifier: Apache-2.0
 * tests/derivative/ties.c: derivatives at constructed ties and of cones, one-sided,
 * against differences of solutions from both sides.
 *
 * z and w are chosen, b = w - A z. */
#include <config.h>

#include "derivative/derivative.h"
#include "differences.h"

/* One-sided differences over t in b and A: an error of t |A^-1|^2, times a few */
static const double step = 1e-6;
static const double one_sided_err = 1e-4;
/* In b alone scalar rows are piecewise linear: rounding of z, 1e-14, over t */
static const double linear_err = 1e-7;
/* Central, of curved cones: t^2 times a third derivative of some 1e4, and 1e-12 of the
 * solver over 1e-5 */
static const double curved_step = 1e-5;
static const double curved_err = 1e-5;

/* z = max(0, -b): from either side of b = 0. */
TEST(one_row_bends_at_its_tie)
{
    const double one[] = {1}, nothing[] = {0}, up[] = {1}, down[] = {-1};
    const perp_sensitivity_options open = {.ties = PERP_TIES_OPEN};
    const perp_sensitivity_options free_side = {.ties = PERP_TIES_FREE};
    perp_problem *p = test_lcp(1, one, nothing);
    perp_sensitivity *g = sensitivity_of(p, nothing, &open);
    double dz = NAN, dw = NAN, bbar = NAN;

    CU_ASSERT_EQUAL(perp_sensitivity_state(g, 0), PERP_ACTIVE_TIED);
    OK(perp_sensitivity_forward(g, up, NULL, &dz, &dw, NULL));
    CU_ASSERT(dz == 0.0 && dw == 1.0);
    OK(perp_sensitivity_forward(g, down, NULL, &dz, &dw, NULL));
    CU_ASSERT(dz == 1.0 && dw == 0.0);
    OK(perp_sensitivity_forward(g, NULL, NULL, &dz, &dw, NULL));
    CU_ASSERT(dz == 0.0 && dw == 0.0);
    perp_sensitivity_adjoint(g, one, NULL, &bbar);
    CU_ASSERT_EQUAL(bbar, 0.0);
    g = sensitivity_of(p, nothing, &free_side);
    perp_sensitivity_adjoint(g, one, NULL, &bbar);
    CU_ASSERT_EQUAL(bbar, -1.0);
}

/* (lo, hi, z, w), of friction (mu, normal, z, w), and the state that the row is in. */
typedef struct row {
    perp_set_kind kind;
    double lo, hi, z, w;
    perp_active state;
} row;

/* Ties at a lower, an upper bound, of a row that is fixed, of friction that is about to
 * slide either way, of a contact at rest without force, by its normal alone and with its
 * friction; others between. */
static const row tied_rows[] = {
    {PERP_SET_NONNEG, 0, 0, 0.0, 0.0, PERP_ACTIVE_TIED},
    {PERP_SET_NONNEG, 0, 0, 0.7, 0.0, PERP_ACTIVE_FREE},
    {PERP_SET_BOX, -1, 0.5, 0.5, 0.0, PERP_ACTIVE_TIED},
    {PERP_SET_BOX, -1, 0.5, -1.0, 0.0, PERP_ACTIVE_TIED},
    {PERP_SET_BOX, 0.2, 0.2, 0.2, 0.0, PERP_ACTIVE_OPEN},
    {PERP_SET_BOX, -1, 0.5, 0.5, -0.3, PERP_ACTIVE_OPEN},
    {PERP_SET_FREE, 0, 0, 0.4, 0.0, PERP_ACTIVE_FREE},
    {PERP_SET_NONNEG, 0, 0, 1.0, 0.0, PERP_ACTIVE_FREE}, /* row 7: a normal */
    {PERP_SET_FRICTION, 0.5, 7, 0.5, 0.0, PERP_ACTIVE_TIED},
    {PERP_SET_FRICTION, 0.4, 7, -0.4, 0.0, PERP_ACTIVE_TIED},
    {PERP_SET_FRICTION, 0.4, 7, -0.4, 0.8, PERP_ACTIVE_SLIDING},
    {PERP_SET_NONNEG, 0, 0, 0.0, 0.0, PERP_ACTIVE_TIED}, /* row 11: at rest, no force */
    {PERP_SET_FRICTION, 0.5, 11, 0.0, 0.0, PERP_ACTIVE_TIED},
    {PERP_SET_FRICTION, 0.5, 11, 0.0, -0.6, PERP_ACTIVE_TIED},
    {PERP_SET_FRICTION, 0.0, 11, 0.0, 0.0, PERP_ACTIVE_OPEN},
    {PERP_SET_NONNEG, 0, 0, 0.0, 0.4, PERP_ACTIVE_OPEN}, /* row 15: open */
    {PERP_SET_FRICTION, 0.5, 15, 0.0, 0.0, PERP_ACTIVE_OPEN},
};
enum { tied_count = sizeof tied_rows / sizeof *tied_rows };

/* b := w - A z */
static void give_w(perp_problem *p, const double *z, const double *w)
{
    perp_operator_apply(p->A, z, p->b);
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] = w[i] - p->b[i];
    }
}

static perp_problem *tied_problem(uint64_t seed, double *z)
{
    perp_random g = {seed};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    double w[tied_count];

    OK(perp_set_new(&set, tied_count, NULL));
    for (size_t i = 0; i < tied_count; i++) {
        const row *r = &tied_rows[i];

        z[i] = r->z;
        w[i] = r->w;
        if (r->kind == PERP_SET_BOX) {
            perp_set_add_box(set, r->lo, r->hi);
        } else if (r->kind == PERP_SET_FRICTION) {
            perp_set_add_friction(set, r->lo, (size_t)r->hi);
        } else if (r->kind == PERP_SET_FREE) {
            perp_set_add_free(set);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    p = test_problem(asymmetric(tied_count, seed), set, PERP_LAW_COULOMB, &g);
    give_w(p, z, w);
    return p;
}

TEST(ties_follow_the_side_of_the_direction)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double z[tied_count], dz[tied_count], other[tied_count];
        perp_problem *p = tied_problem(seed, z);
        perp_sensitivity *g = sensitivity_of(p, z, NULL);
        perp_random draw = {seed + 20};
        direction d = direction_draw(tied_count, &draw);
        perp_operator *dA = d.dA;
        double kink = 0.0;

        for (size_t i = 0; i < tied_count; i++) {
            CU_ASSERT_EQUAL(perp_sensitivity_state(g, i), tied_rows[i].state);
        }
        for (int side = 0; side < 4; side++) { /* in b, then in b and A; back and forth */
            double *expected = NULL;

            d.dA = side < 2 ? NULL : dA;
            OK(perp_sensitivity_forward(g, d.db, d.dA, dz, NULL, NULL));
            expected = difference(p, &d, step, 0.0, "lemke");
            CU_ASSERT(
                agrees(dz, expected, tied_count, side < 2 ? linear_err : one_sided_err));
            for (size_t i = 0; side % 2 && i < tied_count; i++) {
                kink = fmax(kink, fabs(dz[i] + other[i]));
            }
            memcpy(other, dz, sizeof other);
            for (size_t i = 0; i < tied_count; i++) { /* the other way */
                d.db[i] = -d.db[i];
            }
            for (size_t k = 0; k < dA->ld * tied_count; k++) {
                dA->x[k] = -dA->x[k];
            }
        }
        CU_ASSERT(kink > 0.01); /* the two sides are no one line */
        d.dA = dA;
        direction_free(&d);
    }
}

/* The chosen piece at ties: adjoint and matrix are one map, whichever side. */
TEST(each_side_of_the_ties_is_one_linear_map)
{
    for (int side = 0; side < 2; side++) {
        const perp_sensitivity_options options = {.ties = side ? PERP_TIES_FREE
                                                               : PERP_TIES_OPEN};
        double z[tied_count], bbar[tied_count], matrix[tied_count * tied_count];
        perp_problem *p = tied_problem(3, z);
        perp_sensitivity *g = sensitivity_of(p, z, &options);
        size_t directions = 0;

        perp_sensitivity_matrix(g, matrix);
        perp_sensitivity_adjoint(g, z, NULL, bbar);
        for (size_t j = 0; j < tied_count; j++) {
            double sum = 0.0;

            for (size_t i = 0; i < tied_count; i++) {
                sum += z[i] * matrix[i + tied_count * j];
            }
            CU_ASSERT_DOUBLE_EQUAL(sum, bbar[j], 1e-12); /* sums of 17 numbers near 1 */
        }
        perp_sensitivity_rank(g, &directions);
        CU_ASSERT_EQUAL(directions,
                        side ? 10 : 3); /* 3 free rows; 7 tied that may move */
    }
}

/* Contacts of one problem: (z, w) of each, mu = 0.4. */
typedef struct contact {
    double z[3], w[3];
    perp_active state;
} contact;

/* Sticking, sliding along (0.6, 0.8), open; then ties: about to slide, about to close
 * while sliding past, at rest without force. */
static const contact contacts[] = {
    {{1, 0.1, -0.2}, {0, 0, 0}, PERP_ACTIVE_FREE},
    {{2, -0.48, -0.64}, {0, 0.6, 0.8}, PERP_ACTIVE_SLIDING},
    {{0, 0, 0}, {0.5, 0.3, -0.1}, PERP_ACTIVE_OPEN},
    {{0.5, 0.12, 0.16}, {0, 0, 0}, PERP_ACTIVE_TIED},
    {{0, 0, 0}, {0, 0.5, 0.2}, PERP_ACTIVE_TIED},
    {{0, 0, 0}, {0, 0, 0}, PERP_ACTIVE_TIED},
};

/* In the plane the second tangent is left out, in 2D and 3D; w of the associated law has
 * mu |w_T| more along the normal. */
static perp_problem *contact_problem(unsigned dim, size_t count, perp_law law,
                                     uint64_t seed, double *z)
{
    const double mu[] = {0.4, 0.4, 0.4, 0.4, 0.4, 0.4};
    perp_random g = {seed};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    double w[18];

    OK(perp_set_new_cones(&set, dim, count, mu, NULL));
    p = test_problem(asymmetric(dim * count, seed), set, law, &g);
    for (size_t k = 0; k < count; k++) {
        bool slides = contacts[k].z[0] == 2;
        double slip =
            dim == 2 ? fabs(contacts[k].w[1]) : hypot(contacts[k].w[1], contacts[k].w[2]);

        for (unsigned i = 0; i < dim; i++) {
            z[dim * k + i] = contacts[k].z[i];
            w[dim * k + i] = contacts[k].w[i];
        }
        w[dim * k] += law == PERP_LAW_ASSOCIATED ? 0.4 * slip : 0.0;
        if (dim == 2 && slides) {
            z[dim * k + 1] = -0.8;
        }
        if (dim == 2 && k == 3) {
            z[dim * k + 1] = 0.2;
        }
    }
    give_w(p, z, w);
    return p;
}

static const struct {
    unsigned dim;
    perp_law law;
    const char *solver;
} kinds[] = {
    {3, PERP_LAW_COULOMB, "nsgs"},
    {2, PERP_LAW_COULOMB, "nsgs"},
    {3, PERP_LAW_ASSOCIATED, "nsgs"},
    {2, PERP_LAW_ASSOCIATED, "nsgs"},
};

TEST(cones_stick_slide_and_open)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            double z[18], dz[18], dw[18], bbar[18];
            size_t n = 3 * kinds[k].dim;
            perp_problem *p = contact_problem(kinds[k].dim, 3, kinds[k].law, seed, z);
            perp_sensitivity *g = sensitivity_of(p, z, NULL);
            perp_random draw = {seed};
            direction d = direction_draw(n, &draw);
            double *expected =
                difference(p, &d, curved_step, curved_step, kinds[k].solver);
            double left = 0.0, right = 0.0;

            for (size_t i = 0; i < n; i++) {
                CU_ASSERT_EQUAL(perp_sensitivity_state(g, i),
                                contacts[i / kinds[k].dim].state);
            }
            OK(perp_sensitivity_forward(g, d.db, d.dA, dz, dw, NULL));
            if (!agrees(dz, expected, n, curved_err)) {
                test_note("kind %zu, seed %d", k, (int)seed);
                CU_FAIL("dz differs from the differences");
            }
            perp_sensitivity_adjoint(g, dz, NULL, bbar);
            perp_operator_apply(d.dA, z, dw);
            for (size_t i = 0; i < n; i++) {
                left += dz[i] * dz[i];
                right += bbar[i] * (d.db[i] + dw[i]);
            }
            CU_ASSERT_DOUBLE_EQUAL(left, right, 1e-12 * fmax(1.0, left));
            direction_free(&d);
        }
    }
}

TEST(tied_cones_follow_the_side_of_the_direction)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            double z[18], dz[18];
            size_t n = 6 * kinds[k].dim;
            perp_problem *p = contact_problem(kinds[k].dim, 6, kinds[k].law, seed, z);
            perp_sensitivity *g = sensitivity_of(p, z, NULL);
            perp_random draw = {seed};
            direction d = direction_draw(n, &draw);

            for (size_t i = 0; i < n; i++) {
                CU_ASSERT_EQUAL(perp_sensitivity_state(g, i),
                                contacts[i / kinds[k].dim].state);
            }
            for (int side = 0; side < 2; side++) {
                double *expected = difference(p, &d, step, 0.0, kinds[k].solver);

                OK(perp_sensitivity_forward(g, d.db, d.dA, dz, NULL, NULL));
                if (!agrees(dz, expected, n, one_sided_err)) {
                    test_note("kind %zu, seed %d, side %d", k, (int)seed, side);
                    CU_FAIL("dz differs from the differences");
                }
                for (size_t i = 0; i < n; i++) {
                    d.db[i] = -d.db[i];
                }
                for (size_t i = 0; i < d.dA->ld * n; i++) {
                    d.dA->x[i] = -d.dA->x[i];
                }
            }
            direction_free(&d);
        }
    }
}

/* Sticking, sliding, about to slide, of no radius. */
TEST(disks_stick_and_slide)
{
    const double z[] = {0.1, 0.2, -0.3, -0.4, 0.3, -0.4, 0, 0};
    const double w[] = {0, 0, 0.6, 0.8, 0, 0, 0.1, 0.2};
    const perp_active states[] = {PERP_ACTIVE_FREE, PERP_ACTIVE_SLIDING, PERP_ACTIVE_TIED,
                                  PERP_ACTIVE_OPEN};
    perp_random draw = {4};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_sensitivity *g = NULL;
    direction d = direction_draw(8, &draw);
    double dz[8];

    OK(perp_set_new(&set, 4, NULL));
    for (int k = 0; k < 4; k++) {
        perp_set_add_disk(set, k < 3 ? 0.5 : 0.0);
    }
    p = test_problem(test_spd(8, 6), set, PERP_LAW_COULOMB, &draw);
    give_w(p, z, w);
    g = sensitivity_of(p, z, NULL);
    for (size_t i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(perp_sensitivity_state(g, i), states[i / 2]);
        for (size_t j = 0; j < i; j++) { /* nsgs and its kin take it symmetric */
            d.dA->x[i + j * d.dA->ld] = d.dA->x[j + i * d.dA->ld];
        }
    }
    for (int side = 0; side < 2; side++) {
        double *expected = difference(p, &d, step, 0.0, "nsgs");

        OK(perp_sensitivity_forward(g, d.db, d.dA, dz, NULL, NULL));
        CU_ASSERT(agrees(dz, expected, 8, one_sided_err));
        for (size_t i = 0; i < 8; i++) {
            d.db[i] = -d.db[i];
        }
        for (size_t i = 0; i < d.dA->ld * 8; i++) {
            d.dA->x[i] = -d.dA->x[i];
        }
    }
    direction_free(&d);
}

/* Without friction only the normal moves, sticking or about to close. */
TEST(cones_without_friction_are_their_normals)
{
    const double mu[] = {0, 0}, z[] = {1, 0, 0, 0, 0, 0}, w[] = {0, 0.3, 0, 0, 0, 0.2};
    const double db[] = {-1, 0, 0, -2, 0, 0};
    perp_random draw = {4};
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_sensitivity *g = NULL;
    double dz[6];

    OK(perp_set_new_cones(&set, 3, 2, mu, NULL));
    p = test_problem(test_spd(6, 6), set, PERP_LAW_COULOMB, &draw);
    give_w(p, z, w);
    g = sensitivity_of(p, z, NULL);
    CU_ASSERT_EQUAL(perp_sensitivity_state(g, 0), PERP_ACTIVE_FREE);
    CU_ASSERT_EQUAL(perp_sensitivity_state(g, 3), PERP_ACTIVE_TIED);
    CU_ASSERT_EQUAL(perp_sensitivity_count(g, PERP_ACTIVE_OPEN), 4);
    OK(perp_sensitivity_forward(g, db, NULL, dz, NULL, NULL));
    CU_ASSERT(dz[0] > 0.0 && dz[3] > 0.0);
    CU_ASSERT(dz[1] == 0.0 && dz[2] == 0.0 && dz[4] == 0.0 && dz[5] == 0.0);
}

/* z_1 = 0 tied, S = -1: no z >= 0 with -z - 1 >= 0. */
TEST(a_direction_without_a_way_is_said)
{
    const double minus[] = {-1}, nothing[] = {0}, down[] = {-1};
    perp_problem *p = test_lcp(1, minus, nothing);
    perp_sensitivity *g = sensitivity_of(p, nothing, NULL);
    perp_error err = {0};
    double dz = 0.0;

    CU_ASSERT_EQUAL(perp_sensitivity_forward(g, down, NULL, &dz, NULL, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no derivative of the 1 tied rows"));
}
