// Stores a content once for all mails of a request, or of several requests with the same content.
import type { Variables } from "../../../audience/contacts/data.ts";
import { sha256Hex } from "../../../base/ids.ts";
import { namesImages, noteImages } from "../../../content/images/uses.ts";
import { loader } from "../../../store/loads.ts";
import type { Tx } from "../../../store/store.ts";
import type { Workspace } from "../../../tenant/workspaces/queries.ts";
import { ownWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { insertAttachment } from "../content/attachment-queries.ts";
import * as contents from "../content/queries.ts";
import { insertRaw } from "../content/raw-queries.ts";
import type { MailContent, NewContent } from "../content/queries.ts";
import { reuseShared } from "../content/reuse-queries.ts";
import type { MailFrame } from "./place.ts";
import type { MailRequest } from "./request.ts";

/** The seq of a request's content. */
export function contentNumber(tx: Tx, request: MailRequest, place: MailFrame): number | Promise<number> {
  if (place.content !== null) return place.content;
  const content = contentToKeep(request, place);
  return request.shared ? share(tx, { content, digest: digestOf(request, content) }) : keep(tx, content);
}

type ContentToKeep = MailContent & {
  readonly workspace: Pick<Workspace, "seq" | "tracking" | "postalAddress">;
  readonly domain: number | null;
  readonly data?: Variables | undefined;
} & Pick<MailRequest, "test" | "private" | "origin" | "group"> &
  Pick<NewContent, "passesSuppressions">;

function contentToKeep(
  { content, shared, variables, test, private: own, origin, group, passesSuppressions }: MailRequest,
  place: MailFrame,
): ContentToKeep {
  const { workspace, domain } = place;
  return {
    ...(content as MailContent),
    ...(test || own ? { tracking: false } : {}),
    ...(test ? { test } : {}),
    ...(own ? { private: own } : {}),
    ...(passesSuppressions === "always" ? { passesSuppressions: true as const } : {}),
    ...(origin ? { origin } : {}),
    ...(group ? { group } : {}),
    workspace,
    domain,
    data: shared ? {} : variables,
  };
}

/** Stores the content of mails, once for all of them; answers its seq. No mail is queued yet. */
export async function keepContent(
  tx: Tx,
  content: MailContent & { readonly workspace: number; readonly domain: number | null },
): Promise<number> {
  const workspace = await ownWorkspace(tx, content.workspace);
  return keep(tx, { ...content, workspace });
}

async function keep(tx: Tx, { attachments = [], raw, workspace, ...content }: ContentToKeep): Promise<number> {
  const seq = await contents.insertContent(tx, {
    ...content,
    workspace: workspace.seq,
    attachments: attachments.length,
    messageId: raw?.messageId ?? null,
    postalAddress: content.kind === "MARKETING" ? workspace.postalAddress : null,
    tracking: isTracked(content, workspace),
  });
  if (namesImages(content.html))
    await noteImages(tx, { workspace: workspace.seq, kind: "content", seq, isNew: true }, [content.html]);
  for (const [position, attachment] of attachments.entries()) await insertAttachment(tx, seq, position, attachment);
  if (raw) tx.deferred(insertRaw(tx, { content: seq, bytes: raw.bytes }));
  return seq;
}

function isTracked({ tracking, kind }: MailContent, workspace: Pick<Workspace, "tracking">): boolean {
  if (tracking === false || workspace.tracking === "DISABLED") return false;
  return workspace.tracking === "ENABLED" || kind === "MARKETING";
}

type ContentDigest = { readonly content: ContentToKeep; readonly digest: string };

/** As `keep`, unless exactly this content is stored already. In a fixed order, to avoid deadlocks. */
const share = loader<ContentDigest, number>({
  stage: "change",
  name: ({ content, digest }) => `${content.workspace.seq} ${digest}`,
  ask: async (tx, all) => {
    const seqs: number[] = [];
    for (const { content, digest } of all) seqs.push(await kept(tx, content, digest));
    return seqs;
  },
});

async function kept(tx: Tx, content: ContentToKeep, digest: string): Promise<number> {
  const workspace = content.workspace.seq;
  const known = await reuseShared(tx, workspace, digest);
  if (known !== null) return known;
  const seq = await keep(tx, content);
  await contents.insertSharedContent(tx, workspace, digest, seq);
  return seq;
}

const digests = new WeakMap<object, string>();

/** The mails of a step share one content object, whose JSON is hashed once. */
function digestOf({ content, test, private: own }: MailRequest, { workspace, domain, kind }: ContentToKeep): string {
  const said = digests.get(content) ?? sha256Hex(JSON.stringify(content));
  digests.set(content, said);
  const footer = kind === "MARKETING" ? workspace.postalAddress : null;
  return sha256Hex(JSON.stringify([said, footer, domain, test, own]));
}
