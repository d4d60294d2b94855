// Exim (Debian package exim4-daemon-light, installed or taken apart) on 127.0.0.1, with a folder of its own.
import { tmpdir } from "node:os";
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";
import { EXIM_USER, mayOwn, ownFolder, runs, UNPACKED } from "./unpacked-servers.ts";

/** What it hands on. */
export type Hop = {
  readonly name: string;
  /** As Exim lists them; * = all. */
  readonly domains: string;
  /** On 127.0.0.1. */
  readonly port: number;
};

/** The program; null if there is none that runs, or no user for it. */
export function findExim(): string | null {
  const places = [`${UNPACKED}/exim4-daemon-light/usr/sbin/exim4`, "/usr/sbin/exim4"];
  if (!mayOwn(EXIM_USER)) return null;
  return places.find((path) => runs([path, "-C", "/dev/null", "-bV"])) ?? null;
}

/** `program` as `findExim` answers. Takes mail to anybody, and hands it on at once. */
export async function startExim(
  program: string,
  { hops, parent = tmpdir() }: { readonly hops: readonly Hop[]; readonly parent?: string },
): Promise<{ readonly daemon: Daemon; readonly port: number }> {
  const daemon = new Daemon(parent);
  const port = await freePort();
  const owned = ownFolder(daemon, "exim", EXIM_USER);
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
smtp_accept_max = 100
smtp_accept_max_per_connection = 1000000
smtp_accept_queue_per_connection = 0
acl_smtp_rcpt = all
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
begin acl
all:
  accept
begin routers
${hops.map(routerOf).join("\n")}
begin transports
${hops.map(transportOf).join("\n")}
begin retry
* * F,1m,1m
`,
  );
  daemon.start([program, "-C", config, "-bdf"]);
  await daemon.listens({ host: "127.0.0.1", port });
  return { daemon, port };
}

function routerOf({ name, domains }: Hop): string {
  return `${name}:
  driver = manualroute
  domains = ${domains}
  transport = ${name}
  route_list = * 127.0.0.1
  self = send`;
}

function transportOf({ name, port }: Hop): string {
  return `${name}:
  driver = smtp
  port = ${port}
  allow_localhost`;
}
