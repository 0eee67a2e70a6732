/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_parts.c: values that several parts of the data of report.html are made of. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/answer.h"
#include "command/results/page_data_parts.h"

json_t *page_number(double x, int digits)
{
    char text[64];

    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    return answer_real(strtod(text, NULL)); /* null where x is not finite */
}

json_t *page_text_take(char *text)
{
    json_t *value = NULL;

    for (char *c = text; *c; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--) {
        text[end - 1] = '\0';
    }
    value = answer_text(text);
    free(text);
    return value;
}

size_t page_place(json_t *names, const char *name)
{
    const json_t *place = json_object_get(names, name);
    size_t count = json_object_size(names);

    if (place) {
        return (size_t)json_integer_value(place);
    }
    json_object_set_new(names, name, json_integer((json_int_t)count));
    return count;
}
