"""Checks what the packages stand on.

- No dependency of a published package asks for a newer Rust than
  `rust-version` (clippy's `incompatible_msrv` watches the standard library,
  and a toolchain of that very version is used where it is installed).
- No dependency is under a copyleft licence.
"""

import json
import re
import shutil
import subprocess
import sys


def version(text):
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


metadata = json.loads(
    subprocess.check_output(
        ["cargo", "metadata", "--format-version", "1", "--all-features", "--locked"]
    )
)
members = set(metadata["workspace_members"])
packages = {package["id"]: package for package in metadata["packages"]}
stated = {packages[member]["rust_version"] for member in members}
if len(stated) != 1:
    sys.exit(f"the packages state different Rust versions: {stated}")
(msrv,) = stated

failed = False
for package in packages.values():
    if package["id"] in members:
        continue
    needs = package["rust_version"]
    if needs and version(needs) > version(msrv):
        print(f"{package['name']} {package['version']} needs Rust {needs}, we state {msrv}")
        failed = True
    licence = package["license"] or "none stated"
    choices = re.split(r"\s+OR\s+|/", licence)
    copyleft = [bool(re.search(r"GPL|MPL|EUPL|CDDL|none", choice)) for choice in choices]
    # Licences that apply together are for a human to judge if one of them is copyleft.
    if all(copyleft) or any(copyleft) and re.search(r"\sAND\s", licence):
        print(f"{package['name']} {package['version']} is under {licence}")
        failed = True
if failed:
    sys.exit(1)
print(f"{len(packages) - len(members)} dependencies, none needs more than Rust {msrv}, none is copyleft")



def installed(rustup):
    """The name of a toolchain of this version, such as 1.88 or 1.88.0, if there is one."""
    lines = subprocess.check_output([rustup, "toolchain", "list"], text=True).splitlines()
    names = (line.split()[0] for line in lines if line[:1].isdigit())
    return next((name for name in names if version(name)[:2] == version(msrv)[:2]), None)


rustup = shutil.which("rustup")
if rustup and not installed(rustup):
    # Where no toolchain can be fetched the lint and the table above remain.
    try:
        subprocess.run(
            [rustup, "toolchain", "install", msrv, "--profile", "minimal"],
            timeout=300,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        pass
if rustup and installed(rustup):
    subprocess.check_call(
        ["cargo", f"+{installed(rustup)}", "check", "--workspace", "--all-features", "--locked"]
    )
    print(f"built with Rust {msrv} itself")
else:
    print(f"SKIPPED: the build with Rust {msrv} itself, which cannot be installed here")
