/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory_read.c: read a trajectory, also one that a killed run left.
 *
 * Such a file is marked as being written still, and HDF5 opens it only as a reader beside
 * a writer does. A checkpoint counts when its row of /state/counts names itself: its last
 * number is its own, counted from 1, while rows that were not written yet hold zeros. */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/take.h"
#include "command/simulate/trajectory_columns.h"

/* Open a dataset: one that is missing is not one that cannot be opened. */
static perp_status read_set(const trajectory_file *f, const char *path, hid_t *set)
{
    bool there = false;
    H5D_layout_t layout = H5D_LAYOUT_ERROR;
    perp_status status = perp_h5_exists(&f->file, path, &there);

    *set = H5I_INVALID_HID;
    if (status != PERP_OK || !there) {
        return status != PERP_OK ? status
                                 : perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                                                "there is no such dataset");
    }
    *set = H5Dopen2(f->file.id, path, H5P_DEFAULT);
    if (*set < 0) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, path, "cannot open: %s",
                            perp_h5_reason());
    }
    status = perp_h5_layout(&f->file, path, *set, &layout);
    if (status != PERP_OK) {
        H5Dclose(*set);
        *set = H5I_INVALID_HID;
    }
    return status;
}

/* Rows of a column that stand in the file, and the bytes of one; PERP_ERR_FORMAT when it
 * is not what the table says. */
static perp_status read_open(const trajectory_file *f, size_t id, const char *path,
                             hid_t *set, hsize_t extent[3], int *rank)
{
    const column_spec *spec = column_spec_of(id);
    hid_t space = H5I_INVALID_HID;
    perp_status status = PERP_OK;

    TRY(read_set(f, path, set));
    space = H5Dget_space(*set);
    *rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (*rank < 0) {
        status = perp_h5_fail(&f->file, PERP_ERR_READ, path, "cannot read its extent");
    } else if (*rank != 1 + (spec->extent[0] != 0) + (spec->extent[1] != 0)) {
        status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, path, "its rank is %d", *rank);
    } else if (H5Sget_simple_extent_dims(space, extent, NULL) < 0) {
        status = perp_h5_fail(&f->file, PERP_ERR_READ, path, "cannot read its extent");
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (status != PERP_OK) {
        H5Dclose(*set);
    }
    return status;
}

static bool read_rows(hid_t set, hid_t type, int rank, const hsize_t extent[3],
                      size_t first, size_t count, void *rows)
{
    const hsize_t start[3] = {first, 0, 0};
    const hsize_t block[3] = {count, rank > 1 ? extent[1] : 1, rank > 2 ? extent[2] : 1};
    hid_t memory = H5Screate_simple(rank, block, NULL);
    hid_t file = H5Dget_space(set);
    bool good =
        H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
        H5Dread(set, type, memory, file, H5P_DEFAULT, rows) >= 0;

    H5Tclose(type);
    H5Sclose(file);
    H5Sclose(memory);
    return good;
}

/* Extents of a row that are not those of the table would not fit the memory of the caller. */
static perp_status read_check_row(const trajectory_file *f, size_t id, const char *path,
                                  const hsize_t extent[3])
{
    const column_spec *spec = column_spec_of(id);

    for (int k = 0; k < 2 && spec->extent[k]; k++) {
        const int of = spec->extent[k];
        const hsize_t expected = of == OF_BODIES   ? f->body_count
                                 : of == OF_JOINTS ? f->joint_count
                                 : of == OF_SUMMARY
                                     ? extent[k + 1] /* trajectory_summary */
                                     : (hsize_t)of;

        if (extent[k + 1] != expected) {
            return perp_h5_fail(
                &f->file, PERP_ERR_FORMAT, path, "extent %d is %llu, expected %llu",
                k + 1, (unsigned long long)extent[k + 1], (unsigned long long)expected);
        }
    }
    return PERP_OK;
}

