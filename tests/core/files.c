/* SPDX-License-Identifier: Apache-2.0
 * tests/core/files.c: files that are written whole: what is replaced, followed, kept, refused and
 * tidied up. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

enum { ROOM = 512 };

/* A folder of this test, empty. */
static const char *files_folder(void)
{
    static char folder[ROOM];

    snprintf(folder, sizeof folder, "%s", test_scratch("files"));
    mkdir(folder, 0777);
    return folder;
}

static void files_path(char path[ROOM], const char *name)
{
    snprintf(path, ROOM, "%.*s/%s", ROOM - 64, files_folder(), name);
    unlink(path);
}

static perp_status files_write(const char *path, const char *text)
{
    perp_file_out o;
    perp_status status = perp_file_create(&o, path, NULL);

    if (status == PERP_OK) {
        fputs(text, o.f);
        status = perp_file_commit(&o, NULL);
    }
    return status;
}

static bool files_holds(const char *path, const char *text)
{
    char *found = NULL;
    size_t length = 0;
    bool same = perp_file_slurp(path, &found, &length, NULL) == PERP_OK &&
                strcmp(found, text) == 0;

    free(found);
    return same;
}

/* Files of the folder whose names hold ".tmp-". */
static size_t files_temporary(void)
{
    DIR *d = opendir(files_folder());
    size_t count = 0;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        count += strstr(e->d_name, ".tmp-") != NULL;
    }
    if (d) {
        closedir(d);
    }
    return count;
}

TEST(a_file_that_is_replaced_hands_down_its_mode)
{
    char path[ROOM];
    struct stat st;

    files_path(path, "mode");
    OK(files_write(path, "one"));
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    OK(files_write(path, "two"));
    CU_ASSERT(files_holds(path, "two"));
    CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
    CU_ASSERT_EQUAL(st.st_mode & 0777, 0600);
}

/* The test may run as root, who may write everything: for a while it is nobody. */
TEST(a_file_that_may_not_be_written_is_not_replaced)
{
    char folder[256];
    char path[ROOM], linked[ROOM];
    perp_file_out o;
    perp_error err = {0};
    const bool root = geteuid() == 0;

    snprintf(folder, sizeof folder, "%s/perp-files-XXXXXX",
             perp_folder_temporary_parent());
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/held", folder);
    snprintf(linked, sizeof linked, "%s/linked", folder);
    OK(files_write(path, "one"));
    CU_ASSERT_EQUAL(link(path, linked), 0);
    CU_ASSERT_EQUAL(chmod(path, 0444), 0);
    CU_ASSERT_EQUAL(chmod(folder, 0777), 0);
    CU_ASSERT_EQUAL_FATAL(root ? seteuid(65534) : 0, 0);
    perp_status status = perp_file_create(&o, path, &err);
    CU_ASSERT_EQUAL_FATAL(root ? seteuid(0) : 0, 0);
    CU_ASSERT_EQUAL(status, PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "/held: cannot open for writing: Permission denied"));
    perp_file_abandon(&o);

    CU_ASSERT_EQUAL(chmod(path, 0644), 0);
    OK(files_write(path, "two"));
    CU_ASSERT(files_holds(path, "two"));
    CU_ASSERT(files_holds(linked, "one")); /* the other hard link keeps the old file */
    perp_folder_remove_all(folder);
}

TEST(a_symbolic_link_stays_and_its_target_is_written_one_that_leads_nowhere_is_refused)
{
    char link[ROOM], target[ROOM];
    struct stat st;

    files_path(link, "link");
    files_path(target, "target");
    CU_ASSERT_EQUAL(symlink("target", link), 0);
    CU_ASSERT_EQUAL(files_write(link, "lost"), PERP_ERR_WRITE);
    OK(files_write(target, "new"));
    OK(files_write(link, "newer"));
    CU_ASSERT(files_holds(target, "newer"));
    CU_ASSERT_EQUAL_FATAL(lstat(link, &st), 0);
    CU_ASSERT(S_ISLNK(st.st_mode));
}

