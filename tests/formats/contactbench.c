/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/contactbench.c: contacts in NumPy archives: the order of rows, there and back, and
 * what is said about damaged archives. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <zip.h>

#include "files.h"
#include "instances.h"

static const char *cube(void)
{
    static char path[1024];

    snprintf(path, sizeof path, "%s/contactbench/sliding_cube.npz", test_datasets());
    return path;
}

/* The file has (T1, T2, N): g = (-0.1446, 1.3011, -0.0098, ...), seen with numpy.load. */
TEST(puts_the_normal_first)
{
    perp_notes notes = {0};
    perp_problem *p = test_read(cube(), NULL, &notes);

    CU_ASSERT_EQUAL(p->n, 12);
    CU_ASSERT_EQUAL(perp_problem_contacts(p), 4);
    CU_ASSERT_EQUAL(p->set->blocks[3].mu, 0.9);
    CU_ASSERT_EQUAL(p->law, PERP_LAW_COULOMB);
    CU_ASSERT_EQUAL(p->b[0], -0.009810000027769888);
    CU_ASSERT_EQUAL(p->b[1], -0.14457191152040244);
    CU_ASSERT_EQUAL(p->b[2], 1.3011476065843726);
    CU_ASSERT_EQUAL(p->b[11], 1.301147548190076);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 1), 3.793131652270951);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 2), 1.4634146920400455);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.7227319161151664);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 4), 1.1589854662244534);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 11, 1), -1.4634146504275218);
    CU_ASSERT_EQUAL_FATAL(p->guess_count, 1);
    CU_ASSERT_EQUAL(p->guesses[0].z[0], 0.00048409049505482576);
    CU_ASSERT_STRING_EQUAL(p->name, "sliding_cube");
    CU_ASSERT_EQUAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "normals were last"));
}

TEST(writes_what_it_read)
{
    perp_problem *p = test_read(cube(), NULL, NULL);

    files_come_back(p, test_scratch("back.contactbench.npz"), NULL, false);
}

/* The numbers of a file written here stand where NumPy would look for them. */
TEST(writes_the_arrays_of_numpy)
{
    const char *path = test_scratch("arrays.contactbench.npz");
    size_t ours = 0;
    size_t theirs = 0;
    perp_problem *p = test_read(cube(), NULL, NULL);

    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    char *a = files_get(path, &ours);
    char *b = files_get(cube(), &theirs);
    /* local header 30 bytes, name 5, npy header 128, then G: the same bytes as NumPy's,
     * whose local header has 20 more for sizes beyond 4 GiB */
    CU_ASSERT_FATAL(ours > 35 + 1280 && theirs > 55 + 1280);
    CU_ASSERT_EQUAL(memcmp(a + 30, "G.npy", 5), 0);
    CU_ASSERT_EQUAL(memcmp(a + 35 + 128, b + 55 + 128, 1152), 0);
    CU_ASSERT_EQUAL(memcmp(a + 35, b + 55, 118),
                    0); /* magic and the text of the header */
}

TEST(holds_no_contacts_at_all)
{
    perp_problem *p = test_cones(3, 0, NULL, NULL, NULL);

    if (perp_problem_kind(p) ==
        PERP_KIND_FC3D) { /* an empty product has no kind of its own */
        files_come_back(p, test_scratch("empty.contactbench.npz"), NULL, false);
    }
}

/* Change bytes at a place and expect the words. */
static void damaged(size_t at, const char *bytes, size_t length, const char *words)
{
    const char *path = test_scratch("damaged.contactbench.npz");
    size_t whole = 0;
    char *file = files_get(cube(), &whole);

    CU_ASSERT_FATAL(at + length <= whole);
    memcpy(file + at, bytes, length);
    files_put(path, file, whole);
    files_refused(path, "contactbench", words);
}

