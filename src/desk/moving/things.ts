// Writes topics, segments and templates. Those that exist here stay as they are: a person may have changed them.
import { fieldsOf, itemsIn, textOf, type AnswerFields } from "./fields.ts";
import { RefusedCallError, refusalIn, type MoveServer, type OpenMove } from "./server.ts";
import type { SourceSegment, SourceTemplate, SourceTopic } from "./source.ts";
import { noteGap } from "./state.ts";

const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 500;

export async function writeTopics(move: OpenMove, all: readonly SourceTopic[]): Promise<void> {
  const { server, state } = move;
  if (all.length === 0) return;
  const here = itemsIn(await server.ask("GET /topics"), "topics");
  for (const topic of all) {
    const key = keyFor(topic, new Set([...Object.values(state.topics), ...reachingMore(topic, here)]));
    const { name, visible = true, default: otherwise } = topic;
    const description = descriptionIn(topic);
    const body = {
      ...{ key, name: { en: oneLine(name) }, default: otherwise, visible },
      ...(description === undefined ? {} : { description: { en: description } }),
    };
    const known = here.find((one) => one["key"] === key);
    if (await knownOrMade(move, { what: "topics", name, known, body })) state.topics[topic.id] = key;
  }
}

/** Topics that also reach people who have said nothing, which `topic` does not: its people did not agree to them. */
function reachingMore(topic: SourceTopic, here: readonly AnswerFields[]): string[] {
  return topic.default === "in" ? [] : here.flatMap((one) => (one["default"] === "in" ? textOf(one["key"]) : []));
}

export async function writeSegments(move: OpenMove, all: readonly SourceSegment[]): Promise<void> {
  const { server, state } = move;
  if (all.length === 0) return;
  const here = itemsIn(await server.ask("GET /segments"));
  for (const { id, name, condition, ...rest } of all) {
    const type = condition === undefined ? "STATIC" : "DYNAMIC";
    const body = { name: oneLine(name), type, description: descriptionIn(rest), condition };
    const known = here.find((one) => one["type"] === type && one["name"] === body.name);
    const segment = await knownOrMade(move, { what: "segments", name, known, body });
    if (segment) state.segments[id] = textOf(segment["id"]);
  }
}

export async function writeTemplates(move: OpenMove, all: readonly SourceTemplate[]): Promise<void> {
  const { server, state } = move;
  for (const { id, alias, name, fields, left = [] } of all) {
    const body = { ...fields, name: oneLine(name), alias: aliasOf(alias || `${state.product}-${id}`) };
    const known = await templateHere(server, body.alias);
    const template = await knownOrMade(move, { what: "templates", name, known, body });
    if (known || !template) continue;
    const warnings = itemsIn(template["warnings"] ?? []).map(({ message }) => textOf(message));
    const whys = [...left.map((one) => `${one} has no counterpart and stays as it is.`), ...warnings];
    for (const why of whys) noteGap(state, { what: "templates", why }, name);
  }
}

async function templateHere(server: MoveServer, alias: string): Promise<AnswerFields | undefined> {
  const answer = await server.tryTo(`GET /templates/${encodeURIComponent(alias)}`);
  if (answer.status < 400) return fieldsOf(answer.body);
  if (answer.status === 404) return undefined;
  throw new RefusedCallError(answer.status, refusalIn(answer));
}

/** `known`: it is here already. */
type NamedItem = {
  readonly what: "topics" | "segments" | "templates";
  readonly name: string;
  readonly known: AnswerFields | undefined;
  readonly body: object;
};

/**
 * Makes the thing, unless it is here already; null if the server refuses it, which `state` is told.
 * @throws RefusedCallError if the caller may not
 */
async function knownOrMade(
  { server, state }: OpenMove,
  { what, name, known, body }: NamedItem,
): Promise<AnswerFields | null> {
  const counts = state.counts[what];
  counts.read++;
  if (known) counts.known++;
  if (known) return known;
  const answer = server.isDry ? { status: 201, body: {} } : await server.tryTo(`POST /${what}`, body);
  if ([401, 403, 429].includes(answer.status) || answer.status >= 500)
    throw new RefusedCallError(answer.status, refusalIn(answer));
  if (answer.status < 400) {
    counts.added++;
    return fieldsOf(answer.body);
  }
  counts.refused++;
  noteGap(state, { what, why: refusalIn(answer) }, name);
  return null;
}

function descriptionIn({ description = "" }: { readonly description?: string }): string | undefined {
  return description.trim().slice(0, MAX_DESCRIPTION_CHARS) || undefined;
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, " ").trim().slice(0, MAX_NAME_CHARS) || "Without a name";
}

const MAX_KEY_CHARS = 46;

/** From its name; two of one name get numbers. */
function keyFor({ id, name }: SourceTopic, taken: ReadonlySet<string>): string {
  const words = (text: string) =>
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join("-");
  const key = (words(name) ?? words(id) ?? "topic").slice(0, MAX_KEY_CHARS).replace(/-$/, "");
  for (let nr = 1; ; nr++) {
    const one = nr === 1 ? key : `${key}-${nr}`;
    if (!taken.has(one)) return one;
  }
}

function aliasOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, 64);
}