TEST(a_ring_of_links_and_a_folder_are_refused)
{
    char one[ROOM], folder[ROOM];
    perp_file_out o;
    perp_error err = {0};

    files_path(one, "ring");
    CU_ASSERT_EQUAL(symlink("ring", one), 0);
    CU_ASSERT_EQUAL(perp_file_create(&o, one, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "symbolic links"));
    files_path(folder, "folder");
    mkdir(folder, 0777);
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_file_create(&o, folder, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "it is a folder, expected a file"));
    CU_ASSERT_EQUAL(files_temporary(), 0);
}

TEST(a_fifo_and_a_device_are_refused_and_stay)
{
    char fifo[ROOM];
    struct stat st;
    perp_file_out o;
    perp_error err = {0};

    files_path(fifo, "fifo");
    CU_ASSERT_EQUAL_FATAL(mkfifo(fifo, 0600), 0);
    CU_ASSERT_EQUAL(perp_file_create(&o, fifo, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "/fifo: it is a device, FIFO or socket (- is standard output), "
                         "expected a file"));
    CU_ASSERT_EQUAL_FATAL(lstat(fifo, &st), 0);
    CU_ASSERT(S_ISFIFO(st.st_mode));
    CU_ASSERT_EQUAL(files_write("/dev/null", "lost"), PERP_ERR_WRITE);
    CU_ASSERT_EQUAL_FATAL(lstat("/dev/null", &st), 0);
    CU_ASSERT(S_ISCHR(st.st_mode));
    CU_ASSERT_EQUAL(files_temporary(), 0);
}

/* A pipe cannot be sought in, and gets the bytes when the file is complete. */
TEST(an_open_descriptor_is_written_into_by_the_commit)
{
    char path[32], bytes[16] = "";
    perp_file_out o;
    perp_error err = {0};
    int ends[2], full = open("/dev/full", O_WRONLY);

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    OK(files_write(path, "through"));
    OK(files_write(path, "more"));
    CU_ASSERT_EQUAL(read(ends[0], bytes, sizeof bytes - 1), 11);
    CU_ASSERT_STRING_EQUAL(bytes, "throughmore");
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(files_write(path, "closed"), PERP_ERR_WRITE);
    if (full >= 0) {
        snprintf(path, sizeof path, "/dev/fd/%d", full);
        OK(perp_file_create(&o, path, NULL));
        fputs("too much", o.f);
        CU_ASSERT_EQUAL(perp_file_commit(&o, &err), PERP_ERR_WRITE);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "No space left"));
        close(full);
    }
}

/* The stream has forgotten why; the reason is found again. */
TEST(a_write_that_failed_before_the_commit_is_reported_with_its_reason)
{
    static const char zeros[1 << 16] = {0};
    char path[ROOM];
    perp_file_out o;
    perp_error err = {0};
    struct rlimit before, few;

    files_path(path, "early");
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    few = (struct rlimit){100, before.rlim_max};
    CU_ASSERT_NOT_EQUAL_FATAL(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
    OK(perp_file_create(&o, path, NULL));
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &few), 0);
    fwrite(zeros, 1, sizeof zeros, o.f);
    errno = 0;
    CU_ASSERT_EQUAL(perp_file_commit(&o, &err), PERP_ERR_WRITE);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "cannot write: File too large"));
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

TEST(what_a_dead_process_left_is_removed_by_the_next_writer_what_a_living_one_has_stays)
{
    char path[ROOM];
    perp_file_out mine;

    files_path(path, "left");
    pid_t child = fork();
    if (child == 0) {
        perp_file_out o;

        _exit(perp_file_create(&o, path, NULL) == PERP_OK ? 0 : 1);
    }
    waitpid(child, NULL, 0);
    CU_ASSERT_EQUAL(files_temporary(), 1);
    OK(perp_file_create(&mine, path, NULL));
    CU_ASSERT_EQUAL(files_temporary(), 1);
    OK(files_write(path, "other"));
    CU_ASSERT_EQUAL(files_temporary(), 1);
    perp_file_abandon(&mine);
    CU_ASSERT_EQUAL(files_temporary(), 0);
}
