/* SPDX-License-Identifier: Apache-2.0
 * core/message.c: sentences for a person.
 *
 * The reason of every end begins with the name of the solver as typed after --solver, so that
 * the sentence is complete in a record, in a report and at a terminal. The name is added in one
 * place, where solvers are stepped. */
#include <config.h>

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

void perp_message_name_solver(char *text, size_t room, const perp_solver_type *type,
                              const perp_options *opt)
{
    const perp_solver_type *inner =
        opt && (type->flags.flag_bits & PERP_FLAG_WRAPPER) ? opt->inner : NULL;
    char name[NAME_ROOM];
    char rest[REST_ROOM];
    size_t skip = 0;
    int wanted = 0;

    snprintf(name, sizeof name, "%s%s%s", type->name, inner ? ":" : "",
             inner ? inner->name : "");
    if (named(text, name) || is_subject(text, name)) {
        return;
    }
    skip = named(text, type->name);
    if (!skip && inner) {
        skip = named(text, inner->name);
    }
    snprintf(rest, sizeof rest, "%s", text + skip);
    wanted = snprintf(text, room, "%s: %s", name, rest);
    perp_message_ellipsis(text, room, wanted < 0 ? 0 : (size_t)wanted);
}
