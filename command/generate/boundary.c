/* SPDX-License-Identifier: Apache-2.0
 * families/boundary.c: free boundary problems on grids: sparse, and as large as one likes.
 *
 *     obstacle         -u'' = -8 on (0, 1), u >= -1/2, u = 0 at the ends; z = u + 1/2
 *     obstacle-2d      -Laplace u = -c on the unit square, the same obstacle; m^2 rows
 *     journal-bearing  Reynolds' equation of an infinitely long bearing, z = pressure
 *     american-put     the first step of implicit Euler for an American put, log prices;
 *                      z = value - payoff; as a sequence, all steps of the year
 *     american-option  the same of puts and calls, with volatility, rates, dividends and maturity */
#include <config.h>

#include "base/base.h"
#include "build.h"
#include "command/cli/take.h"

static const double pi = 3.14159265358979323846;

static perp_status obstacle_make(const perp_options *opt, perp_problem **p,
                                 perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    double h = 1.0 / (double)(n + 1);
    family_draft d;

    family_sparse(&d, n, 3 * n);
    for (size_t i = 0; i < n; i++) {
        d.b[i] = 8.0 * h * h;
        if (i > 0) {
            family_entry(&d, i, i - 1, -1.0);
        }
        family_entry(&d, i, i, 2.0);
        if (i + 1 < n) {
            family_entry(&d, i, i + 1, -1.0);
        }
    }
    d.b[0] -= 0.5; /* z = 1/2 at the ends */
    d.b[n - 1] -= 0.5;
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

static perp_status obstacle_2d_make(const perp_options *opt, perp_problem **p,
                                    perp_error *err)
{
    size_t m = (size_t)perp_options_integer(opt, "m");
    double load = perp_options_real(opt, "load");
    double h = 1.0 / (double)(m + 1);
    family_draft d;

    family_sparse(&d, m * m, 5 * m * m);
    for (size_t k = 0; k < m * m; k++) {
        size_t row = k / m;
        size_t column = k % m;
        const bool inside[4] = {row > 0, column > 0, column + 1 < m, row + 1 < m};
        const size_t neighbour[4] = {k - m, k - 1, k + 1, k + m};

        d.b[k] = load * h * h;
        for (size_t side = 0; side < 4; side++) {
            if (side == 2) { /* columns ascend */
                family_entry(&d, k, k, 4.0);
            }
            if (inside[side]) {
                family_entry(&d, k, neighbour[side], -1.0);
            } else {
                d.b[k] -= 0.5;
            }
        }
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

/* H(x)^3 and H(x) are taken half a step to the left and right of a node. */
static perp_status journal_bearing_make(const perp_options *opt, perp_problem **p,
                                        perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    double eccentricity = perp_options_real(opt, "eccentricity");
    double step = 2.0 * pi / (double)(n + 1);
    family_draft d;

    family_sparse(&d, n, 3 * n);
    for (size_t i = 0; i < n; i++) {
        double x = (double)(i + 1) * step;
        double right = 1.0 + eccentricity * cos(x + step / 2.0);
        double left = 1.0 + eccentricity * cos(x - step / 2.0);
        double right3 = right * right * right;
        double left3 = left * left * left;

        if (i > 0) {
            family_entry(&d, i, i - 1, -left3);
        }
        family_entry(&d, i, i, right3 + left3);
        if (i + 1 < n) {
            family_entry(&d, i, i + 1, -right3);
        }
        d.b[i] = step * (right - left);
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

/* Strike and spot 100, rate 0.05, volatility 0.3, one year; log(S/K) between +-log 3. An option has further
 * parameters. */
typedef struct put {
    size_t n;
    bool call;
    double dt, dx, range;
    double stencil[3]; /* of M: left, middle, right */
} put;

static double put_parameter(const perp_options *opt, const char *name, double usual)
{
    return perp_options_find(opt, name) ? perp_options_real(opt, name) : usual;
}

static put put_of(const perp_options *opt)
{
    const double rate = put_parameter(opt, "rate", 0.05);
    const double dividend = put_parameter(opt, "dividend", 0.0);
    const double sigma = put_parameter(opt, "volatility", 0.3);
    put o = {.n = (size_t)perp_options_integer(opt, "n"),
             .call =
                 perp_options_find(opt, "kind") && perp_options_choice(opt, "kind") == 1,
             .range = log(3.0)};
    double spread = 0.0;
    double drift = 0.0;

    o.dt =
        put_parameter(opt, "maturity", 1.0) / (double)perp_options_integer(opt, "steps");
    o.dx = 2.0 * o.range / (double)(o.n + 1);
    spread = sigma * sigma / 2.0 / (o.dx * o.dx);
    drift = (rate - dividend - sigma * sigma / 2.0) / 2.0 / o.dx;
    o.stencil[0] = -o.dt * (spread - drift);
    o.stencil[1] = 1.0 + o.dt * (sigma * sigma / (o.dx * o.dx) + rate);
    o.stencil[2] = -o.dt * (spread + drift);
    return o;
}

/* At node i of 0 .. n+1, ends included. */
static double put_payoff(const put *o, size_t i)
{
    const double strike = 100.0;

    const double gain = strike - strike * exp(-o->range + (double)i * o->dx);

    return fmax(o->call ? -gain : gain, 0.0);
}

/* One step from the values payoff + z of the step before (z NULL: the payoff itself):
 * b = M payoff - V. */
static perp_status put_step(const put *o, const double *z, perp_problem **p,
                            perp_error *err)
{
    size_t n = o->n;
    family_draft d;

    family_sparse(&d, n, 3 * n);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;

        for (size_t k = 0; k < 3; k++) {
            bool inside = i + k >= 1 && i + k <= n;

            /* beyond the ends the value is the payoff: M payoff takes it along */
            sum += o->stencil[k] * put_payoff(o, i + k);
            if (inside) {
                family_entry(&d, i, i + k - 1, o->stencil[k]);
            }
        }
        d.b[i] = sum - (put_payoff(o, i + 1) + (z ? z[i] : 0.0));
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

static perp_status american_put_make(const perp_options *opt, perp_problem **p,
                                     perp_error *err)
{
    put o = put_of(opt);

    return put_step(&o, NULL, p, err);
}

/* z of a step in one pass: exercise of a put pays where the price is low, so the columns on the right
 * are eliminated first (of a call those on the left), and an entry that turns negative in the back substitution is set to 0
 * [brennan-schwartz-1977].
 * d: n numbers of scratch. */
static void put_solve(const put *o, const double *b, double *d, double *z)
{
    const size_t n = o->n;
    const double right = o->stencil[o->call ? 0 : 2], left = o->stencil[o->call ? 2 : 0];

    for (size_t k = n; k-- > 0;) { /* k: from the side where exercise pays */
        const size_t i = o->call ? n - 1 - k : k, next = o->call ? i - 1 : i + 1;
        const double factor = k + 1 < n ? right / d[next] : 0.0;

        d[i] = o->stencil[1] - (k + 1 < n ? factor * left : 0.0);
        z[i] = -b[i] - (k + 1 < n ? factor * z[next] : 0.0);
    }
    for (size_t k = 0; k < n; k++) {
        const size_t i = o->call ? n - 1 - k : k, last = o->call ? i + 1 : i - 1;

        z[i] = fmax((z[i] - (k > 0 ? left * z[last] : 0.0)) / d[i], 0.0);
    }
}

/* The year, step by step; every node keeps its key. */
static perp_status american_put_sequence(const perp_options *opt, perp_sequence *s,
                                         perp_error *err)
{
    put o = put_of(opt);
    size_t steps = (size_t)perp_options_integer(opt, "steps");
    double *z = take_reals(o.n);
    double *d = take_reals(o.n);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < steps && status == PERP_OK; k++) {
        perp_sequence_item step = {.t = (double)(k + 1) * o.dt, .h = o.dt};

        status = put_step(&o, z, &step.problem, err);
        if (status == PERP_OK) {
            put_solve(&o, step.problem->b, d, z);
            family_keys_by_place(&step);
        }
        if (status == PERP_OK) {
            status = perp_sequence_add(s, &step, err);
        }
        perp_sequence_item_clear(&step);
    }
    free(z);
    free(d);
    return status;
}

static const perp_option no_further[] = {PERP_OPTION_END};

static const perp_option obstacle_parameters[] = {
    PERP_INTEGER("n", 31, 1, 1e8, "interior points"),
    PERP_OPTION_END,
};

static const perp_option obstacle_2d_parameters[] = {
    PERP_INTEGER("m", 32, 1, 10000, "interior points of a side; m^2 rows"),
    PERP_REAL_CLOSED("load", 16.0, 0.0, 1e6, "c of -Laplace u = -c"),
    PERP_OPTION_END,
};

static const perp_option journal_bearing_parameters[] = {
    PERP_INTEGER("n", 32, 1, 1e8, "interior points"),
    PERP_REAL_CLOSED("eccentricity", 0.8, 0.0, 0.999, "of the film H = 1 + e cos x"),
    PERP_OPTION_END,
};

static const perp_option american_put_parameters[] = {
    PERP_INTEGER("n", 40, 1, 1e8, "interior points in log price"),
    PERP_INTEGER("steps", 20, 1, 1e6, "time steps a year"),
    PERP_OPTION_END,
};

static const perp_option american_option_parameters[] = {
    PERP_INTEGER("n", 200, 1, 1e8, "interior points in log price"),
    PERP_INTEGER("steps", 50, 1, 1e6, "time steps to maturity"),
    PERP_CHOICE("kind", 0, "put|call", "right to sell, or to buy at the strike"),
    PERP_REAL_CLOSED("volatility", 0.2, 1e-3, 10.0,
                     "of the price, per square root of a year"),
    PERP_REAL_CLOSED("rate", 0.05, 0.0, 10.0, "of interest, a year"),
    PERP_REAL_CLOSED("dividend", 0.0, 0.0, 10.0,
                     "rate, a year; without it a call is not exercised early"),
    PERP_REAL_CLOSED("maturity", 1.0, 1e-6, 1000.0, "years"),
    PERP_OPTION_END,
};

const perp_family perp_family_obstacle = {
    .name = "obstacle",
    .summary = "string on a flat obstacle, tridiagonal",
    .reference = "cottle-pang-stone-2009",
    .parameters = obstacle_parameters,
    .make = obstacle_make,
};

const perp_family perp_family_obstacle_2d = {
    .name = "obstacle-2d",
    .summary = "membrane on a flat obstacle, 5-point Laplacian, m^2 rows",
    .reference = "cottle-pang-stone-2009",
    .parameters = obstacle_2d_parameters,
    .make = obstacle_2d_make,
    .grows = "load",
};

const perp_family perp_family_journal_bearing = {
    .name = "journal-bearing",
    .summary = "pressure in an infinitely long journal bearing",
    .reference = "cryer-1971",
    .parameters = journal_bearing_parameters,
    .make = journal_bearing_make,
    .grows = "eccentricity",
};

const perp_family perp_family_american_put = {
    .name = "american-put",
    .summary = "first implicit step of an American put, not symmetric",
    .reference = "brennan-schwartz-1977",
    .parameters = american_put_parameters,
    .make = american_put_make,
    .sequence_parameters = no_further,
    .sequence = american_put_sequence,
};

const perp_family perp_family_american_option = {
    .name = "american-option",
    .summary = "first implicit step of an American put or call, not symmetric",
    .reference = "brennan-schwartz-1977",
    .parameters = american_option_parameters,
    .make = american_put_make,
    .sequence_parameters = no_further,
    .sequence = american_put_sequence,
};
