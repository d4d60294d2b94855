// What a relay's provider knows of a person: unsubscribed there, on its list, or nobody there at all
// (src/mail/providers/).
import { describe, expect, test } from "bun:test";
import type { ProviderName } from "../../src/mail/providers/table.ts";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import {
  brevo,
  generic,
  mailgun,
  mailgunFailed,
  mailjet,
  mailjetBounce,
  postmark,
  postmarkBounce,
  resend,
  sendgrid,
  sparkpost,
  sparkpostBounce,
  TO,
} from "../support/provider-events.ts";
import { KEYS, post, posted } from "../support/providers.ts";
import { workspace } from "../support/workspace.ts";

type Event = (id: string) => object;
type Row = readonly [provider: ProviderName, what: string, event: Event];

async function told(name: ProviderName, event: Event) {
  const posthorn = await workspace({ config: { relay: { provider: name, providerKey: KEYS[name] } } });
  await posthorn.call("POST /contacts", { email: TO });
  const id = (await posthorn.call("POST /v1/send", letter)).body.data.emails[0].email as string;
  await posthorn.settle();
  const { status, body } = await post(posthorn, name, posted(posthorn, name, event(id)));
  expect(status).toBe(200);
  await posthorn.settle();
  return { posthorn, id, recorded: body.recorded as number };
}

async function stateOf(posthorn: Posthorn, id: string) {
  const { status, bounceType } = (await posthorn.call(`GET /emails/${id}`)).body;
  const [contact] = (await posthorn.call("GET /contacts")).body.data;
  return [bounceType === null ? status : `${status} ${bounceType}`, contact.subscribed, contact.suppressed];
}

async function saidOf(posthorn: Posthorn): Promise<string | undefined> {
  const [contact] = (await posthorn.call("GET /contacts")).body.data;
  const { data } = (await posthorn.call(`GET /contacts/${contact.id}/consent`)).body;
  return data.find(({ said }: { said: string | null }) => said !== null)?.said;
}

const change = (more: object) =>
  postmark("SubscriptionChange", { Origin: "Recipient", SuppressSending: true, ...more });
const DEAD = "550 5.4.4 Host or domain name not found. Name service error for name=example.com type=A: Host not found";
const ELSEWHERE = DEAD.replace("example.com", "mail.forwarder.test");
const REJECTED = "550 5.0.0 message rejected";
const suppressed = (cause: string) =>
  sparkpost("policy_rejection", { bounce_class: "25", raw_reason: `554 5.7.1 recipient address suppressed ${cause}` });

describe("unsubscribed at the provider is unsubscribed here", () => {
  test.each<Row>([
    ["mailgun", "unsubscribed", mailgun("unsubscribed", { "client-info": {} })],
    ["sendgrid", "unsubscribe", sendgrid("unsubscribe")],
    ["sendgrid", "group unsubscribe", sendgrid("group_unsubscribe", { asm_group_id: 10 })],
    ["postmark", "a subscription change", change({ SuppressionReason: "ManualSuppression" })],
    ["postmark", "an answer", postmarkBounce("Unsubscribe", 16, "Please remove me")],
    ["brevo", "unsubscribed", brevo("unsubscribed", { list_id: [3] })],
    ["mailjet", "unsub", mailjet("unsub", { agent: "List-Unsubscribe", mj_list_id: 0 })],
    ["sparkpost", "by the header", sparkpost("list_unsubscribe", {}, "unsubscribe_event")],
    ["sparkpost", "by a link", sparkpost("link_unsubscribe", {}, "unsubscribe_event")],
    ["sparkpost", "an answer", sparkpostBounce("90", "", "unsubscribe")],
    ["resend", "a contact", () => ({ type: "contact.updated", data: { id: "7", email: TO, unsubscribed: true } })],
    ["generic", "unsubscribed", generic("unsubscribed", { reason: "on the page of the relay" })],
  ])("%s: %s", async (name, _, event) => {
    const { posthorn, id, recorded } = await told(name, event);
    await using _posthorn = posthorn;
    expect(recorded).toBe(1);
    expect(await stateOf(posthorn, id)).toEqual(["SENT", false, null]);
    expect(await posthorn.eventNames()).toEqual(["email.sent", "contact.unsubscribed"]);
    expect(await saidOf(posthorn)).not.toBe("");
    const timeline = (await posthorn.call(`GET /emails/${id}`)).body;
    expect(JSON.stringify(timeline)).toContain("unsubscribed");
  });
});

