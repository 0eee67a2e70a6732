/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory.c: write a run as one HDF5 file that survives a kill at any
 * moment. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "command/cli/take.h"
#include "command/simulate/trajectory_columns.h"

enum {
    CHUNK_BYTES = 16384, /* of one chunk, about; a small run stays a small file */
    CHUNK_ROWS = 512,    /* at most */
    GATHER_BYTES =
        1 << 25, /* rows in memory before they are written without a checkpoint */
    COPY_BYTES = 1 << 20, /* of the old file at a time */
};

/* A column at work. */
typedef struct column {
    const column_spec *spec;
    hid_t set;
    size_t row;        /* bytes; 0: a column that is left out */
    hsize_t extent[3]; /* of one row, after the axis; its first entry is 1 */
    int rank;
    uint64_t written; /* rows */
    unsigned char *gathered;
    size_t used, room; /* bytes */
} column;

struct trajectory {
    perp_h5_file file;
    size_t count; /* of columns */
    column *columns;
    uint64_t rows[TRAJECTORY_AXES];
    uint64_t state_start, state_end; /* of the last checkpoint, in /state/values */
    size_t name_room;                /* bytes of a name of a row */
    size_t gathered;                 /* bytes */
    bool failed;                     /* to write: HDF5 is left alone from then on */
};

static size_t column_size(int extent, const trajectory_head *head)
{
    switch (extent) {
    case OF_BODIES:
        return head->body_count;
    case OF_JOINTS:
        return head->joint_count;
    case OF_SUMMARY:
        return head->summary_size;
    default:
        return (size_t)extent;
    }
}

