// The needs of a workspace, and its first steps that are done.
import { keptCount } from "../../audience/contacts/count-queries.ts";
import { seenIn } from "../../store/clock-queries.ts";
import { openNotesFor } from "../notes/queries.ts";
import type { Reader } from "../../store/store.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import { needsInServer, needsInWorkspace } from "../../operator/operation/needs/needs.ts";
import type { ServerView, WorkspaceView } from "../../operator/operation/needs/row.ts";
import { countMembers } from "../../operator/team/people-queries.ts";
import { isNamed } from "../../tenant/workspaces/name.ts";
import type { Workspace } from "../../tenant/workspaces/queries.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { hasNotices, hasReturned, hasSeenDomain, hasSent, madeIn } from "./queries.ts";
import type { OverviewNeed, Overview } from "./record.ts";

/** Where bounces arrive by the configuration; null = nowhere, or as notices. */
export type BounceWay = "return path" | null;

export type OverviewTerms = Omit<WorkspaceView, "stopped" | "clock"> & {
  readonly bounces: BounceWay;
  /** The public id of the person who calls; null = a key does. */
  readonly user: string | null;
  /** Null = the caller is no owner, and sees nothing of the server. */
  readonly server: Omit<ServerView, "nowMs"> | null;
};

const MOST_NOTES = 20;
const CHARS_OF_NOTE = 200;

export async function overviewOf(reader: Reader, terms: OverviewTerms): Promise<Overview> {
  const { server, nowMs } = terms;
  const own = await ownWorkspace(reader, terms.workspace);
  const seen = { ...terms, stopped: own.marketingStopped, clock: await seenIn(reader) };
  const attention = [
    ...(await needsInWorkspace(reader, seen)),
    ...(await notesFor(reader, terms)),
    ...(server === null ? [] : await needsInServer(reader, { ...server, nowMs })),
  ];
  return { attention, firstSteps: await firstSteps(reader, own, terms.bounces) };
}

async function notesFor(reader: Reader, { workspace, user }: OverviewTerms): Promise<OverviewNeed[]> {
  if (user === null) return [];
  return (await openNotesFor(reader, workspace, user, MOST_NOTES)).map(
    ({ id: noteId, contactId, email, authorName: from, text, createdAt: since }): OverviewNeed => ({
      ...{ kind: "NOTE", noteId, contactId, email, from, since },
      text: text.slice(0, CHARS_OF_NOTE),
    }),
  );
}

async function firstSteps(reader: Reader, own: Workspace, bounces: BounceWay): Promise<Overview["firstSteps"]> {
  const { seq: workspace } = own;
  const { brand } = await findBrand(reader, workspace);
  return {
    named: isNamed(own),
    mailSent: await hasSent(reader, workspace),
    domainVerified: await hasSeenDomain(reader, workspace),
    bouncesSetUp: (bounces === "return path" && (await hasReturned(reader))) || (await hasNotices(reader)),
    contacts: (await keptCount(reader, workspace, true)) > 0,
    team: (await countMembers(reader, workspace)) > 1,
    brand: brand.logoUrl !== null || Object.keys(brand.colors).length > 0,
    ...(await madeIn(reader, workspace)),
  };
}
