/* SPDX-License-Identifier: Apache-2.0
 * cli/plugin.c: shared objects with solvers, loaded into the registry of the command.
 *
 * A plugin has no library of its own: dlopen resolves what it calls in the command, or in the
 * shared library that the command is linked with. A second copy of libperp-solvers, which the
 * plugin would bring along when it is linked with it, is found by its address and refused. */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/answer.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"

typedef struct plugin {
    char *file; /* as it was named */
    char *path; /* without links */
    void *handle;
    uint64_t hash; /* of its bytes */
    const perp_solver_type *const *types;
} plugin;

/* Those of this process. The registry is NULL while there are none: the built-in solvers. */
static plugin plugins[PLUGIN_MOST];
static size_t plugin_count;
static perp_solver_registry *plugin_registry;

/* What the linker says, without the path at its beginning. */
static perp_status plugin_fail_linker(const plugin *g, perp_error *err)
{
    const char *text = dlerror();
    size_t length = strlen(g->path);

    text = text ? text : "it cannot be loaded";
    if (strncmp(text, g->path, length) == 0 && strncmp(text + length, ": ", 2) == 0) {
        text += length + 2;
    }
    return perp_fail(err, PERP_ERR_OPTION, "%s: %s", g->file, text);
}

/* The number of the interface first: the sizes may mean something else in another one. */
static perp_status plugin_check_headers(const plugin *g, const perp_plugin_headers *found,
                                        perp_error *err)
{
    const perp_plugin_headers own = PERP_PLUGIN_HEADERS;
    const struct {
        const char *name;
        size_t found, own;
    } sizes[] = {
        {"perp_solver_type", found->type, own.type},
        {"perp_problem", found->problem, own.problem},
        {"perp_options", found->options, own.options},
        {"perp_result", found->result, own.result},
    };

    if (found->interface != own.interface) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: compiled for interface %zu of plugins, expected %zu; "
                         "compile it with the headers of this perp",
                         g->file, found->interface, own.interface);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (sizes[k].found != sizes[k].own) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "%s: compiled with other headers: %s has %zu bytes, "
                             "expected %zu; compile it with the headers of this perp",
                             g->file, sizes[k].name, sizes[k].found, sizes[k].own);
        }
    }
    return PERP_OK;
}

/* A plugin that is linked with libperp-solvers may have brought a copy of its own. */
static perp_status plugin_check_copy(const plugin *g, perp_error *err)
{
    const void *own = dlsym(RTLD_DEFAULT, "perp_solve");
    const void *other = dlsym(g->handle, "perp_solve");

    return !other || other == own
               ? PERP_OK
               : perp_fail(err, PERP_ERR_OPTION,
                           "%s: is linked with another copy of libperp-solvers; link it "
                           "without -lperp-solvers, see docs/plugin.md",
                           g->file);
}

/* The texts that every list prints. */
static perp_status plugin_check_type(const plugin *g, const perp_solver_type *type,
                                     perp_error *err)
{
    const struct {
        const char *member, *text;
    } texts[] = {{"name", type->name},
                 {"family", type->family},
                 {"summary", type->summary},
                 {"reference", type->reference}};

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (!texts[k].text) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "%s: solver \"%s\": %s is NULL, expected a text", g->file,
                             type->name ? type->name : "", texts[k].member);
        }
    }
    if (type->sets.set_bits == 0 || type->storages.storage_bits == 0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: solver \"%s\": %s is empty, expected what it takes",
                         g->file, type->name,
                         type->sets.set_bits == 0 ? "sets" : "storages");
    }
    return PERP_OK;
}

static perp_status plugin_open(plugin *g, perp_error *err)
{
    const perp_plugin_headers *found = NULL;

    g->handle = dlopen(g->path, RTLD_NOW | RTLD_LOCAL);
    if (!g->handle) {
        return plugin_fail_linker(g, err);
    }
    found = dlsym(g->handle, "perp_plugin_compiled_with");
    g->types = dlsym(g->handle, "perp_plugin_solvers");
    if (!found || !g->types) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: no symbol %s, expected PERP_PLUGIN_SOLVERS of "
                         "<perp/plugin.h> in its source",
                         g->file,
                         found ? "perp_plugin_solvers" : "perp_plugin_compiled_with");
    }
    TRY(plugin_check_headers(g, found, err));
    TRY(plugin_check_copy(g, err));
    if (!g->types[0]) {
        TRY(perp_fail(err, PERP_ERR_OPTION, "%s: has no solver, expected one", g->file));
    }
    for (size_t k = 0; g->types[k]; k++) {
        TRY(plugin_check_type(g, g->types[k], err));
    }
    return PERP_OK;
}

static perp_status plugin_register(const plugin *g, perp_error *err)
{
    perp_error inner = {0};
    perp_status status = PERP_OK;

    if (!plugin_registry) {
        status = perp_solver_registry_new(&plugin_registry, err);
    }
    for (size_t k = 0; status == PERP_OK && g->types[k]; k++) {
        if (perp_solver_register(plugin_registry, g->types[k], &inner) != PERP_OK) {
            status = perp_fail(err, PERP_ERR_OPTION, "%s: %s", g->file, inner.text);
        }
    }
    return status;
}

