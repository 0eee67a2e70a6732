/* SPDX-License-Identifier: Apache-2.0
 * base/setting.h: lists of settings, "n=100,seed=3", read one setting at a time. */
#ifndef PERP_BASE_SETTING_H
#define PERP_BASE_SETTING_H

#include <perp/base.h>

/** One setting, "n=100", as parts of the list that was read; none of them ends with '\0'.
 *  An item that is not NAME=VALUE has name_length 0. */
typedef struct perp_setting {
    const char *item, *name, *value;
    size_t item_length, name_length, value_length;
} perp_setting;

/** Read the next setting of a list and advance *rest past it; false at the end of the list.
 *  A setting ends at one of `separators`, "," or ", "; blanks before it are skipped. */
bool perp_setting_next(perp_setting *s, const char **rest, const char *separators);

#endif
