// Accounts of Mailchimp, Brevo, Resend and Ghost come over by their APIs.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { jwtVerify } from "jose";
import { freshDirectory } from "../support/database.ts";
import { gapsIn, membersHere, Mover, OldProduct, peopleHere } from "../support/moving.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const folder = freshDirectory();
afterAll(folder.remove);

let posthorn: Posthorn;
let product: OldProduct;
beforeEach(async () => {
  posthorn = await workspace();
});
afterEach(async () => {
  product?.stop();
  await posthorn[Symbol.asyncDispose]();
});

const topicsHere = async () => {
  const { body } = await ask(posthorn, "GET /topics");
  return body.topics.map((one: Json) => [one.key, one.default, one.visible]);
};
const reasonHere = async (address: string) => {
  const { body } = await ask(posthorn, `GET /suppressions?address=${address}`);
  return body.data.map(({ reason, scope }: Json) => [reason, scope]);
};

describe("Mailchimp", () => {
  /** `count` and `offset`, as everywhere in its API. */
  const offset = (name: string, items: readonly unknown[]) => (query: URLSearchParams) => {
    const from = Number(query.get("offset"));
    return { [name]: items.slice(from, from + Number(query.get("count"))), total_items: items.length };
  };
  const member = (name: string, status: string, more: object = {}) => ({
    ...{ email_address: `${name}@example.com`, status, tags: [], interests: {} },
    ...{ merge_fields: { FNAME: name, LNAME: "", PLAN: "pro", VISITS: 3, ADDRESS: { addr1: "", city: "" } } },
    ...{ timestamp_signup: "2023-04-01T10:00:00+00:00", ip_signup: "192.0.2.7" },
    ...{ timestamp_opt: "2023-04-02T10:00:00+00:00", ip_opt: "192.0.2.8", ...more },
  });
  const start = () =>
    new OldProduct({
      "/lists": offset("lists", [
        { id: "l1", name: "Shop" },
        { id: "l2", name: "Club" },
      ]),
      "/lists/l1/abuse-reports": offset("abuse_reports", [{ email_address: "angry@example.com" }]),
      "/lists/l2/abuse-reports": offset("abuse_reports", []),
      "/lists/l1/interest-categories": offset("categories", [
        { id: "c1", title: "What", type: "checkboxes" },
        { id: "c2", title: "Inside", type: "hidden" },
      ]),
      "/lists/l2/interest-categories": offset("categories", []),
      "/lists/l1/interest-categories/c1/interests": offset("interests", [
        { id: "i1", name: "Garden tips" },
        { id: "i2", name: "Offers" },
      ]),
      "/lists/l1/interest-categories/c2/interests": offset("interests", [{ id: "i3", name: "Big spenders" }]),
      "/lists/l1/members": offset("members", [
        member("ada", "subscribed", { tags: [{ id: 1, name: "vip" }], interests: { i1: true, i2: false, i3: true } }),
        member("bob", "subscribed"),
        member("cyd", "unsubscribed"),
        member("gone", "cleaned"),
        member("new", "pending"),
        member("buyer", "transactional"),
        member("angry", "subscribed"),
      ]),
      "/lists/l2/members": offset("members", [member("bob", "unsubscribed"), member("cyd", "subscribed")]),
      "/templates": offset("templates", [{ name: "Spring" }, { name: "Autumn" }]),
    });

  test("audiences, groups, tags, states and proofs come, and the worse state wins", async () => {
    product = start();
    const report = await new Mover(posthorn, folder.path, "mailchimp", "abc-us19").done("--base-url", product.url);
    expect(product.received[0]?.headers.get("authorization")).toBe(`Basic ${btoa("posthorn:abc-us19")}`);
    const here = await peopleHere(posthorn);
    expect(here["ada@example.com"]).toMatchObject({
      ...{ subscribed: true, topics: { "garden-tips": "in", offers: null } },
      data: { firstName: "ada", PLAN: "pro", VISITS: 3, tags: ["vip"] },
    });
    expect(here["ada@example.com"]?.data).not.toContainKeys(["address", "lastName"]);
    expect(here["bob@example.com"]?.subscribed).toBe(false);
    expect(here["cyd@example.com"]?.subscribed).toBe(false);
    expect(here["gone@example.com"]).toMatchObject({ subscribed: false, suppressed: "bounce" });
    expect(here["angry@example.com"]?.suppressed).toBe("complaint");
    expect(here["new@example.com"]?.subscribed).toBe(false);
    expect(here["buyer@example.com"]?.subscribed).toBe(false);
    expect(await topicsHere()).toEqual([
      ["garden-tips", "out", true],
      ["offers", "out", true],
    ]);
    expect(await membersHere(posthorn, "Club")).toEqual(["bob@example.com", "cyd@example.com"]);
    expect(await membersHere(posthorn, "Big spenders")).toEqual(["ada@example.com"]);
    expect(gapsIn(report)).toEqual([
      expect.stringContaining("templates 2: Mailchimp's API does not give out the HTML"),
    ]);
    const { body } = await ask(posthorn, "GET /contacts/by-email/ada@example.com");
    const { body: ledger } = await ask(posthorn, `GET /contacts/${body.id}/consent`);
    expect(ledger.data.map(({ source }: Json) => source)).toContain(
      "import: opt-in 2023-04-01, confirmed 2023-04-02, 192.0.2.7, 192.0.2.8",
    );
  });

  test("the same person may have complained in two audiences", async () => {
    const angry = offset("abuse_reports", [{ email_address: "angry@example.com" }]);
    product = start();
    product.fault = ({ url }) =>
      url.pathname.endsWith("/abuse-reports") ? Response.json(angry(url.searchParams)) : null;
    const report = await new Mover(posthorn, folder.path, "mailchimp", "abc-us19").done("--base-url", product.url);
    expect(report.counts.suppressions).toMatchObject({ read: 2, added: 1, known: 1 });
  });

  test("nobody gets by a topic here what they did not choose there", async () => {
    const body = { key: "offers", name: { en: "Offers" }, default: "in" };
    await ask(posthorn, "POST /topics", { body });
    product = start();
    const mover = new Mover(posthorn, folder.path, "mailchimp", "abc-us19");
    await mover.done("--base-url", product.url);
    expect(await topicsHere()).toEqual([
      ["offers", "in", true],
      ["garden-tips", "out", true],
      ["offers-2", "out", true],
    ]);
    rmSync(mover.file("state.json"));
    const again = await mover.done("--base-url", product.url);
    expect(again.counts.topics).toMatchObject({ read: 2, added: 0, known: 2 });
  });

  test("its key says where it is", async () => {
    const { code, err } = await new Mover(posthorn, folder.path, "mailchimp", "no-place").run();
    expect([code, err]).toEqual([1, expect.stringContaining("This is no key of Mailchimp.")]);
  });
});

