/* SPDX-License-Identifier: Apache-2.0
 * pivoting/contact_modes.h: all solutions of a few contacts in space, by their modes. Private. */
#ifndef PERP_PIVOTING_CONTACT_MODES_H
#define PERP_PIVOTING_CONTACT_MODES_H

#include <perp/solutions.h>

/** Up to three contacts in space under Coulomb's law, and no other rows. */
bool perp_contact_modes_take(const perp_problem *p);
/** z, count, sets, singular and complete of their list. PERP_ERR_MEMORY. */
perp_status perp_contact_modes_find(const perp_problem *p, perp_solutions *found,
                                    perp_error *err);

#endif
