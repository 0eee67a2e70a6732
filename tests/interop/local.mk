# SPDX-License-Identifier: Apache-2.0
# The codes read and solve the files that perp writes for them, and the reverse; their solvers run. A script skips visibly where its code is not installed; a program that links a
# code is built where configure found it.
dist_check_SCRIPTS += %D%/models.sh %D%/glpsol.sh %D%/qps.sh
dist_noinst_DATA += %D%/models.py

# Programs that link another code.
if SICONOS
test_programs += %D%/siconos
%C%_siconos_SOURCES = %D%/siconos.c tests/formats/files.c tests/formats/files.h %D%/drawn.c %D%/drawn.h
%C%_siconos_CPPFLAGS = $(tests_cppflags) -I$(top_srcdir)/tests/formats $(SICONOS_CFLAGS)
%C%_siconos_LDADD = $(tests_ldadd) $(SICONOS_LIBS)
endif

test_files += \
    %D%/siconos_solvers.c
test_helpers += \
    %D%/drawn.c \
    %D%/drawn.h

# FCLIB and sequences against h5py and h5dump.
dist_check_SCRIPTS += %D%/fclib.sh
dist_noinst_DATA += %D%/fclib.py

# Programs of other engines whose problems are captured, and the test that runs them.
dist_check_SCRIPTS += %D%/capture.sh
dist_noinst_DATA += %D%/capture_demo_bullet.cc %D%/capture_demo_dart.cc \
    %D%/models/stack.xml %D%/models/ragdoll.xml %D%/models/vehicle.xml

EXTRA_PROGRAMS += %D%/capture_check %D%/capture_demo_ode %D%/capture_demo_mujoco \
    %D%/capture_demo_bullet %D%/capture_demo_dart
capture_programs =
%C%_capture_check_SOURCES = %D%/capture_check.c
%C%_capture_demo_ode_SOURCES = %D%/capture_demo_ode.c
%C%_capture_demo_ode_CPPFLAGS = $(ODE_CFLAGS)
%C%_capture_demo_ode_LDADD = $(ODE_LIBS)
%C%_capture_demo_mujoco_SOURCES = %D%/capture_demo_mujoco.c
%C%_capture_demo_mujoco_LDADD = -lmujoco
%C%_capture_demo_bullet_SOURCES =
%C%_capture_demo_bullet_LDADD = %D%/capture_demo_bullet.o $(BULLET_LIBS) -lstdc++ -lm
%C%_capture_demo_dart_SOURCES =
%C%_capture_demo_dart_LDADD = %D%/capture_demo_dart.o $(DART_LIBS) -lstdc++ -lm
%D%/capture_demo_bullet.o: $(srcdir)/%D%/capture_demo_bullet.cc
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CXX) $(CPPFLAGS) $(BULLET_CFLAGS) -O2 -c -o $@ \
	    $(srcdir)/%D%/capture_demo_bullet.cc
%D%/capture_demo_dart.o: $(srcdir)/%D%/capture_demo_dart.cc
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CXX) $(CPPFLAGS) $(DART_CFLAGS) -std=c++17 -O2 -c -o $@ \
	    $(srcdir)/%D%/capture_demo_dart.cc

# Built before the test, where a shim can be.
if SHARED
capture_programs += %D%/capture_check$(EXEEXT)
if ODE
capture_programs += %D%/capture_demo_ode$(EXEEXT)
endif
if MUJOCO
capture_programs += %D%/capture_demo_mujoco$(EXEEXT)
endif
if BULLET
capture_programs += %D%/capture_demo_bullet$(EXEEXT)
endif
if DART
capture_programs += %D%/capture_demo_dart$(EXEEXT)
endif
endif
%D%/capture.log: $(capture_programs) $(pkglib_LTLIBRARIES)
CLEANFILES += $(capture_programs) %D%/capture_demo_bullet.o %D%/capture_demo_dart.o

# Arrays between perp and NumPy, SciPy, jsonschema, Octave and jq; each where it is installed.
dist_check_SCRIPTS += %D%/arrays.sh %D%/arrays_page.sh
dist_noinst_DATA += %D%/arrays.py %D%/tools.sh

# Scenes as models of MuJoCo, loaded by MuJoCo.
if MUJOCO
test_programs += %D%/mjcf
%C%_mjcf_SOURCES = %D%/mjcf.c
%C%_mjcf_LDADD = tests/support/libsupport.la $(command_ldadd) $(CUNIT_LIBS) -lmujoco
endif
dist_noinst_DATA += %D%/mjcf.c

