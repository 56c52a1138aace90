"""Prints, a line each, every package with each of its features alone and none."""

import json
import subprocess

metadata = json.loads(
    subprocess.check_output(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"]
    )
)
for package in metadata["packages"]:
    if package["publish"] == []:
        continue
    print(package["name"], "")
    for feature in sorted(package["features"]):
        print(package["name"], feature)
