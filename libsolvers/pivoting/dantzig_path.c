/* SPDX-License-Identifier: Apache-2.0
 * pivoting/dantzig_path.c: coupled friction by opening all bounds and closing them again.
 *
 *     |z_i| <= mu (z_normal + t c_normal),   c > 0,   t from large down to 0
 *
 * For large t every friction row sticks, a boxed problem with one solution when A is
 * positive definite. From there the solutions form a piecewise linear path in (z, t), which
 * is followed from event to event as Lemke's method follows its own; t may turn back in
 * between. For t >= 0 the solutions stay in a bounded set (each minimises 1/2 z.Az + b.z over
 * a box that holds 0, when the other bounds do), and beyond some t there is but one, so the
 * path can neither run away nor come back: it ends at t = 0, which is a solution. That is
 * the argument of [stewart-trinkle-1996] for Lemke's method. It is exact in the absence of
 * ties, against which c differs from contact to contact. An event costs a dense LU of C. */
#include <config.h>

#include "dantzig.h"

static perp_status follow(dantzig *s, perp_result *r);

/* Every friction row sticks: the place on the path is where the last of them would slip. */
static perp_status begin(dantzig *s, perp_result *r)
{
    s->t = 0.0;
    s->course = -1.0;
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];

        s->trial[i] = s->state[i];
        if (dantzig_is_friction(s, i)) {
            s->trial[i] = block->mu > 0.0 ? s->state[i] : ROW_FIXED;
        }
        if (dantzig_is_friction(s, i) && block->mu > 0.0) {
            s->t = fmax(s->t,
                        (fabs(s->z[i]) / block->mu - s->z[block->normal]) / s->open[i]);
        }
    }
    s->turned = s->n;
    s->renew = true;
    s->t *= 1.0 + 1e-6; /* a little before the first event, so that none is missed */
    s->step = follow;
    return follow(s, r);
}

/* t = 0 at z: polished by a system factored afresh, where that is better. */
static perp_status arrived(dantzig *s, perp_result *r)
{
    const double before = dantzig_error(s, r, s->z, s->w0, true);

    if (before > 0.0 && dantzig_line(s, r, s->z0) &&
        dantzig_error(s, r, s->z0, s->w0, true) < before) {
        memcpy(s->z, s->z0, s->n * sizeof *s->z);
    }
    s->fresh = true;
    return dantzig_finish(s, r);
}

perp_status dantzig_open(dantzig *s, perp_result *r)
{
    if (!s->told_path) {
        s->told_path = true;
        perp_result_log(r,
                        "dantzig: no fixed point in %zu rounds; the bounds are opened "
                        "and closed again",
                        s->rounds);
    }
    memset(s->lean, 0, s->n * sizeof *s->lean);
    s->abandon = NULL;
    s->arrive = arrived;
    for (size_t i = 0; i < s->n; i++) {
        const perp_block *block = &s->p->set->blocks[i];

        if (dantzig_is_friction(s, i)) {
            /* Fractions of the golden ratio: irregular, and the same for both tangents. */
            double golden = 0.6180339887498949 * (double)(block->normal + 1);

            s->open[i] = s->beta_b / s->scale[block->normal] *
                         (1.0 + 0.5 * (golden - floor(golden)));
            s->hi[i] = block->mu > 0.0 ? INFINITY : 0.0;
            s->lo[i] = -s->hi[i];
        }
    }
    s->after = begin;
    s->events = 0;
    s->most_events = s->most_pivots;
    dantzig_start(s, r);
    return PERP_OK;
}

/* How far row i is inside its set on the line z0 + t z1: at + t slope >= 0, once for each
 * side of a row between its bounds. */
static void room(const dantzig *s, size_t i, int side, double *at, double *slope)
{
    const perp_block *block = &s->p->set->blocks[i];
    double sign = side == ROW_LOW ? 1.0 : -1.0;

    if (s->trial[i] != ROW_IN) {
        *at = sign * s->w0[i];
        *slope = sign * s->w1[i];
        return;
    }
    *at = sign * s->z0[i];
    *slope = sign * s->z1[i];
    if (dantzig_is_friction(s, i)) {
        *at += block->mu * s->z0[block->normal];
        *slope += block->mu * (s->z1[block->normal] + s->open[i]);
    } else {
        *at -= sign * (side == ROW_LOW ? s->lo[i] : s->hi[i]);
    }
}

/* The next event along the course: its row and side; n when there is none. */
static size_t next_event(const dantzig *s, double *step, int *side)
{
    size_t row = s->n;

    *step = s->course < 0.0 ? s->t : INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        for (int at_side = ROW_LOW; at_side <= ROW_HIGH; at_side++) {
            double at = 0.0;
            double slope = 0.0;
            double distance = 0.0;

            if (s->trial[i] == ROW_FIXED ||
                (s->trial[i] != ROW_IN && s->trial[i] != at_side)) {
                continue;
            }
            room(s, i, at_side, &at, &slope);
            if (!isfinite(at) || slope * s->course >= 0.0) {
                continue;
            }
            distance = fmax(0.0, (at + s->t * slope) / fabs(slope));
            if (distance < *step) {
                *step = distance;
                *side = at_side;
                row = i;
            }
        }
    }
    return row;
}

