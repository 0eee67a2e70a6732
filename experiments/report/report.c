/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/report.c: make everything again, and the small files it is made with. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs.h"

void safe_name(const char *name, char *out, size_t length)
{
    size_t i = 0;

    for (; name[i] && i + 1 < length; i++) {
        unsigned char c = (unsigned char)name[i];

        out[i] = (char)(isalnum(c) || strchr(".-_", c) ? c : '_');
    }
    out[i] = '\0';
}

/* A safe name that no earlier of the list has: the second with the same letters is "…+2". */
static void only_name(const name_list *list, const char *name, char *out, size_t length)
{
    char other[FILE_NAME];
    size_t same = 1;
    size_t end = 0;

    safe_name(name, out, length - 8);
    for (size_t i = 0; i < list->count && strcmp(list->names[i], name) != 0; i++) {
        safe_name(list->names[i], other, length - 8);
        same += strcmp(other, out) == 0;
    }
    end = strlen(out);
    if (same > 1) {
        snprintf(out + end, length - end, "+%zu", same);
    }
}

/* File systems take names of 255 bytes: 60 for the set, 140 for the instance. */
void table_file_name(char out[FILE_NAME], const char *kind, const run_table *t,
                     const char *instance)
{
    char set[60], which[140] = "", tolerance[32];

    only_name(t->sets, t->set, set, sizeof set);
    if (instance) {
        only_name(&t->instances, instance, which, sizeof which);
    }
    snprintf(tolerance, sizeof tolerance, "%.0e", t->tolerance);
    if (strtod(tolerance, NULL) != t->tolerance) {
        snprintf(tolerance, sizeof tolerance, "%.6e", t->tolerance);
    }
    snprintf(out, FILE_NAME, "%s%s%s_%s%s%s", kind, *kind ? "_" : "", set, which,
             *which ? "_" : "", tolerance);
}

perp_status make_folder(const char *dir, const char *name, perp_error *err)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return PERP_OK;
}

perp_status part_open(part_file *p, perp_error *err, const char *format, ...)
{
    char path[1024];
    va_list args;
    int length = 0;
    perp_status status = PERP_OK;

    va_start(args, format);
    length = vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof path) {
        return perp_fail(err, PERP_ERR_WRITE, "%.80s…: the name is longer than %zu bytes",
                         path, sizeof path - 1);
    }
    status = perp_file_create(&p->out, path, err);
    p->f = p->out.f;
    return status;
}

perp_status part_close(part_file *p, perp_error *err)
{
    return perp_file_commit(&p->out, err);
}

perp_status part_end(part_file *p, perp_status status, perp_error *err)
{
    if (status == PERP_OK) {
        return part_close(p, err);
    }
    perp_file_abandon(&p->out);
    return status;
}

perp_status report_make(const char *dir, const report_style *style, perp_error *err)
{
    stored_runs s;
    perp_status status = runs_read(&s, dir, err);
    perp_status drawn = PERP_OK;

    if (status != PERP_OK) {
        return status;
    }
    status = write_summary(&s, dir, err);
    status = status == PERP_OK ? write_tables(&s, dir, err) : status;
    drawn = status == PERP_OK ? write_figures(&s, dir, style, err) : PERP_OK;
    /* Without gnuplot the page is still worth reading. */
    if (status == PERP_OK && (drawn == PERP_OK || drawn == PERP_ERR_LIBRARY)) {
        status = write_page(&s, dir, err);
    }
    runs_free(&s);
    return drawn == PERP_OK ? status : drawn;
}
