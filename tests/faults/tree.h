/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/tree.h: all that a folder holds, kept in memory, to be compared and restored. */
#ifndef PERP_TEST_TREE_H
#define PERP_TEST_TREE_H

#include <stdio.h>

#include "shim.h"

enum { TREE_ENTRIES = 4096, TREE_NAME = 512 };

typedef struct tree_entry {
    char *path; /**< from the folder on */
    char *bytes;
    size_t size;
    mode_t mode;
    bool folder;
    bool varies; /**< two undisturbed runs wrote different bytes */
} tree_entry;

typedef struct tree {
    tree_entry entry[TREE_ENTRIES]; /**< in the order of their paths */
    size_t count;
} tree;

/** Read a folder; false: it has too many entries, or one cannot be read. */
SHIM_LOCAL bool tree_read(tree *t, const char *folder);
SHIM_LOCAL void tree_free(tree *t);
SHIM_LOCAL const tree_entry *tree_find(const tree *t, const char *path);
SHIM_LOCAL bool tree_same(const tree_entry *a, const tree_entry *b);
/** Make the folder what it was. */
SHIM_LOCAL bool tree_restore(const tree *t, const char *folder);

#endif
