/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/report.c: tables, figures and a page from stored results. */
#include <config.h>

#include "figures.h"
#include "files.h"
#include "page.h"
#include "report.h"
#include "summary.h"

/* The figures that DIR/suite.json orders, or the usual ones. */
static perp_status report_figures(const stored_runs *s, const char *dir,
                                  const figure_request *request, perp_error *err)
{
    char folder[PERP_FILE_PATH_LENGTH];
    figure_orders orders;
    perp_status status = figure_orders_stored(&orders, dir, err);

    snprintf(folder, sizeof folder, "%s/figures", dir);
    if (status == PERP_OK) {
        status = figures_make(s, &orders, request, folder, err);
    }
    figure_orders_free(&orders);
    return status;
}

perp_status report_make(const char *dir, const figure_request *request, perp_error *err)
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
        drawn = report_figures(&s, dir, request, err);
    }
    /* Without gnuplot, or with an order that finds no data, the page is still useful. */
    if (status == PERP_OK &&
        (drawn == PERP_OK || drawn == PERP_ERR_LIBRARY || drawn == PERP_ERR_DATA)) {
        status = write_page(&s, dir, err);
    }
    runs_free(&s);
    return drawn == PERP_OK ? status : drawn;
}
