/* SPDX-License-Identifier: Apache-2.0
 * web/browser_start.c: how Chromium is found and started. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "web/browser_start.h"

enum { BROWSER_FLAGS = 64, BROWSER_PROFILE = 128 };

static const char *const browser_names[] = {"chromium", "chromium-browser",
                                            "google-chrome", NULL};

static perp_status browser_find(char path[CHILD_PATH], perp_error *err)
{
    const char *chosen = getenv("PERP_CHROMIUM");

    if (chosen && *chosen) {
        return child_find(chosen, path)
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_LIBRARY,
                               "PERP_CHROMIUM is \"%.200s\", expected a program that can "
                               "be started",
                               chosen);
    }
    for (const char *const *name = browser_names; *name; name++) {
        if (child_find(*name, path)) {
            return PERP_OK;
        }
    }
    return perp_fail(err, PERP_ERR_LIBRARY,
                     "no Chromium was found (the Debian package chromium); PERP_CHROMIUM "
                     "names one that is not on the PATH");
}

/* Whether there is a device that draws. */
static bool browser_has_gpu(void)
{
    char path[64];

    for (int k = 128; k < 136; k++) {
        snprintf(path, sizeof path, "/dev/dri/renderD%d", k);
        if (access(path, R_OK | W_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Always the same picture, nothing of the user's own, nothing over the network. */
static const char *const browser_usual[] = {
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--metrics-recording-only",
    "--mute-audio",
    "--hide-scrollbars",
    "--password-store=basic",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--lang=en",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--enable-unsafe-swiftshader",
};

/* A folder whose name does not depend on the folder of work: scripts that start Chromium leave it.
 * Chromium makes a socket inside, in a folder with a name of its own; the path of a socket has at
 * most 107 bytes. */
static perp_status browser_make_profile(char profile[BROWSER_PROFILE], perp_error *err)
{
    static const char pattern[] = "/perp-chromium-XXXXXX";
    static const char within[] = "/org.chromium.Chromium.XXXXXX/SingletonSocket";
    const char *folder = perp_folder_temporary_parent();
    char *place = realpath(folder, NULL);
    perp_status status = PERP_OK;

    if (place && strlen(place) + sizeof pattern + sizeof within > 107) {
        free(place);
        place = strdup(perp_folder_temporary_usual());
    }
    snprintf(profile, BROWSER_PROFILE, "%s%s", place ? place : "", pattern);
    if (!place || !mkdtemp(profile)) {
        status = perp_fail(err, PERP_ERR_WRITE, "%.200s: no temporary folder: %s", folder,
                           strerror(errno));
    }
    free(place);
    return status;
}

/* A command line: words, ended by NULL. */
typedef struct browser_line {
    const char *words[BROWSER_FLAGS];
    size_t count;
} browser_line;

static bool browser_add(browser_line *line, const char *word)
{
    bool room = line->count + 1 < BROWSER_FLAGS;

    if (room) {
        line->words[line->count++] = word;
        line->words[line->count] = NULL;
    }
    return room;
}

/* The flags of perp, then those of PERP_CHROMIUM_FLAGS, which are cut into words in place. */
static perp_status browser_add_flags(browser_line *line, char *own, perp_error *err)
{
    bool done = true;
    char *rest = NULL;

    for (size_t k = 0; k < sizeof browser_usual / sizeof *browser_usual; k++) {
        done = browser_add(line, browser_usual[k]) && done;
    }
    if (geteuid() == 0) {
        done = browser_add(line, "--no-sandbox") && done; /* there is none for root */
    }
    if (!browser_has_gpu()) {
        done = browser_add(line, "--use-gl=angle") &&
               browser_add(line, "--use-angle=swiftshader") && done;
    }
    for (char *word = strtok_r(own, " \t\n", &rest); word;
         word = strtok_r(NULL, " \t\n", &rest)) {
        done = browser_add(line, word) && done;
    }
    return browser_add(line, "about:blank") && done
               ? PERP_OK
               : perp_fail(err, PERP_ERR_ARGUMENT,
                           "PERP_CHROMIUM_FLAGS has too many words");
}

/* Folders where it would leave files behind. */
static const char *const browser_places[3] = {"TMPDIR", "XDG_CACHE_HOME",
                                              "XDG_CONFIG_HOME"};

perp_status browser_start(child *chromium, int width, int height, perp_error *err)
{
    static const int sockets[] = {3, 4, -1};
    const char *own = getenv("PERP_CHROMIUM_FLAGS");
    char path[CHILD_PATH], profile[BROWSER_PROFILE] = "",
                           folder[BROWSER_PROFILE + 32] = "", size[64];
    char own_files[3][BROWSER_PROFILE + 32];
    const char *const variables[] = {own_files[0], own_files[1], own_files[2], NULL};
    const char *const leftover[] = {profile, NULL};
    char *flags = strdup(own ? own : "");
    browser_line line = {0};
    perp_status status =
        flags ? PERP_OK : perp_fail(err, PERP_ERR_MEMORY, "no memory for flags");

    if (status == PERP_OK) {
        status = browser_find(path, err);
    }
    if (status == PERP_OK) {
        status = browser_make_profile(profile, err);
    }
    if (status == PERP_OK) {
        snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
        snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
        for (size_t k = 0; k < 3; k++) {
            snprintf(own_files[k], sizeof own_files[k], "%s=%s", browser_places[k],
                     profile);
        }
        browser_add(&line, path);
        browser_add(&line, folder);
        browser_add(&line, size);
        status = browser_add_flags(&line, flags, err);
        if (status == PERP_OK) {
            status = child_start(chromium,
                                 &(child_orders){.argv = line.words,
                                                 .sockets = sockets,
                                                 .variables = variables,
                                                 .leftover = leftover},
                                 err);
        }
        if (status != PERP_OK) {
            rmdir(profile); /* nothing has been written there */
        }
    }
    free(flags);
    return status;
}
