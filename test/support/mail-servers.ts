// Real mail servers (Debian packages exim4-daemon-light and postfix) on 127.0.0.1 as relays: what is refused further on they report.
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";

/** The packages exclude each other, so .ci/run takes them apart there. */
const FOLDER = "/var/tmp/posthorn-mail-servers";
const EXIM = [`${FOLDER}/exim4-daemon-light/usr/sbin/exim4`, "/usr/sbin/exim4"].find((path) =>
  runs([path, "-C", "/dev/null", "-bV"]),
);
const POSTFIX = [`${FOLDER}/postfix/usr`, "/usr"].find((path) =>
  runs([`${path}/sbin/postconf`, "-d", "mail_version"], { LD_LIBRARY_PATH: `${path}/lib/postfix` }),
);
/** Of the user for whom Debian has built Exim, under whom Postfix runs as well. */
const USER = "Debian-exim";

/** What goes to hop.test is handed to `hop`, and reports to bounces.test to `back`. */
type Neighbours = { readonly hop: number; readonly back: number };

type Running = { readonly daemon: Daemon; readonly port: number };

export const MAIL_SERVERS: Readonly<Record<string, ((neighbours: Neighbours) => Promise<Running>) | null>> = {
  Exim: canRun() && EXIM !== undefined ? (neighbours) => startExim(EXIM, neighbours) : null,
  Postfix: canRun() && POSTFIX !== undefined ? (neighbours) => startPostfix(POSTFIX, neighbours) : null,
};

/** Whether it is there, with all libraries that it needs. */
function runs(command: string[], env: Readonly<Record<string, string>> = {}): boolean {
  const options = { env: { ...process.env, ...env }, stdout: "ignore", stderr: "ignore" } as const;
  return existsSync(command[0] as string) && Bun.spawnSync(command, options).exitCode === 0;
}

function canRun(): boolean {
  return process.getuid?.() === 0 && idOf("-u") !== null;
}

function idOf(which: "-u" | "-g"): number | null {
  const { exitCode, stdout } = Bun.spawnSync(["id", which, USER], { stderr: "ignore" });
  return exitCode === 0 ? Number(stdout.toString()) : null;
}

async function startExim(program: string, { hop, back }: Neighbours): Promise<Running> {
  const daemon = new Daemon();
  const port = await freePort();
  const owned = ownFolder(daemon, "exim");
  const to = (name: string) => `driver = manualroute
  domains = ${name}.test
  transport = ${name}
  route_list = * 127.0.0.1
  self = send`;
  const over = (hopPort: number) => `driver = smtp
  port = ${hopPort}
  allow_localhost`;
  const config = daemon.file(
    "exim.conf",
    `exim_path = ${program}
spool_directory = ${owned}
log_file_path = ${owned}/%s
pid_file_path = ${owned}/pid
primary_hostname = relay.test
keep_environment =
never_users =
tls_advertise_hosts =
smtp_accept_queue_per_connection = 0
acl_smtp_rcpt = all
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
begin acl
all:
  accept
begin routers
hop:
  ${to("hop")}
bounces:
  ${to("bounces")}
begin transports
hop:
  ${over(hop)}
bounces:
  ${over(back)}
begin retry
* * F,1m,1m
`,
  );
  daemon.start([program, "-C", config, "-bdf"]);
  await daemon.listens({ host: "127.0.0.1", port });
  return { daemon, port };
}

async function startPostfix(folder: string, { hop, back }: Neighbours): Promise<Running> {
  const daemon = new Daemon();
  const port = await freePort();
  const queue = ownFolder(daemon, "queue");
  for (const name of QUEUES) ownFolder(daemon, join("queue", name));
  mkdirSync(join(queue, "pid"));
  const libraries = `${folder}/lib/postfix`;
  daemon.file(
    "main.cf",
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${ownFolder(daemon, "data")}
meta_directory = ${daemon.folder}
daemon_directory = ${libraries}/sbin
command_directory = ${folder}/sbin
shlib_directory = ${libraries}
mail_owner = ${USER}
setgid_group = daemon
default_privs = nobody
myhostname = relay.test
mydestination =
alias_maps =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
import_environment = LD_LIBRARY_PATH MAIL_CONFIG
export_environment = LD_LIBRARY_PATH MAIL_CONFIG
maillog_file = ${daemon.folder}/log
maillog_file_prefixes = ${daemon.folder}
smtpd_relay_restrictions = permit_mynetworks, reject
transport_maps = inline:{ { hop.test = smtp:[127.0.0.1]:${hop} }, { bounces.test = smtp:[127.0.0.1]:${back} } }
`,
  );
  daemon.file("master.cf", [`127.0.0.1:${port} inet n - n - 1 smtpd`, ...SERVICES, ""].join("\n"));
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
  "error unix - - n - - error",
  "retry unix - - n - - error",
  "postlog unix-dgram n - n - 1 postlogd",
];

function ownFolder(daemon: Daemon, name: string): string {
  const path = join(daemon.folder, name);
  mkdirSync(path);
  chownSync(path, idOf("-u") ?? 0, idOf("-g") ?? 0);
  chmodSync(daemon.folder, 0o755);
  return path;
}
