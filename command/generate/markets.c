/* SPDX-License-Identifier: Apache-2.0
 * families/markets.c: games and markets.
 *
 *     game        two players with costs A (m x n) and B: M = [0 A; B^T 0], q = -1. The mixed strategies of an
 *                 equilibrium are z of each player over its sum [lemke-howson-1964]
 *     transport   plants ship to markets at least cost: 0 <= x_ij _|_ c_ij + u_i - v_j >= 0,
 *                 0 <= u_i _|_ a_i - sum_j x_ij >= 0, 0 <= v_j _|_ sum_i x_ij - d_j + slope v_j >= 0 with prices u
 *                 of capacity and v of demand [cottle-pang-stone-2009, section 1.2] */
#include <config.h>

#include "base/base.h"
#include "build.h"

enum { GENERAL, ZERO_SUM, DEGENERATE, KNOWN };

/* Costs in row i and column j of both players. */
static void game_costs(size_t kind, size_t i, size_t j, perp_random *g, double *a,
                       double *b)
{
    switch (kind) {
    case KNOWN: /* each of the pairs (k, k) is an equilibrium */
        *a = *b = i == j ? 1.0 : 2.0;
        break;
    case DEGENERATE:
        *a = 1.0 + floor(3.0 * perp_random_unit(g));
        *b = 1.0 + floor(3.0 * perp_random_unit(g));
        break;
    case ZERO_SUM:
        *a = 1.0 + perp_random_unit(g);
        *b = 3.0 - *a;
        break;
    default:
        *a = 1.0 + perp_random_unit(g);
        *b = 1.0 + perp_random_unit(g);
        break;
    }
}

static perp_status game_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    const size_t m = (size_t)perp_options_integer(opt, "m");
    const size_t n = (size_t)perp_options_integer(opt, "n");
    const size_t kind = perp_options_choice(opt, "kind");
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    family_draft d;

    TRY(family_dense(&d, m + n, err));
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            double a = 0.0, b = 0.0;

            game_costs(kind, i, j, &g, &a, &b);
            *family_at(&d, i, m + j) = a;
            *family_at(&d, m + j, i) = b;
        }
    }
    for (size_t i = 0; i < m + n; i++) {
        d.b[i] = -1.0;
        d.z[i] = i == 0 || i == m ? 1.0 : 0.0;
        d.w[i] = 1.0 - d.z[i];
    }
    return family_finish(&d, kind == KNOWN ? FAMILY_ANSWER : FAMILY_NO_ANSWER, p, err);
}

static perp_status transport_make(const perp_options *opt, perp_problem **p,
                                  perp_error *err)
{
    const size_t plants = (size_t)perp_options_integer(opt, "plants");
    const size_t markets = (size_t)perp_options_integer(opt, "markets");
    const double slope = perp_options_real(opt, "slope");
    const double spare = perp_options_real(opt, "spare");
    const size_t routes = plants * markets;
    perp_random g = {(uint64_t)perp_options_integer(opt, "seed")};
    double demand = 0.0;
    family_draft d;

    family_sparse(&d, routes + plants + markets, 4 * routes + markets);
    for (size_t j = 0; j < markets; j++) {
        const size_t v = routes + plants + j;

        d.b[v] = -(1.0 + perp_random_unit(&g));
        demand -= d.b[v];
        if (slope > 0.0) {
            family_entry(&d, v, v, slope);
        }
    }
    for (size_t i = 0; i < plants; i++) {
        d.b[routes + i] = (1.0 + spare) * demand / (double)plants;
        for (size_t j = 0; j < markets; j++) {
            const size_t x = i * markets + j, v = routes + plants + j;

            d.b[x] = 1.0 + 2.0 * perp_random_unit(&g);
            family_entry(&d, x, routes + i, 1.0);
            family_entry(&d, routes + i, x, -1.0);
            family_entry(&d, x, v, -1.0);
            family_entry(&d, v, x, 1.0);
        }
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

static const perp_option game_parameters[] = {
    PERP_INTEGER("m", 8, 1, 10000, "strategies of the first player"),
    PERP_INTEGER("n", 8, 1, 10000, "strategies of the second player"),
    PERP_INTEGER("seed", 1, 0, 1e15, "of the costs"),
    PERP_CHOICE("kind", GENERAL, "general|zero-sum|degenerate|known",
                "costs of both drawn, with a constant sum, of 1, 2 and 3 alone, or such "
                "that all (k, k) "
                "are equilibria"),
    PERP_OPTION_END,
};

static const perp_option transport_parameters[] = {
    PERP_INTEGER("plants", 3, 1, 10000, "plants"),
    PERP_INTEGER("markets", 4, 1, 10000, "markets"),
    PERP_INTEGER("seed", 1, 0, 1e15, "of costs and demands"),
    PERP_REAL_CLOSED("slope", 0.0, 0.0, 1e6,
                     "demand that a price of 1 takes away; 0: a linear program"),
    PERP_REAL_CLOSED("spare", 0.2, 0.0, 1e6,
                     "capacity beyond all demand, as a share of it"),
    PERP_OPTION_END,
};

const perp_family perp_family_game = {
    .name = "game",
    .summary = "bimatrix games; Lemke's method with a covering vector ends on a ray",
    .reference = "lemke-howson-1964",
    .parameters = game_parameters,
    .make = game_make,
};

const perp_family perp_family_transport = {
    .name = "transport",
    .summary = "prices and shipments of plants and markets, skew-symmetric but for "
               "elastic demand",
    .reference = "cottle-pang-stone-2009",
    .parameters = transport_parameters,
    .make = transport_make,
};