/* Where the nth copy of some bytes starts. */
static size_t find(const char *bytes, size_t length, size_t nth)
{
    size_t whole = 0;
    char *file = files_get(cube(), &whole);
    size_t at = 0;

    for (; at + length <= whole; at++) {
        if (memcmp(file + at, bytes, length) == 0 && nth-- == 0) {
            break;
        }
    }
    return at;
}

/* libzip reports what is wrong with an archive as such. */
TEST(says_what_is_wrong_with_an_archive)
{
    static const char archive[] =
        "damaged.contactbench.npz: not a readable zip archive: ";
    size_t list = find("PK\1\2", 4, 0);
    size_t end = find("PK\5\6", 4, 0);

    damaged(0, "QK", 2, archive);
    damaged(end, "QK", 2, archive);
    damaged(end + 16, "\xff\xff\xff\x7f", 4, archive);
    damaged(list, "QK", 2, archive);
    damaged(list + 28, "\xff\xff", 2, archive);
    damaged(list + 10, "\x08", 1, archive);
    damaged(list + 24, "\xff\xff\xff\xff", 4, archive);
    damaged(list + 42, "\x01", 1, archive);
    damaged(find("PK\3\4", 4, 0) + 26, "\xff\xff", 2, archive);
    damaged(list + 46, "X", 1, archive);
    damaged(find("'<f8'", 5, 0) + 1, ">", 1, "member G.npy is damaged: CRC error");
}

/* Members of these names, deflated or stored. */
static void put_archive(const char *path, const char *const *names,
                        const unsigned char *const *bytes, const size_t *sizes,
                        zip_int32_t method)
{
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(zip);
    for (zip_uint64_t k = 0; names[k]; k++) {
        zip_source_t *source = zip_source_buffer(zip, bytes[k], sizes[k], 0);

        CU_ASSERT_EQUAL(zip_file_add(zip, names[k], source, 0), (zip_int64_t)k);
        CU_ASSERT_EQUAL(zip_set_file_compression(zip, k, method, 0), 0);
    }
    CU_ASSERT_EQUAL(zip_close(zip), 0);
}

