/* SPDX-License-Identifier: Apache-2.0
 * cli/progress.c: how far a campaign is: a bar on a terminal, one line a run on a pipe. */
#include <config.h>

#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "experiments/cli/output.h"
#include "experiments/cli/progress.h"

void progress_start(progress *p, FILE *out, bool quiet, size_t total, size_t skipped)
{
    *p = (progress){.out = out,
                    .quiet = quiet,
                    .terminal = isatty(fileno(out)),
                    .total = total,
                    .done = skipped,
                    .skipped = skipped,
                    .started = perp_clock()};
    if (!quiet) {
        fprintf(out, "%zu runs", total);
        if (skipped) {
            fprintf(out, ", %zu of them there already", skipped);
        }
        fputc('\n', out);
        fflush(out);
    }
}

/* Minutes and seconds that are left at the present pace. */
static void progress_left(const progress *p, char *text, size_t length)
{
    double pace = (perp_clock() - p->started) / (double)(p->done - p->skipped);
    unsigned long left = (unsigned long)(pace * (double)(p->total - p->done));

    snprintf(text, length, "%lu:%02lu left", left / 60, left % 60);
}

static void progress_bar(progress *p, const char *run)
{
    enum { BAR = 24 };
    char bar[BAR + 1], left[48], line[512];
    size_t width = output_width(p->out);
    size_t full = p->total ? BAR * p->done / p->total : BAR;

    memset(bar, ' ', BAR);
    memset(bar, '=', full);
    bar[BAR] = '\0';
    progress_left(p, left, sizeof left);
    snprintf(line, sizeof line, "[%s] %zu/%zu  %zu solved  %zu failed  %s  %s", bar,
             p->done, p->total, p->count[PROGRESS_SOLVED], p->count[PROGRESS_FAILED],
             left, run);
    /* Back to the first column, the line cut at the edge, the rest of the old one erased. */
    fprintf(p->out, "\r%.*s\033[K", (int)(width - 1), line);
    fflush(p->out);
}

void progress_tell(progress *p, const char *run, const char *end, progress_count count)
{
    p->done++;
    p->count[count]++;
    if (p->quiet) {
        return;
    }
    if (p->terminal) {
        progress_bar(p, run);
    } else {
        fprintf(p->out, "%zu/%zu %s: %s\n", p->done, p->total, run, end);
        fflush(p->out);
    }
}

void progress_end(progress *p, bool interrupted)
{
    if (p->quiet) {
        return;
    }
    if (p->terminal && p->done > p->skipped) {
        fputs("\r\033[K", p->out);
    }
    fprintf(p->out,
            "%s%zu of %zu runs done: %zu solved, %zu not, %zu unsuitable, %zu failed, "
            "%.1f s\n",
            interrupted ? "interrupted: " : "", p->done, p->total,
            p->count[PROGRESS_SOLVED], p->count[PROGRESS_NOT_SOLVED],
            p->count[PROGRESS_UNSUITABLE], p->count[PROGRESS_FAILED],
            perp_clock() - p->started);
    fflush(p->out);
}
