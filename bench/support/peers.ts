// Programs that take mail and hand it on, each as its makers say it is run: how it is had, started, and given mail.
import { chmodSync } from "node:fs";
import { findExim, startExim } from "../../test/support/exim.ts";
import { findPostfix, startPostfix } from "../../test/support/postfix.ts";
import { version } from "../../package.json";
import { Child } from "./child.ts";
import { Load } from "./load.ts";
import { freePort, ServerProcess } from "./server-process.ts";
import type { SmtpResult, SmtpTask } from "./smtp-load.ts";
import { throughSink } from "./smtp-server-env.ts";
import { endGroup, ownGroup } from "./usage.ts";

/** Connections over which a peer may hand mail on. */
export const CONNECTIONS = 50;
const MOST_SESSIONS = 100;
const MAIL_BYTES = 5 * 1024;
const LONG_SECONDS = 600;

export type Interface = "SMTP" | "HTTP";

export type Place = {
  /** Empty; all that it stores is in there. */
  readonly dir: string;
  /** On 127.0.0.1, of the SMTP server that takes and counts all mail. */
  readonly sinkPort: number;
  /** As many mails as it will be given at most. */
  readonly mails: number;
};

export type Running = AsyncDisposable & {
  /** Of its processes, and those of its database; see usage.ts. */
  readonly groups: readonly string[];
  /** Hands in so many mails; answers how many it has accepted. */
  readonly give: (by: Interface, connections: number, mails: number) => Promise<number>;
  /** How many mails have left; without it the sink knows. */
  readonly left?: () => Promise<number>;
};

export type Peer = {
  readonly name: string;
  readonly version: string;
  readonly from: "this tree" | "Debian package" | "container";
  readonly interfaces: readonly Interface[];
  /** Why it cannot be run here; null = it can. */
  readonly missing: string | null;
  /** What it does not do, or does beside: a figure is read with it. */
  readonly note: string;
  readonly start: (place: Place) => Promise<Running>;
};

export function posthorn(command: readonly string[]): Peer {
  return {
    name: "Posthorn",
    version,
    from: "this tree",
    interfaces: ["SMTP", "HTTP"],
    missing: null,
    note: "signs each mail (DKIM, RSA 2048), keeps it with its text and history, and syncs it before it answers",
    start: async ({ dir, sinkPort }) => {
      const port = await freePort();
      const server = await ServerProcess.start(command, dir, {
        ...throughSink(sinkPort, CONNECTIONS),
        POSTHORN_SMTP_SUBMISSION_PORT: String(port),
        POSTHORN_SMTP_INSECURE_LOOPBACK: "true",
      });
      const [group, load, smtp] = [ownGroup(server.child.pid), new Load(server), new Child("smtp-load.ts")];
      const terms = { recipients: 1, sendAt: null, warmUpSeconds: 0, seconds: LONG_SECONDS };
      return {
        groups: [group],
        give: async (by, connections, mails) =>
          by === "SMTP"
            ? await bySmtp(smtp, { port, key: server.key, sessions: connections, mails })
            : (await load.run({ ...terms, connections, most: mails })).acknowledged,
        [Symbol.asyncDispose]: async () => {
          await load[Symbol.asyncDispose]();
          await smtp[Symbol.asyncDispose]();
          await server[Symbol.asyncDispose]();
          await endGroup(group);
        },
      };
    },
  };
}

export function postfix(): Peer {
  const folder = findPostfix();
  const settings = (sinkPort: number) =>
    `in_flow_delay = 0
relayhost = [127.0.0.1]:${sinkPort}
smtp_dns_support_level = disabled
initial_destination_concurrency = ${CONNECTIONS}
default_destination_concurrency_limit = ${CONNECTIONS}`;
  return {
    name: "Postfix",
    version: saidBy([`${folder}/sbin/postconf`, "-d", "mail_version"], /= (\S+)/, `${folder}/lib/postfix`),
    from: "Debian package",
    interfaces: ["SMTP"],
    missing: folder === null ? "the package is not there (.ci/run takes it apart), or this is not root" : null,
    note: "syncs each mail before it answers, does not sign, keeps nothing but lines of its log",
    start: async ({ dir, sinkPort }) => {
      chmodSync(dir, 0o711);
      return mailServer(
        await startPostfix(folder ?? "", { parent: dir, settings: settings(sinkPort), sessions: MOST_SESSIONS }),
      );
    },
  };
}

export function exim(): Peer {
  const program = findExim();
  return {
    name: "Exim",
    version: saidBy([`${program}`, "-C", "/dev/null", "-bV"], /version (\S+)/),
    from: "Debian package",
    interfaces: ["SMTP"],
    missing: program === null ? "the package is not there (.ci/run takes it apart), or this is not root" : null,
    note: "syncs each mail before it answers, does not sign, keeps nothing but lines of its log; a process for each mail",
    start: async ({ dir, sinkPort }) => {
      chmodSync(dir, 0o711);
      const hops = [{ name: "sink", domains: "*", port: sinkPort }];
      return mailServer(await startExim(program ?? "", { hops, parent: dir }));
    },
  };
}

function mailServer({ daemon, port }: Awaited<ReturnType<typeof startExim>>): Running {
  const [group, smtp] = [ownGroup(daemon.pid), new Child("smtp-load.ts")];
  return {
    groups: [group],
    give: (_, sessions, mails) => bySmtp(smtp, { port, key: null, sessions, mails }),
    [Symbol.asyncDispose]: async () => {
      await smtp[Symbol.asyncDispose]();
      await endGroup(group);
      await daemon[Symbol.asyncDispose]();
    },
  };
}

type Sessions = Pick<SmtpTask, "port" | "key" | "sessions"> & { readonly mails: number };

async function bySmtp(smtp: Child, sessions: Sessions): Promise<number> {
  const task = { ...sessions, mailBytes: MAIL_BYTES, seconds: LONG_SECONDS };
  return (await smtp.ask<SmtpResult>(task satisfies SmtpTask)).mails;
}

/** What a program says of its version; empty if it says nothing. */
function saidBy(command: string[], pattern: RegExp, libraries = ""): string {
  try {
    const { stdout } = Bun.spawnSync(command, {
      env: { ...process.env, LD_LIBRARY_PATH: libraries },
      stderr: "ignore",
    });
    return pattern.exec(stdout.toString())?.[1] ?? "";
  } catch {
    return "";
  }
}
