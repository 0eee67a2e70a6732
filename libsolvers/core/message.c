/* SPDX-License-Identifier: Apache-2.0
 * core/message.c: sentences for a person.
 *
 * The reason of every end begins with the name of the solver as typed after --solver, so that
 * the sentence is complete in a record, in a report and at a terminal. The name is added in one
 * place, where solvers are stepped. */
#include <config.h>

#include <ctype.h>
#include <stdio.h>

#include "core/solvers.h"

/* More bytes than the longest "outer:inner", and than any sentence. */
enum { NAME_ROOM = 64, REST_ROOM = PERP_ERROR_LENGTH };

/* The length of `name` if the text is "name: …", with the colon and blank; else 0. */
static size_t named(const char *text, const char *name)
{
    size_t length = strlen(name);

    return strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0
               ? length + 2
               : 0;
}

/* Is the text "name takes no …"? */
static bool is_subject(const char *text, const char *name)
{
    size_t length = strlen(name);

    return strncmp(text, name, length) == 0 && text[length] == ' ';
}

void perp_message_ellipsis(char *text, size_t room, size_t wanted)
{
    size_t end = room - 4;

    if (wanted < room) {
        return;
    }
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) {
        end--; /* not within a letter of several bytes */
    }
    memcpy(text + end, "...", 4);
}

/* The text of a format whose conversions are all "%s", as most of the solution path are: a
 * fifth of the time that printf takes. Its length; 0 at another conversion. */
static size_t message_join(char *text, size_t room, const char *format, va_list args)
{
    size_t length = 0;

    for (; *format; format++) {
        const char *part = format;
        size_t size = 1;

        if (*format == '%') {
            if (*++format != 's') {
                return 0;
            }
            part = va_arg(args, const char *);
            size = strlen(part);
        }
        if (length < room) {
            memcpy(text + length, part, size < room - length ? size : room - length);
        }
        length += size;
    }
    text[length < room ? length : room - 1] = '\0';
    return length;
}

/* "-nan" and "nan", as printf writes them, become words. */
static void message_say_nan(char *text, size_t room)
{
    static const char words[] = "not a number";
    char *at = text;

    while ((at = strstr(at, "nan"))) {
        char *from = at > text && at[-1] == '-' ? at - 1 : at;
        char *rest = at + 3;
        bool whole = (from == text || !isalnum((unsigned char)from[-1])) &&
                     !isalnum((unsigned char)*rest);
        size_t tail = strlen(rest) + 1,
               wanted = (size_t)(from - text) + sizeof words - 1 + tail;

        if (whole && wanted <= room) {
            memmove(from + sizeof words - 1, rest, tail);
            memcpy(from, words, sizeof words - 1);
            rest = from + sizeof words - 1;
        }
        at = rest;
    }
}

void perp_message_write(char *text, size_t room, const char *format, va_list args)
{
    va_list again;
    size_t wanted = 0;
    int printed = 0;

    va_copy(again, args);
    wanted = message_join(text, room, format, again);
    va_end(again);
    if (wanted == 0) {
        printed = vsnprintf(text, room, format, args);
        wanted = printed < 0 ? 0 : (size_t)printed;
        message_say_nan(text, room);
    }
    perp_message_ellipsis(text, room, wanted);
}

static void PERP_PRINTF(3, 4)
    message_print(char *text, size_t room, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    perp_message_write(text, room, format, args);
    va_end(args);
}

void perp_message_name_solver(char *text, size_t room, const perp_solver_type *type,
                              const perp_options *opt)
{
    const perp_solver_type *inner =
        opt && (type->flags.flag_bits & PERP_FLAG_WRAPPER) ? opt->inner : NULL;
    char name[NAME_ROOM];
    char rest[REST_ROOM];
    size_t skip = 0;

    message_print(name, sizeof name, "%s%s%s", type->name, inner ? ":" : "",
                  inner ? inner->name : "");
    if (named(text, name) || is_subject(text, name)) {
        return;
    }
    skip = named(text, type->name);
    if (!skip && inner) {
        skip = named(text, inner->name);
    }
    message_print(rest, sizeof rest, "%s", text + skip);
    message_print(text, room, "%s: %s", name, rest);
}
