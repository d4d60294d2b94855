// What mails say is kept once for all mails of a request, or of several that say the same.
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
  const all: number[] = [];
  for (const one of granted)
    all.push(one.place.content ?? kept.get(one) ?? (await share(tx, contentToKeep(one.request, one.place))));
  return all;
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
  for (const [index, { attachments = [], raw, workspace, html }] of kept.entries()) {
    const seq = seqs[index] as number;
    await noteImages(tx, { workspace: workspace.seq, kind: "content", seq, isNew: true }, [html]);
    for (const [position, attachment] of attachments.entries())
      await contents.insertAttachment(tx, seq, position, attachment);
    if (raw) await contents.insertRaw(tx, seq, raw.bytes);
  }
  return seqs;
}

function isTracked({ tracking, kind }: Content, workspace: Pick<Workspace, "tracking">): boolean {
  if (tracking === false || workspace.tracking === "DISABLED") return false;
  return workspace.tracking === "ENABLED" || kind === "MARKETING";
}

/** As `keep`, unless exactly this content is kept already. */
async function share(tx: Tx, { workspace, ...content }: ContentToKeep): Promise<number> {
  const footer = content.kind === "MARKETING" ? workspace.postalAddress : null;
  const digest = sha256Hex(JSON.stringify([footer, { ...content, workspace: workspace.seq }]));
  const kept = await reuseShared(tx, workspace.seq, digest);
  if (kept !== null) return kept;
  const [seq] = (await keep(tx, [{ ...content, workspace }])) as [number];
  await contents.insertSharedContent(tx, workspace.seq, digest, seq);
  return seq;
}
