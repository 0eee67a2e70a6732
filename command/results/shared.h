/* SPDX-License-Identifier: Apache-2.0
 * report/shared.h: words that the labels of all series of a figure share. */
#ifndef PERP_REPORT_SHARED_H
#define PERP_REPORT_SHARED_H

#include "command/figures/figure.h"

/** Drop the words that the names of all series share, "auto reduced" and "pgs reduced" becoming
 *  "auto" and "pgs", and append them to the caption. Several panels of one name lose it. Names
 *  keep one word; guides and values, "μ = 0.3", stay. */
void shared_drop(figure *f);

#endif
