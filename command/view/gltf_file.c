/* SPDX-License-Identifier: Apache-2.0
 * view/gltf_file.c: the document and the bytes of a glTF 2.0 file. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "command/cli/take.h"
#include "command/view/gltf_file.h"
#include "web/web.h"

enum {
    GLTF_FLOAT = 5126,
    GLTF_UINT = 5125,
    GLTF_USHORT = 5123,
    GLTF_ARRAY_BUFFER = 34962,
    GLTF_ELEMENT_BUFFER = 34963,
};

void gltf_file_start(gltf_file *g)
{
    memset(g, 0, sizeof *g);
    g->root = json_object();
}

void gltf_file_free(gltf_file *g)
{
    json_decref(g->root);
    free(g->bytes);
    memset(g, 0, sizeof *g);
}

size_t gltf_add(gltf_file *g, const char *array, json_t *element)
{
    json_t *list = json_object_get(g->root, array);

    if (!list) {
        list = json_array();
        json_object_set_new(g->root, array, list);
    }
    json_array_append_new(list, element);
    return json_array_size(list) - 1;
}

/* Append bytes; each array starts at a multiple of 4. */
static size_t gltf_bytes(gltf_file *g, size_t size, const void *bytes)
{
    size_t start = (g->size + 3) / 4 * 4;

    TAKE_ROOM(g->bytes, g->room, start + size);
    memset(g->bytes + g->size, 0, start - g->size);
    memcpy(g->bytes + start, bytes, size);
    g->size = start + size;
    return start;
}

static size_t gltf_view(gltf_file *g, size_t start, size_t size, int target)
{
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                             (json_int_t)start, "byteLength", (json_int_t)size);

    if (target) {
        json_object_set_new(view, "target", json_integer(target));
    }
    return gltf_add(g, "bufferViews", view);
}

static size_t gltf_accessor(gltf_file *g, size_t view, int component, size_t count,
                            const char *type, json_t *least, json_t *largest)
{
    json_t *accessor =
        json_pack("{s:I, s:i, s:I, s:s, s:o*, s:o*}", "bufferView", (json_int_t)view,
                  "componentType", component, "count", (json_int_t)count, "type", type,
                  "min", least, "max", largest);

    return gltf_add(g, "accessors", accessor);
}

size_t gltf_numbers(gltf_file *g, gltf_use use, size_t width, size_t count,
                    const float *numbers, bool bounds)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t size = count * width * sizeof *numbers;
    size_t start = gltf_bytes(g, size, numbers);
    size_t view = gltf_view(g, start, size, use == GLTF_VERTICES ? GLTF_ARRAY_BUFFER : 0);
    json_t *least = bounds ? json_array() : NULL;
    json_t *largest = bounds ? json_array() : NULL;

    for (size_t c = 0; bounds && c < width; c++) {
        float low = INFINITY;
        float high = -INFINITY;

        for (size_t k = 0; k < count; k++) {
            low = fminf(low, numbers[width * k + c]);
            high = fmaxf(high, numbers[width * k + c]);
        }
        json_array_append_new(least, json_real(low));
        json_array_append_new(largest, json_real(high));
    }
    return gltf_accessor(g, view, GLTF_FLOAT, count, types[width], least, largest);
}

size_t gltf_indices(gltf_file *g, size_t count, const uint32_t *numbers, size_t vertices)
{
    bool small = vertices < 65535;
    size_t size = count * (small ? sizeof(uint16_t) : sizeof(uint32_t));
    uint16_t *words = small ? (uint16_t *)take(1, size) : NULL;
    size_t start = 0, view = 0;

    for (size_t k = 0; words && k < count; k++) {
        words[k] = (uint16_t)numbers[k];
    }
    start = gltf_bytes(g, size, small ? (const void *)words : (const void *)numbers);
    view = gltf_view(g, start, size, GLTF_ELEMENT_BUFFER);
    free(words);
    return gltf_accessor(g, view, small ? GLTF_USHORT : GLTF_UINT, count, "SCALAR", NULL,
                         NULL);
}

/* The only buffer, with its bytes as a text unless they follow in the file. */
static void gltf_buffer(gltf_file *g, bool binary)
{
    json_t *buffer = json_pack("{s:I}", "byteLength", (json_int_t)g->size);

    if (g->size > 0 && !binary) {
        char *text = NULL;
        size_t length = 0;
        FILE *f = take_stream(&text, &length);

        fputs("data:application/octet-stream;base64,", f);
        web_base64(f, g->bytes, g->size);
        take_stream_end(f);
        json_object_set_new(buffer, "uri", json_string_nocheck(text));
        free(text);
    }
    if (g->size > 0) {
        gltf_add(g, "buffers", buffer);
    } else {
        json_decref(buffer);
    }
}

static void gltf_word(FILE *f, size_t value)
{
    const unsigned char bytes[4] = {
        (unsigned char)(value & 255u), (unsigned char)(value >> 8 & 255u),
        (unsigned char)(value >> 16 & 255u), (unsigned char)(value >> 24 & 255u)};

    fwrite(bytes, 1, sizeof bytes, f);
}

/* Chunks are filled up to a multiple of 4: the document with blanks, bytes with 0. */
static void gltf_chunks(const gltf_file *g, const char *text, FILE *f)
{
    size_t length = strlen(text);
    size_t text_size = (length + 3) / 4 * 4;
    size_t size = (g->size + 3) / 4 * 4;

    fputs("glTF", f);
    gltf_word(f, 2);
    gltf_word(f, 12 + 8 + text_size + (size ? 8 + size : 0));
    gltf_word(f, text_size);
    fputs("JSON", f);
    fprintf(f, "%s%*s", text, (int)(text_size - length), "");
    if (size > 0) {
        gltf_word(f, size);
        fwrite("BIN", 1, 4, f);
        fwrite(g->bytes, 1, g->size, f);
        fwrite("\0\0\0", 1, size - g->size, f);
    }
}

perp_status gltf_file_write(gltf_file *g, const char *path, perp_error *err)
{
    bool binary = perp_path_ends(path, ".glb") || perp_file_descriptor(path) >= 0;
    char *text = NULL;
    perp_file_out out = {0};
    perp_status status = PERP_OK;

    gltf_buffer(g, binary);
    if (binary && g->size > UINT32_MAX / 2) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: the file has %zu bytes, a .glb at most 2 GB: write fewer "
                         "frames (--every) or a .gltf",
                         path, g->size);
    }
    text =
        json_dumps(g->root, binary ? JSON_COMPACT : JSON_INDENT(1) | JSON_ENSURE_ASCII);
    status = perp_file_create(&out, path, err);
    if (status == PERP_OK) {
        if (binary) {
            gltf_chunks(g, text, out.f);
        } else {
            fprintf(out.f, "%s\n", text);
        }
        status = perp_file_commit(&out, err);
    }
    free(text);
    return status;
}
