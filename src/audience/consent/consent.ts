// The ledger of consent: each change of a person's consent to marketing mail is a row, written in the transaction of
// the change. Rows are only added, and chained (chain.ts). No other module writes them.
import type { LedgerChange } from "../../tenant/events/catalog.ts";
import { poster } from "../../store/loads.ts";
import { writeNotes } from "./chain.ts";
import type { LedgerContent, Door, LedgerFacts, LedgerRef, ConsentWording } from "./content.ts";
import { digestOf } from "./digest.ts";
import { insertWording } from "./queries.ts";

/** Where a person acted. Kept as long as the consent. */
export type ConsentEvidence = {
  readonly ip?: string | null;
  readonly userAgent?: string | null;
  /** The public id of the mail that led to the act. */
  readonly email?: string | null;
  readonly wording?: ConsentWording;
  /** Where the person agreed, according to an import. */
  readonly source?: string | undefined;
  /** The statement of the provider that carries our mail. */
  readonly said?: string | undefined;
};

/** How a change came about. */
export type ConsentAct = {
  /** The author of the act, as in events: the public id of a key set, user or job. */
  readonly cause?: string | null | undefined;
  /** Given only where the cause does not determine the door. */
  readonly door?: Door | undefined;
  readonly form?: LedgerRef | undefined;
  readonly workflow?: LedgerRef | undefined;
  readonly evidence?: ConsentEvidence | undefined;
};

export type LedgerEntry = {
  readonly workspace: number;
  readonly contact: { readonly seq: number; readonly email: string };
  readonly what: LedgerChange;
  readonly act?: ConsentAct | undefined;
  readonly facts?: LedgerFacts;
};

const USER_AGENT_CHARS = 300;

/** To be called for each actual change, in its transaction. */
export const note = poster<LedgerEntry>({
  stage: "note",
  ask: async (tx, all) => {
    const rows = all.map((one) => ({
      workspace: one.workspace,
      contact: one.contact.seq,
      content: ledgerContent(tx.now, one),
    }));
    const worded = all.flatMap(({ workspace, act }) =>
      act?.evidence?.wording ? { workspace, text: act.evidence.wording.text } : [],
    );
    await Promise.all([
      writeNotes(tx, rows),
      ...worded.map(({ workspace, text }) => insertWording(tx, workspace, { digest: digestOf(text), text })),
    ]);
    return [];
  },
});

/** JSON leaves out undefined values. */
function ledgerContent(at: string, { contact, what, act = {}, facts }: LedgerEntry): LedgerContent {
  const { cause, door, form, workflow, evidence } = act;
  return {
    what,
    at,
    // Undoing a merge moves the row to the other contact.
    address: what === "merged" ? undefined : contact.email,
    cause: cause || undefined,
    door,
    form,
    workflow,
    ...facts,
    ...(evidence && seenIn(evidence)),
  };
}

function seenIn({ ip, userAgent, email, source, said, wording }: ConsentEvidence): Partial<LedgerContent> {
  return {
    ip: ip || undefined,
    userAgent: userAgent?.slice(0, USER_AGENT_CHARS) || undefined,
    email: email || undefined,
    source: source || undefined,
    said: said || undefined,
    wording: wording && wordingOf(wording),
  };
}

function wordingOf({ version, language, text }: ConsentWording): NonNullable<LedgerContent["wording"]> {
  return { version, language, digest: Buffer.from(digestOf(text)).toString("hex") };
}
