# SPDX-License-Identifier: Apache-2.0
# Scenes as models of MuJoCo, loaded by MuJoCo.
if MUJOCO
check_PROGRAMS += %D%/mjcf
%C%_mjcf_SOURCES = %D%/mjcf.c
%C%_mjcf_LDADD = $(command_tests_ldadd) -lmujoco
endif
dist_noinst_DATA += %D%/mjcf.c
