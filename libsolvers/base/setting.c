/* SPDX-License-Identifier: Apache-2.0
 * base/setting.c: lists of settings, "n=100,seed=3", read one setting at a time. */
#include <config.h>

#include <string.h>

#include "base/setting.h"

bool perp_setting_next(perp_setting *s, const char **rest, const char *separators)
{
    const char *item = *rest + strspn(*rest, " ");
    size_t length = strcspn(item, separators);
    const char *equals = memchr(item, '=', length);
    const char *end = item + length;

    if (!*item) {
        return false;
    }
    *s = (perp_setting){.item = item, .item_length = length, .name = item, .value = end};
    if (equals) {
        s->name_length = (size_t)(equals - item);
        s->value = equals + 1;
        s->value_length = (size_t)(end - s->value);
    }
    end += strspn(end, " ");
    *rest = *end == ',' ? end + 1 : end;
    return true;
}
