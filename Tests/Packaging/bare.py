"""A minimal Debian without Swift, made by debootstrap, to test packages in."""

import os
import pathlib
import shutil
import subprocess

from soak import LONG

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: The architecture of packages that are built here.
ARCHITECTURE = subprocess.run(
    ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
MIRROR = os.environ.get("CROPKIT_MIRROR", "http://deb.debian.org/debian")


def is_built():
    """Whether the programs of a release build and the packaging tools exist."""
    isLinked = "CROPKIT_LINKED" in os.environ or (ROOT / "Tools/.build/release.yaml").exists()
    return isLinked and (ROOT / "bin/cropkit-worker").exists() and shutil.which("dpkg-shlibdeps")


def can_make_systems():
    """Whether this user may create systems."""
    return os.getuid() == 0 and shutil.which("debootstrap")


def can_be_bare():
    """Whether long tests run, as a user who may create systems."""
    return LONG and can_make_systems()


class Bare:
    """A copy of the minimal system, with further packages, in which commands run."""

    def __init__(self, soak, suite="bookworm", packages=()):
        self.root = soak.path("-".join(["root", suite, *packages]))
        bare = ROOT / f".build/{'-'.join(['bare', suite, *packages])}"
        if not (bare / "etc/debian_version").exists():
            subprocess.run(
                ["debootstrap", "--variant=minbase", *(f"--include={name}" for name in packages), suite, bare, MIRROR],
                check=True, capture_output=True)
        subprocess.run(["cp", "-a", bare, self.root], check=True)
        shutil.copy("/etc/resolv.conf", f"{self.root}/etc/resolv.conf")
        pathlib.Path(self.root, "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        os.chmod(f"{self.root}/usr/sbin/policy-rc.d", 0o755)

    def run(self, script, user="root"):
        inside = (
            f'mount -t proc proc "{self.root}/proc" && mount --rbind /dev "{self.root}/dev" '
            f'&& exec chroot "{self.root}" su - {user} -s /bin/bash -c "$0"')
        return subprocess.run(
            ["unshare", "-m", "--propagation", "private", "bash", "-c", inside, script],
            capture_output=True, text=True, timeout=1800, stdin=subprocess.DEVNULL)

    def files(self):
        """Everything that a package may leave behind, without the databases of apt and dpkg."""
        names = subprocess.run(
            ["find", ".", "-path", "./home", "-prune", "-o", "-path", "./proc", "-prune", "-o", "-path", "./dev",
             "-prune", "-o", "-path", "./var/lib/dpkg", "-prune", "-o", "-path", "./var/cache/apt", "-prune",
             "-o", "-path", "./var/log", "-prune", "-o", "-print"],
            cwd=self.root, capture_output=True, text=True, check=True).stdout.splitlines()
        return {name for name in names if "cropkit" in name.lower()}
