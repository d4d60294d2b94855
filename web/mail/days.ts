// Mails under their days.
import type { Mail } from "./mails.ts";

export type Item =
  | { readonly kind: "day"; readonly key: string; readonly day: Date }
  | { readonly kind: "mail"; readonly key: string; readonly mail: Mail };

/** The height of the line that names a day. */
export const DAY_PX = 33;

export function byDay(mails: readonly Mail[]): readonly Item[] {
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
