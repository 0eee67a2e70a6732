/* SPDX-License-Identifier: Apache-2.0
 * tests/refusals/refusals.c: texts that a reader refuses, each with the whole line that it
 * says, a test of its own. README.md beside it says how to add one. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "marked_texts.h"

/* A text as a file of this path. What it made, if anything, is not NULL. */
typedef perp_status reader(const char *text, size_t length, const char *path,
                           const void **made, perp_error *err);

/* ---- the readers ---- */

static perp_status scene(const char *text, size_t length, const char *path,
                         const void **made, perp_error *err)
{
    perp_scene *s = NULL;
    perp_status status = perp_scene_parse(&s, text, length, path, err);

    *made = s;
    return status;
}

/* A robot that is refused leaves the world as it was. */
static perp_status read_robot(const char *text, size_t length, const char *path,
                              const perp_urdf_options *opt, const void **made,
                              perp_error *err)
{
    perp_world *w = test_world(3, 9.81);
    perp_urdf *robot = NULL;
    perp_status status = PERP_OK;

    test_ball(w, "ball", 1.0, 0.1, 0.0, 0.0, 0.0);
    status = perp_urdf_parse(w, text, length, path, opt, &robot, err);
    *made = robot;
    CU_ASSERT_EQUAL(w->body_count, 1);
    CU_ASSERT_EQUAL(w->shape_count, 0);
    CU_ASSERT_EQUAL(w->joint_count, 0);
    CU_ASSERT_EQUAL(perp_world_find_body(w, "ball"), 0);
    CU_ASSERT_EQUAL(perp_world_find_body(w, "a"), -1);
    return status;
}

static perp_status urdf(const char *text, size_t length, const char *path,
                        const void **made, perp_error *err)
{
    return read_robot(text, length, path, NULL, made, err);
}

static perp_status floating(const char *text, size_t length, const char *path,
                            const void **made, perp_error *err)
{
    const perp_urdf_options opt = {.base = PERP_URDF_BASE_FLOATING};

    return read_robot(text, length, path, &opt, made, err);
}

static perp_status mesh(const char *text, size_t length, const char *path,
                        const void **made, perp_error *err)
{
    perp_mesh *m = NULL;
    perp_status status = perp_mesh_parse(&m, text, length, path, 1.0, err);

    *made = m;
    return status;
}

static perp_status problem(const char *text, size_t length, const char *format,
                           const void **made, perp_error *err)
{
    const perp_read_options opt = {.format = format};
    perp_problem *p = NULL;
    perp_status status = perp_problem_read_memory(&p, text, length, &opt, NULL, err);

    *made = p;
    return status;
}

static perp_status siconos(const char *text, size_t length, const char *path,
                           const void **made, perp_error *err)
{
    (void)path;
    return problem(text, length, "siconos", made, err);
}

/* ---- the files ---- */

/* How a mark names the status of a refusal. */
static const struct {
    const char *name;
    perp_status status;
} statuses[] = {
    {"read ", PERP_ERR_READ},     {"format ", PERP_ERR_FORMAT},
    {"data ", PERP_ERR_DATA},     {"unsuitable ", PERP_ERR_UNSUITABLE},
    {"option ", PERP_ERR_OPTION}, {"argument ", PERP_ERR_ARGUMENT},
};

/* The status that a mark begins with; *message: what follows. */
static perp_status status_of(const char *mark, const char **message)
{
    for (size_t k = 0; k < sizeof statuses / sizeof *statuses; k++) {
        size_t length = strlen(statuses[k].name);

        if (strncmp(mark, statuses[k].name, length) == 0) {
            *message = mark + length;
            return statuses[k].status;
        }
    }
    test_note("no status: %.40s", mark);
    CU_FAIL_FATAL("a status");
    return PERP_OK;
}

/* Messages name files without their folder. */
static void drop_folder(char *text, const char *folder)
{
    size_t length = strlen(folder);

    for (char *p = text; (p = strstr(p, folder));) {
        memmove(p, p + length, strlen(p + length) + 1);
    }
}

/* Whether it is the message, or begins with what stands before "..." in it. */
static bool says(const char *found, const char *expected)
{
    const size_t length = strlen(expected);

    return length > 3 && strcmp(expected + length - 3, "...") == 0
               ? strncmp(found, expected, length - 3) == 0
               : strcmp(found, expected) == 0;
}

/* Texts are called s.ENDING, in their folder. */
static const struct source {
    reader *read;
    const char *folder, *ending;
} sources[] = {
    {scene, "scene", "json"}, {urdf, "urdf", "urdf"}, {floating, "urdf_floating", "urdf"},
    {mesh, "mesh", "obj"},    {mesh, "mesh", "stl"},  {siconos, "siconos", "dat"},
};

enum { MOST_REFUSALS = 1000 };

static struct refusal {
    const struct source *from;
    marked_text text;
    char name[100];
} refusals[MOST_REFUSALS];
static size_t refusal_count;

static void refuse(void)
{
    const struct refusal *r = &refusals[test_number()];
    const char *message = NULL;
    const perp_status expected = status_of(r->text.mark, &message);
    const void *made = NULL;
    perp_error err = {0};
    perp_status found = PERP_OK;
    char folder[1024], path[1100];
    bool right = false;

    snprintf(folder, sizeof folder, "%s/tests/refusals/%s/", test_source(),
             r->from->folder);
    snprintf(path, sizeof path, "%ss.%s", folder, r->from->ending);
    found = r->from->read(r->text.text, strlen(r->text.text), path, &made, &err);
    drop_folder(err.text, folder);
    right = says(err.text, message);
    if (found != expected || !right) {
        test_note("found    %s: %s", perp_status_text(found), err.text);
        test_note("expected %s: %s", perp_status_text(expected), message);
    }
    CU_ASSERT_EQUAL(found, expected);
    CU_ASSERT_EQUAL(err.status, expected);
    CU_ASSERT(right);
    CU_ASSERT_PTR_NULL(made);
}

static void add_refusal(const void *source, const marked_text *text)
{
    struct refusal *r = &refusals[refusal_count++];

    if (refusal_count > MOST_REFUSALS) {
        puts("Bail out! tests/refusals/refusals.c: raise MOST_REFUSALS");
        exit(99);
    }
    r->from = source;
    r->text = *text;
    snprintf(r->name, sizeof r->name, "%s%s:%zu is refused", r->from->folder,
             strrchr(text->path, '/'), text->line);
    test_add(__FILE__, r->name, refuse);
}

TEST_SETUP
{
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        char folder[64];

        snprintf(folder, sizeof folder, "refusals/%s", sources[k].folder);
        marked_texts(folder, sources[k].ending, add_refusal, &sources[k]);
    }
}
