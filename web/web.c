/* SPDX-License-Identifier: Apache-2.0
 * web/web.c: a page of HTML that needs no other file. */
#include <config.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "command/cli/data.h"
#include "command/cli/output.h"
#include "web/web.h"

/* Nothing is loaded from elsewhere, whatever a name or a message contains. */
static const char web_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n";

/* Print a file of the data folder as it is. */
static perp_status web_file(FILE *f, const char *name, perp_error *err)
{
    char path[DATA_PATH];
    char *text = NULL;
    size_t length = 0;
    perp_status status = data_find(name, path, err);

    if (status == PERP_OK) {
        status = perp_file_slurp(path, &text, &length, err);
    }
    if (status == PERP_OK) {
        fwrite(text, 1, length, f);
    }
    free(text);
    return status;
}

/* Files, each in an element of its own: "style" or "script". */
static perp_status web_files(FILE *f, const char *element, const char *const *names,
                             perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; names && names[k] && status == PERP_OK; k++) {
        fprintf(f, "<%s>\n", element);
        status = web_file(f, names[k], err);
        fprintf(f, "</%s>\n", element);
    }
    return status;
}

void web_base64(FILE *f, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t k = 0; k < size; k += 3) {
        size_t left = size - k;
        unsigned long three = (unsigned long)bytes[k] << 16 |
                              (left > 1 ? (unsigned long)bytes[k + 1] << 8 : 0) |
                              (left > 2 ? bytes[k + 2] : 0);

        fputc(letters[three >> 18 & 63], f);
        fputc(letters[three >> 12 & 63], f);
        fputc(left > 1 ? letters[three >> 6 & 63] : '=', f);
        fputc(left > 2 ? letters[three & 63] : '=', f);
    }
}

/* The bytes as a raw deflate stream, on the heap. */
static perp_status web_deflate(const void *bytes, size_t size, unsigned char **packed,
                               size_t *packed_size, perp_error *err)
{
    z_stream z = {.zalloc = Z_NULL};
    uLong room = 0;
    int end = Z_OK;

    *packed = NULL;
    if (size > UINT_MAX / 2) {
        return perp_fail(err, PERP_ERR_DATA,
                         "the page: %zu bytes of data, expected less than 2 GiB", size);
    }
    if (deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        return perp_fail(err, PERP_ERR_MEMORY,
                         "the page: no memory to compress its data");
    }
    room = deflateBound(&z, (uLong)size);
    *packed = malloc(room);
    if (*packed) {
        z.next_in = (Bytef *)(uintptr_t)bytes;
        z.avail_in = (uInt)size;
        z.next_out = *packed;
        z.avail_out = (uInt)room;
        end = deflate(&z, Z_FINISH);
        *packed_size = z.total_out;
    }
    deflateEnd(&z);
    return *packed && end == Z_STREAM_END
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "the page: no memory for %zu bytes",
                           size);
}

static perp_status web_print_block(FILE *f, const web_block *block, perp_error *err)
{
    char *text =
        block->json ? json_dumps(block->json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    const void *bytes = text ? text : block->bytes;
    size_t size = text ? strlen(text) : block->size;
    unsigned char *packed = NULL;
    size_t packed_size = 0;
    perp_status status = PERP_OK;

    status = web_deflate(bytes, size, &packed, &packed_size, err);
    if (status == PERP_OK) {
        fprintf(f,
                "<script type=\"application/octet-stream\" id=\"%s\" data-size=\"%zu\">",
                block->id, size);
        web_base64(f, packed, packed_size);
        fputs("</script>\n", f);
    }
    free(packed);
    free(text);
    return status;
}

perp_status web_page_print(FILE *f, const web_page *page, perp_error *err)
{
    perp_status status = PERP_OK;
    char *title = perp_text_shown_new(page->title);

    fputs(web_head, f);
    fputs("<title>", f);
    output_markup(f, title ? title : "perp");
    free(title);
    fputs("</title>\n", f);
    status = web_files(f, "style", page->styles, err);
    fputs("</head>\n<body>\n", f);
    if (status == PERP_OK) {
        status = web_file(f, page->body, err);
    }
    for (size_t k = 0; k < page->block_count && status == PERP_OK; k++) {
        status = web_print_block(f, &page->blocks[k], err);
    }
    if (status == PERP_OK) {
        status = web_files(f, "script", page->scripts, err);
    }
    fputs("</body>\n</html>\n", f);
    return status;
}
