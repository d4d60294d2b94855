// Postfix (Debian package postfix, installed or taken apart) on 127.0.0.1, with a folder of its own.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";
import { EXIM_USER, mayOwn, ownFolder, runs, UNPACKED } from "./unpacked-servers.ts";

/** Any user will do, but root. */
const USER = ["postfix", EXIM_USER].find(mayOwn);

type Options = {
  /** Further lines of main.cf. */
  readonly settings: string;
  /** Where its folder is made. */
  readonly parent?: string;
  /** As many connections as it serves at once. */
  readonly sessions?: number;
};

/** The folder that is its /usr, here or where it is installed; null if there is none that runs, or no user for it. */
export function findPostfix(folders: readonly string[] = [`${UNPACKED}/postfix/usr`, "/usr"]): string | null {
  if (USER === undefined) return null;
  const version = (folder: string) => [`${folder}/sbin/postconf`, "-d", "mail_version"];
  return folders.find((folder) => runs(version(folder), { LD_LIBRARY_PATH: `${folder}/lib/postfix` })) ?? null;
}

/** `folder` as `findPostfix` answers. Takes mail of this machine to anybody. */
export async function startPostfix(
  folder: string,
  { settings, parent = tmpdir(), sessions = 1 }: Options,
): Promise<{ readonly daemon: Daemon; readonly port: number }> {
  const daemon = new Daemon(parent);
  const port = await freePort();
  const user = USER ?? "";
  const queue = ownFolder(daemon, "queue", user);
  for (const name of QUEUES) ownFolder(daemon, join("queue", name), user);
  mkdirSync(join(queue, "pid"));
  const libraries = `${folder}/lib/postfix`;
  daemon.file(
    "main.cf",
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${ownFolder(daemon, "data", user)}
meta_directory = ${daemon.folder}
daemon_directory = ${libraries}/sbin
command_directory = ${folder}/sbin
shlib_directory = ${libraries}
mail_owner = ${user}
setgid_group = daemon
default_privs = nobody
myhostname = relay.test
alias_maps =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
import_environment = LD_LIBRARY_PATH MAIL_CONFIG
export_environment = LD_LIBRARY_PATH MAIL_CONFIG
maillog_file = ${daemon.folder}/log
maillog_file_prefixes = ${daemon.folder}
smtpd_relay_restrictions = permit_mynetworks, reject
${settings}
`,
  );
  daemon.file("master.cf", [`127.0.0.1:${port} inet n - n - ${sessions} smtpd`, ...SERVICES, ""].join("\n"));
  daemon.start([`${libraries}/sbin/master`, "-c", daemon.folder, "-d"], { LD_LIBRARY_PATH: libraries });
  await daemon.listens({ host: "127.0.0.1", port });
  return { daemon, port };
}

const QUEUES = "active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace".split(
  " ",
);

/** Nothing runs in a cage, for the programs are not where they are when installed. */
const SERVICES = [
  "cleanup unix n - n - 0 cleanup",
  "qmgr unix n - n 300 1 qmgr",
  "rewrite unix - - n - - trivial-rewrite",
  "proxymap unix - - n - - proxymap",
  "anvil unix - - n - 1 anvil",
  ...["bounce", "defer", "trace"].map((name) => `${name} unix - - n - 0 bounce`),
  "smtp unix - - n - - smtp",
  "discard unix - - n - - discard",
  "error unix - - n - - error",
  "retry unix - - n - - error",
  "postlog unix-dgram n - n - 1 postlogd",
];
