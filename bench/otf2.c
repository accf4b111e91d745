/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an event costs with OTF2's writer, the peer's: Enter and Leave, and a
 * pair with the attributes of a message, as its users write them (a reading of
 * the clock, no varargs).  Beside one reading of the time stamp counter, like
 * notify.c.  Usage: otf2 FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <otf2/otf2.h>

#include "clock.h"

#define EVENTS 50000 /* a round */
#define ROUNDS 101

static OTF2_EvtWriter *writer;
static volatile unsigned long long sink;

static OTF2_FlushType flush(void *user, OTF2_FileType type,
			    OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp flushed(void *user, OTF2_FileType type,
			      OTF2_LocationRef location)
{
	(void)user, (void)type, (void)location;
	return READ_CLOCK();
}

static void clock_alone(void)
{
	for (int i = 0; i < EVENTS; i++)
		sink += READ_CLOCK();
}

static void enter_leave(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		OTF2_EvtWriter_Enter(writer, NULL, READ_CLOCK(), 1);
		OTF2_EvtWriter_Leave(writer, NULL, READ_CLOCK(), 1);
	}
}

static void messages(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		OTF2_EvtWriter_MpiSend(writer, NULL, READ_CLOCK(),
				       (uint32_t)i & 63, 0, 7, (uint64_t)i);
		OTF2_EvtWriter_MpiRecv(writer, NULL, READ_CLOCK(),
				       (uint32_t)i & 63, 0, 7, (uint64_t)i);
	}
}

static void random_regions(void)
{
	unsigned x = 12345;

	for (int i = 0; i < EVENTS; i += 2) {
		x = x * 1664525u + 1013904223u;
		OTF2_EvtWriter_Enter(writer, NULL, READ_CLOCK(),
				     100 + (x >> 8) % 1200);
		OTF2_EvtWriter_Leave(writer, NULL, READ_CLOCK(),
				     100 + (x >> 8) % 1200);
	}
}

static void measure(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ CLOCK_NAME, clock_alone },
		{ "Enter, Leave", enter_leave },
		{ "MpiSend, MpiRecv", messages },
		{ "random regions", random_regions },
	};
	enum { KINDS = sizeof kinds / sizeof *kinds };
	static double ns[KINDS][ROUNDS];
	double clock;

	for (int round = 0; round < ROUNDS; round++)
		for (int k = 0; k < KINDS; k++) {
			const double start = cpu_ns();

			kinds[k].run();
			ns[k][round] = (cpu_ns() - start) / EVENTS;
		}
	clock = median(ns[0], ROUNDS);
	for (int k = 0; k < KINDS; k++)
		printf("  %-22s %6.1f ns  %5.2f x %s\n", kinds[k].name,
		       median(ns[k], ROUNDS), median(ns[k], ROUNDS) / clock,
		       CLOCK_NAME);
}

int main(int argc, char **argv)
{
	static const OTF2_FlushCallbacks callbacks = { .otf2_pre_flush = flush,
						       .otf2_post_flush =
							       flushed };
	OTF2_Archive *archive;

	if (argc != 2)
		return 2;
	archive = OTF2_Archive_Open(argv[1], "bench", OTF2_FILEMODE_WRITE,
				    1 << 20, 1 << 22, OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	if (!archive)
		return 1;
	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	writer = OTF2_Archive_GetEvtWriter(archive, 0);
	if (!writer)
		return 1;
	measure();
	OTF2_Archive_CloseEvtWriter(archive, writer);
	OTF2_Archive_CloseEvtFiles(archive);
	OTF2_Archive_Close(archive);
	return 0;
}
