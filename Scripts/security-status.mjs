// What is known about open vulnerabilities of the C libraries: security-status.mjs [--check | --installed] [--tracker FILE SYSTEM]
//
// Without an option it writes docs/reference/security-status.md from Packaging/security-status.json. --check fails if that page is
// not up to date. --installed fails if nobody has judged the installed version of a library. --tracker fails on open
// entries of Debian's security tracker (its file `data/json`) for a system, such as bookworm, that nobody has judged.

import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const page = join(root, "docs/reference/security-status.md")
const data = JSON.parse(readFileSync(join(root, "Packaging/security-status.json"), "utf8"))

/** How each judgment is shown. */
const reaches = {
  no: "not reachable",
  contained: "reachable, contained by the sandbox",
  unjudged: "not judged in detail; treated as reachable, contained by the sandbox",
}

function listed(ids) {
  return ids.join(", ")
}

function section(library) {
  const lines = [`## ${library.name}`, "", `It ${library.use}.`, ""]
  if (library.note) lines.push(library.note, "")
  for (const [system, versions] of Object.entries(library.judged)) {
    const fixed = library.fixed[system] ?? []
    const words = fixed.length ? `fixes ${listed(fixed)}` : "names no fixed vulnerability"
    lines.push(`${data.systems[system]}: \`${library.package}\` ${versions.join(", ")}, whose changelog ${words}.`, "")
  }
  if (library.cves.length) {
    lines.push("| Open | Reach | Why | Source, date |", "|---|---|---|---|")
    for (const { ids, reach, why, source, date } of library.cves) {
      lines.push(`| ${listed(ids)} | ${reaches[reach]} | ${why} | ${source}; ${date} |`)
    }
  } else {
    lines.push(`No open one was found in public advisories. Any other is ${reaches.unjudged}.`)
  }
  return [...lines, ""]
}

function made() {
  const counts = Object.keys(reaches).map(
    (reach) => data.libraries.flatMap((l) => l.cves.filter((c) => c.reach === reach).flatMap((c) => c.ids)).length,
  )
  return [
    "<!-- Made by Scripts/security-status.mjs from Packaging/security-status.json; edit that instead. -->",
    "# Security status",
    "",
    "Which open vulnerabilities of the C libraries a file can lead CropKit into, judged on the date in each line from public",
    "advisories and the changelogs of Debian's packages. Debian's security tracker was not consulted, and nothing was",
    "reproduced. A line is a judgment, not a proof.",
    "",
    `Of the open ones below, ${counts[0]} are not reachable, ${counts[1]} are reachable and ${counts[2]} were not judged in detail.`,
    "",
    "**Contained by the sandbox** means: the code runs in a worker process without network, files and new programs",
    "(seccomp), with limits on memory and time ([SECURITY.md](../../SECURITY.md)). A fault there can end that worker, make a",
    "wrong result, or show memory of the worker in it.",
    "",
    ...data.libraries.flatMap(section),
    "## Keeping it true",
    "",
    "```sh",
    "node Scripts/security-status.mjs              # write this page",
    "node Scripts/security-status.mjs --installed  # fail on installed versions that nobody has judged",
    "node Scripts/security-status.mjs --tracker json bookworm   # fail on entries of Debian's tracker that nobody has judged",
    "```",
    "",
    "The last one reads the file <https://security-tracker.debian.org/tracker/data/json>.",
    "",
  ].join("\n")
}

function output(program, ...words) {
  return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
}

/** Faults of the installed packages. */
function installedFaults() {
  const release = readFileSync("/etc/os-release", "utf8").match(/^VERSION_CODENAME=(\S+)$/m)?.[1] ?? "unknown"
  return data.libraries.flatMap((library) => {
    let version
    try {
      version = output("dpkg-query", "-W", "-f", "${Version}", library.package)
    } catch {
      return [`${library.package} is not installed`]
    }
    const judged = library.judged[release] ?? []
    return judged.includes(version) ? [] : [`nobody has judged ${library.package} ${version} of ${release}`]
  })
}

/** Open entries of Debian's tracker that are not in the data. */
function trackerFaults(file, system) {
  const tracker = JSON.parse(readFileSync(file, "utf8"))
  return data.libraries.flatMap((library) => {
    const known = new Set(library.cves.flatMap((cve) => cve.ids))
    return Object.entries(tracker[library.source] ?? {})
      .filter(([id, entry]) => entry.releases?.[system]?.status === "open" && !known.has(id))
      .map(([id]) => `nobody has judged ${id} of ${library.name}`)
  })
}

const [option, file, system] = process.argv.slice(2)
let faults = []
if (option === undefined) {
  writeFileSync(page, made())
} else if (option === "--check") {
  let old = ""
  try {
    old = readFileSync(page, "utf8")
  } catch {
    // A missing page is not up to date.
  }
  if (old !== made()) faults = ["docs/reference/security-status.md is not up to date; run node Scripts/security-status.mjs"]
} else if (option === "--installed") {
  faults = installedFaults()
} else if (option === "--tracker" && file && system) {
  faults = trackerFaults(file, system)
} else {
  faults = ["usage: security-status.mjs [--check | --installed | --tracker FILE SYSTEM]"]
}
for (const fault of faults) console.error(`security-status: ${fault}`)
process.exitCode = faults.length ? 1 : 0
