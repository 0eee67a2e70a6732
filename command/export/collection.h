/* SPDX-License-Identifier: Apache-2.0
 * export/collection.h: problems as a folder of files that can be published: the files, an
 * index (index.csv) and a page that explains both (README.md).
 *
 * The folder appears under its name when it is complete; until then it has another name next
 * to it, and a failure leaves nothing. */
#ifndef PERP_EXPORT_COLLECTION_H
#define PERP_EXPORT_COLLECTION_H

#include <perp/perp.h>

/** What is collected, and how. Strings are borrowed. */
typedef struct collection_orders {
    const char *dir;     /**< must not exist, or be empty */
    const char *format;  /**< of the files: a name of perp_formats() */
    const char *title;   /**< heading of the page */
    const char *command; /**< as typed, for the page */
    const char *licence; /**< of problems that perp computed; NULL: not stated */
    size_t most_rows;    /**< rank and condition of problems of at most so many rows */
} collection_orders;

/** Where a problem comes from. Strings are borrowed. */
typedef struct collection_origin {
    const char *source;
    const char *licence; /**< NULL: not stated */
    bool computed;       /**< by perp: under the licence of the orders */
} collection_origin;

typedef struct collection collection;

/** Make the folder. PERP_ERR_OPTION: an unknown format, or one that is not written;
 *  PERP_ERR_WRITE. */
perp_status collection_open(collection **c, const collection_orders *orders,
                            perp_error *err);
/** Write a problem under this name, made unique and fit for a file. One that the format
 *  cannot hold has a row without a file in the index, with the reason. */
perp_status collection_add(collection *c, const perp_problem *p, const char *name,
                           const collection_origin *origin, perp_error *err);
/** Rows of the index so far, and those of them without a file. */
size_t collection_count(const collection *c);
size_t collection_refused(const collection *c);
/** Write index and page, and give the folder its name. */
perp_status collection_install(collection *c, perp_error *err);
/** Free; what was not installed is removed. NULL is allowed (no-op). */
void collection_free(collection *c);

#endif
