# make fuzz: libFuzzer with ASan and UBSan on what comes from strangers, FUZZ_SECONDS= for each target.  Needs clang and its
# fuzzer runtime (Debian: libclang-rt-14-dev); nothing else builds any of this.  What it finds is left in $(F).
.PHONY: fuzz
FUZZ_CC ?= clang
FUZZ_SECONDS ?= 900
FUZZ_TARGETS ?= log import archive database
F := $(O)/fuzz
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_FLAGS := $(BASE_CFLAGS) $(PKG_CFLAGS) -Wno-overlength-strings -O1 -g $(FUZZ_SAN) -DFUZZ_TESTS='"$(CURDIR)/tests/"'
# All of the command but main.
FUZZ_SRC := $(filter-out cli/main.c,$(COMMAND_SRC)) $(FROM_COLLECTOR) tests/fuzz/fuzz.c tests/fuzz/sqlite.c
FUZZ_OBJ := $(FUZZ_SRC:%.c=$(F)/obj/%.o) $(SQL_OBJ:$(O)/%=$(F)/%) $(O)/obj/page_template.o
.SECONDARY: $(FUZZ_OBJ)
$(FUZZ_OBJ): | $(SQL_HEADERS)

$(SQL_OBJ:$(O)/%=$(F)/%): $(F)/obj/%.o: $(O)/%.c
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -c -o $@ $<
$(FROM_COLLECTOR:%.c=$(F)/obj/%.o): private FUZZ_FLAGS += -Icollector/include
$(F)/obj/%.o: %.c
	$(call say,FUZZ,$<)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c -o $@ $<
$(F)/obj/tests/fuzz/sqlite.o: tests/fuzz/sqlite.c
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(BASE_CFLAGS) -O2 -g -c -o $@ $<
$(F)/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_OBJ)
	$(call say,FUZZ,$@)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -Wl,--wrap=sqlite3_exec -o $@ $(filter %.c %.o,$^) $(PKG_LIBS) -lpthread

# A 7z file may ask for more memory than it gets, and each of a cpio file's headers for 4 GiB that are never touched: marking
# them takes the sanitizer a second, so it refuses.
# Executions a second, coverage (cov: edges, ft: features) and what was found, on the last lines of each.
fuzz: $(FUZZ_TARGETS:%=$(F)/fuzz_%)
	$(Q)export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=256; cd $(F) && for t in $(FUZZ_TARGETS); do mkdir -p $$t; \
		echo "== $$t, $(FUZZ_SECONDS) s"; \
		./fuzz_$$t -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=16384 -max_len=65536 \
			-print_final_stats=1 -artifact_prefix=$$t- -dict=$(CURDIR)/tests/fuzz/dictionary/$$t \
			$$t $(CURDIR)/tests/fuzz/corpus/$$t 2>$$t.log || { tail -40 $$t.log; exit 1; }; \
		grep -a ' cov: ' $$t.log | tail -1; grep -a '^stat::' $$t.log; done

.PHONY: fuzz-corpus
fuzz-corpus: $(TEST_UTIL) $(filter-out $(O)/obj/cli/main.o,$(COMMAND_OBJ)) $(CORE_OBJ)
	$(Q)mkdir -p $(O)/tests tests/fuzz/corpus/log tests/fuzz/corpus/beside tests/fuzz/corpus/archive
	$(Q)$(CC) $(BASE_CFLAGS) -o $(O)/tests/mkcorpus tests/fuzz/mkcorpus.c $(filter %.o,$^) $(PKG_LIBS) -lcmocka -lpthread -ldl
	$(Q)$(O)/tests/mkcorpus
