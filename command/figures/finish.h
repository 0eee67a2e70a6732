/* SPDX-License-Identifier: Apache-2.0
 * figures/finish.h: what gnuplot wrote, made fit for use: LaTeX that finds its picture, SVG whose
 * names are its own. */
#ifndef PERP_FIGURES_FINISH_H
#define PERP_FIGURES_FINISH_H

#include "pages.h"

/** Rewrite folder/NAME.EXT where its terminal needs it; PERP_ERR_WRITE when gnuplot did not
 *  write it to the end. */
perp_status finish_file(const figure_setting *setting, const char *folder,
                        const char *name, perp_error *err);

#endif
