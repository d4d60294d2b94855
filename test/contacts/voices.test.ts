// What each voice may do to a person: every cell of the table is tried on a server, and the guide has the same table.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { TERMS, TERMS_OF, VOICES, type ContactVoice } from "../../src/audience/contacts/voices.ts";
import { linksFor } from "../../src/content/rendering/links.ts";
import { contactAt, linkTo, makeForm, sendByScript, visit } from "../forms/sending.ts";
import { upload } from "../support/files.ts";
import { bring, LETTER, startHouse, type House } from "../support/outside.ts";
import type { Json } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { returned } from "../support/suppressed.ts";
import { addWorkflow } from "../support/workflows.ts";

// A form without a question by mail asks for a proof, which takes a million tries on average.
setDefaultTimeout(120_000);

type Right = keyof ContactVoice;
type VoiceName = keyof typeof VOICES;
type TermName = keyof typeof TERMS;
type Act = { readonly email: string; readonly term: TermName | null };
type Way = (house: House, act: Act) => Promise<unknown>;

/**
 * What a contact is before, and whether the act was done; somebody new is none before. `left` is a topic that the
 * person left, `news` one of which they have said nothing.
 */
const STATES: Readonly<Record<Right, { readonly given: object | null; readonly isDone: (contact: Json) => unknown }>> =
  {
    add: { given: null, isDone: ({ subscribed }) => subscribed },
    subscribe: { given: { subscribed: false }, isDone: ({ subscribed }) => subscribed },
    lift: { given: {}, isDone: ({ subscribed, suppressed }) => subscribed && suppressed === null },
    unsubscribe: { given: {}, isDone: ({ subscribed }) => !subscribed },
    join: { given: { topics: { left: "out" } }, isDone: ({ topics }) => topics.news === "in" && topics.left === "in" },
    update: { given: { data: { name: "Ada" } }, isDone: ({ data }) => data.color === "blue" },
  };

/** What each act says, for those who say it in one request. */
const SAID: Readonly<Record<Right, object>> = {
  add: {},
  subscribe: { subscribed: true },
  lift: { subscribed: true },
  unsubscribe: { subscribed: false },
  join: { topics: { news: "in", left: "in" } },
  update: { data: { color: "blue" } },
};
const RIGHTS = Object.keys(SAID) as Right[];

/** The same way for each right. */
function each(way: (right: Right) => Way, rights: readonly Right[] = RIGHTS): Partial<Record<Right, Way>> {
  return Object.fromEntries(rights.map((right) => [right, way(right)]));
}

const byKey = (route: string, key: "secret" | "public", more: object = {}) =>
  each((right) => ({ posthorn }, { email, term }) => {
    const asking = term === "double opt-in" ? { doubleOptIn: true } : {};
    return ask(posthorn, route, { key, body: { email, ...SAID[right], ...more, ...asking } });
  });

const onPage = (path: "subscribeUrl" | "manageUrl", form: string): Way => {
  return async ({ posthorn }, { email }) => {
    const { id } = await contactAt(posthorn, email);
    const url = linksFor(posthorn.secrets, posthorn.server.url, { contactId: id, emailId: id })[path];
    await fetch(url, { method: "POST", body: new URLSearchParams(form) });
  };
};

const byForm: Way = async ({ posthorn }, { email, term }) => {
  const [key, doubleOptIn] = term === "double opt-in" ? ["asking", true] : ["news", false];
  await makeForm(posthorn, { key, topics: ["news", "left"], doubleOptIn, fields: [{ name: "color", type: "text" }] });
  if (email.startsWith("add") && term === null) return sendByScript(posthorn, { email });
  // What a browser sends without the script is always asked about by mail.
  const entered = { email, color: "blue", _topics: "news" };
  return visit(posthorn, `POST /f/${key}`, {
    body: new URLSearchParams([...Object.entries(entered), ["_topics", "left"]]),
  });
};

const byFile = (columns: string, cells: string): Way => {
  return ({ posthorn }, { email, term }) =>
    upload(posthorn, `email${columns}\n${email}${cells}\n`, {
      query: term === "resubscribe" ? "?resubscribe=true" : "",
      fields: term === "double opt-in" ? { marketing: "confirm" } : {},
    });
};

const byWorkflow = (config: object): Way => {
  return async ({ posthorn }, { email }) => {
    const step = { type: "UPDATE_CONTACT", name: "Update", config: { data: {}, ...config } };
    await addWorkflow(posthorn, [step], { eventName: email });
    await ask(posthorn, "POST /v1/track", { body: { email, event: email } });
  };
};

const byMerge = (former: object): Way => {
  return async ({ posthorn }, { email }) => {
    const { id: into } = await contactAt(posthorn, email);
    const body = { email: `former-${email}`, ...former };
    const { id } = (await ask(posthorn, "POST /contacts", { body })).body;
    return ask(posthorn, "POST /contacts/merge", { body: { into, from: [id] } });
  };
};

const byLetter: Way = ({ port }, { email }) =>
  bring({ port }, LETTER.replace("ada@elsewhere.test", email).replace("first@", email), { from: email });

