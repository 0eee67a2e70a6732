/* SPDX-License-Identifier: Apache-2.0
 * figures/gnuplot.h: gnuplot, run once for all figures of a folder. */
#ifndef PERP_FIGURES_GNUPLOT_H
#define PERP_FIGURES_GNUPLOT_H

#include <perp/base.h>

/** Run gnuplot on folder/SCRIPT in that folder. PERP_ERR_LIBRARY has the first line of its
 *  messages, which are in folder/gnuplot.log. */
perp_status gnuplot_draw(const char *folder, const char *script, perp_error *err);

/** Does the file end as its format requires? Formats without such an end pass. */
bool gnuplot_wrote_whole(const char *path);

enum { GNUPLOT_OBSTACLE = 128 };

/** gnuplot does not say why it cannot write. ": No space left on device" where a file in this folder
 *  cannot be written now, for that reason or another one; "" where it can. Returns `text`. */
const char *gnuplot_obstacle(const char *folder, char text[GNUPLOT_OBSTACLE]);

#endif
