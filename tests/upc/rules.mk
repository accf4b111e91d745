# The pretend UPC programs of tests/upc: $(O)/upc/NAME, each linked as a real one is: its own objects, gaspdb-upc.o, and
# a libupc.a that holds the runtime and idle gasp_* of its own.
UPC_SRC := $(wildcard tests/upc/*.[ch] tests/upc/*/*.h collector/models/upc/*.upc)
UPC_COLLECTOR_SRC := $(wildcard collector/*/*.[ch] collector/core/*/*.[ch] collector/*/*.awk collector/include/*.h collector/events/*.h) collector/models/upc/build
# Under SANITIZE=1 the collector is linked in, and so can have ASan, too.
UPC_CFLAGS := -std=gnu2x -g -O1 $(SAN)

# $(1) NAME of the collector: headers, UPC_THREADS, UPC_PTS_SIZE, further flags
define upc_collector
$(O)/upc/$(1)/gaspdb-upc.o: $(UPC_COLLECTOR_SRC) $(wildcard $(2)/*.h)
	@mkdir -p $$(@D)
	$$(Q)$$(MAKE) --no-print-directory upc-collector GASP_INCLUDE=$(2) UPC_THREADS=$(3) UPC_PTS_SIZE=$(4) \
		OUT=$$(@D) CFLAGS='-O1 -g -Werror $(SAN) $(5)' $(if $(V),,>/dev/null)
endef
# $(1) NAME of the program, $(2) of its collector, $(3) headers, $(4) what C sees of MYTHREAD, $(5) bytes of a
# pointer-to-shared, $(6) further sources or flags
define upc_program
programs: $(O)/upc/$(1)
$(O)/upc/$(1): $(O)/upc/$(2)/gaspdb-upc.o $(UPC_SRC)
	$$(call say,CC,$$@)
	@rm -rf $$@.parts && mkdir -p $$@.parts
	$$(Q)for f in runtime weak collectives sort calls clocks program; do \
		$$(CC) $(UPC_CFLAGS) -Wall -Wextra -DRUNTIME_$(4) -DTEST_PTS_BYTES=$(5) $(filter -D%,$(6)) -I$(3) -Icollector/include -Itests/upc/stub -Itests \
			-c -o $$@.parts/$$$$f.o tests/upc/$$$$f.c || exit; \
	done
	$$(Q)$(AR) rc $$@.parts/libupc.a $$@.parts/runtime.o $$@.parts/weak.o \
		$$@.parts/collectives.o $$@.parts/sort.o
	$$(Q)$$(CC) $(UPC_CFLAGS) -DRUNTIME_$(4) -DTEST_PTS_BYTES=$(5) $(filter -D%,$(6)) -I$(3) -Icollector/include -Itests/upc \
		-Itests/upc/stub -o $$@ $$@.parts/program.o $$@.parts/calls.o $$@.parts/clocks.o $(filter-out -D%,$(6)) -x none $(O)/upc/$(2)/gaspdb-upc.o $$@.parts/libupc.a -lpthread
endef
UPC_SHIPPED := -include tests/upc/stub.h -x c collector/models/upc/gaspdb_upcalls.upc
UPC_CLOCKS := $(UPC_SHIPPED) collector/models/upc/gaspdb_clocks.upc

$(eval $(call upc_collector,collector-gnu,tests/upc/include-gnu,process,8))
$(eval $(call upc_collector,collector-gnu-wide,tests/upc/include-gnu,process,16))
$(eval $(call upc_collector,collector-gnu-pthreads,tests/upc/include-gnu,pthreads,16))
$(eval $(call upc_collector,collector-berkeley,tests/upc/include-berkeley,none,16))
$(eval $(call upc_collector,collector-berkeley-older,tests/upc/include-berkeley,none,,-DGASP_UPC_VERSION=0x020310))
$(eval $(call upc_collector,collector-own,collector/include,process,))
$(eval $(call upc_collector,collector-old,tests/upc/include-old,process,24))

$(eval $(call upc_program,gnu,collector-gnu,tests/upc/include-gnu,process,8))
$(eval $(call upc_program,gnu-upcalls,collector-gnu,tests/upc/include-gnu,process,8,$(UPC_SHIPPED)))
$(eval $(call upc_program,gnu-wide,collector-gnu-wide,tests/upc/include-gnu,process,8))
$(eval $(call upc_program,gnu-wide-upcalls,collector-gnu-wide,tests/upc/include-gnu,process,8,$(UPC_SHIPPED)))
$(eval $(call upc_program,gnu-narrow,collector-gnu,tests/upc/include-gnu,process,16))
$(eval $(call upc_program,gnu-pthreads,collector-gnu-pthreads,tests/upc/include-gnu,pthreads,16))
$(eval $(call upc_program,berkeley,collector-berkeley,tests/upc/include-berkeley,hidden,16,tests/upc/upcalls.c))
$(eval $(call upc_program,gnu-clocks,collector-gnu,tests/upc/include-gnu,process,8,$(UPC_CLOCKS)))
$(eval $(call upc_program,gnu-clocks-silent,collector-gnu,tests/upc/include-gnu,process,8,-include tests/upc/stub.h -x c collector/models/upc/gaspdb_clocks.upc))
$(eval $(call upc_program,gnu-clocks-pthreads,collector-gnu-pthreads,tests/upc/include-gnu,pthreads,8,$(UPC_CLOCKS)))
$(eval $(call upc_program,berkeley-clocks,collector-berkeley,tests/upc/include-berkeley,hidden,16,tests/upc/upcalls.c tests/upc/words.c))
$(eval $(call upc_program,berkeley-silent,collector-berkeley,tests/upc/include-berkeley,hidden,16))
$(eval $(call upc_program,berkeley-older,collector-berkeley-older,tests/upc/include-berkeley,hidden,16,-DGASP_UPC_VERSION=0x020310))
$(eval $(call upc_program,own,collector-own,collector/include,process,16))
$(eval $(call upc_program,own-upcalls,collector-own,collector/include,process,16,tests/upc/upcalls.c))
$(eval $(call upc_program,own-shipped,collector-own,collector/include,process,8,$(UPC_SHIPPED)))
$(eval $(call upc_program,old,collector-old,tests/upc/include-old,process,24,-DTEST_GASP_1_3 -DTEST_MODEL_T=gasp_lang_t))
