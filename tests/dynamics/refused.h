/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/refused.h: scenes that are refused, each with its whole line. */
#ifndef PERP_TEST_REFUSED_H
#define PERP_TEST_REFUSED_H

#include <string.h>

#include "dynamics.h"

typedef struct wrong {
    const char *text, *message;
} wrong;

static inline void refused(const wrong *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        perp_scene *scene = NULL;
        perp_error err = {0};
        perp_status status = perp_scene_parse(&scene, cases[k].text,
                                              strlen(cases[k].text), "s.json", &err);

        if (status == PERP_OK || strcmp(err.text, cases[k].message) != 0) {
            test_note("%s", cases[k].text);
            test_note("says      %s", err.text);
            test_note("should be %s", cases[k].message);
        }
        CU_ASSERT(status != PERP_OK && err.status == status);
        CU_ASSERT_STRING_EQUAL(err.text, cases[k].message);
        CU_ASSERT_PTR_NULL(scene);
        perp_scene_free(scene);
    }
}

#define REFUSED(cases) refused(cases, sizeof(cases) / sizeof *(cases))

#endif
