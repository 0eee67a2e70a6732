/* SPDX-License-Identifier: Apache-2.0
 * step/damp.c: steps of a given number of sweeps, as a controller of positions.
 *
 * Sweeps that end early remove a share phi of the error of a slow mode: ten sweeps 6 % of that of
 * a stack of 20 boxes. As impulses start the next step, a mode of position x, velocity v and
 * impulse z (all per step and per mass, x = v = z = 0 at rest) is an integral controller,
 *
 *     z' = -phi (z + v + erp x),   v' = z,   x' = v,
 *
 * whose oscillations grow where erp > phi (Routh). Three rules make it stable for phi > 0.004 and
 * leave no error at rest. They apply after steps that were not solved only.
 *
 *   - A penetration is removed slowly: by the share slow erp per step. What is deeper than the
 *     margin comes from an impact, which is not a slow mode, and is removed by the share erp.
 *   - A start is damped, z + d (m - z) with d = slow erp, so that phi + d > slow erp. With fewer
 *     sweeps than ten phi is smaller, and d is larger in proportion.
 *   - m is a running mean of the impulses. Damping towards zero (m = 0) would require the sweeps
 *     to find the same impulses d z again in each step. They leave velocities along the
 *     surfaces, where no position is corrected: a pyramid would creep without end.
 *
 * Where positions are corrected apart from velocities (split, project, none), erp is 0 here: the
 * controller is stable, and damping would only weaken it. */
#include <config.h>

#include <math.h>

#include "step/solve.h"

static const double slow = 0.15;

/* The share by which the mean follows the impulses: slower than the oscillations, whose
 * frequency is sqrt(phi) per step. */
static const double follow = 0.01;

/* Sweeps below which a start is damped by more than the share of the correction. */
static const double few_sweeps = 10.0;

double step_damping(const perp_scheme *scheme, long sweeps)
{
    double erp = scheme->stabilize == PERP_STABILIZE_BAUMGARTE ? scheme->erp : 0.0;

    return fmin(1.0, slow * erp * fmax(1.0, few_sweeps / (double)sweeps));
}

void step_memory_damp(perp_stepper *st)
{
    step_memory *m = &st->memory;

    m->damped = true;
    for (size_t k = 0; k < m->blocks; k++) {
        for (size_t row = m->first[k]; row < m->first[k] + m->dim[k]; row++) {
            double z = m->z[row], mean = st->rows.mean[row];

            mean = mean == 0.0 ? z : mean + follow * (z - mean); /* 0: a new contact */
            m->mean[row] = mean;
            if (m->pair[k] != 0) {
                m->z[row] = z + st->damping * (mean - z);
            }
        }
    }
}

void step_soften(perp_stepper *st)
{
    const perp_scheme *s = &st->scheme;

    for (size_t k = 0; st->memory.damped && k < st->contacts.count; k++) {
        perp_contact *c = &st->contacts.at[k];
        double erp = world_erp(c->erp, s->erp), depth = -c->gap - s->slop;
        double shallow = depth > s->margin ? s->margin / depth : 1.0;

        erp *= 1.0 - (1.0 - slow) * shallow;
        c->erp = erp > 0.0 ? erp : PERP_ERP_NONE;
    }
}
