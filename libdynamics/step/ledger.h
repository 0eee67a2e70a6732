/* SPDX-License-Identifier: Apache-2.0
 * step/ledger.h: energies, and the work of each part of a step. Private. */
#ifndef PERP_STEP_LEDGER_H
#define PERP_STEP_LEDGER_H

#include "step/stepper.h"

/** J u of the dynamic bodies, all rows. */
void step_rates(const perp_rows *rows, const double *u, double *rates);
/** Split the work of impulses z, w = A z + b, that changed the velocities from u_before
 *  to u_after; `expansion`: in the second half of Poisson's law. */
void step_account(perp_stepper *st, const double *z, const double *w, bool expansion,
                  const double *u_before, const double *u_after, double *ledger);
/** Work of impulses z through joints that connect a tree with a kinematic body and have
 *  no rows: with the velocity of this body only. */
double step_base_work(const perp_stepper *st, const double *z, const double *u_before,
                      const double *u_after);
/** Kinetic energy of velocities u at the present poses [J]. */
double step_kinetic(const perp_world *world, const perp_state *state, double *u);

/** Energies of a world by kind [J]. */
typedef struct step_energy {
    double kinetic, potential, joints, forces;
} step_energy;
void step_energies(const perp_world *world, const perp_state *state, step_energy *energy);
double step_total(const step_energy *energy);
/** Energies and the work of the impulses before positions move. */
typedef struct step_balance {
    step_energy start;
    double impulses;
} step_balance;
/** Call it when u+ is known, before positions move; and after they moved: the parts of the
 *  ledger of the integrator and of forces, and the energy of springs in joints. */
void step_ledger_open(perp_stepper *st, step_balance *balance);
void step_ledger_close(const perp_stepper *st, const step_balance *balance,
                       step_energy *end, double *ledger);

#endif
