# Sourced by what packs the programs: deb.sh, tarball.sh, wheel.sh.
#
# The programs are linked once more from the objects of the build, with libjpeg inside, whose name and interface differ from distribution to
# distribution. With CROPKIT_LINKED, which says what is linked into them, those in CROPKIT_BIN (default: bin) are packed as
# they are. CROPKIT_DIST is another folder than dist.
bin=${CROPKIT_BIN:-bin}
dist=${CROPKIT_DIST:-dist}
version=$(Scripts/version.sh)
source Packaging/project.sh
# The same bytes of the same commit: nothing tells when or where they were made.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
umask 022

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
linked=${CROPKIT_LINKED:-$stage/linked}
for program in cropkit cropkit-server cropkit-worker; do
  [ -x "$bin/$program" ] || {
    echo "${0##*/}: $bin/$program does not exist; run make build first" >&2
    exit 1
  }
done
if [ -z "${CROPKIT_LINKED:-}" ]; then
  bin=$stage/bin
  mkdir "$bin"
  Scripts/linked.py Tools/.build/release "$bin" >"$linked"
  Scripts/blank.sh "$bin"/*
fi
mkdir -p "$dist"
