/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/gnuplot.c: the style of figures, their scripts, and gnuplot itself.
 *
 * gnuplot writes into figures/new. When it has succeeded and each figure ends as its format
 * requires, all are renamed into figures: a full disk or a kill leaves the old figures. */
#include <config.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/data.h"
#include "files.h"
#include "gnuplot.h"

static perp_status copy_script(const char *from, const char *to, perp_error *err)
{
    perp_file_out o;
    char *text = NULL;
    size_t length = 0;
    perp_status status = perp_file_slurp(from, &text, &length, err);

    if (status == PERP_OK) {
        status = report_open(&o, err, "%s", to);
    }
    if (status == PERP_OK) {
        fwrite(text, 1, length, o.f);
        status = perp_file_commit(&o, err);
    }
    free(text);
    return status;
}

perp_status copy_scripts(const char *dir, perp_error *err)
{
    static const char *const names[] = {"style",   "terminal", "profile", "share",
                                        "scaling", "residual", "warm",    "coordinates"};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < sizeof names / sizeof *names && status == PERP_OK; i++) {
        char from[DATA_PATH], to[PERP_FILE_PATH_LENGTH], name[64];

        snprintf(name, sizeof name, "figures/%s.gp", names[i]);
        status = data_find(name, from, err);
        snprintf(to, sizeof to, "%s/figures/gp/%s.gp", dir, names[i]);
        if (status == PERP_OK) {
            status = copy_script(from, to, err);
        }
    }
    return status;
}

/* True for words that are safe between quotes in a gnuplot script. */
static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && !strchr(" .,-_:", *text)) {
            return false;
        }
    }
    return true;
}

perp_status write_style(FILE *f, const report_style *style, perp_error *err)
{
    const char *terminals =
        style && style->terminal ? style->terminal : "pdfcairo svg pngcairo";
    const char *size = style && style->size ? style->size : "3.4x2.6";
    const char *font = style && style->font ? style->font : "Sans,7";
    const char *comma = strrchr(font, ',');
    double width = 0.0;
    double height = 0.0;
    double points = 7.0;
    char end = '\0';

    if (sscanf(size, "%lfx%lf%c", &width, &height, &end) != 2 || !(width >= 1.0) ||
        !(height >= 1.0) || !(width <= 40.0) || !(height <= 40.0)) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "size is \"%s\", expected WIDTHxHEIGHT in inches, each from 1 to 40", size);
    }
    if (comma && (sscanf(comma + 1, "%lf%c", &points, &end) != 1 || !(points >= 3.0) ||
                  !(points <= 72.0))) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "font is \"%s\", expected NAME,SIZE with a size from 3 to 72",
                         font);
    }
    if (!is_plain(font) || !is_plain(terminals)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "terminal \"%s\" or font \"%s\" has a character that is not "
                         "allowed in a name",
                         terminals, font);
    }
    fprintf(f,
            "# Made by perp; draw again with: gnuplot make.gp\n"
            "terminals = '%s'; wide = %g; high = %g; face = '%.*s'; points = %g\n"
            "load 'gp/style.gp'\n",
            terminals, width, height, comma ? (int)(comma - font) : (int)strlen(font),
            font, points);
    return PERP_OK;
}

/* In the child process: run gnuplot in `folder`. */
static void exec_gnuplot(const char *folder)
{
    if (chdir(folder) == 0 && freopen("gnuplot.log", "w", stderr)) {
        /* the scripts are UTF-8, whatever the locale of the caller is */
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
        exec_gnuplot(folder);
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
        return perp_fail(
            err, PERP_ERR_LIBRARY,
            "gnuplot failed on %s/make.gp, see gnuplot.log in the same folder", folder);
    }
    return PERP_OK;
}

/* True when the file ends as its format requires. Formats without such an end pass. */
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
    return is_whole(from) ? PERP_OK
                          : perp_fail(err, PERP_ERR_WRITE,
                                      "%s: gnuplot did not write it to the end", to);
}

static perp_status install(const char *from, const char *to, perp_error *err)
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

/* Call `each` for every file of folder/new, with its final path in the folder. */
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
    perp_status status = report_folder(dir, "figures/new", err);

    if (status != PERP_OK) {
        return status;
    }
    snprintf(folder, sizeof folder, "%s/figures", dir);
    snprintf(fresh, sizeof fresh, "%s/new", folder);
    for_each_new(folder, discard, NULL);
    status = draw_all(folder, err);
    if (status == PERP_OK) {
        status = for_each_new(folder, check_whole, err);
    }
    if (status == PERP_OK) {
        status = for_each_new(folder, install, err);
    }
    for_each_new(folder, discard, NULL);
    rmdir(fresh);
    return status;
}
