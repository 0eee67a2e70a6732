/* SPDX-License-Identifier: Apache-2.0
 * read/scene/document.c: the text of a scene, places in it, and messages that name them.
 *
 * Comments are blanked byte for byte, so that both texts have the same positions. A
 * position is computed only for a message, by walking the text, which is then
 * well-formed, member by member; columns count characters. */
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "read/scene/document.h"

/* The end of a text between quotes that starts at `p`; `end` where it is not closed. */
static const char *document_skip_text(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++) {
        p += *p == '\\' && p + 1 < end;
    }
    return p < end ? p + 1 : end;
}

/* The end of a comment that starts at `p`; NULL where it is not closed. */
static const char *document_skip_comment(const char *p, const char *end)
{
    bool block = p[1] == '*';

    for (p += 2; p < end; p++) {
        if (!block && *p == '\n') {
            return p;
        }
        if (block && *p == '*' && p + 1 < end && p[1] == '/') {
            return p + 2;
        }
    }
    return block ? NULL : end;
}

/* Line and column, from 1, of a byte of the text. */
static void document_locate_byte(const char *text, size_t byte, size_t *line,
                                 size_t *column)
{
    *line = 1;
    *column = 1;
    for (size_t k = 0; k < byte; k++) {
        if (text[k] == '\n') {
            *line += 1;
            *column = 1;
        } else if (((unsigned char)text[k] & 0xC0) != 0x80) {
            *column += 1;
        }
    }
}

static perp_status document_text_fail(const char *text, size_t byte, const char *file,
                                      const char *what, perp_error *err)
{
    size_t line = 0;
    size_t column = 0;

    document_locate_byte(text, byte, &line, &column);
    return perp_fail(err, PERP_ERR_FORMAT, "%s:%zu:%zu: %s", file, line, column, what);
}

perp_status scene_blank_comments(char *bare, const char *text, size_t length,
                                 const char *file, perp_error *err)
{
    const char *end = text + length;
    const char *p = memchr(text, '\0', length);

    if (p) { /* the parser passes over some of them */
        return document_text_fail(text, (size_t)(p - text), file,
                                  "a byte 0, expected text", err);
    }
    p = text;
    memcpy(bare, text, length);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        memset(bare, ' ', 3); /* the mark of UTF-8 that some editors write */
        p += 3;
    }
    while (p < end) {
        const char *from = p;

        if (*p == '"') {
            p = document_skip_text(p, end);
        } else if (*p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
            p = document_skip_comment(p, end);
            if (!p) {
                return document_text_fail(text, (size_t)(from - text), file,
                                          "the comment is not closed, expected */", err);
            }
            for (; from < p; from++) {
                if (*from != '\n') {
                    bare[from - text] = ' ';
                }
            }
        } else {
            p++;
        }
    }
    return PERP_OK;
}

perp_status scene_decode(scene_reader *rd, json_t **root)
{
    size_t line = 0;
    size_t column = 0;
    size_t byte = 0;
    json_error_t fault;

    *root = json_loadb(rd->bare, rd->length,
                       JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &fault);
    if (*root) {
        return PERP_OK;
    }
    if (json_error_code(&fault) == json_error_out_of_memory) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory to parse it", rd->file);
    }
    /* the position is that behind the last byte it read */
    byte = fault.position > 0 ? (size_t)fault.position - 1 : 0;
    document_locate_byte(rd->text, byte < rd->length ? byte : rd->length, &line, &column);
    perp_json_hush(&fault, rd->bare, rd->length);
    for (char *c = fault.text; *c; c++) {
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    }
    return perp_fail(rd->err, PERP_ERR_FORMAT, "%s:%zu:%zu: %s, expected JSON", rd->file,
                     line, column, fault.text);
}

scene_at scene_member_at(const scene_at *object, const char *key)
{
    return (scene_at){object, json_object_get(object->value, key), key, 0};
}

scene_at scene_element_at(const scene_at *array, size_t index)
{
    return (scene_at){array, json_array_get(array->value, index), NULL, index};
}

