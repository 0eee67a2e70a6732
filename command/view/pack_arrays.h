/* SPDX-License-Identifier: Apache-2.0
 * view/pack_arrays.h: the arrays of a packed motion. Private to pack*.c. */
#ifndef PERP_VIEW_PACK_ARRAYS_H
#define PERP_VIEW_PACK_ARRAYS_H

#include "command/view/pack.h"

typedef enum pack_type {
    PACK_F32,
    PACK_U32,
    PACK_I32,
    PACK_U16,
    PACK_I16,
    PACK_U8,
} pack_type;

/** Room for rows x width numbers, zeroed, which the caller fills before the next call; listed in
 *  the head. `planes`: pack_array_shuffle will be called for it. NULL: too many numbers, in `err`. */
void *pack_array_add(view_pack *pack, const char *name, pack_type type, size_t rows,
                     size_t width, bool planes, perp_error *err);
/** Change the last array, of `rows` rows of `width` numbers of 16 bits, as pack.h says: row
 *  differences, then planes of bytes. */
void pack_array_shuffle(view_pack *pack, size_t rows, size_t width);

/** The parts of view_pack_make. */
perp_status pack_poses(view_pack *pack, const motion *m, perp_error *err);
perp_status pack_contacts(view_pack *pack, const motion *m, size_t contact_bytes,
                          perp_error *err);

#endif
