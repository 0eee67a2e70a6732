/* SPDX-License-Identifier: Apache-2.0
 * report/table_escape.c: a text as CSV and LaTeX hold it. */
#include <config.h>

#include <string.h>

#include "base/text.h"
#include "command/cli/csv.h"
#include "command/figures/text.h"
#include "table.h"

/* Characters that LaTeX reads as commands, and punctuation. */
static const struct {
    const char *text, *tex;
} tex_names[] = {
    {"\\", "\\textbackslash{}"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"_", "\\_"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"#", "\\#"},
    {"$", "\\$"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "''"},
    {"[", "{[}"}, /* a row may begin with it, where \\ reads an option */
    {"*", "{*}"},
    {"–", "--"},
    {"—", "---"},
    {"…", "\\dots{}"},
};

/* Bytes of the first character, or 1. */
static size_t utf8_length(const char *text)
{
    size_t length = perp_text_character(text, NULL);

    return length ? length : 1;
}

/* A mark for what LaTeX has no letter for. */
static void escape_mark(FILE *f, const char *text)
{
    char mark[PERP_TEXT_MARK];

    perp_text_mark(text, mark);
    fprintf(f, "\\textbackslash{}%s", mark + 1);
}

/* À to ž without ×, ÷ and the few letters that need other fonts: Ħ ħ ĸ Ŀ ŀ ŉ Ŧ ŧ. */
static bool is_latin_letter(const char *text, size_t length)
{
    static const char lacking[] = "\x26\x27\x38\x3f\x40\x49\x66\x67";
    unsigned code =
        (((unsigned char)text[0] & 0x1FU) << 6) | ((unsigned char)text[1] & 0x3FU);

    return length == 2 && code >= 0xC0 && code <= 0x17E && code != 0xD7 && code != 0xF7 &&
           (code < 0x100 || !memchr(lacking, (int)(code - 0x100), sizeof lacking - 1));
}

/* Signs that are raised, or one sign, in math; returns their bytes, 0: the text begins with
 * another character. */
static size_t escape_math(FILE *f, const char *text)
{
    size_t used = 0;
    bool exponent = false;

    while (text[used]) {
        size_t length = utf8_length(text + used);
        bool raised = false;
        const char *sign =
            length > 1 ? figure_text_math(text + used, length, &raised) : NULL;

        if (!sign || (used && !raised)) {
            break;
        }
        fprintf(f, used ? "%s" : raised ? "$^{%s" : "$%s$", sign);
        used += length;
        exponent = raised;
        if (!raised) {
            break;
        }
    }
    fputs(exponent ? "}$" : "", f);
    return used;
}

static void escape_tex(FILE *f, const char *text)
{
    for (size_t length; *text; text += length) {
        size_t k = 0, count = sizeof tex_names / sizeof *tex_names;

        length = escape_math(f, text);
        if (length) {
            continue;
        }
        length = utf8_length(text);
        while (k < count && (strlen(tex_names[k].text) != length ||
                             strncmp(tex_names[k].text, text, length) != 0)) {
            k++;
        }
        if (k < count) {
            fputs(tex_names[k].tex, f);
        } else if (length == 1 && *text >= ' ' && *text < 0x7F) {
            fputc(*text, f);
            /* no ligature of two dashes or quotes */
            fputs(strchr("-`'", *text) && text[1] == *text ? "{}" : "", f);
        } else if (is_latin_letter(text, length)) {
            fwrite(text, 1, length, f);
        } else {
            escape_mark(f, text);
        }
    }
}

void table_escape(FILE *f, table_format format, const char *text)
{
    switch (format) {
    case TABLE_AS_CSV:
        csv_text(f, text);
        return;
    case TABLE_AS_TEX:
        escape_tex(f, text);
        return;
    case TABLE_AS_TEXT:
        fputs(text, f);
    }
}
