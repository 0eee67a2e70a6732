/* SPDX-License-Identifier: Apache-2.0
 * runner/command.h: the line that repeats a run in a shell. */
#ifndef PERP_RUNNER_COMMAND_H
#define PERP_RUNNER_COMMAND_H

#include "command/campaign/suite.h"

/** "perp solve FILE --solver pgs --tolerance=1e-08 …" of an instance, with paths from the working
 *  folder of the comparison; "perp compare SUITE -o again --only SET/SOLVER/INSTANCE" of sequences
 *  and scenes, where more than one command line is needed to judge the answer. Words are quoted
 *  for a POSIX shell. On the heap. */
char *command_text(const suite *whose, const suite_run *run);

#endif
