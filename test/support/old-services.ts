// The services that people move from, as far as the lines of the guide ask them: a few people each, two a page.

type Answers = Readonly<Record<string, (query: URLSearchParams, url: string) => unknown>>;

const bounced = { EmailAddress: "bounced@old.example", SuppressionReason: "HardBounce", Origin: "Recipient" };

const SERVICES: Readonly<Record<string, Answers>> = {
  resend: {
    "GET /contacts": paged(
      ["a", "b", "bounced"].map((name) => ({
        id: `c-${name}`,
        email: `${name}@old.example`,
        first_name: "Ada",
        last_name: null,
        unsubscribed: name === "b",
      })),
    ),
    "GET /topics": () => ({
      object: "list",
      has_more: false,
      data: [{ id: "t-1", name: "News", description: null, default_subscription: "opt_in", visibility: "public" }],
    }),
    ...Object.fromEntries(
      ["a", "b", "bounced"].map((name) => [
        `GET /contacts/${name}@old.example/topics`,
        () => ({ object: "list", data: [{ id: "t-1", name: "News", subscription: "opt_out" }] }),
      ]),
    ),
    "GET /suppressions": paged(
      ["bounce", "complaint", "manual"].map((origin) => ({
        id: `s-${origin}`,
        email: origin === "bounce" ? "bounced@old.example" : `${origin}@old.example`,
        origin,
      })),
    ),
  },
  postmark: {
    "GET /message-streams/outbound/suppressions/dump": () => ({
      Suppressions: [
        bounced,
        { ...bounced, EmailAddress: "spam@old.example", SuppressionReason: "SpamComplaint" },
        { ...bounced, EmailAddress: "off@old.example", SuppressionReason: "ManualSuppression", Origin: "Customer" },
      ],
    }),
    "GET /templates/welcome": () => ({
      TemplateId: 1,
      Name: "Welcome",
      Alias: "welcome",
      Subject: "Welcome, {{ name }}",
      HtmlBody: "<p>Hello {{ name }}, {{{ html }}}</p>",
      TextBody: "Hello {{ name }}",
      TemplateType: "Standard",
    }),
  },
  sendgrid: {
    ...Object.fromEntries(
      ["bounces", "invalid_emails", "spam_reports", "unsubscribes"].map((list) => [
        `GET /v3/suppression/${list}`,
        () => [{ created: 1_767_348_000, email: `${list}@old.example`, reason: "550 No such user", status: "5.1.1" }],
      ]),
    ),
    "GET /v3/asm/groups/7/suppressions": () => ["a@old.example", "left@old.example"],
    "POST /v3/marketing/contacts/exports": () => ({ id: "e1" }),
    "GET /v3/marketing/contacts/exports/e1": (_, url) => ({ id: "e1", status: "ready", urls: [`${url}/export.csv`] }),
    "GET /export.csv": () =>
      Bun.gzipSync(
        Buffer.from("email,first_name,city,plan,contact_id\na@old.example,Ada,Bonn,pro,1\nb@old.example,Bob,,,2\n"),
      ),
  },
  plunk: {
    "GET /contacts": (query) =>
      query.get("cursor") === "2"
        ? { data: [{ email: "c@old.example", subscribed: true, data: null }], hasMore: false }
        : {
            data: [
              { email: "a@old.example", subscribed: true, data: { plan: "pro", visits: 3 } },
              { email: "b@old.example", subscribed: false, data: {} },
            ],
            cursor: "2",
            hasMore: true,
          },
    "GET /templates": () => ({
      data: [
        ...["TRANSACTIONAL", "MARKETING", "HEADLESS"].map((type) => ({
          id: type,
          name: `As ${type}`,
          description: null,
          type,
          subject: 'Hello {{ name ?? "there" }}',
          body: '<p><a href="{{ unsubscribeUrl }}">Enough</a></p>',
          from: "shop@example.test",
          fromName: "Shop",
          replyTo: null,
        })),
      ],
      total: 3,
      page: 1,
    }),
  },
  listmonk: {
    "GET /api/subscribers/export": (query) =>
      [
        "uuid,email,name,attributes,status,created_at,updated_at",
        'u1,a@old.example,Ada L,"{""city"":""Bonn"",""visits"":3}",enabled,2026-01-02T10:00:00Z,2026-01-02T10:00:00Z',
        "u2,b@old.example,Bob,{},enabled,2026-01-02T10:00:00Z,2026-01-02T10:00:00Z",
        "u3,c@old.example,Cyd,{},blocklisted,2026-01-02T10:00:00Z,2026-01-02T10:00:00Z",
        ...(query.has("list_id") ? [] : ["u4,d@old.example,Di,{},enabled,2026-01-02T10:00:00Z,2026-01-02T10:00:00Z"]),
        "",
      ].join("\n"),
    "GET /api/bounces": () => ({
      data: {
        results: ["hard", "soft", "complaint"].map((type) => ({ type, email: `${type}@old.example` })),
      },
    }),
  },
};

/** Where the pages ask them. */
const ADDRESSES: Readonly<Record<string, string>> = {
  resend: "https://api.resend.com",
  postmark: "https://api.postmarkapp.com",
  sendgrid: "https://api.sendgrid.com",
  plunk: "https://next-api.useplunk.com",
  listmonk: "http://listmonk.example.com:9000",
};

/** All of them at one port; `places`: what is on the pages, and where it is answered. */
export function startOldServices() {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ method, url }) => {
      const { pathname, searchParams, origin } = new URL(url);
      const [, service = "", path = ""] = /^\/(\w+)(\/.*)$/.exec(pathname) ?? [];
      const answer = SERVICES[service]?.[`${method} ${path}`]?.(searchParams, `${origin}/${service}`);
      if (answer === undefined) return new Response(null, { status: 404 });
      return typeof answer === "string" || answer instanceof Uint8Array ? new Response(answer) : Response.json(answer);
    },
  });
  const places = Object.entries(ADDRESSES).map(([name, address]) => [address, `${server.url.origin}/${name}`] as const);
  return { places, stop: () => server.stop(true) };
}

/** Two a page, by the id of the last one before it, as Resend has it. */
function paged(items: readonly { readonly id: string }[]) {
  return (query: URLSearchParams) => {
    const from = items.findIndex(({ id }) => id === query.get("after")) + 1;
    return { object: "list", data: items.slice(from, from + 2), has_more: from + 2 < items.length };
  };
}
