/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_path.c: one pivot of Lemke's method.
 *
 *     a       rates at which the basic variables fall while the entering one grows
 *     leaving lexargmin { (c_i, beta_i) / a_i : a_i > zero max(1, |a|_inf) }
 *     t       = c_leaving / a_leaving,   c -= t a
 *
 * beta_i is row i of the inverse of the basis. It decides ties only, column by column,
 * and is computed only then: column k is a unit vector while w_k is basic, and the rates
 * of w_k while it is not. With it no basis is visited twice [cottle-pang-stone-2009,
 * section 4.9]; with the first index instead, [kostreva-1979] cycles. When the path
 * begins at another basis, its own variables z_k take the part of w_k in it.
 *
 * Cost of a pivot in addition to that of the form: four passes over n numbers. */
#include <config.h>

#include <cblas.h>

#include "lemke.h"

/* Two ratios are tied within this, relative to the larger of the data and themselves:
 * some thousand roundings, the loss of a few dozen pivots. */
static const double tie = 1e-12;

/* The same where rates were refined: a few roundings. Where z0 is down to 1e-10, so are the
 * values that must be distinguished from zero. */
static const double tie_refined = 1e-14;

/* The same for entries of beta. They carry the condition of the basis (an error of 3e-12 is
 * seen on Fathi's family with 8 rows), and one that is wrongly taken for tied only leaves
 * the choice to the next. */
static const double tie_beta = 1e-9;

/* Values carry this error, relative to the data; z0 is ignored while it is larger
 * than nearly_there. */
static const double slack = 1e-12;
static const double nearly_there = 1e-6;

/* The pivot of a tie should not be smaller than this, relative to the largest rate. */
static const double small_pivot = 1e-7;

bool perp_lemke_path_is_feasible(const lemke *s)
{
    for (int i = 0; i < s->n; i++) {
        if (!(s->c[i] >= 0.0)) {
            return false;
        }
    }
    return true;
}

/* Positions that block, and where; sign is -1 for z0's entry, which lifts all of them. */
static int path_candidates(lemke *s, double sign)
{
    const double *a = s->a, *c = s->c;
    int *candidate = s->candidate;
    const double largest = fabs(a[cblas_idamax(s->n, a, 1)]);
    const double zero = fmax(s->zero * fmax(1.0, largest), 10.0 * s->noise);
    const double floor = sign > 0.0 ? 0.0 : -INFINITY; /* below it: rounding */
    int count = 0;

    for (int i = 0; i < s->n; i++) {
        candidate[count] = i;
        count += sign * a[i] > zero;
    }
    for (int k = 0; k < count; k++) {
        int i = candidate[k];
        double value = c[i] > floor ? c[i] : floor;

        s->ratio[k] = value / (sign * a[i]);
    }
    return count;
}

/* Could z0 leave if every value were larger by `slack`? Where the basis is singular in
 * the limit, as at the end of the path of a degenerate problem, the first to block may be
 * a value that is rounding over a rate that is nearly so. */
static bool path_covering_can_leave(const lemke *s, int count)
{
    const int covering = s->place[2 * s->n];
    double first = INFINITY, t = 0.0;

    if (covering < 0 || !(s->a[covering] > s->zero)) {
        return false;
    }
    t = s->c[covering] / s->a[covering];
    for (int k = 0; k < count; k++) {
        first = s->ratio[k] < first ? s->ratio[k] : first;
    }
    if (s->c[covering] - first * s->a[covering] > nearly_there * s->size) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (t > s->ratio[k] + slack * s->size / s->a[s->candidate[k]]) {
            return false;
        }
    }
    return true;
}

/* Keep the candidates that block first; the others are dropped from the list. */
static int path_select_first(lemke *s, int count)
{
    double least = INFINITY;
    int kept = 0;

    for (int k = 0; k < count; k++) {
        least = s->ratio[k] < least ? s->ratio[k] : least;
    }
    least += (s->refined ? tie_refined : tie) * (s->size + fabs(least));
    for (int k = 0; k < count; k++) {
        int i = s->candidate[k];

        s->candidate[kept] = i;
        kept += s->ratio[k] <= least;
    }
    return kept;
}

/* Of the tied positions in the list, keep those of the least rate of `column` over a. */
static int path_filter(lemke *s, int column, double sign, int count)
{
    double *rate = s->ratio;
    double least = INFINITY;
    int kept = 0;

    s->form->rates_at(s, column, s->candidate, count, rate);
    for (int k = 0; k < count; k++) {
        rate[k] /= sign * s->a[s->candidate[k]];
        least = rate[k] < least ? rate[k] : least;
    }
    least += tie_beta * (1.0 + fabs(least));
    for (int k = 0; k < count; k++) {
        int i = s->candidate[k];

        s->candidate[kept] = i;
        s->is_tied[i] = rate[k] <= least;
        kept += s->is_tied[i];
    }
    return kept;
}

/* Drop from the list the positions that are no longer tied. */
static int path_compact(lemke *s, int count)
{
    int kept = 0;

    for (int k = 0; k < count; k++) {
        s->candidate[kept] = s->candidate[k];
        kept += s->is_tied[s->candidate[k]];
    }
    return kept;
}

