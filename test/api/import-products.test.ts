// POST /contacts/import: exports of other products, as they are, are understood without a choice.
import { describe, expect, test } from "bun:test";
import { deflateRawSync } from "node:zlib";
import { checked, exportedFrom, imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { zipOf } from "../support/reports.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

type Person = {
  readonly is: "subscribed" | "unsubscribed" | "bounce" | "complaint";
  /** Some of it. */
  readonly data?: Json;
  /** In the ledger. */
  readonly proof?: string;
};
type Export = {
  readonly product: string | null;
  readonly files: Readonly<Record<string, string>>;
  /** By the part of the address before the @. */
  readonly people: Readonly<Record<string, Person>>;
};

const EXPORTS: Readonly<Record<string, Export>> = {
  "Mailchimp, all files of an audience": {
    product: "Mailchimp",
    files: {
      "subscribed_email_audience_export_1.csv":
        'Email Address,First Name,Last Name,PLAN,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS\nada@a.example,Ada,L,pro,2,2023-04-01 10:11:12,192.0.2.7,2023-04-02 08:00:00,192.0.2.8,,,,,,DE,,2023-04-02 08:00:00,1,x1,,"""vip"",""new"""\nold@a.example,Old,M,free,2,,,2023-04-03 08:00:00,192.0.2.9,,,,,,,,,2,x2,,\n',
      "unsubscribed_email_audience_export_1.csv":
        "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LEID,EUID,TAGS,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER\nbob@a.example,Bob,,2023-04-01 10:00:00,3,x3,,2024-05-06 07:00:00,News,1,NORMAL,\n",
      "cleaned_email_audience_export_1.csv":
        "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LEID,EUID,TAGS,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID\ngone@a.example,Cyd,,2023-04-01 10:00:00,4,x4,,2024-05-06 07:00:00,News,1\n",
      "nonsubscribed_email_audience_export_1.csv": "Email Address,First Name,LEID,EUID\nbuyer@a.example,Dan,5,x5\n",
    },
    people: {
      ada: {
        is: "subscribed",
        data: { firstName: "Ada", PLAN: "pro", tags: ["vip", "new"], joinedAt: "2023-04-01T10:11:12.000Z" },
        proof: "import: Mailchimp, opt-in 2023-04-01, confirmed 2023-04-02, 192.0.2.7, 192.0.2.8",
      },
      old: { is: "subscribed", proof: "import: Mailchimp, confirmed 2023-04-03, 192.0.2.9" },
      bob: { is: "unsubscribed" },
      gone: { is: "bounce" },
      buyer: { is: "unsubscribed" },
    },
  },
  Brevo: {
    product: "Brevo",
    files: {
      "contacts.csv":
        "CONTACT ID;EMAIL;FIRSTNAME;LASTNAME;SMS;EMAIL_BLACKLISTED;SMS_BLACKLISTED;OPT_IN;ADDED_TIME;MODIFIED_TIME\n1;ada@a.example;Ada;L;;No;No;Yes;01-04-2023 10:00:00;\n2;bob@a.example;Bob;M;;Yes;No;Yes;01-04-2023 10:00:00;\n",
    },
    people: {
      ada: { is: "subscribed", data: { FIRSTNAME: "Ada" }, proof: "import: Brevo, added 2023-04-01" },
      bob: { is: "unsubscribed" },
    },
  },
  Loops: {
    product: "Loops",
    files: {
      "contacts.csv":
        "email,firstName,lastName,source,subscribed,userGroup,userId,createdAt\nada@a.example,Ada,L,API,true,pro,u1,2023-04-01T10:00:00.000Z\nbob@a.example,Bob,M,Form,false,,u2,2023-04-01T10:00:00.000Z\n",
    },
    people: {
      ada: {
        is: "subscribed",
        data: { firstName: "Ada", userGroup: "pro", userId: "u1", joinedAt: "2023-04-01T10:00:00.000Z" },
      },
      bob: { is: "unsubscribed" },
    },
  },
  "Customer.io": {
    product: "Customer.io",
    files: {
      "people.csv":
        "id,email,cio_id,created_at,unsubscribed,plan\n7,ada@a.example,a1,1680343872,false,pro\n8,bob@a.example,a2,1680343872,true,free\n",
    },
    people: {
      ada: { is: "subscribed", data: { plan: "pro", joinedAt: "2023-04-01T10:11:12.000Z" } },
      bob: { is: "unsubscribed" },
    },
  },
  Kit: {
    product: "Kit",
    files: {
      "subscribers.csv":
        'id,first_name,email,state,created_at,tags,plan\n1,Ada,ada@a.example,active,2023-04-01 10:00:00 UTC,"vip, new",pro\n2,Bob,bob@a.example,cancelled,2023-04-01 10:00:00 UTC,,free\n3,Cyd,gone@a.example,bounced,2023-04-01 10:00:00 UTC,,\n4,Dan,angry@a.example,complained,2023-04-01 10:00:00 UTC,,\n5,Eve,slow@a.example,inactive,2023-04-01 10:00:00 UTC,,\n',
    },
    people: {
      ada: {
        is: "subscribed",
        data: { first_name: "Ada", tags: ["vip", "new"], plan: "pro" },
        proof: "import: Kit, added 2023-04-01",
      },
      bob: { is: "unsubscribed" },
      gone: { is: "bounce" },
      angry: { is: "complaint" },
      slow: { is: "unsubscribed" },
    },
  },
  "Sendy, a file of a list": {
    product: null,
    files: { "my-news-unsubscribed.csv": '"Name","Email","City"\n"Bob","bob@a.example","Ulm"\n' },
    people: { bob: { is: "unsubscribed", data: { Name: "Bob", City: "Ulm" } } },
  },
  "Sendy, all files of a list": {
    product: null,
    files: {
      "my-news-active.csv": "Name,Email,City\nAda,ada@a.example,Bonn\n",
      "my-news-unconfirmed.csv": "Name,Email,City\nEve,slow@a.example,\n",
      "my-news-unsubscribed.csv": "Name,Email,City\nBob,bob@a.example,Ulm\n",
      "my-news-bounced.csv": "Name,Email,City\nCyd,gone@a.example,\n",
      "my-news-marked-as-spam.csv": "Name,Email,City\nDan,angry@a.example,\n",
    },
    people: {
      ada: { is: "subscribed", data: { Name: "Ada", City: "Bonn" } },
      slow: { is: "unsubscribed" },
      bob: { is: "unsubscribed" },
      gone: { is: "bounce" },
      angry: { is: "complaint" },
    },
  },
  listmonk: {
    product: "listmonk",
    files: {
      "subscribers.csv":
        'uuid,email,name,attributes,status,created_at,updated_at\n5f1,ada@a.example,Ada,"{""city"": ""Bonn"", ""zip"": ""01234"", ""seats"": 3, ""tags"": [""vip""]}",enabled,2023-04-01T10:00:00Z,2023-04-01T10:00:00Z\n5f2,bob@a.example,Bob,{},blocklisted,2023-04-01T10:00:00Z,\n5f3,cyd@a.example,Cyd,,disabled,2023-04-01T10:00:00Z,\n',
    },
    people: {
      ada: {
        is: "subscribed",
        data: { name: "Ada", city: "Bonn", zip: "01234", seats: 3, tags: ["vip"] },
        proof: "import: listmonk, added 2023-04-01",
      },
      bob: { is: "unsubscribed" },
      cyd: { is: "unsubscribed" },
    },
  },
  Keila: {
    product: "Keila",
    files: {
      "contacts.csv":
        'Email,First name,Last name,Data,Status,External ID\nada@a.example,Ada,L,"{""city"": ""Bonn""}",active,1\nbob@a.example,Bob,M,,unsubscribed,2\ngone@a.example,Cyd,N,{},unreachable,3\n',
    },
    people: {
      ada: { is: "subscribed", data: { firstName: "Ada", city: "Bonn" } },
      bob: { is: "unsubscribed" },
      gone: { is: "bounce" },
    },
  },
  MailerLite: {
    product: "MailerLite",
    files: {
      "subscribers.csv":
        "email,status,sent,opens_count,clicks_count,subscribed,location,name\nada@a.example,active,3,2,1,2023-04-01 10:00:00,Bonn,Ada\nbob@a.example,unsubscribed,3,2,1,2023-04-01 10:00:00,,Bob\ngone@a.example,bounced,3,0,0,2023-04-01 10:00:00,,Cyd\nangry@a.example,junk,3,0,0,2023-04-01 10:00:00,,Dan\n",
    },
    people: {
      ada: { is: "subscribed", data: { name: "Ada" }, proof: "import: MailerLite, subscribed 2023-04-01" },
      bob: { is: "unsubscribed" },
      gone: { is: "bounce" },
      angry: { is: "complaint" },
    },
  },
  Ghost: {
    product: "Ghost",
    files: {
      "members.csv":
        'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers\nm1,ada@a.example,Ada,,true,false,cus_1,2023-04-01T10:00:00.000Z,,"vip,from-substack",Gold\nm2,bob@a.example,Bob,,false,false,,2023-04-01T10:00:00.000Z,,,\n',
    },
    people: {
      ada: {
        is: "subscribed",
        data: { name: "Ada", labels: ["vip", "from-substack"], tiers: ["Gold"], complimentary_plan: false },
        proof: "import: Ghost, added 2023-04-01",
      },
      bob: { is: "unsubscribed" },
    },
  },
  Substack: {
    product: "Substack",
    files: {
      "email_list.lanternfish.csv":
        "email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at\nada@a.example,true,2027-01-01,yearly,false,2023-04-01T10:00:00.000Z,2023-04-02T10:00:00.000Z\nbob@a.example,false,,other,true,2023-04-01T10:00:00.000Z,\n",
    },
    people: {
      ada: {
        is: "subscribed",
        data: { plan: "yearly", active_subscription: true },
        proof: "import: Substack, added 2023-04-01",
      },
      bob: { is: "unsubscribed" },
    },
  },
  Shopify: {
    product: "Shopify",
    files: {
      "customers_export.csv":
        "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address City,Default Address Zip,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags\n'7001,Ada,L,ada@a.example,yes,Bonn,'01234,'+49170,no,12.50,1,,no,\"vip, new\"\n'7002,Bob,M,bob@a.example,no,Ulm,'89073,,yes,0.00,0,,no,\n",
    },
    people: {
      ada: {
        is: "subscribed",
        data: { firstName: "Ada", defaultAddressZip: "01234", totalSpent: 12.5, totalOrders: 1, tags: ["vip", "new"] },
      },
      bob: { is: "unsubscribed" },
    },
  },
  "WooCommerce, who never said that they agree": {
    product: "WooCommerce",
    files: {
      "customers.csv":
        "Name,Username,Last active,Date registered,Email,Orders,Total spend,AOV,Country / Region,City,Region,Postal code\nAda L,ada,2024-01-01 10:00:00,2023-04-01 10:00:00,ada@a.example,2,25.50,12.75,DE,Bonn,NW,01234\n",
    },
    people: {
      ada: {
        is: "unsubscribed",
        data: { Orders: 2, totalSpend: 25.5, postalCode: "01234", joinedAt: "2023-04-01T10:00:00.000Z" },
      },
    },
  },
};

/** A single file comes alone, several as an archive. */
function uploadOf(files: Export["files"]): readonly [file: string | Buffer, name: string] {
  const entries = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const [[name = "", text = ""] = []] = Object.entries(files);
  return entries.length === 1 ? [text, name] : [zipOf(entries, deflateRawSync), "export.zip"];
}

async function personAt(posthorn: Posthorn, name: string): Promise<Json> {
  return (await ask(posthorn, `GET /contacts/by-email/${name}@a.example`)).body;
}

describe("an export is understood as it is:", () => {
  test.each(Object.entries(EXPORTS))("%s", async (_, { product, files, people }) => {
    await using posthorn = await workspace();
    const [file, name] = uploadOf(files);
    const check = await checked(posthorn, file, { name });
    expect([check.product ?? null, check.failed]).toEqual([product, 0]);
    const { result } = await imported(posthorn, file, { name });
    expect([result.createdCount, result.failureCount]).toEqual([Object.keys(people).length, 0]);
    for (const [who, { is, data = {}, proof }] of Object.entries(people)) {
      const { id, subscribed, suppressed, data: kept } = await personAt(posthorn, who);
      expect([who, suppressed ?? (subscribed ? "subscribed" : "unsubscribed")]).toEqual([who, is]);
      expect(kept).toMatchObject(data);
      if (!proof) continue;
      const ledger = (await ask(posthorn, `GET /contacts/${id}/consent`)).body.data;
      expect(ledger.map(({ source }: Json) => source)).toContain(proof);
    }
  });
});

test("types that are chosen, and those that contacts have, stay", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@a.example", data: { plan: "7", tags: ["old"] } } });
  const file = `${EXPORTS["Kit"]?.files["subscribers.csv"]?.split("\n")[0]},seats\n1,Ada,ada@a.example,active,,vip,8,007\n`;
  const columns = JSON.stringify([...Array.from({ length: 5 }, () => null), { field: "data.labels", type: "text" }]);
  await imported(posthorn, file);
  expect((await personAt(posthorn, "ada")).data).toMatchObject({ plan: "8", tags: ["old", "vip"], seats: "007" });
  await imported(posthorn, file, { fields: { columns } });
  expect((await personAt(posthorn, "ada")).data).toMatchObject({ labels: "vip", tags: ["old", "vip"] });
});

