/* SPDX-License-Identifier: Apache-2.0
 * splitting/patches.c: contacts of one pair of bodies solved together, where all of them stick.
 *
 * With s_k the point of contact k seen from their mean, tau = (V, Omega) the relative twist of the
 * bodies there and frames F_k of length l_k, the velocities are u_k = F_k (V + Omega x s_k) + b_k.
 * Impulses act on the bodies by their wrench alone. The step
 *
 *     lambda = -K^-1 (tau + beta),    c = D^-1 lambda,    dr_k = F_k (c_f + c_t x s_k)/l_k^2
 *
 * with K the matrix from wrenches to twists, D = (count I, sum |s|^2 I - s s^T), beta the twist
 * that explains b best, gives u_k = 0 at all contacts if b is a twist; it is the least change of
 * impulses that does so. If all impulses stay in their cones, this solves the block of these
 * contacts exactly, for any law. Otherwise, and as soon as tau + beta is not large in comparison
 * with what beta does not explain, contacts are solved one by one.
 *
 * One by one, the contacts of a box that stands on a face exchange its load and turn it in every
 * sweep. Memory: 352 bytes per patch of three or more contacts that do not lie on a line. */
#include <config.h>

#include "bodies_record.h"
#include "linear/block_pivot.h"
#include "patches.h"

/* Least and most contacts of a patch. */
enum { PATCH_LEAST = 3, PATCH_MOST = 8 };

/* A twist below this many times what b leaves unexplained is not stopped: near a solution in
 * which one of the contacts is open the step would act against the steps of single contacts. */
static const double explained = 10.0;

/* Part of the arms by which both bodies may disagree on the place of a point: rounding. */
static const double same_point = 1e-9;

/* Points closer to a line than this part of their distances, squared, resist no torque about it. */
static const double on_a_line = 1e-6;

/* A contact slides where the square of its friction is more than this part of the most. */
static const double inside = 1.0 - 1e-9;

static double patch_length(const double *f)
{
    return f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
}

/* s: the point of contact k seen from the mean. */
static inline void patch_place(const bodies *q, const contact_patch *patch, size_t k,
                               double *s)
{
    const bodies_position *at = &q->positions[patch->first + k];
    size_t side = at->body[0] != q->still ? 0 : 1;
    const double *arm = q->record + at->at + (side == 0 ? ARMS_FIRST : ARMS_SECOND);

    for (size_t i = 0; i < 3; i++) {
        s[i] = arm[i] - patch->arm[side][i];
    }
}

/* y := S x for S in its lower triangle. */
static inline void patch_multiply(size_t n, const double *S, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < i; j++) {
            y[i] += S[j] * x[j];
            y[j] += S[j] * x[i];
        }
        y[i] += S[i] * x[i];
        S += i + 1;
    }
}

/* The lower triangle of D^-1; false where D is not positive. */
static bool patch_invert(unsigned n, double *D, double *inverse)
{
    double before[36];

    memcpy(before, D, n * n * sizeof *D);
    if (!perp_block_cholesky(n, D, before)) {
        return false;
    }
    for (unsigned i = 0; i < n; i++) {
        double x[6] = {0.0};

        x[i] = 1.0;
        perp_block_cholesky_forward(n, D, x);
        perp_block_cholesky_backward(n, D, x);
        memcpy(inverse, x, (i + 1) * sizeof *x);
        inverse += i + 1;
    }
    return true;
}

/* The mean point; false where the bodies disagree on the points, or contacts are compliant. */
static bool patch_find_mean(const bodies *q, contact_patch *patch)
{
    const bodies_position *at = q->positions + patch->first;
    bool both = at->body[0] != q->still && at->body[1] != q->still;
    const double *first = q->record + at->at;

    memset(patch->arm, 0, sizeof patch->arm);
    for (size_t k = 0; k < patch->count; k++) {
        const double *f = q->record + at[k].at;

        for (size_t i = 0; i < 3; i++) {
            double p = f[ARMS_FIRST + i], s = f[ARMS_SECOND + i];
            double apart = (s - p) - (first[ARMS_SECOND + i] - first[ARMS_FIRST + i]);

            if (f[ARMS_C + i] != 0.0 ||
                (both && fabs(apart) > same_point * (fabs(s) + fabs(p)))) {
                return false;
            }
            patch->arm[0][i] += p / (double)patch->count;
            patch->arm[1][i] += s / (double)patch->count;
        }
    }
    return true;
}

/* The spread of the points; false where they lie on a line. */
static bool patch_find_gyration(const bodies *q, contact_patch *patch)
{
    double D[9] = {0.0}, det, product;

    patch->radius = 0.0;
    for (size_t k = 0; k < patch->count; k++) {
        double s[3], squared;

        patch_place(q, patch, k, s);
        squared = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        patch->radius += squared;
        for (size_t i = 0; i < 9; i++) {
            D[i] += (i % 4 == 0 ? squared : 0.0) - s[i / 3] * s[i % 3];
        }
    }
    product = D[0] * D[4] * D[8];
    det = product + 2.0 * D[1] * D[2] * D[5] - D[0] * D[5] * D[5] - D[4] * D[2] * D[2] -
          D[8] * D[1] * D[1];
    return det > on_a_line * product && patch_invert(3, D, patch->gyration);
}

