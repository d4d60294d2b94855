// /o/{token} and /c/{token}: the pixel and the redirect that recipients' programs ask for, without a key.
import { Elysia } from "elysia";
import { answers, content } from "../../http/answers.ts";
import { recordVisit, type Visit } from "../../emails/engagement.ts";
import type { Log } from "../../log.ts";
import type { Secrets } from "../../secrets.ts";
import type { Store } from "../../store/store.ts";
import { readClickToken, readOpenToken } from "./links.ts";
import { isMachine } from "./machines.ts";

const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
/** Seen by a recipient's program: not to be kept, so that the next open is seen too, and not to be found by search engines. */
const UNKEPT = { "cache-control": "no-store, max-age=0", "x-robots-tag": "noindex, nofollow" };
const PIXEL_HEADERS = { ...UNKEPT, "content-type": "image/gif" };

/** A store that is slow or away must not keep the recipient waiting; the record goes on beside. */
const MAX_WAIT_MS = 300;

const GIF = content("image/gif");
const OPENED = {
  detail: answers("The pixel of a mail: sees that it is opened", { 200: GIF, 404: GIF }, { key: "none" }),
};
const FOLLOWED = {
  detail: answers(
    "A link of a mail: sees that it is followed, and leads on",
    { 302: null, 404: content("text/plain") },
    { key: "none" },
  ),
};

type Asked = { readonly params: { readonly token: string }; readonly request: Request };

export function trackingRoutes(store: Store, secrets: Secrets, log: Log) {
  /** Whatever the store says, the recipient gets what was asked for. */
  const record = async (visit: Omit<Visit, "isMachine">, { method, headers }: Request) => {
    const seen = { ...visit, isMachine: isMachine(method, headers.get("user-agent")) };
    const recorded = store
      .write((tx) => recordVisit(tx, seen))
      .catch((error: unknown) => log.warn("an open or a click could not be recorded", { error }));
    await atMost(MAX_WAIT_MS, recorded);
  };
  const open = async ({ params, request }: Asked) => {
    const emailId = readOpenToken(secrets, params.token);
    if (emailId) await record({ emailId, link: null }, request);
    return new Response(PIXEL, { status: emailId ? 200 : 404, headers: PIXEL_HEADERS });
  };
  const click = async ({ params, request }: Asked) => {
    const found = readClickToken(secrets, params.token);
    if (!found)
      return new Response("This link is not valid.\n", {
        status: 404,
        headers: { ...UNKEPT, "content-type": "text/plain" },
      });
    await record({ emailId: found.emailId, link: found.url }, request);
    return new Response(null, { status: 302, headers: { ...UNKEPT, location: new URL(found.url).href } });
  };
  return new Elysia().get("/o/:token", open, OPENED).get("/c/:token", click, FOLLOWED);
}

async function atMost(waitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
