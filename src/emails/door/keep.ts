// Stores a content once for all mails of a request, or of several requests with the same content.
import type { Variables } from "../../contacts/data.ts";
import { sha256Hex } from "../../ids.ts";
import { noteImages } from "../../images/uses.ts";
import type { Tx } from "../../store/store.ts";
import type { Workspace } from "../../workspaces/queries.ts";
import { ownWorkspace } from "../../workspaces/workspace.ts";
import * as contents from "../content/queries.ts";
import type { Content } from "../content/queries.ts";
import { reuseShared } from "../content/reuse-queries.ts";
import type { Place } from "./place.ts";
import type { MailRequest } from "./request.ts";

/** A request that nothing speaks against. */
type Admitted = { readonly request: MailRequest; readonly place: Place };

/** The seq of each request's content. */
export async function keepEach(tx: Tx, granted: readonly Admitted[]): Promise<number[]> {
  const own = granted.filter(({ request, place }) => place.content === null && !request.shared);
  const seqs = await keep(
    tx,
    own.map(({ request, place }) => contentToKeep(request, place)),
  );
  const kept = new Map(own.map((one, index) => [one, seqs[index] as number]));
  const shared = await shareEach(
    tx,
    granted.filter(({ request, place }) => place.content === null && request.shared),
  );
  return granted.map((one) => one.place.content ?? kept.get(one) ?? (shared.get(one) as number));
}

type ContentToKeep = Content & {
  readonly workspace: Pick<Workspace, "seq" | "tracking" | "postalAddress">;
  readonly domain: number | null;
  readonly data?: Variables | undefined;
} & Pick<MailRequest, "test" | "private" | "origin">;

function contentToKeep(
  { content, shared, variables, test, private: own, origin }: MailRequest,
  place: Place,
): ContentToKeep {
  const { workspace, domain } = place;
  return {
    ...(content as Content),
    ...(test || own ? { tracking: false } : {}),
    ...(test ? { test } : {}),
    ...(own ? { private: own } : {}),
    ...(origin ? { origin } : {}),
    ...{ workspace, domain, data: shared ? {} : variables },
  };
}

/** Keeps what mails say, once for all of them; answers its seq. Nothing is queued yet. */
export async function keepContent(
  tx: Tx,
  content: Content & { readonly workspace: number; readonly domain: number | null },
): Promise<number> {
  const workspace = await ownWorkspace(tx, content.workspace);
  return (await keep(tx, [{ ...content, workspace }]))[0] as number;
}

async function keep(tx: Tx, kept: readonly ContentToKeep[]): Promise<number[]> {
  const seqs = await contents.insertContents(
    tx,
    kept.map(({ attachments = [], raw, workspace, ...content }) => ({
      ...content,
      workspace: workspace.seq,
      attachments: attachments.length,
      messageId: raw?.messageId ?? null,
      postalAddress: content.kind === "MARKETING" ? workspace.postalAddress : null,
      tracking: isTracked(content, workspace),
    })),
  );
  for (const [index, { attachments = [], workspace, html }] of kept.entries()) {
    const seq = seqs[index] as number;
    await noteImages(tx, { workspace: workspace.seq, kind: "content", seq, isNew: true }, [html]);
    for (const [position, attachment] of attachments.entries())
      await contents.insertAttachment(tx, seq, position, attachment);
  }
  await contents.insertRaw(
    tx,
    kept.flatMap(({ raw }, index) => (raw ? [{ content: seqs[index] as number, bytes: raw.bytes }] : [])),
  );
  return seqs;
}

function isTracked({ tracking, kind }: Content, workspace: Pick<Workspace, "tracking">): boolean {
  if (tracking === false || workspace.tracking === "DISABLED") return false;
  return workspace.tracking === "ENABLED" || kind === "MARKETING";
}

/** As `keep`, unless exactly this content is kept already. In one order, so that two transactions never wait for each other. */
async function shareEach(tx: Tx, admitted: readonly Admitted[]): Promise<ReadonlyMap<Admitted, number>> {
  const byDigest = Map.groupBy(inCommon(admitted), ([one]) => digestOf(contentToKeep(one.request, one.place)));
  const shared = new Map<Admitted, number>();
  for (const digest of [...byDigest.keys()].sort()) {
    const alike = (byDigest.get(digest) as Alike[]).flat();
    const [{ request, place }] = alike as [Admitted];
    const seq = await share(tx, contentToKeep(request, place), digest);
    for (const one of alike) shared.set(one, seq);
  }
  return shared;
}

type Alike = readonly [Admitted, ...Admitted[]];

/** Those of a workspace that have one content in common, which need not be compared. */
function inCommon(admitted: readonly Admitted[]): Alike[] {
  const kindOf = ({ request, place }: Admitted) => `${place.workspace.seq} ${request.test} ${request.private}`;
  const byContent = Map.groupBy(admitted, ({ request }) => request.content);
  return [...byContent.values()].flatMap((same) => [...Map.groupBy(same, kindOf).values()] as unknown as Alike[]);
}

function digestOf({ workspace, ...content }: ContentToKeep): string {
  const footer = content.kind === "MARKETING" ? workspace.postalAddress : null;
  return sha256Hex(JSON.stringify([footer, { ...content, workspace: workspace.seq }]));
}

async function share(tx: Tx, content: ContentToKeep, digest: string): Promise<number> {
  const workspace = content.workspace.seq;
  const kept = await reuseShared(tx, workspace, digest);
  if (kept !== null) return kept;
  const [seq] = (await keep(tx, [content])) as [number];
  await contents.insertSharedContent(tx, workspace, digest, seq);
  return seq;
}