static const char *document_skip_blank(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* The end of the value that starts at p: brackets are counted, texts passed over. */
static const char *document_skip_value(const char *p, const char *end)
{
    size_t depth = 0;

    do {
        p = document_skip_blank(p);
        if (*p == '"') {
            p = document_skip_text(p, end);
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            depth--;
            p++;
        } else if (*p == ',' || *p == ':') {
            p++;
        } else {
            p += strcspn(p, " \t\r\n,:{}[]\"");
        }
    } while (depth > 0 && p < end);
    return p;
}

/* How many members stand before `key`: objects keep the order of the text. */
static size_t member_order(const scene_at *at)
{
    size_t order = 0;
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach(at->up->value, key, value)
    {
        if (strcmp(key, at->key) == 0) {
            break;
        }
        order++;
    }
    return order;
}

/* Where the value of `at` starts, or its key. Missing members are looked for at the
 * object that misses them. */
static const char *document_locate(const scene_reader *rd, const scene_at *at, bool key)
{
    const char *end = rd->bare + rd->length;
    const char *p = NULL;
    size_t before = 0;

    if (!at->up) {
        return document_skip_blank(rd->bare);
    }
    p = document_locate(rd, at->up, false);
    if (!at->value) {
        return p;
    }
    before = at->key ? member_order(at) : at->index;
    p = document_skip_blank(p + 1);
    for (size_t k = 0; k < before; k++) {
        if (at->key) {
            p = document_skip_blank(document_skip_text(p, end)) + 1;
        }
        p = document_skip_blank(document_skip_blank(document_skip_value(p, end)) + 1);
    }
    return at->key && !key
               ? document_skip_blank(document_skip_blank(document_skip_text(p, end)) + 1)
               : p;
}

/* "bodies[14].mass". */
static void path_print(const scene_at *at, char *text, size_t length)
{
    size_t used = 0;

    if (!at->up) {
        *text = '\0';
        return;
    }
    path_print(at->up, text, length);
    used = strlen(text);
    if (at->key) {
        snprintf(text + used, length - used, "%s%.60s", used ? "." : "", at->key);
    } else {
        snprintf(text + used, length - used, "[%zu]", at->index);
    }
}

/* " (copy j=1, k=4)" while items are repeated. */
static void copy_print(const scene_reader *rd, char *text, size_t length)
{
    size_t used = 0;

    *text = '\0';
    for (size_t k = 0; k < rd->level_count && used < length; k++) {
        used +=
            (size_t)snprintf(text + used, length - used, "%s%s=%ld", k ? ", " : " (copy ",
                             rd->levels[k].name, rd->levels[k].value);
    }
    if (rd->level_count > 0 && used < length) {
        snprintf(text + used, length - used, ")");
    }
}

static perp_status document_fail_at(scene_reader *rd, const scene_at *at, bool key,
                                    perp_status status, const char *format, va_list args)
{
    const char *p = document_locate(rd, at, key);
    char path[192];
    char copy[3 * SCENE_LEVELS * (SCENE_WORD + SCENE_DIGITS)]; /* every level fits */
    char line_text[PERP_ERROR_LENGTH];
    size_t line = 0;
    size_t column = 0;
    size_t used = 0;

    document_locate_byte(rd->text, (size_t)(p - rd->bare), &line, &column);
    path_print(at, path, sizeof path);
    copy_print(rd, copy, sizeof copy);
    snprintf(line_text, sizeof line_text, "%s%s", *path ? path : "the scene", copy);
    used = strlen(line_text);
    vsnprintf(line_text + used, sizeof line_text - used, format, args);
    for (char *c = line_text; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 127
                 ? ' '
                 : *c; /* one line, whatever a key holds */
    }
    return perp_fail(rd->err, status, "%s:%zu:%zu: %s", rd->file, line, column,
                     line_text);
}

perp_status scene_fail(scene_reader *rd, const scene_at *at, perp_status status,
                       const char *format, ...)
{
    va_list args;

    va_start(args, format);
    status = document_fail_at(rd, at, false, status, format, args);
    va_end(args);
    return status;
}

perp_status scene_warn(scene_reader *rd, const scene_at *at, const char *format, ...)
{
    const perp_scene *s = rd->scene;
    perp_error note = {0}, *err = rd->err;
    const char *place = NULL;
    size_t length = 0;
    va_list args;

    rd->err = &note; /* the same words, for the notes */
    va_start(args, format);
    document_fail_at(rd, at, false, PERP_ERR_DATA, format, args);
    va_end(args);
    rd->err = err;
    /* A copy of an item has the place of the first one: "FILE:LINE:COLUMN: ". */
    length = strlen(rd->file);
    place = length < strlen(note.text) ? strstr(note.text + length, ": ") : NULL;
    length = place ? (size_t)(place - note.text) : strlen(note.text);
    for (size_t k = 0; k < s->note_count; k++) {
        if (strncmp(s->notes[k], note.text, length) == 0) {
            return PERP_OK;
        }
    }
    return scene_note(rd, note.text);
}

perp_status scene_fail_key(scene_reader *rd, const scene_at *at, perp_status status,
                           const char *format, ...)
{
    va_list args;

    va_start(args, format);
    status = document_fail_at(rd, at, true, status, format, args);
    va_end(args);
    return status;
}

perp_status scene_fail_in(scene_reader *rd, const scene_at *at, perp_status status,
                          const perp_error *cause)
{
    return status == PERP_OK ? status : scene_fail(rd, at, status, ": %s", cause->text);
}

perp_status scene_unexpected(scene_reader *rd, const scene_at *at, perp_status status,
                             const char *expected)
{
    const json_t *v = at->value;

    if (!v) {
        return scene_fail(rd, at, status, " is missing, expected %s", expected);
    }
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        return scene_fail(rd, at, status, " is an object, expected %s", expected);
    case JSON_ARRAY:
        return scene_fail(rd, at, status, " is an array of %zu, expected %s",
                          json_array_size(v), expected);
    case JSON_STRING:
        return scene_fail(rd, at, status, " is \"%.80s\", expected %s",
                          json_string_value(v), expected);
    case JSON_INTEGER:
    case JSON_REAL:
        return scene_fail(rd, at, status, " is %.10g, expected %s", json_number_value(v),
                          expected);
    case JSON_TRUE:
    case JSON_FALSE:
        return scene_fail(rd, at, status, " is %s, expected %s",
                          json_is_true(v) ? "true" : "false", expected);
    case JSON_NULL:
        break;
    }
    return scene_fail(rd, at, status, " is null, expected %s", expected);
}