static perp_status read_column(const trajectory_file *f, size_t id, const char *name,
                               size_t first, size_t count, void *rows)
{
    hid_t set = H5I_INVALID_HID;
    hsize_t extent[3] = {0};
    char path[PERP_H5_PATH];
    int rank = 0;
    perp_status status = PERP_OK;

    column_path(id, name, path);
    TRY(read_open(f, id, path, &set, extent, &rank));
    status = read_check_row(f, id, path, extent);
    if (status != PERP_OK) {
        H5Dclose(set);
        return status;
    }
    if (first + count < first || first + count > extent[0]) {
        status = perp_h5_fail(
            &f->file, PERP_ERR_FORMAT, path, "it has %llu row%s, expected %zu or more",
            (unsigned long long)extent[0], perp_plural((size_t)extent[0]), first + count);
    } else if (count > 0 &&
               !read_rows(set,
                          column_memory_type(column_spec_of(id)->kind,
                                             f->name_room ? f->name_room : 1),
                          rank, extent, first, count, rows)) {
        status = perp_h5_fail(&f->file, PERP_ERR_READ, path, "cannot read");
    }
    H5Dclose(set);
    return status;
}

perp_status trajectory_read(const trajectory_file *f, size_t id, const char *name,
                            size_t first, size_t count, void *rows)
{
    const perp_h5_quiet quiet = perp_h5_silence();
    const perp_status status = read_column(f, id, name, first, count, rows);

    perp_h5_restore(quiet);
    return status;
}

/* Of the checkpoints in `rows` rows the last that counts its own number, searched from the end,
 * many rows at a time. */
static perp_status read_last_checkpoint(trajectory_file *f, size_t rows)
{
    enum { BLOCK = 256 };
    static const uint64_t none[TRAJECTORY_AXES];
    uint64_t counts[BLOCK][TRAJECTORY_AXES];

    for (size_t end = rows; end > 0; end = end > BLOCK ? end - BLOCK : 0) {
        const size_t first = end > BLOCK ? end - BLOCK : 0;
        perp_status status =
            trajectory_read(f, TRAJECTORY_STATE_COUNTS, NULL, first, end - first, counts);

        if (status != PERP_OK) {
            return status;
        }
        for (size_t k = end; k > first; k--) {
            if (counts[k - 1 - first][TRAJECTORY_CHECKPOINT] == k) {
                memcpy(f->count, counts[k - 1 - first], sizeof f->count);
                return trajectory_read(f, TRAJECTORY_STATE_STEP, NULL, k - 1, 1,
                                       &f->step);
            }
        }
    }
    memcpy(f->count, none, sizeof f->count);
    return PERP_OK;
}

/* The last checkpoint that counts, into f; zeros when the run did not come to one. */
static perp_status read_checkpoint(trajectory_file *f)
{
    const char *path = trajectory_columns[TRAJECTORY_STATE_COUNTS].path;
    hid_t set = H5I_INVALID_HID;
    hsize_t extent[3] = {0};
    int rank = 0;

    TRY(read_open(f, TRAJECTORY_STATE_COUNTS, path, &set, extent, &rank));
    H5Dclose(set);
    if (extent[1] != TRAJECTORY_AXES) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                            "a row has %llu number%s, not %d",
                            (unsigned long long)extent[1], perp_plural((size_t)extent[1]),
                            TRAJECTORY_AXES);
    }
    if (extent[0] > f->file.bytes) { /* even compressed, a row takes more than a byte */
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                            "it has %llu row%s, more than a file of %llu bytes can hold",
                            (unsigned long long)extent[0], perp_plural((size_t)extent[0]),
                            (unsigned long long)f->file.bytes);
    }
    return read_last_checkpoint(f, (size_t)extent[0]);
}

