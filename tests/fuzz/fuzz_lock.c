/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_lock.c: any bytes as the locked results of a paper: lock.json, numbers.csv and
 * the points of one figure. They are compared with sound results and with themselves. */
#include <config.h>

#include "command/paper/paper.h"
#include "fuzz_folder.h"

static const char *const names[] = {"lock.json", "numbers.csv", "a/drift.csv", NULL};
static const fuzz_folder locked_files = {.names = names};

static const char lock[] =
    "{\"studies\": {\"a\": {\"instances\": {\"x\": \"01\", \"y\": \"02\"}}}, "
    "\"machines\": []}\n";
static const char numbers[] = "name,value\nslope,1.5\n";
static const char drift[] = "figure,panel,series,form,dt [s],drift [J]\n"
                            "drift,,euler,line,0.1,0.25,,,,,,\n"
                            "drift,,euler,line,0.2,0.5,,,,,,\n";

static void make_folder(const char *folder)
{
    char path[FUZZ_PATH];

    mkdir(folder, 0700);
    fuzz_in_folder(path, folder, "a");
    mkdir(path, 0700);
}

static void clear_folder(const char *folder)
{
    char path[FUZZ_PATH];

    fuzz_clear_folder(folder, &locked_files);
    fuzz_in_folder(path, folder, "a");
    rmdir(path);
    rmdir(folder);
}

static void put_text(const char *folder, const char *name, const char *text)
{
    char path[FUZZ_PATH];

    fuzz_in_folder(path, folder, name);
    fuzz_put(path, (const uint8_t *)text, strlen(text));
}

static void compare(const paper *p, const char *fresh, const char *locked)
{
    FILE *out = fopen("/dev/null", "w");
    size_t differences = 0;
    perp_error err = {0};

    if (!out) {
        abort();
    }
    if (paper_check(p, fresh, locked, out, &differences, &err) != PERP_OK &&
        !err.text[0]) {
        abort();
    }
    fclose(out);
}

FUZZ(lock)
{
    paper_study study = {.name = "a"};
    paper_number number = {.name = "slope", .result = 1.5, .tolerance = 1e-6};
    const paper p = {.times = 2.0,
                     .curves = 1e-6,
                     .studies = &study,
                     .study_count = 1,
                     .numbers = &number,
                     .number_count = 1};
    char locked[128];
    char fresh[128];

    fuzz_path(locked, "locked");
    fuzz_path(fresh, "fresh");
    make_folder(locked);
    make_folder(fresh);
    fuzz_put_folder(locked, &locked_files, data, size);
    put_text(fresh, names[0], lock);
    put_text(fresh, names[1], numbers);
    put_text(fresh, names[2], drift);
    compare(&p, fresh, locked);
    compare(&p, locked, locked);
    clear_folder(locked);
    clear_folder(fresh);
    return 0;
}
