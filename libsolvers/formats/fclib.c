/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib.c: FCLIB, the HDF5 format of the frictional-contact community.
 *
 * One file holds one problem; contacts are stacked, normal first:
 *     /fclib_local            u = W r + V l + q,  V^T r + R l + s = 0
 *     /fclib_global           M v = H r + G l + f,  u = H^T v + w,  G^T v + b = 0
 *     /fclib_global_rolling   the same with five unknowns per contact
 * A stored solution or guess is kept, but never trusted. Labels and origin, for which FCLIB has no
 * place, are a text of ours: /perp/meta. */
#include <config.h>

#include "fclib.h"

static int fclib_detect(const perp_source *from)
{
    return perp_h5_detect(from) ? 2 : 0;
}

const perp_format_type perp_format_fclib = {
    .format = {.name = "fclib",
               .summary = "FCLIB HDF5: local and global frictional contact",
               .extension = ".hdf5",
               .reads = true,
               .writes = true,
               .memory = true},
    .holds = PERP_HOLDS_ALL,
    .detect = fclib_detect,
    .read = perp_fclib_read,
    .write = perp_fclib_write,
};