/* Number of texts in a list of /meta, and the bytes of one; 0 where there is no such list. */
static perp_status read_list(const trajectory_file *f, const char *path, size_t *texts,
                             size_t *bytes)
{
    bool there = false;
    perp_status status = perp_h5_exists(&f->file, path, &there);
    hid_t set = there ? H5Dopen2(f->file.id, path, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    hid_t type = set >= 0 ? H5Dget_type(set) : H5I_INVALID_HID;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    size_t size = type >= 0 ? H5Tget_size(type) : 0;

    if (there && (count < 0 || size == 0)) {
        status = perp_h5_fail(&f->file, PERP_ERR_READ, path, "cannot read");
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    *texts = count > 0 ? (size_t)count : 0;
    *bytes = size;
    return status;
}

/* What the rows of columns depend on. */
static perp_status read_sizes(trajectory_file *f)
{
    const char *names = trajectory_columns[TRAJECTORY_LAMBDA_NAMES].path;
    char layout[16] = "";
    size_t rows = 0, bytes = 0;
    bool there = false;
    perp_status status = perp_h5_exists(&f->file, "/meta", &there);

    if (there) { /* first of all: a file of ours may be damaged behind it */
        status = perp_h5_attribute_text(&f->file, "/meta", "layout", layout,
                                        sizeof layout, &there);
        f->layout = (int)strtol(layout, NULL, 10);
        f->first = f->layout >= 4 ? 0 : 1;
    }
    if (status == PERP_OK) {
        status = read_list(f, "/meta/bodies", &f->body_count, &bytes);
    }
    if (status == PERP_OK) {
        status = read_list(f, "/meta/joints", &f->joint_count, &bytes);
    }
    if (status == PERP_OK) {
        status = read_list(f, names, &rows, &f->name_room);
    }
    return status;
}

/* The last checkpoint; what it counts is in the file, which may have grown since it was opened. */
static perp_status read_open_file(trajectory_file *f, const char *path)
{
    struct stat now;
    perp_status status = read_sizes(f);

    if (status == PERP_OK) {
        status = read_checkpoint(f);
    }
    if (status == PERP_OK && stat(path, &now) == 0 &&
        (hsize_t)now.st_size > f->file.bytes) {
        f->file.bytes = (hsize_t)now.st_size;
    }
    return status;
}

/* While a file is written its metadata are read again until their checksum is right. By default HDF5
 * waits twice as long each time, a hundred times: without end where a kill left a torn block. */
static hid_t read_access(void)
{
    enum { READ_ATTEMPTS = 27 }; /* 2^27 ns in total, 0.13 s */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);

    H5Pset_metadata_read_attempts(access, READ_ATTEMPTS);
    return access;
}

/* The mode of a file whose writer works or was killed, by the flags of its superblock. HDF5 1.14 opens any
 * file in it, also one that was cut, and reads zeros behind the end. */
static unsigned read_mode(const char *path)
{
    enum { FLAGS = 11, SWMR = 4 };
    const perp_source from = {.name = path};
    char head[FLAGS + 2];

    return perp_source_peek(&from, head, FLAGS + 1) == FLAGS + 1 && (head[FLAGS] & SWMR)
               ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ
               : H5F_ACC_RDONLY;
}

static perp_status read_file(trajectory_file *f, const char *path)
{
    hid_t access = read_access();

    f->file.id = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (f->file.id < 0) {
        f->file.id = H5Fopen(path, read_mode(path), access);
    }
    H5Pclose(access);
    if (f->file.id < 0 || H5Fget_filesize(f->file.id, &f->file.bytes) < 0) {
        return perp_fail(f->file.err, perp_h5_status(PERP_ERR_READ),
                         "%s: cannot open: missing, damaged or no HDF5 file: %s", path,
                         perp_h5_reason());
    }
    return read_open_file(f, path);
}

perp_status trajectory_open(trajectory_file *f, const char *path, perp_error *err)
{
    perp_h5_quiet quiet;
    perp_status status = PERP_OK;

    *f = (trajectory_file){.file = {.id = H5I_INVALID_HID, .path = path, .err = err}};
    quiet = perp_h5_silence();
    status = quiet.started ? read_file(f, path) : perp_h5_unusable(path, err);
    perp_h5_restore(quiet);
    return status;
}

void trajectory_shut(trajectory_file *f)
{
    if (f->file.path && f->file.id >= 0) {
        const perp_h5_quiet quiet = perp_h5_silence();

        H5Fclose(f->file.id);
        perp_h5_restore(quiet);
    }
    *f = (trajectory_file){.file = {.id = H5I_INVALID_HID}};
}

/* Numbers in a row of /state/summary. */
static perp_status read_summary_size(const trajectory_file *f, hsize_t *size)
{
    const char *path = trajectory_columns[TRAJECTORY_STATE_SUMMARY].path;
    const perp_h5_quiet quiet = perp_h5_silence();
    hid_t set = H5I_INVALID_HID;
    hsize_t extent[3] = {0};
    int rank = 0;
    perp_status status =
        read_open(f, TRAJECTORY_STATE_SUMMARY, path, &set, extent, &rank);

    if (status == PERP_OK) {
        H5Dclose(set);
    }
    perp_h5_restore(quiet);
    *size = extent[1];
    return status;
}

perp_status trajectory_summary(const trajectory_file *f, size_t size, double *summary)
{
    size_t last = (size_t)f->count[TRAJECTORY_CHECKPOINT] - 1;
    hsize_t found = 0;

    TRY(read_summary_size(f, &found));
    if (found != size) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT,
                            trajectory_columns[TRAJECTORY_STATE_SUMMARY].path,
                            "a row has %llu number%s, expected %zu: the run was made by "
                            "another version of perp",
                            (unsigned long long)found, perp_plural((size_t)found), size);
    }
    return trajectory_read(f, TRAJECTORY_STATE_SUMMARY, NULL, last, 1, summary);
}

