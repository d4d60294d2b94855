// The SQL of keeping what mails say.
import type { Reader, Tx } from "../store/store.ts";
import type { TemplateType } from "../templates/queries.ts";

type NewContent = {
  readonly workspace: number;
  /** Null if the workspace has lost it: then nothing leaves. */
  readonly domain: number | null;
  readonly templateId: string | null;
  readonly kind: TemplateType;
  readonly fromAddress: string;
  readonly fromName: string | null;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string | null;
  readonly headers: string | null;
  readonly data: string | null;
  readonly attachments: number;
  /** What the workspace allows; false = not for these mails, whatever it allows. */
  readonly tracking: boolean;
  readonly postalAddress: string | null;
  /** A copy to look at: it needs no consent. */
  readonly test: boolean;
  /** Null = made of each mail's id. */
  readonly messageId: string | null;
};

/** `lenient` has to be filled and is not read. */
export async function insertContent(tx: Tx, content: NewContent): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into contents (workspace, domain, template_id, kind, lenient, from_address, from_name, reply_to, subject, html,
      text, headers, data, attachments, postal_address, test, message_id, tracking)
    values (${content.workspace}, ${content.domain}, ${content.templateId}, ${content.kind}, 0,
      ${content.fromAddress}, ${content.fromName}, ${content.replyTo}, ${content.subject}, ${content.html}, ${content.text},
      ${content.headers}, ${content.data}, ${content.attachments}, ${content.postalAddress}, ${content.test ? 1 : 0},
      ${content.messageId},
      (select case when ${content.tracking ? 1 : 0} = 0 or tracking = 'DISABLED' then 0
        when tracking = 'MARKETING_ONLY' and ${content.kind} <> 'MARKETING' then 0 else 1 end
        from workspaces where seq = ${content.workspace}))
    returning seq`;
  return (row as { seq: number }).seq;
}

export async function sharedContent(reader: Reader, workspace: number, digest: string): Promise<number | null> {
  const row = await reader.get<{ content: number }>`
    select content from shared_contents where workspace = ${workspace} and digest = ${digest}`;
  return row?.content ?? null;
}

/** Two that are made at the same moment are both good; one of them is found again. */
export function insertSharedContent(tx: Tx, workspace: number, digest: string, content: number): Promise<number> {
  return tx.run`
    insert into shared_contents (workspace, digest, content) values (${workspace}, ${digest}, ${content})
    on conflict (workspace, digest) do nothing`;
}
