/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_paper.c: any bytes as paper.json. What was read has studies and numbers with
 * names; what was not has a message. */
#include <config.h>

#include "command/paper/paper.h"
#include "fuzz_files.h"

FUZZ(paper)
{
    char path[128];
    paper *p = NULL;
    perp_error err = {0};

    fuzz_path(path, "paper.json");
    fuzz_put(path, data, size);
    if ((paper_read(&p, path, &err) == PERP_OK) != (p != NULL) || (!p && !err.text[0])) {
        abort();
    }
    for (size_t k = 0; p && k < p->study_count; k++) {
        if (!p->studies[k].name || !p->studies[k].name[0]) {
            abort();
        }
    }
    for (size_t k = 0; p && k < p->number_count; k++) {
        if (!p->numbers[k].name || !p->numbers[k].name[0]) {
            abort();
        }
    }
    paper_free(p);
    unlink(path);
    return 0;
}
