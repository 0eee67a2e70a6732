/* SPDX-License-Identifier: Apache-2.0
 * web/web.h: a page of HTML that needs no other file: styles, scripts and data are inside. */
#ifndef PERP_WEB_H
#define PERP_WEB_H

#include <stdio.h>

#include <jansson.h>

#include <perp/base.h>

/** Data of a page, compressed (raw deflate, RFC 1951) and in base64, so that no name in them can
 *  be taken for markup. Scripts read it with blockBytes(id) and blockJson(id) of base.js. */
typedef struct web_block {
    const char *id;
    const json_t *json; /**< either this */
    const void *bytes;  /**< or these */
    size_t size;
} web_block;

/** What a page consists of. Files are those of the data folder, "web/base.css"; each list is
 *  ended by NULL. */
typedef struct web_page {
    const char *title;          /**< plain text */
    const char *body;           /**< file with the elements of the body */
    const char *const *styles;  /**< files, in order; may be NULL */
    const char *const *scripts; /**< files, in order; they share one scope */
    const web_block *blocks;
    size_t block_count;
} web_page;

/** Print the page. PERP_ERR_READ: a part is not there; PERP_ERR_MEMORY; what cannot be written is
 *  reported when the stream is closed. */
perp_status web_page_print(FILE *f, const web_page *page, perp_error *err);

/** Print bytes as base64. */
void web_base64(FILE *f, const unsigned char *bytes, size_t size);

#endif
