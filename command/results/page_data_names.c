/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_names.c: the solvers of the page and their looks; the endings of runs. */
#include <config.h>

#include <string.h>

#include <perp/solver.h>

#include "command/cli/plugin.h"
#include "command/figures/style.h"
#include "command/results/kinds/pick.h"
#include "command/results/looks.h"
#include "command/results/page_data_parts.h"

/* -- solvers ------------------------------------------------------------------------------- */

/* The line of the lists; "" for a solver that is not known here. */
static const char *solver_summary(const char *name)
{
    const perp_solver_type *type = NULL;
    perp_options options;

    return plugin_parse(name, &type, &options, NULL) == PERP_OK && type->summary
               ? type->summary
               : "";
}

static json_t *solver_entry(const stored_run *run, const figure_style_table *style)
{
    const char *name = member_text(run->json, "solver");
    const figure_look look = figure_style_find(style, run_owner(run));

    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i}", "label", run->label, "solver",
                     name, "summary", solver_summary(name), "colour", look.colour, "dash",
                     look.dash, "marker", look.marker);
}

json_t *page_solvers(const stored_runs *s, json_t *labels)
{
    figure_style_table style = {0};
    json_t *list = json_array();

    looks_of_runs(&style, s);
    for (size_t i = 0; i < s->count; i++) {
        if (page_place(labels, s->runs[i].label) == json_array_size(list)) {
            json_array_append_new(list, solver_entry(&s->runs[i], &style));
        }
    }
    figure_style_free(&style);
    return list;
}

/* -- endings ------------------------------------------------------------------------------- */

static const struct {
    const char *name, *type, *help;
} endings[] = {
    {"solved", "solved",
     "solved: the residual, recomputed from the instance, is at most the tolerance"},
    {"solved its approximation", "approximate",
     "solved its approximation: the formulation that was asked for is solved; the "
     "problem as given has a larger residual"},
    {"not applicable", "refused",
     "refused: the solver does not take such problems; not a failure"},
    {RUN_MISSED, "failed",
     "failed: another code reports \"solved\" at up to ten times the tolerance, which "
     "its own norm may explain"},
    {"false claim", "failed",
     "failed: another code reports \"solved\" at more than ten times the tolerance"},
    {"iteration limit", "failed", "failed: the iterations that were allowed are used up"},
    {"time limit", "failed", "failed: the time that was allowed is used up"},
    {"memory limit", "failed", "failed: the memory that was allowed is used up"},
    {"stalled", "failed",
     "failed: the residual no longer became smaller, or was not a number"},
    {"ray", "failed",
     "failed: a secondary ray, without a certificate that there is no solution"},
    {"infeasible", "failed",
     "failed: a certificate shows that no point satisfies the constraints"},
    {"unbounded", "failed",
     "failed: a certificate shows that the objective is unbounded"},
    {"cycle", "failed", "failed: the pivots came back to an earlier basis"},
    {"singular block", "failed",
     "failed: a block on the diagonal is singular, and the step is not defined"},
    {"interrupted", "failed", "failed: the run was interrupted"},
    {"running", "failed", "failed: the solver returned without an outcome"},
    {"early end", "failed", "failed: the simulation ended before its time"},
    {"error", "failed", "failed: the run ended with an error; its message says which"},
    {"no outcome", "failed", "failed: the record contains no outcome"},
};

static json_t *ending_entry(const char *name)
{
    const char *help = "failed: the process of the run ended by itself, or by a signal";
    const char *type = "failed";

    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        if (strcmp(endings[k].name, name) == 0) {
            type = endings[k].type;
            help = endings[k].help;
        }
    }
    if (strncmp(name, "crash", 5) == 0) {
        help = "failed: a signal ended the process of the run";
    }
    return json_pack("{s:s, s:s, s:s}", "name", name, "class", type, "help", help);
}

json_t *page_endings(json_t *names)
{
    json_t *list = json_array();
    const char *name = NULL;
    json_t *place = NULL;

    json_object_foreach(names, name, place)
    {
        json_array_append_new(list, ending_entry(name));
    }
    return list;
}
