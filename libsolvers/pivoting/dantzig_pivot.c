/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_pivot.c: the principal pivots of the boxed problem.
 *
 *     C: lo < z < hi, w = 0 (factored);  N: at a bound with the right sign of w.
 *     A row i that is in neither moves its z_i against w_i, and C follows:
 *         dz_C = -A_CC^-1 A_Ci dir,  dw_N = A_NC dz_C + A_Ni dir,
 *         dw_i = dir (A_ii - A_iC A_CC^-1 A_Ci)
 *     until w_i = 0 (i joins C), z_i meets a bound (i joins N), a z_k of C meets a bound
 *     (k leaves C) or a w_k of N meets zero (k enters C); in the last two cases i moves on.
 *
 * Finite for positive definite A without ties [cottle-dantzig-1968]; ties take the smallest
 * index. The rows may be taken in any order: to take the row whose w is most wrong needs a
 * third of the pivots of the order by number (n = 800, condition 1e4: 450 instead of 1400),
 * since rows that come right by themselves are never driven. For that order the w of the rows
 * that wait is kept up to date with those of N. An event costs one or two triangular solves
 * and the product A_NC dz_C, k^2 + |N| k; the panel A_NC is kept gathered so that the product
 * reads contiguous memory. */
#include <config.h>

#include <cblas.h>

#include "dantzig.h"
#include "judge/judge.h"

typedef enum event_kind {
    EVENT_ZERO,  /* w_i is 0 */
    EVENT_BOUND, /* z_i is at its bound */
    EVENT_LEAVE, /* a row of C is at its bound */
    EVENT_ENTER, /* a w of N is 0 */
} event_kind;

typedef struct event {
    event_kind kind;
    size_t row;
    double step;
} event;

void perp_dantzig_count(const perp_dantzig *s, perp_result *r, size_t rows,
                        size_t columns)
{
    r->work.products += (double)rows / (double)s->n * ((double)columns / (double)s->n);
}

/* y := L^-1 A_Ci from position `from` of C on, where the entries before are known. */
static void dantzig_solve_column(perp_dantzig *s, perp_result *r, size_t i, size_t from,
                                 double *y)
{
    const double *a = s->A + i * s->ld;

    for (size_t j = from; j < s->f.k; j++) {
        y[j] = a[s->in[j]];
    }
    perp_ldlt_forward(&s->f, from, y);
    perp_dantzig_count(s, r, s->f.k, (s->f.k + 1) / 2);
}

/* Bring the rows that joined N since into the panel. */
static void dantzig_fill_panel(perp_dantzig *s)
{
    for (size_t j = 0; j < s->f.k && s->filled < s->out_count; j++) {
        const double *a = s->A + s->in[j] * s->ld;
        double *column = s->panel + s->slot[j] * s->panel_ld;

        for (size_t q = s->filled; q < s->out_count; q++) {
            column[q] = a[s->out[q]];
        }
    }
    s->filled = s->out_count;
}

static void dantzig_join_n(perp_dantzig *s, size_t i, perp_dantzig_state state)
{
    s->state[i] = state;
    s->place[i] = s->out_count;
    s->out[s->out_count++] = i;
}

/* Take row i out of N: the last row takes its place. The panel is full. */
static void dantzig_leave_n(perp_dantzig *s, size_t i)
{
    size_t q = s->place[i];
    size_t last = --s->out_count;

    s->filled = last;
    if (q != last) {
        s->out[q] = s->out[last];
        s->place[s->out[q]] = q;
        for (size_t j = 0; j < s->f.k; j++) {
            double *column = s->panel + j * s->panel_ld;

            column[q] = column[last];
        }
    }
}

/* Row i, with y = L^-1 A_Ci, joins C. */
static void dantzig_join_c(perp_dantzig *s, size_t i, const double *y, double pivot)
{
    const double *a = s->A + i * s->ld;
    size_t k = s->f.k;
    double *column = s->panel + k * s->panel_ld;

    perp_ldlt_add(&s->f, y, pivot);
    s->state[i] = DANTZIG_INSIDE;
    s->place[i] = k;
    s->in[k] = i;
    s->slot[k] = k;
    for (size_t q = 0; q < s->filled; q++) {
        column[q] = a[s->out[q]];
    }
    s->w[i] = 0.0;
}

/* Take the row at position q out of C: rows after it move up, the last column of the panel
 * takes the place of its own. */
