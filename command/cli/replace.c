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

#include "base/base.h"
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
                                              "cairolatex/new.tmp-*-*/*",
                                              "tikz/*.tex",
                                              "tikz/*.gp",
                                              "tikz/*.dat",
                                              "tikz/*.csv",
                                              "tikz/gnuplot-lua-tikz.sty",
                                              "tikz/new.tmp-*-*/*",
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

/* The caption of a figure, which is next to it; other texts are notes of the user. In DIR.new a kill may
 * have removed the figure before its caption. */
static bool is_caption(const char *dir, const char *inside)
{
    char path[2 * DATA_PATH];
    size_t length = 0;

    if (!is_text(inside) || perp_path_ends(dir, ".new")) {
        return is_text(inside);
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

/* Check the names of all files below dir/inside, and that they can be removed. */
static perp_status replace_check_below(const char *dir, const char *inside,
                                       const replace_kind *kind, int depth,
                                       perp_error *err)
{
    char path[2 * DATA_PATH], name[DATA_PATH];
    perp_status status = PERP_OK;
    struct stat st;
    DIR *d = NULL;

    snprintf(path, sizeof path, "%s%s%s", dir, *inside ? "/" : "", inside);
    if (lstat(path, &st) != 0) {
        return perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
    }
    if (!S_ISDIR(st.st_mode) || depth > REPLACE_DEPTH) {
        return is_written(kind, dir, inside) && !S_ISDIR(st.st_mode)
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_OPTION,
                               "%s: not a file of perp %s; --force replaces a folder "
                               "that holds nothing else: move the file away, or choose "
                               "another -o DIR",
                               path, kind->verb);
    }
    d = access(path, R_OK | W_OK | X_OK) == 0 ? opendir(path) : NULL;
    if (!d) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    for (struct dirent *e = readdir(d); e && status == PERP_OK; e = readdir(d)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            status = snprintf(name, sizeof name, "%s%s%s", inside, *inside ? "/" : "",
                              e->d_name) < (int)sizeof name
                         ? replace_check_below(dir, name, kind, depth + 1, err)
                         : perp_fail(err, PERP_ERR_READ, "%s: too long a name", path);
        }
    }
    closedir(d);
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
    return status == PERP_OK ? replace_check_below(dir, "", kind, 0, err) : status;
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

perp_status replace_start(replace *r, const char *dir, const replace_kind *kind,
                          perp_error *err)
{
    perp_status status = PERP_OK;

    *r = (replace){.kind = kind, .lock = -1, .old_lock = -1};
    TRY(replace_target(dir, r->target, err));
    TRY(replace_name(dir, r->work, err));
    memcpy(r->old, r->work, sizeof r->old);
    strcat(r->old, ".old"); /* replace_target leaves room for it */
    /* Left by a process that ended between its renames. */
    (void)!rename(r->old, access(r->target, F_OK) != 0 ? r->target : r->work);
    if (access(r->target, F_OK) == 0) {
        status = replace_check(r->target, kind, &r->old_lock, err);
        replace_release(&r->old_lock); /* it can be gone on with until the end */
    }
    if (status == PERP_OK) {
        status = data_make_folder(r->work, err);
    }
    if (status == PERP_OK) {
        status = replace_check(r->work, kind, &r->lock, err);
    }
    if (status == PERP_OK) {
        perp_folder_empty(r->work);
    }
    return status;
}

/* Give DIR.new the name of an existing DIR, and the old results the name DIR.new. Where the file
 * system cannot exchange two names, they are DIR.new.old in between. */
static perp_status replace_exchange(replace *r, perp_error *err)
{
    if (renameat2(AT_FDCWD, r->work, AT_FDCWD, r->target, RENAME_EXCHANGE) == 0) {
        return PERP_OK;
    }
    if (rename(r->target, r->old) != 0 || rename(r->work, r->target) != 0) {
        perp_fail(err, PERP_ERR_WRITE, "%s: cannot replace it: %s", r->target,
                  strerror(errno));
        (void)!rename(r->old, r->target); /* else the next start does so */
        return PERP_ERR_WRITE;
    }
    (void)!rename(r->old, r->work); /* so does the next start */
    return PERP_OK;
}

perp_status replace_finish(replace *r, perp_error *err)
{
    if (access(r->target, F_OK) != 0) {
        return rename(r->work, r->target) == 0
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_WRITE, "%s: %s", r->work, strerror(errno));
    }
    /* What came in while the new results were made is not removed either. */
    TRY(replace_check(r->target, r->kind, &r->old_lock, err));
    TRY(replace_exchange(r, err));
    perp_folder_remove_all(r->work);
    if (access(r->work, F_OK) == 0) {
        output_print(stderr, OUTPUT_PLAIN,
                     "perp %s: %s has the new results; the old ones are in %s and "
                     "could not be removed\n",
                     r->kind->verb, r->target, r->work);
    }
    return PERP_OK;
}

void replace_close(replace *r)
{
    if (!r->kind) {
        return;
    }
    if (r->lock >= 0) {
        rmdir(r->work); /* only an empty folder goes: nothing was written */
    }
    replace_release(&r->lock);
    replace_release(&r->old_lock);
    r->kind = NULL;
}
