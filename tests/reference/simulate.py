# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts of random runs (machine.py); then parts of the recording go missing (missing.py)."""
import random

from missing import HANGS, behead, damage, hang, scatter, switch_off
from simulate_any import make_entities, step_entity, step_function, step_memory, step_nested, step_shared, step_symmetric, step_tool
from simulate_mpi import Mpi, MpiPairs
from simulate_shmem import Shmem, ShmemPairs
from simulate_upc import Upc


def make_graph(m, rnd):
    """Any ranks receive from any, from themselves, from one twice, from nobody; not all logs tell."""
    members = rnd.sample(range(m.ranks), rnd.randint(1, m.ranks))
    m.teams["g"], most = members, rnd.choice((1, 2, len(members)))
    m.graphs = {"g": [rnd.choices(range(len(members)), k=rnd.randint(0, most)) for _ in members]}
    m.head.append(f"team g ordinal=15 kind=graph members={','.join(map(str, members))}")
    told = rnd.choice((0, .8, 1, 1, 1))
    m.head += [f"sources g {i} {','.join(map(str, sources)) or 'none'}" for i, sources in enumerate(m.graphs["g"])
               if rnd.random() < told]


def make_teams(m, rnd):
    """Windows; communicators of some processes, maybe one of two groups."""
    m.head += [f"team w{i} ordinal={20 + i} kind=window members=0..{m.ranks - 1}" for i in (1, 2)]
    if m.ranks == 1:
        return
    for i in range(rnd.randint(0, 2)):
        members = sorted(rnd.sample(range(m.ranks), rnd.randint(1, m.ranks)))
        m.teams[f"t{i}"] = members
        m.head.append(f"team t{i} ordinal={i} members={','.join(map(str, members))}" + " unlisted" * (rnd.random() < .15))
        if rnd.random() < .3:
            m.teams[f"u{i}"] = members
            m.head.append(m.head[-1].replace(f"team t{i} ordinal={i}", f"team u{i} ordinal=0 kind=dup parent=t{i}"))
    if rnd.random() < .8:
        make_graph(m, rnd)
    if rnd.random() < .5:
        both = rnd.sample(range(m.ranks), rnd.randint(2, m.ranks))
        cut = rnd.randint(1, len(both) - 1)
        m.inter = {"i": (both[:cut], both[cut:])}
        m.head.append(f"team i ordinal=9 kind=inter members={','.join(map(str, both[:cut]))} "
                      f"remote={','.join(map(str, both[cut:]))}")
        if rnd.random() < .5:
            m.inter["d"] = both[:cut], both[cut:]
            m.head.append(m.head[-1].replace("team i ordinal=9 kind=inter", "team d kind=dup parent=i"))


def machine(seed, large):
    rnd = random.Random(seed)
    kind = rnd.choice((Mpi, Mpi, MpiPairs, Shmem, ShmemPairs, Upc, Upc))
    m = kind(seed, large)
    mpi = isinstance(m, Mpi)
    if mpi:
        make_teams(m, rnd)
    if isinstance(m, Shmem):
        m.head.append("segment heap")
        for i in range(rnd.randint(0, 2)):
            m.teams[f"s{i}"] = sorted(rnd.sample(range(m.ranks), rnd.randint(1, m.ranks)))
            m.head.append(f"team s{i} ordinal={i} members={','.join(map(str, m.teams[f's{i}']))}")
    steps = [getattr(m, s) for s in sorted(dir(m)) if s.startswith("step_") and getattr(m, s)]
    common = [lambda p: step_function(m, p), lambda p: step_nested(m, p), lambda p: step_tool(m, p), m.compute,
              lambda p: step_memory(m, p), lambda p: step_memory(m, p)]
    make_entities(m, random.Random(seed * 37 + 5))
    if m.entities:
        common += [lambda p: step_entity(m, p)] * 4
    if not mpi:
        common += [lambda p: (step_shared if kind is Upc else step_symmetric)(m, p)] * 2
    locks = m.step_window_lock if mpi else m.step_lock
    for p in m.p:
        if p.number and rnd.random() < .5:
            p.clock = rnd.randint(0, 20 * m.short)
    m.gaps, counts = (3, (40, 100, 200)) if large else (1, (3, 10, 40))
    if rnd.random() < .2:  # little but locks: what goes missing lies between takes and releases
        steps, m.gaps, counts = [locks] * 10 * len(steps) + steps, 5, (40, 100)
    if m.first and rnd.random() < .5:
        for p in m.p:
            m.call(p, m.first)
    for _ in range(rnd.choice(counts)):
        rnd.choice(steps * 2 + common)(rnd.choice(m.p))
    if mpi:
        for p in m.p:
            while p.pending and rnd.random() < .97:
                m.step_wait(p)
    if rnd.random() < .5:
        finish(m, rnd)
    return m


