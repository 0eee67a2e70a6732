/* SPDX-License-Identifier: Apache-2.0
 * base/hdf5_attribute.c: attributes of groups and datasets, read tolerantly: integers of
 * any width, scalar or of extent 1, texts of fixed or variable length. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "base/hdf5.h"

enum { TEXT_LIMIT = 4096 }; /* bytes of a text that is believed */

/* An open attribute of one value. */
typedef struct attribute {
    hid_t id, space, type;
    H5T_class_t class;
} attribute;

static void attribute_close(attribute *a)
{
    if (a->type >= 0) {
        H5Tclose(a->type);
    }
    if (a->space >= 0) {
        H5Sclose(a->space);
    }
    if (a->id >= 0) {
        H5Aclose(a->id);
    }
}

/* Open one that holds one value; false when there is none. attribute_close is owed. */
static bool attribute_open(const perp_h5_file *f, const char *inside, const char *name,
                           attribute *a)
{
    *a = (attribute){H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, H5T_NO_CLASS};
    if (H5Aexists_by_name(f->id, inside, name, H5P_DEFAULT) <= 0) {
        return false;
    }
    a->id = H5Aopen_by_name(f->id, inside, name, H5P_DEFAULT, H5P_DEFAULT);
    if (a->id < 0) {
        return false;
    }
    a->space = H5Aget_space(a->id);
    a->type = H5Aget_type(a->id);
    if (a->space < 0 || a->type < 0 || H5Sget_simple_extent_npoints(a->space) != 1) {
        return false;
    }
    a->class = H5Tget_class(a->type);
    return true;
}

bool perp_h5_attribute(const perp_h5_file *f, const char *inside, const char *name,
                       int64_t *value)
{
    attribute a;
    bool good = attribute_open(f, inside, name, &a) && a.class == H5T_INTEGER &&
                H5Aread(a.id, H5T_NATIVE_INT64, value) >= 0;

    attribute_close(&a);
    return good;
}

bool perp_h5_attribute_real(const perp_h5_file *f, const char *inside, const char *name,
                            double *value)
{
    attribute a;
    bool good = attribute_open(f, inside, name, &a) &&
                (a.class == H5T_FLOAT || a.class == H5T_INTEGER) &&
                H5Aread(a.id, H5T_NATIVE_DOUBLE, value) >= 0;

    attribute_close(&a);
    return good;
}

/* As h5py writes them; HDF5 allocates, and frees again. */
static bool read_variable(const attribute *a, char bytes[TEXT_LIMIT + 1])
{
    char *text = NULL;
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = false;

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(a->type));
    if (H5Aread(a->id, type, (void *)&text) >= 0) {
        snprintf(bytes, TEXT_LIMIT + 1, "%s", text ? text : "");
        H5Dvlen_reclaim(type, a->space, H5P_DEFAULT, (void *)&text);
        good = true;
    }
    H5Tclose(type);
    return good;
}

bool perp_h5_attribute_text(const perp_h5_file *f, const char *inside, const char *name,
                            char *text, size_t length)
{
    char bytes[TEXT_LIMIT + 1] = "";
    char *valid = NULL;
    attribute a;
    bool good = attribute_open(f, inside, name, &a) && a.class == H5T_STRING;

    text[0] = '\0';
    if (good && H5Tis_variable_str(a.type) > 0) {
        good = read_variable(&a, bytes);
    } else if (good) {
        good = H5Tget_size(a.type) <= TEXT_LIMIT && H5Aread(a.id, a.type, bytes) >= 0;
    }
    attribute_close(&a);
    valid = good ? perp_text_valid(bytes, strlen(bytes)) : NULL;
    if (valid) {
        snprintf(text, length, "%s", valid);
    }
    free(valid);
    return valid != NULL;
}

/* One value of file type `type`, from memory of type `from`. */
static perp_status put(const perp_h5_file *f, const char *inside, const char *name,
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
    return good ? PERP_OK
                : perp_h5_fail(f, PERP_ERR_WRITE, inside, "cannot write the attribute %s",
                               name);
}

perp_status perp_h5_put_attribute(const perp_h5_file *f, const char *inside,
                                  const char *name, size_t value)
{
    int64_t wide = (int64_t)value;

    return put(f, inside, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &wide);
}

perp_status perp_h5_put_attribute_real(const perp_h5_file *f, const char *inside,
                                       const char *name, double value)
{
    return put(f, inside, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

perp_status perp_h5_put_attribute_text(const perp_h5_file *f, const char *inside,
                                       const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    perp_status status = PERP_OK;

    H5Tset_size(type, strlen(text) + 1);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, H5T_CSET_UTF8);
    status = put(f, inside, name, type, type, text);
    H5Tclose(type);
    return status;
}
