#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generator of a C program that calls each wrapped MPI function with each of its arguments invalid in turn.

Usage: mpi_errors.py MPI FUNCTIONS < preprocessed mpi.h > program.c
FUNCTIONS: names of the wrapped functions, one a line.  The program has two processes, as Open MPI has no window of one; each has a
communicator of its own.  A line of its output is a call, the class of its error, and the calls of the handlers on
MPI_COMM_WORLD, on MPI_COMM_SELF and on its own communicator, window and files.  Left out are calls that the MPI library itself does not survive.
"""
import re
import sys

mpi, functions = sys.argv[1], set(open(sys.argv[2]).read().split())
mpich = mpi == "mpich"

# What starts or ends MPI, needs a second program, or never returns an error.
apart = re.compile(r"MPI_(Init|Init_thread|Finalize|Abort|Pcontrol|Session_(init|finalize)|Comm_(spawn|spawn_multiple|accept|connect|join))$")

PRELUDE = r"""
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int on_world, on_self, on_own;
static MPI_Comm d, cart, gone;
static MPI_Win w;
static MPI_Group group;
static char buf[4096], buf2[4096];
static int ints[64], negatives[64], displs[64], flag, index_, n;
static MPI_Count counts[64], negative_counts[64];
static MPI_Aint displacements[64];
static MPI_Datatype types[64], null_types[64];
static MPI_Request request, requests[64], bad_request;
static MPI_Message message, bad_message;
static MPI_Status status, statuses[64];
static MPI_Comm created, null_comm = MPI_COMM_NULL;
static MPI_Win made, null_win = MPI_WIN_NULL;
static MPI_File file, opened, null_file = MPI_FILE_NULL;
static void *base;
static void comm_handler(MPI_Comm *c, int *e, ...)
{
	int rank;

	(void)e;
	++*(*c == MPI_COMM_WORLD ? &on_world : *c == MPI_COMM_SELF ? &on_self : &on_own);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* a handler may call MPI */
	MPI_Barrier(MPI_COMM_SELF);
}
static void win_handler(MPI_Win *w, int *e, ...)
{
	(void)w, (void)e;
	on_own++;
}
static void file_handler(MPI_File *f, int *e, ...)
{
	(void)f, (void)e;
	on_own++;
}
static void before(void)
{
	on_world = on_self = on_own = 0;
	created = MPI_COMM_NULL;
	opened = MPI_FILE_NULL;
	request = MPI_REQUEST_NULL;
	message = MPI_MESSAGE_NO_PROC;
	for (int i = 0; i < 64; i++) {
		requests[i] = MPI_REQUEST_NULL;
		ints[i] = 1;
		counts[i] = 1;
		negatives[i] = -1;
		negative_counts[i] = -1;
		displs[i] = 0;
		types[i] = MPI_INT;
		null_types[i] = MPI_DATATYPE_NULL;
	}
}
static void after(int rc)
{
	const int world = on_world, self = on_self, own = on_own;
	int class = 0;

	MPI_Error_class(rc, &class);
	if (created != MPI_COMM_NULL && !rc)
		MPI_Comm_free(&created);
	if (opened != MPI_FILE_NULL && !rc)
		MPI_File_close(&opened);
	printf("class %d, handlers %d %d %d\n", class, world, self, own);
	fflush(stdout);
}
static void setup(int counted, const char *output)
{
	MPI_Errhandler h, wh, fh;
	int one = 1, me;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	freopen(me ? "/dev/null" : output, "w", stdout);
	MPI_Comm_dup(MPI_COMM_SELF, &d);
	MPI_Comm_dup(MPI_COMM_SELF, &gone);
	created = gone;
	MPI_Comm_free(&created);
	MPI_Cart_create(d, 1, &one, &one, 0, &cart);
	MPI_Comm_group(MPI_COMM_SELF, &group);
	MPI_Win_create(buf2, sizeof buf2, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
	MPI_Comm_create_errhandler(comm_handler, &h);
	MPI_Win_create_errhandler(win_handler, &wh);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, h);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, h);
	MPI_Comm_set_errhandler(d, counted ? h : MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(cart, counted ? h : MPI_ERRORS_RETURN);
	MPI_Win_set_errhandler(w, counted ? wh : MPI_ERRORS_RETURN);
	MPI_Win_fence(0, w);
	MPI_File_create_errhandler(file_handler, &fh);
	MPI_File_open(MPI_COMM_SELF, me ? "other" : "file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_set_errhandler(file, counted ? fh : MPI_ERRORS_RETURN);
	MPI_File_set_errhandler(MPI_FILE_NULL, counted ? fh : MPI_ERRORS_RETURN);
#ifndef OPEN_MPI
	bad_request = 0x12345678;
	bad_message = 0x12345678;
#else
	bad_request = NULL;
	bad_message = NULL;
#endif
}
static long first, number; /* to begin with; of the call */
static int begins(const char *what)
{
	if (number++ < first)
		return 0;
	before();
	printf("%s: ", what);
	fflush(stdout); /* a call that crashes is named */
	return 1;
}
#define CALL(what, call)      \
	if (begins(what)) \
		after(call)
"""

def handles(kind, null, more=()):
    """Invalid handles: the null one, and in MPICH numbers of other kinds and places."""
    if mpich:
        return [null, f"({kind})0x12345678", *more]
    return [null, f"({kind})NULL"]

def argument(function, kind, name, array):
    """(a valid expression, the invalid ones) for a parameter; None: not known."""
    base = kind.replace("const", "").replace("*", "").strip()
    pointer = "*" in kind or array
    where = "cart" if "eighbor" in function else "d"
    if name in ("comm", "comm_old", "oldcomm", "old_comm", "local_comm", "intercomm", "peer_comm", "bridge_comm") and not pointer:
        return where, handles("MPI_Comm", "MPI_COMM_NULL", ["gone", "(MPI_Comm)0xc4ffffff"])
    if base == "MPI_Comm" and pointer:
        if re.search("free|disconnect", function):
            return "&created", ["NULL", "&null_comm", "&(MPI_Comm){ MPI_COMM_WORLD }"]
        return "&created", ["NULL"]
    if base == "MPI_Win":
        if pointer:
            return "&made", ["NULL", "&null_win"] if "free" in function else ["NULL"]
        return "w", handles("MPI_Win", "MPI_WIN_NULL")
    if base == "MPI_File":
        if pointer:
            return "&opened", ["&null_file"] if "close" in function else []
        return "file", ["MPI_FILE_NULL"]
    if base == "MPI_Offset":
        return "0", ["-1"]
    if base == "MPI_Datatype":
        if pointer:
            return "types", ["NULL", "null_types"]
        return "MPI_INT", handles("MPI_Datatype", "MPI_DATATYPE_NULL")
    if base == "MPI_Op":
        return "MPI_SUM", handles("MPI_Op", "MPI_OP_NULL")
    if base == "MPI_Group":
        return "group", handles("MPI_Group", "MPI_GROUP_NULL", ["(MPI_Group)0xc8ffffff"])
    if base == "MPI_Info":
        return "MPI_INFO_NULL", ["(MPI_Info)0x12345678"] if mpich else ["(MPI_Info)NULL"]
    if base == "MPI_Errhandler":
        return "MPI_ERRORS_RETURN", ["MPI_ERRHANDLER_NULL"]
    if base == "MPI_Request":
        if not pointer:
            return "request", ["bad_request"]
        if array or "array" in name or "requests" in name:
            return "requests", ["NULL"]
        return "&request", ["NULL", "&request", "&bad_request"] \
            if re.search("Start|Cancel|free|Wait|Test", function) else ["NULL"]
    if base == "MPI_Message":
        return "&message", ["NULL", "&(MPI_Message){ MPI_MESSAGE_NULL }", "&bad_message"]
    if base == "MPI_Status":
        return ("statuses" if array or "array" in name or "statuses" in name else "&status"), ["NULL"]
    if base in ("int", "MPI_Count", "MPI_Aint"):
        if not pointer:
            return number(function, base, name)
        return numbers(function, base, name, array, kind)
    if base == "void":
        if name == "baseptr" or function in ("MPI_Alloc_mem",):
            return "&base", ["NULL"]
        return ("buf2" if name.startswith("recv") else "buf"), ["NULL"]
    if base == "char":
        return '"native"' if name == "datarep" else '"none"' if "delete" in function else '"name"', ["NULL"]
    return None

def number(function, base, name):
    if name in ("dest", "source", "rank", "root", "target_rank", "local_leader", "remote_leader", "target"):
        valid = "0" if re.search("Win_|root", function + name) or "leader" in name else "MPI_PROC_NULL"
        return valid, ["99", "-77"]
    if "tag" in name:
        return "0", ["-77"]
    if "count" in name or "cout" in name or name in ("partitions", "ndims", "nnodes", "n", "indegree", "outdegree"):
        return "1", ["-1"]
    if name in ("size", "disp_unit"):
        return "8", ["-1"]
    if name == "lock_type":
        return "MPI_LOCK_SHARED", ["-77"]
    if name == "split_type":
        return "MPI_COMM_TYPE_SHARED", ["-77"]
    if name == "color":
        return "0", ["-77"]
    if name == "amode":
        return "MPI_MODE_CREATE | MPI_MODE_RDWR", ["-1", "0"]
    if name == "whence":
        return "MPI_SEEK_SET", ["-77"]
    if name in ("assert", "reorder", "high", "key", "flag"):
        return "0", []
    if name == "target_disp":
        return "0", []
    return None

def numbers(function, base, name, array, kind):
    if name in ("flag", "indx", "index", "outcount", "size") and not (name == "index" and "Graph" in function):
        return {"flag": "&flag", "indx": "&index_", "index": "&index_"}.get(name, "&n"), ["NULL"]
    if "indices" in name:
        return "displs", ["NULL"]
    if "count" in name:
        return ("counts", ["NULL", "negative_counts"]) if base == "MPI_Count" else ("ints", ["NULL", "negatives"])
    if "disp" in name or base == "MPI_Aint":
        return ("displacements" if base == "MPI_Aint" else "displs"), ["NULL"]
    return "ints", ["NULL", "negatives"] if "dims" in name or "degrees" in name else ["NULL"]

def survives(function, name, value):
    """Does the MPI library itself answer the call?"""
    if function.startswith("MPI_File_") and value == "NULL":
        return False
    if mpich:
        return not (
            (re.search("counts|displs|types", name) and value == "NULL")
            or (re.search("educe|[Ss]can", function) and value == "-1")
            or (function.startswith("MPI_Intercomm_") and ("leader" in name or value in ("gone", "(MPI_Comm)0xc4ffffff")))
            or (function == "MPI_Psend_init" and name == "comm")
            or (function == "MPI_Dist_graph_create" and (name == "degrees" or value == "gone"))
            or (function == "MPI_Dist_graph_create_adjacent" and "weights" in name)
            or (function == "MPI_Comm_disconnect" and "WORLD" in value))
    return not (
        (name in ("request", "comm", "newcomm", "comm_graph", "remain_dims") or "buf" in name) and value == "NULL"
        and not re.search("Start|Cancel|Wait|Test|Request", function)
        or value in ("(MPI_Datatype)NULL", "(MPI_Op)NULL") and not re.search("_(I?S?[Ss]end|I?[Rr]ecv|Put|Get)$", function)
        or re.search("[Pp]robe$", function) and name in ("comm", "flag")
        or re.search("MPI_I?mrecv$", function, re.I) or "bad_" in value or value == "(MPI_Group)NULL"
        or re.search("MPI_I?scatter$", function, re.I) and value == "-1"
        or function == "MPI_File_set_view" and name == "info"
        or function.endswith("all_begin") and name == "offset"  # it begins
        or function.startswith("MPI_Win_") and (name == "baseptr" or value == "99" or value == "NULL")
        or re.search("allgather|Allgather", function) and (name == "comm" or name == "recvcounts"))

def calls(function, parameters):
    found = []
    for text in parameters:
        m = re.match(r"(.*?)(\w+)\s*((\[[^]]*\])*)$", text.strip())
        a = argument(function, m.group(1), m.group(2), bool(m.group(3)))
        if a is None:
            raise SystemExit(f"{function}: no values for the parameter '{text}'")
        found.append((m.group(2), *a))
    for i, (name, _, invalid) in enumerate(found):
        # Large counts differ in one argument only from what the same function without them is given.
        for value in invalid[:1] if function.endswith("_c") else invalid:
            if survives(function, name, value):
                values = [value if k == i else valid for k, (_, valid, _) in enumerate(found)]
                label = f"{function} {name} {value}".replace("\\", "").replace('"', "")
                yield f'\tCALL("{label}", {function}({", ".join(values)}));'

prototypes = dict(re.findall(r"\bint\s+(MPIX?_\w+)\s*\(([^)]*)\)", sys.stdin.read()))
missing = {f for f in functions if f not in prototypes}
if missing:
    raise SystemExit(f"no prototype: {' '.join(sorted(missing))}")
print(PRELUDE)
names = [f for f in sorted(functions) if not apart.match(f)]
for f in names:
    print(f"static void call_{f}(void)\n{{")
    for call in calls(f, prototypes[f].split(",")):
        print(call)
    print("}")
print("static void (*const all[])(void) = {", ", ".join("call_" + f for f in names), "};")
print(r"""
int main(int argc, char **argv)
{
	first = argc > 3 ? atol(argv[3]) : 0;
	setup(!strcmp(argv[1], "counted"), argv[2]);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		all[i]();
	printf("end\n");
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
#ifndef OPEN_MPI
	_exit(0); /* some calls left more behind than MPICH's end survives */
#endif
	MPI_Finalize();
	return 0;
}""")
