/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/tree.c: all that a folder holds. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree.h"

static bool entry_load(tree_entry *e, const char *path, size_t size)
{
    FILE *f = fopen(path, "rbe");
    bool good = f != NULL;

    e->bytes = malloc(size + 1);
    e->size = good && e->bytes ? fread(e->bytes, 1, size, f) : 0;
    good = good && e->bytes && e->size == size;
    if (f) {
        fclose(f);
    }
    if (good) {
        e->bytes[size] = '\0';
    }
    return good;
}

static bool tree_enter(tree *t, const char *folder, const char *below)
{
    char path[2 * TREE_NAME];
    DIR *d = NULL;
    bool good = true;

    snprintf(path, sizeof path, "%s/%s", folder, below);
    d = opendir(path);
    for (struct dirent *i = d ? readdir(d) : NULL; good && i; i = readdir(d)) {
        char name[TREE_NAME];
        struct stat st;
        tree_entry *e = &t->entry[t->count];

        if (strcmp(i->d_name, ".") == 0 || strcmp(i->d_name, "..") == 0) {
            continue;
        }
        snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "", i->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        good = t->count < TREE_ENTRIES && lstat(path, &st) == 0;
        if (good) {
            *e = (tree_entry){
                .path = strdup(name), .mode = st.st_mode, .folder = S_ISDIR(st.st_mode)};
            t->count++;
            good = e->path && (e->folder ? tree_enter(t, folder, name)
                                         : !S_ISREG(st.st_mode) ||
                                               entry_load(e, path, (size_t)st.st_size));
        }
    }
    good = good && d;
    if (d) {
        closedir(d);
    }
    return good;
}

static int entry_order(const void *a, const void *b)
{
    return strcmp(((const tree_entry *)a)->path, ((const tree_entry *)b)->path);
}

bool tree_read(tree *t, const char *folder)
{
    bool good = false;

    tree_free(t);
    good = tree_enter(t, folder, "");
    qsort(t->entry, t->count, sizeof t->entry[0], entry_order);
    return good;
}

void tree_free(tree *t)
{
    for (size_t k = 0; k < t->count; k++) {
        free(t->entry[k].path);
        free(t->entry[k].bytes);
    }
    t->count = 0;
}

const tree_entry *tree_find(const tree *t, const char *path)
{
    const tree_entry key = {.path = (char *)(uintptr_t)path};

    return bsearch(&key, t->entry, t->count, sizeof key, entry_order);
}

/* Behind a number that the machine sets, which no two runs have in common; NULL: there is none. */
static const char *text_skip(const char *text)
{
    static const char *const keys[] = {"\"load\":", "\"mhz_least\":", "\"mhz_most\":"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const size_t length = strlen(keys[k]);

        if (strncmp(text, keys[k], length) == 0) {
            return text + length + strspn(text + length, " .0123456789eE+-");
        }
    }
    return NULL;
}

/* The same text; no text beyond its first 0. */
static bool text_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        const char *behind = *a == '"' ? text_skip(a) : NULL;

        b = behind ? text_skip(b) : b + 1;
        a = behind ? behind : a + 1;
        if (!b) {
            return false;
        }
    }
    return *a == *b;
}

bool tree_same(const tree_entry *a, const tree_entry *b)
{
    const char *extension = strrchr(a->path, '.');

    if (a->mode != b->mode || a->folder) {
        return a->mode == b->mode;
    }
    if (extension && strncmp(extension, ".json", strlen(".json")) == 0) {
        return text_same(a->bytes, b->bytes);
    }
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool entry_write(const tree_entry *e, const char *path)
{
    FILE *f = NULL;
    bool good = false;

    if (e->folder) {
        return mkdir(path, e->mode & 07777) == 0;
    }
    f = fopen(path, "wbe");
    good = f && fwrite(e->bytes, 1, e->size, f) == e->size;
    return (f ? fclose(f) == 0 : false) && good && chmod(path, e->mode & 07777) == 0;
}

bool tree_restore(const tree *t, const char *folder)
{
    static tree now;
    char path[2 * TREE_NAME];
    bool good = tree_read(&now, folder);

    for (size_t k = now.count; k-- > 0;) { /* what a folder holds follows it */
        const tree_entry *e = &now.entry[k];
        const tree_entry *old = tree_find(t, e->path);

        if (!old || !tree_same(e, old)) {
            snprintf(path, sizeof path, "%s/%s", folder, e->path);
            good = remove(path) == 0 && good;
        }
    }
    for (size_t k = 0; k < t->count; k++) {
        struct stat st;

        snprintf(path, sizeof path, "%s/%s", folder, t->entry[k].path);
        if (lstat(path, &st) != 0) {
            good = entry_write(&t->entry[k], path) && good;
        }
    }
    return good;
}
