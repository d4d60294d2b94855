// What the demo has no use for, so that a fixture has rows in as many tables as can be: by the API and the loops.
import { createTransport } from "nodemailer";
import { DAY_MS, systemClock } from "../src/base/clock.ts";
import { DEFAULTS } from "../src/base/config.ts";
import { SLICE_BYTES, storeArrival } from "../src/mail/inbound/arrival.ts";
import { providerUrl } from "../src/mail/providers/place.ts";
import type { HopRefusal } from "../src/sending/carrier/transport/transport.ts";
import { findWorkspace } from "../src/tenant/workspaces/workspace.ts";
import { asMember, asVisitor, type DemoCall } from "../src/whole/demo/calls.ts";
import type { Demo } from "../src/whole/demo/demo.ts";
import type { Stage } from "../src/whole/demo/shop.ts";
import { FROM, SHOP } from "../src/whole/demo/words.ts";
import { freePort } from "../test/support/free-port.ts";

const LETTER = { from: FROM, subject: "The plan", body: "<p>Here is the plan.</p>" };
/** By recipient: who takes nothing. */
const REFUSALS: Readonly<Record<string, HopRefusal>> = {
  "slow@example.com": { kind: "later", reply: "421 4.7.28 Our system has detected an unusual rate of mail" },
};
/** Longer than a row takes. */
const LONG_TEXT = "A long letter.\r\n".repeat(20_000);
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export async function addTheRest(demo: Demo): Promise<void> {
  const submissionPort = await freePort();
  const smtp = { ...DEFAULTS.smtp, submissionPort, submissionsPort: 0, inboundPort: 0, insecureLoopback: true };
  const work = async (stage: Stage) => {
    const { seq, id } = await stage.server.store.read((reader) => findWorkspace(reader, SHOP.name));
    const owner = await asMember(stage.server, stage.config.http.baseUrl, id, "owner");
    const { secret } = await owner("POST /keys", { name: "For a program" });
    const rest = new Rest(stage, { workspace: seq, owner, secret });
    await rest.done();
    await rest.begun();
  };
  await demo.staged(systemClock.nowMs(), work, { smtp });
}

/** `workspace`: its number; `secret`: a key. */
type Doors = { readonly workspace: number; readonly owner: DemoCall; readonly secret: string };

class Rest {
  /** Two records that were made one; erased in the end. */
  #erased = "";

  constructor(
    private readonly stage: Stage,
    private readonly doors: Doors,
  ) {}

  /** What has come to its end. */
  async done(): Promise<void> {
    const { owner } = this.doors;
    await owner("PUT /workspace/link-host", { host: `links.${SHOP.domain}` });
    await owner("POST /installation/ways/letters/pause", { reason: "Moving house" });
    await owner("POST /installation/ways/letters/resume", {});
    const { url } = await owner("POST /images", { name: "barn.png", content: PICTURE });
    const body = `<p><img src="${url}" alt="The barn"></p>`;
    await owner("POST /templates", { name: "The barn", type: "TRANSACTIONAL", subject: "Look", from: FROM, body });
    await this.#people();
    await this.#mails();
    await this.#bounces();
    await this.#visits();
    await this.#programs();
    // `posthorn prune` then finds the first letter of the year.
    await owner("PATCH /workspace", { retention: { mailDays: 320 } });
    await this.#later();
  }

  /** What loops would still do. */
  async begun(): Promise<void> {
    const { owner } = this.doors;
    const [one, two, three] = (await owner("GET /contacts?status=SUBSCRIBED&limit=3")).data;
    await this.#import("email,name\nnina@example.org,Nina\n");
    await this.#submit(["zoe@example.org", "lee@example.org"]);
    await owner(`DELETE /contacts/${this.#erased}`);
    const lists = [];
    for (const name of ["Two people", "Short-lived"]) {
      const { id } = await owner("POST /segments", { name, type: "STATIC" });
      await owner(`POST /segments/${id}/members`, { emails: [one.email, two.email] });
      lists.push(id);
    }
    const [segmentId, shortLived] = lists;
    const letter = { ...LETTER, name: "Under way", audienceType: "SEGMENT", segmentId };
    await owner(`POST /campaigns/${(await owner("POST /campaigns", letter)).data.id}/send`, {});
    await owner(`DELETE /segments/${shortLived}`);
    await owner("POST /v1/track", { email: three.email, event: "left.behind" });
    await owner("POST /v1/send", { ...LETTER, to: three.email });
    const session = { clientAddress: "192.0.2.7", helo: "mail.example.org", sender: "ann@example.org" };
    await storeArrival(this.stage.server.store, {
      session,
      addressees: async () => [{ workspace: this.doors.workspace, recipients: [FROM] }],
      slices: slicesOf(`From: ann@example.org\r\nTo: ${FROM}\r\nSubject: Hello\r\n\r\n${LONG_TEXT}`),
    });
  }

