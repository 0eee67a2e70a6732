/* SPDX-License-Identifier: Apache-2.0
 * report/runs_tolerances.c: a run that stands for several tolerances. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/results/runs.h"

/* The run as one at another tolerance: its answer is judged there. */
static json_t *run_at_tolerance(const stored_run *run, double tolerance)
{
    static const char *const names[] = {"tolerance", "solver.tolerance"};
    json_t *json = json_copy(run->json);
    json_t *vary = json_copy(json_object_get(json, "vary"));
    bool judged = json_is_number(json_object_get(json, "residual_given"));
    int failed = json_object_set_new(json, "tolerance", json_real(tolerance)) +
                 json_object_del(json, "tolerances");

    if (strcmp(run->status, "ok") == 0 && judged) {
        failed += json_object_set_new(json, "solved",
                                      json_boolean(run->residual_given <= tolerance));
    }
    for (size_t k = 0; vary && k < 2; k++) {
        if (json_object_get(vary, names[k])) {
            failed += json_object_set_new(vary, names[k], json_real(tolerance));
        }
    }
    failed += vary ? json_object_set_new(json, "vary", vary) : 0;
    if (failed) {
        json_decref(json);
        return NULL;
    }
    return json;
}

perp_status runs_add_tolerances(stored_runs *s, size_t from, perp_error *err)
{
    size_t before = s->count;

    for (size_t i = from; i < before; i++) {
        const json_t *all = json_object_get(s->runs[i].json, "tolerances");

        for (size_t k = 0; k < json_array_size(all); k++) {
            double tolerance = json_number_value(json_array_get(all, k));
            stored_run *runs = NULL;
            json_t *json = NULL;

            if (tolerance == s->runs[i].tolerance) {
                continue;
            }
            runs = realloc(s->runs, (s->count + 1) * sizeof *runs);
            s->runs = runs ? runs : s->runs;
            json = runs ? run_at_tolerance(&s->runs[i], tolerance) : NULL;
            if (!json) {
                return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu runs",
                                 s->count + 1);
            }
            s->runs[s->count] = run_from(json);
            s->runs[s->count++].line = s->runs[i].line;
        }
    }
    return PERP_OK;
}