describe("who is on the list of the provider for it", () => {
  test.each<Row>([
    ["mailgun", "606", mailgunFailed("permanent", "suppress-unsubscribe", { code: 606, description: "unsubscribed" })],
    ["mailgun", "606 by its code", mailgunFailed("permanent", "generic", { code: 606, message: "" })],
    ["sendgrid", "dropped", sendgrid("dropped", { reason: "Unsubscribed Address" })],
    ["brevo", "blocklisted", brevo("blocked", { reason: "blocked : due to blacklist user" })],
    ["postmark", "deactivated", postmarkBounce("ManuallyDeactivated", 100002, "The email was manually deactivated.")],
    ["mailjet", "blocklisted", mailjetBounce(false, "recipient", "blacklisted")],
    ["sparkpost", "a customer's list", suppressed("due to customer policy")],
  ])("is unsubscribed: %s, %s", async (name, _, event) => {
    const { posthorn, id } = await told(name, event);
    await using _posthorn = posthorn;
    expect(await stateOf(posthorn, id)).toEqual(["BOUNCED Transient", false, null]);
    const { error } = (await posthorn.call(`GET /emails/${id}`)).body;
    expect(await saidOf(posthorn)).toBe(error);
  });

  test.each<Row>([
    ["mailgun", "607", mailgunFailed("permanent", "suppress-complaint", { code: 607, message: "" })],
    ["mailgun", "607 by its code", mailgunFailed("permanent", "", { code: 607, message: "has complained" })],
    ["sendgrid", "dropped", sendgrid("dropped", { reason: "Spam Reporting Address" })],
    ["postmark", "a subscription change", change({ SuppressionReason: "SpamComplaint" })],
    ["brevo", "blocked", brevo("blocked", { reason: "blocked : due to spam complaint" })],
    ["mailjet", "spam reporter", mailjetBounce(false, "recipient", "spam reporter")],
    ["sparkpost", "suppressed", suppressed("due to previous spam complaint")],
    [
      "resend",
      "suppressed",
      resend("email.suppressed", { suppressed: { type: "Complaint", message: "It complained." } }),
    ],
  ])("has complained: %s, %s", async (name, _, event) => {
    const { posthorn, id } = await told(name, event);
    await using _posthorn = posthorn;
    const [status, ...person] = await stateOf(posthorn, id);
    expect([status.split(" ")[0], ...person]).toEqual(["COMPLAINED", false, "complaint"]);
    expect(await saidOf(posthorn)).not.toBe("");
  });

  test.each<Row>([
    ["mailgun", "605", mailgunFailed("permanent", "generic", { code: 605, message: "" })],
    ["sendgrid", "dropped", sendgrid("dropped", { reason: "Bounced Address" })],
    ["postmark", "a subscription change", change({ SuppressionReason: "HardBounce" })],
    [
      "postmark",
      "inactive for one of three reasons",
      postmarkBounce(
        "InactiveRecipient",
        406,
        "Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.",
      ),
    ],
    ["brevo", "blocked", brevo("blocked", { reason: "blocked : due to previous hard bounce" })],
    ["sparkpost", "their own list", suppressed("due to system policy")],
  ])("has bounced: %s, %s", async (name, _, event) => {
    const { posthorn, id } = await told(name, event);
    await using _posthorn = posthorn;
    expect(await stateOf(posthorn, id)).toEqual(["BOUNCED Permanent", false, "bounce"]);
  });
});

