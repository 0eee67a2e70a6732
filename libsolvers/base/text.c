/* SPDX-License-Identifier: Apache-2.0
 * base/text.c: texts that come from outside, as terminals and JSON can hold them. */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"

/* The leads of UTF-8: bytes, bits of the lead, least code point of the length. */
static const struct {
    unsigned char lead, mask;
    uint32_t least;
} text_leads[] = {
    {0x00, 0x80, 0}, {0xC0, 0xE0, 0x80}, {0xE0, 0xF0, 0x800}, {0xF0, 0xF8, 0x10000}};

size_t perp_text_character(const char *text, uint32_t *code)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t k = 0;
    uint32_t c = 0;

    while (k < 4 && (byte[0] & text_leads[k].mask) != text_leads[k].lead) {
        k++;
    }
    if (k == 4 || !byte[0]) {
        return 0;
    }
    c = byte[0] & (unsigned char)~text_leads[k].mask;
    for (size_t i = 1; i <= k; i++) {
        if ((byte[i] & 0xC0) != 0x80) { /* the end of the text as well */
            return 0;
        }
        c = c << 6 | (byte[i] & 0x3FU);
    }
    if (c < text_leads[k].least || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        return 0;
    }
    if (code) {
        *code = c;
    }
    return k + 1;
}

bool perp_text_is_control(uint32_t code)
{
    /* First and last code point of each range, ascending. */
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00, 0x1F},       /* control characters */
        {0x7F, 0x9F},       /* delete; the second set of control characters */
        {0xAD, 0xAD},       /* soft hyphen */
        {0x34F, 0x34F},     /* joiner without a sign */
        {0x61C, 0x61C},     /* mark of direction */
        {0x115F, 0x1160},   /* fillers of Hangul */
        {0x17B4, 0x17B5},   /* vowels of Khmer without a sign */
        {0x180B, 0x180F},   /* separators of Mongolian */
        {0x200B, 0x200F},   /* no width; marks of direction */
        {0x2028, 0x202E},   /* separators; embeddings and overrides of direction */
        {0x2060, 0x206F},   /* no width; isolates of direction */
        {0x3164, 0x3164},   /* filler of Hangul */
        {0xFE00, 0xFE0F},   /* variants */
        {0xFEFF, 0xFEFF},   /* byte order mark */
        {0xFFA0, 0xFFA0},   /* filler of Hangul */
        {0xFFF0, 0xFFFB},   /* annotations */
        {0x1BCA0, 0x1BCA3}, /* controls of shorthand */
        {0x1D173, 0x1D17A}, /* controls of music */
        {0xE0000, 0xE0FFF}, /* tags, variants */
    };

    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        if (code <= ranges[k].last) {
            return code >= ranges[k].first;
        }
    }
    return false;
}

size_t perp_text_shown(const char *text)
{
    size_t n = 0, bytes = 0;
    uint32_t code = 0;

    while ((bytes = perp_text_character(text + n, &code)) > 0 &&
           !perp_text_is_control(code)) {
        n += bytes;
    }
    return n;
}

size_t perp_text_mark(const char *text, char mark[PERP_TEXT_MARK])
{
    static const char letters[] = "n\nt\tr\r";
    uint32_t code = 0;
    size_t bytes = perp_text_character(text, &code);

    for (const char *at = letters; *at; at += 2) {
        if (at[1] == *text) {
            snprintf(mark, PERP_TEXT_MARK, "\\%c", *at);
            return 1;
        }
    }
    if (bytes < 2) {
        snprintf(mark, PERP_TEXT_MARK, "\\x%02x", (unsigned)(unsigned char)*text);
        return 1;
    }
    snprintf(mark, PERP_TEXT_MARK, code > 0xFFFF ? "\\U%08lx" : "\\u%04lx",
             (unsigned long)code);
    return bytes;
}

size_t perp_text_show(char *out, size_t room, const char *text)
{
    size_t used = 0;
    char mark[PERP_TEXT_MARK];

    if (room == 0) {
        return 0;
    }
    while (*text) {
        const char *from = text;
        size_t bytes = 0, length = 0;
        uint32_t code = 0;

        bytes = length = perp_text_character(text, &code);
        if (bytes == 0 || perp_text_is_control(code)) {
            bytes = perp_text_mark(text, mark);
            from = mark;
            length = strlen(mark);
        }
        if (used + length >= room) {
            break;
        }
        memcpy(out + used, from, length);
        used += length;
        text += bytes;
    }
    out[used] = '\0';
    return used;
}

char *perp_text_shown_new(const char *text)
{
    size_t length = 0;
    char *out = NULL;

    /* A byte becomes at most four, "\xff", and so does each of a longer character. */
    if (!perp_mul(strlen(text), 4, &length) || !(out = malloc(length + 1))) {
        return NULL;
    }
    perp_text_show(out, length + 1, text);
    return out;
}

/* Drop the character at the end of a full buffer of which only a part fitted. */
static void text_trim(char *text, size_t room)
{
    size_t length = strlen(text), at = length;

    if (length + 1 < room) {
        return;
    }
    while (at > 0 && length - at < 3 && ((unsigned char)text[at - 1] & 0xC0) == 0x80) {
        at--;
    }
    if (at > 0 && (unsigned char)text[at - 1] >= 0xC0 &&
        perp_text_character(text + at - 1, NULL) == 0) {
        text[at - 1] = '\0';
    }
}

void perp_text_show_in(char *text, size_t room)
{
    size_t shown = 0;
    char *rest = NULL;

    text_trim(text, room);
    shown = perp_text_shown(text);
    if (!text[shown]) {
        return;
    }
    rest = strdup(text + shown);
    if (rest) {
        perp_text_show(text + shown, room - shown, rest);
        free(rest);
        return;
    }
    for (char *at = text + shown; *at;
         at++) { /* without memory: no sign is lost but these */
        *at = (unsigned char)*at < ' ' || (unsigned char)*at >= 0x7F ? '?' : *at;
    }
}

bool perp_text_is_utf8(const char *text)
{
    size_t bytes = 0;

    while ((bytes = perp_text_character(text, NULL)) > 0) {
        text += bytes;
    }
    return *text == '\0';
}

static bool text_is_escape(const char *text)
{
    return text[0] == '\\' && text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
           isxdigit((unsigned char)text[3]);
}

char *perp_text_utf8(const char *text)
{
    size_t length = 0, used = 0;
    char *out = NULL;

    if (!perp_mul(strlen(text), 4, &length) || !(out = malloc(length + 1))) {
        return NULL;
    }
    while (*text) {
        size_t bytes = perp_text_character(text, NULL);

        if (bytes == 0) {
            used +=
                (size_t)sprintf(out + used, "\\x%02x", (unsigned)(unsigned char)*text);
            text++;
        } else if (text_is_escape(text)) {
            used += (size_t)sprintf(out + used, "\\x5c");
            text++;
        } else {
            memcpy(out + used, text, bytes);
            used += bytes;
            text += bytes;
        }
    }
    out[used] = '\0';
    return out;
}

void perp_text_shorten(char *out, size_t room, const char *text)
{
    size_t length = strlen(text), kept = 0, bytes = 0;

    if (length < room) {
        memcpy(out, text, length + 1);
        return;
    }
    while ((bytes = perp_text_character(text + kept, NULL)) > 0 &&
           kept + bytes + 17 < room) {
        kept += bytes;
    }
    memcpy(out, text, kept);
    snprintf(out + kept, room - kept, "~%016llx",
             (unsigned long long)perp_hash_bytes(PERP_HASH_START, text, length));
}
