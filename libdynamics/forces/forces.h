/* SPDX-License-Identifier: Apache-2.0
 * forces/forces.h: the force types of the registry, and what their files share. Private. */
#ifndef PERP_FORCES_FORCES_H
#define PERP_FORCES_FORCES_H

#include <perp/dynamics/force.h>

#endif
