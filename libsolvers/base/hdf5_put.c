/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5_put.c: write groups, numbers and strings to an HDF5 file.
 *
 * Contiguous, without filters or times: the same data give the same bytes. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "base/hdf5.h"

static perp_status put_failed(const perp_h5_file *f, const char *inside)
{
    return perp_h5_fail(f, PERP_ERR_WRITE, inside, "cannot write");
}

perp_status perp_h5_put_group(const perp_h5_file *f, const char *inside)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = H5I_INVALID_HID;

    H5Pset_obj_track_times(creation, false);
    group = H5Gcreate2(f->id, inside, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    if (group < 0) {
        return put_failed(f, inside);
    }
    H5Gclose(group);
    return PERP_OK;
}

/* A dataset of file type `type` over `space`, filled from memory of type `from`. */
static perp_status put(const perp_h5_file *f, const char *inside, hid_t type, hid_t space,
                       hid_t from, const void *values)
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
    return good ? PERP_OK : put_failed(f, inside);
}

static perp_status put_numbers(const perp_h5_file *f, const char *inside, size_t n,
                               hid_t type, hid_t from, const void *values)
{
    hsize_t extent = n;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    perp_status status = put(f, inside, type, space, from, values);

    H5Sclose(space);
    return status;
}

perp_status perp_h5_put_integers(const perp_h5_file *f, const char *inside, size_t n,
                                 const int32_t *values)
{
    return put_numbers(f, inside, n, H5T_STD_I32LE, H5T_NATIVE_INT32, values);
}

perp_status perp_h5_put_integer(const perp_h5_file *f, const char *inside, size_t value)
{
    int32_t narrow = (int32_t)value;

    if (value > INT32_MAX) {
        return perp_h5_fail(f, PERP_ERR_UNSUITABLE, inside,
                            "%zu is beyond the 32 bits of the format", value);
    }
    return perp_h5_put_integers(f, inside, 1, &narrow);
}

perp_status perp_h5_put_reals(const perp_h5_file *f, const char *inside, size_t n,
                              const double *values)
{
    return put_numbers(f, inside, n, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values);
}

perp_status perp_h5_put_words(const perp_h5_file *f, const char *inside, size_t n,
                              const uint64_t *values)
{
    return put_numbers(f, inside, n, H5T_STD_U64LE, H5T_NATIVE_UINT64, values);
}

perp_status perp_h5_put_wide(const perp_h5_file *f, const char *inside, size_t n,
                             const int64_t *values)
{
    return put_numbers(f, inside, n, H5T_STD_I64LE, H5T_NATIVE_INT64, values);
}

perp_status perp_h5_put_text(const perp_h5_file *f, const char *inside, const char *text)
{
    hid_t type = H5I_INVALID_HID;
    hid_t space = H5I_INVALID_HID;
    perp_status status = PERP_OK;
    bool ascii = true;

    if (!text) {
        return PERP_OK;
    }
    for (const char *c = text; *c; c++) {
        ascii = ascii && (unsigned char)*c < 0x80;
    }
    type = H5Tcopy(H5T_C_S1);
    space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
    status = put(f, inside, type, space, type, text);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}
