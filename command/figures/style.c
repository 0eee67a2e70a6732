/* SPDX-License-Identifier: Apache-2.0
 * figures/style.c: who has which colour, dash and marker. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "style.h"

enum { LOOKS = 8 };

/* Okabe and Ito's colours without their yellow, which is too light for lines on white; a dark
 * yellow stands in for it. Neighbours differ in lightness, too. */
static const char *const colours[LOOKS] = {"#0072B2", "#D55E00", "#009E73", "#000000",
                                           "#56B4E9", "#CC79A7", "#E69F00", "#6B4E00"};
/* Filled markers, and the same ones open. The cross, 2, is that of failures. */
static const int markers[LOOKS][2] = {{7, 6},   {5, 4},   {9, 8}, {13, 12},
                                      {11, 10}, {15, 14}, {1, 1}, {3, 3}};

/* Look k has the colour c = k mod 8 in round r = k div 8, the dash c + r and the marker c + a r,
 * with the sum and product of the field of eight elements: two looks share one of the three at
 * most. */
static figure_look look_of(size_t k)
{
    static const size_t times_a[LOOKS] = {0, 2, 4, 6, 3, 1, 7, 5};
    size_t c = k % LOOKS;
    size_t r = k / LOOKS % LOOKS;
    const int *marker = markers[c ^ times_a[r]];

    return (figure_look){colours[c], (int)(c ^ r) + 1, marker[0], marker[1]};
}

/* What becomes of a problem has a look of its own in every report, which no solver has. */
static const struct {
    const char *owner;
    figure_look look;
} fixed_looks[] = {
    {"solved", {"#009E73", 1, 5, 4}},
    {"solved its approximation", {"#56B4E9", 1, 5, 4}},
    {"failed", {"#D55E00", 1, 5, 4}},
    {"not applicable", {"#BBBBBB", 1, 5, 4}},
};

static const figure_look *fixed_look(const char *owner)
{
    for (size_t k = 0; k < sizeof fixed_looks / sizeof *fixed_looks; k++) {
        if (strcmp(fixed_looks[k].owner, owner) == 0) {
            return &fixed_looks[k].look;
        }
    }
    return NULL;
}

static size_t style_position(const figure_style_table *t, const char *owner)
{
    size_t k = 0;

    while (k < t->count && strcmp(t->owners[k].name, owner) != 0) {
        k++;
    }
    return k;
}

static void style_push(figure_style_table *t, const char *owner, size_t look)
{
    TAKE_ROOM(t->owners, t->room, t->count + 1);
    t->owners[t->count++] = (figure_owner){owner, look};
}

static bool style_is_free(const figure_style_table *t, size_t look)
{
    for (size_t k = 0; k < t->count; k++) {
        if (t->owners[k].look == look) {
            return false;
        }
    }
    return true;
}

void figure_style_add_apart(figure_style_table *t, const char *owner, unsigned taken)
{
    const unsigned all = (1u << LOOKS) - 1u;
    size_t look = 0;

    if (fixed_look(owner) || style_position(t, owner) < t->count) {
        return;
    }
    taken = (taken & all) == all ? 0u : taken;
    while (!style_is_free(t, look) || (taken & 1u << look % LOOKS)) {
        look++;
    }
    style_push(t, owner, look);
}

void figure_style_add(figure_style_table *t, const char *owner)
{
    figure_style_add_apart(t, owner, 0u);
}

unsigned figure_style_colour(const figure_style_table *t, const char *owner)
{
    size_t k = style_position(t, owner);

    return k < t->count ? 1u << t->owners[k].look % LOOKS : 0u;
}

void figure_style_copy(figure_style_table *to, const figure_style_table *from)
{
    for (size_t k = 0; from && k < from->count; k++) {
        style_push(to, from->owners[k].name, from->owners[k].look);
    }
}

figure_look figure_style_find(const figure_style_table *t, const char *owner)
{
    size_t k = t ? style_position(t, owner) : 0;
    size_t hash = 5381;

    if (fixed_look(owner)) {
        return *fixed_look(owner);
    }
    if (t && k < t->count) {
        return look_of(t->owners[k].look);
    }
    for (; *owner; owner++) {
        hash = 33 * hash + (unsigned char)*owner;
    }
    return look_of(hash % (LOOKS * LOOKS));
}

void figure_style_free(figure_style_table *t)
{
    free(t->owners);
    *t = (figure_style_table){0};
}
