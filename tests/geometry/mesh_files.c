/* SPDX-License-Identifier: Apache-2.0
 * tests/geometry/mesh_files.c: OBJ and STL: what is read, and the place of each fault. */
#include <config.h>

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"
#include "scarce.h"
#include "world/world.h"

static const char tetrahedron[] = "# a corner of a cube\n"
                                  "mtllib none.mtl\no it\n"
                                  "v 0 0 0\nv 1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\n"
                                  "v 0 0 1e0\n"
                                  "vt 0 0\nvn 0 0 1\ng all\nusemtl red\ns off\n"
                                  "f 1 3 2\nf 1/1 2/1 4/1\nf 1//1 -1//1 3//1\n"
                                  "f 2/1/1 3/1/1 4/1/1 # slanted\n"
                                  "l 1 2\np 1\n";

static perp_mesh *parse(const char *text, size_t length, double scale)
{
    perp_mesh *m = NULL;
    perp_error err = {0};

    if (perp_mesh_parse(&m, text, length, "file", scale, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a mesh");
    }
    return m;
}

static void check_tetrahedron(perp_mesh *m, double size)
{
    double mass = 0.0;
    double c[3], I[9];
    double expected = size * size * size / 6.0;

    CU_ASSERT_EQUAL(m->point_count, 4);
    CU_ASSERT_EQUAL(m->triangle_count, 4);
    CU_ASSERT_TRUE(m->closed);
    OK(perp_inertia_mesh(1.0, m->point, 4, m->corner, &mass, c, I, NULL));
    CU_ASSERT_DOUBLE_EQUAL(mass, expected, 1e-14 * expected);
}

TEST(obj_says_its_points_and_faces_in_many_ways)
{
    check_tetrahedron(parse(tetrahedron, sizeof tetrahedron - 1, 1.0), 1.0);
    check_tetrahedron(parse(tetrahedron, sizeof tetrahedron - 1, 0.001), 0.001);
}

/* With CR LF, with CR alone, and without an end of the last line. */
TEST(lines_end_in_three_ways)
{
    char text[2 * sizeof tetrahedron];

    for (int way = 0; way < 2; way++) {
        size_t n = 0;

        for (const char *p = tetrahedron; *p; p++) {
            if (*p == '\n') {
                text[n++] = '\r';
            }
            if (*p != '\n' || way == 0) {
                text[n++] = *p;
            }
        }
        check_tetrahedron(parse(text, n, 1.0), 1.0);
    }
    check_tetrahedron(parse(tetrahedron, sizeof tetrahedron - 2, 1.0), 1.0);
}

TEST(long_lines_are_joined_and_polygons_are_fans)
{
    static const char text[] = "v 0 0 0\nv 1 0 \\\n0\nv 2 1 0\nv 1 2 0\r\nv 0 1 0\n"
                               "f 1 2 \\\r\n  3 4\\\n 5\n";
    perp_mesh *m = parse(text, sizeof text - 1, 1.0);
    const int32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};

    CU_ASSERT_EQUAL(m->triangle_count, 3);
    CU_ASSERT_EQUAL(memcmp(m->corner, fan, sizeof fan), 0);
    CU_ASSERT_FALSE(m->closed);
}

static const char facets[] = "solid two words\n"
                             "facet normal 0 0 nan\nouter loop\nvertex 0 0 0\n"
                             "vertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
                             "  FACET NORMAL 0 0 0 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 "
                             "VERTEX 0 0 1 ENDLOOP ENDFACET\n"
                             "endsolid two words\n"
                             "solid\n"
                             "facet normal 9 9 9\nouter loop\nvertex 0 0 0\n"
                             "vertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
                             "facet normal 0 0 0\nouter loop\nvertex 1 0 0\n"
                             "vertex 0 1 0\nvertex 0.0 0.0 +1.0E0\nendloop\nendfacet\n"
                             "endsolid";

TEST(stl_as_text_may_hold_many_solids)
{
    check_tetrahedron(parse(facets, sizeof facets - 1, 1.0), 1.0);
    check_tetrahedron(parse(facets, sizeof facets - 1, 1e6), 1e6);
}