test.each(["Kit", "Keila"])(
  "active is no consent in a file as of %s, which others may have: the caller decides",
  async (name) => {
    await using posthorn = await workspace();
    const [file] = uploadOf(EXPORTS[name]?.files ?? {});
    expect(await checked(posthorn, file)).toMatchObject({ product: name, undecided: 1 });
    await imported(posthorn, file, { fields: { marketing: "no" } });
    expect((await personAt(posthorn, "ada")).subscribed).toBe(false);
  },
);

test("what a customer list does not say, the caller may", async () => {
  await using posthorn = await workspace();
  const [file] = uploadOf(EXPORTS["WooCommerce, who never said that they agree"]?.files ?? {});
  await imported(posthorn, file, { fields: { marketing: "yes", consent: "Checkout" } });
  expect((await personAt(posthorn, "ada")).subscribed).toBe(true);
});

test("our own export is imported unchanged, whatever its columns are called", async () => {
  await using posthorn = await workspace();
  const data = { attributes: { city: "Bonn" }, labels: ["a, b"], uuid: "5f1", userGroup: "pro", tags: "none, yet" };
  await ask(posthorn, "POST /contacts", { body: { email: "ada@a.example", data } });
  const file = await exportedFrom(posthorn);
  const check = await checked(posthorn, file);
  expect([check.product, check.unchanged]).toEqual([undefined, 1]);
});

test("a column that a preset would take twice keeps its name", async () => {
  await using posthorn = await workspace();
  const file = 'uuid,email,attributes,data,status\n5f1,ada@a.example,"{""city"": ""Bonn""}","{""seats"": 3}",enabled\n';
  await imported(posthorn, file);
  expect((await personAt(posthorn, "ada")).data).toMatchObject({ attributes: { city: "Bonn" }, seats: 3 });
});
