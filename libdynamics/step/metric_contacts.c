/* SPDX-License-Identifier: Apache-2.0
 * step/metric_contacts.c: time, contacts and how well positions are kept. */
#include <config.h>

#include "step/metrics.h"

METRIC(time, "time", "s", "at the end of the step", r->t);
METRIC(contacts, "contacts", "", "contacts in the problem", r->contacts);
METRIC(rows, "rows", "", "rows of joints, axes and contacts", r->rows);
METRIC(penetration, "penetration", "m", "deepest contact at the end of the step",
       r->penetration);
METRIC(pairs, "pairs", "", "pairs of shapes tested at the end of the step", r->pairs);
METRIC(unresolved, "unresolved", "", "pairs whose search did not converge",
       r->unresolved);
METRIC(drift_length, "drift-length", "m", "largest position error of a joint",
       r->drift_length);
METRIC(drift_angle, "drift-angle", "rad", "largest angular error of a joint",
       r->drift_angle);
METRIC(speed, "speed", "m/s", "fastest centre of mass", r->speed);
