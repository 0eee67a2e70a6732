/* SPDX-License-Identifier: Apache-2.0
 * tests/command/samples.h: a figure of each form, with awkward names and values. */
#ifndef PERP_TEST_SAMPLES_H
#define PERP_TEST_SAMPLES_H

#include "command/figures/figure.h"

/** Add them all; what they show is the same at every call. */
void samples_add(figure_book *book);

#endif
