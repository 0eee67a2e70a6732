/* SPDX-License-Identifier: Apache-2.0
 * step/metric_momentum.c: momentum of the dynamic bodies, angular about the origin. */
#include <config.h>

#include "step/metrics.h"

METRIC(px, "momentum-x", "kg m/s", "linear momentum along x", r->momentum[0]);
METRIC(py, "momentum-y", "kg m/s", "linear momentum along y", r->momentum[1]);
METRIC(pz, "momentum-z", "kg m/s", "linear momentum along z", r->momentum[2]);
METRIC(lx, "angular-momentum-x", "kg m^2/s", "angular momentum about the x axis",
       r->angular_momentum[0]);
METRIC(ly, "angular-momentum-y", "kg m^2/s", "angular momentum about the y axis",
       r->angular_momentum[1]);
METRIC(lz, "angular-momentum-z", "kg m^2/s", "angular momentum about the z axis",
       r->angular_momentum[2]);
