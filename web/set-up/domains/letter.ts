// A mail with the records that are still to be made, for the keeper of the name servers.
import type { domains } from "../../texts/en/domains.ts";
import type { Domain } from "./calls.ts";
import { askedOf, hasPlaceholder, valueOf } from "./state.ts";

export function letterToAdmin(asked: Domain, t: (typeof domains)["letter"]): string {
  const { domain } = asked;
  const records = askedOf(asked);
  const open = records.filter(({ state }) => state !== "OK");
  const wanted = (open.length > 0 ? open : records).filter((record) => !hasPlaceholder(record));
  const entries = wanted.map((record) =>
    [
      `${t.type}: ${record.type}`,
      `${t.name}: ${record.name}`,
      `${t.value}: ${valueOf(record)}`,
      ...(record.state === "WRONG" ? record.found.map((text) => `${t.instead}: ${text}`) : []),
    ].join("\r\n"),
  );
  const body = [t.please(domain), ...entries, t.thanks].join("\r\n\r\n");
  return `mailto:?subject=${encodeURIComponent(t.subject(domain))}&body=${encodeURIComponent(body)}`;
}
