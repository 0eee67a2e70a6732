/* SPDX-License-Identifier: Apache-2.0
 * cli/progress.c: the progress of many runs, or of the steps of one. */
#include <config.h>

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "experiments/cli/output.h"
#include "experiments/cli/progress.h"

void progress_bar_start(progress_bar *bar, FILE *out, bool quiet, size_t first,
                        size_t total)
{
    bool shown = !quiet && isatty(fileno(out));

    *bar = (progress_bar){shown ? out : NULL, first, total, perp_clock(), 0.0};
}

void progress_bar_draw(progress_bar *bar, size_t done, const char *format, ...)
{
    enum { WIDTH = 24 };
    char filled[WIDTH + 1], text[256], line[512];
    double now = bar->out ? perp_clock() : 0.0;
    size_t full = bar->total ? WIDTH * done / bar->total : WIDTH;
    unsigned long left = 0;
    va_list args;

    if (!bar->out || now < bar->drawn + 0.1 || done <= bar->first) {
        return;
    }
    bar->drawn = now;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memset(filled, ' ', WIDTH);
    memset(filled, '=', full < WIDTH ? full : WIDTH);
    filled[WIDTH] = '\0';
    /* seconds that are left at the present pace */
    left = (unsigned long)((now - bar->started) * (double)(bar->total - done) /
                           (double)(done - bar->first));
    snprintf(line, sizeof line, "[%s] %zu/%zu  %s  %lu:%02lu left", filled, done,
             bar->total, text, left / 60, left % 60);
    /* To the first column, the line cut at the edge, the rest of the old one erased. */
    fprintf(bar->out, "\r%.*s\033[K", (int)(output_width(bar->out) - 1), line);
    fflush(bar->out);
}

void progress_bar_end(progress_bar *bar)
{
    if (bar->out && bar->drawn > 0.0) {
        fputs("\r\033[K", bar->out);
        fflush(bar->out);
    }
}

void progress_start(progress *p, FILE *out, bool quiet, size_t total, size_t skipped)
{
    *p = (progress){.out = out,
                    .quiet = quiet,
                    .total = total,
                    .done = skipped,
                    .started = perp_clock()};
    progress_bar_start(&p->bar, out, quiet, skipped, total);
    if (!quiet) {
        fprintf(out, "%zu runs", total);
        if (skipped) {
            fprintf(out, ", %zu of them made before", skipped);
        }
        fputc('\n', out);
        fflush(out);
    }
}

void progress_report(progress *p, const char *run, const char *end, progress_count count)
{
    p->done++;
    p->count[count]++;
    if (p->bar.out) {
        progress_bar_draw(&p->bar, p->done, "%zu solved  %zu failed  %s",
                          p->count[PROGRESS_SOLVED], p->count[PROGRESS_FAILED], run);
    } else if (!p->quiet) {
        fprintf(p->out, "%zu/%zu %s: %s\n", p->done, p->total, run, end);
        fflush(p->out);
    }
}

void progress_end(progress *p, bool interrupted)
{
    progress_bar_end(&p->bar);
    if (p->quiet) {
        return;
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
