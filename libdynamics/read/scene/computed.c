/* SPDX-License-Identifier: Apache-2.0
 * read/scene/computed.c: numbers that a scene computes: "{2*radius}", "ball {k+1}".
 *
 * The names of an expression are the indices of the repetitions around it, the inner one
 * first, the parameters, and pi. A random number depends on the place of its call, or is
 * shared. A number is printed with the fewest digits that read back the same. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "read/scene/document.h"
#include "read/scene/quantity.h"

/* The place of an expression in a scene. */
typedef struct scene_place {
    const scene_reader *rd;
    const scene_at *at;
    unsigned *draws; /* random numbers of this text so far */
} scene_place;

/* The k-th name that is known there: an index, the inner one first, a parameter. */
static const char *scene_known(void *context, size_t k)
{
    const scene_reader *rd = ((const scene_place *)context)->rd;
    const perp_scene *s = rd->scene;

    if (k < rd->level_count) {
        return rd->levels[rd->level_count - 1 - k].name;
    }
    k -= rd->level_count;
    return k < s->parameter_count ? s->parameters[k].name : NULL;
}

static size_t scene_find_name(void *context, const char *text, double *value)
{
    const scene_reader *rd = ((const scene_place *)context)->rd;
    const char *known = NULL;
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) || text[length] == '_') {
        length++;
    }
    for (size_t k = 0; (known = scene_known(context, k)) != NULL; k++) {
        if (strlen(known) == length && strncmp(known, text, length) == 0) {
            *value = k < rd->level_count
                         ? (double)rd->levels[rd->level_count - 1 - k].value
                         : rd->scene->parameters[k - rd->level_count].value;
            return length;
        }
    }
    return 0;
}

static perp_random scene_draw(void *context, const int64_t *number)
{
    const scene_place *p = context;

    return number ? scene_random_shared(p->rd, *number)
                  : scene_random_place(p->rd, p->at, (*p->draws)++);
}

perp_status scene_evaluate(scene_reader *rd, const scene_at *at, const char *text,
                           const char **p, char close, unsigned *draws, double *x)
{
    scene_place place = {rd, at, draws};
    const perp_expression_names names = {
        .context = &place,
        .find = scene_find_name,
        .known = scene_known,
        .random = scene_draw,
    };
    perp_error cause = {0};
    perp_status status = perp_expression_evaluate(&names, text, p, close, x, &cause);

    if (status != PERP_OK) {
        return scene_fail(rd, at, status, " is \"%.80s\", %s", text, cause.text);
    }
    return isfinite(*x)
               ? PERP_OK
               : scene_fail(rd, at, PERP_ERR_DATA,
                            " is \"%.80s\" = %g, expected a finite number", text, *x);
}

void scene_print(double x, char text[SCENE_DIGITS])
{
    if (floor(x) == x && fabs(x) < 1e15) {
        snprintf(text, SCENE_DIGITS, "%.0f", x);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0.0;

        snprintf(text, SCENE_DIGITS, "%.*g", digits, x);
        for (char *c = text; *c; c++) { /* the locale may have a comma */
            *c = isdigit((unsigned char)*c) || strchr("+-e", *c) ? *c : '.';
        }
        if (digits == 17 ||
            (perp_quantity_number(text, strlen(text), &back) == PERP_OK && back == x)) {
            return;
        }
    }
}
