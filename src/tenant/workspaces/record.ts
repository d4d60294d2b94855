// Workspaces as the interface shows them.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { pageFieldRecords } from "./page-fields.ts";
import { searchFieldNames } from "./search-fields.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Workspace } from "./queries.ts";
import { daysOf, type Days } from "./retention.ts";

export const trackingShape = oneOf("ENABLED", "DISABLED", "MARKETING_ONLY");
export const sendDataShape = oneOf("mail", "stored");
export const complaintScopeShape = oneOf("marketing", "all");

const daysShape = nullable(countShape);
const retentionShape = t.Object(
  {
    mailDays: daysShape,
    bodyDays: daysShape,
    eventDays: daysShape,
    inboundDays: daysShape,
    attemptDays: daysShape,
    recipientDays: daysShape,
  },
  {
    description:
      "For how many days things are kept: the lower of the workspace's own and the server's. null = forever.",
  },
);

const preferencePageShape = t.Object(
  {
    data: t.Array(t.Object({ field: t.String(), label: t.Record(t.String(), t.String()) }), {
      description: "Fields of data that the page shows to the person, each with its name by language.",
    }),
    asksWhy: t.Boolean({ description: "Whether somebody who has just left is asked why." }),
  },
  { description: "Of the page where people choose." },
);

export const workspaceShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    tracking: trackingShape,
    language: oneOf(...LANGUAGES),
    postalAddress: nullable(t.String()),
    doubleOptIn: t.Boolean(),
    publicKeys: t.Object({
      update: t.Boolean(),
      unsubscribe: t.Boolean(),
      events: t.Union([t.Array(t.String()), t.Null()], {
        description: "The events that a public key may record. null = any.",
      }),
    }),
    sendData: sendDataShape,
    suppressions: t.Object(
      { complaints: complaintScopeShape, softBounces: countShape, softBounceDays: countShape },
      { description: "What suppresses an address by itself." },
    ),
    searchFields: t.Array(t.String(), {
      description: "Fields of data that a search for contacts looks in, besides the address and the names.",
    }),
    preferencePage: preferencePageShape,
    fromAddress: nullable(t.String()),
    fromName: nullable(t.String()),
    timeZone: t.Union([t.String(), t.Null()], {
      description: "In which people plan what they schedule: a name such as `Europe/Berlin`. null = none is set.",
    }),
    webhookSecret: nullable(t.String()),
    retention: retentionShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Workspace" },
);

/** The context of a record. */
export type WorkspaceRecordOptions = {
  /** Null: the caller may not see the webhook secret. */
  readonly secrets: Secrets | null;
  /** The installation's days. */
  readonly days: Days;
};

export function workspaceRecord(
  workspace: Workspace,
  { secrets, days }: WorkspaceRecordOptions,
): typeof workspaceShape.static {
  return {
    id: workspace.id,
    name: workspace.name,
    tracking: workspace.tracking,
    language: workspace.language,
    postalAddress: workspace.postalAddress,
    doubleOptIn: workspace.doubleOptIn,
    publicKeys: {
      update: workspace.publicUpdate,
      unsubscribe: workspace.publicUnsubscribe,
      events: workspace.publicEvents && [...workspace.publicEvents],
    },
    sendData: workspace.sendData,
    suppressions: {
      complaints: workspace.complaintScope,
      softBounces: workspace.softBounces,
      softBounceDays: workspace.softBounceDays,
    },
    searchFields: searchFieldNames(workspace.searchFields),
    preferencePage: { data: pageFieldRecords(workspace.pageFields), asksWhy: workspace.asksWhy },
    fromAddress: workspace.fromAddress,
    fromName: workspace.fromName,
    timeZone: workspace.timeZone,
    webhookSecret: secrets === null ? null : secrets.decrypt(workspace.webhookSecret),
    retention: retentionRecord(daysOf(days, workspace)),
    createdAt: workspace.createdAt,
    updatedAt: workspace.updatedAt,
  };
}

function retentionRecord({ mailDays, bodyDays, eventDays, inboundDays, attemptDays, recipientDays }: Days) {
  return {
    mailDays: mailDays || null,
    bodyDays: bodyDays || null,
    eventDays: eventDays || null,
    inboundDays: inboundDays || null,
    attemptDays: attemptDays || null,
    recipientDays: recipientDays || null,
  };
}
