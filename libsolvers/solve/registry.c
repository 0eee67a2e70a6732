/* SPDX-License-Identifier: Apache-2.0
 * solve/registry.c: the solvers that are found by name, and how full names are read. */
#include <config.h>

#include <stdio.h>

#include "core/solver_list.h"
#include "core/solvers.h"
#include "external/external.h"
#include "registry.h"

#define REGISTRY_ENTRY(name) &perp_solver_##name,
static const perp_solver_type *const registry_built_in[] = {
    PERP_SOLVER_LIST(REGISTRY_ENTRY) NULL /* ends the list */
};
#undef REGISTRY_ENTRY

/* Bytes of the longest name: that of two solvers, or a command. */
enum { REGISTRY_WORD = PERP_COMMAND_LENGTH };
enum { REGISTRY_BUILT_IN = sizeof registry_built_in / sizeof *registry_built_in - 1 };

struct perp_solver_registry {
    const perp_solver_type **types; /* count + 1, ended by NULL */
    size_t count;
};

perp_status perp_solver_registry_new(perp_solver_registry **registry, perp_error *err)
{
    if (perp_check_arguments(registry, "perp_solver_registry_new", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_solver_registry *new = calloc(1, sizeof *new);

    *registry = NULL;
    if (new) {
        new->types = malloc(sizeof registry_built_in);
    }
    if (!new || !new->types) {
        free(new);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a registry");
    }
    memcpy((void *)new->types, registry_built_in, sizeof registry_built_in);
    new->count = REGISTRY_BUILT_IN;
    *registry = new;
    return PERP_OK;
}

void perp_solver_registry_free(perp_solver_registry *registry)
{
    if (registry) {
        free((void *)registry->types);
        free(registry);
    }
}

const perp_solver_type *const *perp_solver_registry_list(
    const perp_solver_registry *registry, size_t *count)
{
    if (count) {
        *count = registry ? registry->count : REGISTRY_BUILT_IN;
    }
    return registry ? registry->types : registry_built_in;
}

/* The solver whose name is the first `length` characters of `name`, or NULL. */
static const perp_solver_type *registry_find(const perp_solver_registry *registry,
                                             const char *name, size_t length)
{
    const perp_solver_type *const *types = perp_solver_registry_list(registry, NULL);

    for (; *types; types++) {
        if (strncmp((*types)->name, name, length) == 0 && !(*types)->name[length]) {
            return *types;
        }
    }
    return NULL;
}

const perp_solver_type *perp_solver_registry_find(const perp_solver_registry *registry,
                                                  const char *name)
{
    const perp_solver_type *type =
        name ? registry_find(registry, name, strlen(name)) : NULL;

    return type || !name ? type : perp_external_find(name, NULL);
}

static bool registry_options_fit(const perp_option *options)
{
    size_t count = 0;

    for (const perp_option *o = perp_options_common; o->kind != PERP_OPTION_NONE; o++) {
        count++;
    }
    for (const perp_option *o = options; o && o->kind != PERP_OPTION_NONE; o++) {
        count++;
    }
    return count <= PERP_OPTION_ROOM;
}

/* What is wrong with a type, or NULL. */
static const char *registry_fault(const perp_solver_registry *registry,
                                  const perp_solver_type *type)
{
    bool wrapper = (type->flags.flag_bits & PERP_FLAG_WRAPPER) != 0;

    if (!*type->name || strpbrk(type->name, ": ")) {
        return "a name is expected, without colons and blanks";
    }
    if (perp_solver_registry_find(registry, type->name)) {
        return "a solver of this name is registered already";
    }
    if (type->chain ? type->setup || type->iterate : !type->setup || !type->iterate) {
        return "either setup and iterate are expected, or a chain";
    }
    if (wrapper && !type->inner) {
        return "a default inner solver is expected in a wrapper";
    }
    if (!registry_options_fit(type->options)) {
        return "it has too many options";
    }
    return NULL;
}

perp_status perp_solver_register(perp_solver_registry *registry,
                                 const perp_solver_type *type, perp_error *err)
{
    if (perp_check_arguments(registry && type && type->name, "perp_solver_register",
                             err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const perp_solver_type **types = NULL;
    const char *fault = registry_fault(registry, type);

    if (fault) {
        return perp_fail(err, PERP_ERR_ARGUMENT, "solver \"%s\": %s", type->name, fault);
    }
    types = realloc((void *)registry->types, (registry->count + 2) * sizeof *types);
    if (!types) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for solver \"%s\"", type->name);
    }
    types[registry->count++] = type;
    types[registry->count] = NULL;
    registry->types = types;
    return PERP_OK;
}

/* Is it "glpk:…" of the code glpk? */
static bool registry_is_of_code(const char *name, const perp_code *code)
{
    size_t length = strlen(code->name);

    return strncmp(name, code->name, length) == 0 && name[length] == ':';
}

static const char *registry_nearest(perp_nearest *best,
                                    const perp_solver_registry *registry,
                                    const char *name)
{
    const perp_solver_type *const *types = perp_solver_registry_list(registry, NULL);

    perp_nearest_start(best, name);
    for (; *types; types++) {
        perp_nearest_offer(best, (*types)->name);
    }
    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        for (const perp_solver_type *type = (*code)->types;
             type->name && registry_is_of_code(name, *code); type++) {
            perp_nearest_offer(best, type->name);
        }
    }
    return perp_nearest_advice(best);
}

/* The solver that a whole name stands for, "lemke", "glpk:milp" or "exec:COMMAND"; NULL. The
 * command begins at *command, "" where there is none. */
static const perp_solver_type *registry_find_whole(const perp_solver_registry *registry,
                                                   const char *name, const char **command)
{
    static const char exec[] = "exec:";

    *command = "";
    if (strncmp(name, exec, strlen(exec)) == 0) {
        *command = name + strlen(exec);
        name = "exec";
    }
    return perp_solver_registry_find(registry, name);
}

/* The inner solver called `name` for the wrapper `outer`. */
static perp_status registry_inner(const perp_solver_registry *registry,
                                  const perp_solver_type *outer, const char *name,
                                  const perp_solver_type **inner, const char **command,
                                  perp_error *err)
{
    perp_nearest best;

    *inner = registry_find_whole(registry, name, command);
    if (!*inner || ((*inner)->flags.flag_bits & PERP_FLAG_WRAPPER) || (*inner)->chain) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "unknown inner solver \"%s\" in \"%s:%s\", %s", name,
                         outer->name, name, registry_nearest(&best, registry, name));
    }
    return PERP_OK;
}