static void dantzig_leave_c(perp_dantzig *s, size_t q)
{
    size_t freed = s->slot[q];

    perp_ldlt_remove(&s->f, q);
    for (size_t j = q; j < s->f.k; j++) {
        s->in[j] = s->in[j + 1];
        s->slot[j] = s->slot[j + 1];
        s->place[s->in[j]] = j;
    }
    for (size_t j = 0; j < s->f.k && freed != s->f.k; j++) {
        if (s->slot[j] == s->f.k) {
            s->slot[j] = freed;
            memcpy(s->panel + freed * s->panel_ld, s->panel + s->f.k * s->panel_ld,
                   s->filled * sizeof *s->panel);
            break;
        }
    }
}

/* x := the direction of motion of row i: z_i by `sign`, C answering. */
static void dantzig_direction(const perp_dantzig *s, size_t i, double *x)
{
    memset(x, 0, s->n * sizeof *x);
    for (size_t j = 0; j < s->f.k; j++) {
        x[s->in[j]] = s->dz[j];
    }
    x[i] = s->sign;
}

/* No step of row i is possible along the direction in dz and sign: it is a certificate of
 * infeasibility once it is cleaned of rounding, or one of a singular block. */
static perp_status dantzig_refuse(perp_dantzig *s, perp_result *r, size_t i,
                                  perp_error *err)
{
    double largest = 0.0;
    perp_status status = PERP_OK;

    /* Cleaned of rounding, the direction is the certificate if there is one. */
    dantzig_direction(s, i, s->spare);
    for (size_t j = 0; j < s->n; j++) {
        largest = fmax(largest, fabs(s->spare[j]) * s->scale[j]);
    }
    for (size_t j = 0; j < s->n; j++) {
        double *y = &s->spare[j];
        bool up = isfinite(s->lo[j]);
        bool down = isfinite(s->hi[j]);

        if (fabs(*y) * s->scale[j] <= 1e-9 * largest || (up && down) ||
            (up && *y < 0.0) || (down && *y > 0.0)) {
            *y = 0.0;
        }
    }
    if (perp_certificate_infeasible(s->p, s->spare)) {
        status = perp_result_certify_infeasible(r, s->spare, err);
        return status != PERP_OK
                   ? status
                   : perp_result_end(
                         r, PERP_INFEASIBLE,
                         "the direction of motion of row %zu is a certificate", i);
    }
    dantzig_direction(s, i, s->spare);
    if (perp_all_finite(s->spare, s->n)) {
        status = perp_result_certify_singular(r, s->spare, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    return perp_result_refuse(r, PERP_SINGULAR_BLOCK, i,
                              s->pivot < -DANTZIG_SINGULAR * fabs(s->A[i + i * s->ld])
                                  ? "a negative pivot, so A is not positive semidefinite,"
                                  : "a singular pivot");
}

/* dz_C, dw_N of the driven row; false where its Schur complement is not positive. */
static bool dantzig_find_direction(perp_dantzig *s, perp_result *r)
{
    size_t k = s->f.k;
    const double *a = s->A + s->driven * s->ld;

    s->pivot = perp_ldlt_pivot(&s->f, s->y, a[s->driven]);
    for (size_t j = 0; j < k; j++) {
        s->dz[j] = -s->sign * s->y[j] / s->f.d[j];
    }
    perp_ldlt_backward(&s->f, s->dz);
    perp_dantzig_count(s, r, k, (k + 1) / 2);
    if (!(s->pivot > DANTZIG_SINGULAR * a[s->driven])) {
        return false;
    }
    dantzig_fill_panel(s);
    for (size_t j = 0; j < k; j++) {
        s->dz_slot[s->slot[j]] = s->dz[j];
    }
    for (size_t q = 0; q < s->out_count; q++) {
        s->dw[q] = s->sign * a[s->out[q]];
    }
    if (k && s->out_count) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->out_count, (int)k, 1.0, s->panel,
                    (int)s->panel_ld, s->dz_slot, 1, 1.0, s->dw, 1);
        perp_dantzig_count(s, r, s->out_count, k);
    }
    return true;
}

/* The earlier of two events; the smaller index where they tie. */
static void event_offer(event *best, event_kind kind, size_t row, double step)
{
    double tie = 1e-12 * best->step;

    step = step > 0.0 ? step : 0.0;
    if (step < best->step - tie || (step <= best->step + tie && row < best->row)) {
        *best = (event){kind, row, step < best->step ? step : best->step};
    }
}

