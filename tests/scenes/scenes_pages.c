/* SPDX-License-Identifier: Apache-2.0
 * tests/scenes/scenes_pages.c: every scene that comes with perp runs, is installed, has
 * a page with its parameters, and stands in the list of docs/scenes/README.md under its
 * title. */
#include <config.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_run.h"

/* A whole file of the source as text, or NULL; the caller frees it. */
static char *slurp(const char *name)
{
    char path[4096];
    FILE *f = NULL;
    char *text = NULL;
    long size = 0;

    snprintf(path, sizeof path, "%s/%s", test_source(), name);
    f = fopen(path, "r");
    if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        text = test_alloc((size_t)size + 1, 1);
        CU_ASSERT_EQUAL(fread(text, 1, (size_t)size, f), (size_t)size);
    }
    if (f) {
        fclose(f);
    }
    return text;
}

static void expect(const char *text, const char *what, const char *name)
{
    if (!text || !strstr(text, what)) {
        test_note("%s: there is no \"%s\"", name, what);
        CU_FAIL("page of a scene");
    }
}

static void check_scene(const char *name)
{
    char *list = slurp("docs/scenes/README.md");
    char *build = slurp("experiments/scenes/local.mk");
    char file[256];
    char line[512];
    char *page = NULL;
    perp_scene *scene = play_read(name); /* and it has title, description and answer */
    perp_options opt;
    const perp_solver_type *type = NULL;

    OK(perp_solver_parse(scene->solver, &type, &opt, NULL));
    snprintf(file, sizeof file, "docs/scenes/%s.md", name);
    page = slurp(file);
    snprintf(line, sizeof line, "`perp simulate %s`, file `experiments/scenes/%s.json`",
             name, name);
    expect(page, line, file);
    expect(page, "\n| what | known | found |\n", file);
    snprintf(line, sizeof line, "| [%s](%s.md) | %s |", name, name, scene->title);
    expect(list, line, "docs/scenes/README.md");
    snprintf(line, sizeof line, "/%s.json", name);
    expect(build, line, "experiments/scenes/local.mk");
    for (size_t k = 0; k < scene->parameter_count; k++) {
        if (scene->parameters[k].help[0]) { /* others are computed from these */
            snprintf(line, sizeof line, "`%s`", scene->parameters[k].name);
            expect(page, line, file);
        }
    }
}

/* In the order of their names. */
static void each_scene(void (*visit)(const char *name))
{
    char pattern[4096];
    glob_t found = {0};

    snprintf(pattern, sizeof pattern, "%s/experiments/scenes/*.json", test_source());
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        const char *stem = strrchr(found.gl_pathv[k], '/') + 1;
        char name[128];

        snprintf(name, sizeof name, "%.*s", (int)(strlen(stem) - strlen(".json")), stem);
        visit(name);
    }
    globfree(&found);
}

TEST(every_scene_has_a_page_a_line_in_the_list_and_is_installed)
{
    each_scene(check_scene);
}

/* Each step solved to 1e-8, the books of all steps in order. */
static void run_scene(const char *name)
{
    play p = play_scene(name);

    if (play_long()) {
        play_until(&p, p.time);
    } else {
        play_steps(&p, play_brief() ? 2 : 10);
    }
    play_end(&p);
}

TEST(every_scene_runs_by_its_own_solver)
{
    each_scene(run_scene);
}