describe("Brevo", () => {
  const contact = (name: string, more: object = {}) => ({
    ...{ id: 1, email: `${name}@example.com`, emailBlacklisted: false, listIds: [1], listUnsubscribed: null },
    ...{ createdAt: "2024-03-01T10:00:00.000+01:00", attributes: { FIRSTNAME: name }, ...more },
  });

  test("lists, attributes by their labels, states, blocked addresses and templates come", async () => {
    const page = (name: string, items: readonly unknown[]) => (query: URLSearchParams) => {
      const from = Number(query.get("offset"));
      return { [name]: items.slice(from, from + Number(query.get("limit"))), count: items.length };
    };
    product = new OldProduct({
      "/smtp/blockedContacts": page("contacts", [
        { email: "gone@example.com", reason: { code: "hardBounce", message: "" } },
        { email: "angry@example.com", reason: { code: "contactFlaggedAsSpam", message: "" } },
        { email: "left@example.com", reason: { code: "unsubscribedViaEmail", message: "" } },
        { email: "no@example.com", reason: { code: "adminBlocked", message: "" } },
      ]),
      "/contacts/lists": page("lists", [{ id: 1, name: "Newsletter" }]),
      "/contacts/attributes": () => ({
        attributes: [
          { name: "FIRSTNAME", category: "normal", type: "text" },
          {
            name: "PLAN",
            category: "category",
            enumeration: [
              { value: 1, label: "Free" },
              { value: 2, label: "Pro" },
            ],
          },
          {
            name: "DOUBLE_OPT-IN",
            category: "category",
            enumeration: [
              { value: 1, label: "Yes" },
              { value: 2, label: "No" },
            ],
          },
        ],
      }),
      "/contacts": page("contacts", [
        contact("ada", { attributes: { FIRSTNAME: "Ada", PLAN: 2, AGE: 36 } }),
        contact("bob", { emailBlacklisted: true }),
        contact("left"),
        contact("cyd", { listUnsubscribed: [1] }),
        contact("dan", { listIds: [] }),
        contact("eve", { attributes: { "DOUBLE_OPT-IN": 2 } }),
      ]),
      "/smtp/templates": page("templates", [
        {
          ...{ id: 7, name: "Hello", subject: 'Hello {{ contact.FIRSTNAME | default : "you" }}', isActive: true },
          htmlContent:
            '{% if contact.PLAN == "Pro" %}{{ params.order }}{% elif contact.AGE %}x{% endif %}<a href="{{ unsubscribe }}">off</a>{{ mirror }}{{ doubleoptin }}',
          ...{ sender: { name: "Shop", email: "shop@example.test" }, replyTo: "[DEFAULT_REPLY_TO]" },
        },
      ]),
    });
    const report = await new Mover(posthorn, folder.path, "brevo", "xkeysib-1").done("--base-url", product.url);
    expect(product.received[0]?.headers.get("api-key")).toBe("xkeysib-1");
    expect(await peopleHere(posthorn)).toMatchObject({
      "ada@example.com": { subscribed: true, data: { FIRSTNAME: "Ada", PLAN: "Pro", AGE: 36 } },
      "bob@example.com": { subscribed: false },
      "left@example.com": { suppressed: "import" },
      "cyd@example.com": { subscribed: false },
      "dan@example.com": { subscribed: false },
      "eve@example.com": { subscribed: false, data: { "DOUBLE_OPT-IN": "No" } },
    });
    expect(report.standings).toEqual({ subscribed: 2, unsubscribed: 2, pending: 2, bounce: 0, complaint: 0 });
    expect(await membersHere(posthorn, "Newsletter")).toEqual([
      "ada@example.com",
      "bob@example.com",
      "eve@example.com",
      "left@example.com",
    ]);
    expect(await reasonHere("gone@example.com")).toEqual([["bounce", "all"]]);
    expect(await reasonHere("angry@example.com")).toEqual([["complaint", "marketing"]]);
    expect(await reasonHere("left@example.com")).toEqual([["import", "marketing"]]);
    expect(await reasonHere("no@example.com")).toEqual([["manual", "all"]]);
    expect((await ask(posthorn, "GET /templates/brevo-7")).body).toMatchObject({
      ...{ subject: 'Hello {{ FIRSTNAME ?? "you" }}', type: "MARKETING", from: "shop@example.test", replyTo: null },
      body: '{% if PLAN == "Pro" %}{{ order }}{% elsif AGE %}x{% endif %}<a href="{{ unsubscribeUrl }}">off</a>{% raw %}{{ doubleoptin }}{% endraw %}',
    });
    expect(gapsIn(report)).toEqual([expect.stringContaining("templates 1: {{ doubleoptin }} has no counterpart")]);
  });
});

