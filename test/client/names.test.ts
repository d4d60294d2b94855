// One word for one act: what the methods of the client are called.
import { expect, test } from "bun:test";
import { METHODS } from "../../client/src/methods.gen.ts";

const methods = Object.entries(METHODS).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, { route }]) => ({ name: `${group}.${name}`, verb: verbOf(name), route })),
);

function verbOf(name: string): string {
  return /^[a-z]+/.exec(name)?.[0] ?? name;
}

/** The verbs that a call by this method of HTTP may be. */
const VERBS: Readonly<Record<string, string>> = {
  GET: "get list count export search",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
  POST: `create test preview verify check send resend retry replay duplicate publish restore rotate import export undo
    pause resume skip restart cancel merge compute explain simulate start list bulk`,
};

/** What is another act than these, or has a word of the field. */
const WORDS_OF_THE_FIELD: Readonly<Record<string, string>> = {
  "keys.revoke": "a key is revoked; its record stays",
  "suppressions.add": "it may be there already, and is then widened",
  "suppressions.lift": "what suppresses is lifted, here as in the guide",
  "emails.move": "only when it is sent changes",
  "emails.cancel": "its record stays",
  "emails.settleArrived": "says what became of an email",
  "emails.settleNotArrived": "says what became of an email",
  "workflows.cancelExecution": "its record stays",
  "workflows.replace": "the whole workflow; `update` changes some fields",
  "workflows.getNextRuns": "asks, with a body",
  "segments.addMembers": "the contacts are there before and after",
  "segments.removeMembers": "the contacts are there before and after",
  "workspace.letBrakeGo": "a brake comes back by itself",
  "events.track": "the word of the API",
  "contacts.upsert": "creates or updates",
  "contacts.lookup": "asks, with a body",
  "contacts.renameField": "a field of all contacts; `update` changes one contact",
  "contacts.findDuplicates": "begins a job",
  "contacts.previewDuplicateMerge": "what a job would do",
  "contacts.dismissDuplicates": "they are contacts, and stay",
  "campaigns.unschedule": "the opposite of `send` with a time",
  "campaigns.repeat": "to those whom it did not reach",
  "content.plan": "the word of the field, as `posthorn plan`",
  "content.apply": "the word of the field, as `posthorn apply`",
  "test.advanceClock": "time has no record",
};

test("the same act has the same word in every group", () => {
  const others = methods.filter(({ verb, route }) => {
    const [method = ""] = route.split(" ");
    return !VERBS[method]?.split(/\s+/).includes(verb);
  });
  expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(WORDS_OF_THE_FIELD).toSorted());
});

test("no call has two names", () => {
  const routes = methods.map(({ route }) => route);
  expect(routes).toEqual([...new Set(routes)]);
  expect(methods.map(({ name }) => name).filter((name) => /alias|refresh/i.test(name))).toEqual([]);
});

test("email is the word, not mail", () => {
  expect(methods.map(({ name }) => name).filter((name) => /mail/i.test(name) && !/email/i.test(name))).toEqual([]);
});
