/* SPDX-License-Identifier: Apache-2.0
 * verbs/plot.c: make tables and figures again from stored results. */
#include <config.h>

#include "experiments/report/report.h"
#include "experiments/verbs/verbs.h"

static const cli_option plot_options[] = {
    {"style", 0, "NAME", "page to draw for: column, double, slide, screen [screen]"},
    {"terminal", 0, "NAME", "gnuplot terminal [that of the page]"},
    {"size", 0, "WxH", "width and height of a panel"},
    {"font", 0, "NAME,SIZE", "font of the figures"},
    CLI_OPTION_END,
};

static int plot_run(const cli_args *args, perp_error *err)
{
    const figure_request request = {
        .page = cli_args_value(args, "style"),
        .terminal = cli_args_value(args, "terminal"),
        .size = cli_args_value(args, "size"),
        .font = cli_args_value(args, "font"),
    };

    return report_make(args->word[0], &request, err) == PERP_OK ? CLI_DONE
                                                                : CLI_BAD_INPUT;
}

const cli_verb verb_plot = {
    .name = "plot",
    .summary = "make tables, figures and the report again from stored results",
    .usage = "DIR [--terminal NAME] [--size WxH] [--font NAME,SIZE]",
    .more = "DIR is a folder written by perp compare. DIR/runs.jsonl is read; no solver "
            "is run.\n",
    .options = plot_options,
    .least = 1,
    .most = 1,
    .run = plot_run,
};
