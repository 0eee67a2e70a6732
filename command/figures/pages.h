/* SPDX-License-Identifier: Apache-2.0
 * figures/pages.h: a request resolved: page, terminal, sizes. */
#ifndef PERP_FIGURES_PAGES_H
#define PERP_FIGURES_PAGES_H

#include "layout.h"

/** PERP_ERR_OPTION names what there is. */
perp_status pages_resolve(figure_setting *setting, const figure_request *request,
                          perp_error *err);
/** "set terminal pdfcairo size …" for a figure of this size. */
void pages_write_terminal(FILE *gp, const drawn_figure *d);

#endif
