// The inbound room: the port for email from outside, the threads that read it, attached files, and notices of SES.
import { CachingResolver } from "../../base/dns/cache.ts";
import { FairQueue } from "../../base/brakes/fair-queue.ts";
import { ownName } from "../../base/config.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { hourly } from "../../base/jobs/loops.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { fetchTextWithin, type FetchText } from "../../http/fetch-text.ts";
import type { Mail } from "../emails/queries.ts";
import { recordSettings } from "../../tenant/domains/dns-records.ts";
import type { WaySettings } from "../../base/config/ways.ts";
import { mailText, type Compose } from "./content.ts";
import { GATHER_MS, Intake } from "./intake.ts";
import { letterOf, type LetterView } from "./letter.ts";
import { endMessageLeases } from "./queries.ts";
import { MAIL_RECEIVED } from "./arrival.ts";
import type { MessageText } from "./reading/text.ts";
import { inboundPort } from "./port.ts";
import { endMailboxLeases } from "./mailbox/queries.ts";
import { MailboxReader } from "./mailbox/reader.ts";
import { ReadingThread } from "./reading-thread.ts";
import { reportFileRoutes } from "./report-file.ts";
import { attachmentRoutes } from "./routes.ts";
import { forgetOldNotices, SesNotices } from "./ses/notices.ts";
import { sesRoutes } from "./ses/routes.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

/** Longer than scanners and name servers may take for one message. */
const MAX_READ_MS = 60_000;
/** Processor time: longer than the largest message keeps a slow machine busy. */
const MAX_BUSY_MS = 15_000;
const SNS_LIMITS = { timeoutMs: 5_000, bytes: 64 * 1024 };
const EXPIRED_NOTICES_A_BATCH = 1_000;
/** Each takes its whole message and more of memory while its file is extracted. */
const FILES_AT_ONCE = 2;

type InboundHooks = {
  readonly compose: Compose;
  /** The mail of a pixel's token; null = not signed by us. */
  readonly mailOfPixel: (token: string) => string | null;
  /** Fetches certificates of Amazon SNS and confirms subscriptions to it. */
  readonly fetchText?: FetchText | undefined;
};

export async function openInbound(
  ground: Ground,
  access: Access,
  { compose, mailOfPixel, fetchText = fetchTextWithin(SNS_LIMITS) }: InboundHooks,
): Promise<
  Room & {
    readonly letterOf: (workspace: number, id: string) => Promise<LetterView>;
    readonly contentOf: (mail: Mail) => Promise<MessageText>;
  }
> {
  const { config, store, secrets, ways } = ground;
  // No other process works on this store, so every claim is left over from a process that is gone.
  if (store.exclusive) await store.write(endMessageLeases);
  if (store.exclusive && config.bounceMailboxes.length > 0) await store.write(endMailboxLeases);
  const newThread = threadsFor(ground);
  // Attached files have their own thread: incoming mail does not wait for them.
  const [thread, quarantine, reports, files] = [newThread(), newThread(), newThread(), newThread()];
  const sources = { store, thread: files, turns: new FairQueue(FILES_AT_ONCE) };
  const returnPath = { secrets, returnPathDomain: config.delivery.returnPathDomain };
  const intake = new Intake({
    ...ground,
    thread,
    quarantine,
    reports,
    returnPath,
    mailOfPixel,
    settings: () => recordSettings(config, ways.used),
    carriers: () => [...new Set(ways.used.flatMap(carrierOf))],
  });
  const proofs = { secrets, mailOfPixel };
  const mailboxes = config.bounceMailboxes.map(
    (settings) =>
      new MailboxReader({
        ...ground,
        settings,
        take: { store, returnPath, hostName: ownName(config), proofs },
        threads: [thread, quarantine],
      }),
  );
  const notices = new SesNotices({
    ...ground,
    topics: () => ways.all.flatMap(({ ses }) => ses.topics),
    fetchText,
  });
  return {
    contentOf: (mail) => mailText(sources, mail, compose),
    letterOf: (workspace, id) => letterOf(sources, { workspace, id, compose }),
    ports: [inboundPort(config, { ...ground, returnPath })],
    routes: [
      attachmentRoutes(access, sources, compose),
      reportFileRoutes(access),
      sesRoutes(notices, access.bodyMemory),
    ],
    loops: [
      {
        name: "reading inbound email",
        step: () => intake.step(),
        wokenBy: MAIL_RECEIVED,
        gatherMs: GATHER_MS,
        inHand: intake.inHand,
        lookEveryMs: LOOK_OFTEN_MS,
      },
      { name: "renewing leases of inbound email", step: () => intake.renew(), lookEveryMs: ground.leaseMs / 3 },
      ...mailboxes.map(({ loop }) => loop),
      hourly("deleting old SES notices", EXPIRED_NOTICES_A_BATCH, (most) => forgetOldNotices(store, most)),
    ],
    stop: async () => void (await Promise.all(mailboxes.map((mailbox) => mailbox.stop()))),
    close: () => [thread, quarantine, reports, files].forEach((one) => one.close()),
  };
}

/** The resolver has its own memory and limits: no HTTP request keeps email from outside waiting. */
function threadsFor({ config, resolver, clock }: Ground): () => ReadingThread {
  const { rspamdUrl, clamdSocket, timeoutSeconds } = config.scanners;
  const options = {
    resolver: new CachingResolver(resolver, clock),
    host: ownName(config),
    scanners: { rspamdUrl, clamdSocket, timeoutMs: timeoutSeconds * 1000 },
    maxReadMs: MAX_READ_MS,
    maxBusyMs: MAX_BUSY_MS,
  };
  return () => new ReadingThread(options);
}

function carrierOf({ kind, relay }: WaySettings): string[] {
  if (kind === "ses") return ["amazonses.com"];
  if (kind === "graph") return ["outlook.com"];
  return kind === "smtp" && relay.host !== null ? [relay.host.toLowerCase()] : [];
}
