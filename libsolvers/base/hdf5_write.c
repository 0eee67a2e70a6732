/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5_write.c: write groups, numbers, strings and attributes to an HDF5 file.
 *
 * Contiguous, without filters or times: the same data give the same bytes. */
#include <config.h>

#include <string.h>

#include "base/hdf5.h"

perp_status perp_h5_write_fail(perp_h5_file *f, perp_status status, const char *inside,
                               const char *what)
{
    if (f->status == PERP_OK) {
        f->status = perp_h5_fail(f, status, inside, "%s", what);
    }
    return f->status;
}

/* The first step of every call: nothing is written after a failure. */
static bool write_start(const perp_h5_file *f, perp_h5_quiet *quiet)
{
    if (f->status == PERP_OK) {
        *quiet = perp_h5_silence();
    }
    return f->status == PERP_OK;
}

/* The last one. */
static perp_status write_end(perp_h5_file *f, perp_h5_quiet quiet, bool good,
                             const char *inside)
{
    perp_h5_restore(quiet);
    return good ? PERP_OK : perp_h5_write_fail(f, PERP_ERR_WRITE, inside, "cannot write");
}

perp_status perp_h5_write_group(perp_h5_file *f, const char *inside)
{
    perp_h5_quiet quiet;
    hid_t creation = H5I_INVALID_HID;
    hid_t group = H5I_INVALID_HID;

    if (!write_start(f, &quiet)) {
        return f->status;
    }
    creation = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(creation, false);
    group = H5Gcreate2(f->id, inside, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    if (group >= 0) {
        H5Gclose(group);
    }
    return write_end(f, quiet, group >= 0, inside);
}

/* A dataset of file type `type` over `space`, filled from memory of type `from`. */
static bool write_dataset(const perp_h5_file *f, const char *inside, hid_t type,
                          hid_t space, hid_t from, const void *values)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = H5I_INVALID_HID;
    bool good = false;

    H5Pset_obj_track_times(creation, false);
    set = H5Dcreate2(f->id, inside, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    if (set >= 0) {
        good = H5Dwrite(set, from, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
        good = H5Dclose(set) >= 0 && good;
    }
    return good;
}

static perp_status write_numbers(perp_h5_file *f, const char *inside, size_t n,
                                 hid_t type, hid_t from, const void *values)
{
    perp_h5_quiet quiet;
    hsize_t extent = n;
    hid_t space = H5I_INVALID_HID;
    bool good = false;

    if (!write_start(f, &quiet)) {
        return f->status;
    }
    space = H5Screate_simple(1, &extent, NULL);
    good = write_dataset(f, inside, type, space, from, values);
    H5Sclose(space);
    return write_end(f, quiet, good, inside);
}

perp_status perp_h5_write_integers(perp_h5_file *f, const char *inside, size_t n,
                                   const int32_t *values)
{
    return write_numbers(f, inside, n, H5T_STD_I32LE, H5T_NATIVE_INT32, values);
}

perp_status perp_h5_write_integer(perp_h5_file *f, const char *inside, size_t value)
{
    int32_t narrow = (int32_t)value;

    if (value > INT32_MAX) {
        return perp_h5_write_fail(f, PERP_ERR_UNSUITABLE, inside,
                                  "the number is beyond the 32 bits of the format");
    }
    return perp_h5_write_integers(f, inside, 1, &narrow);
}

perp_status perp_h5_write_reals(perp_h5_file *f, const char *inside, size_t n,
                                const double *values)
{
    return write_numbers(f, inside, n, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values);
}

perp_status perp_h5_write_words(perp_h5_file *f, const char *inside, size_t n,
                                const uint64_t *values)
{
    return write_numbers(f, inside, n, H5T_STD_U64LE, H5T_NATIVE_UINT64, values);
}

perp_status perp_h5_write_wide(perp_h5_file *f, const char *inside, size_t n,
                               const int64_t *values)
{
    return write_numbers(f, inside, n, H5T_STD_I64LE, H5T_NATIVE_INT64, values);
}

/* The type of a text that ends in 0. */
static hid_t text_type(const char *text, H5T_cset_t set)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, strlen(text) + 1);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, set);
    return type;
}

perp_status perp_h5_write_text(perp_h5_file *f, const char *inside, const char *text)
{
    perp_h5_quiet quiet;
    hid_t type = H5I_INVALID_HID;
    hid_t space = H5I_INVALID_HID;
    bool ascii = true;
    bool good = false;

    if (!text || !write_start(f, &quiet)) {
        return f->status;
    }
    for (const char *c = text; *c; c++) {
        ascii = ascii && (unsigned char)*c < 0x80;
    }
    type = text_type(text, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
    space = H5Screate(H5S_SCALAR);
    good = write_dataset(f, inside, type, space, type, text);
    H5Sclose(space);
    H5Tclose(type);
    return write_end(f, quiet, good, inside);
}

/* An attribute of file type `type`, from memory of type `from`. */
static bool write_attribute(const perp_h5_file *f, const char *inside, const char *name,
                            hid_t type, hid_t from, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate_by_name(f->id, inside, name, type, space, H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT);
    bool good = a >= 0 && H5Awrite(a, from, value) >= 0;

    if (a >= 0) {
        good = H5Aclose(a) >= 0 && good;
    }
    H5Sclose(space);
    return good;
}

perp_status perp_h5_write_attribute(perp_h5_file *f, const char *inside, const char *name,
                                    size_t value)
{
    perp_h5_quiet quiet;
    int64_t wide = (int64_t)value;

    if (!write_start(f, &quiet)) {
        return f->status;
    }
    return write_end(
        f, quiet,
        write_attribute(f, inside, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &wide), inside);
}

perp_status perp_h5_write_attribute_real(perp_h5_file *f, const char *inside,
                                         const char *name, double value)
{
    perp_h5_quiet quiet;

    if (!write_start(f, &quiet)) {
        return f->status;
    }
    return write_end(
        f, quiet,
        write_attribute(f, inside, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value),
        inside);
}

perp_status perp_h5_write_attribute_text(perp_h5_file *f, const char *inside,
                                         const char *name, const char *text)
{
    perp_h5_quiet quiet;
    hid_t type = H5I_INVALID_HID;
    bool good = false;

    if (!write_start(f, &quiet)) {
        return f->status;
    }
    type = text_type(text, H5T_CSET_UTF8);
    good = write_attribute(f, inside, name, type, type, text);
    H5Tclose(type);
    return write_end(f, quiet, good, inside);
}
