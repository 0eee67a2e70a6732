/* SPDX-License-Identifier: Apache-2.0
 * web/browser.h: a page in a headless Chromium, over the DevTools protocol on a pipe
 * (--remote-debugging-pipe): messages of JSON, each ended by a 0. */
#ifndef PERP_WEB_BROWSER_H
#define PERP_WEB_BROWSER_H

#include <jansson.h>

#include <perp/base.h>

typedef struct browser browser;

/** What is shown. */
typedef struct browser_orders {
    const char *file;  /**< a page on disk */
    int width, height; /**< of the window, in pixels */
    double seconds;    /**< that a call may take; 0: 60 */
} browser_orders;

/** Start the browser and load the page. PERP_ERR_LIBRARY: no Chromium is installed (the message
 *  names the package), or it does not answer. Its profile is a temporary folder, removed by
 *  browser_close, or when this process is killed. PERP_CHROMIUM names another program, and
 *  PERP_CHROMIUM_FLAGS adds flags. */
perp_status browser_open(browser **b, const browser_orders *orders, perp_error *err);
/** Evaluate a script, await its promise, and return its value (a new reference; `value` may be
 *  NULL). PERP_ERR_LIBRARY with the message of an exception. */
perp_status browser_evaluate(browser *b, const char *script, json_t **value,
                             perp_error *err);
/** The seconds that a call may take from now on. */
void browser_set_seconds(browser *b, double seconds);
/** The page as PNG, on the heap; exactly width x height pixels. */
perp_status browser_screenshot(browser *b, unsigned char **png, size_t *size,
                               perp_error *err);
void browser_close(browser *b); /* NULL is allowed (no-op) */

#endif
