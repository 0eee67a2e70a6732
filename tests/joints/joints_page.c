/* SPDX-License-Identifier: Apache-2.0
 * tests/joints/joints_page.c: docs/joints.md says what the types of joints say. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "joints/joints.h"

/* docs/joints.md as a text; the caller frees it. */
static char *read_page(void)
{
    const long most = 1 << 16;
    char path[1024];
    FILE *file = NULL;
    char *text = test_alloc((size_t)most, 1);
    size_t length = 0;

    snprintf(path, sizeof path, "%s/docs/joints.md", test_source());
    file = fopen(path, "r");
    CU_ASSERT_FATAL(file && text);
    length = fread(text, 1, (size_t)most - 1, file);
    CU_ASSERT_FATAL(length > 0 && length < (size_t)most - 1);
    fclose(file);
    return text;
}

static void expect_in(const char *section, const char *what, const char *type)
{
    if (!strstr(section, what)) {
        test_note("docs/joints.md, %s: expected\n%s", type, what);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(section, what));
}

/* The section of a type, cut out: the caller frees it. */
static char *section_of(const char *page, const char *name)
{
    char title[64];
    const char *begin = NULL;
    const char *end = NULL;

    snprintf(title, sizeof title, "\n## %s\n", name);
    begin = strstr(page, title);
    CU_ASSERT_PTR_NOT_NULL_FATAL(begin);
    end = strstr(begin + 1, "\n## ");
    return strndup(begin, end ? (size_t)(end - begin) : strlen(begin));
}

/* Name, summary, picture, names of rows and units of coordinates. */
TEST(the_page_shows_every_type)
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);
    char *page = read_page();

    for (size_t t = 0; t < count; t++) {
        const perp_joint_type *type = types[t];
        char *section = section_of(page, type->name);
        char text[1024];

        expect_in(section, type->summary + 1, type->name); /* there with a capital */
        snprintf(text, sizeof text, "\n```\n%s```\n", type->picture);
        expect_in(section, text, type->name);
        for (unsigned k = 0; k < type->rows; k++) {
            expect_in(section, type->row_name[k], type->name);
        }
        for (unsigned k = 0; k < type->axes; k++) {
            snprintf(text, sizeof text, "[%s]", perp_axis_unit_text(type->axis_unit[k]));
            expect_in(section, text, type->name);
        }
        free(section);
    }
}

TEST(the_page_has_the_types_in_their_order_and_no_other)
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);
    char *page = read_page();
    const char *at = strstr(page, "\n## spherical\n");

    for (size_t t = 0; t < count; t++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        CU_ASSERT_NSTRING_EQUAL(at + strlen("\n## "), types[t]->name,
                                strlen(types[t]->name));
        at = strstr(at + 1, "\n## ");
    }
    CU_ASSERT_PTR_NULL(at);
}

/* A scene of two bodies with the joint that `text` says. */
static perp_scene *scene_with(const char *text, size_t length)
{
    static const char head[] = "{\"bodies\": ["
                               "{\"name\": \"upper\", \"position\": [0, 0, 1.5], "
                               "\"mass\": 1, \"inertia\": [1, 1, 1]}, "
                               "{\"name\": \"lower\", \"position\": [0.1, 0, 0.5], "
                               "\"mass\": 1, \"inertia\": [1, 1, 1]}"
                               "], \"joints\": [";
    char scene[2048];
    perp_scene *s = NULL;
    perp_error err = {0};

    snprintf(scene, sizeof scene, "%s%.*s]}", head, (int)length, text);
    if (perp_scene_parse(&s, scene, strlen(scene), "page", &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(s->world->joint_count, 1);
    return s;
}

TEST(the_example_of_a_scene_is_one)
{
    char *page = read_page();
    const char *begin = strstr(page, "```\n{");
    const char *end = begin ? strstr(begin, "}\n```") : NULL;
    perp_scene *s = NULL;
    const perp_joint *j = NULL;

    CU_ASSERT_FATAL(begin && end);
    s = scene_with(begin + 4, (size_t)(end + 1 - (begin + 4)));
    j = s->world->joints;
    CU_ASSERT_STRING_EQUAL(j->name, "elbow");
    CU_ASSERT_PTR_EQUAL(j->type, &joint_revolute);
    CU_ASSERT(j->axes[0].has_lower && j->axes[0].has_upper);
    CU_ASSERT_EQUAL(j->axes[0].motor, PERP_MOTOR_SERVO);
    CU_ASSERT_EQUAL(j->axes[0].max_force, 20.0);
    CU_ASSERT_EQUAL(j->axes[0].stiffness, 5.0);
}

/* Each member that the paragraph "Writes ..." of a section has in backquotes,
 * with a value. */
static void add_members(const char *section, char *text, size_t size)
{
    static const struct member {
        const char *name, *value;
    } members[] = {
        {"`at`", "\"at\": [0, 0, 1]"},
        {"`axis`", "\"axis\": [0, 0, 1]"},
        {"`axis2`", "\"axis2\": [1, 0, 0.5]"},
        {"`angle`", "\"angle\": \"40 deg\""},
        {"`anchors`", "\"anchors\": [[0, 0, -0.3], [0, 0, 0.3]]"},
        {"`length`", "\"length\": 0.6"},
    };
    const char *writes = strstr(section, "\nWrites ");

    CU_ASSERT_PTR_NOT_NULL_FATAL(writes);
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        if (strstr(writes, members[k].name)) {
            size_t length = strlen(text);

            snprintf(text + length, size - length, ", %s", members[k].value);
        }
    }
}

TEST(scenes_take_what_the_page_says_they_write)
{
    size_t count = 0;
    const perp_joint_type *const *types = perp_joint_types(&count);
    char *page = read_page();

    for (size_t t = 0; t < count; t++) {
        char *section = section_of(page, types[t]->name);
        char text[512];
        perp_scene *s = NULL;

        if (types[t] == &joint_user) {
            expect_in(section, "Not available in a scene", "user");
            free(section);
            continue;
        }
        snprintf(text, sizeof text,
                 "{\"type\": \"%s\", \"bodies\": [\"upper\", \"lower\"]", types[t]->name);
        add_members(section, text, sizeof text);
        strncat(text, "}", sizeof text - strlen(text) - 1);
        s = scene_with(text, strlen(text));
        CU_ASSERT_PTR_EQUAL(s->world->joints[0].type, types[t]);
        free(section);
    }
}
