/* SPDX-License-Identifier: Apache-2.0
 * experiments/report/report.c: make everything again, and the small files it is made with. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
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
    va_list args;

    va_start(args, format);
    vsnprintf(p->path, sizeof p->path, format, args);
    va_end(args);
    snprintf(p->temporary, sizeof p->temporary, "%s.part", p->path);
    p->f = fopen(p->temporary, "w");
    return p->f ? PERP_OK
                : perp_fail(err, PERP_ERR_WRITE, "%s: %s", p->temporary, strerror(errno));
}

perp_status part_close(part_file *p, perp_error *err)
{
    bool good = !ferror(p->f) && fflush(p->f) == 0 && fsync(fileno(p->f)) == 0;
    int reason = good ? 0 : errno;

    if (fclose(p->f) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(p->temporary, p->path) == 0) {
        return PERP_OK;
    }
    reason = good ? errno : reason;
    unlink(p->temporary);
    return perp_fail(err, PERP_ERR_WRITE, "%s: %s", p->path,
                     strerror(reason ? reason : EIO));
}

perp_status report_make(const char *dir, const report_style *style, perp_error *err)
{
    stored_runs s;
    perp_status status = runs_read(&s, dir, err);

    if (status != PERP_OK) {
        return status;
    }
    status = write_summary(&s, dir, err);
    status = status == PERP_OK ? write_tables(&s, dir, err) : status;
    status = status == PERP_OK ? write_figures(&s, dir, style, err) : status;
    status = status == PERP_OK ? write_page(&s, dir, err) : status;
    runs_free(&s);
    return status;
}
