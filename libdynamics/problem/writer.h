/* SPDX-License-Identifier: Apache-2.0
 * problem/writer.h: what the files that write rows share. Private. */
#ifndef PERP_PROBLEM_WRITER_H
#define PERP_PROBLEM_WRITER_H

#include <perp/dynamics/rows.h>

#include "world/world.h"

/** Make room for so many rows of J and then contacts with frames, and for blocks in all; keeps what
 *  is there, none of which has a frame. */
perp_status rows_reserve(perp_rows *rows, size_t row_count, size_t contacts,
                         size_t block_count, perp_error *err);

/** Blocks and rows of the joints, then of their axes. Room is there. PERP_ERR_UNSUITABLE:
 *  an armature in maximal coordinates. */
perp_status rows_write_joints(perp_rows *rows, const perp_world *world,
                              const perp_state *state, const perp_scheme *scheme,
                              perp_error *err);
/** Blocks and rows of the contacts. Room for all but rolling ones is there. */
perp_status rows_write_contacts(perp_rows *rows, const perp_world *world,
                                const perp_state *state, const perp_contacts *contacts,
                                const perp_scheme *scheme, perp_error *err);

/** The bias of a row that only pushes, and its parts;
 *  `bias_position` + `bias_restitution` = `bias`. */
typedef struct rows_target {
    double bias_position, bias_restitution, bias;
} rows_target;

/* Speed asked for after an approach at c: Newton's law only where there was one. */
static inline double rows_restitution(const perp_scheme *s, double e, double c)
{
    bool slow = c <= 0.0 && c >= -s->threshold;

    if (e == 0.0 || slow || s->restitution == PERP_RESTITUTION_POISSON ||
        (c > 0.0 && s->restitution == PERP_RESTITUTION_NEWTON)) {
        return 0.0;
    }
    return -e * c;
}

/** Of a row whose distance to its bound is `gap`, approached at rate c: `erp` of what is
 *  deeper than `slop` removed in a step, at most at `fastest`; restitution e. */
static inline rows_target rows_push(const perp_scheme *s, double gap, double slop,
                                    double erp, double fastest, double e, double c)
{
    rows_target t = {0.0, 0.0, 0.0};
    double correction = 0.0;
    double rebound = 0.0;

    if (gap > 0.0) {
        /* stopped at the gap, what arrives within the step would lose its rebound */
        rebound = c * s->dt < -gap ? rows_restitution(s, e, c) : 0.0;
        t.bias_restitution = rebound;
        t.bias_position = rebound > 0.0 ? 0.0 : -gap / s->dt;
        t.bias = t.bias_restitution + t.bias_position;
        return t;
    }
    if (s->stabilize == PERP_STABILIZE_BAUMGARTE && -gap > slop) {
        correction = fmin(erp / s->dt * (-gap - slop), fastest);
    }
    rebound = rows_restitution(s, e, c);
    t.bias = s->bias == PERP_BIAS_SUM ? correction + rebound
             : correction > 0.0       ? fmax(correction, rebound)
                                      : rebound;
    t.bias_restitution = rebound;
    t.bias_position = t.bias - rebound;
    return t;
}

#endif
