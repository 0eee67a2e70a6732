# PERP_CODE(NAME, TITLE, USE, PACKAGES, CHECK)
# Another code, which is never needed, and not looked for with --disable-command. CHECK sets have_NAME=yes where it finds it. With --with-NAME a
# code that is not found is an error, with --without-NAME it is not looked for. Defines the Automake
# conditional NAME in capitals.
AC_DEFUN([PERP_CODE],
  [AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1], [$3 [auto]])], [], [with_$1=auto])
   have_$1=no
   AS_CASE([$enable_command/$with_$1], [no/* | */no], [],
     [$5
      AS_IF([test "x$with_$1" = xyes && test $have_$1 = no],
        [AC_MSG_ERROR([$2 was asked for and not found: apt-get install $4])])])
   AM_CONDITIONAL(m4_toupper([$1]), [test $have_$1 = yes])])

# PERP_PETSC_HAS(MACRO, YES, NO): whether petscsys.h defines the macro.
AC_DEFUN([PERP_PETSC_HAS],
  [AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <petscsys.h>
#ifndef $1
#error
#endif]])], [$2], [$3])])
