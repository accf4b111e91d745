#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb report --format=json: valid whatever the names, every key documented, the figures those of the analyses.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
json() { "$gaspdb" report --format=json "$@"; }
get() { python3 -c 'import json, sys; print(eval(sys.argv[2], {"r": json.load(open(sys.argv[1]))}))' "$@"; }

"$TOP/tests/golden/make_db" run.db "$TOP/tests/golden/run.sql"
for name in imbalance advice_upc advice_shmem hangs lock matching memory_upc fine_grained efficiency completion io user_values entities; do
	"$O/tests/mkrun" "$TOP/tests/worked/$name.run" "$name"
	"$gaspdb" import "$name" -o "$name.db" 2>/dev/null
done
for db in *.db; do
	json "$db" >"${db%.db}.json" 2>err
	is "$db: it succeeds, and says nothing else" "$? $(cat err)" "0 "
	ok "$db: it is JSON" python3 -m json.tool "${db%.db}.json" /dev/null
done

# keys FILE...: "SECTION KEY" of all objects; those of the whole, and of sections with rows, once
cat >keys.py <<'PYTHON'
import json, sys
found = set()
for file in sys.argv[1:]:
    report = json.load(open(file))
    found.update((".", key) for key in report)
    for name, section in report["sections"].items():
        found.update((name if "rows" not in section else "Other", key) for key in section)
        found.update((name, key) for row in section.get("rows", []) for key in row)
print("\n".join(sorted(" ".join(pair) for pair in found)))
PYTHON
python3 keys.py ./*.json >keys
awk '/^#/ { name = $1 == "#" ? "." : $2 } /^\| `/ { gsub("`", "", $2); print name, $2 }' "$TOP/docs/report-json.md" | sort >documented
is "every key is documented" "$(sort keys | comm -23 - documented)" ""
is "every section is there" "$(get run.json '" ".join(r["sections"])')" "$("$gaspdb" report --section=list | awk '{ print $1 }' | xargs)"
like "most have rows in some run" "$(awk '$1 != "." && $1 != "Other" { print $1 }' keys | sort -u | wc -l)" "^(1[89]|2[0-9]|3[0-9])$"

# Values known by the scripts' construction (tests/worked/imbalance.run)
is "the version" "$(get imbalance.json 'r["version"]')" 1
is "who, and by how much" "$(get imbalance.json '[(f["thread"], f["excess_ns"], f["equal_share_ns"], f["on_path_ns"], f["lost_ns"])
	for f in r["sections"]["worst"]["rows"] if f["number"] == 1]')" "[(1, 800, 800, 1248, 2115)]"
is "words and length" "$(get imbalance.json '[r["sections"]["summary"][k] for k in ("thread_word", "processes", "duration_ns", "cut", "hangs")]')" \
	"['rank', 3, 1720, False, False]"
is "a share is a part of 1" "$(get imbalance.json 'round(r["sections"]["summary"]["parallel_efficiency_ratio"], 3)')" 0.465
# Remarks: the sentences that the page has below a title
cat >remarks.py <<'PYTHON'
import json, subprocess, sys
gaspdb, name = sys.argv[1:]
squeeze = lambda text: " ".join(text.split())
n = 0
for key, section in json.load(open(name + ".json"))["sections"].items():
    for remark in section.get("remarks", []):
        page = subprocess.run([gaspdb, "report", "--section=" + key, name + ".db"], capture_output=True, text=True).stdout
        n += 1
        if squeeze(remark) not in squeeze(page):
            print("not on the page of", key, ":", remark)
    if not section.get("rows", True) and section["remarks"]:
        print("of no rows:", key)
print(n)
PYTHON
cp imbalance.db unseen.db
sqlite3 unseen.db "INSERT INTO quality(kind, severity, thread_id, count, detail) VALUES ('calls not seen', 'note', 0, 1, 'MPI-IO')"
json unseen.db >unseen.json
# time inside calls, critical path, pop, load imbalance, collectives, messages, traffic
is "remarks of seven sections" "$(python3 remarks.py "$gaspdb" imbalance)" 7
is "what was not recorded stands beside worst, path, categories, pop and imbalance, too" "$(python3 remarks.py "$gaspdb" unseen)" 12
is "one of a section, and what it lacks" "$(get unseen.json 'r["sections"]["load-imbalance"]["remarks"][1:]')" "['Not recorded: MPI-IO.']"
is "of the matrix" "$(get imbalance.json 'r["sections"]["comm-matrix"]["remarks"]')" \
	"['data of gets, puts, atomics and messages; rows: who accessed or sent']"
is "one section" "$(json --section=pop run.db | get /dev/stdin 'list(r["sections"])')" "['pop']"
"$gaspdb" report --format=xml run.db >out 2>err
is "another format" "$? $(wc -c <out) $(grep -o "no such format.*" err)" "2 0 no such format as 'xml'"

# Names that would end a string, or are no text
cp run.db hostile.db
sqlite3 hostile.db "UPDATE source SET file = 'a\"b' || char(10, 27) || '\\', function = CAST(x'ff22' AS TEXT);
	UPDATE operation SET name = '\"}' || char(0x202e); UPDATE thread SET host = '\\\"'; UPDATE team SET name = char(1)"
json hostile.db >hostile.json 2>err
ok "hostile names: it is JSON" python3 -m json.tool hostile.json /dev/null
is "and has them" "$(get hostile.json '[t["host"] for t in r["sections"]["threads"]["rows"]][0]')" '\"'
finish
