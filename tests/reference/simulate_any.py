# SPDX-License-Identifier: GPL-3.0-or-later
"""What programs of every dialect do: functions, calls within calls, memory; and the collector's own work."""


def enter_function(m, p, what):
    """Those of one name end the other way round as they began; others may cross."""
    p.functions.append(m.emit(p, p.clock, None, what))
    names = [f[2].split()[3] for f in p.functions[-2:]]
    if m.random.random() < .3 and len(set(names)) > 1:  # the next to end is not the last begun
        p.functions[-1], p.functions[-2] = p.functions[-2], p.functions[-1]


def leave_function(p):
    p.functions.pop()[1] = p.clock


def step_function(m, p):
    """Enter a function of the user's, or leave one."""
    rnd = m.random
    if rnd.random() < .2:
        m.call(p, "C_FUNC/leaf")
    elif p.functions and rnd.random() < .5:
        leave_function(p)
    elif len(p.functions) < 5:
        enter_function(m, p, rnd.choice(("C_FUNC", "C_FUNC/work", "user:phase", "upc_forall")))
    m.compute(p)


def make_entities(m, rnd):
    """A tree of a few, and mixes; in some runs."""
    if rnd.random() < .5:
        return
    for i in range(rnd.randint(1, 4)):
        parent = f" parent={rnd.choice(m.entities)}" if m.entities and rnd.random() < .5 else ""
        m.head.append(f"entity e{i} kind={rnd.choice('ab')}{parent}")
        m.entities.append(f"e{i}")
    plain = list(m.entities)
    for i in range(rnd.randint(0, 2)):
        parts = [f"{rnd.choice(plain)}:{rnd.choice((0, 1, 1, 2, 3, 1000003))}" for _ in range(rnd.randint(1, 4))]
        m.head.append(f"mix m{i} {' '.join(parts + [plain[0] + ':1'])}")
        m.entities.append(f"m{i}")
    m.head += [f"attribute {rnd.choice(plain)} k{rnd.randint(0, 1)} {rnd.randint(0, 2)} code={rnd.choice('ids')}" for _ in range(2)]


def begin_work(m, p):
    """For an entity, or what was handed over in its process.  Ends are told apart by the entity, or the work: each once."""
    works, name = m.works.get(p.process, []), m.random.choice(m.entities)
    what = "ENTITY", f"entity={name}"
    if works and m.random.random() < .4:
        number, name = m.random.choice(works)
        what = "WORK", f"entity={name} work={number}"
    if all(f" {what[0]} {what[1]}" not in line[2] for line in p.entities):
        p.entities.append(m.emit(p, p.clock, None, *what))


def step_entity(m, p):
    """Begin work for an entity, end some that is open, whichever, or hand work over."""
    rnd = m.random
    way = rnd.random()
    if way < .2:
        m.work += 1
        m.works.setdefault(p.process, []).append((m.work, rnd.choice(m.entities)))
        m.emit(p, p.clock, p.clock, "WORK_PUT", f"entity={m.works[p.process][-1][1]} work={m.work}")
    elif p.entities and way < .6:
        p.entities.pop(rnd.choice((-1, -1, rnd.randrange(len(p.entities)))))[1] = p.clock
    elif len(p.entities) < 4:
        begin_work(m, p)
    m.compute(p)


def step_nested(m, p):
    """A runtime call with one of its own in it, or a user's function; one may be left in it, or go on after it."""
    rnd = m.random
    outer = m.emit(p, p.clock, None, rnd.choice(("malloc", "free", "MPI_Alloc_mem")))
    p.clock += m.time()
    m.call(p, rnd.choice(("C_FUNC/callback", "realloc", "MPI_Send")))
    if p.functions and rnd.random() < .3:
        leave_function(p)
    elif rnd.random() < .3:
        enter_function(m, p, "C_FUNC/late")
    p.clock += m.time()
    outer[1] = p.clock
    m.compute(p)


def place_for(m, blocks):
    """An address; mostly a free one, and soon the same again."""
    free = [a for a in range(0x1000, 0x1000 + 64 * 16, 64) if a not in blocks]
    return 0x1000 if m.random.random() < .03 or not free else m.random.choice(free[:3])


def step_memory(m, p):
    """Private memory: allocate, change, free; now and then nothing, or what is not there."""
    rnd, way, size = m.random, m.random.random(), m.random.choice((0, 8, 100, 1000))
    if way < .5 or not p.blocks:
        at = place_for(m, p.blocks) if rnd.random() < .9 else 0
        m.call(p, "malloc", f"bytes={size} address={at}")
        p.blocks |= {at} - {0}
    elif way < .65:
        old, at = rnd.choice(sorted(p.blocks)), place_for(m, p.blocks) if rnd.random() < .8 else 0
        m.call(p, "realloc", f"old_address={old} bytes={size} address={at}")
        if at:
            p.blocks = p.blocks - {old} | {at}
    else:
        at = rnd.choice(sorted(p.blocks)) if rnd.random() < .9 else rnd.choice((0, 0x9999))
        m.call(p, "free", f"address={at}")
        p.blocks.discard(at)


def step_symmetric(m, _):
    """OpenSHMEM: all allocate, or free, a block each."""
    size, at = 8 * m.random.randint(1, 4), 64 * m.random.randint(1, 4)
    number = m.next_of_all()
    for p in m.p:
        if at in p.symmetric:
            m.call(p, "shmem_free", f"address={0x100000 * (p.rank + 1) + at} {number}")
            p.symmetric.discard(at)
        else:
            m.call(p, "shmem_malloc", f"bytes={size} address={0x100000 * (p.rank + 1) + at} {number}")
            p.symmetric.add(at)


def step_shared(m, p):
    """UPC: shared memory by one, for one or all; by all together; freed by any."""
    rnd, way = m.random, m.random.random()
    if m.shared and way < .4:
        at = rnd.choice(sorted(m.shared))
        if p.clock >= m.shared[at]:
            m.call(p, "upc_free", f"address={at}")
            del m.shared[at]
        return
    at, sizes = place_for(m, m.shared), f"blocks={rnd.randint(1, 7)} block_bytes={rnd.choice((1, 8))}"
    if way < .6:
        m.call(p, "upc_alloc", f"bytes={rnd.randint(1, 99)} address={at}")
    elif way < .8:
        m.call(p, "upc_global_alloc", f"{sizes} address={at}")
    else:
        until = max(q.clock for q in m.p) if rnd.random() < .7 else 0
        for q in m.p:
            m.call(q, "upc_all_alloc", f"{sizes} address={at}", until=until)
    m.shared[at] = p.clock


def step_tool(m, p):
    start = p.clock = max(p.clock, p.data_until)  # it records nothing meanwhile
    p.clock += m.time()
    if p.clock > start:
        p.lines.append([start, p.clock, f"thread {p.rank} tool", [], {}])
