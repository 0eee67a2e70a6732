/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/gnuplot.c: have the figures drawn.
 *
 * gnuplot writes into figures/new; when it has succeeded and each figure ends as its format
 * does, all are renamed into figures. So a full disk or a kill leaves the old figures. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data_files.h"

/* In the child: become gnuplot in `folder`. */
static void become_gnuplot(const char *folder)
{
    if (chdir(folder) == 0 && freopen("gnuplot.log", "w", stderr)) {
        /* the scripts are UTF-8, whatever the caller's locale can hold */
        setenv("LC_ALL", "C.UTF-8", 1);
        execlp("gnuplot", "gnuplot", "-e", "into = 'new/'", "make.gp", (char *)NULL);
    }
    _exit(127);
}

static perp_status draw_all(const char *folder, perp_error *err)
{
    int state = 0;
    pid_t child = fork();

    if (child == 0) {
        become_gnuplot(folder);
    }
    while (child > 0 && waitpid(child, &state, 0) != child) {
        if (errno != EINTR) {
            child = -1;
        }
    }
    if (child < 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "gnuplot: %s", strerror(errno));
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127) {
        return perp_fail(err, PERP_ERR_LIBRARY,
                         "%s: gnuplot did not start; is it installed?", folder);
    }
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY,
                         "gnuplot failed on %s/make.gp, see gnuplot.log beside it",
                         folder);
    }
    return PERP_OK;
}

/* Does the file end as its format does? Formats that have no such end are taken as whole. */
static bool is_whole(const char *path)
{
    static const struct {
        const char *kind, *end;
    } ends[] = {{".svg", "</svg>"}, {".pdf", "%%EOF"}, {".png", "IEND"}};
    const char *kind = strrchr(path, '.');
    const char *end = NULL;
    char tail[33] = "";
    size_t length = 0;
    FILE *f = NULL;

    for (size_t k = 0; kind && k < sizeof ends / sizeof *ends; k++) {
        end = strcmp(kind, ends[k].kind) == 0 ? ends[k].end : end;
    }
    if (!end) {
        return true;
    }
    f = fopen(path, "rb");
    if (f && fseek(f, -32, SEEK_END) == 0) {
        length = fread(tail, 1, 32, f);
    }
    if (f) {
        fclose(f);
    }
    for (size_t k = 0; k + strlen(end) <= length; k++) {
        if (memcmp(tail + k, end, strlen(end)) == 0) {
            return true;
        }
    }
    return false;
}

static perp_status check_whole(const char *from, const char *to, perp_error *err)
{
    return is_whole(from)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_WRITE, "%s: gnuplot wrote it in part", to);
}

static perp_status put_in_place(const char *from, const char *to, perp_error *err)
{
    return rename(from, to) == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_WRITE, "%s: %s", to, strerror(errno));
}

static perp_status discard(const char *from, const char *to, perp_error *err)
{
    (void)to;
    (void)err;
    unlink(from);
    return PERP_OK;
}

/* Call `each` for every file of folder/new, with its place in folder. */
static perp_status for_each_new(const char *folder,
                                perp_status (*each)(const char *from, const char *to,
                                                    perp_error *err),
                                perp_error *err)
{
    char from[2048], to[2048];
    struct dirent **entries = NULL;
    perp_status status = PERP_OK;
    int count = 0;

    snprintf(from, sizeof from, "%s/new", folder);
    count = scandir(from, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;

        if (*name != '.' && status == PERP_OK) {
            snprintf(from, sizeof from, "%s/new/%s", folder, name);
            snprintf(to, sizeof to, "%s/%s", folder, name);
            status = each(from, to, err);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

perp_status gnuplot_run(const char *dir, perp_error *err)
{
    char folder[1024], fresh[1040];
    perp_status status = make_folder(dir, "figures/new", err);

    if (status != PERP_OK) {
        return status;
    }
    snprintf(folder, sizeof folder, "%s/figures", dir);
    snprintf(fresh, sizeof fresh, "%s/new", folder);
    for_each_new(folder, discard, NULL);
    status = draw_all(folder, err);
    status = status == PERP_OK ? for_each_new(folder, check_whole, err) : status;
    status = status == PERP_OK ? for_each_new(folder, put_in_place, err) : status;
    for_each_new(folder, discard, NULL);
    rmdir(fresh);
    return status;
}
