/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_plugin.c: "plugin" of a suite: shared objects whose solvers the suite names. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "command/campaign/suite_parts.h"
#include "command/cli/data.h"
#include "command/cli/plugin.h"

/* One file. */
static perp_status plugin_read(const suite *s, const document *d, perp_error *err)
{
    const char *name = NULL;
    char path[DATA_PATH];
    perp_error inner = {0};

    TRY(document_text(d, &name, err));
    if (!name || !*name) {
        return document_fail(d, err, "expected the file of a plugin");
    }
    if (snprintf(path, sizeof path, "%s%s", *name == '/' ? "" : s->folder, name) >=
        DATA_PATH) {
        return document_fail(d, err, "the name of the file is too long");
    }
    return plugin_load(path, &inner) == PERP_OK ? PERP_OK
                                                : document_fail(d, err, "%s", inner.text);
}

perp_status suite_read_plugins(const suite *s, const document *root, perp_error *err)
{
    document d = document_member(root, "plugin");
    perp_status status = PERP_OK;

    if (!d.value || !json_is_array(d.value)) {
        return d.value ? plugin_read(s, &d, err) : PERP_OK;
    }
    for (size_t k = 0; status == PERP_OK && k < json_array_size(d.value); k++) {
        document item = document_item(&d, k);

        status = plugin_read(s, &item, err);
    }
    return status;
}
