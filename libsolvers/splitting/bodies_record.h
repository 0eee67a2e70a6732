/* SPDX-License-Identifier: Apache-2.0
 * splitting/bodies_record.h: the record of a contact in space for a sweep: four cache lines, with
 * the proximal term in S, nt and W_nn as in local_cone. Private. */
#ifndef PERP_SPLITTING_BODIES_RECORD_H
#define PERP_SPLITTING_BODIES_RECORD_H

#include "bodies.h"

enum {
    ARMS_F,           /* 9: rows of J under the velocity of the second body */
    ARMS_FIRST = 9,   /* 3: arm of the first body */
    ARMS_SECOND = 12, /* 3: arm of the second */
    ARMS_WEIGHT = 15, /* mean diagonal of the block */
    ARMS_INV_NN,      /* 1/W_nn */
    ARMS_NT,          /* 2: W_nt/W_nn */
    ARMS_T11 = 19,    /* S = W_tt - W_tn W_nt/W_nn: [S22 S12; S12 S11]/det S, */
    ARMS_T12,         /* which is its inverse but for a sign off the diagonal */
    ARMS_T22,
    ARMS_DET,         /* det S */
    ARMS_MU,          /* slope of the cone */
    ARMS_GUESS,       /* |u_t|/|r_t| at the last slip */
    ARMS_B,           /* 3: of b */
    ARMS_C = 28,      /* 3: of C */
    ARMS_INV_MU = 31, /* 1/mu, or 0 */
    ARMS_SIZE         /* numbers per record */
};

/** w := I^-1 x of a body. */
static inline void body_turn(const bodies *q, int32_t body, const double *x, double *w)
{
    const body_state *s = &q->state[body];
    const double *I = q->inertia + 9 * (size_t)body;

    for (size_t i = 0; i < 3; i++) {
        w[i] = s->inverse_inertia * x[i];
    }
    if (s->inverse_inertia < 0.0) {
        w[0] = I[0] * x[0] + I[1] * x[1] + I[2] * x[2];
        w[1] = I[1] * x[0] + I[4] * x[1] + I[5] * x[2];
        w[2] = I[2] * x[0] + I[5] * x[1] + I[8] * x[2];
    }
}

/** Add the velocity change of a body under an angular or a linear impulse. */
static inline void body_add_angular(const bodies *q, int32_t body, double x, double y,
                                    double z)
{
    body_state *s = &q->state[body];
    double i = s->inverse_inertia;

    if (i >= 0.0) {
        s->w[0] += i * x;
        s->w[1] += i * y;
        s->w[2] += i * z;
    } else {
        const double *I = q->inertia + 9 * (size_t)body;

        s->w[0] += I[0] * x + I[1] * y + I[2] * z;
        s->w[1] += I[1] * x + I[4] * y + I[5] * z;
        s->w[2] += I[2] * x + I[5] * y + I[8] * z;
    }
}

static inline void body_add_linear(const bodies *q, int32_t body, double x, double y,
                                   double z)
{
    body_state *s = &q->state[body];
    double i = s->inverse_mass;

    s->v[0] += i * x;
    s->v[1] += i * y;
    s->v[2] += i * z;
}

#endif
