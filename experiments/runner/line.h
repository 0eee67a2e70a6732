/* SPDX-License-Identifier: Apache-2.0
 * runner/line.h: the command line of a run: perp solve, or perp simulate of a scene. */
#ifndef PERP_RUNNER_LINE_H
#define PERP_RUNNER_LINE_H

#include "experiments/runner/suite.h"
#include "experiments/simulate/catalogue.h"

enum {
    LINE_TEXTS = PERP_OPTION_ROOM + SCENE_SETS + 40,
    LINE_TEXT = 192,
    LINE_VALUE = 128
};

/** Words point to strings that outlive it, or into text; NULL behind the last. */
typedef struct run_line {
    const char *word[LINE_TEXTS + 40];
    size_t count;
    char text[LINE_TEXTS][LINE_TEXT];
    size_t texts;
} run_line;

/** The line of a run by this program. */
void line_make(run_line *line, const suite_run *run, const char *executable);
/** Only the options that say how a scene is stepped, for a check: dt, time, scheme. */
void line_make_steps(run_line *line, const suite_rules *rules, const char *integrator);

#endif
