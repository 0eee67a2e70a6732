/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_pivot.c: the principal pivots of the boxed problem.
 *
 *     C: lo < z < hi, w = 0 (factored);  N: at a bound with the right sign of w.
 *     A row i that is neither moves its z_i against w_i, with C answering:
 *         dz_C = -A_CC^-1 A_Ci dir,  dw_N = A_NC dz_C + A_Ni dir,
 *         dw_i = dir (A_ii - A_iC A_CC^-1 A_Ci)
 *     until w_i = 0 (i joins C), z_i meets a bound (i joins N), a z_k of C meets a bound
 *     (k leaves C) or a w_k of N meets zero (k enters C) and i moves on.
 *
 * Finite for positive definite A without ties [cottle-dantzig-1968]; ties take
 * the smallest index. The rows may be taken in any order: the one whose w is most wrong
 * first needs a third of the pivots of the order of their numbers (n = 800, condition 1e4:
 * 450 for 1400), since rows that come right by themselves are never driven. For that the w of
 * rows that wait is kept up to date with those of N. An event costs a triangular solve or two and the product A_NC dz_C,
 * k^2 + |N| k; the panel A_NC is kept gathered so that the product streams. */
#include <config.h>

#include <cblas.h>

#include "dantzig.h"

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

void dantzig_count(const dantzig *s, perp_result *r, size_t rows, size_t columns)
{
    r->work.products += (double)rows / (double)s->n * ((double)columns / (double)s->n);
}

/* y := L^-1 A_Ci from position `from` of C on, where the entries before are known. */
static void gather_column(dantzig *s, perp_result *r, size_t i, size_t from, double *y)
{
    const double *a = s->A + i * s->ld;

    for (size_t j = from; j < s->f.k; j++) {
        y[j] = a[s->in[j]];
    }
    perp_ldlt_forward(&s->f, from, y);
    dantzig_count(s, r, s->f.k, (s->f.k + 1) / 2);
}

/* Bring the rows that joined N since into the panel. */
static void fill_panel(dantzig *s)
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

static void join_out(dantzig *s, size_t i, int state)
{
    s->state[i] = state;
    s->place[i] = s->out_count;
    s->out[s->out_count++] = i;
}

/* Take row i out of N: the last row takes its place. The panel is full. */
static void drop_out(dantzig *s, size_t i)
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
static void join_in(dantzig *s, size_t i, const double *y, double pivot)
{
    const double *a = s->A + i * s->ld;
    size_t k = s->f.k;
    double *column = s->panel + k * s->panel_ld;

    perp_ldlt_add(&s->f, y, pivot);
    s->state[i] = ROW_IN;
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
static void drop_in(dantzig *s, size_t q)
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
static void direction_of(const dantzig *s, size_t i, double *x)
{
    memset(x, 0, s->n * sizeof *x);
    for (size_t j = 0; j < s->f.k; j++) {
        x[s->in[j]] = s->dz[j];
    }
    x[i] = s->sign;
}

perp_status dantzig_refuse(dantzig *s, perp_result *r, size_t i)
{
    double largest = 0.0;
    perp_status status = PERP_OK;

    /* Cleaned of rounding, the direction is the certificate if there is one. */
    direction_of(s, i, s->z1);
    for (size_t j = 0; j < s->n; j++) {
        largest = fmax(largest, fabs(s->z1[j]) * s->scale[j]);
    }
    for (size_t j = 0; j < s->n; j++) {
        double *y = &s->z1[j];
        bool up = isfinite(s->lo[j]);
        bool down = isfinite(s->hi[j]);

        if (fabs(*y) * s->scale[j] <= 1e-9 * largest || (up && down) ||
            (up && *y < 0.0) || (down && *y > 0.0)) {
            *y = 0.0;
        }
    }
    if (perp_certificate_infeasible(s->p, s->z1)) {
        status = perp_result_certify_infeasible(r, s->z1, s->err);
        return status != PERP_OK
                   ? status
                   : perp_result_end(
                         r, PERP_INFEASIBLE,
                         "the direction of motion of row %zu is a certificate", i);
    }
    if (s->friction && s->coupled && s->newton) {
        return dantzig_newton(s, r); /* whose steps take singular blocks */
    }
    direction_of(s, i, s->z1);
    if (perp_all_finite(s->z1, s->n)) {
        status = perp_result_certify_singular(r, s->z1, s->err);
    }
    return status != PERP_OK
               ? status
               : perp_result_refuse(
                     r, PERP_SINGULAR_BLOCK, i,
                     s->pivot < -DANTZIG_SINGULAR * fabs(s->A[i + i * s->ld])
                         ? "a negative pivot, so A is not positive semidefinite,"
                         : "a singular pivot");
}

/* dz_C, dw_N of the driven row; false where its Schur complement is not positive. */
static bool find_direction(dantzig *s, perp_result *r)
{
    size_t k = s->f.k;
    const double *a = s->A + s->driven * s->ld;

    s->pivot = perp_ldlt_pivot(&s->f, s->y, a[s->driven]);
    for (size_t j = 0; j < k; j++) {
        s->dz[j] = -s->sign * s->y[j] / s->f.d[j];
    }
    perp_ldlt_backward(&s->f, s->dz);
    dantzig_count(s, r, k, (k + 1) / 2);
    if (!(s->pivot > DANTZIG_SINGULAR * a[s->driven])) {
        return false;
    }
    fill_panel(s);
    for (size_t j = 0; j < k; j++) {
        s->dz_slot[s->slot[j]] = s->dz[j];
    }
    for (size_t q = 0; q < s->out_count; q++) {
        s->dw[q] = s->sign * a[s->out[q]];
    }
    if (k && s->out_count) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)s->out_count, (int)k, 1.0, s->panel,
                    (int)s->panel_ld, s->dz_slot, 1, 1.0, s->dw, 1);
        dantzig_count(s, r, s->out_count, k);
    }
    return true;
}

