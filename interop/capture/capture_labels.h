/* SPDX-License-Identifier: Apache-2.0
 * interop/capture/capture_labels.h: labels and origin of an item; between the files of
 * capture. */
#ifndef PERP_COMMAND_CAPTURE_LABELS_H
#define PERP_COMMAND_CAPTURE_LABELS_H

#include <perp/problem.h>

#include "interop/capture/capture.h"

/** Label every block of p, which has these rows. */
perp_status capture_labels(perp_problem *p, const capture_row *rows, size_t n,
                           perp_error *err);
/** The program, the engine, and the step at time t of length h. */
perp_status capture_origin(perp_problem *p, const capture_engine *engine, size_t step,
                           double t, double h, perp_error *err);

#endif