/* A facet of two points and one of three on a line, as exports have them. */
TEST(facets_without_area_are_left_out)
{
    static const char thin[] =
        "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\n"
        "vertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n"
        "solid y\nfacet normal 0 0 0\nouter loop\nvertex 5 0 0\n"
        "vertex 7 0 0\nvertex 6 0 0\nendloop\nendfacet\nendsolid\n";
    char text[sizeof thin + sizeof facets];
    perp_mesh *m = NULL;

    snprintf(text, sizeof text, "%s%s", thin, facets);
    m = parse(text, strlen(text), 1.0);
    CU_ASSERT(m->thin_count == 2 && m->first_thin == 0 && m->sliver_count == 0);
    check_tetrahedron(m, 1.0);
}

enum { BINARY = 84 + 4 * 50 };

static void put_u32(char *at, uint32_t x)
{
    for (int k = 0; k < 4; k++) {
        at[k] = (char)(x >> (8 * k) & 255);
    }
}

static void put_float(char *at, float x)
{
    uint32_t bits = 0;

    memcpy(&bits, &x, sizeof bits);
    put_u32(at, bits);
}

static void binary_tetrahedron(char bytes[BINARY], const char *head)
{
    static const float point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int corner[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

    memset(bytes, 0, BINARY);
    memcpy(bytes, head, strlen(head));
    put_u32(bytes + 80, 4);
    for (int k = 0; k < 36; k++) {
        put_float(bytes + 84 + 50 * (k / 9) + 12 + 4 * (k % 9),
                  point[corner[k / 3]][k % 3]);
    }
}

TEST(binary_stl_is_recognized_by_its_size)
{
    char bytes[BINARY];

    binary_tetrahedron(bytes, "some program");
    check_tetrahedron(parse(bytes, sizeof bytes, 1.0), 1.0);
    binary_tetrahedron(bytes, "solid like text");
    check_tetrahedron(parse(bytes, sizeof bytes, 2.0), 2.0);
}

static void refused(const char *text, size_t length, perp_status status,
                    const char *expected)
{
    perp_mesh *m = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_mesh_parse(&m, text, length, "f", 1.0, &err), status);
    CU_ASSERT_PTR_NULL(m);
    if (strcmp(err.text, expected) != 0) {
        test_note("found    %s\nexpected %s", err.text, expected);
        CU_FAIL("the message");
    }
}

TEST(faults_of_binary_stl_have_a_byte)
{
    char bytes[BINARY];
    char longer[BINARY + 2] = "";

    binary_tetrahedron(bytes, "head");
    refused(
        bytes, sizeof bytes - 1, PERP_ERR_FORMAT,
        "f: byte 283: the file ends, expected a header of 84 bytes and 50 bytes for each "
        "triangle that bytes 80 to 83 announce");
    refused(
        bytes, 60, PERP_ERR_FORMAT,
        "f: byte 60: the file ends, expected a header of 84 bytes and 50 bytes for each "
        "triangle that bytes 80 to 83 announce");
    memcpy(longer, bytes, sizeof bytes);
    refused(longer, sizeof longer, PERP_ERR_FORMAT,
            "f: byte 284: the file goes on for 2 bytes, expected its end after the 4 "
            "triangles that bytes 80 to 83 announce");
    put_float(bytes + 84 + 50 + 12 + 4, NAN);
    refused(bytes, sizeof bytes, PERP_ERR_DATA,
            "f: byte 150: a coordinate of triangle 1 is nan, expected a finite number");
}

TEST(bytes_that_are_not_text_are_replaced_in_messages)
{
    static const char text[] = "v 0 0 0\n\xff\x01garbage";
    char wide[400] = "v 0 ";

    refused(text, sizeof text - 1, PERP_ERR_FORMAT,
            "f:2:1: the statement is \"??garbage\", expected a statement of OBJ, such as "
            "v, f, vn, vt, g, o, s");
    memset(wide + 4, '1', sizeof wide - 4); /* a word beyond all numbers */
    refused(wide, sizeof wide, PERP_ERR_FORMAT,
            "f:1:5: y is \"11111111111111111111111111111111111111111111111111111111"
            "1111\", expected a number");
}

