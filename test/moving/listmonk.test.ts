// An account of listmonk comes over by its API.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { freshDirectory } from "../support/database.ts";
import { gapsIn, KEY, membersHere, Mover, OldProduct, peopleHere } from "../support/moving.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const folder = freshDirectory();
afterAll(folder.remove);

let posthorn: Posthorn;
let listmonk: OldProduct;
let mover: Mover;
beforeEach(async () => {
  posthorn = await workspace();
  people = PEOPLE;
  listmonk = new OldProduct({
    "/api/bounces": (query) => page(query, BOUNCES),
    "/api/lists": (query) => page(query, [NEWS, WEEKLY, VIPS]),
    "/api/subscribers": (query) => page(query, people),
    "/api/templates": () => ({ data: TEMPLATES }),
  });
  mover = new Mover(posthorn, folder.path, "listmonk");
});
afterEach(async () => {
  listmonk.stop();
  await posthorn[Symbol.asyncDispose]();
});

const list = (id: number, name: string, type: string, optin: string) => ({ id, name, type, optin, description: "" });
const NEWS = list(1, "Product news", "public", "double");
const WEEKLY = list(2, "Weekly", "public", "single");
const VIPS = list(3, "VIPs", "private", "single");

type On = readonly [on: object, status: "confirmed" | "unconfirmed" | "unsubscribed"];

function subscriber(name: string, lists: readonly On[], more: object = {}) {
  return {
    ...{ id: name.length, uuid: name, email: `${name}@example.com`, name, attribs: {}, status: "enabled" },
    created_at: "2024-01-02T10:00:00.1+01:00",
    lists: lists.map(([on, subscription_status]) => ({
      ...{ ...on, subscription_status, subscription_created_at: "2024-02-03T10:00:00Z" },
      subscription_meta: { optin_ip: "192.0.2.7" },
    })),
    ...more,
  };
}

const PEOPLE = [
  subscriber(
    "ada",
    [
      [NEWS, "confirmed"],
      [VIPS, "unconfirmed"],
    ],
    { attribs: { city: "Bonn", "Shoe size": 39 } },
  ),
  subscriber("bob", [
    [NEWS, "confirmed"],
    [WEEKLY, "unsubscribed"],
  ]),
  subscriber("cyd", [
    [NEWS, "unsubscribed"],
    [VIPS, "unsubscribed"],
  ]),
  subscriber("dan", [[NEWS, "unconfirmed"]]),
  subscriber("eve", [[WEEKLY, "unconfirmed"]], { status: "blocklisted" }),
  subscriber("gone", [[WEEKLY, "confirmed"]]),
  subscriber("angry", [[WEEKLY, "confirmed"]]),
  subscriber("nobody", [], { email: "" }),
  subscriber("bad", [[WEEKLY, "confirmed"]], { email: "no address" }),
];
let people: readonly Json[] = PEOPLE;

const BOUNCES = [
  { type: "hard", email: "gone@example.com" },
  { type: "soft", email: "ada@example.com" },
  { type: "complaint", email: "angry@example.com" },
];

const TEMPLATES = [
  {
    id: 1,
    name: "Order",
    type: "tx",
    subject: "Order {{ .Tx.Data.order }}",
    body: '<p>Hello {{ .Subscriber.FirstName }}</p>{{ range .Tx.Data.items }}<b>{{ .name }}</b>{{ end }}{{ if eq .Subscriber.Attribs.city "Bonn" }}B{{ else }}-{{ end }}',
  },
  {
    id: 2,
    name: "Frame",
    type: "campaign",
    subject: "",
    body: '<a href="{{ UnsubscribeURL }}">{{ L.T "unsub" }}</a><a href="{{ TrackLink "https://example.com" . }}">x</a>{{ template "content" . }}{{ TrackView }}',
  },
];

/** `most`: a page; versions before 2.5 had 50. */
function page(query: URLSearchParams, items: readonly unknown[], most = 500) {
  const nr = Number(query.get("page"));
  const size = Math.min(Number(query.get("per_page")), most);
  return { data: { results: items.slice((nr - 1) * size, nr * size), total: items.length, per_page: size, page: nr } };
}

const there = () => ["--base-url", listmonk.url];

