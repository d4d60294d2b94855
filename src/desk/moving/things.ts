// Writes topics, segments and templates. What is there already stays as it is: somebody may have changed it.
import { fieldsOf, itemsIn, textOf, type AnswerFields } from "./fields.ts";
import { RefusedCallError, refusalIn, type MoveServer } from "./server.ts";
import type { SourceSegment, SourceTemplate, SourceTopic } from "./source.ts";
import { noteGap, type MoveState } from "./state.ts";

const MAX_NAME_CHARS = 100;
const MAX_TOLD_CHARS = 500;

export async function writeTopics(server: MoveServer, state: MoveState, all: readonly SourceTopic[]): Promise<void> {
  if (all.length === 0) return;
  const here = itemsIn(await server.ask("GET /topics"), "topics");
  const known = new Set(here.map(({ key }) => textOf(key)));
  for (const topic of all) {
    state.counts.topics.read++;
    const key = keyFor(topic, new Set([...Object.values(state.topics), ...reachingMore(topic, here)]));
    const { name, description, default: otherwise, visible } = topic;
    const told = toldIn(description);
    const about = told === undefined ? {} : { description: { en: told } };
    const isHidden = visible === false ? { visible } : {};
    const body = { key, name: { en: oneLine(name) }, ...about, default: otherwise, ...isHidden };
    if (known.has(key)) state.counts.topics.known++;
    else if ((await made(server, state, { what: "topics", name }, body)) === null) continue;
    state.topics[topic.id] = key;
  }
}

/** Topics that also reach who has said nothing, which `topic` does not: its people did not agree to them. */
function reachingMore(topic: SourceTopic, here: readonly AnswerFields[]): string[] {
  return topic.default === "in" ? [] : here.flatMap((one) => (one["default"] === "in" ? textOf(one["key"]) : []));
}

export async function writeSegments(
  server: MoveServer,
  state: MoveState,
  all: readonly SourceSegment[],
): Promise<void> {
  if (all.length === 0) return;
  const here = itemsIn(await server.ask("GET /segments"));
  for (const { id, name, description, condition } of all) {
    state.counts.segments.read++;
    const type = condition === undefined ? "STATIC" : "DYNAMIC";
    const body = { name: oneLine(name), type, description: toldIn(description), condition };
    const known = here.find((one) => one["type"] === type && one["name"] === body.name);
    if (known) state.counts.segments.known++;
    const segment = known ?? (await made(server, state, { what: "segments", name }, body));
    if (segment !== null) state.segments[id] = textOf(segment["id"]);
  }
}

export async function writeTemplates(
  server: MoveServer,
  state: MoveState,
  all: readonly SourceTemplate[],
): Promise<void> {
  for (const { id, alias, name, fields, left } of all) {
    state.counts.templates.read++;
    const body = { ...fields, name: oneLine(name), alias: aliasOf(alias || `${state.product}-${id}`) };
    if (await isTemplate(server, body.alias)) {
      state.counts.templates.known++;
      continue;
    }
    const template = await made(server, state, { what: "templates", name }, body);
    if (template === null) continue;
    const warnings = itemsIn(template["warnings"] ?? []).map(({ message }) => textOf(message));
    const whys = [...left.map((one) => `${one} has no counterpart and stays as it is.`), ...warnings];
    for (const why of whys) noteGap(state, { what: "templates", why }, name);
  }
}

async function isTemplate(server: MoveServer, alias: string): Promise<boolean> {
  const answer = await server.tryTo(`GET /templates/${encodeURIComponent(alias)}`);
  if (answer.status < 400 || answer.status === 404) return answer.status !== 404;
  throw new RefusedCallError(answer.status, refusalIn(answer));
}

type NamedThing = { readonly what: "topics" | "segments" | "templates"; readonly name: string };

/** Makes it; null if the server refuses it, which `state` is told. @throws RefusedCallError if the caller may not */
async function made(
  server: MoveServer,
  state: MoveState,
  { what, name }: NamedThing,
  body: object,
): Promise<AnswerFields | null> {
  const counts = state.counts[what];
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

function toldIn(description = ""): string | undefined {
  return description.trim().slice(0, MAX_TOLD_CHARS) || undefined;
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
