/* SPDX-License-Identifier: Apache-2.0
 * view/pack_arrays.c: arrays of numbers, one behind the other in one block of bytes. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/view/pack_arrays.h"

static const struct {
    const char *name;
    size_t size;
} pack_types[] = {
    [PACK_F32] = {"f32", 4}, [PACK_U32] = {"u32", 4}, [PACK_I32] = {"i32", 4},
    [PACK_U16] = {"u16", 2}, [PACK_I16] = {"i16", 2}, [PACK_U8] = {"u8", 1},
};

void *pack_array_add(view_pack *pack, const char *name, pack_type type, size_t rows,
                     size_t width, bool planes, perp_error *err)
{
    size_t start = (pack->size + 3) / 4 * 4;
    size_t size = pack_types[type].size;
    json_t *entry = NULL;

    if (width && rows > (SIZE_MAX / 4 - start) / size / width) {
        perp_fail(err, PERP_ERR_DATA, "the page: %zu numbers of \"%s\" are too many",
                  rows, name);
        return NULL;
    }
    entry = json_pack("{s:s, s:[I,I], s:I, s:b}", "type", pack_types[type].name, "shape",
                      (json_int_t)rows, (json_int_t)width, "start", (json_int_t)start,
                      "planes", (int)planes);
    json_object_set_new(json_object_get(pack->head, "arrays"), name, entry);
    TAKE_ROOM(pack->bytes, pack->room, start + rows * width * size);
    memset(pack->bytes + pack->size, 0, start + rows * width * size - pack->size);
    pack->size = start + rows * width * size;
    return pack->bytes + start;
}

void pack_array_shuffle(view_pack *pack, size_t rows, size_t width)
{
    size_t count = rows * width;
    unsigned char *at = pack->bytes + pack->size - 2 * count;
    unsigned char *planes = take(1, 2 * count + 1);

    for (size_t k = 0; k < count; k++) {
        uint16_t now = 0;
        uint16_t before = 0;

        memcpy(&now, at + 2 * k, 2);
        if (k >= width) {
            memcpy(&before, at + 2 * (k - width), 2);
        }
        now = (uint16_t)(now - before);
        planes[k] = (unsigned char)(now & 0xff);
        planes[count + k] = (unsigned char)(now >> 8);
    }
    memcpy(at, planes, 2 * count);
    free(planes);
}
