/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/page.h: report.html, one page that needs no other file. */
#ifndef PERP_REPORT_PAGE_H
#define PERP_REPORT_PAGE_H

#include "against.h"

/** DIR/report.html: every table, the figures of DIR/figures/figures.json that are SVG files, every
 *  failure and its reason; what has changed against other results unless that is NULL. */
perp_status write_page(const stored_runs *s, const against *changes, const char *dir,
                       perp_error *err);

#endif
