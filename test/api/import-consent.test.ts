// POST /contacts/import: whom it may subscribe. What the dry run says is what the import does.
import { suppressContacts } from "../support/suppressed.ts";
import { describe, expect, test } from "bun:test";
import { checked, imported, upload } from "../support/files.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { RecordingTransport } from "../support/transport.ts";
import { workspace } from "../support/workspace.ts";

async function contactAt(posthorn: Posthorn, name: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${name}@list.example`)).body;
}

/** What mail somebody may get. */
async function standing(posthorn: Posthorn, name: string): Promise<string> {
  const { subscribed, status, suppressed } = await contactAt(posthorn, name);
  return suppressed ?? (status === "PENDING" ? "pending" : subscribed ? "subscribed" : "unsubscribed");
}

/** As `name:standing`, in the order of the names. */
async function standings(posthorn: Posthorn, names: string): Promise<string> {
  const told = names.split(" ").map(async (name) => `${name}:${await standing(posthorn, name)}`);
  return (await Promise.all(told)).join(" ");
}

const MAILCHIMP =
  "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,EUID,NOTES,TAGS";
const NO_TAGS = '1,a1,,"""vip"""';

describe("the state in the export of another product is taken over:", () => {
  const shared = sharedPosthorn();
  let files = 0;

  test.each<[string, string, string, Json]>([
    [
      "Mailchimp, subscribed",
      `${MAILCHIMP}\na@list.example,Ann,A,2,,,2025-01-02 10:00:00,1.2.3.4,${NO_TAGS}\n`,
      "a:subscribed",
      { subscribed: 1 },
    ],
    [
      "Mailchimp, unsubscribed",
      `${MAILCHIMP},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER\na@list.example,Ann,A,2,,,2025-01-02 10:00:00,1.2.3.4,${NO_TAGS},2025-03-04 05:06:07,May,x,SPAM,\n`,
      "a:unsubscribed",
      { unsubscribed: 1 },
    ],
    [
      "Mailchimp, cleaned",
      `${MAILCHIMP},CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID\na@list.example,Ann,A,2,,,2025-01-02 10:00:00,1.2.3.4,${NO_TAGS},2025-03-04 05:06:07,May,x\n`,
      "a:bounce",
      { suppressed: 1 },
    ],
    [
      "Shopify",
      "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Accepts SMS Marketing,Total Spent,Tags\n'1,Ann,A,a@list.example,yes,no,0.00,\n'2,Bo,B,b@list.example,no,yes,1.00,\n'3,Cy,C,c@list.example,,no,1.00,\n",
      "a:subscribed b:unsubscribed c:unsubscribed",
      { subscribed: 1, unsubscribed: 2 },
    ],
    [
      "a shop's API",
      "id,email,accepts_marketing\n1,a@list.example,true\n2,b@list.example,FALSE\n",
      "a:subscribed b:unsubscribed",
      { subscribed: 1, unsubscribed: 1 },
    ],
    [
      "WooCommerce",
      "user_id,user_email,first_name,mailchimp_woocommerce_is_subscribed\n1,a@list.example,Ann,1\n2,b@list.example,Bo,0\n3,c@list.example,Cy,\n",
      "a:subscribed b:unsubscribed c:unsubscribed",
      { subscribed: 1, unsubscribed: 2 },
    ],
    [
      "Klaviyo",
      "Email,Klaviyo ID,First Name,Email Marketing Consent,Email Suppressions\na@list.example,1,Ann,SUBSCRIBED,[]\nb@list.example,2,Bo,NEVER_SUBSCRIBED,[]\nc@list.example,3,Cy,UNSUBSCRIBED,\nd@list.example,4,Di,SUBSCRIBED,\"[{'reason': 'HARD_BOUNCE'}]\"\n",
      "a:subscribed b:unsubscribed c:unsubscribed d:bounce",
      { subscribed: 1, unsubscribed: 2, suppressed: 1 },
    ],
    [
      "Brevo",
      "CONTACT ID,EMAIL,FIRSTNAME,EMAIL_BLACKLISTED,SMS_BLACKLISTED,OPT_IN\n1,a@list.example,Ann,No,No,Yes\n2,b@list.example,Bo,Yes,No,Yes\n3,c@list.example,Cy,No,No,No\n",
      "a:subscribed b:unsubscribed c:unsubscribed",
      { subscribed: 1, unsubscribed: 2 },
    ],
    [
      "HubSpot",
      "Record ID,Email,Unsubscribed from all email,Email hard bounce reason\n1,a@list.example,true,\n2,b@list.example,false,UNKNOWN_USER\n",
      "a:unsubscribed b:bounce",
      { unsubscribed: 1, suppressed: 1 },
    ],
    [
      "Shopify, with the names of its API",
      "id,email,email_marketing_consent.state,sms_marketing_consent.state\n1,a@list.example,subscribed,not_subscribed\n2,b@list.example,not_subscribed,subscribed\n3,c@list.example,redacted,\n4,d@list.example,unsubscribed,\n",
      "a:subscribed b:unsubscribed c:unsubscribed d:unsubscribed",
      { subscribed: 1, unsubscribed: 3 },
    ],
    [
      "WooCommerce with MailPoet",
      "ID,user_email,mailpoet_status,marketing_opt_in\n1,a@list.example,subscribed,1\n2,b@list.example,unsubscribed,1\n3,c@list.example,bounced,1\n",
      "a:subscribed b:unsubscribed c:bounce",
      { subscribed: 1, unsubscribed: 1, suppressed: 1 },
    ],
    [
      "WooCommerce with AutomateWoo",
      "customer_id,email,automatewoo_opted_in,sms_opted_in\n1,a@list.example,1,0\n2,b@list.example,0,1\n",
      "a:subscribed b:unsubscribed",
      { subscribed: 1, unsubscribed: 1 },
    ],
    [
      "Brevo, by channel",
      "ID,EMAIL,Email Campaigns,SMS Campaigns\n1,a@list.example,Subscribed,Unsubscribed\n2,b@list.example,Unsubscribed,Subscribed\n",
      "a:subscribed b:unsubscribed",
      { subscribed: 1, unsubscribed: 1 },
    ],
    [
      "a column State, which is no part of a country",
      "Email Address,Name,State\na@list.example,Ann,Unsubscribed\nb@list.example,Bo,Bounced\nc@list.example,Cy,Colorado\n",
      "a:unsubscribed b:bounce c:subscribed",
      { unsubscribed: 1, suppressed: 1, subscribed: 1 },
    ],
    ...[
      "Subscribed?",
      "data.subscribed",
      "Subscribed to newsletter",
      "Opt-in status",
      "Marketing permissions",
      "allows_marketing",
    ].map((column): [string, string, string, Json] => [
      `a column ${column}`,
      `email,${column}\na@list.example,yes\nb@list.example,no\n`,
      "a:subscribed b:unsubscribed",
      { subscribed: 1, unsubscribed: 1 },
    ]),
    ...["Newsletter opt-out", "No email"].map((column): [string, string, string, Json] => [
      `a column ${column}`,
      `email,${column}\na@list.example,no\nb@list.example,yes\n`,
      "a:subscribed b:unsubscribed",
      { subscribed: 1, unsubscribed: 1 },
    ]),
    [
      "switched-off mail",
      "Email,Active Subscription,Email disabled\na@list.example,true,true\nb@list.example,false,false\n",
      "a:unsubscribed b:subscribed",
      { unsubscribed: 1, subscribed: 1 },
    ],
    [
      "a list with states",
      "email,status\na@list.example,unsubscribed\nb@list.example,Hard bounced\nc@list.example,Spam complaint\nd@list.example,blocklisted\ne@list.example,unreachable\n",
      "a:unsubscribed b:bounce c:complaint d:unsubscribed e:bounce",
      { unsubscribed: 2, suppressed: 3 },
    ],
  ])("%s", async (_, text, told, counts) => {
    const own = String(++files);
    const [file, expected] = [text.replaceAll("@list", `${own}@list`), told.replaceAll(":", `${own}:`)];
    const check = await checked(shared(), file);
    expect(check.statuses).toEqual({ subscribed: 0, unsubscribed: 0, pending: 0, suppressed: 0, ...counts });
    const { result } = await imported(shared(), file);
    expect([result.failureCount, result.createdCount]).toEqual([0, check.created]);
    expect(await standings(shared(), expected.replaceAll(/:\w+/g, ""))).toBe(expected);
  });

  test("also for people who are here, whom a refusal reaches and a yes does not", async () => {
    await using posthorn = await workspace();
    for (const [name, subscribed] of Object.entries({ a: true, b: true, c: false }))
      await ask(posthorn, "POST /contacts", { body: { email: `${name}@list.example`, subscribed } });
    const file =
      "Email Address,OPTIN_TIME,UNSUB_TIME,CLEAN_TIME\na@list.example,2025-01-01,2025-02-01,\nb@list.example,2025-01-01,,2025-02-01\nc@list.example,2025-01-01,,\n";
    const check = await checked(posthorn, file);
    expect(check).toMatchObject({ updated: 3, resubscribed: 0 });
    expect(check.statuses).toEqual({ subscribed: 0, unsubscribed: 2, pending: 0, suppressed: 1 });
    await imported(posthorn, file);
    expect(await standings(posthorn, "a b c")).toBe("a:unsubscribed b:bounce c:unsubscribed");
    expect(await posthorn.eventNames()).toEqual(["contact.unsubscribed", "contact.unsubscribed"]);
  });

  test("but not from a file that says `subscribed` itself, as the export does", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, "email,subscribed,newsletter,status\na@list.example,true,no,unsubscribed\n");
    expect(await standing(posthorn, "a")).toBe("subscribed");
    expect((await contactAt(posthorn, "a")).data).toEqual({ newsletter: "no", status: "unsubscribed" });
  });
});

describe("somebody who was erased after a bounce", () => {
  async function erased(posthorn: Posthorn): Promise<void> {
    const { body } = await ask(posthorn, "POST /contacts", {
      body: { email: "a@list.example", subscribed: false },
    });
    await suppressContacts(posthorn, "bounce");
    await ask(posthorn, `DELETE /contacts/${body.id}`);
    await posthorn.settle();
  }
  const file = "email,subscribed\na@list.example,true\n";

  test("is not subscribed by a file that says so", async () => {
    await using posthorn = await workspace();
    await erased(posthorn);
    expect((await checked(posthorn, file)).statuses).toMatchObject({ subscribed: 0, suppressed: 1 });
    await imported(posthorn, file);
    expect(await standing(posthorn, "a")).toBe("bounce");
  });

  test("is, where the caller asks for it", async () => {
    await using posthorn = await workspace();
    await erased(posthorn);
    const again = { fields: { resubscribe: "true" } };
    expect((await checked(posthorn, file, again)).statuses).toMatchObject({ subscribed: 1, suppressed: 0 });
    await imported(posthorn, file, again);
    expect(await standing(posthorn, "a")).toBe("subscribed");
  });
});

test("a key that is scoped to domains cannot subscribe anybody again", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, "POST /keys", { body: { name: "shop", domains: ["example.test"] } });
  const key = { bearer: body.secretKey ?? body.secret };
  const file = "email,subscribed\na@list.example,true\n";
  for (const query of ["", "?resubscribe=true"]) {
    const { status, body: answer } = await upload(posthorn, file, { key, query });
    expect([query, status, answer.error?.code]).toEqual(
      query === "" ? ["", 202, undefined] : [query, 403, "FORBIDDEN"],
    );
  }
});

describe("where the file says nothing, the answer to one question counts:", () => {
  const file = "email,name\nnew@list.example,New\nout@list.example,Out\nin@list.example,In\n";
  async function known(posthorn: Posthorn): Promise<void> {
    for (const [name, subscribed] of Object.entries({ out: false, in: true }))
      await ask(posthorn, "POST /contacts", { body: { email: `${name}@list.example`, subscribed } });
  }

  test.each<[Record<string, string>, string, Json]>([
    [{}, "new:subscribed out:unsubscribed in:subscribed", { undecided: 1 }],
    [{ marketing: "yes", consent: "fair 2026" }, "new:subscribed out:unsubscribed in:subscribed", { undecided: 0 }],
    [{ marketing: "no" }, "new:unsubscribed out:unsubscribed in:subscribed", { undecided: 0 }],
    [{ marketing: "confirm" }, "new:pending out:unsubscribed in:subscribed", { undecided: 0 }],
  ])("%p", async (fields, expected, counts) => {
    const transport = new RecordingTransport();
    await using posthorn = await startPosthorn({ transport });
    await known(posthorn);
    const check = await checked(posthorn, file, { fields });
    expect(check).toMatchObject({ created: 1, ...counts });
    const told = expected.split(" ").map((one) => one.split(":")[1] as string);
    for (const [state, count] of Object.entries(check.statuses))
      expect([state, count]).toEqual([state, told.filter((one) => one === state).length]);
    await imported(posthorn, file, { fields });
    expect(await standings(posthorn, "new out in")).toBe(expected);
    expect((await contactAt(posthorn, "new")).data).toEqual({
      name: "New",
      ...(fields.consent ? { consent: fields.consent } : {}),
    });
    expect((await contactAt(posthorn, "in")).data).toEqual({ name: "In" });
    expect(transport.sent.length).toBe(fields.marketing === "confirm" ? 1 : 0);
  });

  test("a yes says where the consent comes from", async () => {
    await using posthorn = await workspace();
    const { status, body } = await upload(posthorn, file, { fields: { marketing: "yes" } });
    expect([status, body.error.errors[0].field, body.error.errors[0].code]).toEqual([422, "consent", "required"]);
    const other = await upload(posthorn, file, { fields: { marketing: "perhaps" } });
    expect([other.status, other.body.error.errors[0].field]).toEqual([422, "marketing"]);
  });
});

test("nobody is asked by a workspace that cannot send, and the import is refused as a whole", async () => {
  await using posthorn = await workspace();
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  const fields = { marketing: "confirm" };
  const { status, body } = await upload(posthorn, "email\na@list.example\n", { fields });
  expect([status, body.error.reason]).toEqual([409, "no_confirmation_sender"]);
  expect((await checked(posthorn, "email\na@list.example\n", { fields })).error.code).toBe("CONFLICT");
});

test("a caller may say what each column becomes", async () => {
  await using posthorn = await workspace();
  const columns = JSON.stringify(["data.name", "email", null, ""]);
  const file = "Kontakt,Adresse,plan,Telefon\nAnn,a@list.example,pro,123\n";
  expect((await checked(posthorn, file, { fields: { columns } })).columns.map(({ field }: Json) => field)).toEqual([
    ...["data.name", "email", "data.plan", null],
  ]);
  await imported(posthorn, file, { fields: { columns } });
  expect((await contactAt(posthorn, "a")).data).toEqual({ name: "Ann", plan: "pro" });
  const { status, body } = await upload(posthorn, file, { fields: { columns: '["nonsense"]' } });
  expect([status, body.error.errors[0].field]).toEqual([422, "columns"]);
});
