#!/usr/bin/env bash
# Compares the public declarations of the iOS views with Checks/UIKitStub/public-api.txt, so that changes are
# noticed, and fails if one has no documentation. RECORD=1 updates the list, and fails too.
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_DEVELOPMENT=1
checks=Checks/UIKitStub
list=$checks/public-api.txt
graphs=.build/public-api
Scripts/links.sh
swift build --package-path "$checks" --target CheckedCropSamples
triple=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
rm -rf "$graphs"
mkdir -p "$graphs"
for module in CheckedCropUIKit CheckedCropSamples; do
  swift symbolgraph-extract -module-name "$module" -target "$triple" \
    -I "$(swift build --package-path "$checks" --show-bin-path)/Modules" \
    -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
done
python3 - "$graphs" >"$graphs/list.txt" <<'PYTHON'
import json, pathlib, sys

lines, bare = set(), []
for path in pathlib.Path(sys.argv[1]).glob("CheckedCrop*.symbols.json"):
    graph = json.loads(path.read_text())
    # Overrides and conformances inherit their documentation.
    inherits = {r["source"] for r in graph["relationships"]
                if r["kind"] in ("overrides", "requirementOf", "defaultImplementationOf")}
    for symbol in graph["symbols"]:
        text = "".join(part["spelling"] for part in symbol["declarationFragments"])
        place = ".".join(symbol["pathComponents"])
        lines.add(f"{place}: {' '.join(text.split())}")
        isOverride = " override " in f" {text} "
        if "docComment" not in symbol and symbol["identifier"]["precise"] not in inherits \
                and not isOverride:
            bare.append(place)
print("\n".join(sorted(lines)))
if bare:
    sys.exit("public-api: not documented: " + ", ".join(sorted(bare)))
PYTHON
if [ -n "${RECORD:-}" ]; then
  cp "$graphs/list.txt" "$list"
  echo "public-api: $(wc -l <"$list") declarations written to $list; run again without RECORD" >&2
  exit 1
fi
diff -u "$list" "$graphs/list.txt" || {
  echo "public-api: the public declarations changed; if that is meant, run RECORD=1 $0" >&2
  exit 1
}
echo "public-api: $(wc -l <"$list") public declarations as listed, all documented"
