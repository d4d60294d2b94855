// Groups emails by day.
import type { Mail } from "./calls.ts";

export type Item =
  | { readonly kind: "day"; readonly key: string; readonly day: Date }
  | { readonly kind: "mail"; readonly key: string; readonly mail: Mail };

/** The height of a day heading. */
export const DAY_LINE_PX = 33;

export function groupByDay(mails: readonly Mail[]): readonly Item[] {
  let last = "";
  return mails.flatMap((mail): Item[] => {
    const day = new Date(mail.createdAt);
    const name = day.toDateString();
    const line: Item = { kind: "mail", key: mail.id, mail };
    if (name === last) return [line];
    last = name;
    return [{ kind: "day", key: name, day }, line];
  });
}
