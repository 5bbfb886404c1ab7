#!/usr/bin/env bash
# Tests the programs for arm64 on a machine with another processor.
#
# Debian sid's compiler builds them, without the web app, for amd64 and, with the libraries of Debian's arm64 packages,
# for arm64. Those for arm64 run in an emulator, qemu; Tests/Arm64 compares their results with those for amd64, byte for
# byte, and checks the table of system calls that workers may make.
#
# Downloads 2.5 GB from a Debian mirror the first time. Needs root, debootstrap, Linux 6.7, 9 GB in .build/arm64 and
# 30 minutes. CROPKIT_MIRROR is another mirror. If Git reads repositories from a folder here (url.FOLDER.insteadOf), the
# compiler's system sees that folder too.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v debootstrap >/dev/null || [ "$(id -u)" != 0 ] || [ "$(dpkg --print-architecture)" != amd64 ]; then
  echo "SKIPPED: needs an amd64 machine, root and debootstrap (apt-get install debootstrap)"
  exit 0
fi
# A namespace with a separate registration: the machine itself never runs programs for arm64.
apart() { unshare --user --map-root-user --mount --pid --fork --kill-child "$@"; }
if ! apart mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null; then
  echo "SKIPPED: needs user namespaces and, in them, binfmt_misc (Linux 6.7)"
  exit 0
