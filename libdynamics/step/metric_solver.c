/* SPDX-License-Identifier: Apache-2.0
 * step/metric_solver.c: work of the solver for all problems of the step. */
#include <config.h>

#include "step/metrics.h"

METRIC(outcome, "solved", "", "1 when the solver solved every problem of the step",
       r->outcome == PERP_SOLVED);
METRIC(residual, "residual", "", "the largest residual of the problems of the step",
       r->residual);
METRIC(iterations, "iterations", "", "iterations of the solver", r->iterations);
METRIC(products, "products", "", "products with A", r->work.products);
METRIC(factorizations, "factorizations", "", "factorizations", r->work.factorizations);
METRIC(flops, "flops-factor", "", "floating point operations in factorizations",
       r->work.flops_factor);
METRIC(pivots, "pivots", "", "pivots", r->work.pivots);
METRIC(projections, "projections", "", "projections of one block", r->work.projections);
METRIC(rounds, "rounds", "", "rounds of an outer loop", r->work.rounds);
METRIC(seconds, "seconds", "s", "time spent solving", r->seconds);
METRIC(warm, "warm", "", "blocks that started from the last step's impulses", r->warm);
