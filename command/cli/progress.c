/* SPDX-License-Identifier: Apache-2.0
 * cli/progress.c: the progress of many runs, or of the steps of one. */
#include <config.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/text.h"
#include "command/cli/output.h"
#include "command/cli/output_format.h"
#include "command/cli/progress.h"
#include "command/cli/take.h"

void progress_bar_start(progress_bar *bar, FILE *out, bool quiet, size_t first,
                        size_t total)
{
    bool shown = !quiet && isatty(fileno(out));

    *bar = (progress_bar){shown ? out : NULL, first, total, perp_clock(), 0.0};
}

/* Draw it over itself; `left` is in seconds, negative: not known. */
static void bar_draw(progress_bar *bar, size_t done, double left, const char *text)
{
    enum { WIDTH = 24 };
    char filled[WIDTH + 1], line[512], rest[64] = "";
    size_t cut = 0, columns = output_width(bar->out) - 1;
    size_t full = bar->total ? WIDTH * done / bar->total : WIDTH;

    memset(filled, ' ', WIDTH);
    memset(filled, '=', full < WIDTH ? full : WIDTH);
    filled[WIDTH] = '\0';
    if (left >= 0.0 && left < 1e9) {
        unsigned long minutes = (unsigned long)left / 60,
                      seconds = (unsigned long)left % 60;

        snprintf(rest, sizeof rest,
                 minutes < 60 ? "  %lu:%02lu left" : "  %lu h %02lu min left",
                 minutes < 60 ? minutes : minutes / 60,
                 minutes < 60 ? seconds : minutes % 60);
    }
    snprintf(line, sizeof line, "[%s] %zu/%zu%s  %s", filled, done, bar->total, rest,
             text);
    perp_text_show_in(line, sizeof line);
    while (line[cut] && output_columns(line, cut + 1) <= columns) {
        cut++;
    }
    /* To the first column, the line cut at the edge, the rest of the old one erased. */
    fprintf(bar->out, "\r%.*s\033[K", (int)cut, line);
    fflush(bar->out);
}

/* At most ten times per second. */
static bool bar_is_due(progress_bar *bar)
{
    double now = bar->out ? perp_clock() : 0.0;

    if (!bar->out || now < bar->drawn + 0.1) {
        return false;
    }
    bar->drawn = now;
    return true;
}

void progress_bar_draw(progress_bar *bar, size_t done, const char *format, ...)
{
    char text[256];
    va_list args;

    if (done <= bar->first || !bar_is_due(bar)) {
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* what is left at the present pace */
    bar_draw(bar, done,
             (bar->drawn - bar->started) * (double)(bar->total - done) /
                 (double)(done - bar->first),
             text);
}

void progress_bar_end(progress_bar *bar)
{
    if (bar->out && bar->drawn > 0.0) {
        fputs("\r\033[K", bar->out);
        fflush(bar->out);
    }
}

void progress_start(progress *p, FILE *out, bool quiet, bool lines, size_t total,
                    size_t skipped)
{
    *p = (progress){.out = out,
                    .quiet = quiet,
                    .total = total,
                    .done = skipped,
                    .started = perp_clock()};
    progress_bar_start(&p->bar, out, quiet || lines, skipped, total);
    if (!quiet) {
        fprintf(out, "%zu run%s", total, perp_plural(total));
        if (skipped) {
            fprintf(out, ", %zu of them made before", skipped);
        }
        fputc('\n', out);
        fflush(out);
    }
}

void progress_expect(progress *p, const progress_run *run)
{
    const char *const name[] = {run->set, run->instance, run->label};

    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        char *shown = take_made(perp_text_shown_new(name[k]));
        int width = (int)output_columns(shown, strlen(shown));

        free(shown);
        p->width[k] = width > p->width[k] ? width : p->width[k];
    }
    p->ahead += run->limit;
}

/* "  7/120 lcp      spd:n=50  pgs:     solved, …", in columns. */
static void progress_line(const progress *p, const progress_run *run, const char *end)
{
    int digits = snprintf(NULL, 0, "%zu", p->total);
    char *label = take_made(perp_text_shown_new(run->label));
    int width = (int)output_columns(label, strlen(label));

    output_print(p->out, OUTPUT_PLAIN, "%*zu/%zu %-*s %-*s %s:%*s %s\n", digits, p->done,
                 p->total, p->width[0], run->set, p->width[1], run->instance, label,
                 p->width[2] > width ? p->width[2] - width : 0, "", end);
    free(label);
    fflush(p->out);
}

void progress_report(progress *p, const progress_run *run, const char *end,
                     progress_count count, double seconds)
{
    p->done++;
    p->count[count]++;
    p->spent += seconds;
    p->allowed += run->limit;
    p->ahead -= run->limit;
    if (!p->bar.out && !p->quiet) {
        progress_line(p, run, end);
    }
}

void progress_show(progress *p, const progress_run *slowest, double seconds, size_t jobs)
{
    char text[400];
    int length = 0;
    double left = -1.0;

    if (!bar_is_due(&p->bar)) {
        return;
    }
    if (p->allowed > 0.0 && jobs > 0) {
        left = p->spent / p->allowed * p->ahead / (double)jobs;
    }
    length = snprintf(text, sizeof text, "%zu solved  %zu failed",
                      p->count[PROGRESS_SOLVED], p->count[PROGRESS_FAILED]);
    if (slowest && length > 0) {
        char set[97], instance[97], label[97];

        perp_text_show(set, sizeof set, slowest->set);
        perp_text_show(instance, sizeof instance, slowest->instance);
        perp_text_show(label, sizeof label, slowest->label);
        snprintf(text + length, sizeof text - (size_t)length, "  %.0f s: %s %s %s",
                 seconds, set, instance, label);
    }
    bar_draw(&p->bar, p->done, left, text);
}

void progress_say(progress *p, const char *format, ...)
{
    va_list args;
    char *text = NULL;

    if (p->quiet) {
        return;
    }
    progress_bar_end(&p->bar);
    va_start(args, format);
    text = output_format(format, args);
    va_end(args);
    fprintf(p->out, "%s\n", text);
    free(text);
    fflush(p->out);
}

void progress_end(progress *p, bool interrupted)
{
    progress_bar_end(&p->bar);
    if (p->quiet) {
        return;
    }
    fprintf(p->out,
            "%s%zu of %zu run%s done: %zu solved, %zu not, %zu unsuitable, %zu failed, "
            "%.1f s\n",
            interrupted ? "interrupted: " : "", p->done, p->total, perp_plural(p->total),
            p->count[PROGRESS_SOLVED], p->count[PROGRESS_NOT_SOLVED],
            p->count[PROGRESS_UNSUITABLE], p->count[PROGRESS_FAILED],
            perp_clock() - p->started);
    fflush(p->out);
}
