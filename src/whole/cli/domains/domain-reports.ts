// The reports of receivers on a sender domain, in words.
import { table } from "../print.ts";
import type { reportsShape } from "../../../mail/reports/record.ts";

type DomainReports = typeof reportsShape.static;

/** The verdict, then the sources with what to do about each. */
export function reportsText(domain: string, { verdict, policy, dmarc }: DomainReports): string {
  const title = `${domain}: ${verdict.sentence}`;
  const inForce = policy === null ? "There is no DMARC record." : `The policy is p=${policy}.`;
  if (dmarc.sources.length === 0) return `${title}\n${inForce}`;
  const advice = dmarc.sources.flatMap((source) =>
    source.advice ? [`  ${sourceName(source)}: ${source.advice.sentence}`] : [],
  );
  return [
    `${title}\n${inForce}`,
    table(dmarc.sources.map(row)).join("\n"),
    ...(advice.length > 0 ? [advice.join("\n")] : []),
  ].join("\n\n");
}

type DmarcSource = DomainReports["dmarc"]["sources"][number];

function row(source: DmarcSource) {
  const { origin, messages, passed } = source;
  const share = `${Math.floor((1_000 * passed) / messages) / 10} %`;
  return { source: sourceName(source), origin: origin.toLowerCase(), emails: `${messages}`, passed: share };
}

function sourceName({ provider, origin, host, address }: DmarcSource): string {
  return provider ?? (origin === "OWN" ? "this server" : (host ?? address ?? "several addresses"));
}
