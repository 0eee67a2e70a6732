/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/kinds.c: the list of the kinds of figures. */
#include <config.h>

#include <string.h>

#include "experiments/report/kinds/kind.h"

const figure_kind *const figure_kinds[] = {NULL};

const figure_kind *figure_kind_find(const char *name)
{
    for (size_t k = 0; figure_kinds[k]; k++) {
        if (strcmp(figure_kinds[k]->name, name) == 0) {
            return figure_kinds[k];
        }
    }
    return NULL;
}
