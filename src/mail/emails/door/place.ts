// The origin of mails: their content, their workspace, and the domain that signs them.
import { domainOf } from "../../../base/addresses.ts";
import { AppError, asRefusal } from "../../../base/errors.ts";
import { storedLabels } from "../../../base/labels.ts";
import type { Language } from "../../../base/languages/language.ts";
import { lookup, remembered } from "../../../store/loads.ts";
import type { Tx } from "../../../store/store.ts";
import { domainToSendFrom } from "../../../tenant/domains/domain.ts";
import { sendingWorkspace, type SendingWorkspace } from "../../../tenant/workspaces/workspace.ts";
import { topicMeant, type TopicDefault } from "../../../audience/topics/mail.ts";
import { keptContent, type MailContent, type KeptContent } from "../content/queries.ts";
import type { MailRequest } from "./request.ts";

/** The facts that all mails of a request share: their content, their sender, and who may get them. */
export type MailFrame = {
  readonly says: Omit<KeptContent, "domain">;
  /** Null = not stored yet. */
  readonly content: number | null;
  /** The topic that limits its marketing mail; null = all subscribed contacts get it. */
  readonly topic: TopicDefault | null;
  readonly domain: number;
  readonly workspace: SendingWorkspace;
  /** The language of its footer; null = it has none. */
  readonly language: Language | null;
};

const workspaceOf = remembered(String, (tx, seq: number) => sendingWorkspace(tx, seq).catch(asRefusal));
const topicOf = lookup(
  ({ workspace, key }: { workspace: number; key: string }) => `${workspace} ${key}`,
  (tx, { workspace, key }) => topicMeant(tx, workspace, key),
);
const contentKept = lookup(String, (tx, seq: number) => keptContent(tx, seq));

/** @throws AppError MARKETING_STOPPED, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED */
export async function mailFrameOf(tx: Tx, { sender, content, test, campaign }: MailRequest): Promise<MailFrame> {
  const kept = "kept" in content ? content.kept : null;
  const says = kept === null ? said(content as MailContent) : ((await contentKept(tx, kept)) as KeptContent);
  const isMarketing = says.kind === "MARKETING";
  const { topic: key = null } = says;
  const [workspace, domain, topic] = await Promise.all([
    workspaceOf(tx, sender.workspace),
    domainToSendFrom(tx, sender, domainOf(says.fromAddress)).catch(asRefusal),
    key === null || !isMarketing || test ? null : topicOf(tx, { workspace: sender.workspace, key }),
  ]);
  if (workspace instanceof AppError) throw workspace;
  const { marketingStopped } = workspace;
  if (isMarketing && !test && campaign === undefined && marketingStopped !== null)
    throw new AppError("MARKETING_STOPPED", marketingStopped);
  if (domain instanceof AppError) throw domain;
  return { says, content: kept, topic, domain, workspace, language: isMarketing ? workspace.language : null };
}

function said(content: MailContent): MailFrame["says"] {
  const {
    templateId = null,
    kind,
    from,
    subject,
    preheader = null,
    html,
    text = null,
    topic = null,
    labels = {},
  } = content;
  return {
    templateId,
    kind,
    fromAddress: from.address,
    subject,
    preheader,
    html,
    text,
    topic,
    ...storedLabels(labels),
  };
}
