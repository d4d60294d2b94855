// The ledger of consent: each change of what marketing mail somebody agreed to is a row, in the transaction of the
// change. Rows are only added; a loop chains them a moment later (chain.ts). Nobody else writes them.
import { poster } from "../store/loads.ts";
import { digestOf } from "./digest.ts";
import { insertNotes, insertWording } from "./queries.ts";

/** What changed. `asked` … `expired`: of a double opt-in. `agreed`: to the wording of a form. */
export const CHANGES = [
  ...(["subscribed", "unsubscribed", "asked", "confirmed", "declined", "expired", "agreed"] as const),
  ...([
    "topic-joined",
    "topic-left",
    "topic-unsaid",
    "paused",
    "resumed",
    "suppressed",
    "unsuppressed",
    "merged",
    "unmerged",
    "erased",
  ] as const),
] as const;

/**
 * By which way. `public-key`: a site's own form. `form`: one of ours. `page`: where a mail's links lead. `one-click`: by
 * the button of a mail program. `provider`: at the provider that carries our mail. `clock`: a time was over.
 */
export const DOORS = [
  ...(["key", "public-key", "person", "import", "undo", "bulk", "form", "page", "one-click", "bounce"] as const),
  ...(["complaint", "soft-bounces", "provider", "workflow", "command-line", "clock", "system"] as const),
] as const;

export type What = (typeof CHANGES)[number];
export type Door = (typeof DOORS)[number];

/** What a form said when somebody agreed to it. */
export type Wording = { readonly version: number; readonly language: string; readonly text: string };

/** Where a person acted: as long as the consent is kept. */
export type Evidence = {
  readonly ip?: string | null;
  readonly userAgent?: string | null;
  /** The public id of the mail that it came from. */
  readonly email?: string | null;
  readonly wording?: Wording;
  /** Where the person agreed, as an import says. */
  readonly source?: string | undefined;
  /** What the provider that carries our mail said of it. */
  readonly said?: string | undefined;
};

/** How a change came about. */
export type Act = {
  /** Who or what did it, as events have it: the public id of a key set, user or job. */
  readonly cause?: string | null | undefined;
  /** Only where the cause does not tell. */
  readonly door?: Door | undefined;
  readonly form?: Named | undefined;
  readonly workflow?: Named | undefined;
  readonly evidence?: Evidence | undefined;
};

/** Facts of one kind of change. */
export type Facts = {
  /** Why an address is suppressed. */
  readonly reason?: string;
  /** Of a topic: its key. */
  readonly topic?: string;
  /** Why somebody is out of a topic who has signed up by a form, and was never in. */
  readonly passed?: "unticked" | "not-offered";
  /** Until when a pause or a suppression lasts. */
  readonly until?: string | null;
  /** What mail a suppression stops. */
  readonly scope?: string;
  /** The address of the contact that was merged. */
  readonly former?: string;
};

export type Noted = {
  readonly workspace: number;
  readonly contact: { readonly seq: number; readonly email: string };
  readonly what: What;
  readonly act?: Act | undefined;
  readonly facts?: Facts;
};

const USER_AGENT_CHARS = 300;

/** To be called wherever something changed, and only there, in the same transaction. */
export const note = poster<Noted>({
  stage: "note",
  ask: async (tx, all) => {
    const rows = all.map((one) => ({
      workspace: one.workspace,
      contact: one.contact.seq,
      content: JSON.stringify(contentOf(tx.now, one)),
    }));
    const worded = all.flatMap(({ workspace, act }) =>
      act?.evidence?.wording ? { workspace, text: act.evidence.wording.text } : [],
    );
    await Promise.all([
      insertNotes(tx, rows),
      ...worded.map(({ workspace, text }) => insertWording(tx, workspace, { digest: digestOf(text), text })),
    ]);
    return [];
  },
});

/** What is hashed: its text stays as it is once it is chained. */
export type Content = Facts & {
  readonly what: What;
  readonly at: string;
  /** The address at that time. */
  readonly address?: string;
  /** Of an erased person: a keyed hash of the address, the numbers of the rows, and when everything was left. */
  readonly person?: string;
  readonly rows?: string;
  readonly unsubscribedAt?: string;
  /** Until it is chained. */
  readonly cause?: string;
  readonly door?: Door;
  /** Of the key set or the user, or of who began the job. */
  readonly by?: Named;
  /** `by` is a key set that began a job. */
  readonly byKey?: true;
  readonly job?: Named;
  readonly form?: Named;
  readonly workflow?: Named;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly email?: string;
  readonly source?: string;
  readonly said?: string;
  /** The text is found by its digest. */
  readonly wording?: Pick<Wording, "version" | "language"> & { readonly digest: string };
};

export type Named = { readonly id: string | null; readonly name: string | null };

function contentOf(at: string, { contact, what, act = {}, facts = {} }: Noted): Content {
  const { cause, door, form, workflow, evidence = {} } = act;
  const { ip, userAgent, email, source, said, wording } = evidence;
  return {
    what,
    at,
    // Undoing a merge gives the row to the other contact.
    ...(what === "merged" ? {} : { address: contact.email }),
    ...(cause ? { cause } : {}),
    ...(door ? { door } : {}),
    ...(form ? { form } : {}),
    ...(workflow ? { workflow } : {}),
    ...facts,
    ...(ip ? { ip } : {}),
    ...(userAgent ? { userAgent: userAgent.slice(0, USER_AGENT_CHARS) } : {}),
    ...(email ? { email } : {}),
    ...(source ? { source } : {}),
    ...(said ? { said } : {}),
    ...(wording ? { wording: wordingOf(wording) } : {}),
  };
}

function wordingOf({ version, language, text }: Wording): NonNullable<Content["wording"]> {
  return { version, language, digest: Buffer.from(digestOf(text)).toString("hex") };
}
