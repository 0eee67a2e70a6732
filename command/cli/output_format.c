/* SPDX-License-Identifier: Apache-2.0
 * cli/output_format.c: printf whose texts cannot harm a terminal.
 *
 * The format is cut into pieces of one conversion each. Numbers go to fprintf as they are; only
 * texts are looked at. A filter behind printf could not tell a newline of the format from
 * one in a name. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/cli/output.h"
#include "command/cli/output_format.h"
#include "command/cli/take.h"

/* One conversion: "%-*.3f". */
typedef struct format_piece {
    char spec[32];    /* with numbers in place of stars */
    char length[3];   /* "", "h", "hh", "l", "ll", "z" */
    char kind;        /* 's', 'd', …; '\0': the format ends early */
    bool left;        /* '-' is among the flags */
    int width, most;  /* of a text; most negative: all of it */
    const char *next; /* what follows it in the format */
} format_piece;

/* Arguments that are taken one by one, by several functions. */
typedef struct format_values {
    va_list args;
} format_values;

static int format_number(const char **at, format_values *v)
{
    int number = 0;

    if (**at == '*') {
        (*at)++;
        return va_arg(v->args, int);
    }
    while (**at >= '0' && **at <= '9') {
        number = 10 * number + (*(*at)++ - '0');
    }
    return number;
}

/* Read the conversion behind the percent sign at `at`. */
static format_piece format_read(const char *at, format_values *v)
{
    format_piece p = {.most = -1};
    char flags[8] = "";
    size_t count = strspn(++at, "-+ #0");

    snprintf(flags, sizeof flags, "%.*s", (int)count, at);
    at += count;
    p.width = format_number(&at, v);
    p.left = strchr(flags, '-') != NULL || p.width < 0;
    p.width = abs(p.width);
    if (*at == '.') {
        at++;
        p.most = format_number(&at, v);
    }
    count = strspn(at, "hlz");
    snprintf(p.length, sizeof p.length, "%.*s", (int)count, at);
    at += count;
    p.kind = *at;
    p.next = *at ? at + 1 : at;
    snprintf(p.spec, sizeof p.spec, "%%%s%s", flags,
             p.left && !strchr(flags, '-') ? "-" : "");
    count = strlen(p.spec);
    if (p.width > 0) {
        count += (size_t)snprintf(p.spec + count, sizeof p.spec - count, "%d", p.width);
    }
    if (p.most >= 0) {
        count += (size_t)snprintf(p.spec + count, sizeof p.spec - count, ".%d", p.most);
    }
    snprintf(p.spec + count, sizeof p.spec - count, "%s%c", p.length, p.kind);
    return p;
}

/* A text, marked and padded. */
static void format_text(FILE *out, const format_piece *p, const char *text)
{
    char *part = p->most >= 0 ? take_part(text ? text : "(null)", (size_t)p->most)
                              : take_text(text ? text : "(null)");
    char *shown = take_made(perp_text_shown_new(part));
    int columns = (int)output_columns(shown, strlen(shown));
    int pad = p->width > columns ? p->width - columns : 0;

    fprintf(out, "%*s%s%*s", p->left ? 0 : pad, "", shown, p->left ? pad : 0, "");
    free(part);
    free(shown);
}

static void format_whole(FILE *out, const format_piece *p, format_values *v)
{
    if (strcmp(p->length, "z") == 0) {
        fprintf(out, p->spec, va_arg(v->args, size_t));
    } else if (strcmp(p->length, "ll") == 0) {
        fprintf(out, p->spec, va_arg(v->args, unsigned long long));
    } else if (strcmp(p->length, "l") == 0) {
        fprintf(out, p->spec, va_arg(v->args, unsigned long));
    } else {
        fprintf(out, p->spec, va_arg(v->args, unsigned));
    }
}

static void format_piece_write(FILE *out, const format_piece *p, format_values *v)
{
    if (p->kind == 's') {
        format_text(out, p, va_arg(v->args, const char *));
    } else if (p->kind == '%') {
        fputc('%', out);
    } else if (p->kind == 'p') {
        fprintf(out, p->spec, va_arg(v->args, void *));
    } else if (p->kind && strchr("aAeEfFgG", p->kind)) {
        fprintf(out, p->spec, va_arg(v->args, double));
    } else if (p->kind) {
        format_whole(out, p, v);
    }
}

char *output_format(const char *format, va_list args)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = take_stream(&text, &length);
    format_values v;

    va_copy(v.args, args);
    while (*format) {
        size_t plain = strcspn(format, "%");
        format_piece p;

        fwrite(format, 1, plain, out);
        format += plain;
        if (*format) {
            p = format_read(format, &v);
            format_piece_write(out, &p, &v);
            format = p.next;
        }
    }
    va_end(v.args);
    take_stream_end(out);
    return text;
}
