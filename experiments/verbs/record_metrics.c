/* SPDX-License-Identifier: Apache-2.0
 * verbs/record_metrics.c: the numbers of a record of perp compare, as a list. */
#include <config.h>

#include <stddef.h>

#include "experiments/verbs/record_metrics.h"

static const struct {
    const char *name, *unit, *meaning;
} all_metrics[] = {
    {"seconds", "s", "time of the solve, the least of the repeats; of a run of a scene"},
    {"seconds_median", "s", "median time of the repeats"},
    {"seconds_low", "s", "lower quartile of the times of the repeats"},
    {"seconds_high", "s", "upper quartile of the times of the repeats"},
    {"repeats", "1", "times that were taken, the warm-up not counted"},
    {"loops", "1", "solves behind each of these times"},
    {"prepare_seconds", "s", "part of the time: reformulation and scaling"},
    {"setup_seconds", "s", "part of the time: the solver before its first iteration"},
    {"judge_seconds", "s", "time of judging, not part of the time of the solve"},
    {"wall_seconds", "s", "time of the whole process, files included"},
    {"bytes", "B", "workspace of the solver"},
    {"iterations", "1", "iterations of the solver; of a scene of all steps"},
    {"work.products", "1", "products with A, a sweep counted as one"},
    {"work.factorizations", "1", "factorisations of any size"},
    {"work.flops_factor", "1", "floating point operations in factorisations and pivots"},
    {"work.pivots", "1", "pivots"},
    {"work.projections", "1", "projections of one block"},
    {"work.rounds", "1", "rounds of an outer loop, restarts"},
    {"residual", "1", "residual of the problem as asked, reformulated if asked so"},
    {"residual_given", "1", "residual of the problem as given"},
    {"tolerance", "1", "residual that was asked for"},
    {"n", "1", "rows of an instance"},
    {"contacts", "1", "contacts of an instance; the most of any step of a scene"},
    {"nonzeros", "1", "stored entries of A"},
    {"place", "1", "place of the run in the suite"},
    {"machine.load", "1", "processes that wanted to run, mean of the last minute"},
    {"machine.steal", "1", "share of the busy time that the host gave to others"},
    {"machine.mhz_most", "MHz", "frequency of the fastest core after the run"},
    {"steps_made", "1", "steps of a scene that were made"},
    {"steps_solved", "1", "steps of a scene whose problems were all solved"},
    {"step_seconds.median", "s", "median time of a step of a scene"},
    {"step_seconds.solving", "s", "time of all solves of a scene"},
    {"rows_mean", "1", "mean rows of the steps of a scene"},
    {"contacts_mean", "1", "mean contacts of the steps of a scene"},
    {"bodies", "1", "bodies of a scene that move by forces"},
    {"links", "1", "bodies of a scene that joints hold"},
    {"dof", "1", "coordinates of the joints as trees and of the free bodies of a scene"},
    {"penetration", "m", "deepest contact of any step of a scene"},
    {"drift_length", "m", "largest position error of a joint of a scene"},
    {"drift_angle", "rad", "largest angular error of a joint of a scene"},
    {"energy.change", "J", "energy of a scene at its end less that at its start"},
};

void record_metrics_list(json_t *array)
{
    for (size_t k = 0; k < sizeof all_metrics / sizeof *all_metrics; k++) {
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", all_metrics[k].name,
                             "of", "compare", "kind", "number per run", "unit",
                             all_metrics[k].unit, "summary", all_metrics[k].meaning));
    }
}
