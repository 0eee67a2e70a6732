/* SPDX-License-Identifier: Apache-2.0
 * step/metrics.c: the registry of metrics, in the order of the columns of tables. */
#include <config.h>

#include <string.h>

#include "step/metrics.h"

/* clang-format off */
static const perp_metric *const registry[] = {
    &step_metric_time,
    &step_metric_kinetic,
    &step_metric_potential,
    &step_metric_stored,
    &step_metric_energy,
    &step_metric_integrator,
    &step_metric_forces,
    &step_metric_joints,
    &step_metric_normal,
    &step_metric_friction,
    &step_metric_restitution,
    &step_metric_stabilization,
    &step_metric_remainder,
    &step_metric_px,
    &step_metric_py,
    &step_metric_pz,
    &step_metric_lx,
    &step_metric_ly,
    &step_metric_lz,
    &step_metric_contacts,
    &step_metric_rows,
    &step_metric_penetration,
    &step_metric_pairs,
    &step_metric_unresolved,
    &step_metric_drift_length,
    &step_metric_drift_angle,
    &step_metric_speed,
    &step_metric_outcome,
    &step_metric_residual,
    &step_metric_iterations,
    &step_metric_products,
    &step_metric_factorizations,
    &step_metric_flops,
    &step_metric_pivots,
    &step_metric_projections,
    &step_metric_rounds,
    &step_metric_seconds,
    &step_metric_warm,
    NULL,
};
/* clang-format on */

const perp_metric *const *perp_metrics(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_metric *perp_metric_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}
