"""Prints which packages an image is made of, with versions and licences, as SPDX 2.3 (tag: value).

The licences are those that a package's copyright file names in Debian's machine-readable form; for other files it says
NOASSERTION, and the text is in the package.

usage: inventory.py LOCK CACHE VERSION SECONDS
"""

import io
import re
import subprocess
import sys
import tarfile
import time


def copyright_text(archive, name):
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as files:
        try:
            file = files.extractfile(f"./usr/share/doc/{name}/copyright")
        except KeyError:
            return ""
        return file.read().decode(errors="replace") if file else ""


def licences(text):
    if not text.startswith("Format:"):
        return []
    names = {re.sub(r"[^A-Za-z0-9.+-]", "-", part.strip())
             for line in re.findall(r"^License:[ \t]*(\S.*)$", text, re.MULTILINE)
             for part in re.split(r"\s+(?:or|and|and/or)\s+|[,|]", line) if part.strip()}
    return sorted(f"LicenseRef-{name}" for name in names)


def main():
    lock, cache, version, seconds = sys.argv[1:]
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))
    print(f"SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: fieldcorder-{version}")
    print(f"DocumentNamespace: urn:fieldcorder:image:{version}\nCreator: Tool: board/image/inventory.py\nCreated: {created}")
    print(f"\nPackageName: fieldcorder\nSPDXID: SPDXRef-fieldcorder\nPackageVersion: {version}")
    print("PackageDownloadLocation: NOASSERTION\nPackageLicenseConcluded: Apache-2.0\nPackageLicenseDeclared: Apache-2.0")
    with open(lock) as lines:
        for line in lines:
            if line.startswith("#") or line.startswith("tools "):
                continue
            purpose, _, name, number, file, digest = line.split()
            found = licences(copyright_text(f"{cache}/{file}", name))
            declared = " AND ".join(found) or "NOASSERTION"
            print(f"\nPackageName: {name}\nSPDXID: SPDXRef-{purpose}-{re.sub('[^A-Za-z0-9.-]', '-', name)}")
            print(f"PackageVersion: {number}\nPackageChecksum: SHA256: {digest}\nPackageDownloadLocation: NOASSERTION")
            print(f"PackageLicenseConcluded: NOASSERTION\nPackageLicenseDeclared: {declared}")


main()
