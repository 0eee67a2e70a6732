/* SPDX-License-Identifier: Apache-2.0
 * report/record_metrics.c: the numbers of a record of perp compare, as a list. */
#include <config.h>

#include <stddef.h>

#include "command/results/record_metrics.h"

const record_metric record_metrics[] = {
    {"seconds", "s", "time of the solve, the least of the repeats; of a run of a scene",
     "less"},
    {"seconds_median", "s", "median time of the repeats", "less"},
    {"seconds_low", "s", "lower quartile of the times of the repeats", "less"},
    {"seconds_high", "s", "upper quartile of the times of the repeats", "less"},
    {"repeats", "1", "times that were taken, the warm-up not counted", ""},
    {"loops", "1", "solves behind each of these times", ""},
    {"prepare_seconds", "s", "part of the time: reformulation and scaling", "less"},
    {"setup_seconds", "s", "part of the time: the solver before its first iteration",
     "less"},
    {"judge_seconds", "s", "time of judging, not part of the time of the solve", "less"},
    {"wall_seconds", "s", "time of the whole process, files included", "less"},
    {"bytes", "B", "workspace of the solver", "less"},
    {"iterations", "1", "iterations of the solver; of a scene of all steps", "less"},
    {"work.products", "1", "products with A, a sweep counted as one", "less"},
    {"work.factorizations", "1", "factorisations of any size", "less"},
    {"work.flops_factor", "1", "floating point operations in factorisations and pivots",
     "less"},
    {"work.pivots", "1", "pivots", "less"},
    {"work.projections", "1", "projections of one block", "less"},
    {"work.rounds", "1", "rounds of an outer loop, restarts", "less"},
    {"residual", "1", "residual of the problem as asked, reformulated if asked so",
     "less"},
    {"residual_given", "1", "residual of the problem as given", "less"},
    {"tolerance", "1", "residual that was asked for", ""},
    {"n", "1", "rows of an instance", ""},
    {"contacts", "1", "contacts of an instance; the most of any step of a scene", ""},
    {"nonzeros", "1", "stored entries of A", ""},
    {"place", "1", "place of the run in the suite", ""},
    {"machine.load", "1", "processes that wanted to run, mean of the last minute", ""},
    {"machine.steal", "1", "share of the busy time that the host gave to others", ""},
    {"machine.mhz_most", "MHz", "frequency of the fastest core after the run", ""},
    {"steps_made", "1", "steps of a scene that were made", "more"},
    {"steps_solved", "1", "steps of a scene whose problems were all solved", "more"},
    {"step_seconds.median", "s", "median time of a step of a scene", "less"},
    {"step_seconds.solving", "s", "time of all solves of a scene", "less"},
    {"rows_mean", "1", "mean rows of the steps of a scene", ""},
    {"contacts_mean", "1", "mean contacts of the steps of a scene", ""},
    {"bodies", "1", "bodies of a scene that move by forces", ""},
    {"links", "1", "bodies of a scene that joints hold", ""},
    {"dof", "1", "coordinates of the joints as trees and of the free bodies of a scene",
     ""},
    {"penetration", "m", "deepest contact of any step of a scene", "less"},
    {"drift_length", "m", "largest position error of a joint of a scene", "less"},
    {"drift_angle", "rad", "largest angular error of a joint of a scene", "less"},
    {"penetration_mean", "m",
     "penetration of the contacts of a scene that carry, their mean over all steps",
     "less"},
    {"energy.change", "J", "energy of a scene at its end less that at its start", ""},
    {"energy.error", "J", "largest energy that is not accounted for by work, of a scene",
     "less"},
    {"energy.relative", "1", "the same over the most energy that moved in the scene",
     "less"},
    {"energy.drift", "1",
     "energy not accounted for at the end of a scene over the most that moved, with its "
     "sign",
     ""},
    {"momentum.linear.relative", "1",
     "largest error of the momentum of a scene over its scale: rounding", "less"},
    {"momentum.angular.relative", "1",
     "largest error of the angular momentum of a scene over its scale", "less"},
    {NULL, NULL, NULL, NULL},
};

void record_metrics_list(json_t *array)
{
    for (const record_metric *m = record_metrics; m->name; m++) {
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", m->name,
                                        "of", "compare", "kind", "number per run", "unit",
                                        m->unit, "summary", m->meaning));
    }
}
