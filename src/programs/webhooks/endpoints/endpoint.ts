// Endpoints: servers of a workspace's own that receive its events.
import { refuseSavedSince, timeOfSaving } from "../../../tenant/access/saving.ts";
import { HOUR_MS, iso } from "../../../base/clock.ts";
import { AppError, limitReached, refuse, type FieldError } from "../../../base/errors.ts";
import { listenTo } from "../../../tenant/events/interests.ts";
import { newId } from "../../../base/ids.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { lockWorkspace } from "../../../tenant/workspaces/queries.ts";
import { newWebhookSecret } from "../../../tenant/workspaces/workspace.ts";
import { FORMATS } from "../formats/table.ts";
import { closedPortOf, headerFaults, unmaskedHeaders, urlFaults, withoutPassword } from "../sending/url.ts";
import { patternFaults, subjectOf, typesOf } from "./patterns.ts";
import {
  endpointById,
  endpointsOf,
  insertEndpoint,
  lockEndpoint,
  setDeleted,
  setSecret,
  updateEndpoint,
  type Endpoint,
} from "./queries.ts";
import type { EndpointChange, EndpointInput } from "./record.ts";

const MOST_ENDPOINTS = 100;

/** The terms of the installation for endpoints. `allow`: the hosts and ports that the configuration opens. */
export type EndpointTerms = { readonly secrets: Secrets; readonly allow: readonly string[] };

/** @throws AppError WEBHOOK_NOT_FOUND, also for another workspace's endpoint */
export async function findEndpoint(reader: Reader, workspace: number, id: string): Promise<Endpoint> {
  return (await endpointById(reader, workspace, id.toLowerCase())) ?? notFound(id);
}

function notFound(id: string): never {
  throw new AppError("WEBHOOK_NOT_FOUND", `There is no webhook ${id}.`);
}

/** @throws AppError VALIDATION_ERROR; CONFLICT if there are too many */
export async function createEndpoint(
  tx: Tx,
  workspace: number,
  { url, description, format, events, tags, headers, enabled }: EndpointInput,
  { secrets, allow }: EndpointTerms,
): Promise<Endpoint> {
  const settings = settled({
    url,
    description: description?.trim() || null,
    format: format ?? "posthorn",
    events: [...new Set(events)],
    tags: [...new Set(tags)],
    headers: headers ?? {},
    enabled: enabled ?? true,
  });
  refuse(faultsOf(settings, allow));
  // Two concurrent calls would both be within the limit.
  await lockWorkspace(tx, workspace);
  if ((await endpointsOf(tx, workspace)).length >= MOST_ENDPOINTS)
    throw limitReached(
      "webhooks",
      MOST_ENDPOINTS,
      `There are ${MOST_ENDPOINTS} webhooks already.`,
      "Remove one first.",
    );
  const secret = secrets.encrypt(newWebhookSecret());
  const made = await insertEndpoint(tx, { ...settings, id: newId(tx.nowMs), workspace, secret });
  await listen(tx, made);
  return made;
}

/**
 * Null or absent fields stay as they are.
 * @throws AppError WEBHOOK_NOT_FOUND, VALIDATION_ERROR, CONFLICT if it was saved since `ifUpdatedAt`
 */
export async function changeEndpoint(
  tx: Tx,
  { workspace, id }: { readonly workspace: number; readonly id: string },
  change: EndpointChange,
  allow: readonly string[],
): Promise<Endpoint> {
  const known = (await lockEndpoint(tx, workspace, id.toLowerCase())) ?? notFound(id);
  refuseSavedSince(tx, known, change);
  const settings = settled({
    url: change.url ?? known.url,
    description: change.description == null ? known.description : change.description.trim() || null,
    format: change.format ?? known.format,
    events: change.events ? [...new Set(change.events)] : known.events,
    tags: change.tags ? [...new Set(change.tags)] : known.tags,
    headers: change.headers ? unmaskedHeaders(change.headers, known.headers) : known.headers,
    enabled: change.enabled ?? known.enabled,
  });
  refuse(faultsOf(settings, allow));
  const changed = await updateEndpoint(tx, known, settings, timeOfSaving(tx, known));
  await listen(tx, changed);
  return changed;
}

/** @throws AppError WEBHOOK_NOT_FOUND */
export async function removeEndpoint(tx: Tx, workspace: number, id: string): Promise<void> {
  const { seq } = await findEndpoint(tx, workspace, id);
  await setDeleted(tx, seq);
  await listenTo(tx, { workspace, kind: "endpoint", listener: seq }, []);
}

/**
 * The former secret signs as well for `overlapHours`; 0 ends that of an earlier rotation, too.
 * @throws AppError WEBHOOK_STATE: its calls are not signed, or the secret before an earlier rotation still signs
 */
export async function rotateSecret(
  tx: Tx,
  endpoint: Endpoint,
  overlapHours: number,
  secrets: Secrets,
): Promise<Endpoint> {
  const { title, signedAs } = FORMATS[endpoint.format];
  if (signedAs === null) throw new AppError("WEBHOOK_STATE", `Webhooks in the format of ${title} are not signed.`);
  const { formerUntil: until } = endpoint;
  if (overlapHours > 0 && until !== null && until > tx.now)
    throw new AppError("WEBHOOK_STATE", `The secret before the last rotation signs until ${until}.`, {
      reason: "overlap_runs",
      values: { until },
      suggestion: "Wait until then, or rotate with overlapHours 0: then only the new one signs.",
    });
  const formerUntil = iso(tx.nowMs + overlapHours * HOUR_MS);
  return setSecret(tx, endpoint.seq, secrets.encrypt(newWebhookSecret()), { formerUntil });
}

/** Also while it is off: events of that time are kept, so that they can be replayed. */
async function listen(tx: Tx, { workspace, seq, events, format }: Endpoint): Promise<void> {
  await listenTo(tx, { workspace, kind: "endpoint", listener: seq }, typesOf(events, format).map(subjectOf));
}

/** Postmark has the user and password of a URL sent as a header, which is kept like other secrets. */
function settled<Settings extends EndpointConfig>(settings: Settings): Settings {
  return settings.format === "postmark" ? { ...settings, ...withoutPassword(settings) } : settings;
}

type EndpointConfig = Pick<Endpoint, "url" | "headers" | "format" | "events">;

function faultsOf({ url, headers, format, events }: EndpointConfig, allow: readonly string[]): FieldError[] {
  const faults = urlFaults(url);
  if (faults.length === 0 && !URL.canParse(url))
    faults.push({ field: "url", message: "This is not a URL.", code: "invalid_url" });
  const closed = faults.length === 0 ? closedPortOf(new URL(url), allow) : null;
  if (closed !== null) faults.push({ field: "url", message: closed, code: "closed_port" });
  const unfit = headerFaults(headers);
  faults.push(...patternFaults("events", events, format));
  return [...faults, ...(unfit.length > 0 ? unfit : Object.entries(headers).flatMap(valueFaults))];
}

/** Faults of headers written without a colon, and of characters that HTTP does not carry. */
function valueFaults([name, value]: [string, string]): FieldError[] {
  const field = `headers.${name}`;
  if (value.trim() === "") {
    const message = "The header has no value: write its name, a colon and the value.";
    return [{ field, message, code: "header_without_value" }];
  }
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return [];
  return [{ field, message: "The value has characters that a header cannot carry.", code: "header_characters" }];
}
