# SPDX-License-Identifier: BSD-2-Clause
# Source it: what OpenMPI and its OpenSHMEM need to run 4 processes on a small machine, as root perhaps.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# More processes than cores, and then waiting ones must yield.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# Debian's OpenSHMEM otherwise crashes in shmem_finalize (open-mpi issue 11604).
export OMPI_MCA_opal_common_ucx_opal_mem_hooks=0
