/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/page.h: report.html, one page that needs no other file. */
#ifndef PERP_REPORT_PAGE_H
#define PERP_REPORT_PAGE_H

#include "runs.h"

/** DIR/report.html: every table, the figures that were drawn as SVG, every failure and
 *  its reason. */
perp_status write_page(const stored_runs *s, const char *dir, perp_error *err);

#endif