/* The twist of two bodies at the mean point under a wrench there. */
static void patch_respond(const bodies *q, const contact_patch *patch,
                          const double *wrench, double *twist)
{
    const int32_t *body = q->positions[patch->first].body;

    memset(twist, 0, 6 * sizeof *twist);
    for (size_t side = 0; side < 2; side++) {
        const double *arm = patch->arm[side];
        double torque[3], w[3], v[3];

        if (body[side] == q->still) {
            continue;
        }
        perp_cross(arm, wrench, torque);
        for (size_t i = 0; i < 3; i++) {
            torque[i] += wrench[3 + i];
        }
        body_turn(q, body[side], torque, w);
        perp_cross(w, arm, v);
        for (size_t i = 0; i < 3; i++) {
            twist[i] += q->state[body[side]].inverse_mass * wrench[i] + v[i];
            twist[3 + i] += w[i];
        }
    }
}

static bool patch_find_inverse(const bodies *q, contact_patch *patch)
{
    double K[36];

    for (size_t i = 0; i < 6; i++) {
        double wrench[6] = {0.0};

        wrench[i] = 1.0;
        patch_respond(q, patch, wrench, K + 6 * i);
    }
    return patch_invert(6, K, patch->inverse);
}

/* The place s of contact k and the velocity v that b gives it. */
static void patch_read_b(const bodies *q, const contact_patch *patch, size_t k, double *s,
                         double *v)
{
    const double *f = q->record + q->positions[patch->first + k].at, *b = f + ARMS_B;
    double scale = 1.0 / patch_length(f);

    patch_place(q, patch, k, s);
    for (size_t i = 0; i < 3; i++) {
        v[i] = scale * (f[i] * b[0] + f[3 + i] * b[1] + f[6 + i] * b[2]);
    }
}

/* beta, and the squares of what it leaves of b. */
static void patch_explain(const bodies *q, contact_patch *patch)
{
    double turn[3] = {0.0}, s[3], v[3], x[3];

    memset(patch->b, 0, sizeof patch->b);
    patch->warp = 0.0;
    for (size_t k = 0; k < patch->count; k++) {
        patch_read_b(q, patch, k, s, v);
        perp_cross(s, v, x);
        for (size_t i = 0; i < 3; i++) {
            patch->b[i] += v[i] / (double)patch->count;
            turn[i] += x[i];
        }
    }
    patch_multiply(3, patch->gyration, turn, patch->b + 3);
    for (size_t k = 0; k < patch->count; k++) {
        patch_read_b(q, patch, k, s, v);
        perp_cross(patch->b + 3, s, x);
        for (size_t i = 0; i < 3; i++) {
            double rest = v[i] - patch->b[i] - x[i];

            patch->warp += rest * rest;
        }
    }
}

static void patch_prepare(const bodies *q, contact_patch *patch)
{
    bool good = patch_find_mean(q, patch) && patch_find_gyration(q, patch) &&
                patch_find_inverse(q, patch);

    patch->state = good ? PATCH_READY : PATCH_REFUSED;
    if (good) {
        patch_explain(q, patch);
    }
}

/* The end of the contacts from a position on that act on the same two bodies. */
static size_t patch_end(const bodies *q, size_t first)
{
    const bodies_position *at = q->positions;
    size_t end = first;

    while (end < q->count && end - first < PATCH_MOST && at[end].arms &&
           at[end].body[0] == at[first].body[0] && at[end].body[1] == at[first].body[1]) {
        end++;
    }
    return end > first ? end : first + 1;
}

perp_status perp_patches_setup(bodies *q, perp_workspace *ws, perp_error *err)
{
    size_t count = 0;

    for (size_t k = 0; k < q->count; k = patch_end(q, k)) {
        count += patch_end(q, k) - k >= PATCH_LEAST;
    }
    if (count == 0) {
        return PERP_OK;
    }
    q->patches = perp_workspace_raw(ws, count, sizeof *q->patches);
    q->patch = perp_workspace_alloc(ws, q->count, sizeof *q->patch);
    if (!q->patches || !q->patch) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu contact patches",
                         count);
    }
    for (size_t k = 0, end = 0; k < q->count; k = end) {
        contact_patch *patch = &q->patches[q->patch_count];

        end = patch_end(q, k);
        patch->first = k;
        patch->count = end - k;
        if (patch->count >= PATCH_LEAST) {
            patch->state = PATCH_FOUND;
            q->patch[k] = q->patch[end - 1] = (int32_t)++q->patch_count;
        }
    }
    return PERP_OK;
}

void perp_patches_refresh(bodies *q)
{
    for (size_t k = 0; k < q->patch_count; k++) {
        q->patches[k].state = PATCH_FOUND;
    }
}

