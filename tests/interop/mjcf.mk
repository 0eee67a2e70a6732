# SPDX-License-Identifier: Apache-2.0
# Scenes as models of MuJoCo, loaded by MuJoCo.
if MUJOCO
test_programs += %D%/mjcf
%C%_mjcf_SOURCES = %D%/mjcf.c
%C%_mjcf_LDADD = tests/support/libsupport.la $(command_ldadd) $(CUNIT_LIBS) -lmujoco
endif
dist_noinst_DATA += %D%/mjcf.c
