/* SPDX-License-Identifier: Apache-2.0
 * report/shared.c: words that the labels of all series of a figure share. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/shared.h"

/* The next series of the figure that a solver or another label names; NULL after the last one.
 * Begin with *panel = *series = 0. */
static figure_series *shared_next(const figure *f, size_t *panel, size_t *series)
{
    for (; *panel < f->count; ++*panel, *series = 0) {
        while (*series < f->panels[*panel]->count) {
            figure_series *s = f->panels[*panel]->series[(*series)++];

            if (*s->name && *s->owner && s->form != FIGURE_GUIDE && !s->muted) {
                return s;
            }
        }
    }
    return NULL;
}

/* The place of a word among those of a text; NULL: it is not there. */
static const char *shared_find(const char *text, const char *word, size_t length)
{
    while (*text) {
        size_t here = strcspn(text, " ");

        if (here == length && strncmp(text, word, length) == 0) {
            return text;
        }
        text += here + (text[here] == ' ');
    }
    return NULL;
}

/* The words of `from` that are in `others`, or that are not, with blanks between them. */
static void shared_words(char out[FIGURE_NAME], const char *from, const char *others,
                         bool in)
{
    char words[FIGURE_NAME] = "";
    size_t used = 0;

    while (*from) {
        size_t length = strcspn(from, " ");

        if ((shared_find(others, from, length) != NULL) == in) {
            used += (size_t)snprintf(words + used, sizeof words - used, "%s%.*s",
                                     used ? " " : "", (int)length, from);
        }
        from += length + (from[length] == ' ');
    }
    memcpy(out, words, sizeof words);
}

/* What all names share; false where nothing is to be dropped. */
static bool shared_find_all(const figure *f, char shared[FIGURE_NAME])
{
    size_t panel = 0, series = 0;
    const figure_series *first = shared_next(f, &panel, &series), *s = first;
    bool differ = false;

    if (!first) {
        return false;
    }
    memcpy(shared, first->name, FIGURE_NAME);
    for (; s; s = shared_next(f, &panel, &series)) {
        differ = differ || strcmp(s->name, first->name) != 0;
        shared_words(shared, shared, s->name, true);
        if (strchr(s->name, '=')) {
            return false;
        }
    }
    panel = series = 0;
    while (differ && (s = shared_next(f, &panel, &series))) {
        char rest[FIGURE_NAME];

        shared_words(rest, s->name, shared, false);
        if (!*rest) {
            return false;
        }
    }
    return *shared && (differ || f->count > 1);
}

void shared_drop(figure *f)
{
    char shared[FIGURE_NAME], *caption = NULL;
    size_t panel = 0, series = 0;
    figure_series *s = NULL;

    if (!shared_find_all(f, shared)) {
        return;
    }
    while ((s = shared_next(f, &panel, &series))) {
        figure_panel *p = f->panels[panel];
        bool titled = strcmp(p->title, s->name) == 0;

        shared_words(s->name, s->name, shared, false);
        if (titled) {
            snprintf(p->title, sizeof p->title, "%s", s->name);
        }
    }
    caption = take_text(f->caption ? f->caption : "");
    figure_set_caption(f, "%s All series: %s.", caption, shared);
    free(caption);
}