/* Decide a tie by the columns of beta, one after the other. */
static int path_break_tie(lemke *s, double sign, int count)
{
    int listed = count; /* candidates still in the list, of which `count` are tied */
    int winner = 0;

    for (int k = 0; k < count; k++) {
        s->is_tied[s->candidate[k]] = 1;
    }
    for (int k = 0; k < s->n && count > 1; k++) {
        int variable = s->swapped[k] ? s->n + k : k;
        int position = s->place[variable];

        if (position >= 0) { /* 1 in its own row, 0 in the others: it is not the least */
            count -= s->is_tied[position];
            s->is_tied[position] = 0;
        } else if (variable != s->entering) { /* its own rates over a are 1 throughout */
            listed = path_compact(s, listed);
            count = listed = path_filter(s, variable, sign, listed);
        }
    }
    listed = path_compact(s, listed);
    winner = s->candidate[0];
    for (int k = 0; k < listed; k++) {
        int i = s->candidate[k];

        s->is_tied[i] = 0;
        winner = s->label[i] < s->label[winner] ? i : winner;
    }
    return winner;
}

/* The position that leaves: z0 if it can, else the lexicographic choice, unless its pivot
 * is so small that it would spoil more than the order of ties protects. */
static int path_leaving(lemke *s, double sign, int count)
{
    int covering = s->place[2 * s->n];
    int leaving = s->candidate[0];
    double largest = 0.0;

    memcpy(s->tied, s->candidate, (size_t)count * sizeof *s->tied);
    if (count == 1) {
        return leaving;
    }
    for (int k = 0; k < count; k++) {
        if (s->tied[k] == covering) {
            return covering;
        }
    }
    leaving = path_break_tie(s, sign, count);
    largest = fabs(s->a[cblas_idamax(s->n, s->a, 1)]);
    if (fabs(s->a[leaving]) < small_pivot * largest) {
        for (int k = 0; k < count; k++) {
            leaving = fabs(s->a[s->tied[k]]) > fabs(s->a[leaving]) ? s->tied[k] : leaving;
        }
    }
    return leaving;
}

static int path_complement(const lemke *s, int variable)
{
    return variable < s->n ? variable + s->n : variable - s->n;
}

lemke_step perp_lemke_path_step(lemke *s, double *count)
{
    const double sign = s->covered ? 1.0 : -1.0;
    const int covering = 2 * s->n;
    int tied = 0, leaving = 0, variable = 0;
    double t = 0.0;

    /* Which basic variable blocks first? */
    s->form->rates(s, s->entering, s->a);
    tied = path_candidates(s, sign);
    if (tied == 0) {
        return LEMKE_AT_RAY;
    }
    if (path_covering_can_leave(s, tied)) {
        leaving = s->place[covering];
        tied = 0;
    } else {
        tied = path_select_first(s, tied);
        leaving = path_leaving(s, sign, tied);
    }
    s->ties = tied;
    variable = s->label[leaving];

    /* Move there; those that were tied arrive at zero together, exactly. */
    t = s->c[leaving] / s->a[leaving];
    t = t > 0.0 ? t : 0.0;
    cblas_daxpy(s->n, -t, s->a, 1, s->c, 1);
    for (int k = 0; k < tied; k++) {
        s->c[s->tied[k]] = 0.0;
    }

    if (variable == covering) {
        s->c[leaving] = t;
        s->label[leaving] = s->entering;
        *count += 1.0;
        return LEMKE_AT_SOLUTION;
    }
    switch (s->form->exchange(s, s->entering, leaving, t)) {
    case LEMKE_EXCHANGED:
        *count += 1.0;
        s->covered = true;
        s->entering = path_complement(s, variable);
        return LEMKE_GOES_ON;
    case LEMKE_RENEWED:
        return LEMKE_GOES_ON;
    default:
        return LEMKE_STUCK;
    }
}

double perp_lemke_path_covering(const lemke *s)
{
    const int position = s->place[2 * s->n];

    return position >= 0 ? s->c[position] : INFINITY;
}

void perp_lemke_path_point(const lemke *s, double *z)
{
    memset(z, 0, (size_t)s->n * sizeof *z);
    for (int i = 0; i < s->n; i++) {
        int variable = s->label[i];

        if (variable >= s->n && variable < 2 * s->n) {
            z[variable - s->n] = s->c[i] > 0.0 ? s->c[i] : 0.0;
        }
    }
}

double perp_lemke_path_ray(const lemke *s, double *y)
{
    const int covering = s->place[2 * s->n];
    double dz0 = covering >= 0 && s->a[covering] < 0.0 ? -s->a[covering] : 0.0;
    double largest = 0.0;

    memset(y, 0, (size_t)s->n * sizeof *y);
    if (s->entering >= s->n && s->entering < 2 * s->n) {
        y[s->entering - s->n] = 1.0;
        largest = 1.0;
    }
    for (int i = 0; i < s->n; i++) {
        int variable = s->label[i];

        if (variable >= s->n && variable < 2 * s->n && s->a[i] < 0.0) {
            y[variable - s->n] = -s->a[i];
            largest = fmax(largest, -s->a[i]);
        }
    }
    largest = largest > 0.0 ? largest : dz0;
    for (int i = 0; i < s->n && largest > 0.0; i++) {
        y[i] /= largest;
    }
    return largest > 0.0 ? dz0 / largest : 0.0;
}