/* The line of the present states, and w along it, from a kernel that is accurate. */
static bool line(dantzig *s, perp_result *r)
{
    if (!s->renew && dantzig_kernel_line(s, r)) {
        return true;
    }
    s->renew = false;
    return dantzig_kernel_factor(s, r) && dantzig_kernel_line(s, r);
}

/* The row that changed last says which way along the new line leads into its new state. */
static void choose_course(dantzig *s)
{
    double at = 0.0;
    double slope = 0.0;

    if (s->turned < s->n) {
        room(s, s->turned, s->turned_side, &at, &slope);
        if (slope * s->course < 0.0) {
            s->course = -s->course;
        }
    }
}

/* The path leads nowhere. */
static perp_status give_up(dantzig *s, perp_result *r, const char *why)
{
    if (s->abandon) {
        return s->abandon(s, r);
    }
    return perp_result_end(r, PERP_STALLED, "coupled friction: %s after %zu events", why,
                           s->events);
}

/* One event of the path. */
static perp_status follow(dantzig *s, perp_result *r)
{
    double step = 0.0;
    int side = ROW_LOW;
    size_t row = s->n;

    if (!line(s, r)) {
        return s->abandon
                   ? s->abandon(s, r)
                   : perp_result_refuse(r, PERP_SINGULAR_BLOCK,
                                        s->turned < s->n ? s->turned : 0,
                                        "a singular system on the path of the bounds");
    }
    if (s->events++ > s->most_events) {
        return give_up(s, r, "the path of the bounds has not ended");
    }
    choose_course(s);
    row = next_event(s, &step, &side);
    if (row == s->n && s->course > 0.0) {
        return give_up(s, r, "the path of the bounds runs away");
    }
    s->t = row == s->n ? 0.0 : s->t + s->course * step;
    for (size_t i = 0; i < s->n; i++) {
        s->z[i] = s->z0[i] + s->t * s->z1[i];
    }
    if (row == s->n) {
        return s->arrive(s, r);
    }
    r->work.pivots++;
    s->turned = row;
    s->turned_side = side;
    s->renew = !dantzig_kernel_turn(s, r, row, s->trial[row] == ROW_IN ? side : ROW_IN);
    return PERP_OK;
}

/* The place of row i at z, and what t adds to b there so that it is right at t = 1, and
 * not by a hair: rows in their box are inside of it, the others have some w. */
static void lean_row(dantzig *s, size_t i, double slack)
{
    double hi = dantzig_is_friction(s, i) ? dantzig_friction_bound(s, i, s->z) : s->hi[i];
    double lo = dantzig_is_friction(s, i) ? -hi : s->lo[i];
    double margin = slack / (s->scale[i] * s->scale[i]);
    double w = s->w0[i];

    s->open[i] = 0.0;
    s->lean[i] = 0.0;
    if (s->trial[i] == ROW_FIXED) {
        return;
    }
    if (s->z[i] > lo + margin && s->z[i] < hi - margin) {
        s->trial[i] = ROW_IN;
        s->lean[i] = -w;
    } else if (isinf(hi) ||
               (isfinite(lo) && (hi > lo ? s->z[i] - lo < hi - s->z[i] : w > 0.0))) {
        s->trial[i] = ROW_LOW;
        s->lean[i] = fmax(slack - w, 0.0);
    } else {
        s->trial[i] = ROW_HIGH;
        s->lean[i] = fmin(-slack - w, 0.0);
    }
}

perp_status dantzig_lean(dantzig *s, perp_result *r, double slack, dantzig_step arrive,
                         dantzig_step abandon)
{
    for (int turn = 0; turn < 2; turn++) { /* first the places, then w of those */
        dantzig_error(s, r, s->z, s->w0, true);
        for (size_t q = 0; q < s->n; q++) {
            size_t i = s->order[q];
            double golden = 0.6180339887498949 * (double)(i + 1);
            double hi = 0.0;

            lean_row(s, i,
                     slack * s->scale[i] * s->beta_b * (1.0 + golden - floor(golden)));
            hi =
                dantzig_is_friction(s, i) ? dantzig_friction_bound(s, i, s->z) : s->hi[i];
            if (s->trial[i] == ROW_LOW) {
                s->z[i] = dantzig_is_friction(s, i) ? -hi : s->lo[i];
            } else if (s->trial[i] == ROW_HIGH) {
                s->z[i] = hi;
            }
        }
    }
    s->t = 1.0;
    s->course = -1.0;
    s->turned = s->n;
    s->renew = true;
    s->events = 0;
    s->most_events = 50 + s->n / 2;
    s->arrive = arrive;
    s->abandon = abandon;
    s->step = follow;
    return PERP_OK;
}