fi
mirror=${CROPKIT_MIRROR:-http://deb.debian.org/debian}
images=$(realpath "${CROPKIT_IMAGES:-../shared/images}")
root=$PWD/.build/arm64
amd64=$root/amd64 arm64=$root/amd64/arm64
mkdir -p "$root"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
quietly() { "$@" >"$stage/log" 2>&1 || { tail -40 "$stage/log"; return 1; }; }
mapfile -t git_folders < <(git config --get-regexp '^url\./.*\.insteadof$' | sed 's/^url\.\(.*\)\.insteadof .*/\1/' | sort -u)
inside() {
  local script='
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" || exit
    for folder in "${@:2:$1}"; do mkdir -p "$0$folder" && mount --bind "$folder" "$0$folder" || exit; done
    exec chroot "$0" "${@:$1 + 2}"'
  unshare -m --propagation private bash -c "$script" "$amd64" ${#git_folders[@]} "${git_folders[@]}" \
    env -i PATH=/usr/sbin:/usr/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# apt for another architecture, which knows of no installed package, so that it gets all dependencies.
apt_arm64() {
  inside apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State=/packages/state \
    -o Dir::State::status=/packages/status -o Dir::Cache=/packages/cache "$@"
}

if [ ! -e "$root/complete" ]; then
  echo "arm64: the compiler and the libraries, from $mirror"
  if [ ! -e "$amd64/complete" ]; then
    rm -rf "$amd64"
    quietly debootstrap --variant=minbase --include=ca-certificates sid "$amd64" "$mirror"
    touch "$amd64/complete"
  fi
  cp /etc/resolv.conf "$amd64/etc/resolv.conf"
  # The mirror may be a snapshot.
  echo 'Acquire::Check-Valid-Until "false";' >"$amd64/etc/apt/apt.conf.d/snapshot"
  mapfile -t libraries < <(Scripts/deps.sh libraries)
  # Encoders of HEIC and AVIF.
  libraries+=(libheif-plugin-x265 libheif-plugin-aomenc)
  quietly inside apt-get update
  quietly inside apt-get install -y --no-install-recommends swiftlang lld git qemu-user "${libraries[@]}"
  libraries+=(base-files libc6-dev "libstdc++-$(inside gcc -dumpversion)-dev")
  quietly inside apt-get install -y --no-install-recommends "${libraries[@]}"
  mkdir -p "$amd64"/packages/{state/lists/partial,cache/archives/partial,swift}
  touch "$amd64/packages/status"
  quietly apt_arm64 update
  quietly apt_arm64 install -y -d --no-install-recommends "${libraries[@]}"
  # Only the files of the compiler's package that are for the target; its dependencies are for running it.
  quietly inside sh -c 'cd /packages/swift && apt-get "$@"' - -q \
    -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
    -o Dir::State=/packages/state -o Dir::State::status=/packages/status -o Dir::Cache=/packages/cache \
    -o APT::Sandbox::User=root download swiftlang libswiftlang
  rm -rf "$arm64"
  mkdir -p "$arm64"/{usr/bin,usr/lib,usr/sbin,dev,proc,tmp,images,out}
  for link in bin lib sbin; do ln -s "usr/$link" "$arm64/$link"; done
  for package in "$amd64"/packages/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -xC "$arm64" --keep-directory-symlink
  done
  for package in "$amd64"/packages/swift/*.deb; do
    dpkg-deb --fsys-tarfile "$package" \
      | tar -xC "$arm64" --keep-directory-symlink --wildcards './usr/libexec/swift/lib/*'
  done
  inside apt-get clean
  rm -rf "$amd64/packages"
  # What the packages' scripts would do: libraries of which there are several versions.
  for library in blas lapack; do
    ln -sf "$library/lib$library.so.3" "$arm64/usr/lib/aarch64-linux-gnu/lib$library.so.3"
  done
  touch "$root/complete"
fi

# The driver looks for the objects of a static standard library in the root's usr/lib, whatever the target says.
for library in swift swift_static; do ln -sfn "../libexec/swift/lib/$library" "$arm64/usr/lib/$library"; done

# The target, in SwiftPM's words.
bundle=$amd64/sdks/arm64.artifactbundle
mkdir -p "$bundle"
cat >"$bundle/info.json" <<'END'
{"schemaVersion": "1.0", "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [{"path": "."}]}}}
END
cat >"$bundle/swift-sdk.json" <<'END'
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
  "sdkRootPath": "/arm64", "toolsetPaths": ["toolset.json"],
  "swiftResourcesPath": "/arm64/usr/libexec/swift/lib/swift",
  "swiftStaticResourcesPath": "/arm64/usr/libexec/swift/lib/swift_static"}}}
END
cat >"$bundle/toolset.json" <<'END'
{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
END

{ git config --get-regexp '^url\.' || :; } | while read -r key value; do
  inside git config --system --fixed-value --replace-all "$key" "$value" "$value" </dev/null
done

# The sources as they are, without the products of other builds.
mkdir -p "$amd64/cropkit"
git ls-files -z | tar --null -T - -c | tar -xC "$amd64/cropkit"
"$amd64/cropkit/Scripts/tables.sh"
# build ARCHITECTURE [ARGUMENT OF SWIFTPM...]
build() {
  local architecture=$1 start=$SECONDS
  shift
  quietly inside env "${pkgconfig[@]}" swift build --package-path /cropkit/Tools -c release \
    --static-swift-stdlib --scratch-path "/build/$architecture" "$@"
  echo "arm64: built for $architecture in $(((SECONDS - start + 30) / 60)) minutes"
}
pkgconfig=()
build amd64 -Xswiftc -use-ld=lld
pkgconfig=(PKG_CONFIG_SYSROOT_DIR=/arm64
  PKG_CONFIG_PATH=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig:/arm64/usr/share/pkgconfig)
build arm64 --swift-sdks-path /sdks --swift-sdk arm64

# The table of each architecture, and the numbers that the kernel's headers give to the calls.
clang=/usr/libexec/swift/bin/clang
rules() {
  local architecture=$1 header=$2
  shift 2
  quietly inside "$clang" "$@" -I/cropkit/Sources/CSystemCalls/include -fuse-ld=lld -static \
    -o "/build/$architecture-rules" /cropkit/Tests/Arm64/rules.c
  inside "$clang" "$@" -dM -E -include "$header" -x c /dev/null >"$amd64/build/$architecture-calls"
}
rules amd64 asm/unistd_64.h
# The generic header has these calls for architectures that ask for them.
rules arm64 asm-generic/unistd.h -D__ARCH_WANT_NEW_STAT= -D__ARCH_WANT_SET_GET_RLIMIT= -D__ARCH_WANT_RENAMEAT= \
  --target=aarch64-unknown-linux-gnu --sysroot=/arm64
apart python3 Tests/Arm64/compare.py "$amd64" "$arm64" "$images"
