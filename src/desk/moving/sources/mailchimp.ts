// Mailchimp: groups to choose from become topics, hidden ones segments, tags a list in the data. Of several audiences
// each becomes a segment. Its API does not give out the HTML of templates.
import type { ConsentStatus } from "../../../audience/csv/consent.ts";
import { fieldsOf, filled, isFields, itemsIn, textOf, type AnswerFields } from "../fields.ts";
import { byOffset, listPart, pageThrough, recordsAt, wholeList } from "../lists.ts";
import {
  membersOf,
  namedOf,
  segmentOf,
  type MoveSource,
  type SourcePage,
  type SourcePerson,
  type SourceRecord,
} from "../source.ts";
import { SourceError, type SourceCalls } from "../calls.ts";

const LIST = { total: "total_items", paging: byOffset("count", 1_000) };
const AUDIENCES = { ...LIST, path: "/lists", items: "lists", query: { fields: "lists.id,lists.name,total_items" } };
const MEMBER_FIELDS =
  "email_address status merge_fields interests tags timestamp_signup ip_signup timestamp_opt ip_opt".split(" ");
const MEMBERS = {
  ...{ ...LIST, items: "members" },
  query: { fields: ["total_items", ...MEMBER_FIELDS.map((field) => `members.${field}`)].join(",") },
};
const TEMPLATES = {
  ...{ ...LIST, path: "/templates", items: "templates" },
  query: { type: "user", fields: "templates.name,total_items" },
};

export const MAILCHIMP: MoveSource = {
  title: "Mailchimp",
  keyHint: "The file has an API key, which ends in the data centre: “…-us19”.",
  baseUrl: (key) => {
    const [, place] = /-([a-z]{2,4}\d{1,4})$/.exec(key) ?? [];
    if (place === undefined) throw new SourceError("key", `This is no key of Mailchimp. ${MAILCHIMP.keyHint}`);
    return `https://${place}.api.mailchimp.com/3.0`;
  },
  headers: (key) => ({ authorization: `Basic ${btoa(`posthorn:${key}`)}` }),
  parts: [
    { name: "complaints", page: (calls, at) => ofEachAudience(calls, at, complaints) },
    { name: "audiences and groups", page: (calls, at) => ofEachAudience(calls, at, groups) },
    { name: "people", page: (calls, at) => ofEachAudience(calls, at, people) },
    listPart("templates", TEMPLATES, ({ name }) => [
      {
        ...{ kind: "gap", what: "templates", example: textOf(name) },
        why: "Mailchimp's API does not give out the HTML of templates. Export it there, and paste it into a template here.",
      },
    ]),
  ],
};

type MailchimpAudience = { readonly item: AnswerFields; readonly id: string; readonly isOnly: boolean };
type MailchimpPage = (calls: SourceCalls, audience: MailchimpAudience, at: string) => Promise<SourcePage>;

async function ofEachAudience(calls: SourceCalls, at: string, page: MailchimpPage): Promise<SourcePage> {
  const byId = new Map((await wholeList(calls, AUDIENCES)).map((item) => [textOf(item["id"]), item]));
  return pageThrough([...byId.keys()], at, (id, from) =>
    page(calls, { item: byId.get(id) ?? { id }, id, isOnly: byId.size === 1 }, from),
  );
}

function complaints(calls: SourceCalls, { id }: MailchimpAudience, at: string): Promise<SourcePage> {
  const list = { ...LIST, path: `/lists/${id}/abuse-reports`, items: "abuse_reports" };
  return recordsAt(calls, at, list, ({ email_address }) => [
    { kind: "suppression", email: textOf(email_address), reason: "complaint" },
  ]);
}

async function groups(calls: SourceCalls, { item, id, isOnly }: MailchimpAudience): Promise<SourcePage> {
  const { hidden, open } = await interestsOf(calls, id);
  const topics = open.map((one): SourceRecord => ({ kind: "topic", ...namedOf(one), default: "out" }));
  return {
    records: [...(isOnly ? [] : [item]), ...hidden].flatMap<SourceRecord>(segmentOf).concat(topics),
    next: null,
  };
}

async function interestsOf(calls: SourceCalls, list: string) {
  const path = `/lists/${list}/interest-categories`;
  const found = { hidden: [] as AnswerFields[], open: [] as AnswerFields[] };
  for (const { id, type } of await wholeList(calls, { ...LIST, path, items: "categories" })) {
    const interests = { ...LIST, path: `${path}/${textOf(id)}/interests`, items: "interests" };
    found[type === "hidden" ? "hidden" : "open"].push(...(await wholeList(calls, interests)));
  }
  return found;
}

async function people(
  calls: SourceCalls,
  { id: audience, isOnly }: MailchimpAudience,
  at: string,
): Promise<SourcePage> {
  const { hidden } = await interestsOf(calls, audience);
  const isHidden = (id: string) => hidden.some((one) => one["id"] === id);
  return recordsAt(calls, at, { ...MEMBERS, path: `/lists/${audience}/members` }, (member) => {
    const chosen = Object.entries(fieldsOf(member["interests"])).flatMap(([id, isIn]) => (isIn === true ? id : []));
    const topics = chosen.filter((id) => !isHidden(id));
    const person = personOf(member, topics);
    return [person, ...membersOf([...(isOnly ? [] : [audience]), ...chosen.filter(isHidden)], person.email)];
  });
}

/** A person who is `transactional` has bought something, and said neither yes nor no. */
const STANDINGS: Readonly<Record<string, ConsentStatus>> = {
  subscribed: "subscribed",
  unsubscribed: "unsubscribed",
  cleaned: "bounce",
  pending: "pending",
  transactional: "pending",
};

function personOf(member: AnswerFields, topics: readonly string[]): SourcePerson {
  const tags = itemsIn(member["tags"] ?? []).map(({ name }) => textOf(name));
  return {
    kind: "person",
    email: textOf(member["email_address"]),
    standing: STANDINGS[textOf(member["status"])] ?? "unsubscribed",
    data: filled({ ...dataIn(fieldsOf(member["merge_fields"])), tags }),
    topics: Object.fromEntries(topics.map((id) => [id, "in"])),
    proof: {
      optin_time: textOf(member["timestamp_signup"]),
      optin_ip: textOf(member["ip_signup"]),
      confirm_time: textOf(member["timestamp_opt"]),
      confirm_ip: textOf(member["ip_opt"]),
    },
  };
}

const NAMES: Readonly<Record<string, string>> = {
  FNAME: "firstName",
  LNAME: "lastName",
  PHONE: "phone",
  ADDRESS: "address",
};

/** An address is an object, which has empty parts. */
function dataIn(merged: AnswerFields): AnswerFields {
  const entries = Object.entries(merged);
  return Object.fromEntries(
    entries.map(([tag, value]) => [NAMES[tag] ?? tag, isFields(value) ? filled(value) : value]),
  );
}
