/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_instances.c: any bytes as instances.jsonl. Opened, it takes a description, and
 * opened again it has it; another such file can be merged into it. */
#include <config.h>

#include "command/campaign/instances.h"
#include "fuzz_files.h"

static const char added[] = "0123456789abcdef";

static void reopen(const char *path, const char *other)
{
    instances list;
    perp_error err = {0};

    if (instances_open(&list, path, &err) != PERP_OK || !instances_has(&list, added)) {
        abort();
    }
    if (instances_merge(&list, other, &err) != PERP_OK && !err.text[0]) {
        abort();
    }
    instances_close(&list);
}

FUZZ(instances)
{
    char path[128];
    char other[128];
    instances list;
    perp_error err = {0};
    json_t *description =
        json_pack("{s:s, s:s}", "schema", "perp-instance/1", "hash", added);

    fuzz_path(path, "instances.jsonl");
    fuzz_path(other, "instances-other.jsonl");
    fuzz_put(path, data, size);
    fuzz_put(other, data, size);
    if (instances_open(&list, path, &err) == PERP_OK) {
        if (instances_append(&list, description, &err) != PERP_OK) {
            abort();
        }
        instances_close(&list);
        reopen(path, other);
    } else if (!err.text[0]) {
        abort();
    }
    json_decref(description);
    unlink(path);
    unlink(other);
    return 0;
}