TEST(scales_are_positive)
{
    static const double scales[] = {0.0, -1.0, NAN, INFINITY};
    perp_mesh *m = NULL;
    perp_error err = {0};

    for (int k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(perp_mesh_parse(&m, tetrahedron, sizeof tetrahedron - 1, "f",
                                        scales[k], NULL),
                        PERP_ERR_DATA);
    }
    CU_ASSERT_EQUAL(perp_mesh_parse(&m, "v 1e300 0 0\n", 12, "f", 1e300, &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "f: point 0 times 1e+300 is not finite");
}

static const char *write_file(const char *name, const char *bytes, size_t length)
{
    const char *path = test_scratch(name);
    FILE *f = fopen(path, "wb");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, length, f), length);
    fclose(f);
    return path;
}

TEST(files_are_read_by_their_name)
{
    const char *path = write_file("it.obj", tetrahedron, sizeof tetrahedron - 1);
    perp_mesh *m = NULL;
    perp_error err = {0};

    OK(perp_mesh_read(&m, path, 1.0, NULL));
    check_tetrahedron(m, 1.0);
    remove(path);
    CU_ASSERT_EQUAL(perp_mesh_read(&m, path, 1.0, &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NULL(m);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "it.obj: cannot open: "));
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_mesh_read(&m, test_source(), 1.0, &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "cannot read: "));
}

TEST(points_are_read_without_faces)
{
    static const char cloud[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n";
    const char *path = write_file("cloud.obj", cloud, sizeof cloud - 1);
    char bytes[BINARY];
    size_t n = 0;
    double *points = NULL;
    perp_polytope *h = NULL;

    OK(perp_points_read(&n, &points, path, 2.0, NULL));
    CU_ASSERT_EQUAL_FATAL(n, 5);
    CU_ASSERT_EQUAL(points[3], 2.0);
    OK(perp_polytope_new(&h, n, points, NULL));
    CU_ASSERT_EQUAL(h->corner_count, 4);
    free(points);
    binary_tetrahedron(bytes, "");
    path = write_file("cloud.stl", bytes, sizeof bytes);
    OK(perp_points_read(&n, &points, path, 1.0, NULL));
    CU_ASSERT_EQUAL_FATAL(n, 12);
    OK(perp_polytope_new(&h, n, points, NULL));
    CU_ASSERT_EQUAL(h->corner_count, 4);
    free(points);
    path = write_file("none.obj", "v 1 2\n", 6);
    CU_ASSERT_EQUAL(perp_points_read(&n, &points, path, 1.0, NULL), PERP_ERR_FORMAT);
    CU_ASSERT(n == 0 && points == NULL);
}

/* Where this machine has a language with a decimal comma. */
TEST(numbers_have_a_point_in_every_language)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    const char *found = NULL;

    for (int k = 0; k < 3 && !found; k++) {
        found = setlocale(LC_ALL, names[k]);
    }
    if (!found) {
        test_note("no such language here");
    }
    check_tetrahedron(parse(facets, sizeof facets - 1, 1.0), 1.0);
    setlocale(LC_ALL, "C");
}

static perp_status parse_once(void *context, perp_error *err)
{
    const char *const *text = context;
    perp_mesh *m = NULL;
    perp_status status = perp_mesh_parse(&m, text[0], strlen(text[0]), "f", 1.0, err);

    CU_ASSERT_EQUAL(status == PERP_OK, m != NULL);
    return status;
}

static perp_status points_once(void *context, perp_error *err)
{
    size_t n = 0;
    double *points = NULL;
    perp_status status = perp_points_read(&n, &points, context, 1.0, err);

    CU_ASSERT_EQUAL(status == PERP_OK, points != NULL);
    free(points);
    return status;
}

TEST(readers_survive_without_memory)
{
    const char *text = tetrahedron;
    char path[1024];

    scarce_everywhere(parse_once, &text, "OBJ");
    text = facets;
    scarce_everywhere(parse_once, &text, "STL");
    snprintf(path, sizeof path, "%s",
             write_file("scarce.obj", tetrahedron, sizeof tetrahedron - 1));
    scarce_everywhere(points_once, path, "points");
}
