// Mailchimp: groups to choose from become topics, hidden ones segments, tags a list in the data. Of several audiences
// each becomes a segment. Its API does not give out the HTML of templates.
import type { ConsentStanding } from "../../../audience/csv/consent.ts";
import { fieldsOf, filled, itemsIn, nextOffset, numberOf, textOf, type AnswerFields } from "../fields.ts";
import { pageThrough, type MoveSource, type SourcePage, type SourceRecord } from "../source.ts";
import { SourceError, type SourceCalls } from "../calls.ts";

const SIZE = 1_000;

export const MAILCHIMP: MoveSource = {
  title: "Mailchimp",
  keyHint: "The file has an API key, which ends in the data centre: “…-us19”.",
  baseUrl: (key) => {
    const [, place] = /-([a-z]{2,4}\d{1,4})$/.exec(key) ?? [];
    if (place === undefined) throw new SourceError("key", `This is no key of Mailchimp. ${MAILCHIMP.keyHint}`);
    return `https://${place}.api.mailchimp.com/3.0`;
  },
  headers: (key) => ({ authorization: `Basic ${Buffer.from(`posthorn:${key}`).toString("base64")}` }),
  parts: [
    { name: "complaints", page: (calls, at) => ofEachAudience(calls, at, complaints) },
    { name: "audiences and groups", page: (calls, at) => ofEachAudience(calls, at, groups) },
    { name: "people", page: (calls, at) => ofEachAudience(calls, at, people) },
    { name: "templates", page: templates },
  ],
};

type MailchimpList = { readonly id: string; readonly name: string; readonly isOnly: boolean };
type MailchimpPage = (calls: SourceCalls, audience: MailchimpList, at: string) => Promise<SourcePage>;

async function ofEachAudience(calls: SourceCalls, at: string, page: MailchimpPage): Promise<SourcePage> {
  const lists = itemsIn(await calls.once(`/lists?count=${SIZE}&fields=lists.id,lists.name,total_items`), "lists");
  const named = new Map(lists.map(({ id, name }) => [textOf(id), textOf(name)]));
  return pageThrough([...named.keys()], at, (id, from) =>
    page(calls, { id, name: named.get(id) ?? "", isOnly: named.size === 1 }, from),
  );
}

async function complaints(calls: SourceCalls, { id }: MailchimpList, at: string): Promise<SourcePage> {
  return offset(calls, at, `/lists/${id}/abuse-reports`, "abuse_reports", ({ email_address }) => [
    { kind: "suppression", email: textOf(email_address), reason: "complaint" },
  ]);
}

async function groups(calls: SourceCalls, { id, name, isOnly }: MailchimpList): Promise<SourcePage> {
  const interests = await interestsOf(calls, id);
  const records = interests.map(({ isHidden, ...one }): SourceRecord => {
    return isHidden ? { kind: "segment", ...one } : { kind: "topic", ...one, default: "out" };
  });
  return { records: isOnly ? records : [{ kind: "segment", id, name }, ...records], next: null };
}

async function interestsOf(calls: SourceCalls, list: string) {
  const path = `/lists/${list}/interest-categories`;
  const found: { id: string; name: string; isHidden: boolean }[] = [];
  for (const { id, type } of itemsIn(await calls.once(`${path}?count=${SIZE}`), "categories")) {
    const interests = itemsIn(await calls.once(`${path}/${textOf(id)}/interests?count=${SIZE}`), "interests");
    found.push(
      ...interests.map((one) => ({ id: textOf(one["id"]), name: textOf(one["name"]), isHidden: type === "hidden" })),
    );
  }
  return found;
}

const FIELDS = ["email_address", "status", "merge_fields", "interests", "tags"].concat([
  ...["timestamp_signup", "ip_signup", "timestamp_opt", "ip_opt"],
]);

async function people(calls: SourceCalls, audience: MailchimpList, at: string): Promise<SourcePage> {
  const hidden = (await interestsOf(calls, audience.id)).filter(({ isHidden }) => isHidden).map(({ id }) => id);
  const fields = ["total_items", ...FIELDS.map((field) => `members.${field}`)].join(",");
  const path = `/lists/${audience.id}/members?fields=${fields}`;
  return offset(calls, at, path, "members", (member) => {
    const email = textOf(member["email_address"]);
    const chosen = Object.entries(fieldsOf(member["interests"])).flatMap(([id, isIn]) => (isIn === true ? id : []));
    const segments = [...(audience.isOnly ? [] : [audience.id]), ...chosen.filter((id) => hidden.includes(id))];
    return [
      personOf(
        email,
        member,
        chosen.filter((id) => !hidden.includes(id)),
      ),
      ...segments.map((segment) => ({ kind: "member" as const, segment, email })),
    ];
  });
}

/** Who is `transactional` has bought something, and said neither yes nor no. */
const STANDINGS: Readonly<Record<string, ConsentStanding>> = {
  subscribed: "subscribed",
  unsubscribed: "unsubscribed",
  cleaned: "bounce",
  pending: "pending",
  transactional: "pending",
};

function personOf(email: string, member: AnswerFields, topics: readonly string[]): SourceRecord {
  const tags = itemsIn(member["tags"] ?? []).map(({ name }) => textOf(name));
  return {
    kind: "person",
    email,
    standing: STANDINGS[textOf(member["status"])] ?? "unsubscribed",
    data: filled({ ...dataIn(fieldsOf(member["merge_fields"])), tags }),
    topics: Object.fromEntries(topics.map((id) => [id, "in"])),
    proof: {
      optInAt: textOf(member["timestamp_signup"]),
      optInIp: textOf(member["ip_signup"]),
      confirmedAt: textOf(member["timestamp_opt"]),
      confirmedIp: textOf(member["ip_opt"]),
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
  return Object.fromEntries(
    Object.entries(merged).flatMap(([tag, value]) => {
      const parts =
        typeof value === "object" && value !== null && !Array.isArray(value) ? filled(fieldsOf(value)) : null;
      return parts !== null && Object.keys(parts).length === 0 ? [] : [[NAMES[tag] ?? tag, parts ?? value]];
    }),
  );
}

async function templates(calls: SourceCalls, at: string): Promise<SourcePage> {
  return offset(calls, at, "/templates?type=user&fields=templates.name,total_items", "templates", ({ name }) => [
    {
      ...{ kind: "gap", what: "templates", example: textOf(name) },
      why: "Mailchimp's API does not give out the HTML of templates. Export it there, and paste it into a template here.",
    },
  ]);
}

async function offset(
  calls: SourceCalls,
  at: string,
  path: string,
  list: string,
  recordsOf: (item: AnswerFields) => readonly SourceRecord[],
): Promise<SourcePage> {
  const from = Number(at);
  const answer = fieldsOf(await calls.ask(`${path}${path.includes("?") ? "&" : "?"}count=${SIZE}&offset=${from}`));
  const items = itemsIn(answer, list);
  const total = numberOf(answer["total_items"]);
  return { records: items.flatMap(recordsOf), next: nextOffset(from, items.length, total), total };
}
