/* SPDX-License-Identifier: Apache-2.0
 * tests/core/files.c: files that are written whole: what is replaced, followed, kept, refused and
 * tidied up. */
#include <config.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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
    CU_ASSERT_EQUAL(files_write(path, "one"), PERP_OK);
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    CU_ASSERT_EQUAL(files_write(path, "two"), PERP_OK);
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
    perp_status status = PERP_OK;

    snprintf(folder, sizeof folder, "%s/perp-files-XXXXXX",
             perp_folder_temporary_parent());
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/held", folder);
    snprintf(linked, sizeof linked, "%s/linked", folder);
    CU_ASSERT_EQUAL(files_write(path, "one"), PERP_OK);
    CU_ASSERT_EQUAL(link(path, linked), 0);
    CU_ASSERT_EQUAL(chmod(path, 0444), 0);
    CU_ASSERT_EQUAL(chmod(folder, 0777), 0);
    CU_ASSERT_EQUAL_FATAL(root ? seteuid(65534) : 0, 0);
    status = perp_file_create(&o, path, &err);
    CU_ASSERT_EQUAL_FATAL(root ? seteuid(0) : 0, 0);
    CU_ASSERT_EQUAL(status, PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.text, "/held: cannot open for writing: Permission denied"));
    perp_file_abandon(&o);

    CU_ASSERT_EQUAL(chmod(path, 0644), 0);
    CU_ASSERT_EQUAL(files_write(path, "two"), PERP_OK);
    CU_ASSERT(files_holds(path, "two"));
    CU_ASSERT(files_holds(linked, "one")); /* the other hard link keeps the old file */
    perp_folder_remove_all(folder);
}

TEST(a_symbolic_link_stays_and_its_target_is_written_also_a_new_one)
{
    char link[ROOM], target[ROOM];
    struct stat st;

    files_path(link, "link");
    files_path(target, "target");
    CU_ASSERT_EQUAL(symlink("target", link), 0);
    CU_ASSERT_EQUAL(files_write(link, "new"), PERP_OK);
    CU_ASSERT(files_holds(target, "new"));
    CU_ASSERT_EQUAL(files_write(link, "newer"), PERP_OK);
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

TEST(the_bytes_go_into_a_fifo_which_stays_one)
{
    char path[ROOM], bytes[16] = "";
    struct stat st;
    pid_t child = 0;
    int status = 0;

    files_path(path, "fifo");
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    child = fork();
    if (child == 0) {
        _exit(files_write(path, "through") == PERP_OK ? 0 : 1);
    }
    alarm(10); /* a writer that never opens the FIFO */
    int fd = open(path, O_RDONLY);
    CU_ASSERT_EQUAL(read(fd, bytes, sizeof bytes - 1), 7);
    alarm(0);
    close(fd);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CU_ASSERT_STRING_EQUAL(bytes, "through");
    CU_ASSERT_EQUAL_FATAL(lstat(path, &st), 0);
    CU_ASSERT(S_ISFIFO(st.st_mode));
}

TEST(a_device_node_stays_one_and_what_it_refuses_is_reported)
{
    char null[ROOM], full[ROOM];
    struct stat st;
    perp_file_out o;
    perp_error err = {0};

    files_path(null, "null");
    files_path(full, "full");
    if (mknod(null, S_IFCHR | 0666, makedev(1, 3)) != 0 ||
        mknod(full, S_IFCHR | 0666, makedev(1, 7)) != 0 || access(null, W_OK) != 0 ||
        open(null, O_WRONLY) < 0) {
        return; /* only root makes them, and not on every file system */
    }
    CU_ASSERT_EQUAL(files_write(null, "gone"), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(lstat(null, &st), 0);
    CU_ASSERT(S_ISCHR(st.st_mode));
    CU_ASSERT_EQUAL_FATAL(perp_file_create(&o, full, &err), PERP_OK);
    fputs("too much", o.f);
    CU_ASSERT_EQUAL(perp_file_commit(&o, &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "No space left"));
}

TEST(what_a_dead_process_left_is_removed_by_the_next_writer_what_a_living_one_has_stays)
{
    char path[ROOM];
    perp_file_out mine;
    pid_t child = 0;

    files_path(path, "left");
    child = fork();
    if (child == 0) {
        perp_file_out o;

        _exit(perp_file_create(&o, path, NULL) == PERP_OK ? 0 : 1);
    }
    waitpid(child, NULL, 0);
    CU_ASSERT_EQUAL(files_temporary(), 1);
    CU_ASSERT_EQUAL_FATAL(perp_file_create(&mine, path, NULL), PERP_OK);
    CU_ASSERT_EQUAL(files_temporary(), 1);
    CU_ASSERT_EQUAL(files_write(path, "other"), PERP_OK);
    CU_ASSERT_EQUAL(files_temporary(), 1);
    perp_file_abandon(&mine);
    CU_ASSERT_EQUAL(files_temporary(), 0);
}

TEST_MAIN("files")
