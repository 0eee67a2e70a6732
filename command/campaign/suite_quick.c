/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_quick.c: "quick" of a suite and of its sets: members that replace those around
 * them in a quick run. An object is merged member by member, null removes one, anything else
 * replaces (RFC 7386). */
#include <config.h>

#include <stdint.h>

#include "command/campaign/suite_parts.h"

static void quick_merge(json_t *into, json_t *from)
{
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach(from, key, value)
    {
        json_t *old = json_object_get(into, key);

        if (json_is_null(value)) {
            json_object_del(into, key);
        } else if (json_is_object(value) && json_is_object(old)) {
            quick_merge(old, value);
        } else {
            json_object_set(into, key, value);
        }
    }
}

/* Merge the "quick" of one object, if it has one. */
static perp_status quick_apply(const document *d, suite_size size, size_t *found,
                               perp_error *err)
{
    document quick = document_member(d, "quick");
    json_t *own = (json_t *)(uintptr_t)quick.value; /* the document is ours */

    if (!own) {
        return PERP_OK;
    }
    if (!json_is_object(own)) {
        return document_fail(&quick, err, "expected an object of members to replace");
    }
    ++*found;
    json_incref(own);
    json_object_del((json_t *)(uintptr_t)d->value, "quick");
    if (size == SUITE_QUICK) {
        quick_merge((json_t *)(uintptr_t)d->value, own);
    }
    json_decref(own);
    return PERP_OK;
}

perp_status suite_merge_quick(json_t *root, suite_size size, const char *file,
                              perp_error *err)
{
    const document d = {file, root, "", false};
    document sets;
    size_t found = 0;
    perp_status status = quick_apply(&d, size, &found, err);

    sets = document_member(&d, "sets");
    for (size_t k = 0; k < json_array_size(sets.value) && status == PERP_OK; k++) {
        document set = document_item(&sets, k);

        status = quick_apply(&set, size, &found, err);
    }
    if (status == PERP_OK && found == 0 && size == SUITE_QUICK) {
        return document_fail(&d, err, "contains no \"quick\": it has one size only");
    }
    return status;
}
