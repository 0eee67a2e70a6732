/* SPDX-License-Identifier: Apache-2.0
 * command/results/report.c: tables, figures and a page from stored results. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/base.h"
#include "contradictions.h"
#include "figures.h"
#include "files.h"
#include "page.h"
#include "report.h"
#include "summary.h"

static perp_status report_figures(const stored_runs *s, const char *suite,
                                  const char *dir, const report_request *request,
                                  perp_error *err)
{
    char folder[PERP_FILE_PATH_LENGTH];
    figure_orders own = {0};
    const figure_orders *orders = request->orders ? request->orders : &own;
    perp_status status =
        request->orders ? PERP_OK : figure_orders_stored(&own, suite, err);

    snprintf(folder, sizeof folder, "%s/figures", dir);
    if (status == PERP_OK) {
        status = figures_make(s, orders, &request->figures, folder, err);
    }
    figure_orders_free(&own);
    return status;
}

/* Only one process writes into a folder at a time: perp plot waits for a comparison that is at
 * its report. Released by close; where a file system knows no locks, nothing is locked. */
static int report_lock(const char *dir)
{
    int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    while (folder >= 0 && flock(folder, LOCK_EX) != 0 && errno == EINTR) {
    }
    return folder;
}

perp_status report_join(const char *const *folders, size_t count, const char *dir,
                        const report_request *request, perp_error *err)
{
    static const report_request usual;
    stored_runs s;
    contradictions found = {0};
    perp_status status = PERP_OK;
    perp_status drawn = PERP_OK;
    int lock = -1;

    request = request ? request : &usual;
    TRY(figure_request_check(&request->figures, err));
    lock = report_lock(dir);
    status = runs_read_folders(&s, folders, count, err);
    if (status == PERP_OK && request->set) {
        status = runs_keep_set(&s, request->set, err);
    }
    if (status == PERP_OK && request->solver) {
        status = runs_compare_with(&s, request->solver, err);
    }
    if (status == PERP_OK) {
        contradictions_find(&found, &s);
    }
    if (status == PERP_OK) {
        status = write_summary(&s, &found, dir, err);
    }
    if (status == PERP_OK) {
        status = write_tables(&s, dir, request->tables, err);
    }
    if (status == PERP_OK) {
        status = contradictions_csv(&found, dir, err);
    }
    if (status == PERP_OK) {
        drawn = report_figures(&s, folders[0], dir, request, err);
    }
    /* Without gnuplot, or with an order that finds no data, the page is still useful. */
    if (status == PERP_OK &&
        (drawn == PERP_OK || drawn == PERP_ERR_LIBRARY || drawn == PERP_ERR_DATA)) {
        status = write_page(&s, request->against, dir, err);
    }
    if (status == PERP_OK && request->ranking) {
        status = summary_ranking(request->ranking, &s, err);
    }
    /* last: all files are written, and the exit status is that of an error */
    if (status == PERP_OK) {
        status = contradictions_report(&found, dir, err);
    }
    contradictions_free(&found);
    runs_free(&s);
    if (lock >= 0) {
        close(lock);
    }
    return status != PERP_OK || drawn == PERP_OK ? status : drawn;
}

perp_status report_make(const char *dir, const figure_request *request, perp_error *err)
{
    report_request all = {.set = NULL};

    if (request) {
        all.figures = *request;
    }
    return report_join(&dir, 1, dir, &all, err);
}
