/* SPDX-License-Identifier: Apache-2.0
 * command/results/files.c: names of the files of a report, and how they are written. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "files.h"

static void safe_name(const char *name, char *out, size_t length)
{
    size_t i = 0;

    for (; name[i] && i + 1 < length; i++) {
        unsigned char c = (unsigned char)name[i];

        out[i] = (char)(isalnum(c) || strchr(".-_", c) ? c : '_');
    }
    out[i] = '\0';
}

/* A safe name that no earlier one of the list has: the second with the same letters is
 * "…+2". */
static void distinct_name(const name_list *list, const char *name, char *out,
                          size_t length)
{
    char other[FILE_NAME];
    size_t same = 1;
    size_t end = 0;

    safe_name(name, out, length - 8);
    for (size_t i = 0; i < list->count && strcmp(list->names[i], name) != 0; i++) {
        safe_name(list->names[i], other, length - 8);
        same += strcasecmp(other, out) == 0; /* one file on some systems */
    }
    end = strlen(out);
    if (same > 1) {
        snprintf(out + end, length - end, "+%zu", same);
    }
}

/* File systems allow names of 255 bytes: 60 for the set, 140 for the instance. */
void run_table_file(char out[FILE_NAME], const char *kind, const run_table *t,
                    const char *instance)
{
    char set[60], which[140] = "", tolerance[32];

    distinct_name(t->sets, t->set, set, sizeof set);
    if (instance) {
        distinct_name(&t->instances, instance, which, sizeof which);
    }
    snprintf(tolerance, sizeof tolerance, "%.0e", t->tolerance);
    if (strtod(tolerance, NULL) != t->tolerance) {
        snprintf(tolerance, sizeof tolerance, "%.6e", t->tolerance);
    }
    snprintf(out, FILE_NAME, "%s%s%s_%s%s%s", kind, *kind ? "_" : "", set, which,
             *which ? "_" : "", tolerance);
}

perp_status report_folder(const char *dir, const char *name, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    return PERP_OK;
}

perp_status report_open(perp_file_out *o, perp_error *err, const char *format, ...)
{
    char path[PERP_FILE_PATH_LENGTH];
    va_list args;
    int length = 0;

    va_start(args, format);
    length = vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof path) {
        return perp_fail(err, PERP_ERR_WRITE, "%.80s…: the name is longer than %zu bytes",
                         path, sizeof path - 1);
    }
    return perp_file_create(o, path, err);
}

perp_status report_close(perp_file_out *o, perp_status status, perp_error *err)
{
    if (status == PERP_OK) {
        return perp_file_commit(o, err);
    }
    perp_file_abandon(o);
    return status;
}
