/* SPDX-License-Identifier: Apache-2.0
 * verbs/plot.c: tables and figures from what is stored: results of comparisons, one or several
 * together, the run of a simulation, a problem. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/cli/data.h"
#include "command/results/figures.h"
#include "command/results/report.h"
#include "command/verbs/verbs.h"

static const cli_option plot_options[] = {
    {"output", 'o', "DIR",
     "folder of what is made [that of the results; A-and-B of several]"},
    {"style", 0, "column|double|slide|screen",
     "page; a column has 84 mm, a double one 174 mm [screen]"},
    {"terminal", 0, "pdfcairo|svg|png|cairolatex|tikz",
     "terminal of gnuplot [that of the style]"},
    {"size", 0, "WxH", "width and height of a panel, with a unit, or in inches"},
    {"font", 0, "NAME,SIZE", "font of the figures"},
    {"figure", 0, "ORDER",
     "only this figure: KIND:x=...,y=...,by=...; for several, again"},
    {"set", 0, "TEXT", "only this set"},
    {"against", 0, "SOLVER",
     "compare with this solver (its label) instead of the best: ratios, intervals, "
     "verdicts, a "
     "sentence per solver, a matrix of pairs"},
    {"title", 0, NULL, "draw titles"},
    {"script", 0, NULL, "leave scripts and data of gnuplot next to the figures"},
    {"data", 0, NULL, "leave the data of each figure as tidy CSV"},
    {"tables", 0, NULL, "write the tables as LaTeX, too"},
    CLI_OPTION_END,
};

/* What was typed: the request, and the orders that it may point to. */
static perp_status plot_request(const cli_args *args, report_request *request,
                                figure_orders *orders, perp_error *err)
{
    const char *order = NULL;
    size_t at = 0;
    perp_status status = PERP_OK;

    *request = (report_request){
        .figures = {.page = cli_args_value(args, "style"),
                    .terminal = cli_args_value(args, "terminal"),
                    .size = cli_args_value(args, "size"),
                    .font = cli_args_value(args, "font"),
                    .titles = cli_args_given(args, "title"),
                    .scripts = cli_args_given(args, "script"),
                    .data = cli_args_given(args, "data")},
        .set = cli_args_value(args, "set"),
        .solver = cli_args_value(args, "against"),
        .tables = cli_args_given(args, "tables"),
    };
    status = figure_request_check(&request->figures, err);
    while (status == PERP_OK && (order = cli_args_next(args, "figure", &at))) {
        status = figure_orders_add(orders, order, err);
        request->orders = orders;
    }
    return status;
}

/* "A-and-B" in the current folder: where results that are drawn together go. */
static perp_status plot_joined_name(const cli_args *args, char dir[DATA_PATH],
                                    perp_error *err)
{
    size_t used = 0;

    for (size_t k = 0; k < args->word_count; k++) {
        char *name = runs_folder_name(args->word, args->word_count, k);

        for (char *c = name; c && *c; c++) {
            *c = *c == '/' ? '-' : *c;
        }
        used += name && used < DATA_PATH
                    ? (size_t)snprintf(dir + used, DATA_PATH - used, "%s%s",
                                       k ? "-and-" : "", name)
                    : DATA_PATH;
        free(name);
    }
    return used < 200 ? PERP_OK
                      : perp_fail(err, PERP_ERR_OPTION,
                                  "perp plot: the names of the folders are long: -o DIR "
                                  "is missing");
}

/* Two results in one report, with what has changed from the first to the second. */
static perp_status plot_pair(const cli_args *args, const report_request *request,
                             const char *dir, perp_error *err)
{
    report_request both = *request;
    against a;
    perp_error inner = {0};
    perp_status status = against_make(&a, args->word[1], args->word[0], false, &inner);

    both.against = status == PERP_OK ? &a : NULL;
    if (status != PERP_OK && status != PERP_ERR_DATA) { /* data: no run is in both */
        perp_fail(err, status, "%s", inner.text);
    } else {
        status = report_join(args->word, args->word_count, dir, &both, err);
    }
    against_free(&a);
    return status;
}

/* Results, into their own folder or another one, which must not hold results itself. */
static perp_status plot_results(const cli_args *args, const report_request *request,
                                perp_error *err)
{
    const char *output = cli_args_value(args, "output");
    char dir[DATA_PATH] = "";
    perp_status status = PERP_OK;

    for (size_t k = 0; k < args->word_count; k++) {
        if (!runs_are_in(args->word[k])) {
            return perp_fail(err, PERP_ERR_READ,
                             "%s: no results of perp compare are there (no runs.jsonl)",
                             args->word[k]);
        }
    }
    if (!output && args->word_count == 1) {
        return report_join(args->word, 1, args->word[0], request, err);
    }
    if (output) {
        snprintf(dir, sizeof dir, "%s", output);
    } else {
        status = plot_joined_name(args, dir, err);
    }
    if (status == PERP_OK && runs_are_in(dir)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp plot: -o %s: the folder holds results of its own, expected "
            "another one",
            dir);
    }
    if (status == PERP_OK) {
        status = data_make_folder(dir, err);
    }
    if (status == PERP_OK) {
        status = args->word_count == 2
                     ? plot_pair(args, request, dir, err)
                     : report_join(args->word, args->word_count, dir, request, err);
    }
    if (status == PERP_OK && args->word_count > 1) {
        output_print(stdout, OUTPUT_PLAIN, "%s/report.html\n", dir);
    }
    return status;
}

