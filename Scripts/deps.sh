#!/usr/bin/env bash
# Installs the dependencies of CropKit: deps.sh build | test | test-all | package
# In a terminal, apt-get shows the packages and their size and asks first. `deps.sh libraries` only lists those that are
# linked.
set -euo pipefail
purpose=${1:-build}

# Debian's packages; those for formats are generated from Schema/formats.json. Programs that already exist,
# from any source, are not installed again.
formats=(libjpeg62-turbo-dev zlib1g-dev libheif-dev libbrotli-dev)
packages=(libvips-dev "${formats[@]}" libsqlite3-dev libqrencode-dev libcurl4-openssl-dev nettle-dev pkg-config)
if [ "$purpose" = libraries ]; then
  printf '%s\n' "${packages[@]}"
  exit
fi
# The linker runs wasm-opt if it is installed, which makes the page's module a tenth smaller. zopfli compresses
# the page better than gzip. The others package the element and generate its documentation.
programs=(wasm-opt:binaryen zopfli:zopfli node:nodejs tsc:node-typescript esbuild:esbuild)
if [[ $purpose = test* ]]; then
  # ImageMagick 7 or 6.
  magick=magick
  command -v magick >/dev/null || magick=convert-im6.q16
  # A font for Chinese, Japanese and Korean, to check whether their words fit.
  packages+=(node-react node-react-dom fonts-wqy-zenhei)
  programs+=(rollup:rollup chromium:chromium chromium-headless-shell:chromium-headless-shell
    jpegtran:libjpeg-turbo-progs
    firefox-esr:firefox-esr strace:strace zbarimg:zbar-tools exiftool:libimage-exiftool-perl tiffcp:libtiff-tools
    codespell:codespell vips:libvips-tools cjxl:libjxl-tools "$magick":imagemagick man:man-db zsh:zsh fish:fish
    desktop-file-validate:desktop-file-utils appstreamcli:appstream java:default-jre-headless)
fi
if [ "$purpose" = test-all ]; then
  # Packages and their checks, proxies and servers.
  programs+=(dpkg-shlibdeps:dpkg-dev xz:xz-utils patchelf:patchelf lintian:lintian nginx:nginx-light apache2:apache2-bin
    caddy:caddy openssl:openssl rclone:rclone file:file debootstrap:debootstrap)
  # Another browser engine with a virtual screen, and a minimal system.
  [ -z "${CROPKIT_SOAK:-}" ] || programs+=(WebKitWebDriver:webkit2gtk-driver Xvfb:xvfb xdg-open:xdg-utils
    darktable:darktable rawtherapee-cli:rawtherapee)
fi

# Any Python that can create an environment will do; Debian's needs a package for that.
[ "$purpose" = build ] || python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)
[ "$purpose" != package ] || programs+=(dpkg-shlibdeps:dpkg-dev python3:python3 xz:xz-utils patchelf:patchelf)

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Installs Debian packages.
install_packages() {
  local install="apt-get install --no-install-recommends $*" as_root=()
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; }; then
      as_root=(sudo)
    else
      echo "deps: missing $*; as root, run: apt-get update && $install" >&2
      exit 1
    fi
  fi
  echo "deps: installing $*"
  "${as_root[@]}" apt-get update -q
  if [ -t 0 ] && [ -t 1 ] && [ -z "${CI:-}" ]; then
    "${as_root[@]}" $install
  else
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" $install -q -y
  fi
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
for entry in "${programs[@]}"; do
  command -v "${entry%%:*}" >/dev/null || missing+=("${entry##*:}")
done
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"

# Encoders of HEIC and AVIF, where libheif has plugins: the names are known once libheif is installed.
missing=()
for package in $(apt-cache pkgnames libheif-plugin- | grep -xE 'libheif-plugin-(x265|aomenc)'); do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"

version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -1)
read -r major minor <<<"${version:-0 0}"
if [ "$major" -lt 6 ] || { [ "$major" = 6 ] && [ "$minor" -lt 3 ]; }; then
  echo "deps: CropKit needs Swift 6.3 or later; get it from https://www.swift.org/install/linux/" >&2
  exit 1
fi