/* The earlier of two events; the smaller index where they tie. */
static void offer(event *best, event_kind kind, size_t row, double step)
{
    double tie = 1e-12 * best->step;

    step = step > 0.0 ? step : 0.0;
    if (step < best->step - tie || (step <= best->step + tie && row < best->row)) {
        *best = (event){kind, row, step < best->step ? step : best->step};
    }
}

/* How far the driven row can move, and what stops it. */
static event ratio_test(const dantzig *s)
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
            offer(&best, EVENT_LEAVE, k, (bound - s->z[k]) / s->dz[j]);
        }
    }
    for (size_t q = 0; q < s->out_count; q++) {
        size_t k = s->out[q];

        if ((s->state[k] == ROW_LOW && s->dw[q] < 0.0) ||
            (s->state[k] == ROW_HIGH && s->dw[q] > 0.0)) {
            offer(&best, EVENT_ENTER, k, -s->w[k] / s->dw[q]);
        }
    }
    return best;
}

static void move(dantzig *s, double step)
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
static void leave(dantzig *s, perp_result *r, size_t k)
{
    size_t q = s->place[k];
    int state = s->dz[q] > 0.0 ? ROW_HIGH : ROW_LOW;

    s->z[k] = state == ROW_HIGH ? s->hi[k] : s->lo[k];
    drop_in(s, q);
    dantzig_count(s, r, s->f.k - q, s->f.k - q);
    join_out(s, k, state);
    gather_column(s, r, s->driven, q, s->y);
}

/* Row k of N enters C while row i moves on. */
static bool enter(dantzig *s, perp_result *r, size_t k)
{
    double pivot = 0.0;

    gather_column(s, r, k, 0, s->column);
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
    drop_out(s, k);
    join_in(s, k, s->column, pivot);
    s->y[s->f.k - 1] =
        s->A[k + s->driven * s->ld] - perp_ldlt_row_dot(&s->f, s->f.k - 1, s->y);
    return true;
}

/* Rounding of w_i: that of b_i alone is as large. */
static double slack_of(const dantzig *s, size_t i)
{
    return 1e-15 * s->scale[i] * s->beta_b;
}

