# gaspdb
#
#   make                the command build/gaspdb and the collector libraries in build/
#   make demo           install what is missing, build, record two real programs, print their reports
#   make check          install what is missing, build, run every test; SANITIZE=1: under ASan and UBSan
#   make check-quick    in a minute: unit tests that are not long, golden files, the worked examples
#   make install        copy it to PREFIX=/usr/local (DESTDIR= too); the installed tree can be moved
#   make deps           install the Debian packages that are missing for building and the demo (root, or sudo)
#   make deps-check     install those that the tests need besides
#   make upc-collector  the collector for a UPC implementation: GASP_INCLUDE=DIR OUT=DIR; docs/upc.md
#   make examples       the programs with built-in faults: examples/README.md
#   make tests          the unit tests in build/tests, without running them
#   make programs       the programs that the tests record
#   make golden         rewrite the expected outputs in tests/golden
#   make pictures       write the pictures of pages in docs/pictures (Chromium, node)
#   make bench          measure what docs/figures.md says
#   make advice         follow the advice of the report on faulty programs: predicted against real (docs/advice.md)
#   make fuzz           fuzz what comes from strangers; FUZZ_SECONDS=900 for each target
#   make fuzz-corpus    write what the fuzzing starts from
#   make clean          remove build/
#   make help           print this list
#
# Variables: CC, CFLAGS, O=build (where everything goes), V=1 (show commands), SANITIZE=1, PREFIX, DESTDIR,
# OPENMPI_CC, MPICH_CC, OSHCC (compiler wrappers; empty: leave that adapter out)

O ?= build
PREFIX ?= /usr/local
VERSION := $(shell cat VERSION)

ifeq ($(SANITIZE),1)
override O := $(O)-sanitize
endif
Q := $(if $(V),,@)
# For the targets that build everything first; a -j of the user's own goes before.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2))

# The compiler wrappers, looked for at every make, so that the adapters appear once MPI does.
OPENMPI_CC ?= $(shell command -v mpicc.openmpi || { mpicc --showme:version 2>/dev/null | grep -q 'Open MPI' && command -v mpicc; })
MPICH_CC ?= $(shell command -v mpicc.mpich || { mpichversion >/dev/null 2>&1 && command -v mpicc; })
OSHCC ?= $(shell command -v oshcc)
# Once a make, not at each use.
OPENMPI_CC := $(OPENMPI_CC)
MPICH_CC := $(MPICH_CC)
OSHCC := $(OSHCC)
# gaspcc's plugin is for one version of gcc, and needs that gcc's headers; empty: left out.
PLUGIN_GCC ?= gcc
PLUGIN_CXX ?= $(shell command -v g++)
PLUGIN_INCLUDE := $(wildcard $(shell $(PLUGIN_GCC) -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h)
PLUGIN := $(if $(PLUGIN_INCLUDE),$(if $(PLUGIN_CXX),$(O)/gaspdb-gcc-$(shell $(PLUGIN_GCC) -dumpfullversion).so))
# For programs: MPICH's MPI_STATUSES_IGNORE is an address that gcc takes for an array.
MPICH_QUIET := -Wno-stringop-overflow

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS ?= -O2 -g
BASE_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARNINGS) -MMD -MP -I. -I$(O) -DGASPDB_VERSION='"$(VERSION)"'
COLLECTOR_CFLAGS := $(BASE_CFLAGS) -Icollector/include -fPIC -fvisibility=hidden -ftls-model=initial-exec
# The command: all of ASan and UBSan.  Libraries that are preloaded into plain programs can only have UBSan.
ifeq ($(SANITIZE),1)
SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN_LIB := -fsanitize=undefined -fno-sanitize-recover=all
endif

PACKAGES := sqlite3 libarchive zlib liblzma libzstd libdw libelf readline
PKG_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null || echo -lsqlite3 -larchive -lz -llzma -lzstd -ldw -lelf -lreadline) -lbz2 -lm -lpthread -ldl