/* The file with its hash; false: it is loaded already. */
static bool plugin_name(plugin *g, const char *file, perp_status *status, perp_error *err)
{
    char *bytes = NULL;
    size_t length = 0;

    *status = perp_file_slurp(file, &bytes, &length, err);
    if (*status != PERP_OK) {
        return true;
    }
    g->hash = perp_hash_bytes(PERP_HASH_START, bytes, length);
    free(bytes);
    g->file = take_text(file);
    g->path = realpath(file, NULL);
    if (!g->path) {
        *status = perp_fail(err, PERP_ERR_READ, "%s: %s", file, strerror(errno));
        return true;
    }
    for (size_t k = 0; k < plugin_count; k++) {
        if (strcmp(plugins[k].path, g->path) == 0) {
            return false;
        }
    }
    if (plugin_count == PLUGIN_MOST) {
        *status = perp_fail(err, PERP_ERR_OPTION, "%s: more than %d plugins", file,
                            PLUGIN_MOST);
    }
    return true;
}

static void plugin_clear(plugin *g)
{
    if (g->handle) {
        dlclose(g->handle);
    }
    free(g->file);
    free(g->path);
    *g = (plugin){.handle = NULL};
}

perp_status plugin_load(const char *file, perp_error *err)
{
    plugin g = {.handle = NULL};
    perp_status status = PERP_OK;
    bool new = plugin_name(&g, file, &status, err);

    if (status == PERP_OK && new) {
        status = plugin_open(&g, err);
    }
    if (status != PERP_OK || !new) {
        plugin_clear(&g);
        return status;
    }
    /* Kept even where only some of its solvers could be registered: the registry has them. */
    plugins[plugin_count++] = g;
    return plugin_register(&g, err);
}

perp_status plugin_load_typed(const cli_args *args, perp_error *err)
{
    const char *file = NULL;
    size_t at = 0;
    perp_status status = PERP_OK;

    while (status == PERP_OK && (file = cli_args_next(args, "plugin", &at)) != NULL) {
        status = plugin_load(file, err);
    }
    return status;
}

void plugin_unload(void)
{
    perp_solver_registry_free(plugin_registry);
    plugin_registry = NULL;
    while (plugin_count > 0) {
        plugin_clear(&plugins[--plugin_count]);
    }
}

const char *plugin_file(size_t k)
{
    return k < plugin_count ? plugins[k].file : NULL;
}

/* The plugin that a solver is of, or NULL. */
static const plugin *plugin_of(const perp_solver_type *type)
{
    for (size_t k = 0; type && k < plugin_count; k++) {
        for (size_t j = 0; plugins[k].types[j]; j++) {
            if (plugins[k].types[j] == type) {
                return &plugins[k];
            }
        }
    }
    return NULL;
}

bool plugin_is_used(const perp_options *opt)
{
    return plugin_of(opt->solver) || plugin_of(opt->inner);
}

static void plugin_add(json_t *list, const perp_solver_type *type, const plugin *g)
{
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o}", "solver", answer_text(type->name), "file",
                        answer_text(g->file), "hash", answer_hash(g->hash)));
}

json_t *plugin_json(const perp_options *opt)
{
    const perp_solver_type *const types[] = {opt->solver, opt->inner};
    const bool chain = plugin_of(opt->solver) && opt->solver->chain;
    json_t *list = json_array();

    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        const plugin *g = plugin_of(types[k]);

        if (g) {
            plugin_add(list, types[k], g);
        }
    }
    for (size_t k = 0; chain && k < plugin_count; k++) {
        if (&plugins[k] != plugin_of(opt->solver)) {
            plugin_add(list, plugins[k].types[0], &plugins[k]);
        }
    }
    return list;
}

bool plugin_is_same(const json_t *stored, const perp_options *opt)
{
    json_t *list = plugin_json(opt);
    bool same = json_array_size(list) == json_array_size(stored);

    for (size_t k = 0; same && k < json_array_size(list); k++) {
        const json_t *was = json_object_get(json_array_get(stored, k), "hash");

        same = was && json_equal(was, json_object_get(json_array_get(list, k), "hash"));
    }
    json_decref(list);
    return same;
}

void plugin_print(FILE *out, const perp_options *opt)
{
    const perp_solver_type *const types[] = {opt->solver, opt->inner};

    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        const plugin *g = plugin_of(types[k]);

        if (g) {
            fprintf(out, "plugin = %s %016llx\n", types[k]->name,
                    (unsigned long long)g->hash);
        }
    }
}

const perp_solver_type *const *plugin_solvers(void)
{
    return perp_solver_registry_list(plugin_registry, NULL);
}

perp_status plugin_parse(const char *name, const perp_solver_type **type,
                         perp_options *opt, perp_error *err)
{
    return perp_solver_registry_parse(plugin_registry, name, type, opt, err);
}
