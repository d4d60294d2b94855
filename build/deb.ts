// A package for Debian and Ubuntu, made by dpkg-deb without a network: the executable, its unit, and a user for it.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { home } from "../packaging/addresses.json";
import { collectedLicenses } from "../src/base/licenses/texts.ts";

const ROOT = join(import.meta.dir, "..");

/** `architecture`: Debian's name of the processor. */
type Package = {
  readonly executable: string;
  readonly architecture: string;
  readonly version: string;
  readonly into: string;
};

/** Removing the package keeps mail and configuration; purging it removes them. */
const SCRIPTS: Readonly<Record<string, string>> = {
  preinst: `#!/bin/sh
set -e
rm -f /usr/bin/posthorn.refused
# The executable that is about to be replaced, to go back to.
if [ "$1" = upgrade ] && [ -e /usr/bin/posthorn ]; then ln -f /usr/bin/posthorn /usr/bin/posthorn.previous; fi
`,
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  getent passwd posthorn >/dev/null || useradd --system --user-group --home-dir /var/lib/posthorn --no-create-home --shell /usr/sbin/nologin posthorn
  install -d -o posthorn -g posthorn -m 0700 /var/lib/posthorn
  install -d -o root -g posthorn -m 0750 /etc/posthorn
  # An executable that refuses the configuration or the store replaces none: the one of before stays in its place, and the
  # service goes on with it.
  new=/usr/bin/posthorn
  if [ -e /usr/bin/posthorn.refused ]; then new=/usr/bin/posthorn.refused; fi
  if [ -e /etc/posthorn/config.toml ] && ! refusal=$(cd / && runuser -u posthorn -- $new check-config --config /etc/posthorn/config.toml --data /var/lib/posthorn 2>&1); then
    if [ $new = /usr/bin/posthorn ] && [ -e /usr/bin/posthorn.previous ]; then
      mv -f /usr/bin/posthorn /usr/bin/posthorn.refused
      mv -f /usr/bin/posthorn.previous /usr/bin/posthorn
    fi
    echo "$refusal" >&2
    echo "posthorn: this version is not used. A service that runs goes on as it is. Install the version of before, or mend what is wrong and run: dpkg --configure posthorn" >&2
    exit 1
  fi
  if [ $new = /usr/bin/posthorn.refused ]; then
    ln -f /usr/bin/posthorn /usr/bin/posthorn.previous
    mv -f $new /usr/bin/posthorn
  fi
  # The service of posthorn install-service, on the same mail and configuration, becomes the package's.
  if [ -e /etc/systemd/system/posthorn.service ]; then
    if [ -e /usr/local/bin/posthorn ]; then mv -f /usr/local/bin/posthorn /usr/bin/posthorn.previous; fi
    rm -f /etc/systemd/system/posthorn.service /usr/local/bin/posthorn.previous
    touch /etc/posthorn/.taken-over
  fi
  is_new=
  [ -e /etc/posthorn/config.toml ] || is_new=yes
  [ -z "$is_new" ] || install -o root -g posthorn -m 0640 /usr/share/doc/posthorn/config.example.toml /etc/posthorn/config.toml
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -e /etc/posthorn/.was-running ]; then systemctl start posthorn
    elif [ -e /etc/posthorn/.taken-over ]; then systemctl reenable posthorn; systemctl try-restart posthorn
    elif [ -z "$2" ]; then systemctl enable posthorn
    else systemctl try-restart posthorn; fi
  fi
  rm -f /etc/posthorn/.was-running /etc/posthorn/.taken-over
  [ -z "$is_new" ] || echo "Set base_url and a relay in /etc/posthorn/config.toml. Then: systemctl start posthorn"
fi
`,
  prerm: `#!/bin/sh
set -e
# Whether it is enabled stays as it is, and whether it ran is remembered for the next installation.
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  if systemctl is-active --quiet posthorn; then touch /etc/posthorn/.was-running; fi
  systemctl stop posthorn
fi
`,
  postrm: `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then rm -f /usr/bin/posthorn.previous /usr/bin/posthorn.refused; fi
if [ "$1" = purge ]; then
  rm -rf /var/lib/posthorn /etc/posthorn
  rm -f /etc/systemd/system/multi-user.target.wants/posthorn.service
fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`,
};

/** Answers the name of the file. @throws Error if dpkg-deb is missing or refuses */
export function packageFor({ executable, architecture, version, into }: Package): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-deb-"));
  try {
    const name = `posthorn_${version}_${architecture}.deb`;
    put(folder, "DEBIAN/control", control(architecture, version));
    for (const [script, text] of Object.entries(SCRIPTS)) put(folder, `DEBIAN/${script}`, text);
    const unit = readFileSync(join(ROOT, "packaging/posthorn.service"), "utf8");
    put(folder, "lib/systemd/system/posthorn.service", unit.replaceAll("/usr/local/bin/", "/usr/bin/"));
    put(folder, "usr/share/doc/posthorn/copyright", collectedLicenses());
    put(folder, "usr/share/doc/posthorn/config.example.toml", readFileSync(join(ROOT, "config.example.toml"), "utf8"));
    put(folder, "usr/bin/posthorn", "");
    copyFileSync(executable, join(folder, "usr/bin/posthorn"));
    setModes(folder);
    dpkgDeb(folder, join(into, name));
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Whatever the umask and the mode of the executable are that it is made with. */
function setModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || path.includes("/usr/bin/") || Object.hasOwn(SCRIPTS, entry.name);
    chmodSync(path, runs ? 0o755 : 0o644);
  }
}

function control(architecture: string, version: string): string {
  return `Package: posthorn
Version: ${version}
Architecture: ${architecture}
Maintainer: Posthorn <hello@posthorn.example>
Depends: libc6 (>= 2.28)
Section: mail
Priority: optional
Homepage: ${home}
Description: self-hosted email platform in one executable
 Transactional send API and SMTP submission, contacts, segments, campaigns,
 workflows with webhooks, bounces and inbound mail, on an embedded database.
`;
}

/** strip would cut the program off the runtime, so nothing of debhelper touches the executable. */
function dpkgDeb(folder: string, file: string): void {
  const words = ["--root-owner-group", "-Zxz", "-z1", "--build", folder, file];
  // With times of none, so that the same commit makes the same package.
  const env = { ...process.env, SOURCE_DATE_EPOCH: "0" };
  const { exitCode, stderr } = Bun.spawnSync(["dpkg-deb", ...words], { env });
  if (exitCode !== 0) throw new Error(`dpkg-deb: ${stderr.toString()}`);
}
