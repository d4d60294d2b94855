// Real mail servers (Debian packages exim4-daemon-light and postfix) on 127.0.0.1 as relays: what is refused further on
// they report.
import { Daemon } from "./daemon.ts";
import { freePort } from "./free-port.ts";
import { findPostfix, startPostfix } from "./postfix.ts";
import { EXIM_USER, mayOwn, ownFolder, runs, UNPACKED } from "./unpacked-servers.ts";

const EXIM = [`${UNPACKED}/exim4-daemon-light/usr/sbin/exim4`, "/usr/sbin/exim4"].find((path) =>
  runs([path, "-C", "/dev/null", "-bV"]),
);
const POSTFIX = findPostfix();

/** What goes to hop.test is handed to `hop`, and reports to bounces.test to `back`. */
type Neighbours = { readonly hop: number; readonly back: number };

type Running = { readonly daemon: Daemon; readonly port: number };

export const MAIL_SERVERS: Readonly<Record<string, ((neighbours: Neighbours) => Promise<Running>) | null>> = {
  Exim: mayOwn(EXIM_USER) && EXIM !== undefined ? (neighbours) => startExim(EXIM, neighbours) : null,
  Postfix: POSTFIX === null ? null : (neighbours) => startPostfix(POSTFIX, { settings: between(neighbours) }),
};

function between({ hop, back }: Neighbours): string {
  return `mydestination =
transport_maps = inline:{ { hop.test = smtp:[127.0.0.1]:${hop} }, { bounces.test = smtp:[127.0.0.1]:${back} } }`;
}

async function startExim(program: string, { hop, back }: Neighbours): Promise<Running> {
  const daemon = new Daemon();
  const port = await freePort();
  const owned = ownFolder(daemon, "exim", EXIM_USER);
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
