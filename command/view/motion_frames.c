/* SPDX-License-Identifier: Apache-2.0
 * view/motion_frames.c: frames, contacts and metrics from the file of a run, as far as its last
 * checkpoint. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/step.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/simulate/touch.h"
#include "command/view/motion_parts.h"

_Static_assert((int)MOTION_OPEN == SIM_TOUCH_OPEN &&
                   (int)MOTION_STICKING == SIM_TOUCH_STICKING &&
                   (int)MOTION_SLIDING == SIM_TOUCH_SLIDING,
               "a status is stored as it is named here");

enum { CONTACTS_AT_ONCE = 1 << 15 };

/* All rows of a column up to the last checkpoint; `entries` numbers of 8 bytes per row. */
static perp_status frames_column(const trajectory_file *f, size_t id, const char *path,
                                 size_t count, size_t entries, void **rows)
{
    perp_status status =
        motion_take(f, path, count, 8 * (entries ? entries : 1), 8 * entries, rows);

    return status == PERP_OK && entries > 0
               ? trajectory_read(f, id, NULL, 0, count, *rows)
               : status;
}

static perp_status frames_reals(const trajectory_file *f, size_t id, const char *path,
                                size_t count, size_t entries, double **values)
{
    void *rows = NULL;
    perp_status status = frames_column(f, id, path, count, entries, &rows);

    *values = rows;
    return status == PERP_OK
               ? perp_h5_check_finite(&f->file, path, *values, count * entries)
               : status;
}

/* The contacts of frame f end before end[f]. */
static perp_status frames_check_ends(const motion *m, const trajectory_file *f)
{
    uint64_t before = 0;

    for (size_t k = 0; k < m->frame_count; k++) {
        if (m->contact_end[k] < before ||
            m->contact_end[k] > f->count[TRAJECTORY_CONTACT]) {
            return perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/contacts/end",
                                "row %zu is %llu, expected %llu .. %llu", k,
                                (unsigned long long)m->contact_end[k],
                                (unsigned long long)before,
                                (unsigned long long)f->count[TRAJECTORY_CONTACT]);
        }
        before = m->contact_end[k];
    }
    return PERP_OK;
}

static perp_status frames_poses(motion *m, const trajectory_file *f)
{
    const size_t n = (size_t)f->count[TRAJECTORY_FRAME];
    void *rows = NULL;
    perp_status status = frames_reals(f, TRAJECTORY_FRAME_TIME, "/time", n, 1, &m->time);

    m->frame_count = n;
    if (status == PERP_OK) {
        status = frames_column(f, TRAJECTORY_FRAME_STEP, "/step", n, 1, &rows);
        m->step = rows;
    }
    if (status == PERP_OK) {
        status =
            frames_reals(f, TRAJECTORY_POSES, "/poses", n, 7 * m->body_count, &m->poses);
    }
    if (status == PERP_OK) {
        status = frames_reals(f, TRAJECTORY_VELOCITIES, "/velocities", n,
                              6 * m->body_count, &m->velocity);
    }
    if (status == PERP_OK) {
        status = frames_column(f, TRAJECTORY_CONTACT_END, "/contacts/end", n, 1, &rows);
        m->contact_end = rows;
    }
    return status == PERP_OK ? frames_check_ends(m, f) : status;
}

/* ---- contacts ---- */

/* Some rows of all columns of contacts. */
typedef struct contact_rows {
    double point[3 * CONTACTS_AT_ONCE], normal[3 * CONTACTS_AT_ONCE];
    double impulse[3 * CONTACTS_AT_ONCE];
    double gap[CONTACTS_AT_ONCE], mu[CONTACTS_AT_ONCE], residual[CONTACTS_AT_ONCE];
    int32_t bodies[2 * CONTACTS_AT_ONCE];
    uint8_t touch[CONTACTS_AT_ONCE];
} contact_rows;

static perp_status contacts_read(const trajectory_file *f, size_t first, size_t count,
                                 contact_rows *r)
{
    const struct {
        trajectory_column_id id;
        void *rows;
    } columns[] = {
        {TRAJECTORY_POINT, r->point},   {TRAJECTORY_NORMAL, r->normal},
        {TRAJECTORY_GAP, r->gap},       {TRAJECTORY_CONTACT_IMPULSE, r->impulse},
        {TRAJECTORY_BODIES, r->bodies}, {TRAJECTORY_MU, r->mu},
        {TRAJECTORY_STATUS, r->touch},  {TRAJECTORY_RESIDUAL, r->residual},
    };
    perp_status status = PERP_OK;

    for (size_t k = 0; k < sizeof columns / sizeof *columns && status == PERP_OK; k++) {
        status = trajectory_read(f, columns[k].id, NULL, first, count, columns[k].rows);
    }
    return status;
}