describe("nobody is there", () => {
  test.each<Row>([
    ["mailgun", "a dead domain", mailgunFailed("permanent", "generic", { code: 550, message: DEAD })],
    ["sendgrid", "a dead domain", sendgrid("bounce", { type: "blocked", reason: DEAD, status: "5.4.4" })],
    [
      "mailgun",
      "a domain without a server, by a code of its own",
      mailgunFailed("permanent", "generic", { code: 498, message: "No MX for [example.com]" }),
    ],
    [
      "sendgrid",
      "a domain that its search does not find",
      sendgrid("bounce", {
        type: "bounce",
        reason: "unable to get mx info: failed to get IPs from PTR record: lookup example.com: no such host",
      }),
    ],
    ["postmark", "a dead domain", postmarkBounce("HardBounce", 1, `smtp;${DEAD}`)],
    ["postmark", "a dead domain, for now", postmarkBounce("DnsError", 256, `smtp;${DEAD}`)],
    ["brevo", "a dead domain", brevo("hard_bounce", { reason: DEAD })],
    ["brevo", "a dead domain, for now", brevo("soft_bounce", { reason: DEAD })],
    ["mailjet", "a dead domain", mailjetBounce(false, "domain", "invalid domain", DEAD)],
    ["sparkpost", "a dead domain", sparkpostBounce("21", "550", DEAD)],
    ["generic", "a dead domain", generic("bounced", { recipient: TO, reason: DEAD })],
    ["mailgun", "hard", mailgunFailed("permanent", "bounce", { code: 550, message: REJECTED, "bounce-type": "hard" })],
    ["sendgrid", "hard", sendgrid("bounce", { type: "bounce", reason: REJECTED, status: "5.0.0" })],
    [
      "postmark",
      "hard and inactive",
      postmark("Bounce", { Type: "HardBounce", TypeCode: 1, Inactive: true, Details: `smtp;${REJECTED}` }),
    ],
    [
      "postmark",
      "inactive",
      postmark("Bounce", { Type: "Unknown", TypeCode: 2048, Inactive: true, Details: `smtp;${REJECTED}` }),
    ],
    ["brevo", "hard", brevo("hard_bounce", { reason: REJECTED })],
    ["mailjet", "hard", mailjetBounce(true, "recipient", "mailbox inactive", REJECTED)],
    ["sparkpost", "hard", sparkpostBounce("10", "550", REJECTED)],
  ])("%s: %s", async (name, _, event) => {
    const { posthorn, id } = await told(name, event);
    await using _posthorn = posthorn;
    expect(await stateOf(posthorn, id)).toEqual(["BOUNCED Permanent", false, "bounce"]);
  });
});

describe("the person stays as it is", () => {
  test.each<Row>([
    ["mailgun", "another domain is dead", mailgunFailed("permanent", "generic", { code: 550, message: ELSEWHERE })],
    ["mailgun", "the service blocks", mailgunFailed("permanent", "espblock", { code: 550, message: REJECTED })],
    ["sendgrid", "subscribed again there", sendgrid("group_resubscribe", { asm_group_id: 10 })],
    ["sendgrid", "a header of ours is wrong", sendgrid("dropped", { reason: "Invalid SMTPAPI header" })],
    ["sendgrid", "spam", sendgrid("dropped", { reason: "Spam Content" })],
    ["postmark", "activated again there", change({ SuppressSending: false, SuppressionReason: null })],
    ["postmark", "full", postmark("Bounce", { Type: "HardBounce", Inactive: true, Details: "552 5.2.2 mailbox full" })],
    ["brevo", "blocked without a reason", brevo("blocked")],
    ["mailjet", "a double", mailjet("blocked", { error_related_to: "mailjet", error: "duplicate in campaign" })],
    ["sparkpost", "no spam", sparkpost("spam_complaint", { fbtype: "not-spam" })],
    ["sparkpost", "a virus", sparkpost("spam_complaint", { fbtype: "virus" })],
    ["sparkpost", "a failed signature", sparkpost("spam_complaint", { fbtype: "auth-failure" })],
    ["resend", "subscribed there", () => ({ type: "contact.updated", data: { email: TO, unsubscribed: false } })],
  ])("%s: %s", async (name, _, event) => {
    const { posthorn, id } = await told(name, event);
    await using _posthorn = posthorn;
    const [status, ...person] = await stateOf(posthorn, id);
    expect(person).toEqual([true, null]);
    expect(status).not.toBe("COMPLAINED");
  });
});

test("who unsubscribes on a page of the provider's is found by the address alone", async () => {
  const bare = { MessageID: "00000000-0000-0000-0000-000000000000", Metadata: {}, Origin: "Recipient" };
  const left = { SuppressSending: true, SuppressionReason: "ManualSuppression", ...bare };
  const { posthorn, id } = await told("postmark", postmark("SubscriptionChange", left));
  await using _posthorn = posthorn;
  expect(await stateOf(posthorn, id)).toEqual(["SENT", false, null]);
});

test("who has another address by now is unsubscribed as well", async () => {
  const { posthorn, id } = await told("sendgrid", sendgrid("processed"));
  await using _posthorn = posthorn;
  const [contact] = (await posthorn.call("GET /contacts")).body.data;
  await posthorn.call(`PATCH /contacts/${contact.id}`, { email: "ada@elsewhere.example" });
  await post(posthorn, "sendgrid", posted(posthorn, "sendgrid", sendgrid("unsubscribe")(id)));
  expect(await stateOf(posthorn, id)).toEqual(["SENT", false, null]);
});