/** The ways of each voice to say it; what has none cannot be said. */
const WAYS: Readonly<Record<VoiceName, Partial<Record<Right, Way>>>> = {
  "secret-key": byKey("POST /contacts", "secret"),
  "public-key": byKey("POST /v1/track", "public", { event: "visit" }),
  person: {
    subscribe: onPage("subscribeUrl", ""),
    lift: onPage("subscribeUrl", ""),
    unsubscribe: onPage("manageUrl", "subscribed=false"),
    join: onPage("manageUrl", "listed=news&listed=left&topic=news&topic=left"),
  },
  form: each(() => byForm, ["add", "subscribe", "lift", "join", "update"]),
  import: {
    add: byFile("", ""),
    subscribe: byFile(",subscribed", ",true"),
    lift: byFile(",subscribed", ",true"),
    unsubscribe: byFile(",subscribed", ",false"),
    join: byFile(",topic:news,topic:left", ",yes,yes"),
    update: byFile(",color", ",blue"),
  },
  workflow: {
    subscribe: byWorkflow({ subscribed: true }),
    lift: byWorkflow({ subscribed: true }),
    unsubscribe: byWorkflow({ subscribed: false }),
    update: byWorkflow({ data: { color: "blue" } }),
  },
  sender: each(() => byLetter),
  merge: {
    subscribe: byMerge({}),
    lift: byMerge({}),
    unsubscribe: byMerge({ subscribed: false }),
    join: byMerge({ topics: { news: "in", left: "in" } }),
    update: byMerge({ data: { color: "blue" } }),
  },
  provider: {
    unsubscribe: async ({ posthorn }, { email }) => {
      posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 No such user" });
      const body = { to: email, from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>" };
      await ask(posthorn, "POST /v1/send", { body });
    },
  },
};

const SETTINGS: Partial<Record<TermName, object>> = {
  "update off": { publicKeys: { update: false } },
  "unsubscribe off": { publicKeys: { unsubscribe: false } },
  "workspace's double opt-in": { doubleOptIn: true },
};
const NO_SETTINGS = { publicKeys: { update: true, unsubscribe: true }, doubleOptIn: false };

/** Whom each right is tried on. */
type People = Readonly<Record<Right, string>>;

async function made({ posthorn }: House, row: number): Promise<People> {
  const people = Object.fromEntries(RIGHTS.map((right) => [right, `${right}-${row}@elsewhere.test`])) as People;
  for (const right of RIGHTS) {
    const { given } = STATES[right];
    if (given) await ask(posthorn, "POST /contacts", { body: { email: people[right], ...given } });
  }
  await returned(posthorn, "bounce", people.lift);
  return people;
}

/** What became of the contact. A link that asks to confirm is followed. */
async function outcome({ posthorn }: House, right: Right, email: string): Promise<string> {
  const { isDone } = STATES[right];
  const contact = await contactAt(posthorn, email);
  if (contact && isDone(contact)) return "yes";
  if (right === "join" && contact.topics.news === "in") return "unless left";
  const link = posthorn.transport.recipients.includes(email) ? await linkTo(posthorn, email) : "";
  if (link === "") return "no";
  await visit(posthorn, `POST ${link}`);
  return isDone(await contactAt(posthorn, email)) ? "confirmed" : "no";
}

const ROWS = (Object.keys(VOICES) as VoiceName[]).flatMap((voice) => {
  const terms: readonly TermName[] = (TERMS_OF as Partial<Record<VoiceName, readonly TermName[]>>)[voice] ?? [];
  return [null, ...terms].map((term) => [voice, term] as const);
});

describe("what a voice may do is what it does", () => {
  let house: House;
  beforeAll(async () => {
    house = await startHouse();
    for (const key of ["news", "left"])
      await ask(house.posthorn, "POST /topics", { body: { key, name: { en: key }, default: "out" } });
  });
  afterAll(() => house.posthorn[Symbol.asyncDispose]());

  test.each(ROWS.map((row) => [row.filter(Boolean).join(", "), ...row] as const))(
    "%s (slow)",
    async (_, voice, term) => {
      const { posthorn } = house;
      const rights: ContactVoice = { ...VOICES[voice], ...(term ? TERMS[term] : {}) };
      const people = await made(
        house,
        ROWS.findIndex(([one, under]) => one === voice && under === term),
      );
      if (term && SETTINGS[term]) await ask(posthorn, "PATCH /workspace", { body: SETTINGS[term] });
      for (const right of RIGHTS) await WAYS[voice][right]?.(house, { email: people[right], term });
      await posthorn.settle();
      const found: Partial<Record<Right, string>> = {};
      for (const right of RIGHTS) found[right] = await outcome(house, right, people[right]);
      await ask(posthorn, "PATCH /workspace", { body: NO_SETTINGS });
      expect(found).toEqual(rights);
    },
  );
});

/** The rows of the guide. */
const LABELS: Readonly<Record<string, VoiceName | TermName>> = {
  "A secret key, a member of the team": "secret-key",
  "A public key": "public-key",
  "– `update` off": "update off",
  "– `unsubscribe` off": "unsubscribe off",
  "– double opt-in of the workspace": "workspace's double opt-in",
  "The person, on their page": "person",
  "A form": "form",
  "An import": "import",
  "– `resubscribe=true`": "resubscribe",
  "A key or a form with double opt-in, an import with `marketing=confirm`": "double opt-in",
  "A workflow": "workflow",
  "Who writes to you": "sender",
  "A merge": "merge",
  "A provider, by a bounce or a complaint": "provider",
};

test("the guide has the same table", () => {
  const page = readFileSync("docs/contacts.md", "utf8");
  const [, section = ""] = page.split("## Who may do what");
  const rows = section.split("\n## ")[0]?.match(/^\|.*\|$/gm) ?? [];
  const cells = rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
  const told = cells.map(([label = "", ...rest]) => [
    LABELS[label] ?? label,
    Object.fromEntries(RIGHTS.flatMap((right, at) => (rest[at] ? [[right, rest[at]]] : []))),
  ]);
  expect(Object.fromEntries(told)).toEqual({ ...VOICES, ...TERMS } as Json);
});
