// The origin of mails: their content, their workspace, and the domain that signs them.
import { domainOf } from "../../../base/addresses.ts";
import { AppError, asRefusal } from "../../../base/errors.ts";
import { storedLabels } from "../../../base/labels.ts";
import type { Language } from "../../../base/languages/language.ts";
import { lookup, remembered } from "../../../store/loads.ts";
import type { Tx } from "../../../store/store.ts";
import { allowedToSend } from "../../../tenant/domains/domain.ts";
import { senderDomain } from "../../../tenant/domains/queries.ts";
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

type SenderName = { readonly workspace: number; readonly domain: string };

const senderOf = remembered(
  ({ workspace, domain }: SenderName) => `${workspace} ${domain}`,
  async (tx, { workspace, domain }) => {
    const own = sendingWorkspace(tx, workspace).catch(asRefusal);
    const [whose, row] = await Promise.all([own, senderDomain(tx, workspace, domain)]);
    return { workspace: whose, domain: row };
  },
);
const topicOf = lookup(
  ({ workspace, key }: { workspace: number; key: string }) => `${workspace} ${key}`,
  (tx, { workspace, key }) => topicMeant(tx, workspace, key),
);
const contentKept = lookup(String, (tx, seq: number) => keptContent(tx, seq));

/** @throws AppError MARKETING_STOPPED, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED */
export async function mailFrameOf(tx: Tx, { sender, content, test, campaign }: MailRequest): Promise<MailFrame> {
  const kept = "kept" in content ? content.kept : null;
  const says = kept === null ? contentFields(content as MailContent) : ((await contentKept(tx, kept)) as KeptContent);
  const isMarketing = says.kind === "MARKETING";
  const { topic: key = null } = says;
  const domain = domainOf(says.fromAddress);
  const found = senderOf(tx, { workspace: sender.workspace, domain });
  const [{ workspace, domain: row }, topic] =
    key === null || !isMarketing || test
      ? [await found, null]
      : await Promise.all([found, topicOf(tx, { workspace: sender.workspace, key })]);
  if (workspace instanceof AppError) throw workspace;
  const { marketingStopped } = workspace;
  if (isMarketing && !test && campaign === undefined && marketingStopped !== null)
    throw new AppError("MARKETING_STOPPED", marketingStopped);
  const from = allowedToSend(sender, domain, row);
  return { says, content: kept, topic, domain: from, workspace, language: isMarketing ? workspace.language : null };
}

function contentFields(content: MailContent): MailFrame["says"] {
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
