// A shop whose workflows are in the middle of their work, for pictures and journeys.
import { newId } from "../../src/base/ids.ts";
import { insertIdentity } from "../../src/operator/team/identities/queries.ts";
import { setMembership, userByEmail } from "../../src/operator/team/queries.ts";
import { createUser } from "../../src/operator/team/user.ts";
import { allWorkspaces } from "../../src/tenant/workspaces/queries.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { addVerifiedDomain } from "../support/workspaces.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM = "hello@lanternfish.example";

const NO_RULES = {
  clientSecret: null,
  allowedDomains: [],
  groupsClaim: "groups",
  roles: [],
  defaultRole: null,
  only: false,
};
/** Nobody is there: who signs in with one reads that it cannot be reached. */
const PROVIDERS = ["Lanternfish", "Partners"].map((label, at) => {
  return { ...NO_RULES, name: label.toLowerCase(), label, issuer: `http://127.0.0.1:${at + 1}`, clientId: "posthorn" };
});

/** Mia, whose role the first provider decides. */
export async function roleByProvider({ store }: Posthorn): Promise<void> {
  const issuer = PROVIDERS[0]?.issuer ?? "";
  await store.write(async (tx) => {
    if (await userByEmail(tx, "mia@lanternfish.example")) return;
    const [workspace] = await allWorkspaces(tx);
    const { seq: person } = await createUser(tx, { email: "mia@lanternfish.example", name: "Mia Lang" });
    await insertIdentity(tx, { id: newId(tx.nowMs), person, issuer, subject: "mia", email: null });
    if (workspace) await setMembership(tx, { person, workspace: workspace.seq, givenBy: issuer }, "MARKETER");
  });
}

export const NAMES = [
  ...["Ada Lovelace", "Mary Okafor", "Ben Marlow", "Inês Duarte", "Cyd Ramos", "Priya Nair", "Tomasz Wilk"],
  ...["Liv Haraldsen", "Grace Hill", "Hedy Kiesler", "Karl Brandt", "Dorothy Vaughan", "Noor Haddad", "Jonas Weber"],
  ...["Elif Kaya", "Marta Nowak", "Olu Adeyemi", "Sofia Rossi", "Tim Berger", "Yuki Mori", "Zoe Martin", "Ivo Hahn"],
];

export const addressOf = (name: string): string =>
  `${name
    .split(" ")[0]
    ?.toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z]/g, "")}@example.com`;

const STILL = `<p>Hello {{ name }},</p><p>You joined three days ago and your shelf is empty.</p><p>One book is enough to begin. Middlemarch, perhaps: four groups start it on Monday.</p>`;

async function made(posthorn: Posthorn, route: string, body: object): Promise<Json> {
  const reply = await posthorn.call(route, body);
  if (reply.status >= 300) throw new Error(`${route}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export type Flowing = { readonly posthorn: Posthorn; readonly workflow: Json };

/** Twenty-two have signed up: some paid, some were reminded, one cannot be told to the ledger. */
export async function flowing(): Promise<Flowing> {
  const ledger = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { contact } = (await request.json()) as Json;
      const known = !contact.email.startsWith("b") && !contact.email.startsWith("c");
      return known ? new Response("thanks") : new Response("no such customer", { status: 422 });
    },
  });
  ledger.unref();
  const posthorn = await startPosthorn({ config: { webhooks: { allow: ["127.0.0.1"] }, oidc: PROVIDERS } });
  await addVerifiedDomain(posthorn, "lanternfish.example");
  await posthorn.call("PATCH /workspace", { name: "Lanternfish" });
  for (const name of NAMES)
    await made(posthorn, "POST /contacts", {
      email: addressOf(name),
      data: { name, plan: name < "F" ? "pro" : "free" },
    });
  const template = async (name: string, body: string): Promise<string> =>
    (
      await made(posthorn, "POST /templates", {
        name,
        subject: `${name}, {{ name }}`,
        body,
        type: "TRANSACTIONAL",
        from: FROM,
      })
    ).id;
  const [still, last] = [
    await template("Still there?", STILL),
    await template("Last call", "<p>Last call, {{ name }}.</p>"),
  ];
  const workflow = await made(posthorn, "POST /workflows", {
    ...{ name: "After a sign-up", eventName: "signup", enabled: true },
    steps: [
      { ref: "wait", type: "WAIT_FOR_EVENT", name: "Wait for “paid”", config: { eventName: "paid", timeout: 259_200 } },
      {
        ref: "mail",
        type: "SEND_EMAIL",
        name: "Send “Still there?”",
        config: { templateId: still, tags: ["still-there"] },
      },
      {
        ref: "hook",
        type: "WEBHOOK",
        name: "Tell the ledger",
        config: { url: `http://127.0.0.1:${ledger.port}/paid` },
      },
      { ref: "set", type: "UPDATE_CONTACT", name: "Set plan to pro", config: { data: { plan: "pro" } } },
      {
        ref: "if",
        type: "CONDITION",
        name: "Is plan pro?",
        config: { field: "data.plan", operator: "equals", value: "pro" },
      },
      { ref: "days", type: "DELAY", name: "Wait 4 days", config: { amount: 4, unit: "days" } },
      { ref: "last", type: "SEND_EMAIL", name: "Send “Last call”", config: { templateId: last } },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "wait" },
      { fromStepId: "wait", toStepId: "mail", condition: { branch: "timeout" } },
      { fromStepId: "wait", toStepId: "hook", condition: { branch: "event" } },
      { fromStepId: "hook", toStepId: "set" },
      { fromStepId: "mail", toStepId: "if" },
      { fromStepId: "if", toStepId: "days", condition: { branch: "no" } },
      { fromStepId: "days", toStepId: "last" },
    ],
  });
  const does = async (event: string, names: readonly string[]) => {
    for (const name of names)
      await made(posthorn, "POST /v1/track", {
        email: addressOf(name),
        event,
        data: event === "paid" ? { plan: "pro" } : {},
      });
    await posthorn.settle();
  };
  const pass = async (ms: number) => {
    posthorn.clock.advance(ms);
    await posthorn.settle();
  };
  await does("signup", NAMES.slice(0, 12));
  await pass(DAY_MS);
  await does("paid", NAMES.slice(1, 6));
  await pass(2 * DAY_MS);
  await does("signup", NAMES.slice(12, 17));
  // Of the last five calls, one is deferred and one is refused.
  posthorn.transport.answer = ({ envelope: { recipient } }) => {
    const kind = recipient.startsWith("hedy") ? "later" : recipient.startsWith("karl") ? "failed" : null;
    return { kind: kind ?? "accepted", reply: kind ? "451 4.7.1 not now" : "250 Ok" };
  };
  await pass(4 * DAY_MS + HOUR_MS);
  await does("signup", NAMES.slice(17));
  await made(posthorn, "POST /workflows", { name: "Report bounces", eventName: "email.bounce", reentry: "always" });
  return { posthorn, workflow };
}
