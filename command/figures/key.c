/* SPDX-License-Identifier: Apache-2.0
 * figures/key.c: the key below a figure: every named series once. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/cli/take.h"
#include "layout.h"
#include "text.h"

static bool key_has(const drawn_key *key, const figure_series *s)
{
    for (size_t k = 0; k < key->count; k++) {
        if (strcmp(key->entries[k]->name, s->name) == 0) {
            return true;
        }
    }
    return false;
}

static void key_fill(drawn_figure *d)
{
    size_t room = 0;

    for (size_t p = 0; p < d->figure->count; p++) {
        room += d->figure->panels[p]->count;
    }
    d->key.entries = take(room + 1, sizeof *d->key.entries);
    for (size_t p = 0; p < d->figure->count; p++) {
        const figure_panel *panel = d->figure->panels[p];

        for (size_t s = 0; s < panel->count; s++) {
            const figure_series *series = panel->series[s];

            if (series_is_named(panel, series) && !key_has(&d->key, series)) {
                d->key.entries[d->key.count++] = series;
            }
        }
    }
}

void key_new(drawn_figure *d)
{
    drawn_key *key = &d->key;
    double widest = 0.0;

    key->box.top = 0.3 * d->letter;
    if (d->direct || (d->count > 0 && d->panels[0].focus)) {
        return;
    }
    key_fill(d);
    if (key->count == 1) { /* nothing to tell apart */
        key->count = 0;
    }

    for (size_t k = 0; k < key->count; k++) {
        widest = fmax(widest, figure_text_width(key->entries[k]->name));
    }
    /* a sample of 2.2 letters, a gap, the name, a gap */
    key->pitch = fmin((widest + 3.5) * d->letter, d->width - d->letter);
    key->columns = (size_t)fmax(1.0, floor((d->width - d->letter) / key->pitch));
    key->columns = key->columns < key->count ? key->columns : key->count;
    key->rows = key->columns ? (key->count + key->columns - 1) / key->columns : 0;
    if (key->rows > 0) { /* rows of the same length */
        key->columns = (key->count + key->rows - 1) / key->rows;
    }
    key->box = (figure_box){0.5 * d->letter, 0.3 * d->letter, d->width - 0.5 * d->letter,
                            key->rows ? (0.7 + 1.25 * (double)key->rows) * d->letter
                                      : 0.3 * d->letter};
}
