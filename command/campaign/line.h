/* SPDX-License-Identifier: Apache-2.0
 * runner/line.h: the command line of a run. */
#ifndef PERP_RUNNER_LINE_H
#define PERP_RUNNER_LINE_H

#include "command/campaign/suite.h"
#include "command/cli/plugin.h"
#include "command/simulate/catalogue.h"

enum {
    LINE_TEXTS = PERP_OPTION_ROOM + SCENE_SETS + 40,
    LINE_TEXT = 192,
    LINE_VALUE = 128
};

/** Words point to strings that outlive the line, or into text; NULL after the last. */
typedef struct run_line {
    const char *word[LINE_TEXTS + 40 + 2 * PLUGIN_MOST];
    size_t count;
    char text[LINE_TEXTS][LINE_TEXT];
    size_t texts;
} run_line;

/** Only the options that say how a scene is stepped, for a check: dt, time, scheme. */
void line_make_steps(run_line *line, const suite_rules *rules, const char *integrator);

/* Parts of a line; line_add(line, NULL) ends it. */

/** An empty line. */
void line_start(run_line *line);
/** A word, which is not copied. */
void line_add(run_line *line, const char *word);
/** "--name=value" */
void line_add_text(run_line *line, const char *name, const char *value);
void line_add_number(run_line *line, const char *name, double x);
/** The solver with its options, tolerance, limit and seed. */
void line_add_solver(run_line *line, const suite_run *run);
/** The same, and how perp solve reads and reformulates the problem. */
void line_add_solve(run_line *line, const suite_run *run);
/** How a scene is stepped; integrator NULL: its own. */
void line_add_steps(run_line *line, const suite_rules *rules, const char *integrator);
/** "--set=links=50" for each parameter of "links=50,…". */
void line_add_parameters(run_line *line, const char *parameters);

#endif
