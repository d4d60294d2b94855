// An attack on the doors that need no secret: forms, sign-ups with a public key, and the pages that mails lead to.
// Whatever comes, the server has no fault, nobody learns who exists, and nobody is subscribed who has not confirmed.
import { expect, test } from "bun:test";
import { linksFor } from "../src/content/rendering/links.ts";
import { TEXTS } from "./fuzz/hostile.ts";
import { send, statementsOf, visit } from "./forms/sending.ts";
import { Chance } from "./support/chance.ts";
import { startPosthorn, type Json, type Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";

const INPUTS = 100_000;
const SEED = 29;
const AT_ONCE = 50;
/** Each of them is a contact in another state; nobody knows the last one. */
const PEOPLE = ["subscribed", "departed--", "pending---", "suppressed", "unknown---"].map(
  (name) => `${name}@example.com`,
);
const [SUBSCRIBED = "", DEPARTED = "", PENDING = "", SUPPRESSED = ""] = PEOPLE;
const SITE = "https://www.example.com";
const fields = [
  { name: "firstName", type: "text", required: false, maxLength: 40 },
  { name: "size", type: "choice", options: [{ value: "S" }, { value: "L" }] },
  { name: "age", type: "number", min: 0 },
  { name: "day", type: "date" },
  { name: "vip", type: "checkbox" },
  { name: "source", type: "hidden" },
];
const NAMES = [
  ...fields.map(({ name }) => name),
  "email",
  "_token",
  "_proof",
  "_website",
  "_language",
  "_consent",
  "__proto__",
  // Of the page that mails lead to.
  ...["subscribed", "listed", "topic", "pause", "language", "why", "words", "left"],
];
const WORDS = [
  ...TEXTS,
  "on",
  "true",
  "S",
  "36.5",
  "1e999",
  "2026-02-30",
  "2026-02-28",
  "de",
  "30",
  "too-many",
  "' or 1=1 --",
  "%00",
  "a".repeat(5_000),
];
const METHODS = ["GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"];
const TYPES = [
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded",
  "application/json",
  "application/json; charset=utf-16",
  "multipart/form-data; boundary=x",
  "text/plain",
  "",
];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ["application/json", "text/html", "*/*", ",,;q=x"],
  "accept-language": ["de-AT,en;q=0.3", "x".repeat(3_000), "zh-Hant;q=1.5", ",,,"],
  origin: [SITE, "null", "https://evil.example", "javascript:alert(1)", "https://[", SITE.toUpperCase()],
  referer: [`${SITE}/x`, "about:blank", "https://evil.example/?q=%"],
  "x-forwarded-for": ["203.0.113.9", "::1", "not an address, 1.2.3.4", "1".repeat(500)],
  "user-agent": ["curl/8", "\u00e9".repeat(900)],
  "content-length": ["7", "99999999"],
  "sec-purpose": ["prefetch"],
};

/**
 * A house with people of each state, forms that ask and one that does not, and a workspace that trusts no public key.
 */
async function house() {
  const posthorn = await startPosthorn({ config: { limits: { signUpsPerMinute: 0 } } });
  for (const [key, doubleOptIn] of [
    ["asks", true],
    ["news", false],
  ] as const)
    await ask(posthorn, "POST /forms", {
      body: { name: key, key, doubleOptIn, fields, sites: [SITE], event: "joined" },
    });
  const made = async (email: string, changes: object = {}) =>
    (await ask(posthorn, "POST /contacts", { body: { email, data: { firstName: "Own" }, ...changes } })).body.id;
  const ids: string[] = [];
  ids.push(
    await made(SUBSCRIBED),
    await made(DEPARTED, { subscribed: false }),
    await made(PENDING, { doubleOptIn: true }),
  );
  const csv = `email,bounced_at\n${SUPPRESSED},2026-01-01\n`;
  await ask(posthorn, "POST /contacts/import", {
    body: `--b\r\ncontent-disposition: form-data; name="file"; filename="x.csv"\r\n\r\n${csv}\r\n--b--\r\n`,
    headers: { "content-type": "multipart/form-data; boundary=b" },
  });
  await posthorn.settle();
  const publicKeys = { update: false, unsubscribe: false, events: ["signup"] };
  await ask(posthorn, "PATCH /workspace", { body: { doubleOptIn: true, publicKeys } });
  return { posthorn, tokens: ids.map((id) => tokenFor(posthorn, id)) };
}

function tokenFor(posthorn: Posthorn, contactId: string): string {
  const emailId = "0199a3b4-0000-7000-8000-00000000abcd";
  return linksFor(posthorn.secrets, "", { contactId, emailId }).manageUrl.replace("/manage/", "");
}

class Attacker {
  readonly #chance: Chance;

  constructor(
    private readonly posthorn: Posthorn,
    private readonly tokens: readonly string[],
    seed: number,
  ) {
    this.#chance = new Chance(seed);
  }