/* Texts of `length` bytes each into the block of `names`: pointers first, then texts. */
static bool names_read(hid_t set, size_t count, size_t length, char **names)
{
    char *texts = (char *)(names + count);
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = false;

    H5Tset_size(type, length);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    good = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0;
    H5Tclose(type);
    for (size_t k = count; good && k-- > 0;) {
        names[k] = memmove(texts + k * (length + 1), texts + k * length, length);
        names[k][length] = '\0';
    }
    return good;
}

static perp_status read_names(const trajectory_file *f, const char *path, char ***names,
                              size_t *count)
{
    hid_t set = H5I_INVALID_HID;
    hid_t type = H5I_INVALID_HID, space = H5I_INVALID_HID;
    size_t length = 0;
    perp_status status = read_set(f, path, &set);

    *names = NULL;
    *count = 0;
    if (status != PERP_OK) {
        return status;
    }
    type = H5Dget_type(set);
    space = H5Dget_space(set);
    if (type < 0 || space < 0) {
        status = perp_h5_fail(&f->file, PERP_ERR_READ, path, "cannot read");
    } else if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 ||
               H5Sget_simple_extent_ndims(space) != 1) {
        status = perp_h5_fail(&f->file, PERP_ERR_FORMAT, path, "it is no list of names");
    } else {
        *count = (size_t)H5Sget_simple_extent_npoints(space);
        length = H5Tget_size(type);
    }
    if (*count > 0) {
        bool fits = f->file.bytes / *count >= length;

        *names = fits ? take(*count, sizeof **names + length + 1) : NULL;
        status = !fits ? perp_h5_fail(&f->file, PERP_ERR_FORMAT, path,
                                      "it is larger than the file")
                 : names_read(set, *count, length, *names)
                     ? PERP_OK
                     : perp_h5_fail(&f->file, PERP_ERR_READ, path, "cannot read");
    }
    if (status != PERP_OK) {
        free(*names);
        *names = NULL;
        *count = 0;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return status;
}

perp_status trajectory_names_at(const trajectory_file *f, const char *path, char ***names,
                                size_t *count)
{
    const perp_h5_quiet quiet = perp_h5_silence();
    const perp_status status = read_names(f, path, names, count);

    perp_h5_restore(quiet);
    return status;
}

perp_status trajectory_names(const trajectory_file *f, const char *name, char ***names,
                             size_t *count)
{
    char path[PERP_H5_PATH];

    return trajectory_names_at(f, perp_h5_join(path, "/meta", name), names, count);
}

perp_status trajectory_text(const trajectory_file *f, const char *name, char **text)
{
    char path[PERP_H5_PATH];
    perp_status status = perp_h5_text(&f->file, perp_h5_join(path, "/meta", name), text);

    return status == PERP_OK && !*text
               ? perp_h5_fail(&f->file, PERP_ERR_FORMAT, path, "there is no such text")
               : status;
}

perp_status trajectory_state_place(const trajectory_file *f, uint64_t *start,
                                   uint64_t *end)
{
    size_t last = (size_t)f->count[TRAJECTORY_CHECKPOINT] - 1;

    TRY(trajectory_read(f, TRAJECTORY_STATE_START, NULL, last, 1, start));
    TRY(trajectory_read(f, TRAJECTORY_STATE_END, NULL, last, 1, end));
    if (*end < *start) {
        TRY(perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/state/end", "before its start"));
    }
    return PERP_OK;
}

perp_status trajectory_state(const trajectory_file *f, double **state, size_t *size)
{
    uint64_t start = 0;
    uint64_t end = 0;
    perp_status status = trajectory_state_place(f, &start, &end);

    *state = NULL;
    *size = 0;
    if (status != PERP_OK) {
        return status;
    }
    *size = (size_t)(end - start);
    if (*size > f->file.bytes / sizeof(double)) {
        return perp_h5_fail(&f->file, PERP_ERR_FORMAT, "/state/end", "beyond the file");
    }
    *state = take(*size + 1, sizeof **state);
    return trajectory_read(f, TRAJECTORY_STATE_VALUES, NULL, (size_t)start, *size,
                           *state);
}