/* The dataset of a column, extensible along its axis. */
static perp_status column_create(trajectory *t, column *c, const char *path,
                                 const char *unit)
{
    const hsize_t most[3] = {H5S_UNLIMITED, c->extent[1], c->extent[2]};
    const hsize_t none[3] = {0, c->extent[1], c->extent[2]};
    size_t rows = CHUNK_BYTES / c->row;
    hsize_t chunk[3] = {1, c->extent[1], c->extent[2]};
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(c->rank, none, most);
    hid_t type = column_file_type(c->spec->kind, t->name_room);

    chunk[0] = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    H5Pset_obj_track_times(creation, false);
    H5Pset_chunk(creation, c->rank, chunk);
    c->set =
        H5Dcreate2(t->file.id, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(creation);
    if (c->set < 0) {
        return perp_h5_fail(&t->file, PERP_ERR_WRITE, path, "cannot create the dataset");
    }
    return unit && *unit ? perp_h5_write_attribute_text(&t->file, path, "unit", unit)
                         : PERP_OK;
}

static perp_status columns_create(trajectory *t, const trajectory_head *head)
{
    perp_status status = PERP_OK;

    for (size_t id = 0; id < t->count && status == PERP_OK; id++) {
        bool metric = id >= TRAJECTORY_FIXED;
        column *c = &t->columns[id];
        char path[PERP_H5_PATH];

        c->spec = column_spec_of(id);
        c->rank = 1;
        c->extent[0] = 1;
        c->row = column_entry(c->spec->kind, t->name_room);
        for (int k = 0; k < 2 && c->spec->extent[k]; k++) {
            c->extent[c->rank] = column_size(c->spec->extent[k], head);
            c->row *= (size_t)c->extent[c->rank++];
        }
        if (c->row > 0) {
            column_path(id, metric ? head->metrics[id - TRAJECTORY_FIXED] : NULL, path);
            status = column_create(
                t, c, path, metric ? head->units[id - TRAJECTORY_FIXED] : c->spec->unit);
        }
    }
    return status;
}

/* What is in the file is sound as long as HDF5 writes in its order; after a failure, even
 * to close the file would write more. */
static perp_status write_failed(trajectory *t, const char *path, const char *what)
{
    t->failed = true;
    return perp_h5_fail(&t->file, PERP_ERR_WRITE, path, "%s", what);
}

/* Write whole rows, which stand at `rows`, as those from `first` on: new ones, or in the place of
 * old ones. */
static perp_status column_put(trajectory *t, column *c, uint64_t first, size_t count,
                              const void *rows)
{
    const uint64_t end = first + count > c->written ? first + count : c->written;
    const hsize_t start[3] = {first, 0, 0};
    const hsize_t all[3] = {end, c->extent[1], c->extent[2]};
    const hsize_t block[3] = {count, c->extent[1], c->extent[2]};
    hid_t memory = H5I_INVALID_HID, file = H5I_INVALID_HID, type = H5I_INVALID_HID;
    const perp_h5_quiet quiet = perp_h5_silence();
    bool good = H5Dset_extent(c->set, all) >= 0;

    if (good) {
        memory = H5Screate_simple(c->rank, block, NULL);
        file = H5Dget_space(c->set);
        type = column_memory_type(c->spec->kind, t->name_room);
        good = H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
               H5Dwrite(c->set, type, memory, file, H5P_DEFAULT, rows) >= 0;
        H5Tclose(type);
        H5Sclose(file);
        H5Sclose(memory);
    }
    c->written = end;
    good = good && !perp_h5_lacked();
    perp_h5_restore(quiet);
    return good ? PERP_OK : write_failed(t, c->spec->path, "cannot write");
}

static perp_status write_flush(trajectory *t)
{
    const perp_h5_quiet quiet = perp_h5_silence();
    const bool good = H5Fflush(t->file.id, H5F_SCOPE_LOCAL) >= 0 && !perp_h5_lacked();

    perp_h5_restore(quiet);
    return good ? PERP_OK : write_failed(t, "/", "cannot flush");
}

static perp_status column_write(trajectory *t, column *c)
{
    perp_status status = PERP_OK;

    if (c->used > 0) {
        status = column_put(t, c, c->written, c->used / c->row, c->gathered);
        t->gathered -= c->used;
        c->used = 0;
    }
    return status;
}

/* All that was gathered but the counts of a checkpoint. */
static perp_status write_rows(trajectory *t)
{
    perp_status status = PERP_OK;

    for (size_t id = 0; id < t->count && status == PERP_OK; id++) {
        if (id != TRAJECTORY_STATE_COUNTS) {
            status = column_write(t, &t->columns[id]);
        }
    }
    return status;
}

perp_status trajectory_append(trajectory *t, size_t id, const void *row)
{
    column *c = &t->columns[id];

    if (c->spec->axis != TRAJECTORY_CHECKPOINT) {
        /* The axis grows with the first of its columns that has a row more. */
        uint64_t rows = c->row ? c->written + c->used / c->row + 1 : 0;

        t->rows[c->spec->axis] =
            rows > t->rows[c->spec->axis] ? rows : t->rows[c->spec->axis];
    }
    if (c->row == 0) {
        return PERP_OK;
    }
    TAKE_ROOM(c->gathered, c->room, c->used + c->row);
    memcpy(c->gathered + c->used, row, c->row);
    c->used += c->row;
    t->gathered += c->row;
    return t->gathered > GATHER_BYTES ? write_rows(t) : PERP_OK;
}

uint64_t trajectory_count(const trajectory *t, trajectory_axis axis)
{
    return t->rows[axis];
}

/* In front of the state of the last checkpoint, which counts until this one does, or behind it: a
 * file holds two or three states, however long the run. */
static perp_status write_state(trajectory *t, const double *state, size_t size)
{
    column *c = &t->columns[TRAJECTORY_STATE_VALUES];
    const uint64_t start = size <= t->state_start ? 0 : t->state_end;
    perp_status status = PERP_OK;

    t->state_start = start;
    t->state_end = start + size;
    if (size > 0) {
        status = column_put(t, c, start, size, state);
        t->rows[TRAJECTORY_STATE] = c->written;
    }
    return status;
}

perp_status trajectory_checkpoint(trajectory *t, uint64_t step, const double *state,
                                  size_t size, const double *summary)
{
    perp_status status = t->failed ? PERP_ERR_WRITE : PERP_OK;

    if (status == PERP_OK) {
        status = write_state(t, state, size);
    }
    t->rows[TRAJECTORY_CHECKPOINT]++;
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_STATE_START, &t->state_start);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_STATE_END, &t->state_end);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_STATE_STEP, &step);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_STATE_SUMMARY, summary);
    }
    if (status == PERP_OK) {
        status = trajectory_append(t, TRAJECTORY_STATE_COUNTS, t->rows);
    }
    if (status == PERP_OK) {
        status = write_rows(t);
    }
    if (status == PERP_OK) {
        status = write_flush(t);
    }
    /* What it counts is in the file: now it may say so. */
    if (status == PERP_OK) {
        status = column_write(t, &t->columns[TRAJECTORY_STATE_COUNTS]);
    }
    return status == PERP_OK ? write_flush(t) : status;
}

/* The rows of an old file up to its last checkpoint. */
static perp_status copy_column(trajectory *t, size_t id, const char *metric,
                               const trajectory_file *old)
{
    column *c = &t->columns[id];
    size_t count = (size_t)old->count[c->spec->axis];
    size_t most = c->row ? COPY_BYTES / c->row + 1 : 1;
    unsigned char *rows = NULL;
    perp_status status = PERP_OK;

    if (c->row == 0 || count == 0) {
        return PERP_OK;
    }
    rows = take(1, most * c->row);
    for (size_t first = 0; first < count && status == PERP_OK; first += most) {
        size_t n = count - first < most ? count - first : most;

        status = trajectory_read(old, id, metric, first, n, rows);
        if (status == PERP_OK) {
            status = column_put(t, c, c->written, n, rows);
        }
    }
    free(rows);
    return status;
}

static perp_status copy_rows(trajectory *t, const trajectory_head *head,
                             const trajectory_file *old)
{
    trajectory_file from = *old;
    perp_status status = PERP_OK;

    from.name_room = t->name_room; /* names are read as they will be written */
    for (size_t id = 0; id < t->count && status == PERP_OK; id++) {
        status = copy_column(
            t, id, id < TRAJECTORY_FIXED ? NULL : head->metrics[id - TRAJECTORY_FIXED],
            &from);
    }
    memcpy(t->rows, old->count, sizeof t->rows);
    return status == PERP_OK && old->count[TRAJECTORY_CHECKPOINT] > 0
               ? trajectory_state_place(old, &t->state_start, &t->state_end)
               : status;
}

