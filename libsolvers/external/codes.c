/* SPDX-License-Identifier: Apache-2.0
 * external/codes.c: the other codes, their programs and their versions. */
#include <config.h>

#include <stdio.h>
#include <unistd.h>

#include "base/base.h"
#include "base/system.h"
#include "external/external.h"

/* Seconds that a program has to say its version. */
static const double codes_patience = 20.0;

#define CODES_ENTRY(name) &perp_code_##name,
static const perp_code *const codes_all[] = {
    PERP_EXTERNAL_LIST(CODES_ENTRY) NULL /* ends the list */
};
#undef CODES_ENTRY

const perp_code *const *perp_codes(size_t *count)
{
    if (count) {
        *count = sizeof codes_all / sizeof *codes_all - 1;
    }
    return codes_all;
}

const perp_solver_type *perp_external_find(const char *name, const perp_code **code)
{
    for (const perp_code *const *c = codes_all; *c; c++) {
        for (const perp_solver_type *type = (*c)->types; type->name; type++) {
            if (strcmp(type->name, name) == 0) {
                if (code) {
                    *code = *c;
                }
                return type;
            }
        }
    }
    return NULL;
}

/* The folder in which the running executable was built; libtool puts a program that links
 * shared libraries into .libs. "" when it is not known. */
static void codes_build_folder(char *folder, size_t length)
{
    static const char libs[] = "/.libs";
    ssize_t got = 0;
    char *slash = NULL;

    perp_process_program(folder, length);
    slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
    got = (ssize_t)strlen(folder) - (ssize_t)strlen(libs);
    if (got >= 0 && strcmp(folder + got, libs) == 0) {
        folder[got] = '\0';
    }
}

static bool codes_is_program(char *path, size_t length, const char *folder,
                             const char *below, const char *program)
{
    int wrote = snprintf(path, length, "%s%s/%s", folder, below, program);

    return wrote > 0 && (size_t)wrote < length && access(path, X_OK) == 0;
}

bool perp_code_program(const perp_code *code, char *path, size_t length)
{
    const char *given = getenv("PERP_CODES");
    char folder[PERP_EXTERNAL_PATH];

    if (!code->program) {
        return codes_is_program(path, length, "", "/bin", "sh");
    }
    if (given && *given) {
        return codes_is_program(path, length, given, "", code->program);
    }
    codes_build_folder(folder, sizeof folder);
    return codes_is_program(path, length, folder, "/interop/codes", code->program) ||
           codes_is_program(path, length, folder, "/../libexec/perp", code->program) ||
           codes_is_program(path, length, PERP_CODES_DIR, "", code->program);
}

perp_status perp_code_version(const perp_code *code, char *text, size_t length,
                              perp_error *err)
{
    char path[PERP_EXTERNAL_PATH];
    const char *const argv[] = {path, "--version", NULL};
    perp_process child = {0};
    perp_status status = PERP_OK;

    TRY(perp_check_arguments(code && code->program && text && length, "perp_code_version",
                             err));
    *text = '\0';
    if (!perp_code_program(code, path, sizeof path)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s was not found; it needs %s",
                         code->program, code->package);
    }
    perp_process_clear(&child);
    status = perp_process_start(
        &child, &(perp_process_orders){.argv = argv, .seconds = codes_patience}, err);
    while (child.pid) {
        perp_process_wait(&child, 1, 1.0);
    }
    if (status == PERP_OK && child.end == PERP_PROCESS_EXITED && child.code == 0 &&
        child.text) {
        snprintf(text, length, "%.*s", (int)strcspn(child.text, "\r\n"), child.text);
    } else if (status == PERP_OK) {
        status = perp_fail(err, PERP_ERR_LIBRARY, "%s does not say its version", path);
    }
    perp_process_clear(&child);
    return status;
}