test("people come as they stand, list by list", async () => {
  const report = await mover.done(...there());
  const here = await peopleHere(posthorn);
  expect(here["ada@example.com"]).toMatchObject({
    subscribed: true,
    data: { name: "ada", city: "Bonn", shoeSize: 39, joinedAt: expect.stringContaining("2024-0") },
    topics: { "product-news": "in", weekly: null },
  });
  expect(here["bob@example.com"]).toMatchObject({
    subscribed: true,
    topics: { "product-news": "in", weekly: "out" },
  });
  expect(here["cyd@example.com"]).toMatchObject({ subscribed: false, topics: { "product-news": "out" } });
  expect(here["dan@example.com"]).toMatchObject({ subscribed: false, topics: { "product-news": null } });
  expect(here["eve@example.com"]).toMatchObject({ subscribed: false });
  expect(here["gone@example.com"]).toMatchObject({ suppressed: "bounce" });
  expect(here["angry@example.com"]).toMatchObject({ suppressed: "complaint" });
  expect(Object.keys(here)).toHaveLength(7);
  expect(await membersHere(posthorn, "VIPs")).toEqual(["ada@example.com"]);
  expect(report.counts).toMatchObject({
    people: { read: 9, added: 7, refused: 2 },
    topics: { read: 2, added: 2 },
    segments: { read: 1, added: 1 },
    members: { read: 1, added: 1 },
    suppressions: { read: 2, added: 2 },
    templates: { read: 2, added: 2 },
  });
  expect(gapsIn(report)).toEqual(expect.arrayContaining(["people 1: They have no address."]));
});

test("what the product knows of consent becomes proof", async () => {
  await mover.done(...there());
  const { body } = await ask(posthorn, "GET /contacts/by-email/ada@example.com");
  const { body: ledger } = await ask(posthorn, `GET /contacts/${body.id}/consent`);
  const row = ledger.data.find(({ what }: Json) => what === "subscribed");
  expect(row).toMatchObject({ door: "import", source: "import: opt-in 2024-02-03, 192.0.2.7" });
});

test("templates come in Liquid, and what cannot is named", async () => {
  const report = await mover.done(...there());
  const { body: order } = await ask(posthorn, "GET /templates/listmonk-1");
  expect(order).toMatchObject({ name: "Order", type: "TRANSACTIONAL", subject: "Order {{ order }}" });
  expect(order.body).toBe(
    '<p>Hello {{ name | split: " " | first }}</p>{% for item in items %}<b>{{ item.name }}</b>{% endfor %}{% if city == "Bonn" %}B{% else %}-{% endif %}',
  );
  const { body: frame } = await ask(posthorn, "GET /templates/listmonk-2");
  expect(frame).toMatchObject({ type: "MARKETING", subject: "Frame" });
  expect(frame.body).toStartWith('<a href="{{ unsubscribeUrl }}">');
  expect(frame.body).toContain('<a href="https://example.com">x</a><!-- The text of the email goes here. -->');
  expect(gapsIn(report).join("\n")).toContain('templates 1: {{ L.T "unsub" }} has no counterpart');
});

test("nobody is subscribed who said no here, and the same command changes nothing twice", async () => {
  for (const name of ["ada", "bob"])
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, subscribed: name === "bob" } });
  await mover.done(...there());
  const here = await peopleHere(posthorn);
  expect(here["ada@example.com"]).toMatchObject({ subscribed: false, data: { city: "Bonn" } });
  expect(here["bob@example.com"]?.subscribed).toBe(true);
  const asked = listmonk.received.length;
  const { code, err } = await mover.run(...there());
  expect([code, err]).toEqual([0, expect.stringContaining("This was done before.")]);
  expect(listmonk.received.length).toBe(asked);
  rmSync(mover.file("state.json"));
  const again = await mover.done(...there());
  expect(again.counts).toMatchObject({
    topics: { added: 0, known: 2 },
    segments: { added: 0, known: 1 },
    templates: { added: 0, known: 2 },
    suppressions: { added: 0, known: 2 },
    people: { added: 0, changed: 7 },
  });
  expect(await peopleHere(posthorn)).toEqual(here);
});

