/* SPDX-License-Identifier: Apache-2.0
 * simulate/bar.c: how far a run is: a bar on a terminal, nothing on a pipe. */
#include <config.h>

#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "experiments/cli/output.h"
#include "experiments/simulate/bar.h"

void sim_bar_start(sim_bar *bar, FILE *out, bool quiet, size_t first, size_t total)
{
    bool shown = !quiet && isatty(fileno(out));

    *bar = (sim_bar){shown ? out : NULL, first, total, perp_clock(), 0.0};
}

void sim_bar_tell(sim_bar *bar, size_t done, double t, size_t solved)
{
    enum { BAR = 24 };
    char filled[BAR + 1], line[256];
    double now = bar->out ? perp_clock() : 0.0;
    double pace = 0.0;
    size_t full = 0;
    unsigned long left = 0;

    if (!bar->out || now < bar->told + 0.1) {
        return;
    }
    bar->told = now;
    full = bar->total ? BAR * done / bar->total : BAR;
    memset(filled, ' ', BAR);
    memset(filled, '=', full < BAR ? full : BAR);
    filled[BAR] = '\0';
    pace = (now - bar->started) / (double)(done - bar->first);
    left = (unsigned long)(pace * (double)(bar->total - done));
    snprintf(line, sizeof line,
             "[%s] %zu/%zu  t = %.4g s  %zu not solved  %lu:%02lu left", filled, done,
             bar->total, t, done - solved, left / 60, left % 60);
    /* Back to the first column, the line cut at the edge,
     * the rest of the old one erased. */
    fprintf(bar->out, "\r%.*s\033[K", (int)(output_width(bar->out) - 1), line);
    fflush(bar->out);
}

void sim_bar_end(sim_bar *bar)
{
    if (bar->out && bar->told > 0.0) {
        fputs("\r\033[K", bar->out);
        fflush(bar->out);
    }
}