/* All members of the file that NumPy wrote, renamed by the caller. */
static void repack(const char *path, const char *const names[5], zip_int32_t method)
{
    static const char *const members[] = {"G.npy", "g.npy", "mus.npy", "lam0.npy"};
    unsigned char *bytes[4] = {NULL};
    size_t sizes[4] = {0};
    zip_t *zip = zip_open(cube(), ZIP_RDONLY, NULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(zip);
    for (size_t k = 0; k < 4; k++) {
        zip_stat_t stat;
        zip_file_t *f = zip_fopen(zip, members[k], 0);

        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        CU_ASSERT_EQUAL_FATAL(zip_stat(zip, members[k], 0, &stat), 0);
        sizes[k] = (size_t)stat.size;
        bytes[k] = malloc(sizes[k]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(bytes[k]);
        CU_ASSERT_EQUAL(zip_fread(f, bytes[k], sizes[k]), (zip_int64_t)sizes[k]);
        zip_fclose(f);
    }
    zip_discard(zip);
    put_archive(path, names, (const unsigned char *const *)bytes, sizes, method);
    for (size_t k = 0; k < 4; k++) {
        free(bytes[k]);
    }
}

/* Deflated, since the size of a stored member would no longer be right. */
TEST(an_encrypted_member_is_refused)
{
    static const char *const names[] = {"G.npy", "g.npy", "mus.npy", "lam0.npy", NULL};
    const char *path = test_scratch("encrypted.contactbench.npz");
    size_t size = 0;

    repack(path, names, ZIP_CM_DEFLATE);
    char *bytes = files_get(path, &size);
    char *list = memmem(bytes, size, "PK\1\2", 4);
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    bytes[6] |= 1;
    list[8] |= 1;
    files_put(path, bytes, size);
    files_refused(path, "contactbench", "member G.npy is damaged: No password provided");
}

/* As numpy.savez_compressed writes them. */
TEST(deflated_arrays_are_read_as_stored_ones)
{
    static const char *const names[] = {"G.npy", "g.npy", "mus.npy", "lam0.npy", NULL};
    const char *path = test_scratch("sliding_cube.npz");
    size_t size = 0;

    repack(path, names, ZIP_CM_DEFLATE);
    char *bytes = files_get(path, &size);
    CU_ASSERT_EQUAL(bytes[8], 8); /* the method of the first member */
    perp_problem *stored = test_read(cube(), NULL, NULL);
    perp_problem *deflated = test_read(path, NULL, NULL);
    CU_ASSERT_TRUE(files_same_problem(stored, deflated));
}

TEST(says_which_array_is_missing)
{
    static const char *const no_G[] = {"X.npy", "g.npy", "mus.npy", "lam0.npy", NULL};
    static const char *const no_g[] = {"G.npy", "x.npy", "mus.npy", "lam0.npy", NULL};
    static const char *const no_mu[] = {"G.npy", "g.npy", "x.npy", "lam0.npy", NULL};
    const char *path = test_scratch("missing.contactbench.npz");

    repack(path, no_G, ZIP_CM_STORE);
    files_refused(path, "contactbench",
                  "G.npy is missing, expected G, g, mus and perhaps lam0");
    repack(path, no_g, ZIP_CM_STORE);
    files_refused(path, "contactbench", "g.npy is missing");
    repack(path, no_mu, ZIP_CM_STORE);
    files_refused(path, "contactbench", "mus.npy is missing");
}

TEST(a_member_that_is_no_array_is_refused)
{
    static const char *const names[] = {"G.npy", NULL};
    static const unsigned char zeros[64];
    const unsigned char *const bytes[] = {zeros};
    const size_t sizes[] = {sizeof zeros};
    const char *path = test_scratch("zeros.contactbench.npz");

    put_archive(path, names, bytes, sizes, ZIP_CM_DEFLATE);
    files_refused(path, "contactbench", "G.npy: not a NumPy array of version 1 to 3");
}

/* Every prefix of the file is refused. */
TEST(survives_a_cut_at_every_byte)
{
    const char *path = test_scratch("cut.contactbench.npz");
    size_t whole = 0;
    char *file = files_get(cube(), &whole);

    for (size_t cut = 0; cut < whole; cut++) {
        files_put(path, file, cut);
        files_refused(path, "contactbench", path);
    }
}

TEST(holds_coulomb_contacts_in_space_only)
{
    const double rows[] = {1, 0, 0, 1};
    const double b[] = {-1, 1};
    const double mu = 0.5;
    perp_problem *lcp = test_lcp(2, rows, b);
    perp_problem *plane = test_cones(2, 1, rows, b, &mu);
    perp_error err = {0};

    CU_ASSERT_EQUAL(
        perp_problem_write(lcp, test_scratch("no.contactbench.npz"), NULL, NULL, &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "not lcp"));
    CU_ASSERT_EQUAL(
        perp_problem_write(plane, test_scratch("no.contactbench.npz"), NULL, NULL, NULL),
        PERP_ERR_UNSUITABLE);
    perp_problem *p = test_read(cube(), NULL, NULL);
    p->law = PERP_LAW_ASSOCIATED;
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(
        perp_problem_write(p, test_scratch("no.contactbench.npz"), NULL, NULL, &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "--friction coulomb writes Coulomb's"));
}

/* A global problem says which option writes it. */
TEST(a_global_problem_is_refused_with_the_option_that_fits)
{
    const double one = 1.0;
    perp_global global = {0};
    perp_problem *lcp = test_lcp(1, &one, &one);
    perp_problem p = *lcp;
    perp_error err = {0};

    global.M = global.H = lcp->A;
    global.f = p.b;
    p.A = NULL;
    p.global = &global;
    CU_ASSERT_EQUAL(
        perp_problem_write(&p, test_scratch("no.contactbench.npz"), NULL, NULL, &err),
        PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "--condense writes its local form"));
}