test("a dry run says what would come and writes nothing", async () => {
  const { code, out } = await mover.run(...there(), "--dry-run");
  expect(code).toBe(0);
  expect(out).toContain("| People | 9 | 7 | 0 | 0 | 2 |");
  expect(out).toContain("Nothing was written.");
  expect(mover.stateHas("")).toBe(false);
  expect(await peopleHere(posthorn)).toEqual({});
  expect((await ask(posthorn, "GET /topics")).body.count).toBe(0);
});

describe("a command that was cut off goes on", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, nr) =>
      subscriber(`p${nr}`, [
        [WEEKLY, "confirmed"],
        [VIPS, "confirmed"],
      ]),
    );
  const countHere = async () => (await ask(posthorn, "GET /contacts?limit=1")).body.total;
  const never = () => new Promise<never>(() => {});

  test("while the product answers", async () => {
    people = many(1_100);
    const reached = Promise.withResolvers<void>();
    listmonk.fault = ({ url }) => {
      if (url.pathname !== "/api/subscribers" || url.searchParams.get("page") !== "2") return null;
      reached.resolve();
      return never();
    };
    void mover.run(...there());
    await reached.promise;
    expect(await countHere()).toBe(500);
    listmonk.fault = () => null;
    const asked = listmonk.asked("/api/lists");
    const report = await mover.done(...there());
    expect(await countHere()).toBe(1_100);
    expect(report.counts.people).toMatchObject({ read: 1_100, added: 1_100 });
    expect(listmonk.asked("/api/lists")).toBe(asked);
    expect(report.imports).toHaveLength(3);
  });

  test("after the server has taken a page, before that is noted", async () => {
    people = many(600);
    const reached = Promise.withResolvers<void>();
    let waits = 0;
    mover.atPause = async () => {
      await posthorn.settle();
      // The suppressions wait once, the first people are the second.
      if (++waits < 2) return;
      reached.resolve();
      await never();
    };
    void mover.run(...there());
    await reached.promise;
    expect(await countHere()).toBe(500);
    expect(mover.stateHas('"imports": []')).toBe(true);
    mover.atPause = () => posthorn.settle();
    const report = await mover.done(...there());
    expect(report.counts.people).toMatchObject({ read: 600, added: 600, changed: 0 });
    const { body } = await ask(posthorn, "GET /contacts/import");
    expect(body.data).toHaveLength(2);
  });
});

test("pages that are smaller than asked for are read to the end, and written together", async () => {
  const many = Array.from({ length: 1_030 }, (_, nr) => subscriber(`p${nr}`, [[WEEKLY, "confirmed"]]));
  listmonk.fault = ({ url }) =>
    url.pathname === "/api/subscribers" ? Response.json(page(url.searchParams, many, 50)) : null;
  const report = await mover.done(...there());
  expect(report.counts.people).toMatchObject({ read: 1_030, added: 1_030 });
  expect(report.imports).toHaveLength(3);
});

describe("the pace of the product", () => {
  test("429 with Retry-After is waited for, and what is used up as well", async () => {
    listmonk.fault = (_, count) => {
      if (count === 1) return new Response(null, { status: 429, headers: { "retry-after": "7" } });
      if (count === 2) return new Response("no", { status: 503 });
      if (count > 3) return null;
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3" };
      return Response.json(page(new URLSearchParams("page=1&per_page=500"), []), { headers });
    };
    await mover.done(...there());
    expect(mover.pauses).toEqual([7_000, 2_000, 3_000]);
  });

  test("a pause of hours ends the command, which then goes on", async () => {
    listmonk.fault = ({ url }) =>
      url.pathname === "/api/subscribers"
        ? new Response(null, { status: 429, headers: { "retry-after": "7200" } })
        : null;
    const { code, err } = await mover.run(...there());
    expect([code, err]).toEqual([1, expect.stringContaining("listmonk asks for a pause of 120 minutes.")]);
    listmonk.fault = () => null;
    expect((await mover.done(...there())).counts.people.added).toBe(7);
  });
});