describe("Resend", () => {
  /** Two a page, after an id. */
  const listed = (items: readonly { readonly id: string }[]) => (query: URLSearchParams) => {
    const from = items.findIndex(({ id }) => id === query.get("after")) + 1;
    return { object: "list", data: items.slice(from, from + 2), has_more: from + 2 < items.length };
  };
  const contact = (name: string, unsubscribed = false) => ({
    ...{ id: name, email: `${name}@example.com`, first_name: name, last_name: null, unsubscribed },
    created_at: "2025-01-02 10:00:00.123+00",
  });
  const said = (news: string, tips: string) =>
    listed([
      { id: "t1", name: "News", subscription: news },
      { id: "t2", name: "Tips", subscription: tips },
    ] as Json[]);
  const template = (id: string, more: object) => ({
    ...{ object: "template", id, name: id, alias: null, subject: "For {{{FIRST_NAME|you}}}", text: null, from: null },
    ...{ reply_to: null, html: "<p>{{{PRODUCT}}}</p>", variables: [], ...more },
  });
  const TEMPLATES = [
    template("receipt", {
      alias: "order-receipt",
      html: '<p>{{{PRODUCT}}} {{{PRICE}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">x</a>',
      variables: [
        { key: "PRODUCT", type: "string", fallback_value: "a thing" },
        { key: "PRICE", type: "number" },
      ],
      reply_to: ["help@example.test"],
    }),
    template("odd", { variables: [{ key: "PRODUCT", type: "string", fallback_value: "{ \"'" }] }),
  ];
  const start = () =>
    new OldProduct({
      "/suppressions": listed(
        ["bounce", "complaint", "manual"].map((origin) => ({ id: origin, email: `${origin}@example.com`, origin })),
      ),
      "/segments": listed([{ id: "s1", name: "Beta" }] as Json[]),
      "/topics": listed([
        { id: "t1", name: "News", description: "Monthly", default_subscription: "opt_in", visibility: "public" },
        { id: "t2", name: "Tips", description: null, default_subscription: "opt_out", visibility: "private" },
      ] as Json[]),
      "/contact-properties": listed([{ id: "p1", key: "company", type: "string" }] as Json[]),
      "/contacts": listed([contact("ada"), contact("bob", true), contact("cyd")]),
      "/contacts/ada": () => ({
        ...contact("ada"),
        properties: { company: { type: "string", value: "Acme" }, seats: 5 },
      }),
      "/contacts/bob": () => contact("bob", true),
      "/contacts/cyd": () => contact("cyd"),
      "/contacts/ada/topics": said("opt_out", "opt_in"),
      "/contacts/bob/topics": said("opt_in", "opt_out"),
      "/contacts/cyd/topics": said("opt_in", "opt_out"),
      "/segments/s1/contacts": listed([contact("ada"), contact("bob", true), contact("cyd")]),
      "/templates": listed(TEMPLATES.map(({ id, name, alias }) => ({ id, name, alias }))),
      ...Object.fromEntries(TEMPLATES.map((one) => [`/templates/${one.id}`, () => one])),
    });

  test("contacts with properties and topics, segments, templates and suppressions come", async () => {
    product = start();
    const report = await new Mover(posthorn, folder.path, "resend", "re_1").done("--base-url", product.url);
    expect(await topicsHere()).toEqual([
      ["news", "in", true],
      ["tips", "out", false],
    ]);
    expect(await peopleHere(posthorn)).toMatchObject({
      "ada@example.com": {
        ...{ subscribed: true, data: { first_name: "ada", company: "Acme", seats: 5 } },
        topics: { news: "out", tips: "in" },
      },
      "bob@example.com": { subscribed: false, topics: { news: null, tips: null } },
      "cyd@example.com": { subscribed: true },
    });
    expect(await membersHere(posthorn, "Beta")).toHaveLength(3);
    expect(await reasonHere("bounce@example.com")).toEqual([["bounce", "all"]]);
    expect(await reasonHere("manual@example.com")).toEqual([["manual", "all"]]);
    expect((await ask(posthorn, "GET /templates/order-receipt")).body).toMatchObject({
      ...{ type: "TRANSACTIONAL", subject: 'For {{{ first_name ?? "you" }}}', replyTo: "help@example.test" },
      body: '<p>{{{ PRODUCT ?? "a thing" }}} {{{ PRICE }}}</p><a href="{{{ unsubscribeUrl }}}">x</a>',
    });
    expect(gapsIn(report)).toEqual([expect.stringContaining("templates 1: The fallback")]);
  });

  test("a key that may only send is refused in words", async () => {
    product = start();
    const message = "This API key is restricted to only send emails";
    product.fault = () => Response.json({ statusCode: 401, name: "restricted_api_key", message }, { status: 401 });
    const { code, err } = await new Mover(posthorn, folder.path, "resend", "re_1").run("--base-url", product.url);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`(401: ${message}). The file has an API key with full access`),
    ]);
  });
});