/* PERP_ERR_DATA where the list of figures in the folder is empty. */
static perp_status plot_check_drawn(const char *path, const char *folder, perp_error *err)
{
    char list[DATA_PATH + 16];
    json_t *figures = NULL;
    size_t count = 0;

    snprintf(list, sizeof list, "%s/figures.json", folder);
    figures = json_load_file(list, 0, NULL);
    count = json_array_size(figures);
    json_decref(figures);
    return count ? PERP_OK
                 : perp_fail(err, PERP_ERR_DATA, "%s: there is nothing to draw", path);
}

/* The folder of a simulation, or what names a problem. Of these only figures are made. */
static perp_status plot_path(const cli_args *args, const report_request *request,
                             perp_error *err)
{
    const char *path = args->word[0];
    const char *output = cli_args_value(args, "output");
    char folder[DATA_PATH], run[DATA_PATH];
    perp_status status = PERP_OK;

    if (request->set || request->tables || request->solver) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp plot: --%s is of results of perp compare; %s holds none",
                         request->set      ? "set"
                         : request->tables ? "tables"
                                           : "against",
                         path);
    }
    if (access(path, F_OK) != 0 && !strchr(path, ':')) {
        return perp_fail(err, PERP_ERR_READ,
                         "%s: %s, expected results of perp compare, of perp simulate, or "
                         "an instance",
                         path, strerror(errno));
    }
    snprintf(run, sizeof run, "%s/trajectory.h5", path);
    if (data_is_folder(path) && !data_is_file(run) && !cli_args_given(args, "figure")) {
        return perp_fail(err, PERP_ERR_READ,
                         "%s: expected results of perp compare (runs.jsonl) or of perp "
                         "simulate (trajectory.h5)",
                         path);
    }
    snprintf(folder, sizeof folder, "%s%s", data_is_file(run) ? path : "",
             data_is_file(run) ? "/figures" : "figures");
    output = output ? output : folder;
    status = data_make_folder(output, err);
    if (status == PERP_OK) {
        status = figures_make_path(path, request->orders, &request->figures, output, err);
    }
    return status == PERP_OK ? plot_check_drawn(path, output, err) : status;
}

/* --against of perp compare has other results, that of perp plot a solver. */
static perp_status plot_check_against(const char *solver, perp_error *err)
{
    return solver && runs_are_in(solver)
               ? perp_fail(err, PERP_ERR_OPTION,
                           "perp plot: --against %s: expected a solver; perp compare DIR "
                           "--against %s compares with earlier results",
                           solver, solver)
               : PERP_OK;
}

static int plot_run(const cli_args *args, perp_error *err)
{
    figure_orders orders = {0};
    report_request request;
    perp_status status = plot_request(args, &request, &orders, err);

    if (status == PERP_OK) {
        status = plot_check_against(request.solver, err);
    }

    if (status == PERP_OK) {
        status = args->word_count > 1 || runs_are_in(args->word[0])
                     ? plot_results(args, &request, err)
                     : plot_path(args, &request, err);
    }
    figure_orders_free(&orders);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_plot = {
    .name = "plot",
    .summary = "make tables, figures and the report again from what is stored",
    .usage = "DIR... [-o DIR] [--style NAME] [--figure ORDER] | RUN | INSTANCE",
    .more = "DIR is a folder written by perp compare; several are drawn together. RUN "
            "is a folder of perp simulate, whose figures go to RUN/figures; those of "
            "an instance (see perp solve) go to figures. No solver is run. Without "
            "--figure the figures that the suite orders are drawn, or the usual ones; "
            "perp info figures lists the kinds.\n"
            "Several folders are drawn into A-and-B or -o DIR: a solver that is in "
            "more than one is followed by the name of the folder. --against SOLVER "
            "compares all solvers with that one, in summary.txt, the tables and the "
            "page; perp compare DIR --against OLD shows what has changed since "
            "earlier results.\n",
    .words = "INSTANCE|DIR",
    .usual = "output|figure|set|against|style|terminal|size|data|tables",
    .options = plot_options,
    .least = 1,
    .most = CLI_WORD_ROOM,
    .run = plot_run,
};
