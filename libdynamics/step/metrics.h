/* SPDX-License-Identifier: Apache-2.0
 * step/metrics.h: the metrics and the macro that defines one. Private. */
#ifndef PERP_STEP_METRICS_H
#define PERP_STEP_METRICS_H

#include <perp/dynamics/step.h>

/* Define a metric as one expression of the report `r`. */
#define METRIC(id, text, of, line, expression)                                           \
    static double id##_value(const perp_report *r)                                       \
    {                                                                                    \
        return (double)(expression);                                                     \
    }                                                                                    \
    const perp_metric step_metric_##id = {                                               \
        .name = (text), .unit = (of), .summary = (line), .value = id##_value}

/* energy */
extern const perp_metric step_metric_kinetic, step_metric_potential, step_metric_stored,
    step_metric_energy;
/* ledger */
extern const perp_metric step_metric_integrator, step_metric_forces, step_metric_joints,
    step_metric_normal, step_metric_friction, step_metric_restitution,
    step_metric_stabilization, step_metric_remainder;
/* momentum */
extern const perp_metric step_metric_px, step_metric_py, step_metric_pz, step_metric_lx,
    step_metric_ly, step_metric_lz;
/* contacts and joints */
extern const perp_metric step_metric_time, step_metric_contacts, step_metric_rows,
    step_metric_penetration, step_metric_drift_length, step_metric_drift_angle,
    step_metric_speed, step_metric_pairs, step_metric_unresolved;
/* the solver */
extern const perp_metric step_metric_outcome, step_metric_residual,
    step_metric_iterations, step_metric_products, step_metric_factorizations,
    step_metric_flops, step_metric_pivots, step_metric_projections, step_metric_rounds,
    step_metric_seconds, step_metric_warm;

#endif