/* How far the driven row can move, and what stops it. */
static event dantzig_ratio_test(const perp_dantzig *s)
{
    size_t i = s->driven;
    event best = {EVENT_ZERO, i, fabs(s->w[i]) / s->pivot};
    double bound = s->sign > 0.0 ? s->hi[i] : s->lo[i];

    if (fabs(bound - s->z[i]) < best.step) {
        best = (event){EVENT_BOUND, i, fabs(bound - s->z[i])};
    }
    for (size_t j = 0; j < s->f.k; j++) {
        size_t k = s->in[j];

        if (s->dz[j] != 0.0) {
            bound = s->dz[j] > 0.0 ? s->hi[k] : s->lo[k];
            event_offer(&best, EVENT_LEAVE, k, (bound - s->z[k]) / s->dz[j]);
        }
    }
    for (size_t q = 0; q < s->out_count; q++) {
        size_t k = s->out[q];

        if ((s->state[k] == DANTZIG_LOW && s->dw[q] < 0.0) ||
            (s->state[k] == DANTZIG_HIGH && s->dw[q] > 0.0)) {
            event_offer(&best, EVENT_ENTER, k, -s->w[k] / s->dw[q]);
        }
    }
    return best;
}

static void dantzig_advance(perp_dantzig *s, double step)
{
    for (size_t j = 0; j < s->f.k; j++) {
        s->z[s->in[j]] += step * s->dz[j];
    }
    for (size_t q = 0; q < s->out_count; q++) {
        s->w[s->out[q]] += step * s->dw[q];
    }
    s->z[s->driven] += step * s->sign;
    s->w[s->driven] += step * s->sign * s->pivot;
}

/* Row k of C stops at its bound while row i moves on. */
static void dantzig_leave(perp_dantzig *s, perp_result *r, size_t k)
{
    size_t q = s->place[k];
    perp_dantzig_state state = s->dz[q] > 0.0 ? DANTZIG_HIGH : DANTZIG_LOW;

    s->z[k] = state == DANTZIG_HIGH ? s->hi[k] : s->lo[k];
    dantzig_leave_c(s, q);
    perp_dantzig_count(s, r, s->f.k - q, s->f.k - q);
    dantzig_join_n(s, k, state);
    dantzig_solve_column(s, r, s->driven, q, s->y);
}

/* Row k of N enters C while row i moves on. */
static bool dantzig_enter(perp_dantzig *s, perp_result *r, size_t k)
{
    double pivot = 0.0;

    dantzig_solve_column(s, r, k, 0, s->column);
    pivot = perp_ldlt_pivot(&s->f, s->column, s->A[k + k * s->ld]);
    if (!(pivot > DANTZIG_SINGULAR * s->A[k + k * s->ld])) {
        s->pivot = pivot; /* the direction that cannot be is now that of row k */
        s->sign = 1.0;
        for (size_t j = 0; j < s->f.k; j++) {
            s->dz[j] = -s->column[j] / s->f.d[j];
        }
        perp_ldlt_backward(&s->f, s->dz);
        return false;
    }
    dantzig_leave_n(s, k);
    dantzig_join_c(s, k, s->column, pivot);
    s->y[s->f.k - 1] =
        s->A[k + s->driven * s->ld] - perp_ldlt_row_dot(&s->f, s->f.k - 1, s->y);
    return true;
}

/* Rounding of w_i: that of b_i alone is as large. */
static double dantzig_rounding(const perp_dantzig *s, size_t i)
{
    return 1e-15 * s->scale[i] * s->beta;
}

static bool dantzig_is_friction(const perp_dantzig *s, size_t i)
{
    return s->p->set->blocks[i].kind == PERP_SET_FRICTION;
}

/* w_i from the point. */
static double dantzig_velocity(const perp_dantzig *s, size_t i)
{
    return s->p->b[i] + cblas_ddot((int)s->n, s->A + i * s->ld, 1, s->z, 1);
}

static void dantzig_fix(perp_dantzig *s, size_t i)
{
    s->z[i] = s->lo[i];
    s->state[i] = DANTZIG_FIXED;
}

/* Row i, whose w is known, is driven from now on. */
static void dantzig_drive(perp_dantzig *s, perp_result *r, size_t i)
{
    s->driven = i;
    s->sign = s->w[i] < 0.0 ? 1.0 : -1.0;
    dantzig_solve_column(s, r, i, 0, s->y);
}