# collector/preload/ stands alone.
CORE_SRC := $(wildcard $(addprefix collector/,base/*.c core/*.c core/*/*.c log/*.c gasp/*.c process/*.c)) collector/models/common/dlclose.c
PRELOAD_SRC := $(wildcard collector/preload/*.c)
IO_SRC := $(wildcard collector/preload/io/*.c)
MEMORY_SRC := $(wildcard collector/preload/memory/*.c)
# Rooms, and rooms in rooms.
sources = $(wildcard $(foreach room,$(1),$(room)/*.c $(room)/*/*.c $(room)/*/*/*.c))
COMMAND_SRC := $(call sources,common importer analysis sql cli)
MPI_SRC := $(wildcard collector/models/mpi/*.c collector/models/mpi/*/*.c) collector/models/common/dlclose.c
SHMEM_SRC := $(wildcard collector/models/shmem/*.c) collector/models/common/dlclose.c
# Of an OpenSHMEM that has MPI below it (collector/models/shmem/clocks.h).
SHMEM_CLOCKS_SRC := $(if $(OSHCC),$(if $(shell printf '#include <shmem.h>\n#include <mpi.h>\nOSHMEM_SPEC_VERSION' | \
	$(OSHCC) -E -P -x c - 2>/dev/null | tail -n 1 | grep '^[^O]'),$(wildcard collector/models/mpi/clocks/*.c)))
POSIX_SRC := $(wildcard collector/models/posix/*.c)

CORE_OBJ := $(CORE_SRC:%.c=$(O)/obj/%.o)
PRELOAD_OBJ := $(PRELOAD_SRC:%.c=$(O)/obj/%.o) $(O)/obj/trampolines.o
IO_OBJ := $(IO_SRC:%.c=$(O)/obj/%.o) $(O)/obj/io_trampolines.o
MEMORY_OBJ := $(MEMORY_SRC:%.c=$(O)/obj/%.o)
POSIX_OBJ := $(POSIX_SRC:%.c=$(O)/obj/%.o)
# SQL as C strings, made below.
SQL_OBJ := $(O)/obj/analyses.o $(O)/obj/schema.o $(O)/obj/compare.o $(O)/obj/passes.o
COMMAND_OBJ := $(COMMAND_SRC:%.c=$(O)/obj/%.o) $(SQL_OBJ) $(O)/obj/page_template.o
ADAPTERS := $(if $(OPENMPI_CC),$(O)/libgaspdb-openmpi.so) $(if $(MPICH_CC),$(O)/libgaspdb-mpich.so) \
	$(if $(OSHCC),$(O)/libgaspdb-oshmem.so)
STATEMENTS_OBJ := $(O)/obj/collector/statements/statements.o
LIBRARIES := $(O)/libgaspdb.so $(O)/libgaspdb-statements.so $(O)/libgaspdb-preload.so $(O)/libgaspdb-io.so $(O)/libgaspdb-posix.so \
	$(O)/libgaspdb-memory.so $(ADAPTERS) \
	$(if $(MPICH_CC),$(O)/libgaspdb-mpich-abi.so)

.PHONY: all check check-quick demo deps deps-check bench install clean golden pictures tests upc-collector help
all: $(O)/gaspdb $(O)/gaspcc $(PLUGIN) $(LIBRARIES) $(O)/gaspdb.1 $(O)/analyses.sql

# --- the command ---------------------------------------------------------------------------------------------------
# What the command has from the collector: the event tables (`gaspdb events`), formats of user events, the log's checksum, and
# what a selection means.
FROM_COLLECTOR := $(addprefix collector/,core/events.c log/user_format.c log/crc32c.c \
	$(addprefix core/selection/,glob.c selectors.c phase_list.c))
$(O)/gaspdb: $(COMMAND_OBJ) $(FROM_COLLECTOR:%.c=$(O)/obj/%.o)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(O)/obj/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(PKG_CFLAGS) $(SAN) $(CFLAGS) -c -o $@ $<

# Objects that hold the version are made anew when it is another.
VERSION_SRC := $(shell grep -rl --include="*.c" GASPDB_VERSION cli importer sql collector)
$(VERSION_SRC:%.c=$(O)/obj/%.o): VERSION
$(O)/gaspdb.1: cli/gaspdb.1 VERSION
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< >$@

# The analyses as temporary views for a stock sqlite3.
$(O)/analyses.sql: $(O)/gaspdb
	$(call say,GEN,$@)
	$(Q)$< analyze --sql >$@.tmp && mv $@.tmp $@

# The compiler wrapper, beside the libraries and the headers that it adds.
$(O)/gaspcc: cli/gaspcc
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)ln -sfn $(CURDIR)/collector/include $(@D)/include
	$(Q)install -m 755 $< $@

# It is loaded into the compiler: not sanitized, and without exceptions and types at run time, as that is.
$(PLUGIN): $(wildcard cli/plugin/*.cc) cli/plugin/plugin.h
	$(call say,CXX,$@)
	@mkdir -p $(@D)
	$(Q)$(PLUGIN_CXX) -std=gnu++17 -O2 -g -Wall -Wextra -fno-rtti -fno-exceptions -fPIC -fvisibility=hidden -I. -isystem $(dir $(PLUGIN_INCLUDE)) \
		-shared -o $@ $(filter %.cc,$^)

# Every analysis, and the schema, as C arrays.  Tables: those of an import, and roll-ups.
SCHEMA := sql/schema.sql sql/rollups.sql $(sort $(wildcard sql/pass_rollups/*.sql))
$(O)/analyses.c: sql/mkanalyses.awk $(sort $(wildcard sql/analyses/*.sql))
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f sql/mkanalyses.awk $(sort $(wildcard sql/analyses/*.sql)) >$@.tmp && mv $@.tmp $@
$(O)/schema.c: sql/mkschema.awk $(SCHEMA) sql/views.sql sql/derived.sql \
		sql/advice.sql
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -v name=gaspdb_schema -f sql/mkschema.awk $(SCHEMA) >$@.tmp && \
		LC_ALL=C awk -v name=gaspdb_views -f sql/mkschema.awk sql/views.sql >>$@.tmp && \
		LC_ALL=C awk -v name=gaspdb_derived -f sql/mkschema.awk sql/derived.sql sql/advice.sql >>$@.tmp && mv $@.tmp $@
# Columns of tables: of these their numbers, too.  Rows are read or made by them.
ROW_TABLES := meta host thread thread_meta recording processor_use open_call unserved operation_type operation argument source segment object team \
	team_member team_source event event_piece long_event event_arg p2p collective_request gap passed memory_sample quality_kind quality category_time \
	message collective collective_member lock_use completion wait critical_path path_line thread_computation access_pair access_piece \
	entity entity_mix entity_attribute size_total wait_bin thread_wait_bin pop pop_thread
# All is compiled anew if a column is another, not if a comment is.
$(O)/sql/columns.made: sql/mkcolumns.awk $(SCHEMA)
	$(call say,GEN,$(@D)/columns.h)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -v rows='$(ROW_TABLES)' -f $^ >$@.tmp
	$(Q)cmp -s $@.tmp $(@D)/columns.h || cp $@.tmp $(@D)/columns.h
	$(Q)mv $@.tmp $@
$(O)/sql/columns.h: $(O)/sql/columns.made ;
# Statements of passes: a header for each room, and one file of C.
PASSES := $(filter-out sql/passes/fragments.sql,$(sort $(wildcard sql/passes/*.sql sql/page/*.sql)))
$(O)/passes.c: sql/mkpasses.awk sql/passes/fragments.sql $(PASSES)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f $^ >$@.tmp && mv $@.tmp $@
$(O)/sql/passes/%.h: sql/mkpasses.awk sql/passes/%.sql
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -v header=1 -f $^ >$@.tmp && mv $@.tmp $@
$(O)/sql/page/%.h: sql/mkpasses.awk sql/page/%.sql
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -v header=1 -f $^ >$@.tmp && mv $@.tmp $@
SQL_HEADERS := $(O)/sql/columns.h $(PASSES:%.sql=$(O)/%.h)
$(COMMAND_OBJ): | $(SQL_HEADERS)
# The page of gaspdb report --html: template, style and scripts in one file, with their hashes; empty without d3.
D3_JS ?= $(wildcard /usr/share/nodejs/d3/dist/d3.min.js)
PAGE_SRC := $(sort $(wildcard cli/html/page/*.* cli/html/page/scripts cli/html/page/*/*.js))
$(O)/html/page.html: cli/html/mkpage $(PAGE_SRC) $(D3_JS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)$(if $(D3_JS),sh cli/html/mkpage cli/html/page $(D3_JS) $(@D),:) >$@.tmp && mv $@.tmp $@
$(O)/obj/page_template.o: cli/html/template.S $(O)/html/page.html
	@mkdir -p $(@D)
	$(Q)$(CC) -Wa,-I,$(O)/html -c -o $@ $<
