#!/usr/bin/env python3
"""Writes the bill of materials of a release as SPDX 2.3 in JSON: sbom.py LINKED ARTEFACT...

LINKED is the output of Scripts/linked.py and Scripts/carry.py. The components are found as in Scripts/licenses.py; versions are those of
Tools/Package.resolved, of the Swift compiler and of the installed Debian packages. CROPKIT_VERSION, CROPKIT_HOMEPAGE
and SOURCE_DATE_EPOCH set its other fields.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import licenses

#: The programs in each kind of artifact, by the start and end of its name; other artifacts contain none.
PROGRAMS = [
    (r"cropkit_.*\.deb", ["cropkit", "cropkit-worker"]),
    (r"cropkit-server_.*\.deb", ["cropkit-server"]),
    (r"cropkit-.*\.tar\.gz", ["cropkit", "cropkit-server", "cropkit-worker"]),
    (r"cropkit-.*linux.*\.whl", ["cropkit", "cropkit-worker", "wheel"]),
]


def identifier(kind, name):
    """An SPDX identifier, which consists of letters, digits, dots and dashes."""
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def pins():
    """The origins and versions of the packages, by the folder of their checkout."""
    resolved = json.loads((licenses.ROOT / "Tools/Package.resolved").read_text())
    return {
        re.sub(r"\.git$", "", one["location"].rsplit("/", 1)[-1]).lower(): one for one in resolved["pins"]
    }


def installed(package):
    """The version of an installed Debian package."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return done.stdout.strip() or None


def swift_version():
    done = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True)
    return re.search(r"Swift version ([0-9.]+)", done.stdout)[1]


def license_of(name, texts):
    """The SPDX expression for a component, if its text is unambiguous; otherwise None."""
    text = texts[0]
    if re.match(r"\s*Apache License\s+Version 2\.0", text):
        has_exception = re.search(r"Runtime Library Exception", text)
        return "Apache-2.0 WITH Swift-exception" if has_exception else "Apache-2.0"
    if "Permission is hereby granted, free of charge, to any person obtaining a copy" in text and len(text) < 1500:
        return "MIT"
    return None


def component(name, texts, pinned):
    """A package of the document, and the text of a license that is not in SPDX's list."""
    package = {
        "SPDXID": identifier("Component", name),
        "name": name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "copyrightText": "NOASSERTION",
    }
    pin = pinned.get(name.lower())
    if pin:
        state = pin["state"]
        package["versionInfo"] = state.get("version") or state["revision"]
        package["downloadLocation"] = f"git+{pin['location']}@{state['revision']}"
    elif name == "Swift":
        package["versionInfo"] = swift_version()
    # The toolchain bundles an ICU of unknown version.
    elif not name.startswith("ICU") and (version := installed(name)):
        package["versionInfo"] = version
        package["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name}@{version.replace(':', '%3A').replace('+', '%2B')}",
        }]
    expression = license_of(name, texts)
    extracted = None
    if not expression:
        expression = "LicenseRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        extracted = {"licenseId": expression, "name": f"Licenses of {name}", "extractedText": "\n\n".join(texts)}
    package["licenseDeclared"] = package["licenseConcluded"] = expression
    return package, extracted


def programs_of(name):
    return next((programs for pattern, programs in PROGRAMS if re.fullmatch(pattern, name)), [])


def document(linked, artifacts, version, homepage, created):
    """The complete document."""
    pinned = pins()
    packages = [{
        "SPDXID": "SPDXRef-CropKit", "name": "CropKit", "versionInfo": version, "downloadLocation": homepage,
        "homepage": homepage, "filesAnalyzed": False, "licenseDeclared": "MIT", "licenseConcluded": "MIT",
        "copyrightText": "NOASSERTION", "supplier": "Organization: CropKit contributors",
    }]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-CropKit")]
    components, extracted = {}, []
    for artifact in artifacts:
        path = pathlib.Path(artifact)
        own = identifier("Artifact", path.name)
        packages.append({
            "SPDXID": own, "name": path.name, "packageFileName": path.name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
            "licenseDeclared": "NOASSERTION", "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
        })
        relations.append((own, "GENERATED_FROM", "SPDXRef-CropKit"))
        programs = programs_of(path.name)
        for name, texts in (licenses.parts(linked, programs) if programs else {}).items():
            if name not in components:
                components[name], text = component(name, texts, pinned)
                extracted += [text] if text else []
            relations.append((own, "CONTAINS", components[name]["SPDXID"]))
    packages += [components[name] for name in sorted(components, key=str.lower)]
    body = {
        "packages": packages,
        "hasExtractedLicensingInfos": sorted(extracted, key=lambda one: one["licenseId"]),
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations
        ],
    }
    # The namespace identifies the document by its contents.
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"CropKit-{version}", "documentNamespace": f"{homepage}/spdx/cropkit-{version}-{digest}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
            "creators": ["Organization: CropKit contributors", f"Tool: cropkit-sbom-{version}"],
        },
        **body,
    }


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sbom = document(
        pathlib.Path(sys.argv[1]).read_text(), sys.argv[2:], os.environ["CROPKIT_VERSION"],
        os.environ["CROPKIT_HOMEPAGE"], int(os.environ["SOURCE_DATE_EPOCH"]))
    json.dump(sbom, sys.stdout, indent=2, ensure_ascii=False, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
