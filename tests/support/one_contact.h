/* SPDX-License-Identifier: Apache-2.0
 * tests/support/one_contact.h: one contact, solved as a step formulates it. */
#ifndef PERP_TEST_ONE_CONTACT_H
#define PERP_TEST_ONE_CONTACT_H

#include "dynamics.h"

/** u = W gamma + b in the order n, t1, t2; W row by row, symmetric and positive definite. */
typedef struct one_contact {
    double W[9], b[3], mu;
} one_contact;

/** u := W gamma + b. */
void one_contact_velocity(const one_contact *k, const double gamma[3], double u[3]);
/** The impulse by the problem that a step makes of the contact of a body with the ground; eta of
 *  the pyramid alone. The body turns, and has the velocity b at the contact. Asserts that it is
 *  solved, and that J u+ is W gamma + b. */
void one_contact_solve(const one_contact *k, perp_model model, unsigned eta,
                       double gamma[3]);

#endif
