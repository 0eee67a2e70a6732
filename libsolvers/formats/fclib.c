/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib.c: FCLIB, the HDF5 format of the frictional-contact community.
 *
 * One file holds one problem; contacts are stacked, normal first:
 *     /fclib_local            u = W r + V l + q,  V^T r + R l + s = 0
 *     /fclib_global           M v = H r + G l + f,  u = H^T v + w,  G^T v + b = 0
 *     /fclib_global_rolling   the same with five unknowns to a contact
 * A stored solution or guess is kept and never trusted. */
#include <config.h>

#include "fclib.h"

/* The signature of HDF5, at the start or behind a user block of 512, 1024, ... bytes. */
static int fclib_detect(const char *path)
{
    static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1A', '\n'};
    char bytes[4096 + 8 + 1];
    size_t length = perp_file_peek(path, bytes, sizeof bytes - 1);

    for (size_t at = 0; at + sizeof signature <= length; at = at ? 2 * at : 512) {
        if (memcmp(bytes + at, signature, sizeof signature) == 0) {
            return 2;
        }
    }
    return 0;
}

const perp_format perp_format_fclib = {
    .name = "fclib",
    .summary = "FCLIB HDF5: local and global frictional contact",
    .extension = ".hdf5",
    .writes = true,
    .detect = fclib_detect,
    .read = perp_fclib_read,
    .write = perp_fclib_write,
};
