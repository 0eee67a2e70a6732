/* SPDX-License-Identifier: Apache-2.0
 * command/results/page.h: report.html, one page that needs no other file. */
#ifndef PERP_REPORT_PAGE_H
#define PERP_REPORT_PAGE_H

#include "against.h"

/** DIR/report.html: the data of page_data.h and the scripts that draw them; what has changed
 *  against other results unless that is NULL. PERP_ERR_READ: a part of the page is not there. */
perp_status write_page(const stored_runs *s, const against *changes, const char *dir,
                       perp_error *err);

#endif
