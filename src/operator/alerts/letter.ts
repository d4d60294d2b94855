// An alert as an email. It bypasses the queue, which may be the fault.
import { iso } from "../../base/clock.ts";
import { ownName, type Config } from "../../base/config.ts";
import type { Handover } from "../../sending/carrier/handover.ts";
import { messageIdFor } from "../../mail/emails/content/message-id.ts";
import { SANS } from "../../base/fonts.ts";
import { newId } from "../../base/ids.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader } from "../../store/store.ts";
import { signingDomain } from "./queries.ts";
import { letterOf, type AlertNews } from "./words.ts";

type AlertLetterOptions = { readonly config: Config; readonly secrets: Secrets; readonly nowMs: number };

/** Texts are variables: nothing in them is a template. */
const TEXTS = {
  subject: "{{ subject }}",
  html: `<!doctype html><html lang="en"><body style="font:16px/1.5 ${SANS};white-space:pre-wrap">{{ text }}</body></html>`,
  text: "{{ text }}",
};

/** Signed where a verified sender domain is the sender's. */
export async function alertLetter(
  reader: Reader,
  { recipient, news }: { readonly recipient: string; readonly news: AlertNews },
  { config, secrets, nowMs }: AlertLetterOptions,
): Promise<Handover> {
  const { from: named } = config.alerts;
  const key = await signingDomain(reader, named?.split("@").at(-1)?.toLowerCase() ?? null, iso(nowMs));
  const from = { address: named ?? `posthorn@${key?.domain ?? ownName(config)}`, name: "Posthorn" };
  const id = newId(nowMs);
  return {
    ...TEXTS,
    id,
    workspace: 0,
    recipient,
    from,
    to: { address: recipient, name: null },
    group: null,
    messageId: messageIdFor(id, from.address),
    returnPath: from.address,
    dateMs: nowMs,
    replyTo: null,
    headers: JSON.stringify({ "Auto-Submitted": "auto-generated" }),
    preheader: null,
    contactData: null,
    requestData: JSON.stringify(letterOf(news)),
    subscribed: false,
    links: { unsubscribeUrl: "", subscribeUrl: "", manageUrl: "" },
    marketing: null,
    sentAlong: null,
    tracking: null,
    move: null,
    attachments: [],
    raw: null,
    dkim: key && {
      domain: key.domain,
      selector: key.selector,
      privateKeyPem: secrets.decrypt(key.privateKey),
      leaveOut: [],
    },
  };
}
