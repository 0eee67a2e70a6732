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
 * sweep. Contacts of one frame share F_k c; then a step costs about as much as one of each contact.
 * Memory: 360 bytes per patch of three or more contacts that do not lie on a line, and 56 for
 * each of its contacts. */
#include <config.h>

#include "bodies_record.h"
#include "patches.h"

/* A twist below this many times what b leaves unexplained is not stopped: near a solution in
 * which one of the contacts is open the step would act against the steps of single contacts. */
static const double explained = 10.0;

/* A contact slides where the square of its friction is more than this part of the most. */
static const double inside = 1.0 - 1e-9;

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

/* y := S x for a symmetric matrix. */
static inline void patch_multiply(const double *S, const double *x, double *y)
{
    y[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
    y[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
    y[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

/* -K^-1 twist */
static inline void patch_stop(const contact_patch *patch, const double *twist,
                              double *wrench)
{
    const double *M = patch->mixed, *v = twist, *w = twist + 3;
    double f[3], t[3];

    patch_multiply(patch->linear, v, f);
    patch_multiply(patch->angular, w, t);
    wrench[0] = -(f[0] + (M[0] * w[0] + M[3] * w[1] + M[6] * w[2]));
    wrench[1] = -(f[1] + (M[1] * w[0] + M[4] * w[1] + M[7] * w[2]));
    wrench[2] = -(f[2] + (M[2] * w[0] + M[5] * w[1] + M[8] * w[2]));
    wrench[3] = -(t[0] + (M[0] * v[0] + M[1] * v[1] + M[2] * v[2]));
    wrench[4] = -(t[1] + (M[3] * v[0] + M[4] * v[1] + M[5] * v[2]));
    wrench[5] = -(t[2] + (M[6] * v[0] + M[7] * v[1] + M[8] * v[2]));
}

/* y := F x/l */
static inline void patch_turn(const double *F, double scale, const double *x, double *y)
{
    for (size_t i = 0; i < 3; i++, F += 3) {
        y[i] = scale * (F[0] * x[0] + F[1] * x[1] + F[2] * x[2]);
    }
}

/* Impulses x of all contacts after a wrench is shared out, and what this adds to `change`; false
 * where one leaves its cone. */
static inline bool patch_share(const bodies *q, const contact_patch *patch,
                               const double *wrench, const double *z, double *x,
                               double *change)
{
    const bodies_position *at = q->positions + patch->first;
    const patch_contact *c = patch->contact;
    double share = 1.0 / (double)patch->count;
    double force[3] = {share * wrench[0], share * wrench[1], share * wrench[2]};
    double torque[3], f[3] = {0.0}, g[3] = {0.0};

    patch_multiply(patch->gyration, wrench + 3, torque);
    for (size_t k = 0; k < patch->count; k++, c++, x += 3) {
        const double *r = z + at[k].first, *s = c->place;
        double d[3], most;

        if (c->turned) {
            patch_turn(q->record + at[k].at, c->scale, force, f);
            patch_turn(q->record + at[k].at, c->scale, torque, g);
        }
        d[0] = c->scale * f[0] + (g[1] * s[2] - g[2] * s[1]);
        d[1] = c->scale * f[1] + (g[2] * s[0] - g[0] * s[2]);
        d[2] = c->scale * f[2] + (g[0] * s[1] - g[1] * s[0]);
        x[0] = r[0] + d[0];
        x[1] = r[1] + d[1];
        x[2] = r[2] + d[2];
        most = c->mu * x[0];
        if (!(x[0] >= 0.0 && x[1] * x[1] + x[2] * x[2] <= most * most)) {
            return false;
        }
        *change += c->weight * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
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
        double most = patch->contact[k].mu * r[0];

        carry += r[0] > 0.0;
        stick += r[1] * r[1] + r[2] * r[2] < inside * most * most;
    }
    return stick == patch->count || (carry == 0 && patch_closes(q, patch));
}

/* The wrench at the mean point acts on both bodies. */
static inline void patch_apply(const bodies *q, const contact_patch *patch,
                               const double *wrench)
{
    const int32_t *body = q->positions[patch->first].body;

    for (size_t side = 0; side < 2; side++) {
        double sign = side == 0 ? -1.0 : 1.0, t[3];

        if (body[side] != q->still) {
            perp_cross(patch->arm[side], wrench, t);
            body_add_linear(q, body[side], sign * wrench[0], sign * wrench[1],
                            sign * wrench[2]);
            body_add_angular(q, body[side], sign * (t[0] + wrench[3]),
                             sign * (t[1] + wrench[4]), sign * (t[2] + wrench[5]));
        }
    }
}

bool perp_patches_step(const bodies *q, contact_patch *patch, double *z, double *change)
{
    const bodies_position *at = q->positions + patch->first;
    double twist[6], wrench[6], x[3 * PATCH_MOST], moved = 0.0, turn, energy = 0.0;

    if (patch->state == PATCH_REFUSED || !patch_may_stick(q, patch, z)) {
        return false;
    }
    if (patch->state == PATCH_FOUND) {
        perp_patches_prepare(q, patch);
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
    patch_stop(patch, twist, wrench);
    if (!patch_share(q, patch, wrench, z, x, &energy)) {
        return false;
    }
    for (size_t k = 0; k < patch->count; k++) {
        memcpy(z + at[k].first, x + 3 * k, 3 * sizeof *z);
    }
    patch_apply(q, patch, wrench);
    *change += energy;
    return true;
}
