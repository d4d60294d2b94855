// Real mail servers (Debian packages exim4-daemon-light and postfix) on 127.0.0.1 as relays: what is refused further on
// they report.
import type { Daemon } from "./daemon.ts";
import { findExim, startExim } from "./exim.ts";
import { findPostfix, startPostfix } from "./postfix.ts";

const EXIM = findExim();
const POSTFIX = findPostfix();

/** What goes to hop.test is handed to `hop`, and reports to bounces.test to `back`. */
type Neighbours = { readonly hop: number; readonly back: number };

type Running = { readonly daemon: Daemon; readonly port: number };

export const MAIL_SERVERS: Readonly<Record<string, ((neighbours: Neighbours) => Promise<Running>) | null>> = {
  Exim: EXIM === null ? null : (neighbours) => startExim(EXIM, { hops: hopsTo(neighbours) }),
  Postfix: POSTFIX === null ? null : (neighbours) => startPostfix(POSTFIX, { settings: between(neighbours) }),
};

function hopsTo({ hop, back }: Neighbours) {
  return [
    { name: "hop", domains: "hop.test", port: hop },
    { name: "bounces", domains: "bounces.test", port: back },
  ];
}

function between({ hop, back }: Neighbours): string {
  return `mydestination =
transport_maps = inline:{ { hop.test = smtp:[127.0.0.1]:${hop} }, { bounces.test = smtp:[127.0.0.1]:${back} } }`;
}
