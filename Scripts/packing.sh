# Sourced by the scripts that pack the programs: deb.sh, tarball.sh, wheel.sh.
#
# The programs are linked again from the objects of the build, with libjpeg inside, since its name and interface
# differ between distributions. If CROPKIT_LINKED, the list of what is linked into them, is set, the programs in
# CROPKIT_BIN (default: bin) are packed unchanged. CROPKIT_DIST is the output folder (default: dist).
bin=${CROPKIT_BIN:-bin}
dist=${CROPKIT_DIST:-dist}
version=$(Scripts/version.sh)
architecture=$(dpkg --print-architecture)
source Packaging/project.sh
# Reproducible builds: nothing depends on the time or place.
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
