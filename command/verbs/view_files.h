/* SPDX-License-Identifier: Apache-2.0
 * verbs/view_files.h: the files of perp view. Private to view.c, view_files.c and simulate.c. */
#ifndef PERP_VERBS_VIEW_FILES_H
#define PERP_VERBS_VIEW_FILES_H

#include "command/cli/args.h"
#include "command/view/motion.h"

#define VIEW_COLOURS "body|speed|energy|residual|status"
#define VIEW_MARKS   "floor|joints|contacts|normals|cones|impulses"
#define VIEW_CAMERAS "iso|front|side|top"

/** What was typed. */
typedef struct view_orders {
    json_t *options;      /**< what the page starts with; owned */
    size_t contact_bytes; /**< 0: the default of the page */
    int width, height;    /**< pixels */
    double at, from, to;  /**< [s]; NAN, -INFINITY, INFINITY: not given */
    double rate, speed;
} view_orders;

/** Read the options of perp view. The caller releases `options` also after a failure. */
perp_status view_orders_read(view_orders *orders, const cli_args *args, perp_error *err);
/** Write a page, a picture, a film of one motion or of two. */
perp_status view_page_of(const view_orders *orders, motion *const *motions,
                         const char *path, perp_error *err);
perp_status view_picture(const view_orders *orders, motion *const *motions,
                         const char *path, perp_error *err);
perp_status view_film(const view_orders *orders, motion *const *motions, const char *path,
                      perp_error *err);

#endif
