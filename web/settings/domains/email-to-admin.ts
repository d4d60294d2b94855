// An email with the missing records, for the person who manages the DNS.
import type { domains } from "../../texts/en/domains.ts";
import type { ProblemTexts } from "../../texts/dns-problems.ts";
import type { Domain } from "./calls.ts";
import { problemText } from "./problem-text.ts";
import { needsChange, hasPlaceholder, isToCorrect, valueOf } from "./state.ts";

export function letterToAdmin(asked: Domain, texts: typeof domains, problems: ProblemTexts): string {
  const { domain } = asked;
  const t = texts.letter;
  const records = needsChange(asked);
  const open = records.filter(({ state }) => state !== "OK");
  const listed = (open.length > 0 ? open : records).filter(
    (record) => record.purpose === "SPF" || !hasPlaceholder(record),
  );
  const entries = listed.map((record) =>
    [
      `${t.type}: ${record.type}`,
      `${t.name}: ${record.name}`,
      ...(isToCorrect(record) ? [problemText(record, problems)] : [`${t.value}: ${valueOf(record)}`]),
      texts.without[record.purpose],
      ...(/^spf_(merged_)?lookups$/.test(record.problemCode ?? "") ? [t.lookups] : []),
      ...(hasPlaceholder(record) && !isToCorrect(record) ? [texts.placeholders.spf] : []),
      ...(record.state === "WRONG" && !isToCorrect(record) ? record.found.map((text) => `${t.instead}: ${text}`) : []),
    ].join("\r\n"),
  );
  const body = [t.please(domain), ...entries, t.thanks].join("\r\n\r\n");
  return `mailto:?subject=${encodeURIComponent(t.subject(domain))}&body=${encodeURIComponent(body)}`;
}
