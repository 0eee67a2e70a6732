/* SPDX-License-Identifier: Apache-2.0
 * web/browser_start.h: how Chromium is found and started. */
#ifndef PERP_WEB_BROWSER_START_H
#define PERP_WEB_BROWSER_START_H

#include "web/child.h"

/** Start a headless Chromium whose descriptors 3 and 4 are the socket, with a temporary profile
 *  that child_end removes. PERP_CHROMIUM names the program; the words of PERP_CHROMIUM_FLAGS go
 *  behind the flags of perp. */
perp_status browser_start(child *chromium, int width, int height, perp_error *err);

#endif
