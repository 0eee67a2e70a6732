/* SPDX-License-Identifier: Apache-2.0
 * view/page.h: the viewer of one motion, or of two side by side, as one page. */
#ifndef PERP_VIEW_PAGE_H
#define PERP_VIEW_PAGE_H

#include <jansson.h>

#include "command/view/motion.h"

typedef struct view_page {
    const motion *motions[2]; /**< the second may be NULL */
    const json_t *options; /**< what the page starts with: colour, at, …; may be NULL */
    size_t contact_bytes;  /**< that the contacts of a motion may take; 0: 8 MB */
} view_page;

/** Write the page, whole or not at all. */
perp_status view_page_write(const view_page *page, const char *path, perp_error *err);

#endif
