/* SPDX-License-Identifier: Apache-2.0
 * cli/replace.c: a folder of results that is replaced by a new one. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "command/cli/holder.h"
#include "command/cli/output.h"
#include "command/cli/replace.h"

enum { REPLACE_DEPTH = 8 }; /* folders within folders; perp writes two */

/* What the figures of both verbs are made of, within figures/ and its folders of LaTeX. */
static const char *const replace_figures[] = {"figures.json",
                                              "*.pdf",
                                              "*.svg",
                                              "*.png",
                                              "*.gp",
                                              "*.dat",
                                              "*.csv",
                                              "cairolatex/*.tex",
                                              "cairolatex/*.pdf",
                                              "cairolatex/*.gp",
                                              "cairolatex/*.dat",
                                              "cairolatex/*.csv",
                                              "cairolatex/new.tmp-*-*-*/*",
                                              "tikz/*.tex",
                                              "tikz/*.gp",
                                              "tikz/*.dat",
                                              "tikz/*.csv",
                                              "tikz/gnuplot-lua-tikz.sty",
                                              "tikz/new.tmp-*-*-*/*",
                                              NULL};
static const char *const replace_pictures[] = {".pdf", ".svg", ".png", ".tex", NULL};

static bool is_one_of(const char *const *patterns, const char *inside)
{
    for (const char *const *p = patterns; *p; p++) {
        if (fnmatch(*p, inside, FNM_PATHNAME | FNM_PERIOD) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_text(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".txt") == 0;
}

/* The caption of a figure, which is next to it; other texts are notes of the user. */
static bool is_caption(const char *dir, const char *inside)
{
    char path[2 * DATA_PATH];
    size_t length = 0;

    if (!is_text(inside)) {
        return false;
    }
    length = (size_t)snprintf(path, sizeof path, "%s/%s", dir, inside) - 4;
    for (const char *const *p = replace_pictures; *p; p++) {
        snprintf(path + length, sizeof path - length, "%s", *p);
        if (access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_written(const replace_kind *kind, const char *dir, const char *inside)
{
    static const char folder[] = "figures/";
    const size_t length = sizeof folder - 1;

    return is_one_of(kind->patterns, inside) ||
           (strncmp(inside, folder, length) == 0 &&
            (is_one_of(replace_figures, inside + length) || is_caption(dir, inside)));
}

/* Captions come first: when a removal ends early, those that are left have their figures. */
static int replace_order(const struct dirent **a, const struct dirent **b)
{
    const int texts = (int)is_text((*b)->d_name) - (int)is_text((*a)->d_name);

    return texts != 0 ? texts : strcmp((*a)->d_name, (*b)->d_name);
}

/* Visit all files below dir/inside: check their names, or remove them and the folders. */
static perp_status replace_walk(const char *dir, const char *inside,
                                const replace_kind *kind, bool removing, int depth,
                                perp_error *err);

static perp_status replace_entry(const char *dir, const char *inside,
                                 const replace_kind *kind, bool removing, int depth,
                                 perp_error *err)
{
    char path[2 * DATA_PATH];
    struct stat st;

    snprintf(path, sizeof path, "%s/%s", dir, inside);
    if (lstat(path, &st) != 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
    }
    if (S_ISDIR(st.st_mode) && depth < REPLACE_DEPTH) {
        return replace_walk(dir, inside, kind, removing, depth + 1, err);
    }
    if (!is_written(kind, dir, inside) || S_ISDIR(st.st_mode)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: not a file of perp %s; --force replaces a folder that "
                         "holds nothing else: "
                         "move the file away, or choose another -o DIR",
                         path, kind->verb);
    }
    if (removing && unlink(path) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return PERP_OK;
}

static perp_status replace_walk(const char *dir, const char *inside,
                                const replace_kind *kind, bool removing, int depth,
                                perp_error *err)
{
    char path[2 * DATA_PATH], name[DATA_PATH];
    struct dirent **entries = NULL;
    perp_status status = PERP_OK;
    int count = 0;

    snprintf(path, sizeof path, "%s%s%s", dir, *inside ? "/" : "", inside);
    if (!removing && access(path, R_OK | W_OK | X_OK) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    count = scandir(path, &entries, NULL, replace_order);
    if (count < 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
    }
    for (int k = 0; k < count; k++) {
        const char *own = entries[k]->d_name;

        if (status == PERP_OK && strcmp(own, ".") != 0 && strcmp(own, "..") != 0) {
            int length =
                snprintf(name, sizeof name, "%s%s%s", inside, *inside ? "/" : "", own);

            status = length < (int)sizeof name
                         ? replace_entry(dir, name, kind, removing, depth, err)
                         : perp_fail(err, PERP_ERR_READ, "%s: too long a name", path);
        }
        free(entries[k]);
    }
    free(entries);
    if (status == PERP_OK && removing && *inside && rmdir(path) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return status;
}

/* Lock a folder that may be removed: of the verb, and no process writes to it. */
static perp_status replace_check(const char *dir, const replace_kind *kind, int *lock,
                                 perp_error *err)
{
    char inner[DATA_PATH + 64], holder[256];
    perp_status status = PERP_OK;

    if (!data_is_folder(dir)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: not a folder", dir);
    }
    if (*lock < 0) {
        *lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        status = *lock >= 0
                     ? holder_lock(*lock, dir, err)
                     : perp_fail(err, PERP_ERR_READ, "%s: %s", dir, strerror(errno));
    }
    snprintf(inner, sizeof inner, "%s/%s", dir, kind->lock);
    if (status == PERP_OK && *kind->lock && holder_find(inner, holder, sizeof holder)) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s is writing to it", dir, holder);
    }
    return status == PERP_OK ? replace_walk(dir, "", kind, false, 0, err) : status;
}

/* The folder behind symbolic links and without slashes at the end. */
static perp_status replace_target(const char *dir, char target[DATA_PATH],
                                  perp_error *err)
{
    char *real = realpath(dir, NULL);
    int length = snprintf(target, DATA_PATH, "%s", real ? real : dir);

    free(real);
    if (length >= DATA_PATH - 80) {
        return perp_fail(err, PERP_ERR_OPTION, "%.80s...: too long a name", dir);
    }
    target[perp_path_length(target)] = '\0';
    return PERP_OK;
}

perp_status replace_name(const char *dir, char work[DATA_PATH], perp_error *err)
{
    perp_status status = replace_target(dir, work, err);

    if (status == PERP_OK) {
        strcat(work, ".new"); /* replace_target leaves room for it */
    }
    return status;
}

static void replace_release(int *lock)
{
    if (*lock >= 0) {
        close(*lock);
    }
    *lock = -1;
}

/* Does the path name the folder that is open? Another process may have removed it before it was
 * locked. */
static bool is_still_there(const char *path, int file)
{
    struct stat there, open;

    return stat(path, &there) == 0 && fstat(file, &open) == 0 &&
           there.st_dev == open.st_dev && there.st_ino == open.st_ino;
}

/* An empty DIR.new, locked. */
static perp_status replace_make(replace *r, perp_error *err)
{
    perp_status status = data_make_folder(r->work, err);

    if (status == PERP_OK) {
        status = replace_check(r->work, r->kind, &r->lock, err);
    }
    if (status == PERP_OK && !is_still_there(r->work, r->lock)) {
        status =
            perp_fail(err, PERP_ERR_WRITE, "%s: another process has removed it", r->work);
    }
    return status == PERP_OK ? replace_walk(r->work, "", r->kind, true, 0, err) : status;
}

perp_status replace_start(replace *r, const char *dir, const replace_kind *kind,
                          perp_error *err)
{
    perp_status status = PERP_OK;

    *r = (replace){.kind = kind, .lock = -1, .old_lock = -1};
    status = replace_target(dir, r->target, err);
    if (status == PERP_OK) {
        perp_folder_restore(r->target);
        status = replace_target(dir, r->target, err);
    }
    if (status == PERP_OK && access(r->target, F_OK) == 0) {
        status = replace_check(r->target, kind, &r->old_lock, err);
        replace_release(&r->old_lock); /* it can be gone on with until the end */
    }
    if (status == PERP_OK) {
        status = replace_name(dir, r->work, err);
    }
    return status == PERP_OK ? replace_make(r, err) : status;
}

/* Give DIR.new the name of an existing DIR, whose old results are then in `old`. Where the file
 * system cannot exchange two names, a kill between two renames is repaired by the next start. */
static perp_status replace_exchange(const replace *r, char old[PERP_FILE_PATH_LENGTH],
                                    perp_error *err)
{
    perp_status status = PERP_OK;

    if (renameat2(AT_FDCWD, r->work, AT_FDCWD, r->target, RENAME_EXCHANGE) == 0) {
        snprintf(old, PERP_FILE_PATH_LENGTH, "%s", r->work);
        return PERP_OK;
    }
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", r->target, strerror(errno));
    }
    status = perp_folder_create(old, PERP_FILE_PATH_LENGTH, r->target, "old", err);
    if (status == PERP_OK && rename(r->target, old) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", r->target, strerror(errno));
        rmdir(old);
    }
    if (status == PERP_OK && rename(r->work, r->target) != 0) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: %s", r->work, strerror(errno));
        (void)!rename(old, r->target); /* else the next start does so */
    }
    return status;
}

/* Remove the old results. The new ones are in their place: a failure is no more than a warning. */
static void replace_remove(const replace *r, const char *old)
{
    perp_error inner = {0};
    perp_status status = replace_walk(old, "", r->kind, true, 0, &inner);

    if (status == PERP_OK && rmdir(old) != 0) {
        status = perp_fail(&inner, PERP_ERR_WRITE, "%s", strerror(errno));
    }
    if (status != PERP_OK) {
        output_print(stderr, OUTPUT_PLAIN,
                     "perp %s: %s has the new results; the old ones are in %s: %s\n",
                     r->kind->verb, r->target, old, inner.text);
    }
}

perp_status replace_finish(replace *r, perp_error *err)
{
    char old[PERP_FILE_PATH_LENGTH];
    perp_status status = PERP_OK;

    if (access(r->target, F_OK) != 0) {
        return rename(r->work, r->target) == 0
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_WRITE, "%s: %s", r->work, strerror(errno));
    }
    /* What came in while the new results were made is not removed either. */
    status = replace_check(r->target, r->kind, &r->old_lock, err);
    if (status == PERP_OK) {
        status = replace_exchange(r, old, err);
    }
    if (status == PERP_OK) {
        replace_remove(r, old);
    }
    return status;
}

void replace_close(replace *r)
{
    if (!r->kind) {
        return;
    }
    if (r->lock >= 0 && is_still_there(r->work, r->lock)) {
        rmdir(r->work); /* only an empty folder goes: nothing was written */
    }
    replace_release(&r->lock);
    replace_release(&r->old_lock);
    r->kind = NULL;
}
