// The SQL of inserting mails into the queue.
import type { Variables } from "../../audience/contacts/data.ts";
import type { Language } from "../../base/languages/language.ts";
import { loader, poster } from "../../store/loads.ts";
import { insertion, seqsOf } from "../../store/row-statement.ts";
import type { Load, Tx } from "../../store/store.ts";
import { jsonUnlessEmpty } from "./content/queries.ts";
import type { Lane } from "./queue/holds.ts";
import type { RecipientRole, SourceType } from "./shape.ts";

export type NewEmail = {
  readonly id: string;
  readonly workspace: number;
  /** Null: the recipient is no contact. */
  readonly contact: number | null;
  readonly content: number;
  readonly campaign: number | null;
  readonly sourceType: SourceType;
  readonly lane: Lane;
  readonly dueAt: string;
  readonly toAddress: string;
  readonly toName: string | null;
  /** Its role in a group; null = it has none. */
  readonly role: RecipientRole | null;
  /** The rendered subject, if it is known already and differs from the content's. */
  readonly subject: string | null;
  readonly variables: Variables | null;
  readonly language: Language | null;
  readonly workflowId: string | null;
  /** The public id of the step of that workflow. */
  readonly stepId: string | null;
  /** The number of the rule that decides by which ways it leaves. */
  readonly rule: number | null;
};

const MAILS_QUEUED = insertion(
  "emails",
  {
    id: "text",
    workspace: "bigint",
    contact: "bigint",
    content: "bigint",
    campaign: "bigint",
    source_type: "text",
    status: "text",
    lane: "smallint",
    due_at: "text",
    to_address: "text",
    to_name: "text",
    role: "text",
    subject: "text",
    variables: "text",
    language: "text",
    workflow_id: "text",
    step_id: "text",
    rule: "bigint",
    created_at: "text",
  },
  "returning seq",
);

const QUEUED: Pick<Load<NewEmail, number>, "stage" | "ask"> = {
  stage: "note",
  ask: async (tx, emails) => {
    const rows = emails.map((email) => [
      email.id,
      email.workspace,
      email.contact,
      email.content,
      email.campaign,
      email.sourceType,
      "QUEUED",
      email.lane,
      email.dueAt,
      email.toAddress,
      email.toName,
      email.role,
      email.subject,
      jsonUnlessEmpty(email.variables ?? {}),
      email.language,
      email.workflowId,
      email.stepId,
      email.rule,
      tx.now,
    ]);
    return seqsOf(await tx.runEach<{ seq: number }>(MAILS_QUEUED, rows));
  },
};

/** Answers its seq. */
export const insertEmail = loader(QUEUED);

/** As `insertEmail`, for those who do not need its seq. */
export const postEmail = poster(QUEUED);

type Repeat = Pick<NewEmail, "id" | "contact" | "lane" | "rule">;

/** A copy of the mail, due now; the original records that it was sent again. */
export async function insertRepeat(tx: Tx, seq: number, { id, contact, lane, rule }: Repeat): Promise<void> {
  await tx.run`update emails set resent_at = ${tx.now} where seq = ${seq}`;
  await tx.run`
    insert into emails (id, workspace, contact, content, source_type, status, lane, due_at, to_address, to_name, role, subject, variables, language,
      workflow_id, step_id, rule, resent_from, created_at)
    select cast(${id} as text), workspace, cast(${contact} as bigint), content, source_type, 'QUEUED', cast(${lane} as smallint),
      cast(${tx.now} as text), to_address, to_name, role, subject, variables, language, workflow_id, step_id, cast(${rule} as bigint), seq, cast(${tx.now} as text)
    from emails where seq = ${seq}`;
}