/* twist += sign times that of a body at the end of an arm. */
static inline void patch_add_twist(const body_state *s, const double *arm, double sign,
                                   double *twist)
{
    double v[3];

    perp_cross(s->w, arm, v);
    for (size_t i = 0; i < 3; i++) {
        twist[i] += sign * (s->v[i] + v[i]);
        twist[3 + i] += sign * s->w[i];
    }
}

/* Impulses x of all contacts after a wrench is shared out, and what this adds to `change`; false
 * where one leaves its cone. */
static inline bool patch_share(const bodies *q, const contact_patch *patch,
                               const double *wrench, const double *z, double *x,
                               double *change)
{
    const bodies_position *at = q->positions + patch->first;
    double share = 1.0 / (double)patch->count, turn[3];

    patch_multiply(3, patch->gyration, wrench + 3, turn);
    for (size_t k = 0; k < patch->count; k++, x += 3) {
        const double *f = q->record + at[k].at, *r = z + at[k].first;
        double scale = 1.0 / patch_length(f), slope = f[ARMS_MU], s[3], g[3],
               square = 0.0;

        patch_place(q, patch, k, s);
        perp_cross(turn, s, g);
        for (size_t i = 0; i < 3; i++) {
            g[i] = scale * (g[i] + share * wrench[i]);
        }
        for (size_t i = 0; i < 3; i++) {
            double d = f[3 * i] * g[0] + f[3 * i + 1] * g[1] + f[3 * i + 2] * g[2];

            x[i] = r[i] + d;
            square += d * d;
        }
        *change += f[ARMS_WEIGHT] * square;
        slope *= x[0];
        if (!(x[0] >= 0.0 && x[1] * x[1] + x[2] * x[2] <= slope * slope)) {
            return false;
        }
    }
    return true;
}

/* Whether the normal impulse of the first contact would grow. */
static bool patch_closes(const bodies *q, const contact_patch *patch)
{
    const bodies_position *at = q->positions + patch->first;
    const double *f = q->record + at->at;
    double v[6] = {0.0};

    patch_add_twist(&q->state[at->body[1]], f + ARMS_SECOND, 1.0, v);
    patch_add_twist(&q->state[at->body[0]], f + ARMS_FIRST, -1.0, v);
    return f[0] * v[0] + f[1] * v[1] + f[2] * v[2] + f[ARMS_B] < 0.0;
}

/* Whether the contacts may stick together: all of them do so now, or none carries load yet and
 * they close. Else a step would mostly be refused: bodies lean on an edge, or slide. */
static bool patch_may_stick(const bodies *q, const contact_patch *patch, const double *z)
{
    const bodies_position *at = q->positions + patch->first;
    size_t carry = 0, stick = 0;

    for (size_t k = 0; k < patch->count; k++) {
        const double *r = z + at[k].first;
        double most = q->record[at[k].at + ARMS_MU] * r[0];

        carry += r[0] > 0.0;
        stick += r[1] * r[1] + r[2] * r[2] < inside * most * most;
    }
    return stick == patch->count || (carry == 0 && patch_closes(q, patch));
}

bool perp_patches_step(const bodies *q, contact_patch *patch, double *z, double *change)
{
    const bodies_position *at = q->positions + patch->first;
    double twist[6], wrench[6], x[3 * PATCH_MOST], moved = 0.0, turn, energy = 0.0;

    if (patch->state == PATCH_REFUSED || !patch_may_stick(q, patch, z)) {
        return false;
    }
    if (patch->state == PATCH_FOUND) {
        patch_prepare(q, patch);
        if (patch->state == PATCH_REFUSED) {
            return false;
        }
    }
    memcpy(twist, patch->b, sizeof twist);
    patch_add_twist(&q->state[at->body[1]], patch->arm[1], 1.0, twist);
    patch_add_twist(&q->state[at->body[0]], patch->arm[0], -1.0, twist);
    moved = twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2];
    turn = twist[3] * twist[3] + twist[4] * twist[4] + twist[5] * twist[5];
    moved = (double)patch->count * moved + patch->radius * turn;
    if (!(moved > explained * explained * patch->warp)) {
        return false;
    }
    patch_multiply(6, patch->inverse, twist, wrench);
    for (size_t i = 0; i < 6; i++) {
        wrench[i] = -wrench[i];
    }
    if (!patch_share(q, patch, wrench, z, x, &energy)) {
        return false;
    }
    for (size_t k = 0; k < patch->count; k++) {
        memcpy(z + at[k].first, x + 3 * k, 3 * sizeof *z);
    }
    for (size_t side = 0; side < 2; side++) {
        double sign = side == 0 ? -1.0 : 1.0, t[3];

        if (at->body[side] != q->still) {
            perp_cross(patch->arm[side], wrench, t);
            body_add_linear(q, at->body[side], sign * wrench[0], sign * wrench[1],
                            sign * wrench[2]);
            body_add_angular(q, at->body[side], sign * (t[0] + wrench[3]),
                             sign * (t[1] + wrench[4]), sign * (t[2] + wrench[5]));
        }
    }
    *change += energy;
    return true;
}
