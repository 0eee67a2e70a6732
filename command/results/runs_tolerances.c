/* SPDX-License-Identifier: Apache-2.0
 * report/runs_tolerances.c: a run that stands for several tolerances. */
#include <config.h>

#include <string.h>

#include "command/cli/take.h"
#include "command/results/runs.h"

/* The run as one at another tolerance: its answer is judged there. */
static json_t *run_at_tolerance(const stored_run *run, double tolerance)
{
    static const char *const names[] = {"tolerance", "solver.tolerance"};
    json_t *json = json_copy(run->json);
    json_t *vary = json_copy(json_object_get(json, "vary"));
    bool judged = json_is_number(json_object_get(json, "residual_given"));

    json_object_set_new(json, "tolerance", json_real(tolerance));
    json_object_del(json, "tolerances");
    if (strcmp(run->status, "ok") == 0 && judged) {
        json_object_set_new(json, "solved",
                            json_boolean(run->residual_given <= tolerance));
    }
    for (size_t k = 0; vary && k < 2; k++) {
        if (json_object_get(vary, names[k])) {
            json_object_set_new(vary, names[k], json_real(tolerance));
        }
    }
    if (vary) {
        json_object_set_new(json, "vary", vary);
    }
    return json;
}

void runs_add_tolerances(stored_runs *s, size_t from)
{
    size_t before = s->count;

    for (size_t i = from; i < before; i++) {
        const json_t *all = json_object_get(s->runs[i].json, "tolerances");

        for (size_t k = 0; k < json_array_size(all); k++) {
            double tolerance = json_number_value(json_array_get(all, k));

            if (tolerance == s->runs[i].tolerance) {
                continue;
            }
            TAKE_ROOM(s->runs, s->room, s->count + 1);
            s->runs[s->count] = run_from(run_at_tolerance(&s->runs[i], tolerance));
            s->runs[s->count++].line = s->runs[i].line;
        }
    }
}