  next(): Request {
    const kind = this.#chance.next();
    if (kind < 0.55)
      return this.#request(
        `/f/${this.#chance.of(["asks", "news", "asks", "off", "a..b", "form.js", this.#text()])}${this.#chance.of(["", "", "", "/thanks", "/token", "/x"])}`,
      );
    if (kind < 0.8)
      return this.#request(`/${this.#chance.of(["unsubscribe", "subscribe", "manage"])}/${this.#token()}`);
    return this.#request("/v1/track", { authorization: `Bearer ${this.posthorn.keys.public}` });
  }

  /** One of ours with a letter changed, cut off, or put together from two. */
  #token(): string {
    const [one, other] = [this.#chance.of(this.tokens), this.#chance.of(this.tokens)];
    const at = Math.floor(this.#chance.next() * one.length);
    const letter = one[at] === "A" ? "B" : "A";
    // The last letter has bits that mean nothing.
    const changed = at === one.length - 1 ? `${one}A` : `${one.slice(0, at)}${letter}${one.slice(at + 1)}`;
    const mixed = one === other ? changed : `${one.slice(0, 40)}${other.slice(40)}`;
    return this.#chance.of([changed, changed, one.slice(0, at), mixed, this.#text(), ""]);
  }

  #text(): string {
    return encodeURIComponent(this.#word().slice(0, 200).toWellFormed());
  }

  #word(): string {
    return this.#chance.of(this.#chance.next() < 0.2 ? PEOPLE : WORDS);
  }

  #request(path: string, own: Readonly<Record<string, string>> = {}): Request {
    const method = this.#chance.of(METHODS);
    const query =
      this.#chance.next() < 0.2
        ? `?${this.#chance.of(["language", "source", "key", "workspace"])}=${this.#text()}`
        : "";
    const headers = new Headers(own);
    for (const [name, values] of Object.entries(HEADERS))
      if (this.#chance.next() < 0.15) headers.set(name, this.#chance.of(values));
    const type = this.#chance.of(TYPES);
    if (type) headers.set("content-type", type);
    const body = method === "GET" || method === "HEAD" ? null : this.#body(type, path.startsWith("/v1"));
    return new Request(`${this.posthorn.server.url}${path}${query}`, { method, headers, body });
  }

  #body(type: string, isTrack: boolean): string | Uint8Array<ArrayBuffer> {
    if (this.#chance.next() < 0.05) return Uint8Array.from({ length: 60 }, () => Math.floor(this.#chance.next() * 256));
    const entries: (readonly [string, string])[] = [
      ["email", this.#chance.next() < 0.5 ? this.#chance.of(PEOPLE) : this.#word()],
    ];
    if (isTrack) entries.push(["event", this.#chance.next() < 0.7 ? "signup" : this.#word()]);
    while (this.#chance.next() < 0.7) entries.push([this.#chance.of(NAMES), this.#word()]);
    if (!type.startsWith("application/json"))
      return entries
        .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
        .join(this.#chance.of(["&", "&", "&&", ";"]));
    const values: Json = Object.fromEntries(entries);
    if (this.#chance.next() < 0.4) values.subscribed = this.#chance.of([true, "true", 1, null]);
    if (this.#chance.next() < 0.2) values.doubleOptIn = false;
    if (this.#chance.next() < 0.2)
      values.data = { firstName: "Mallory", age: this.#chance.of([{}, [], null, true, -1]) };
    const text = JSON.stringify(values);
    return this.#chance.next() < 0.1 ? text.slice(0, -Math.ceil(this.#chance.next() * 9)) : text;
  }
}

/** What must not change: everybody's flag, and the data of those who were there. */
function standing(posthorn: Posthorn) {
  return posthorn.store.read(
    (reader) => reader.all<{ email: string; subscribed: number; status: string; data: string }>`
      select email, subscribed, status, "json"(data) as data from contacts where subscribed = 1 or email in (${SUBSCRIBED}, ${DEPARTED},
        ${PENDING}, ${SUPPRESSED}) order by email`,
  );
}

test(`${INPUTS} hostile inputs to the public doors: no fault, nobody subscribed, nobody's data changed`, async () => {
  const { posthorn, tokens } = await house();
  await using _ = posthorn;
  const before = await standing(posthorn);
  const attacker = new Attacker(posthorn, tokens, SEED);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  for (let done = 0; done < INPUTS; done += AT_ONCE) {
    const requests = Array.from({ length: AT_ONCE }, () => attacker.next());
    const shown = requests.map(({ method, url }) => `${method} ${url}`);
    const answers = await Promise.all(requests.map((request) => posthorn.server.answer(request)));
    for (const [index, { status }] of answers.entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) faults.push(`${status} ${shown[index]}`);
    }
    if (done % 10_000 === 0) await posthorn.settle();
  }
  await posthorn.settle();
  expect(faults).toEqual([]);
  // It has come through to what is behind the doors, too.
  for (const status of [200, 303, 403, 404, 422])
    expect([status, (statuses.get(status) ?? 0) > 500]).toEqual([status, true]);
  expect(await standing(posthorn)).toEqual(before);
}, 300_000);

test("the answer of a form, and how many statements it takes, do not say whose the address is", async () => {
  const { posthorn, tokens } = await house();
  await using _ = posthorn;
  const chance = new Chance(SEED);
  const count = statementsOf(posthorn);
  for (let round = 0; round < 100; round++) {
    const key = chance.of(["asks", "news"]);
    const entries = Object.fromEntries(
      NAMES.filter(() => chance.next() < 0.3).map((name) => [name, chance.of(WORDS).slice(0, 100)]),
    );
    const headers = { accept: chance.of(["application/json", "text/html"]), origin: chance.of([SITE, "null"]) };
    const seen: unknown[] = [];
    for (const email of PEOPLE) {
      count();
      const { status, headers: answered, text } = await send(posthorn, { ...entries, email }, headers, key);
      const kept = [...answered].filter(([name]) => !["x-request-id", "date"].includes(name));
      const bytes = text
        .replaceAll(email, "…")
        .replace(/name="_token" value="[^"]*"|"(requestId|timestamp)":"[^"]*"/g, "…");
      seen.push(JSON.stringify([status, kept, bytes, count()]));
    }
    expect(new Set(seen).size).toBe(1);
  }
  // Of a link that is not ours, a page says the same whoever it was made for.
  const pages = await Promise.all(tokens.map((token) => visit(posthorn, `GET /manage/${token.slice(0, -2)}`)));
  expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
});
