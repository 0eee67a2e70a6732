/* SPDX-License-Identifier: Apache-2.0
 * step/metric_ledger.c: where the energy of a step went. The parts sum to its change. */
#include <config.h>

#include "step/metrics.h"

METRIC(integrator, "ledger-integrator", "J",
       "energy error of the discretised free motion", r->ledger[PERP_LEDGER_INTEGRATOR]);
METRIC(forces, "ledger-forces", "J", "work of dampers, drag and loads",
       r->ledger[PERP_LEDGER_FORCES]);
METRIC(joints, "ledger-joints", "J", "work of joints, limits, motors, axis springs",
       r->ledger[PERP_LEDGER_JOINTS]);
METRIC(normal, "ledger-normal", "J", "work of normal impulses: inelastic loss",
       r->ledger[PERP_LEDGER_NORMAL]);
METRIC(friction, "ledger-friction", "J", "work of friction",
       r->ledger[PERP_LEDGER_FRICTION]);
METRIC(restitution, "ledger-restitution", "J", "energy given back by restitution",
       r->ledger[PERP_LEDGER_RESTITUTION]);
METRIC(stabilization, "ledger-stabilization", "J",
       "work of correcting positions and of closing gaps",
       r->ledger[PERP_LEDGER_STABILIZATION]);
METRIC(remainder, "ledger-residual", "J",
       "energy change due to the residual of the solver",
       r->ledger[PERP_LEDGER_RESIDUAL]);
