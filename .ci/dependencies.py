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
    if all(re.search(r"GPL|MPL|EUPL|CDDL|none", choice) for choice in choices):
        print(f"{package['name']} {package['version']} is under {licence}")
        failed = True
if failed:
    sys.exit(1)
print(f"{len(packages) - len(members)} dependencies, none needs more than Rust {msrv}, none is copyleft")



def installed(rustup):
    lines = subprocess.check_output([rustup, "toolchain", "list"], text=True).splitlines()
    return any(line[:1].isdigit() and version(line)[:2] == version(msrv)[:2] for line in lines)


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
        ["cargo", f"+{msrv}", "check", "--workspace", "--all-features", "--locked"]
    )
    print(f"built with Rust {msrv} itself")
else:
    print(f"SKIPPED: the build with Rust {msrv} itself, which cannot be installed here")