/* The pending rows with their w into N, all but those whose bounds are frozen later. */
static void dantzig_list_rows(perp_dantzig *s, perp_result *r)
{
    size_t count = 0;

    s->listed = true;
    for (size_t i = 0; i < s->n; i++) {
        bool waits = s->freeze && dantzig_is_friction(s, i);

        if (s->state[i] == DANTZIG_PENDING && !waits && s->lo[i] == s->hi[i]) {
            dantzig_fix(s, i);
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        bool waits = s->freeze && dantzig_is_friction(s, i);

        if (s->state[i] == DANTZIG_PENDING && !waits) {
            s->w[i] = dantzig_velocity(s, i);
            dantzig_join_n(s, i, DANTZIG_LISTED);
            count++;
        }
    }
    perp_dantzig_count(s, r, count, s->n);
}

/* By how much the w of a listed row has the wrong sign; a row between its bounds is always
 * wrong, since it belongs to C. */
static double dantzig_violation(const perp_dantzig *s, size_t i)
{
    if (s->z[i] <= s->lo[i]) {
        return -s->w[i];
    }
    return s->z[i] >= s->hi[i] ? s->w[i]
                               : fmax(fabs(s->w[i]), 2.0 * dantzig_rounding(s, i));
}

/* Drive the listed row that is most wrong; when none is, all of them are settled. */
static void dantzig_drive_most_violated(perp_dantzig *s, perp_result *r)
{
    size_t worst = s->n;
    double most = 0.0;

    for (size_t q = 0; q < s->out_count; q++) {
        size_t i = s->out[q];
        double violation = s->state[i] == DANTZIG_LISTED ? dantzig_violation(s, i) : 0.0;
        double share = violation / s->scale[i];

        if (violation > dantzig_rounding(s, i) &&
            (share > most || (share == most && i < worst))) {
            most = share;
            worst = i;
        }
    }
    if (worst < s->n) {
        dantzig_fill_panel(s);
        dantzig_leave_n(s, worst);
        dantzig_drive(s, r, worst);
        return;
    }
    for (size_t q = 0; q < s->out_count; q++) {
        size_t i = s->out[q];

        if (s->state[i] == DANTZIG_LISTED) {
            s->state[i] = s->z[i] <= s->lo[i] ? DANTZIG_LOW : DANTZIG_HIGH;
        }
    }
}

/* Row i joins N when its w has the right sign at its bound; else it is driven. */
static void dantzig_treat_row(perp_dantzig *s, perp_result *r, size_t i)
{
    double rounding = dantzig_rounding(s, i);

    s->w[i] = dantzig_velocity(s, i);
    perp_dantzig_count(s, r, 1, s->n);
    if (s->z[i] <= s->lo[i] && s->w[i] >= -rounding) {
        dantzig_join_n(s, i, DANTZIG_LOW);
    } else if (s->z[i] >= s->hi[i] && s->w[i] <= rounding) {
        dantzig_join_n(s, i, DANTZIG_HIGH);
    } else {
        dantzig_drive(s, r, i);
    }
}

/* The next row to drive, of all or in the order of the rows; none is left when s->driven stays
 * n. Friction rows come last, and take their bounds from the normals as they then are. */
static void dantzig_choose_row(perp_dantzig *s, perp_result *r)
{
    if (s->by_violation) {
        if (!s->listed) {
            dantzig_list_rows(s, r);
        }
        dantzig_drive_most_violated(s, r);
    }
    for (; s->next < s->n && s->driven == s->n; s->next++) {
        size_t i = s->order[s->next];

        if (s->state[i] != DANTZIG_PENDING) {
            continue;
        }
        if (s->freeze && dantzig_is_friction(s, i)) {
            perp_block_bounds(&s->p->set->blocks[i], s->z, &s->lo[i], &s->hi[i]);
        }
        if (s->lo[i] == s->hi[i]) {
            dantzig_fix(s, i);
        } else {
            dantzig_treat_row(s, r, i);
        }
    }
}

perp_status perp_dantzig_pivot(perp_dantzig *s, perp_result *r, bool *settled,
                               perp_error *err)
{
    event e = {EVENT_ZERO, 0, 0.0};

    if (s->driven == s->n) {
        dantzig_choose_row(s, r);
    }
    *settled = s->driven == s->n;
    if (*settled) {
        return PERP_OK;
    }
    if (!dantzig_find_direction(s, r)) {
        return dantzig_refuse(s, r, s->driven, err);
    }
    if (++s->pivots > s->most_pivots) {
        return perp_result_end(r, PERP_CYCLE, "no end after %zu pivot%s", s->pivots - 1,
                               perp_plural(s->pivots - 1));
    }
    e = dantzig_ratio_test(s);
    if (!isfinite(e.step)) {
        return dantzig_refuse(s, r, s->driven, err);
    }
    dantzig_advance(s, e.step);
    r->work.pivots++;
    s->factored_last = false;
    switch (e.kind) {
    case EVENT_ZERO:
        dantzig_join_c(s, s->driven, s->y, s->pivot);
        s->driven = s->n;
        break;
    case EVENT_BOUND:
        s->z[e.row] = s->sign > 0.0 ? s->hi[e.row] : s->lo[e.row];
        dantzig_join_n(s, e.row, s->sign > 0.0 ? DANTZIG_HIGH : DANTZIG_LOW);
        s->driven = s->n;
        break;
    case EVENT_LEAVE:
        dantzig_leave(s, r, e.row);
        break;
    case EVENT_ENTER:
        if (!dantzig_enter(s, r, e.row)) {
            return dantzig_refuse(s, r, e.row, err);
        }
        break;
    }
    return PERP_OK;
}