perp_status trajectory_check(const trajectory_file *f, const trajectory_head *head)
{
    const size_t count = TRAJECTORY_FIXED + head->metric_count;
    perp_status status = PERP_OK;

    for (size_t id = 0; id < count && status == PERP_OK; id++) {
        const column_spec *spec = column_spec_of(id);
        const char *metric =
            id < TRAJECTORY_FIXED ? NULL : head->metrics[id - TRAJECTORY_FIXED];
        const size_t rows = (size_t)f->count[spec->axis];
        size_t row = column_entry(spec->kind, f->name_room);
        size_t most = 0;
        void *block = NULL;

        for (int k = 0; k < 2 && spec->extent[k]; k++) {
            row *= column_size(spec->extent[k], head);
        }
        most = row ? COPY_BYTES / row + 1 : 0;
        block = row && rows ? take(1, most * row) : NULL;
        for (size_t first = 0; row && first < rows && status == PERP_OK; first += most) {
            status = trajectory_read(f, id, metric, first,
                                     rows - first < most ? rows - first : most, block);
        }
        free(block);
    }
    return status;
}

/* A kill tears a write between two pages of memory. What HDF5 has to find whole, such as the header of
 * a dataset with its checksum, therefore lies within one. */
enum { START_PAGE = 4096 };

/* A new file of the format of HDF5 1.10, the first that may be read while it is written. */
static perp_status start_file(trajectory *t, const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);

    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_obj_track_times(creation, false);
    H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    H5Pset_file_space_page_size(creation, START_PAGE);
    t->file.id = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    H5Pclose(creation);
    H5Pclose(access);
    return t->file.id >= 0 ? PERP_OK
                           : perp_fail(t->file.err, PERP_ERR_WRITE,
                                       "%s: cannot create: %s", path, perp_h5_reason());
}

/* The file with all but its new rows, ready to be read while it is written. */
static perp_status create_content(trajectory *t, const char *path,
                                  const trajectory_head *head, const trajectory_file *old)
{
    perp_h5_quiet quiet;
    perp_status status = PERP_OK;

    quiet = perp_h5_silence();
    status =
        quiet.started ? start_file(t, path) : perp_h5_unusable(t->file.path, t->file.err);
    if (status == PERP_OK) {
        status = trajectory_write_meta(&t->file, head);
    }
    if (status == PERP_OK) {
        status = columns_create(t, head);
    }
    if (status == PERP_OK && old) {
        status = copy_rows(t, head, old);
    }
    if (status == PERP_OK && (H5Fflush(t->file.id, H5F_SCOPE_LOCAL) < 0 ||
                              H5Fstart_swmr_write(t->file.id) < 0 || perp_h5_lacked())) {
        status = perp_h5_fail(&t->file, PERP_ERR_WRITE, "/",
                              "this file system cannot be written safely by HDF5");
    }
    perp_h5_restore(quiet);
    return status;
}

perp_status trajectory_create(trajectory **out, const char *path,
                              const trajectory_head *head, const trajectory_file *old,
                              perp_error *err)
{
    trajectory *t = take(1, sizeof *t);
    perp_file_out file;
    perp_status status = PERP_OK;

    *out = NULL;
    t->columns = take(TRAJECTORY_FIXED + head->metric_count, sizeof *t->columns);
    t->count = TRAJECTORY_FIXED + head->metric_count;
    t->name_room = head->name_room;
    t->file = (perp_h5_file){.id = H5I_INVALID_HID, .path = path, .err = err};
    status = perp_file_create(&file, path, err);
    if (status == PERP_OK) {
        status = create_content(t, file.temporary, head, old);
        if (status == PERP_OK) {
            status = perp_file_commit(&file, err);
        } else {
            perp_file_abandon(&file);
        }
    }
    if (status != PERP_OK) {
        trajectory_close(t);
        return status;
    }
    *out = t;
    return PERP_OK;
}

perp_status trajectory_close(trajectory *t)
{
    perp_h5_quiet quiet;
    perp_status status = PERP_OK;

    if (!t) {
        return PERP_OK;
    }
    quiet = perp_h5_silence();
    for (size_t id = 0; id < t->count; id++) {
        if (!t->failed && t->columns[id].row > 0 && t->columns[id].set > 0) {
            H5Dclose(t->columns[id].set);
        }
        free(t->columns[id].gathered);
    }
    if (!t->failed && t->file.id >= 0 && (H5Fclose(t->file.id) < 0 || perp_h5_lacked())) {
        status = perp_h5_fail(&t->file, PERP_ERR_WRITE, "/", "cannot close");
    }
    perp_h5_restore(quiet);
    free(t->columns);
    free(t);
    return status;
}
