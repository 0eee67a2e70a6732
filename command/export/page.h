/* SPDX-License-Identifier: Apache-2.0
 * export/page.h: the index and the page of a collection. Private to collection.c. */
#ifndef PERP_EXPORT_PAGE_H
#define PERP_EXPORT_PAGE_H

#include <stdio.h>

#include "command/export/collection.h"

enum { COLLECTION_NAME = 200 };

/** A row of the index. */
typedef struct collection_row {
    char name[COLLECTION_NAME];
    char file[COLLECTION_NAME + 32]; /* "": the format cannot hold it */
    char remark
        [PERP_ERROR_LENGTH]; /* why there is none, or what it does not hold; else "" */
    const char *kind;
    bool global; /* M, H in place of W */
    size_t n, contacts, nonzeros;
    double rank, condition; /* NaN: not computed */
    uint64_t hash;
    char *source, *licence;
} collection_row;

typedef struct collection_page {
    const collection_orders *orders;
    const perp_format *format;
    const collection_row *rows;
    size_t count;
} collection_page;

void collection_print_index(FILE *out, const collection_page *page);
void collection_print_page(FILE *out, const collection_page *page);

#endif
