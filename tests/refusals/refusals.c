/* SPDX-License-Identifier: Apache-2.0
 * tests/refusals/refusals.c: texts that a reader refuses, each with the whole line that it
 * says. A file holds texts of one topic; README.md beside it says how to add one. */
#include <config.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"

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

static char *file_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fseek(f, 0, SEEK_END);
    length = (size_t)ftell(f);
    rewind(f);
    text = test_alloc(length + 1, 1);
    CU_ASSERT_EQUAL(fread(text, 1, length, f), length);
    fclose(f);
    return text;
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
static bool says(const char *found, const char *expected, size_t length)
{
    if (length > 3 && strncmp(expected + length - 3, "...", 3) == 0) {
        return strncmp(found, expected, length - 3) == 0;
    }
    return strlen(found) == length && strncmp(found, expected, length) == 0;
}

/* The end of the text that begins here: its last newline, and a blank line before the next
 * mark, do not belong to it. */
static const char *text_end(const char *text, const char **next)
{
    const char *end = text;

    while (*end && strncmp(end, "//= ", 4) != 0) {
        const char *newline = strchr(end, '\n');

        end = newline ? newline + 1 : end + strlen(end);
    }
    *next = end;
    end -= end > text;
    return *next > text + 1 && **next && end[-1] == '\n' ? end - 1 : end;
}

/* Where refusals stand, and who reads them. */
typedef struct source {
    reader *read;
    const char *folder, *file; /* folder: with its last slash */
    char name[1100];           /* what the reader is told */
} source;

/* A refusal: its line in the file, the text, the message without its newline. */
typedef struct refusal {
    size_t line, length, message_length;
    perp_status status;
    const char *text, *message;
} refusal;

static void refuse_one(const source *s, const refusal *r)
{
    size_t mark = test_mark();
    const void *made = NULL;
    perp_error err = {0};
    perp_status found = s->read(r->text, r->length, s->name, &made, &err);
    bool right = false;

    drop_folder(err.text, s->folder);
    right = says(err.text, r->message, r->message_length);
    if (found != r->status || !right) {
        test_note("%s:%zu: found    %s: %s", s->file, r->line, perp_status_text(found),
                  err.text);
        test_note("%s:%zu: expected %s: %.*s", s->file, r->line,
                  perp_status_text(r->status), (int)r->message_length, r->message);
    }
    CU_ASSERT_EQUAL(found, r->status);
    CU_ASSERT_EQUAL(err.status, r->status);
    CU_ASSERT(right);
    CU_ASSERT_PTR_NULL(made);
    test_release(mark);
}

static void refuse_file(const source *s)
{
    const char *at = file_text(s->file);
    refusal r = {.line = 1};

    for (; *at && strncmp(at, "//= ", 4) != 0; at = strchr(at, '\n') + 1) {
        r.line++; /* what the file says of itself */
        CU_ASSERT_PTR_NOT_NULL_FATAL(strchr(at, '\n'));
    }
    CU_ASSERT_FATAL(*at != '\0');
    for (const char *next = at; *at; at = next) {
        const char *end = strchr(at, '\n');

        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        r.status = status_of(at + 4, &r.message);
        r.message_length = (size_t)(end - r.message);
        r.text = end + 1;
        r.length = (size_t)(text_end(r.text, &next) - r.text);
        refuse_one(s, &r);
        for (; at < next; at++) {
            r.line += *at == '\n';
        }
    }
}

/* All files of tests/refusals/FOLDER with this ending. Their texts are called s.ENDING. */
static void refuse(reader *read, const char *name, const char *ending)
{
    char folder[1024], pattern[1100];
    source s = {.read = read, .folder = folder};
    glob_t files = {0};

    snprintf(folder, sizeof folder, "%s/tests/refusals/%s/", test_source(), name);
    snprintf(pattern, sizeof pattern, "%s*.%s", folder, ending);
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &files), 0);
    snprintf(s.name, sizeof s.name, "%ss.%s", folder, ending);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        s.file = files.gl_pathv[k];
        refuse_file(&s);
    }
    globfree(&files);
}

TEST(scenes_are_refused)
{
    refuse(scene, "scene", "json");
}

TEST(robots_are_refused)
{
    refuse(urdf, "urdf", "urdf");
}

TEST(robots_whose_base_is_to_float_are_refused)
{
    refuse(floating, "urdf_floating", "urdf");
}

TEST(surfaces_are_refused)
{
    refuse(mesh, "mesh", "obj");
    refuse(mesh, "mesh", "stl");
}

TEST(siconos_problems_are_refused)
{
    refuse(siconos, "siconos", "dat");
}
