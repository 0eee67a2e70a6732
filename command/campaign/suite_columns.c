/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_columns.c: values that vary among the runs of a suite. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/setting.h"
#include "command/campaign/suite_entries.h"

void suite_columns_add(suite_columns *columns, const suite_column *column)
{
    suite_column *c =
        suite_grow((void **)&columns->items, &columns->count, &columns->room, sizeof *c);

    *c = *column;
    json_incref(c->value);
}

void suite_columns_copy(suite_columns *to, const suite_columns *from)
{
    for (size_t k = 0; k < from->count; k++) {
        suite_columns_add(to, &from->items[k]);
    }
}

void suite_columns_clear(suite_columns *columns)
{
    for (size_t k = 0; k < columns->count; k++) {
        json_decref(columns->items[k].value);
    }
    free(columns->items);
    *columns = (suite_columns){NULL, 0, 0};
}

const suite_column *suite_columns_find(const suite_columns *columns, const char *name)
{
    for (size_t k = 0; k < columns->count; k++) {
        if (strcmp(columns->items[k].name, name) == 0) {
            return &columns->items[k];
        }
    }
    return NULL;
}

bool suite_column_concerns(const suite_column *column, const char *list)
{
    return !column->lists || strstr(column->lists, list);
}

void suite_columns_remove(const suite_columns *columns, const char *name, char *problem,
                          size_t length)
{
    const char *rest = strchr(name, ':');
    size_t used = rest ? (size_t)(rest - name) : strlen(name);
    const char *mark = ":";
    perp_setting s;

    snprintf(problem, length, "%.*s", (int)used, name);
    if (!rest) {
        return;
    }
    rest++;
    while (used < length && perp_setting_next(&s, &rest, ",")) {
        char key[COLUMN_NAME];

        snprintf(key, sizeof key, "%.*s", (int)s.name_length, s.name);
        if (!s.name_length || !suite_columns_find(columns, key)) {
            used += (size_t)snprintf(problem + used, length - used, "%s%.*s", mark,
                                     (int)s.item_length, s.item);
            mark = ",";
        }
    }
}
