/* SPDX-License-Identifier: Apache-2.0
 * simulate/folder.c: the folder that a run is written to. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "command/simulate/folder.h"

static const char *const folder_files[] = {"trajectory.h5",
                                           "trajectory.h5.damaged",
                                           "metrics.csv",
                                           "summary.json",
                                           "view.html",
                                           "unresolved-*.json",
                                           "capture/step_[0-9]*.hdf5",
                                           REPLACE_LEFT,
                                           NULL};
static const replace_kind folder_kind = {"simulate", "", folder_files};

/* NAME.perp, NAME-2.perp, ... */
static perp_status folder_name(const sim_folder *f, size_t k, char dir[DATA_PATH],
                               perp_error *err)
{
    char number[32] = "";

    if (k > 1) {
        snprintf(number, sizeof number, "-%zu", k);
    }
    return snprintf(dir, DATA_PATH, "%s%s.perp", f->name, number) < DATA_PATH - 80
               ? PERP_OK
               : perp_fail(err, PERP_ERR_OPTION, "%.80s...: too long a name", f->name);
}

/* The first name that nothing has yet; the folder is made. */
static perp_status folder_make(sim_folder *f, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 1; status == PERP_OK; k++) {
        status = folder_name(f, k, f->dir, err);
        if (status != PERP_OK || mkdir(f->dir, 0777) == 0) {
            f->taken = k > 1 ? f->first : NULL;
            break;
        }
        if (errno != EEXIST) {
            status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot make the folder: %s",
                               f->dir, strerror(errno));
        }
    }
    return status;
}

/* The last name of those that are in use without a gap. */
static perp_status folder_last(sim_folder *f, perp_error *err)
{
    char next[DATA_PATH];
    perp_status status = folder_name(f, 1, f->dir, err);

    for (size_t k = 2; status == PERP_OK; k++) {
        status = folder_name(f, k, next, err);
        if (status != PERP_OK || access(next, F_OK) != 0) {
            break;
        }
        memcpy(f->dir, next, sizeof next);
    }
    return status;
}

perp_status sim_folder_open(sim_folder *f, perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(folder_name(f, 1, f->first, err));
    if (f->force && f->resume) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp simulate: --force and --resume together");
    }
    if (!f->output && !f->force) {
        return f->resume ? folder_last(f, err) : folder_make(f, err);
    }
    snprintf(f->end, sizeof f->end, "%s", f->output ? f->output : f->first);
    if (!f->force) {
        memcpy(f->dir, f->end, sizeof f->dir);
        return PERP_OK;
    }
    status = replace_start(&f->replacing, f->end, &folder_kind, err);
    memcpy(f->dir, f->replacing.work, sizeof f->dir);
    if (status != PERP_OK) {
        replace_close(&f->replacing);
    }
    return status;
}

void sim_folder_close(sim_folder *f, bool whole, perp_status *status, perp_error *err)
{
    if (!f->output && !f->resume) {
        rmdir(f->dir); /* only an empty folder goes: nothing was written */
    }
    if (!f->force) {
        return;
    }
    if (whole) {
        *status = replace_finish(&f->replacing, err);
        memcpy(f->dir, f->end, sizeof f->dir);
    }
    replace_close(&f->replacing);
    if (!whole && access(f->dir, F_OK) == 0) {
        fprintf(stderr,
                "perp simulate: %s is as it was; what was made of the new run is in %s\n",
                f->end, f->dir);
    }
}