  async #people(): Promise<void> {
    const { owner } = this.doors;
    const add = async (email: string): Promise<string> => (await owner("POST /contacts", { email })).id;
    const pair = async (name: string) => [await add(`${name}@example.org`), await add(`${name}+news@example.org`)];
    await owner(`PATCH /contacts/${await add("hilda@example.org")}`, { email: "hilda.marsh@example.org" });
    const [, twins] = [await pair("kim"), await pair("lee")];
    await owner("POST /contacts/duplicates", {});
    await this.#import("email,name\nnobody\nada.first@example.org,Ada\n");
    await this.#later();
    await owner("POST /contacts/duplicates/dismiss", { contactIds: twins });
    for (const [into = "", from = ""] of [await pair("mia"), await pair("zoe")]) {
      await owner("POST /contacts/merge", { into, from: [from], data: "keep" });
      this.#erased = into;
    }
    await this.#later();
  }

  #import(rows: string): Promise<unknown> {
    const form = new FormData();
    form.set("marketing", "no");
    form.set("file", new File([rows], "more.csv", { type: "text/csv" }));
    return this.doors.owner("POST /contacts/import", form);
  }

  async #mails(): Promise<void> {
    const { relay } = this.stage;
    const took = relay.send.bind(relay);
    relay.send = async (mail) => REFUSALS[mail.envelope.recipient] ?? took(mail);
    for (const to of Object.keys(REFUSALS)) await this.doors.owner("POST /v1/send", { ...LETTER, to });
    const json = { authorization: `Bearer ${this.doors.secret}`, "content-type": "application/json" };
    const mail = JSON.stringify({ ...LETTER, to: "kim@example.org" });
    await this.#answered("POST /v1/send", mail, { ...json, "idempotency-key": "order-1" });
    const both = JSON.stringify({
      personalizations: ["kim@example.org", "lee@example.org"].map((email) => ({ to: [{ email }] })),
      ...{ from: { email: FROM }, subject: "The plan", content: [{ type: "text/plain", value: "Attached." }] },
      attachments: [{ filename: "plan.txt", content: btoa("Three beds.") }],
    });
    await this.#answered("POST /compat/sendgrid/v3/mail/send", both, json);
    await this.#later();
  }

  /** A letter comes back some days later, and is sent again to an address that takes nothing any more. */
  async #bounces(): Promise<void> {
    const { owner } = this.doors;
    const { secrets, server, clock } = this.stage;
    const before = new Date(clock.nowMs() - DAY_MS).toISOString();
    const { data } = await owner(`GET /emails?status=SENT&sourceType=CAMPAIGN&limit=1&until=${before}`);
    const [{ id: emailId, to }] = data;
    const bounce = { type: "bounced", bounceType: "Transient", emailId, reason: "452 4.2.2 Mailbox full" };
    await asVisitor(server)(`POST ${providerUrl(secrets, "", "generic")}`, [bounce]);
    await owner("POST /emails/retry", { filter: { status: "BOUNCED" } });
    await owner("POST /suppressions", { address: to, reason: "manual" });
    await this.#later();
  }

  async #visits(): Promise<void> {
    const { owner } = this.doors;
    const [{ id }] = (await owner("GET /emails?status=DELIVERED&sourceType=CAMPAIGN&limit=1")).data;
    const raw: string = (await owner(`GET /emails/${id}/raw`)).replaceAll("=\r\n", "");
    const [pixel = ""] = /\/o\/[\w-]+/.exec(raw) ?? [];
    const [, token = ""] = /\/unsubscribe\/([\w-]+)/.exec(raw) ?? [];
    await this.#answered(`GET ${pixel}`, null, { "user-agent": "GoogleImageProxy" });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    await this.#answered(`POST /unsubscribe/${token}`, "List-Unsubscribe=One-Click", form);
    await this.#answered(`POST /manage/${token}`, "why=too-many&left=letters", form);
  }

  /** A workflow that nobody enters twice, and an endpoint that does not answer. */
  async #programs(): Promise<void> {
    const { owner } = this.doors;
    const [{ id: segment }] = await owner("GET /segments");
    const filters = [{ field: `segment.${segment}`, operator: "memberOf" }];
    const steps = [
      { ref: "in", type: "CONDITION", name: "In it?", config: { condition: { groups: [{ filters }] } } },
      { ref: "day", type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } },
    ];
    await owner("POST /workflows", { name: "Once", eventName: "once", enabled: true, steps });
    await owner("POST /webhooks", { url: `https://orders.${SHOP.domain}/hooks`, events: ["event.tracked"] });
    for (let time = 0; time < 2; time++) {
      await owner("POST /v1/track", { email: "kim@example.org", event: "once" });
      await this.#later();
    }
  }

  async #submit(to: readonly string[]): Promise<void> {
    const auth = { user: "posthorn", pass: this.doors.secret };
    const { submissionPort: port } = this.stage.config.smtp;
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true, auth });
    await transport.sendMail({ from: FROM, to: [...to], subject: "By SMTP", text: LONG_TEXT });
    transport.close();
  }

  async #answered(route: string, body: string | null, headers: Readonly<Record<string, string>>): Promise<void> {
    const [method = "", path = ""] = route.split(" ");
    const answer = await this.stage.server.answer(new Request(`http://127.0.0.1${path}`, { method, body, headers }));
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
  }

  async #later(): Promise<void> {
    const { server, clock } = this.stage;
    await server.settle();
    clock.moveTo(clock.nowMs() + 1_000);
    await server.settle();
  }
}

async function* slicesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