# sql/compare/NAME.sql is gaspdb_compare_sql_NAME.
$(O)/compare.c: sql/mkschema.awk $(sort $(wildcard sql/compare/*.sql))
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)for file in $(filter %.sql,$^); do LC_ALL=C awk -v name=gaspdb_compare_sql_$$(basename $$file .sql) -f sql/mkschema.awk \
		$$file || exit 1; done >$@.tmp && mv $@.tmp $@
$(SQL_OBJ): $(O)/obj/%.o: $(O)/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) -Wno-overlength-strings $(SAN) $(CFLAGS) -c -o $@ $<

# Its target, where the compiler has that.
races = $(shell echo 'int main(void) { return 0; }' | $(CC) -fsanitize=thread -x c -o /dev/null - 2>/dev/null && \
	echo $(O)/thread/gaspdb)
# The same under ThreadSanitizer, for tests/e2e/import_races.sh.  What only runs in one thread, or is data, is that of the command.
THREAD_SRC := $(call sources,common importer analysis sql) $(FROM_COLLECTOR)
THREAD_OBJ := $(THREAD_SRC:%.c=$(O)/obj/thread/%.o) $(filter $(O)/obj/cli/%,$(COMMAND_OBJ)) $(SQL_OBJ) $(O)/obj/page_template.o
$(O)/obj/thread/%.o: %.c
	$(call say,CC,'$< (thread)')
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(PKG_CFLAGS) -Icollector/include -fsanitize=thread -O1 -g1 -c -o $@ $<
$(VERSION_SRC:%.c=$(O)/obj/thread/%.o): VERSION
$(THREAD_OBJ): | $(SQL_HEADERS)
$(O)/thread/gaspdb: $(THREAD_OBJ)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fsanitize=thread $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

# --- the collector -------------------------------------------------------------------------------------------------
$(CORE_OBJ) $(POSIX_OBJ) $(STATEMENTS_OBJ) $(PRELOAD_SRC:%.c=$(O)/obj/%.o) $(IO_SRC:%.c=$(O)/obj/%.o) $(MEMORY_OBJ): $(O)/obj/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(COLLECTOR_CFLAGS) $(SAN_LIB) $(CFLAGS) -c -o $@ $<

$(O)/gasp_tags.h: collector/gasp/gasp_tags.awk collector/events/c.tbl.h collector/events/upc.tbl.h
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f $^ >$@.tmp && mv $@.tmp $@
$(O)/obj/collector/gasp/gasp.o $(O)/obj/collector/gasp/collectives.o: $(O)/gasp_tags.h

$(O)/libgaspdb.so: $(CORE_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(SAN_LIB) $(LDFLAGS) -Wl,-soname,libgaspdb.so -Wl,-z,defs -o $@ $^ -ldl -lpthread
$(O)/libgaspdb-statements.so: $(STATEMENTS_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libgaspdb-statements.so -Wl,-z,defs -o $@ $^
# It enters every process: libc and nothing else, not even UBSan's library.
$(STATEMENTS_OBJ) $(PRELOAD_SRC:%.c=$(O)/obj/%.o) $(IO_SRC:%.c=$(O)/obj/%.o) $(MEMORY_OBJ): private SAN_LIB :=
$(O)/libgaspdb-preload.so: $(PRELOAD_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs -o $@ $^ -ldl
# A trampoline for each function that an adapter wraps, under both of its names; for what tells that MPI is there; for the
# functions of pupc.h and gaspdb.h; and for the hooks of -finstrument-functions, and of marked statements.
$(O)/trampolines.names: $(ADAPTERS) $(O)/libgaspdb.so
	$(call say,GEN,$@)
	$(Q){ echo MPI_Init; echo MPI_Init_thread; echo MPI_Initialized; echo MPI_Finalized; \
		echo shmem_init; echo shmem_init_thread; echo start_pes; \
		for adapter in $(ADAPTERS); do \
			nm -D --defined-only $$adapter | awk '$$2 == "T" && $$3 !~ /^(gaspdb_.*|__cyg_.*|dlclose)$$/ { print $$3 }'; done; \
		nm -D --defined-only $(O)/libgaspdb.so | awk '$$3 ~ /^(pupc_.*|gaspdb_run_directory|gaspdb_statement_.*|gaspdb_entity_.*|gaspdb_associate.*|gaspdb_work_.*|__cyg_profile_func_.*)$$/ { print $$3 }'; } | \
		awk '{ print } /^MPIX?_[A-Z][a-z]/ { print "P" $$0 } !/^(MPI|mpi|pupc_|gaspdb_|__cyg_)/ { print "p" $$0 }' | LC_ALL=C sort -u >$@.tmp && \
		mv $@.tmp $@
$(O)/trampolines.S: collector/preload/trampolines.awk $(O)/trampolines.names
	$(call say,GEN,$@)
	$(Q)LC_ALL=C awk -f $^ >$@.tmp && mv $@.tmp $@
$(O)/obj/trampolines.o: $(O)/trampolines.S collector/preload/trampolines.S
	@mkdir -p $(@D)
	$(Q)$(CC) -I. $(CFLAGS) -c -o $@ $<

# The same for functions on files (record --io), and their adapter.
$(O)/libgaspdb-posix.so: $(POSIX_OBJ) $(O)/libgaspdb.so
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(SAN_LIB) $(LDFLAGS) -Wl,-soname,libgaspdb-posix.so -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ $(POSIX_OBJ) \
		-L$(O) -lgaspdb
$(O)/libgaspdb-io.so: $(IO_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs -o $@ $^ -ldl
# Memory (record --memory, gaspcc --inst-memory): the compiler must not know malloc in it.
$(MEMORY_OBJ): private CFLAGS += -fno-builtin
$(O)/libgaspdb-memory.so: $(MEMORY_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libgaspdb-memory.so -Wl,-z,defs -o $@ $^ -ldl
$(O)/io_trampolines.names: $(POSIX_OBJ)
	$(call say,GEN,$@)
	$(Q)nm $^ | sed -n 's/.* gaspdb_posix_next_//p' | LC_ALL=C sort -u >$@.tmp && mv $@.tmp $@
$(O)/io_trampolines.S: collector/preload/trampolines.awk $(O)/io_trampolines.names
	$(call say,GEN,$@)
	$(Q)LC_ALL=C awk -v plain=1 -f $^ >$@.tmp && mv $@.tmp $@
$(O)/obj/io_trampolines.o: $(O)/io_trampolines.S collector/preload/trampolines.S
	@mkdir -p $(@D)
	$(Q)$(CC) -I. $(CFLAGS) -DGASPDB_NO_DLSYM -c -o $@ $<

# An adapter: sources, compiler wrapper, folder of its objects.
adapter_objects = $(patsubst %.c,$(O)/obj/$(2)/%.o,$(1))
define adapter
$(call adapter_objects,$(2),$(1)): $(O)/obj/$(1)/%.o: %.c
	$$(call say,CC,'$$< ($(1))')
	@mkdir -p $$(@D)
	$$(Q)$(3) $(COLLECTOR_CFLAGS) -I$(O)/obj/$(1) $(SAN_LIB) $(CFLAGS) -c -o $$@ $$<
# Its slots (collector/process/handover.h), and how the linker leads calls there.
$(O)/obj/$(1)/next.S: collector/process/next.awk $(call adapter_objects,$(2),$(1)) $(4)
	$$(call say,GEN,$$@)
	$$(Q)nm -u $$(filter %.o,$$^) | LC_ALL=C awk -v wrap=1 -f $$< >$$@.options && \
		nm -u $$(filter %.o,$$^) | LC_ALL=C awk -f $$< >$$@.tmp && mv $$@.tmp $$@
$(O)/obj/$(1)/next.o: $(O)/obj/$(1)/next.S collector/process/next.S
	$$(Q)$$(CC) -I. $(CFLAGS) -c -o $$@ $$<
$(O)/libgaspdb-$(1).so: $(call adapter_objects,$(2),$(1)) $(4) $(O)/obj/$(1)/next.o $(O)/libgaspdb.so
	$$(call say,LINK,$$@)
	$$(Q)$(3) -shared $(SAN_LIB) $$(LDFLAGS) -Wl,-soname,libgaspdb-$(1).so -Wl,-rpath,'$$$$ORIGIN' -o $$@ $$(filter %.o,$$^) \
		-Wl,@$(O)/obj/$(1)/next.S.options -L$(O) -lgaspdb
endef
# The same adapter for `gaspdb record`, which hands it the runtime's functions: it needs no MPI library by name.
$(O)/obj/mpich/next-abi.o: $(O)/obj/mpich/next.S collector/process/next.S
	$(Q)$(CC) -I. $(CFLAGS) -DGASPDB_WITHOUT_LIBRARY -c -o $@ $<
$(O)/libgaspdb-mpich-abi.so: $(O)/libgaspdb-mpich.so $(O)/obj/mpich/next-abi.o
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(SAN_LIB) $(LDFLAGS) -Wl,-soname,libgaspdb-mpich-abi.so -Wl,-rpath,'$$ORIGIN' -o $@ \
		$(call adapter_objects,$(MPI_SRC),mpich) $(O)/obj/mpich/next-abi.o \
		-Wl,@$(O)/obj/mpich/next.S.options -L$(O) -lgaspdb
# The Fortran names of what an MPI adapter wraps.
fortran_lines = $(O)/obj/$(1)/collector/models/mpi/fortran_lines.o
define fortran_names
$(O)/obj/$(1)/fortran_names.h: collector/models/mpi/fortran_names.awk \
		$(filter-out $(fortran_lines),$(call adapter_objects,$(MPI_SRC),$(1)))
	$$(call say,GEN,$$@)
	$$(Q)nm --defined-only $$(filter %.o,$$^) | LC_ALL=C awk -f $$< | LC_ALL=C sort >$$@.tmp && mv $$@.tmp $$@
$(fortran_lines): $(O)/obj/$(1)/fortran_names.h
endef
$(if $(OPENMPI_CC),$(eval $(call adapter,openmpi,$(MPI_SRC),$(OPENMPI_CC)))$(eval $(call fortran_names,openmpi)))
$(if $(MPICH_CC),$(eval $(call adapter,mpich,$(MPI_SRC),$(MPICH_CC)))$(eval $(call fortran_names,mpich)))
$(if $(OSHCC),$(eval $(call adapter,oshmem,$(SHMEM_SRC) $(SHMEM_CLOCKS_SRC),$(OSHCC),$(O)/obj/oshmem/shmem_wrappers.o)))

-include collector/models/shmem/rules.mk

# For a UPC implementation, against its headers.  Everything goes to OUT, and nothing to $(O).
upc-collector: export GASP_INCLUDE := $(GASP_INCLUDE)
upc-collector: export OUT := $(OUT)
upc-collector: export UPC_THREADS := $(UPC_THREADS)
upc-collector: export UPC_PTS_SIZE := $(UPC_PTS_SIZE)
upc-collector: export UPC_PUPC := $(UPC_PUPC)
upc-collector: export UPCC := $(UPCC)
upc-collector: export CC := $(CC)
upc-collector: export CFLAGS := $(CFLAGS)
upc-collector: export VERSION := $(VERSION)
upc-collector:
	$(if $(OUT),$(call say,UPC,'$(OUT)/gaspdb-upc.o'))
	$(Q)sh collector/models/upc/build

# --- tests ---------------------------------------------------------------------------------------------------------
# tests/unit/ROOM/test_NAME.c is a cmocka group, linked with everything but main.
TEST_SRC := $(wildcard tests/unit/*/test_*.c)
TEST_BIN := $(patsubst %.c,$(O)/tests/%,$(notdir $(TEST_SRC)))
vpath test_%.c $(sort $(dir $(TEST_SRC)))
# tests/script/ makes runs from a text: for the groups, and as the program mkrun.
SCRIPT_SRC := $(filter-out tests/script/mkrun.c,$(wildcard tests/script/*.c))
TEST_UTIL := $(patsubst %.c,$(O)/obj/%.o,$(wildcard tests/unit/util_*.c) tests/order/swap.c $(SCRIPT_SRC))
TEST_OBJ := $(TEST_UTIL) $(filter-out $(O)/obj/cli/main.o,$(COMMAND_OBJ)) $(CORE_OBJ)
$(TEST_UTIL): | $(SQL_HEADERS)
tests: $(TEST_BIN) $(O)/tests/mkrun $(O)/tests/swaplog
$(O)/tests/test_%: test_%.c $(TEST_OBJ)
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(PKG_CFLAGS) -Icollector/include $(SAN) $(CFLAGS) -o $@ $< $(filter %.o,$^) $(PKG_LIBS) -lcmocka

$(O)/tests/mkrun: $(O)/obj/tests/script/mkrun.o $(TEST_OBJ)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcmocka

# Makes logs big-endian.
$(O)/tests/swaplog: $(O)/obj/tests/order/swaplog.o $(O)/obj/tests/order/swap.o
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAN) $(LDFLAGS) -o $@ $^

include tests/programs/rules.mk
include tests/fuzz/rules.mk

check:
	$(Q).ci/deps build check
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) all tests examples programs $(if $(SAN),,$(races))
	$(Q)O=$(abspath $(O)) SANITIZE=$(SANITIZE) tests/run

# In a minute: groups that are not long, golden files, and what the worked examples say.
check-quick:
	$(Q).ci/deps build check
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) all tests
	$(Q)O=$(abspath $(O)) tests/run --quick

golden: all tests
	$(Q)O=$(abspath $(O)) GOLDEN_UPDATE=1 tests/run golden

# Pictures of pages, for the documentation.
pictures: all tests programs
	$(Q)O=$(abspath $(O)) docs/pictures.sh

# --- figures -------------------------------------------------------------------------------------------------------
$(O)/bench/notify: bench/notify.c $(O)/libgaspdb.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -I. -Icollector/include -o $@ $< -L$(O) -lgaspdb -lpthread -Wl,-rpath,'$$ORIGIN/..'
-include bench/rules.mk
bench: all $(O)/bench/notify $(O)/tests/mkrun $(BENCH)
	$(Q)O=$(abspath $(O)) bench/run

# --- examples and demo ---------------------------------------------------------------------------------------------
include examples/rules.mk
include tests/advice/rules.mk

demo: deps
	$(Q)$(if $(V),,.ci/quiet-make) $(MAKE) --no-print-directory $(PARALLEL) all examples
	$(Q)O=$(abspath $(O)) examples/demo

deps:
	$(Q).ci/deps build
deps-check:
	$(Q).ci/deps check

# --- installation --------------------------------------------------------------------------------------------------
TO := $(DESTDIR)$(PREFIX)
install: all
	install -d "$(TO)/bin" "$(TO)/lib/gaspdb" "$(TO)/include/gaspdb" "$(TO)/share/gaspdb"
	install -d "$(TO)/share/man/man1" "$(TO)/share/bash-completion/completions"
	install -m 755 $(O)/gaspdb "$(TO)/bin/gaspdb"
	install -m 755 cli/gaspcc "$(TO)/bin/gaspcc"
	install -m 644 $(LIBRARIES) $(PLUGIN) "$(TO)/lib/gaspdb"
	install -m 644 $(wildcard collector/include/*.h) "$(TO)/include/gaspdb"
	install -m 644 $(O)/analyses.sql "$(TO)/share/gaspdb"
	install -m 644 $(O)/gaspdb.1 "$(TO)/share/man/man1"
	install -m 644 cli/completion.bash "$(TO)/share/bash-completion/completions/gaspdb"

clean:
	rm -rf $(O)

# What this file begins with.
help:
	@sed -n 's/^#   make/make/p; /^# Variables/,/^$$/s/^# //p' Makefile

-include $(shell find $(O) -name '*.d' 2>/dev/null)