perp_status perp_options_init_default(perp_options *opt, const perp_solver_type *type,
                                      perp_error *err)
{
    const perp_solver_type *inner = NULL;
    const char *command = "";
    perp_status status = PERP_OK;

    if ((type->flags.flag_bits & PERP_FLAG_WRAPPER) && type->inner) {
        status = registry_inner(NULL, type, type->inner, &inner, &command, err);
    }
    return status == PERP_OK ? perp_options_init(opt, type, inner, err) : status;
}

/* "ds:mpgp", without settings. */
static perp_status registry_parse_name(const perp_solver_registry *registry,
                                       const char *name, perp_options *opt,
                                       perp_error *err)
{
    const char *colon = strchr(name, ':');
    size_t length = strcspn(name, ":");
    const char *command = "";
    const perp_solver_type *whole = registry_find_whole(registry, name, &command);
    const perp_solver_type *outer = whole ? whole : registry_find(registry, name, length);
    const perp_solver_type *inner = NULL;
    perp_status status = PERP_OK;

    if (!outer) {
        char unknown[64];
        perp_nearest best;

        snprintf(unknown, sizeof unknown, "%.*s", length < 63 ? (int)length : 63, name);
        for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
            if (registry_is_of_code(name, *code)) {
                snprintf(unknown, sizeof unknown, "%.63s", name);
            }
        }
        return perp_fail(err, PERP_ERR_OPTION, "unknown solver \"%s\", %s", unknown,
                         registry_nearest(&best, registry, unknown));
    }
    if (outer->flags.flag_bits & PERP_FLAG_WRAPPER) {
        status = registry_inner(registry, outer, colon ? colon + 1 : outer->inner, &inner,
                                &command, err);
    } else if (colon && !whole) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "solver \"%s\" in \"%s\" is not a wrapper", outer->name, name);
    }
    if (status != PERP_OK) {
        return status;
    }
    TRY(perp_options_init(opt, outer, inner, err));
    opt->registry = registry;
    snprintf(opt->command, sizeof opt->command, "%s", command);
    return PERP_OK;
}

