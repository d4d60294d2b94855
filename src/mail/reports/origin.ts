// The origin of mail in a report: one of our own ways out, a forwarder of our mail, a known provider, or unknown.
//
// Unproved claims of the sender are not believed: a name of an address has to resolve back to it, and an envelope or a
// signature of a provider has to have passed. A signature of ours proves that the mail was ours, not that it came from
// us.
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import { senderOf } from "./known-senders.ts";
import type { DmarcRow } from "./reading/report.ts";

export type SourceOrigin = "OWN" | "FORWARDED" | "KNOWN" | "UNKNOWN";

/** `provider`: the owner of the server; `''` = unknown. */
export type SourceAttribution = { readonly origin: SourceOrigin; readonly provider: string };

/** The places from which our mail leaves. */
export type OwnServers = {
  readonly providers: ReadonlySet<string>;
  /** The domain of our mails' envelopes; null = that of the sender. */
  readonly envelopeDomain: string | null;
  readonly hosts: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
};

type SpfSettings = Pick<RecordSettings, "spfTerm" | "envelopeDomain" | "mailHost">;

/** The places that the SPF record of a sender domain must name. */
export function placesOf({ spfTerm, envelopeDomain, mailHost }: SpfSettings): OwnServers {
  const terms = spfTerm?.split(" ") ?? [];
  const of = (kind: RegExp) => terms.flatMap((term) => kind.exec(term)?.[1] ?? []);
  return {
    providers: new Set(
      of(/^include:(.+)$/)
        .map(senderOf)
        .filter((name) => name !== ""),
    ),
    envelopeDomain,
    hosts: new Set([...of(/^a:(.+)$/), mailHost ?? ""].filter((host) => host !== "")),
    addresses: new Set(of(/^ip[46]:(.+)$/)),
  };
}

/** `selectors`: those of our keys, each as `selector domain`. */
type OriginClues = { readonly places: OwnServers; readonly selectors: ReadonlySet<string>; readonly host: string };

export function originOf(row: DmarcRow, { places, selectors, host }: OriginClues): SourceAttribution {
  const provider = providerOf(row, host);
  const isSigned = selectors.has(`${row.dkimSelector} ${row.dkimDomain}`);
  const hasOwnEnvelope = row.spfResult === "pass" && row.spfDomain === places.envelopeDomain;
  const isHere = hasOwnEnvelope || places.addresses.has(row.ip) || places.hosts.has(host);
  const isOwn = isHere || (isSigned && (places.providers.has(provider) || row.spf === "pass"));
  if (isOwn) return { origin: "OWN", provider };
  if (isSigned) return { origin: "FORWARDED", provider };
  return { origin: provider === "" ? "UNKNOWN" : "KNOWN", provider };
}

function providerOf({ dkimDomain, dkimResult, spfDomain, spfResult }: DmarcRow, host: string): string {
  const passed = [dkimResult === "pass" ? dkimDomain : "", spfResult === "pass" ? spfDomain : ""];
  return [host, ...passed].map(senderOf).find((name) => name !== "") ?? "";
}
