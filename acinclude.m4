# PERP_OPTIONAL(NAME, TITLE, USE, PACKAGES, CHECK)
# An optional dependency. CHECK sets have_NAME=yes where it is found. --with-NAME makes it required;
# --without-NAME skips the check. Defines the Automake conditional NAME in capitals.
AC_DEFUN([PERP_OPTIONAL],
  [AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1], [$3 [auto]])], [], [with_$1=auto])
   have_$1=no
   AS_VAR_IF([with_$1], [no], [],
     [$5
      AS_IF([test "x$with_$1" = xyes && test $have_$1 = no],
        [AC_MSG_ERROR([$2 was asked for and not found: apt-get install $4])])])
   AM_CONDITIONAL(m4_toupper([$1]), [test $have_$1 = yes])])

# PERP_CODE(NAME, TITLE, USE, PACKAGES, CHECK)
# The same for a dependency of the command alone: --disable-command skips the check.
AC_DEFUN([PERP_CODE],
  [AS_VAR_IF([enable_command], [no], [with_$1=no])
   PERP_OPTIONAL([$1], [$2], [$3], [$4], [$5])])

# PERP_PETSC_HAS(MACRO, YES, NO): whether petscsys.h defines the macro.
AC_DEFUN([PERP_PETSC_HAS],
  [AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <petscsys.h>
#ifndef $1
#error
#endif]])], [$2], [$3])])
