/* SPDX-License-Identifier: Apache-2.0
 * read/scene/repeat_count.c: the number of items of a repetition, before they are made.
 *
 *     items = c_0 c_1 c_2,   copies = c_0 (1 + c_1 (1 + c_2))
 *
 * of levels with the counts c. A count that is an expression of outer indices is
 * evaluated for each of their values, until the limit is exceeded. The innermost level is
 * only counted. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/quantity.h"

/* Both are exact below 2^53, far above the limits. */
typedef struct repeat_total {
    double items, copies;
} repeat_total;

/* The list of levels of an item. */
typedef struct repeat_levels {
    const scene_at *repeat;
    size_t count;
} repeat_levels;

static scene_at count_level_at(const repeat_levels *l, size_t depth)
{
    return json_is_array(l->repeat->value) ? scene_element_at(l->repeat, depth)
                                           : *l->repeat;
}

/* Whether the counts from this level on are numbers, which no index changes. */
static bool count_is_constant(const repeat_levels *l, size_t depth)
{
    for (size_t k = depth; k < l->count; k++) {
        scene_at one = count_level_at(l, k);

        if (!json_is_number(json_object_get(one.value, "count"))) {
            return false;
        }
    }
    return true;
}

/* The count of a level; false: it is not one, which the reader of levels reports. */
static bool count_read(scene_reader *rd, const scene_at *level, long *count)
{
    perp_error *err = rd->err;
    perp_error cause = {0};
    scene_at member = scene_member_at(level, "count");
    bool ok = false;

    rd->err = &cause;
    ok =
        member.value && scene_read_integer(rd, &member, 0, SCENE_ITEMS, count) == PERP_OK;
    rd->err = err;
    return ok;
}

/* What the levels from `depth` on make. */
static bool count_levels(scene_reader *rd, const repeat_levels *l, size_t depth,
                         repeat_total *total)
{
    scene_at one = count_level_at(l, depth);
    scene_index *index = &rd->levels[rd->level_count];
    repeat_total inner = {.items = 1.0};
    bool last = depth + 1 == l->count;
    bool constant = last || count_is_constant(l, depth + 1);
    bool ok = true;
    long count = 0;

    *total = (repeat_total){.items = 0.0};
    if (!count_read(rd, &one, &count)) {
        return false;
    }
    *index = (scene_index){.value = 0};
    scene_index_name(&one, depth, l->count, index->name);
    rd->level_count++;
    for (long k = 0; k < count && ok && total->copies <= SCENE_TURNS; k++) {
        double times = constant ? (double)count : 1.0;

        index->value = k;
        ok = last || count_levels(rd, l, depth + 1, &inner);
        total->items += times * inner.items;
        total->copies += times * (1.0 + inner.copies);
        k = constant ? count : k;
    }
    rd->level_count--;
    return ok;
}

/* "10 x 20 x 30 = ", or nothing for one level and where a count changes. */
static void count_print(const repeat_levels *l, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (size_t k = 0; count_is_constant(l, 0) && k < l->count; k++) {
        scene_at one = count_level_at(l, k);
        double count = json_number_value(json_object_get(one.value, "count"));

        used += (size_t)snprintf(text + used, size - used, "%s%.0f", k > 0 ? " x " : "",
                                 count);
    }
    if (l->count > 1 && *text) {
        snprintf(text + used, size - used, " = ");
    } else {
        *text = '\0';
    }
}

/* Shapes per copy of a body, by the counts that are numbers. */
static double count_shapes(scene_reader *rd, const scene_at *body)
{
    scene_at shapes = scene_member_at(body, "shapes");
    double sum = 0.0;

    for (size_t k = 0; k < json_array_size(shapes.value); k++) {
        scene_at shape = scene_element_at(&shapes, k);
        scene_at repeat = scene_member_at(&shape, "repeat");
        repeat_levels l = {&repeat, scene_repeat_levels(&repeat)};
        repeat_total total = {.items = 1.0};

        if (repeat.value && (l.count == 0 || !count_is_constant(&l, 0) ||
                             !count_levels(rd, &l, 0, &total))) {
            continue;
        }
        sum += total.items;
    }
    return sum;
}

static size_t count_present(const scene_reader *rd, scene_items items)
{
    switch (items) {
    case SCENE_SHAPES:
        return rd->world->shape_count + (rd->solids ? rd->solids->count : 0);
    case SCENE_JOINTS:
        return rd->world->joint_count;
    case SCENE_GEARS: /* one per axis at most */
        return 0;
    case SCENE_FORCES:
        return rd->world->force_count;
    case SCENE_ONCE:
    case SCENE_BODIES:
    case SCENE_ROBOTS:
        break;
    }
    return rd->world->body_count;
}

static perp_status count_refuse(scene_reader *rd, const repeat_levels *l,
                                const repeat_total *total, scene_items items)
{
    static const char *const nouns[] = {
        [SCENE_ONCE] = "items",    [SCENE_BODIES] = "bodies", [SCENE_ROBOTS] = "robots",
        [SCENE_SHAPES] = "shapes", [SCENE_JOINTS] = "joints", [SCENE_FORCES] = "forces",
        [SCENE_GEARS] = "gears",
    };
    size_t present = count_present(rd, items);
    char product[96];

    count_print(l, product, sizeof product);
    if (total->items + (double)present > SCENE_ITEMS) {
        return scene_fail(rd, l->repeat, PERP_ERR_DATA,
                          " makes %s%.10g %s and there are %zu, expected at most %d",
                          *product ? product : "at least ", total->items, nouns[items],
                          present, SCENE_ITEMS);
    }
    return scene_fail(rd, l->repeat, PERP_ERR_DATA,
                      " makes at least %.10g copies and there are %zu, including those "
                      "without items, expected at most %d",
                      total->copies, rd->turns, SCENE_TURNS);
}

perp_status scene_repeat_check(scene_reader *rd, const scene_at *at, scene_items items)
{
    scene_at repeat = scene_member_at(at, "repeat");
    const repeat_levels l = {&repeat, scene_repeat_levels(&repeat)};
    repeat_total total;
    double shapes = 0.0;

    if (!count_levels(rd, &l, 0, &total)) {
        return PERP_OK;
    }
    if (total.items + (double)count_present(rd, items) > SCENE_ITEMS ||
        total.copies + (double)rd->turns > SCENE_TURNS) {
        return count_refuse(rd, &l, &total, items);
    }
    rd->turns += (size_t)total.copies;
    shapes = items == SCENE_BODIES ? count_shapes(rd, at) : 0.0;
    if (total.items * shapes + (double)rd->world->shape_count > SCENE_ITEMS) {
        return scene_fail(rd, &repeat, PERP_ERR_DATA,
                          " makes %.10g bodies of %.10g shapes and there are %zu shapes, "
                          "expected at most %d",
                          total.items, shapes, rd->world->shape_count, SCENE_ITEMS);
    }
    return PERP_OK;
}
