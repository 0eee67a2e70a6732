/* SPDX-License-Identifier: Apache-2.0
 * problem/writer.h: common functions that write rows. Private. */
#ifndef PERP_PROBLEM_WRITER_H
#define PERP_PROBLEM_WRITER_H

#include <perp/dynamics/rows.h>

#include "world/world.h"

/** Reserve this many rows of J, then contacts with frames, and blocks in total; keeps
 *  present rows, none of which has a frame. */
perp_status rows_reserve(perp_rows *rows, size_t row_count, size_t contacts,
                         size_t block_count, perp_error *err);

/** Blocks and rows of the joints, then of their axes. Memory is reserved.
 *  PERP_ERR_UNSUITABLE: an armature in maximal coordinates. */
perp_status rows_write_joints(perp_rows *rows, const perp_world *world,
                              const perp_state *state, const perp_scheme *scheme,
                              perp_error *err);
/** Blocks and rows of the contacts. Memory for all but rolling ones is reserved. */
perp_status rows_write_contacts(perp_rows *rows, const perp_world *world,
                                const perp_state *state, const perp_contacts *contacts,
                                const perp_scheme *scheme, perp_error *err);
/** The eta directions of the pyramid, d_h = cos(2 pi h/eta) t1 + sin(2 pi h/eta) t2, 3
 *  each. */
void pyramid_directions(const double t1[3], const double t2[3], unsigned eta, double *d);

/** "revolute elbow: swing 1", "limit elbow (lower)", "contact box/floor: t1": write the
 *  name of a row to `text`, truncated to `length` bytes; "" if there is no such row. */
void rows_name(const perp_rows *rows, const perp_world *world,
               const perp_contacts *contacts, size_t row, char *text, size_t length);
/** The block that holds a row, of which there is one at least. */
const perp_row_block *rows_block(const perp_rows *rows, size_t row);

/** J u of the other half of a row, 0 if it has none, also over bodies that impulses cannot
 *  move. */
double rows_second_rate(const perp_rows *rows, size_t r, const double *u);

/** The bias of a unilateral row, and its parts; `bias_position` + `bias_restitution` =
 *  `bias`. */
typedef struct rows_target {
    double bias_position, bias_restitution, bias;
} rows_target;

/* Required speed after an approach at c: Newton's law only if there was an approach. */
static inline double rows_restitution(const perp_scheme *s, double e, double c)
{
    bool slow = c <= 0.0 && c >= -s->threshold;

    if (e == 0.0 || slow || s->restitution == PERP_RESTITUTION_POISSON ||
        (c > 0.0 && s->restitution == PERP_RESTITUTION_NEWTON)) {
        return 0.0;
    }
    return -e * c;
}

/** The bias of a row at the distance `gap` from its bound, approached at rate c: the
 *  share `erp` of the depth beyond `slop` is removed per step, at most at `fastest`;
 *  restitution e. */
static inline rows_target rows_push(const perp_scheme *s, double gap, double slop,
                                    double erp, double fastest, double e, double c)
{
    rows_target t = {0.0, 0.0, 0.0};
    double correction = 0.0;
    double rebound = 0.0;

    if (gap > 0.0) {
        /* if it stopped at the gap, a body that arrives within the step would lose its
         * rebound */
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

/** The bias of a contact that approaches with the normal velocity c_n < 0 [m/s]: the
 *  correction of its penetration, or the speculative -gap/dt, and restitution. */
static inline rows_target rows_contact_target(const perp_contact *c, const perp_scheme *s,
                                              double c_n)
{
    return rows_push(s, c->gap, s->slop, world_erp(c->erp, s->erp), s->max_correction,
                     c->restitution, c_n);
}

#endif