def finish(m, rnd):
    """The runtime's end: it may synchronize all, or nobody, and some never call it.  Of a process in MPI one thread does."""
    mpi = isinstance(m, Mpi)
    threads = m.in_turn(range(m.ranks), "world") if mpi else m.p
    number = f"team=world sequence={m.number('world')}" if mpi else m.next_of_all() if isinstance(m, Shmem) else ""
    until = max(p.clock for p in threads) if number and rnd.random() < .7 else 0
    for p in threads:
        if rnd.random() < .98:
            m.call(p, m.last, number, until=until)


def text_of(line):
    start, end, rest, notes, _ = line
    return "\n".join([f"at {start}..{'' if end is None else end} {rest}"] + ["  " + n for n in notes])


def random_script(seed, large=False):
    """large: more threads and calls, and whatever may go missing together."""
    rnd = random.Random(seed * 7919 + 1)
    m = machine(seed, large)
    head = [f"# seed {seed}", f"ranks {m.ranks}"]
    skewed = rnd.random() < .15
    if skewed:
        head += [f"host h{i} boot={rnd.randint(0, 9999)} skew={rnd.randint(-m.short, m.short)} "
                 f"error={rnd.randint(0, m.short // 2)}" for i in range(2)]
    missing = {rnd.randrange(m.n)} if m.n > 1 and rnd.random() < .15 and m.n == m.ranks else set()
    if large and m.n == m.ranks:
        missing |= set(rnd.sample(range(m.n), rnd.choice((0, 0, 1, 2, 3))))
    body, damaged = [], rnd.random() < .15
    for p in m.p:
        end = max([p.clock] + [x[1] for x in p.lines if x[1] is not None])
        words = f"thread {p.rank} model={m.model}" + (f" host=h{p.process % 2}" if skewed else "")
        if m.n != m.ranks or p.number:
            words += f" rank={p.process} number={p.number}"
        if p.rank in missing:
            head.append(words + " missing")
            continue
        if rnd.random() < (.25 if large else .1):
            words += f" cut={rnd.randint(0, end)}"
        elif rnd.random() < .8:
            words += f" to={end + rnd.randint(0, 5)}"
        head.append(words + (" from=0" if rnd.random() < .7 else ""))
        if m.meta:
            head.append(f'meta {p.rank} upc_sync_flags "{m.meta}"')
        if isinstance(m, Mpi) and rnd.random() < .03:  # lost with a block
            p.lines = [x for x in p.lines if "_init " not in x[2]]
        for _ in range(m.gaps):
            off = rnd.random() < .3
            if off:
                switch_off(rnd, p)
        if (large or not off) and rnd.random() < HANGS:
            hang(rnd, p)
        behead(rnd, p)
        scatter(rnd, p, end)
        if damaged and "cut=" not in words and rnd.random() < .4:
            damage(rnd, p, end)
        body += [text_of(x) for x in p.lines]
    return "\n".join(head + m.head + body) + "\n"
