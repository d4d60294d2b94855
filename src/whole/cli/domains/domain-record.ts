// A sender domain as the verbs show it: as a record, and in words.
import type { Config } from "../../../base/config.ts";
import { identitiesFor } from "../../../sending/open-ways/sending-options.ts";
import type { Reader } from "../../../store/store.ts";
import { namesOf } from "../../../tenant/domains/room.ts";
import { recordSettings } from "../../../tenant/domains/dns-records.ts";
import { TO_CORRECT } from "../../../tenant/domains/dns-check/problems.ts";
import { domainRecords, type DomainRecord, type DomainRecordOptions } from "../../../tenant/domains/record.ts";
import type { Domain } from "../../../tenant/domains/queries.ts";
import { listedWays } from "../../../ground/ways/list.ts";
import type { CliGround } from "../beside.ts";

/** `workspace`: its name. */
export type ShownDomain = DomainRecord & { readonly workspace: string };

export async function shownIn(reader: Reader, config: Config): Promise<DomainRecordOptions> {
  const ways = await listedWays(reader, { config, secrets: null });
  return {
    ways: namesOf(ways),
    settings: recordSettings(config, ways),
    graceMs: config.delivery.domainGraceSeconds * 1000,
    service: identitiesFor(config)?.service ?? null,
  };
}

export async function shownDomains(
  reader: Reader,
  rows: readonly Domain[],
  { config }: CliGround,
): Promise<ShownDomain[]> {
  const records = await domainRecords(reader, rows, await shownIn(reader, config));
  return records.map((record, index) => ({ ...record, workspace: rows[index]?.workspaceName ?? "" }));
}

export async function shownDomain(reader: Reader, row: Domain, place: CliGround): Promise<ShownDomain> {
  const [shown] = await shownDomains(reader, [row], place);
  return shown as ShownDomain;
}

export function addedText({ domain, workspace, records }: ShownDomain): string {
  const title = `Added ${domain} to the workspace ${workspace}. Publish these records in its DNS:`;
  return [title, ...records.map(toPublish), `Then: posthorn domain verify ${domain}`].join("\n\n");
}

export function rotatedText({ domain, nextSelector, selector, records }: ShownDomain): string {
  const added = records.filter(({ name }) => name === `${nextSelector}._domainkey.${domain}`);
  const title = `${domain} has a second DKIM key. Publish its record, and keep the record of ${selector}:`;
  return [title, ...added.map(toPublish), `Then: posthorn domain verify ${domain}`].join("\n\n");
}

/** The findings of the check for each record. */
export function checkedText(shown: ShownDomain): string {
  const { service, records } = shown;
  const found = [
    ...records.map(foundLines),
    ...(service ? [`  ${service.name}  ${stateText(service)}`] : []),
    ...atWays(shown),
  ];
  return [verdict(shown), ...found].join("\n");
}

/** Lines for the ways with a known state. */
function atWays({ ways }: ShownDomain): string[] {
  return ways.filter(({ state }) => state !== "UNKNOWN").map(({ way, ...at }) => `  way ${way}  ${stateText(at)}`);
}

/** The state in one line, for the list. */
export function stateInWords({ verifiedAt, forced, failingSince, graceEndsAt }: ShownDomain): string {
  if (verifiedAt === null) return failingSince === null ? "not verified" : `lost ${failingSince}`;
  if (forced) return `forced ${verifiedAt}, not checked`;
  return failingSince === null ? `verified ${verifiedAt}` : `failing, stops ${graceEndsAt}`;
}

function verdict({ domain, verified, forced, failingSince, graceEndsAt, service, records }: ShownDomain): string {
  if (!verified) return `${domain} is not verified. It may take hours until a new record is visible everywhere.`;
  const isFound = records.every(({ required, state }) => !required || state === "OK");
  const fault = isFound && service ? `${service.name} does not confirm it` : "its DNS record is gone";
  if (failingSince !== null) return `${domain} is verified, but ${fault}: its emails are sent until ${graceEndsAt}.`;
  if (forced) return `${domain} is marked as verified (--force), but no check has confirmed it.`;
  return `${domain} is verified.`;
}

function foundLines(record: DomainRecord["records"][number]): string {
  const { purpose, type, name, value, without, suggestion, state, removableAt } = record;
  const problemCode = record.problemCode ?? "";
  const lines = [`  ${purpose}  ${stateText(record)}`];
  const should = purpose === "INBOUND" ? "to receive email here" : "should be";
  const isOurs = problemCode !== "mx_elsewhere_bounces" && !TO_CORRECT.has(problemCode);
  if ((state === "MISSING" || state === "WRONG") && isOurs)
    lines.push(`    ${type}  ${name}`, `    ${should}  ${suggestion ?? value}`, `    ${without}`);
  if (removableAt !== null) lines.push(`    ${name} may be removed after ${removableAt}`);
  return lines.join("\n");
}

function stateText({ state, problem }: { readonly state: string; readonly problem: string | null }): string {
  return problem === null ? state : `${state}: ${problem}`;
}

function toPublish({ purpose, required, ...record }: DomainRecord["records"][number]): string {
  const facts = [`name   ${record.name}`, `type   ${record.type}`, `value  ${record.value}`, record.without];
  const need = required
    ? "required"
    : purpose === "INBOUND"
      ? "only to receive email for this domain here"
      : /REPORT/.test(purpose)
        ? "only to receive reports here"
        : "recommended";
  return [`  ${purpose} (${need})`, ...facts.map((fact) => `    ${fact}`)].join("\n");
}
