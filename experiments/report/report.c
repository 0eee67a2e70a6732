/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/report.c: tables, figures and a page from stored results. */
#include <config.h>

#include "figures.h"
#include "page.h"
#include "report.h"
#include "summary.h"

perp_status report_make(const char *dir, const report_style *style, perp_error *err)
{
    stored_runs s;
    perp_status status = runs_read(&s, dir, err);
    perp_status drawn = PERP_OK;

    if (status != PERP_OK) {
        return status;
    }
    status = write_summary(&s, dir, err);
    if (status == PERP_OK) {
        status = write_tables(&s, dir, err);
    }
    if (status == PERP_OK) {
        drawn = write_figures(&s, dir, style, err);
    }
    /* Without gnuplot the page is still useful. */
    if (status == PERP_OK && (drawn == PERP_OK || drawn == PERP_ERR_LIBRARY)) {
        status = write_page(&s, dir, err);
    }
    runs_free(&s);
    return drawn == PERP_OK ? status : drawn;
}