describe("a fault is said in words, without the key", () => {
  const fails = async (...options: readonly string[]) => {
    const { code, out, err } = await mover.run(...options);
    expect({ code, out }).toEqual({ code: err.includes("--help") ? 2 : 1, out: "" });
    expect(err).not.toContain("very-secret-key");
    expect(mover.stateHas("very-secret-key")).toBe(false);
    return err;
  };

  test("the key is refused", async () => {
    listmonk.fault = () => Response.json({ message: `bad token ${KEY}` }, { status: 403 });
    expect(await fails(...there())).toContain(
      `listmonk refuses the key for ${listmonk.url}/api/bounces (403: bad token …). The file has “user:token” of an API user`,
    );
  });

  test("another address", async () => {
    expect(await fails()).toContain("needs --base-url URL: where is your listmonk?");
    expect(await fails("--base-url", "lists.example.com")).toContain("such as https://lists.example.com.");
    expect(await fails("--base-url", `${listmonk.url}/wrong`)).toContain("(404: Not Found). Is its address right?");
    listmonk.fault = () => new Response(null, { status: 302, headers: { location: "/admin/login?next=x" } });
    expect(await fails(...there())).toContain(`leads elsewhere: to ${listmonk.url}/admin/login. Is its address right?`);
    const { url } = listmonk;
    listmonk.stop();
    expect(await fails("--base-url", url)).toContain(`listmonk does not answer at ${url}`);
  });

  test("a strange page", async () => {
    listmonk.fault = ({ url }) => (url.pathname === "/api/lists" ? new Response("<html>") : null);
    expect(await fails(...there())).toContain("answers something that is not JSON. Is its address right?");
    listmonk.fault = ({ url }) => (url.pathname === "/api/lists" ? Response.json({ data: null }) : null);
    expect(await fails(...there())).toContain("listmonk, lists: The answer has no list “data.results”.");
    listmonk.fault = ({ url }) =>
      url.pathname === "/api/subscribers"
        ? Response.json({ data: { results: [null, 7, { lists: null }, { email: ["x"], lists: [] }], total: 2 } })
        : null;
    const report = await mover.done(...there());
    expect(gapsIn(report)).toContain("people 2: They have no address.");
  });

  test("an answer of more than 16 MB, which is asked for once", async () => {
    listmonk.fault = () => new Response(new Uint8Array(17 * 1024 * 1024));
    expect(await fails(...there())).toContain(`${listmonk.url}/api/bounces: The answer is larger than`);
    expect(listmonk.asked("/api/bounces")).toBe(1);
  });

  test("pages without an end", async () => {
    const full = Array.from({ length: 500 }, (_, nr) => subscriber(`p${nr}`, []));
    listmonk.fault = ({ url }) =>
      url.pathname === "/api/subscribers" ? Response.json({ data: { results: full, total: 500 } }) : null;
    expect(await fails(...there())).toContain("listmonk, people: The next page is the same again.");
  });

  test("the state of another move, and no key", async () => {
    await mover.done(...there());
    const other = new OldProduct({});
    expect(await fails("--base-url", other.url)).toContain("is that of another move (from another address)");
    other.stop();
    writeFileSync(mover.file("state.json"), "[]");
    expect(await fails(...there())).toContain("is no file of a move");
    writeFileSync(mover.file("key.txt"), " \n");
    expect(await fails(...there())).toContain("has no key");
  });
});

test("a base URL may have a path, and the key may come from the standard input", async () => {
  const inside = new OldProduct(
    {
      "/api/bounces": (query) => page(query, []),
      "/api/lists": (query) => page(query, []),
      "/api/subscribers": (query) => page(query, PEOPLE),
      "/api/templates": () => ({ data: [] }),
    },
    "/mail/lists",
  );
  const words = ["--key-file", "-", "--base-url", `${inside.url}/mail/lists/`, "--state", mover.file("state.json")];
  const report = mover.file("report.md");
  const { code, out } = await mover.runAs("listmonk", ...words, "--report", report);
  inside.stop();
  expect([code, out]).toEqual([0, `The report is in ${report}.`]);
  expect(inside.received[0]?.headers.get("authorization")).toBe(`Basic ${btoa(KEY)}`);
  const text = readFileSync(report, "utf8");
  expect(text).toStartWith("# From listmonk to Posthorn\n");
  expect(text).toContain("| People | 9 | 7 | 0 | 0 | 2 |");
  expect(text).toContain("- People, 1: They have no address.");
  expect(text).toContain("For example: no address.");
});
