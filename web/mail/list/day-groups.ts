// Groups emails by day; the emails of one message share a row.
import type { Mail } from "../calls.ts";

export type Item =
  | { readonly kind: "day"; readonly key: string; readonly day: Date }
  | {
      readonly kind: "mail";
      /** The id of the row's first email. */
      readonly key: string;
      /** Several: the emails of a group, in the order to, cc, bcc. */
      readonly mails: readonly Mail[];
    };

/** The height of a day heading. */
export const DAY_LINE_PX = 33;

export function groupByDay(mails: readonly Mail[]): readonly Item[] {
  let last = "";
  return rowsOf(mails).flatMap(({ first, mails: own }): Item[] => {
    const day = new Date(first.createdAt);
    const name = day.toDateString();
    const line: Item = { kind: "mail", key: (own[0] as Mail).id, mails: own };
    if (name === last) return [line];
    last = name;
    return [{ kind: "day", key: name, day }, line];
  });
}

export function holds(item: Item, id: string | undefined): boolean {
  return item.kind === "mail" && item.mails.some((mail) => mail.id === id);
}

type MailRow = { readonly first: Mail; mails: readonly Mail[] };

/** A group has the place of its newest email. An email that was sent again has a row of its own. */
function rowsOf(mails: readonly Mail[]): readonly MailRow[] {
  const groups = new Map<string, MailRow>();
  const rows: MailRow[] = [];
  for (const mail of mails) {
    const group = mail.resentFrom === null ? mail.group : null;
    const known = group === null ? undefined : groups.get(group);
    if (known) known.mails = [...known.mails, mail];
    else rows.push({ first: mail, mails: [mail] });
    if (group !== null && !known) groups.set(group, rows.at(-1) as MailRow);
  }
  for (const row of groups.values()) row.mails = inOrder(row.mails);
  return rows;
}

const ROLES = ["TO", "CC", "BCC"] as const;

/** The emails of a group by role, each role oldest first; the list has the newest first. */
function inOrder(mails: readonly Mail[]): readonly Mail[] {
  const oldestFirst = mails.toReversed();
  return ROLES.flatMap((role) => oldestFirst.filter((mail) => mail.role === role));
}