describe("Ghost", () => {
  const SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  const member = (name: string, newsletters: readonly string[], more: object = {}) => ({
    ...{ id: name, email: `${name}@example.com`, name, note: null, status: "free", labels: [] },
    newsletters: newsletters.map((id) => ({ id, name: id, status: "active" })),
    ...{ created_at: "2022-03-16T08:03:11.000Z", email_suppression: { suppressed: false, info: null }, ...more },
  });
  const suppressed = (reason: string) => ({
    email_suppression: { suppressed: true, info: { reason, timestamp: "2024" } },
  });
  const MEMBERS = [
    member("ada", ["n1"], { labels: [{ id: "l1", name: "VIP", slug: "vip" }], status: "paid" }),
    member("bob", []),
    member("gone", ["n1"], suppressed("fail")),
    member("angry", ["n1"], suppressed("spam")),
  ];
  /** Two a page, with the number of the next. */
  const listed = (name: string, items: readonly unknown[]) => (query: URLSearchParams) => {
    const page = Number(query.get("page"));
    const next = page * 2 < items.length ? page + 1 : null;
    const pagination = { page, limit: 2, pages: Math.ceil(items.length / 2), total: items.length, next };
    return { [name]: items.slice((page - 1) * 2, page * 2), meta: { pagination } };
  };

  test("members, newsletters and labels come, from below a path, by a token for each call", async () => {
    product = new OldProduct(
      {
        "/newsletters/": listed("newsletters", [
          { id: "n1", name: "Weekly", description: "Each Friday", status: "active" },
          { id: "n2", name: "Old news", description: null, status: "archived" },
        ]),
        "/labels/": listed("labels", [{ id: "l1", name: "VIP", slug: "vip" }]),
        "/members/": listed("members", MEMBERS),
      },
      "/blog/ghost/api/admin",
    );
    await new Mover(posthorn, folder.path, "ghost", `abc:${SECRET}`).done("--base-url", `${product.url}/blog/`);
    for (const { headers } of product.received) {
      const token = headers.get("authorization")?.replace(/^Ghost /, "") ?? "";
      const { protectedHeader } = await jwtVerify(token, Buffer.from(SECRET, "hex"), { audience: "/admin/" });
      expect(protectedHeader).toMatchObject({ alg: "HS256", kid: "abc" });
    }
    expect(await topicsHere()).toEqual([
      ["weekly", "out", true],
      ["old-news", "out", false],
    ]);
    expect(await peopleHere(posthorn)).toMatchObject({
      "ada@example.com": { subscribed: true, data: { name: "ada", status: "paid" }, topics: { weekly: "in" } },
      "bob@example.com": { subscribed: false },
      "gone@example.com": { suppressed: "bounce" },
      "angry@example.com": { suppressed: "complaint" },
    });
    expect(await membersHere(posthorn, "VIP")).toEqual(["ada@example.com"]);
  });

  test("another kind of key is refused at once", async () => {
    const mover = new Mover(posthorn, folder.path, "ghost", "a-content-key");
    const { code, err } = await mover.run("--base-url", "http://127.0.0.1:1");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("This is no key of Ghost. The file has the Admin API key"),
    ]);
    expect(mover.pauses).toEqual([]);
  });
});
