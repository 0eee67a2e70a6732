/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs_frame.c: rows of contacts from their frames and lever arms, and back. */
#include <config.h>

#include "matrix/storages.h"

const double *perp_pairs_row(const perp_pairs *p, size_t i, double made[12])
{
    const double *frame, *F;

    if (!p->frames || !perp_pairs_framed(p, i)) {
        return p->J + 12 * i;
    }
    frame = perp_pairs_frame(p, i);
    F = frame + 3 * ((i - p->frames_from) % 3);
    for (size_t k = 0; k < 3; k++) {
        made[k] = -F[k];
        made[6 + k] = F[k];
    }
    perp_cross(F, frame + 9, made + 3); /* -(p x F) */
    perp_cross(frame + 12, F, made + 9);
    return made;
}

const int32_t *perp_pairs_bodies(const perp_pairs *p, size_t i)
{
    return p->frames ? perp_pairs_body(p, i) : p->body + 2 * i;
}

/* Rows are formed by a cross product, and recovered by three of them. */
static const double pairs_arm_rounding = 1e-14;

/* The arm p (3) of a body for which three rows of J, 12 numbers apart, end in sign (p x F_i):
 * with orthogonal rows of F of one length s
 *
 *     p = sum over its rows of  F_i x (p x F_i)/(2 s^2)
 *
 * False where there is none to rounding. */
static bool pairs_find_arm(const double *F, const double *J, double sign, double *arm)
{
    double length = F[0] * F[0] + F[1] * F[1] + F[2] * F[2], c[3], off;
    double size = perp_largest(9, F);

    memset(arm, 0, 3 * sizeof *arm);
    for (size_t i = 0; i < 3; i++) {
        perp_cross(F + 3 * i, J + 12 * i + 3, c);
        for (size_t d = 0; d < 3; d++) {
            arm[d] += sign * c[d] / (2.0 * length);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        perp_cross(arm, F + 3 * i, c);
        for (size_t d = 0; d < 3; d++) {
            off = fabs(sign * c[d] - J[12 * i + 3 + d]);
            if (!(off <= pairs_arm_rounding * size * perp_largest(3, arm))) {
                return false;
            }
        }
    }
    return true;
}

bool perp_pairs_find_frame(const perp_pair_rows *f, size_t row, double *frame)
{
    const perp_pairs *p = &f->at;
    const int32_t *body = perp_pairs_body(p, row);
    bool first = perp_pairs_moves(f, body[0]), second = perp_pairs_moves(f, body[1]);
    bool given = perp_pairs_framed(p, row) && (row - p->frames_from) % 3 == 0;
    bool good = true;
    double J[36], made[12];

    if (given) {
        memcpy(frame, perp_pairs_frame(p, row), 15 * sizeof *frame);
    }
    for (size_t i = 0; !given && i < 3; i++) {
        memcpy(J + 12 * i, perp_pairs_row(p, row + i, made), sizeof made);
    }
    for (size_t k = 0; !given && k < 9; k++) {
        const double *x = J + k / 3 * 12 + k % 3;

        frame[k] = second ? x[6] : -x[0];
        good = good && (!first || !second || x[6] == -x[0]);
    }
    if (!first) {
        memset(frame + 9, 0, 3 * sizeof *frame);
    }
    if (!second) {
        memset(frame + 12, 0, 3 * sizeof *frame);
    }
    return given || (good && (!first || pairs_find_arm(frame, J, -1.0, frame + 9)) &&
                     (!second || pairs_find_arm(frame, J + 6, 1.0, frame + 12)));
}
