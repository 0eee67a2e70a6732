/* SPDX-License-Identifier: Apache-2.0
 * cli/plot.c: a canvas of characters with several dots each. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/plot.h"
#include "command/cli/take.h"

void plot_open(plot_canvas *c, size_t columns, size_t rows, bool unicode)
{
    *c = (plot_canvas){.columns = columns, .rows = rows, .unicode = unicode};
    c->dots = take(columns * rows + 1, sizeof *c->dots);
    c->over = take(columns * rows + 1, sizeof *c->over);
}

void plot_close(plot_canvas *c)
{
    free(c->dots);
    free(c->over);
    *c = (plot_canvas){0};
}

size_t plot_width(const plot_canvas *c)
{
    return c->unicode ? 2 * c->columns : c->columns;
}

size_t plot_height(const plot_canvas *c)
{
    return c->unicode ? 4 * c->rows : 2 * c->rows;
}

void plot_dot(plot_canvas *c, size_t x, size_t y)
{
    /* Bits of U+2800: dots 1 2 3 7 of the left column, 4 5 6 8 of the right one. */
    static const unsigned char bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};

    if (x >= plot_width(c) || y >= plot_height(c)) {
        return;
    }
    if (c->unicode) {
        c->dots[y / 4 * c->columns + x / 2] |= bits[y % 4][x % 2];
    } else {
        c->dots[y / 2 * c->columns + x] |= bits[y % 2][0];
    }
}

void plot_line(plot_canvas *c, size_t x0, size_t y0, size_t x1, size_t y1)
{
    long dx = (long)x1 - (long)x0, dy = (long)y1 - (long)y0;
    long steps = labs(dx) > labs(dy) ? labs(dx) : labs(dy);

    for (long k = 0; k <= steps; k++) {
        long half = steps > 0 ? steps / 2 : 0, by = steps > 0 ? steps : 1;
        long x = (long)x0 * by + dx * k + half, y = (long)y0 * by + dy * k + half;

        plot_dot(c, (size_t)(x / by), (size_t)(y / by));
    }
}

void plot_text(plot_canvas *c, size_t column, size_t row, const char *text)
{
    for (; *text && column < c->columns && row < c->rows; text++, column++) {
        c->over[row * c->columns + column] = *text;
    }
}

/* U+2800 + bits in UTF-8; a blank where there is no dot. */
static void plot_braille(unsigned bits, FILE *out)
{
    if (bits == 0) {
        fputc(' ', out);
        return;
    }
    fputc(0xE2, out);
    fputc((int)(0xA0 | bits >> 6), out);
    fputc((int)(0x80 | (bits & 0x3F)), out);
}

void plot_print(const plot_canvas *c, size_t row, bool whole, FILE *out)
{
    const unsigned char *dots = c->dots + row * c->columns;
    const char *over = c->over + row * c->columns;
    size_t end = c->columns;

    while (!whole && end > 0 && !dots[end - 1] && !over[end - 1]) {
        end--;
    }
    for (size_t k = 0; k < end; k++) {
        if (over[k]) {
            fputc(over[k], out);
        } else if (c->unicode) {
            plot_braille(dots[k], out);
        } else {
            fputc(" '.:"[dots[k] & 3], out);
        }
    }
}