/* A name up to the first blank outside of double quotes, without the quotes; \" and \\ within
 * them are a quote and a backslash. */
static perp_status registry_cut_name(const char *name, char word[REGISTRY_WORD],
                                     const char **rest, perp_error *err)
{
    const char *c = name;
    size_t length = 0;
    bool quoted = false;

    for (; *c && (quoted || *c != ' ') && length < REGISTRY_WORD; c++) {
        if (*c == '"') {
            quoted = !quoted;
        } else {
            c += quoted && *c == '\\' && (c[1] == '"' || c[1] == '\\');
            word[length++] = *c;
        }
    }
    if (length >= REGISTRY_WORD) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "unknown solver \"%.80s...\": a name and a command have fewer "
                         "than %d characters",
                         name, REGISTRY_WORD);
    }
    if (quoted) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "solver %.80s: a double quote is missing at its end", name);
    }
    word[length] = '\0';
    *rest = c;
    return PERP_OK;
}

perp_status perp_solver_registry_parse(const perp_solver_registry *registry,
                                       const char *name, const perp_solver_type **type,
                                       perp_options *opt, perp_error *err)
{
    if (perp_check_arguments(name && opt, "perp_solver_parse", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    char word[REGISTRY_WORD];
    const char *settings = NULL;
    perp_status status = registry_cut_name(name, word, &settings, err);

    if (type) {
        *type = NULL;
    }
    if (status == PERP_OK) {
        status = registry_parse_name(registry, word, opt, err);
    }
    if (status == PERP_OK) {
        status = perp_options_parse(opt, settings, err);
    }
    if (status == PERP_OK && type) {
        *type = opt->solver;
    }
    return status;
}

const perp_solver_type *const *perp_solvers(size_t *count)
{
    return perp_solver_registry_list(NULL, count);
}

const perp_solver_type *perp_solver_find(const char *name)
{
    return perp_solver_registry_find(NULL, name);
}

perp_status perp_solver_parse(const char *name, const perp_solver_type **type,
                              perp_options *opt, perp_error *err)
{
    return perp_solver_registry_parse(NULL, name, type, opt, err);
}

/* ":COMMAND", in double quotes where perp_solver_parse needs them. */
static void registry_print_command(const char *command, char *text, size_t length)
{
    bool quoted = strpbrk(command, " \"") != NULL;
    char printed[2 * PERP_COMMAND_LENGTH];
    size_t end = 0;

    for (const char *c = command; *c; c++) {
        if (quoted && (*c == '"' || *c == '\\')) {
            printed[end++] = '\\';
        }
        printed[end++] = *c;
    }
    printed[end] = '\0';
    snprintf(text, length, quoted ? ":\"%s\"" : ":%s", printed);
}

void perp_solver_print(const perp_solver_type *type, const perp_options *opt, char *name,
                       size_t length)
{
    const perp_solver_type *last = opt && opt->inner ? opt->inner : type;
    size_t end = 0;

    if (last != type) {
        end = (size_t)snprintf(name, length, "%s:", type->name);
    }
    if (end < length) {
        end += (size_t)snprintf(name + end, length - end, "%s", last->name);
    }
    if (opt && opt->command[0] && end < length) {
        registry_print_command(opt->command, name + end, length - end);
    }
}
