/* SPDX-License-Identifier: Apache-2.0
 * step/metric_energy.c: energies at the end of a step. */
#include <config.h>

#include "step/metrics.h"

METRIC(kinetic, "kinetic", "J", "kinetic energy of the dynamic bodies", r->kinetic);
METRIC(potential, "potential", "J", "potential energy of gravity, 0 at the origin",
       r->potential);
METRIC(stored, "stored", "J", "energy in springs and soft joints", r->stored);
METRIC(energy, "energy", "J", "kinetic, potential and stored energy",
       r->kinetic + r->potential + r->stored);
