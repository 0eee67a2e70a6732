/* SPDX-License-Identifier: Apache-2.0
 * export/provenance.h: repository and licence of a data file, from the page beside it. */
#ifndef PERP_EXPORT_PROVENANCE_H
#define PERP_EXPORT_PROVENANCE_H

#include <perp/perp.h>

/** Both on the heap; NULL where the page does not say. */
typedef struct provenance {
    char *source, *licence;
} provenance;

/** Look up `file` in the SOURCE.md of its folder: sections with lines "- repository: …",
 *  "- commit: …", "- licence: …" and tables of `file` names. Without such a page, or where it
 *  does not name the file, source is the path. */
void provenance_find(const char *file, provenance *p);
void provenance_clear(provenance *p);

#endif
