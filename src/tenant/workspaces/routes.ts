// /workspace: a workspace's own settings.
import { t } from "elysia";
import { ifUpdatedAtShape } from "../access/saving-shape.ts";
import { nameShape, optional, wholeNumber } from "../../http/schemas.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../access/auth.ts";
import { maySeeSecrets, type Caller, refuseWithout } from "../access/caller.ts";
import { complaintScopeShape, sendDataShape, trackingShape, workspaceRecord, workspaceShape } from "./record.ts";
import { get, patch, post, routes } from "../access/route-table.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import { MAX_PAGE_FIELDS } from "./page-fields.ts";
import { MAX_SEARCH_FIELDS } from "./search-fields.ts";
import { LEAST_DAYS, MOST_DAYS, type Days } from "./retention.ts";
import { changeRetention, changeWorkspace, ownWorkspace, rotateWebhookSecret } from "./workspace.ts";

const retention = t.Object({
  mailDays: optional(wholeNumber(LEAST_DAYS.mailDays, MOST_DAYS), "Records of emails that were sent."),
  bodyDays: optional(wholeNumber(LEAST_DAYS.bodyDays, MOST_DAYS), "What emails say, and their attachments."),
  eventDays: optional(
    wholeNumber(LEAST_DAYS.eventDays, MOST_DAYS),
    "Events; each contact keeps the last of each name.",
  ),
  inboundDays: optional(wholeNumber(LEAST_DAYS.inboundDays, MOST_DAYS), "Email from outside."),
  attemptDays: optional(wholeNumber(LEAST_DAYS.attemptDays, MOST_DAYS), "Failed hand-overs, and visits by machines."),
  recipientDays: optional(
    wholeNumber(LEAST_DAYS.recipientDays, MOST_DAYS),
    "Lists of recipients of campaigns that have ended.",
  ),
});

const pageLabel = t.Unsafe<Readonly<Record<string, string | null>>>(
  t.Object(Object.fromEntries(LANGUAGES.map((language) => [language, optional(t.String({ maxLength: 100 }))])), {
    additionalProperties: false,
  }),
);

const settings = t.Object(
  {
    name: optional(t.String({ minLength: 1, maxLength: 100 })),
    tracking: optional(trackingShape),
    language: optional(t.String({ minLength: 1, maxLength: 35 })),
    postalAddress: optional(t.String({ maxLength: 500 })),
    doubleOptIn: optional(t.Boolean(), "New subscribers must confirm by email."),
    publicKeys: optional(
      t.Object({
        update: optional(t.Boolean(), "Change the data of an existing contact."),
        unsubscribe: optional(t.Boolean(), "Unsubscribe an existing contact."),
        events: optional(
          t.Array(t.String({ minLength: 1, maxLength: 255 }), { maxItems: 100 }),
          "The names of the events that it may record. null = any.",
        ),
      }),
      "What a public key, which anybody can read, may do.",
    ),
    sendData: optional(
      sendDataShape,
      "Whether the `data` of a send belongs to the email alone, or is stored with the contact too (`stored`, for those who come from Plunk).",
    ),
    suppressions: optional(
      t.Object({
        complaints: optional(
          complaintScopeShape,
          "What a complaint suppresses: marketing email (as at first), or all.",
        ),
        softBounces: optional(
          wholeNumber(0, 50),
          "So many soft bounces in a row suppress an address, if no email arrived between them: 5 at first; 0 = they never do.",
        ),
        softBounceDays: optional(wholeNumber(0, 90), "The least number of days that they are spread over: 7 at first."),
      }),
      "What suppresses an address by itself.",
    ),
    searchFields: optional(
      t.Array(t.String({ minLength: 1, maxLength: 300 }), { maxItems: MAX_SEARCH_FIELDS }),
      "Fields of data that a search for contacts looks in, besides the address and the names, such as `data.customerId`. Contacts are found by a new one within minutes.",
    ),
    preferencePage: optional(
      t.Object({
        data: optional(
          t.Array(
            t.Object({
              field: t.String({ minLength: 1, maxLength: 300 }),
              label: optional(pageLabel, "By language, such as `en`. Without one, the key is shown."),
            }),
            { maxItems: MAX_PAGE_FIELDS },
          ),
          "Fields of data that the page shows to the person, such as `data.city`.",
        ),
        asksWhy: optional(t.Boolean(), "Whether somebody who has just left is asked why: true at first."),
      }),
      "Of the page where people choose.",
    ),
    fromAddress: optional(t.String({ maxLength: 320 }), "The sender of confirmation emails."),
    fromName: optional(nameShape),
    timeZone: optional(
      t.String({ maxLength: 100 }),
      "In which people plan what they schedule: a name of the IANA time zone database, such as `Europe/Berlin`. null = none. The interface itself takes moments with their offset.",
    ),
    retention: optional(
      retention,
      "For how many days things are kept: no longer than the server keeps them. null in it = as long as the server.",
    ),
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ language: "de", postalAddress: "Example GmbH, Hauptstraße 1, 53111 Bonn" }] },
);
const OVERLAP_HOURS = 24;
const rotation = t.Object(
  { overlapHours: optional(wholeNumber(0, 72, OVERLAP_HOURS), "For so long the secret before it signs as well.") },
  { examples: [{ overlapHours: 24 }] },
);

export function workspaceRoutes(access: Access, secrets: Secrets, days: Days) {
  const seenBy = (caller: Caller) => ({ secrets: maySeeSecrets(caller) ? secrets : null, days });
  const own = async (reader: Reader, caller: Caller) =>
    workspaceRecord(await ownWorkspace(reader, caller.workspace), seenBy(caller));
  return routes(access, [
    get(
      "/workspace",
      {
        name: "getWorkspace",
        summary: "Get the workspace",
        answers: { 200: workspaceShape },
        permission: "read",
        description:
          "`webhookSecret` is null for a key that is scoped to domains, and for people without the permission `keys` and a fresh proof.",
      },
      (reader, { caller }) => own(reader, caller),
    ),
    patch(
      "/workspace",
      {
        name: "updateWorkspace",
        summary: "Update the workspace",
        answers: { 200: workspaceShape },
        permission: "campaigns.send",
        body: settings,
        managers: true,
        refuses: ["CONFLICT", "DOMAIN_NOT_VERIFIED"],
        description: "People without the permission `workspace` may set `postalAddress` alone.",
      },
      async (tx, { body, caller }) => {
        const { ifUpdatedAt: _, ...fields } = body;
        if (Object.keys(fields).some((field) => field !== "postalAddress")) refuseWithout(caller.person, "workspace");
        const changed = await changeWorkspace(tx, caller.workspace, body);
        if (!body.retention) return workspaceRecord(changed, seenBy(caller));
        await changeRetention(tx, caller.workspace, body.retention, days);
        return own(tx, caller);
      },
    ),
    post(
      "/workspace/rotate-webhook-secret",
      {
        name: "rotateWebhookSecret",
        summary: "Replace the webhook secret",
        answers: { 200: workspaceShape },
        permission: "keys",
        proof: true,
        managers: true,
        body: rotation,
        refuses: ["CONFLICT"],
        description:
          "For 24 hours, or `overlapHours`, webhooks carry a signature by the new secret and one by the secret before it. While they do, only `overlapHours` 0 rotates again: it ends both.",
      },
      async (tx, { body, caller }) => {
        const { workspace } = caller;
        await rotateWebhookSecret(tx, secrets, { workspace, overlapHours: body.overlapHours ?? OVERLAP_HOURS });
        return own(tx, caller);
      },
      { sealedBy: secrets },
    ),
  ]);
}
