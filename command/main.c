/* SPDX-License-Identifier: Apache-2.0
 * command/main.c: the command: finds the verb, reads its words, prints what went wrong. */
#include <config.h>

#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <perp/blas.h>

#include "base/base.h"
#include "base/unread.h"
#include "command/cli/completion.h"
#include "command/cli/heap.h"
#include "command/cli/help.h"
#include "command/cli/input.h"
#include "command/cli/machine.h"
#include "command/cli/page.h"
#include "command/cli/plugin.h"
#include "command/cli/standard.h"
#include "command/cli/take.h"
#include "command/verbs/complete.h"
#include "command/verbs/verbs.h"

/* What failed because a file could not be read when its kind was asked for may look like something else. */
static int main_fail(const perp_error *err)
{
    const char *unread = perp_unread();
    bool told = !unread || strstr(err->text, unread) != NULL;

    output_print(stderr, OUTPUT_BAD, "%s%s%s", err->text, told ? "" : "; ",
                 told ? "" : unread);
    fputc('\n', stderr);
    if (err->status == PERP_ERR_MEMORY) {
        take_remove();
        _exit(CLI_BAD_INPUT); /* the function of libhdf5 at exit may need memory */
    }
    return CLI_BAD_INPUT;
}

/* `perp solve --solver lemke --help` lists the options of lemke as well. */
static void main_help(const cli_args *args)
{
    const char *name = args->verb->solver ? cli_args_value(args, "solver") : NULL;
    const perp_solver_type *type = NULL;
    perp_options opt;

    opt.inner = NULL;
    if (name) {
        plugin_parse(name, &type, &opt, NULL);
    }
    help_verb(stdout, args->verb, args->help_all, type, type ? opt.inner : NULL);
}

static int main_verb(const char *name, int argc, char **argv, perp_error *err)
{
    const cli_verb *verb = verb_find(name);
    cli_args args;
    int status = CLI_DONE;

    if (!verb && verb_replacement(name)) {
        const char *now = verb_replacement(name);

        perp_fail(err, PERP_ERR_OPTION, "perp: \"%s\" is now \"%s\": perp %s ...", name,
                  now, now);
        return CLI_BAD_INPUT;
    }
    if (!verb) {
        perp_nearest best;

        perp_nearest_start(&best, name);
        for (size_t k = 0; verbs[k]; k++) {
            perp_nearest_offer(&best, verbs[k]->name);
        }
        perp_fail(err, PERP_ERR_OPTION, "perp: unknown verb \"%s\", %s", name,
                  perp_nearest_advice(&best));
        return CLI_BAD_INPUT;
    }
    if (cli_args_read(&args, verb, argc, argv, err) != PERP_OK ||
        plugin_load_typed(&args, err) != PERP_OK) {
        return CLI_BAD_INPUT;
    }
    if (args.help) {
        main_help(&args);
    } else if (standard_output(&args, err) != PERP_OK ||
               input_copy(&args, err) != PERP_OK ||
               (verb->numbers && perp_blas_reserve(err) != PERP_OK)) {
        status = CLI_BAD_INPUT;
    } else {
        status = verb->run(&args, err);
    }
    return status;
}

/* The man page of a verb, or of the whole command. */
static int main_manual(const char *name, perp_error *err)
{
    const cli_verb *verb = name ? verb_find(name) : NULL;

    if (name && !verb) {
        perp_fail(err, PERP_ERR_OPTION, "perp: no verb \"%s\"", name);
        return CLI_BAD_INPUT;
    }
    if (verb) {
        manual_verb(stdout, verb, verbs);
    } else {
        manual_all(stdout, verbs);
    }
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    perp_error err = {0};
    int status = CLI_DONE;

    standard_reserve();
    take_for_json();
    H5dont_atexit(); /* at exit HDF5 fails on a file that a full disk kept open */
    heap_retain();
    machine_threads();
    signal(SIGXFSZ, SIG_IGN); /* a full disk is an error to report, not an end */
    if (!*word) {
        help_all(stderr, verbs);
        return CLI_BAD_INPUT;
    }
    if (strcmp(word, "--version") == 0) {
        printf("perp %s (%s)\n", perp_version(), machine_commit());
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_all(stdout, verbs);
    } else if (strcmp(word, "--completion") == 0) {
        if (completion_print(stdout, argc > 2 ? argv[2] : "", &err) != PERP_OK) {
            status = CLI_BAD_INPUT;
        }
    } else if (strcmp(word, "--complete") == 0) { /* for the scripts of --completion */
        complete_words(stdout, argc - 2, argv + 2);
    } else if (strcmp(word, "manual") == 0) { /* for the build: no verb of its own */
        status = main_manual(argc > 2 ? argv[2] : NULL, &err);
    } else if (strcmp(word, "help") == 0 && argc > 2) {
        char help[] = "--help";
        char *words[] = {help};

        status = main_verb(argv[2], 1, words, &err);
    } else if (strcmp(word, "help") == 0) {
        help_all(stdout, verbs);
    } else {
        status = main_verb(word, argc - 2, argv + 2, &err);
    }
    standard_rename(&err);
    input_rename(&err);
    plugin_unload();
    if (err.status == PERP_OK) {
        output_flush(stdout, "standard output", &err);
    }
    return err.status == PERP_OK ? status : main_fail(&err);
}