/* List the rows to do, friction rows apart, with their w. */
static void list_waiting(dantzig *s, perp_result *r)
{
    size_t listed = 0;

    s->waiting = true;
    for (size_t i = 0; i < s->n; i++) {
        if (s->state[i] == ROW_UNSEEN && !dantzig_is_friction(s, i) &&
            s->lo[i] == s->hi[i]) {
            s->z[i] = s->lo[i];
            s->state[i] = ROW_FIXED;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        if (s->state[i] == ROW_UNSEEN && !dantzig_is_friction(s, i)) {
            s->w[i] = s->p->b[i] + cblas_ddot((int)s->n, s->A + i * s->ld, 1, s->z, 1);
            join_out(s, i, ROW_WAIT);
            listed++;
        }
    }
    dantzig_count(s, r, listed, s->n);
}

/* By how much the w of a waiting row has the wrong sign; a row between its bounds is always
 * wrong, since it belongs to C. */
static double wrongness(const dantzig *s, size_t i)
{
    if (s->z[i] <= s->lo[i]) {
        return -s->w[i];
    }
    return s->z[i] >= s->hi[i] ? s->w[i] : fmax(fabs(s->w[i]), 2.0 * slack_of(s, i));
}

/* Drive the waiting row that is most wrong; false when none is: then all are settled. */
static bool drive_waiting(dantzig *s, perp_result *r)
{
    size_t worst = s->n;
    double most = 0.0;

    for (size_t q = 0; q < s->out_count; q++) {
        size_t i = s->out[q];
        double wrong = s->state[i] == ROW_WAIT ? wrongness(s, i) : 0.0;
        double share = wrong / s->scale[i];

        if (wrong > slack_of(s, i) && (share > most || (share == most && i < worst))) {
            most = share;
            worst = i;
        }
    }
    if (worst != s->n) {
        fill_panel(s);
        drop_out(s, worst);
        s->driven = worst;
        s->sign = s->w[worst] < 0.0 ? 1.0 : -1.0;
        gather_column(s, r, worst, 0, s->y);
        return true;
    }
    for (size_t q = 0; q < s->out_count; q++) {
        size_t i = s->out[q];

        if (s->state[i] == ROW_WAIT) {
            s->state[i] = s->z[i] <= s->lo[i] ? ROW_LOW : ROW_HIGH;
        }
    }
    return false;
}

/* Look at the rows to do until one has the wrong w; false when there is none. */
static bool next_driven(dantzig *s, perp_result *r)
{
    size_t looked = 0;

    if (s->by_violation) {
        if (!s->waiting) {
            list_waiting(s, r);
        }
        if (drive_waiting(s, r)) {
            return true;
        }
    }
    for (; s->next < s->n && s->driven == s->n; s->next++) {
        size_t i = s->order[s->next];
        double slack = 0.0;

        if (s->state[i] != ROW_UNSEEN) {
            continue;
        }
        if (s->freeze && dantzig_is_friction(s, i)) {
            s->h[i] = dantzig_friction_bound(s, i, s->z);
            s->lo[i] = -s->h[i];
            s->hi[i] = s->h[i];
        }
        if (s->lo[i] == s->hi[i]) {
            s->z[i] = s->lo[i];
            s->state[i] = ROW_FIXED;
            continue;
        }
        s->w[i] = s->p->b[i] + cblas_ddot((int)s->n, s->A + i * s->ld, 1, s->z, 1);
        looked++;
        slack = slack_of(s, i);
        if (s->z[i] <= s->lo[i] && s->w[i] >= -slack) {
            join_out(s, i, ROW_LOW);
        } else if (s->z[i] >= s->hi[i] && s->w[i] <= slack) {
            join_out(s, i, ROW_HIGH);
        } else {
            s->driven = i;
            s->sign = s->w[i] < 0.0 ? 1.0 : -1.0;
            gather_column(s, r, i, 0, s->y);
        }
    }
    dantzig_count(s, r, looked, s->n);
    return s->driven != s->n;
}

perp_status dantzig_pivot(dantzig *s, perp_result *r)
{
    event e = {EVENT_ZERO, 0, 0.0};

    if (s->driven == s->n && !next_driven(s, r)) {
        s->step = s->after;
        return s->step(s, r);
    }
    if (!find_direction(s, r)) {
        return dantzig_refuse(s, r, s->driven);
    }
    if (++s->pivots > s->most_pivots && s->friction && s->coupled && s->newton) {
        return dantzig_newton(s, r);
    }
    if (s->pivots > s->most_pivots) {
        return perp_result_end(r, PERP_CYCLE, "no end after %zu pivots", s->pivots - 1);
    }
    e = ratio_test(s);
    if (!isfinite(e.step)) {
        return dantzig_refuse(s, r, s->driven);
    }
    move(s, e.step);
    r->work.pivots++;
    s->fresh = false;
    switch (e.kind) {
    case EVENT_ZERO:
        join_in(s, s->driven, s->y, s->pivot);
        s->driven = s->n;
        break;
    case EVENT_BOUND:
        s->z[e.row] = s->sign > 0.0 ? s->hi[e.row] : s->lo[e.row];
        join_out(s, e.row, s->sign > 0.0 ? ROW_HIGH : ROW_LOW);
        s->driven = s->n;
        break;
    case EVENT_LEAVE:
        leave(s, r, e.row);
        break;
    case EVENT_ENTER:
        if (!enter(s, r, e.row)) {
            return dantzig_refuse(s, r, e.row);
        }
        break;
    }
    return PERP_OK;
}
