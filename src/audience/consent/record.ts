// A row of the ledger in the API: codes, and a sentence beside them.
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import type { Reader } from "../../store/store.ts";
import { LEDGER_CHANGES } from "../../tenant/events/catalog.ts";
import { DOORS, type LedgerContent } from "./content.ts";
import { doorsAmong } from "./doors.ts";
import { ledgerSentence, type WordLanguage } from "./words.ts";

const namedShape = t.Object({
  id: nullable(t.String()),
  name: nullable(t.String()),
});

const wordingShape = t.Object({
  version: t.Number({ multipleOf: 1 }),
  language: t.String(),
  digest: t.String({ description: "SHA-256 of the text, in hex: the evidence file has the text." }),
});

export const consentShape = t.Object(
  {
    number: nullable(
      t.Number({
        multipleOf: 1,
        description: "Its place in the workspace's chain; null for a second, until it has one.",
      }),
    ),
    at: timeShape,
    what: oneOf(...LEDGER_CHANGES),
    text: t.String({ description: "All of it in a sentence, in `language`." }),
    address: nullable(t.String({ description: "The address at that time." })),
    door: oneOf(...DOORS),
    by: nullable(namedShape),
    job: nullable(namedShape),
    form: nullable(namedShape),
    workflow: nullable(namedShape),
    reason: nullable(t.String({ description: "Why the address was suppressed." })),
    topic: nullable(t.String({ description: "The key of the topic." })),
    until: nullable(timeShape),
    scope: nullable(t.String({ description: "Which email a suppression stops." })),
    former: nullable(t.String({ description: "The address of the contact that was merged into this one." })),
    ip: nullable(t.String({ description: "Where the person acted." })),
    userAgent: nullable(t.String()),
    emailId: nullable(idShape),
    source: nullable(t.String({ description: "Where the person agreed, as the import says." })),
    said: nullable(t.String({ description: "What the relay's provider said of it." })),
    wording: nullable(wordingShape),
  },
  { title: "ConsentChange" },
);
export type ConsentRecord = typeof consentShape.static;

export type LedgerRow = { readonly seq: number; readonly number: number | null; readonly content: string };

/** In the order of the rows. For unchained rows the author of the change is looked up. */
export async function contentsTold<Row extends LedgerRow>(
  reader: Reader,
  workspace: number,
  rows: readonly Row[],
): Promise<(Row & { readonly told: LedgerContent })[]> {
  const contents = rows.map(({ content }) => JSON.parse(content) as LedgerContent);
  const doorOf = await doorsAmong(
    reader,
    workspace,
    contents.filter((_, at) => rows[at]?.number === null),
  );
  return rows.map((row, at) => {
    const content = contents[at] as LedgerContent;
    return { ...row, told: row.number === null ? doorOf(content) : content };
  });
}

export function consentRecord(number: number | null, content: LedgerContent, language: WordLanguage): ConsentRecord {
  const { what, at, door = "system", email } = content;
  return {
    number,
    at,
    what,
    text: ledgerSentence(content, language),
    address: content.address ?? null,
    door,
    by: content.by ?? null,
    job: content.job ?? null,
    form: content.form ?? null,
    workflow: content.workflow ?? null,
    reason: content.reason ?? null,
    topic: content.topic ?? null,
    until: content.until ?? null,
    scope: content.scope ?? null,
    former: content.former ?? null,
    ip: content.ip ?? null,
    userAgent: content.userAgent ?? null,
    emailId: email ?? null,
    source: content.source ?? null,
    said: content.said ?? null,
    wording: content.wording ?? null,
  };
}