/* Contact k of the rows, which is number `row` of the file. A residual may be infinite. */
static perp_status contacts_check(const motion *m, const trajectory_file *f,
                                  const contact_rows *r, size_t k, size_t row)
{
    const int64_t bodies = (int64_t)m->body_count;
    double sum = r->gap[k] + r->mu[k];

    for (size_t i = 0; i < 2; i++) {
        if (r->bodies[2 * k + i] < 0 || r->bodies[2 * k + i] >= bodies) {
            return perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/contacts/bodies",
                                "row %zu has body %d, expected 0 .. %lld", row,
                                (int)r->bodies[2 * k + i], (long long)bodies - 1);
        }
    }
    if (r->touch[k] >= SIM_TOUCHES) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/contacts/status",
                            "row %zu is %d, expected 0 .. %d", row, (int)r->touch[k],
                            SIM_TOUCHES - 1);
    }
    for (size_t i = 3 * k; i < 3 * k + 3; i++) {
        sum += r->point[i] + r->normal[i] + r->impulse[i];
    }
    return isfinite(sum) ? PERP_OK
                         : perp_h5_fail(&f->file, PERP_ERR_DATA, "/contacts",
                                        "row %zu has a number that is not finite", row);
}

static void contacts_fill(motion_contact *c, const contact_rows *r, size_t k)
{
    c->body[0] = r->bodies[2 * k];
    c->body[1] = r->bodies[2 * k + 1];
    memcpy(c->point, r->point + 3 * k, sizeof c->point);
    memcpy(c->normal, r->normal + 3 * k, sizeof c->normal);
    memcpy(c->impulse, r->impulse + 3 * k, sizeof c->impulse);
    c->gap = r->gap[k];
    c->mu = r->mu[k];
    c->residual = r->residual[k];
    c->status = (motion_status)r->touch[k];
}

static perp_status frames_contacts(motion *m, const trajectory_file *f)
{
    const size_t count = (size_t)m->contact_end[m->frame_count - 1];
    contact_rows *r = NULL;
    void *rows = NULL;
    perp_status status =
        motion_take(f, "/contacts", count, sizeof *m->contacts, 96, &rows);

    m->contacts = rows;
    if (status != PERP_OK || count == 0) {
        return status;
    }
    r = take(1, sizeof *r);
    for (size_t first = 0; first < count && status == PERP_OK;) {
        const size_t left = count - first;
        const size_t end = left > CONTACTS_AT_ONCE ? first + CONTACTS_AT_ONCE : count;

        status = contacts_read(f, first, end - first, r);
        for (size_t k = first; k < end && status == PERP_OK; k++) {
            contacts_fill(&m->contacts[k], r, k - first);
            status = contacts_check(m, f, r, k - first, k);
        }
        first = end;
    }
    free(r);
    return status;
}

/* ---- metrics ---- */

static perp_status metrics_read(motion *m, const trajectory_file *f,
                                motion_metric *metric)
{
    void *rows = NULL;
    perp_status status =
        motion_take(f, "/metrics", m->step_count, sizeof(double), sizeof(double), &rows);

    metric->value = rows;
    if (status == PERP_OK) {
        status = trajectory_read(f, TRAJECTORY_FIXED, metric->name, 0, m->step_count,
                                 metric->value);
    }
    return status;
}

/* The metrics of the registry that the file has. They are not listed by HDF5, of which the
 * iterators do not survive damaged groups. */
static perp_status frames_metrics(motion *m, const trajectory_file *f)
{
    size_t count = 0;
    const perp_metric *const *metrics = perp_metrics(&count);
    char path[PERP_H5_PATH];
    perp_status status = frames_reals(
        f, TRAJECTORY_T, "/steps/t", (size_t)f->count[TRAJECTORY_STEP], 1, &m->step_time);

    m->step_count = (size_t)f->count[TRAJECTORY_STEP];
    m->metrics = take(count + 1, sizeof *m->metrics);
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        bool there = false;

        status = perp_h5_exists(&f->file,
                                perp_h5_join(path, "/metrics", metrics[k]->name), &there);
        if (there) {
            motion_metric *metric = &m->metrics[m->metric_count++];

            *metric = (motion_metric){metrics[k]->name, metrics[k]->unit, NULL};
            status = metrics_read(m, f, metric);
        }
    }
    return status;
}

perp_status motion_read_frames(motion *m, const trajectory_file *f)
{
    TRY(frames_poses(m, f));
    TRY(frames_contacts(m, f));
    return frames_metrics(m, f);
}
