// /o/{token} and /c/{token}: the pixel and the redirect, without a key; and the detection of machines among the
// visitors.
import { Elysia } from "elysia";
import { recordVisits, type MailVisit } from "../../mail/emails/feedback/visits.ts";
import { content } from "../../http/answers.ts";
import type { Log } from "../../base/log.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Store } from "../../store/store.ts";
import { workspaceIdOfMail, workspaceOfMail } from "../../mail/emails/visit-queries.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import { mailIn, readClickToken, readOpenToken, type LinkPayload } from "../carrier/tracking/links.ts";

const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
/** Not cached, so that the next open is counted too, and not indexed by search engines. */
const UNKEPT = { "cache-control": "no-store, max-age=0", "x-robots-tag": "noindex, nofollow" };
const PIXEL_HEADERS = { ...UNKEPT, "content-type": "image/gif" };

/** A recipient does not wait for a slow store; the visit is recorded later. */
const MAX_WAIT_MS = 300;

const GIF = content("image/gif");
const OPENED = {
  detail: {
    name: "recordOpen",
    summary: "Serve the tracking pixel and record an open",
    answers: { 200: GIF, 404: GIF },
    key: "none",
  },
};
const FOLLOWED = {
  detail: {
    name: "recordClick",
    summary: "Record a click and redirect to the link's target",
    answers: { 302: null, 404: content("text/plain") },
    key: "none",
  },
};

type TrackingRequest = { readonly params: { readonly token: string }; readonly request: Request };

type TokenReader<Read> = (secrets: Secrets, token: string, workspaces: readonly string[]) => Read | null;

type TrackingRouteOptions = {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly bases: LinkBases;
};

export function trackingRoutes({ store, secrets, log, bases }: TrackingRouteOptions) {
  /** A token as `reader` reads it, bound to any workspace. */
  const found = async <Read>(request: Request, token: string, reader: TokenReader<Read>): Promise<Read | null> => {
    const host = bases.requestHost(request);
    if (host !== null) return reader(secrets, token, [host.workspaceId]);
    const read = reader(secrets, token, []);
    const id = read === null && bases.hosts.length > 0 ? mailIn(token) : null;
    if (id === null) return read;
    // At the host of the server, a link that was made for another host is valid too.
    const workspace = await store.read((reading) => workspaceIdOfMail(reading, id));
    return workspace === null ? null : reader(secrets, token, [workspace]);
  };
  /**
   * Whether the link is of the workspace that the host belongs to: no other workspace may redirect from there, so an
   * unbound link counts only if the workspace of its mail matches.
   */
  const isHere = async (request: Request, { emailId, boundTo }: LinkPayload<{ readonly emailId: string }>) => {
    const host = bases.requestHost(request);
    if (host === null || boundTo === host.workspaceId) return true;
    return (await store.read((reader) => workspaceOfMail(reader, emailId))) === host.workspace;
  };
  /** The recipient gets the pixel or page even if the store fails. */
  const recordVisit = async (visit: Omit<MailVisit, "isMachine">, { method, headers }: Request) => {
    const seen = { ...visit, isMachine: isMachine(method, headers.get("user-agent")) };
    const recorded = store
      .writeTogether(recordVisits, seen)
      .catch((error: unknown) => log.warn("an open or a click could not be recorded", { error }));
    await atMost(MAX_WAIT_MS, recorded);
  };
  const open = async ({ params, request }: TrackingRequest) => {
    const mail = await found(request, params.token, readOpenToken);
    const isOurs = mail !== null && (await isHere(request, mail));
    if (isOurs) await recordVisit({ emailId: mail.emailId, link: null }, request);
    return new Response(PIXEL, { status: isOurs ? 200 : 404, headers: PIXEL_HEADERS });
  };
  const click = async ({ params, request }: TrackingRequest) => {
    const link = await found(request, params.token, readClickToken);
    if (!link || !(await isHere(request, link)))
      return new Response("This link is not valid.\n", {
        status: 404,
        headers: { ...UNKEPT, "content-type": "text/plain" },
      });
    await recordVisit({ emailId: link.emailId, link: link.url }, request);
    return new Response(null, { status: 302, headers: { ...UNKEPT, location: new URL(link.url).href } });
  };
  return new Elysia().get("/o/:token", open, OPENED).get("/c/:token", click, FOLLOWED);
}

async function atMost(waitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Image proxies of mailboxes, scanners that follow links, makers of previews. */
const KNOWN = new RegExp(
  [
    "GoogleImageProxy|YahooMailProxy|Google-Safety",
    "barracuda|proofpoint|mimecast|messagelabs|symantec|sophos|trendmicro|trend micro|fireeye|ironport|cisco|forcepoint|websense",
    "bitdefender|kaspersky|zscaler|checkpoint|cloudmark|hornetsecurity|vipre|safelinks|urldefense|virustotal|mailscanner",
    // Cubot makes telephones.
    "(?<!\\bcu)bot\\b|crawler|spider|scanner|link ?check|headless|facebookexternalhit|whatsapp|preview|phantomjs",
  ].join("|"),
  "i",
);

/** The whole User-Agent of a mailbox that fetches every picture when the mail arrives. */
const PREFETCHING = "Mozilla/5.0";

/** `method` and `userAgent` (null = none was sent) of the request. People do not send HEAD. */
export function isMachine(method: string, userAgent: string | null): boolean {
  return method === "HEAD" || userAgent?.trim() === PREFETCHING || KNOWN.test(userAgent ?? "");
}
