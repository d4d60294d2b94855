// The SQL of the contents of mails.
import type { Mailbox } from "../../../base/addresses.ts";
import type { Variables } from "../../../audience/contacts/data.ts";
import { storedLabels, type Labels, type StoredLabels } from "../../../base/labels.ts";
import { flag } from "../../../store/columns.ts";
import { loader } from "../../../store/loads.ts";
import { insertion, seqsOf } from "../../../store/row-statement.ts";
import { steadyList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { TemplateType } from "../../../content/templates/queries.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import type { KeptAttachment } from "./attachment-queries.ts";

/** The value of a header field: as it is written, or a template that is filled in for each recipient. */
export type HeaderValue = string | { readonly template: string };

/** The content of a mail, before it is rendered. */
export type MailContent = {
  readonly templateId?: string | null;
  readonly kind: TemplateType;
  readonly from: Mailbox;
  readonly replyTo?: string | null;
  readonly subject: string;
  /** Null = none. */
  readonly preheader?: string | null;
  readonly html: string;
  /** Null = made from the HTML, "" = none. */
  readonly text?: string | null;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  readonly attachments?: readonly KeptAttachment[];
  /** False = opens and clicks are not tracked, even if the workspace allows it. */
  readonly tracking?: boolean;
  readonly labels?: Partial<Labels>;
  /** The key of its topic: only marketing mail has one. */
  readonly topic?: string | null;
  /** A complete message: it leaves unchanged, and of the other fields only `from` and `subject` count. */
  readonly raw?: { readonly bytes: Uint8Array; /** With its angle brackets. */ readonly messageId: string };
};

export type NewContent = Omit<MailContent, "attachments" | "raw" | "tracking"> & {
  /** Opens and clicks are tracked. */
  readonly tracking: boolean;
  readonly workspace: number;
  /** Null if the workspace no longer has the domain: then no mail leaves. */
  readonly domain: number | null;
  /** The number of attachments. */
  readonly attachments: number;
  /** Null = made from each mail's id, or the group's. */
  readonly messageId: string | null;
  /** The public id of the group that gets it as one message. */
  readonly group?: string | undefined;
  readonly postalAddress?: string | null;
  /** For email from outside: the sender of its envelope. */
  readonly returnPath?: string;
  /** Variables that all its mails share. */
  readonly data?: Variables | undefined;
  /** A test copy: it needs no consent. */
  readonly test?: true;
  /** Its text is for the recipient alone. */
  readonly private?: true;
  /** Transactional mail that leaves even to a suppressed address. */
  readonly passesSuppressions?: true;
  readonly origin?: RequestOrigin | undefined;
};

/** The request that brought a content. */
export type RequestOrigin = {
  /** Null = it came by SMTP. */
  readonly requestId: string | null;
  readonly by: ChangeAuthor;
};

const CONTENTS = insertion(
  "contents",
  {
    workspace: "bigint",
    domain: "bigint",
    template_id: "text",
    kind: "text",
    from_address: "text",
    from_name: "text",
    reply_to: "text",
    subject: "text",
    preheader: "text",
    html: "text",
    text: "text",
    headers: "text",
    data: "text",
    attachments: "smallint",
    postal_address: "text",
    test: "smallint",
    private: "smallint",
    passes_suppressions: "smallint",
    message_id: "text",
    group_id: "text",
    return_path: "text",
    request_id: "text",
    accepted_by: "text",
    tracking: "smallint",
    topic: "text",
    tags: "text",
    metadata: "text",
  },
  "returning seq",
);

/** Answers its seq. */
export const insertContent = loader<NewContent, number>({
  stage: "change",
  ask: async (tx, contents) => {
    const rows = contents.map(({ labels = {}, ...content }) => [
      content.workspace,
      content.domain,
      content.templateId ?? null,
      content.kind,
      content.from.address,
      content.from.name,
      content.replyTo ?? null,
      content.subject,
      content.preheader ?? null,
      content.html,
      content.text ?? null,
      jsonUnlessEmpty(content.headers),
      jsonUnlessEmpty(content.data),
      content.attachments,
      content.postalAddress ?? null,
      content.test ? 1 : 0,
      content.private ? 1 : 0,
      content.passesSuppressions ? 1 : 0,
      content.messageId,
      content.group ?? null,
      content.returnPath ?? null,
      content.origin?.requestId ?? null,
      content.origin ? JSON.stringify(content.origin.by) : null,
      content.tracking ? 1 : 0,
      content.topic ?? null,
      storedLabels(labels).tags,
      storedLabels(labels).metadata,
    ]);
    return seqsOf(await tx.runEach<{ seq: number }>(CONTENTS, rows));
  },
});

/** JSON text; null for an empty object. */
export function jsonUnlessEmpty(value: Variables = {}): string | null {
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

/** Two contents inserted at the same moment are both valid; one of them is found again. */
export function insertSharedContent(tx: Tx, workspace: number, digest: string, content: number): Promise<number> {
  return tx.run`
    insert into shared_contents (workspace, digest, content) values (${workspace}, ${digest}, ${content})
    on conflict (workspace, digest) do nothing`;
}

/** The fields of a content that the door stores with each mail. */
export type KeptContent = StoredLabels & {
  readonly templateId: string | null;
  readonly kind: TemplateType;
  readonly fromAddress: string;
  readonly domain: number | null;
  readonly subject: string;
  readonly preheader: string | null;
  readonly html: string;
  readonly text: string | null;
  readonly topic: string | null;
};

export function keptContent(reader: Reader, content: number): Promise<KeptContent | null> {
  return reader.get<KeptContent>`
    select template_id as "templateId", kind, from_address as "fromAddress", domain, subject, preheader, html, text, topic, tags, metadata from contents where seq = ${content}`;
}

/** The fields of a content by which the door decides whether a mail may use it again. */
export type ContentToRepeat = {
  readonly kind: TemplateType;
  readonly topic: string | null;
  readonly domain: number | null;
  readonly isTest: boolean;
  /** Its text is for the recipient alone, and deleted once it has left. */
  readonly isPrivate: boolean;
  /** False for a complete message whose bytes are deleted, or will be. */
  readonly isWhole: boolean;
};

type RepeatRow = Pick<ContentToRepeat, "kind" | "topic" | "domain"> & Record<"test" | "private" | "whole", 0 | 1>;

export async function contentToRepeat(reader: Reader, content: number): Promise<ContentToRepeat | null> {
  const row = await reader.get<RepeatRow>`
    select kind, topic, domain, test, private, case when message_id is null
      or (exists (select 1 from raw_messages where content = contents.seq)
        and not exists (select 1 from messages_to_forget where content = contents.seq)) then 1 else 0 end as whole
    from contents where seq = ${content}`;
  return (
    row && {
      kind: row.kind,
      topic: row.topic,
      domain: row.domain,
      isTest: flag(row.test),
      isPrivate: flag(row.private),
      isWhole: flag(row.whole),
    }
  );
}

/** The sender domain was removed and added again: mails are signed with the key that is published now. */
export function setContentDomain(tx: Tx, content: number, domain: number): Promise<number> {
  return tx.run`update contents set domain = ${domain} where seq = ${content}`;
}

/** Deletes the variables of all mails of these contents that are for their recipients alone. */
export function deletePrivateData(tx: Tx, contents: readonly number[]): Promise<number> {
  return tx.run`update contents set data = null where seq in (${steadyList(contents)}) and private = 1`;
}

/** Deletes those of these contents that no mail and no campaign refers to. */
export function deleteUnusedContents(tx: Tx, contents: readonly number[]): Promise<number> {
  return tx.run`
    delete from contents where seq in (${steadyList(contents)})
      and not exists (select 1 from emails where content = contents.seq)
      and not exists (select 1 from campaigns where content = contents.seq)`;
}
