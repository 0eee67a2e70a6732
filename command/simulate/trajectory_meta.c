/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory_meta.c: what stands in the file of a run before its first row: groups,
 * attributes, texts and names. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/simulate/trajectory_columns.h"

/* Texts of one length, that of the longest, as an array. */
perp_status trajectory_write_names(const perp_h5_file *f, const char *path, size_t count,
                                   const char *const *names)
{
    const hsize_t extent = count;
    hid_t type = H5Tcopy(H5T_C_S1);
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t set = H5I_INVALID_HID;
    size_t longest = 1;
    char *texts = NULL;
    bool good = false;

    for (size_t k = 0; k < count; k++) {
        longest = strlen(names[k]) + 1 > longest ? strlen(names[k]) + 1 : longest;
    }
    texts = take(count + 1, longest);
    for (size_t k = 0; k < count; k++) {
        memcpy(texts + k * longest, names[k], strlen(names[k]));
    }
    H5Tset_size(type, longest);
    H5Tset_cset(type, H5T_CSET_UTF8);
    set = H5Dcreate2(f->id, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    good = texts && set >= 0 &&
           H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0;
    if (set >= 0) { /* what was buffered is written here */
        good = H5Dclose(set) >= 0 && good;
    }
    H5Sclose(space);
    H5Tclose(type);
    free(texts);
    return good ? PERP_OK : perp_h5_fail(f, PERP_ERR_WRITE, path, "cannot write");
}

perp_status trajectory_write_meta(perp_h5_file *f, const trajectory_head *head)
{
    static const char *const groups[] = {"/meta",     "/steps",  "/metrics", "/joints",
                                         "/contacts", "/lambda", "/state"};
    perp_status status = PERP_OK;

    for (size_t k = 0; k < sizeof groups / sizeof *groups && status == PERP_OK; k++) {
        status = perp_h5_write_group(f, groups[k]);
    }
    for (const char *const *a = head->attributes; status == PERP_OK && a && *a; a += 2) {
        status = perp_h5_write_attribute_text(f, "/meta", a[0], a[1]);
    }
    if (status == PERP_OK) {
        status = perp_h5_write_text(f, "/meta/scene", head->scene);
    }
    if (status == PERP_OK) {
        status = perp_h5_write_text(f, "/meta/settings", head->settings);
    }
    if (status == PERP_OK) {
        status =
            trajectory_write_names(f, "/meta/bodies", head->body_count, head->bodies);
    }
    if (status == PERP_OK) {
        status =
            trajectory_write_names(f, "/meta/joints", head->joint_count, head->joints);
    }
    return status == PERP_OK && head->world ? trajectory_write_model(f, head) : status;
}
