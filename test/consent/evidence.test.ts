// GET /contacts/{id}/consent: what the ledger says in words, and the evidence that somebody else can verify.
import { expect, test } from "bun:test";
import { createHash, createPublicKey, verify } from "node:crypto";
import { note } from "../../src/audience/consent/consent.ts";
import { ledgerSentence } from "../../src/audience/consent/words.ts";
import { LEDGER_CHANGES } from "../../src/tenant/events/catalog.ts";
import { DOORS, type LedgerContent } from "../../src/audience/consent/content.ts";
import { ENGINE } from "../support/database.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const WORDING = { version: 3, language: "en", text: "Yes, write to me about <offers>." };

/** Ada, whose rows have others between them, on two days. */
async function withAda(): Promise<{ posthorn: Posthorn; id: string }> {
  const posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "first@example.com" } });
  const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ADA, subscribed: false } })).body;
  const { seq } = (await posthorn.store.read(
    (reader) => reader.get`select seq from contacts where email = ${ADA}`,
  )) as Json;
  await posthorn.store.write(async (tx) => {
    const evidence = { ip: "203.0.113.7", userAgent: "A <browser>", wording: WORDING };
    const act = { door: "form", form: { id: "f1", name: "Newsletter" }, evidence } as const;
    note(tx, { workspace: 1, contact: { seq, email: ADA }, what: "agreed", act });
  });
  await ask(posthorn, "POST /contacts", { body: { email: ADA, subscribed: true } });
  await ask(posthorn, "POST /contacts", { body: { email: "second@example.com" } });
  await posthorn.settle();
  posthorn.clock.advance(86_400_000);
  await ask(posthorn, "POST /contacts", { body: { email: "third@example.com" } });
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: false } });
  await posthorn.settle();
  return { posthorn, id };
}

test("the rows come newest first, by cursor, with a sentence in the language that was asked for (slow)", async () => {
  const { posthorn, id } = await withAda();
  await using _ = posthorn;
  const first = (await ask(posthorn, `GET /contacts/${id}/consent?limit=2`)).body;
  expect(first.hasMore).toBe(true);
  const rest = (await ask(posthorn, `GET /contacts/${id}/consent?limit=2&cursor=${first.cursor}`)).body;
  expect(rest).toMatchObject({ hasMore: false, cursor: null });
  expect([...first.data, ...rest.data].map(({ number, what, door, text }: Json) => [number, what, door, text])).toEqual(
    [
      [6, "unsubscribed", "key", "Unsubscribed with an API key."],
      [3, "subscribed", "key", "Subscribed with an API key."],
      [2, "agreed", "form", "Agreed by the form “Newsletter”, wording 3, from 203.0.113.7."],
    ],
  );
  const { data } = (await ask(posthorn, `GET /contacts/${id}/consent?language=de`)).body;
  expect(data[2].text).toBe("Zugestimmt über das Formular „Newsletter“, Wortlaut 3, von 203.0.113.7.");
  // Where a loop chains, before it has been there.
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { subscribed: true } });
  const [newest] = (await ask(posthorn, `GET /contacts/${id}/consent`)).body.data;
  expect(newest).toMatchObject({ number: ENGINE === "sqlite" ? 7 : null, what: "subscribed", door: "key" });
});

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** As the guide says it, with nothing of ours. */
function faultsIn({ workspace, publicKey, rows, proof, wordings }: Json): string[] {
  const faults: string[] = [];
  const digests = new Map<number, string>();
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(publicKey, "hex")]);
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  for (const { first, before, digests: chain, head } of proof) {
    let hash: Uint8Array = Buffer.from(before, "hex");
    for (const [index, digest] of chain.entries()) {
      const number = Buffer.alloc(8);
      number.writeBigUInt64BE(BigInt(first + index));
      hash = sha256(hash, number, Buffer.from(digest, "hex"));
      digests.set(first + index, digest);
    }
    const lines = ["posthorn consent head", workspace.id, head.number, Buffer.from(hash).toString("hex"), head.at].join(
      "\n",
    );
    if (!verify(null, Buffer.from(lines), key, Buffer.from(head.signature, "hex"))) faults.push(`head ${head.number}`);
  }
  for (const { number, salt, content, digest } of rows) {
    if (digests.get(number) !== digest) faults.push(`place of ${number}`);
    const own = sha256(Buffer.from(salt, "hex"), Buffer.from(content)).toString("hex");
    if (own !== digest) faults.push(`content of ${number}`);
  }
  for (const { digest, text } of wordings)
    if (sha256(Buffer.from(text)).toString("hex") !== digest) faults.push("wording");
  return faults;
}

test("the evidence file proves itself to somebody who has nothing else", async () => {
  const { posthorn, id } = await withAda();
  await using _ = posthorn;
  const { body, headers } = await ask(posthorn, `GET /contacts/${id}/consent/evidence`);
  expect(headers.get("content-disposition")).toBe(`attachment; filename="consent-${id}.json"`);
  expect(body.contact).toEqual({ id, email: ADA, formerEmails: [] });
  expect(body.rows.map(({ number }: Json) => number)).toEqual([2, 3, 6]);
  expect(body.wordings.map(({ text }: Json) => text)).toEqual([WORDING.text]);
  // Of the first day from her first row to its head, and of the second from her next one.
  expect(body.proof.map(({ first, head }: Json) => [first, head.number])).toEqual([
    [2, 4],
    [6, 6],
  ]);
  expect(faultsIn(body)).toEqual([]);
  const [row] = body.rows;
  const forged = { ...body, rows: [{ ...row, content: row.content.replace("agreed", "unsubscribed") }] };
  expect(faultsIn(forged)).toEqual(["content of 2"]);
  body.proof[0].digests[0] = "00".repeat(32);
  expect(faultsIn(body)).toContain("head 4");
});

test("the same is a page to print: without script, with all that others wrote as text", async () => {
  const { posthorn, id } = await withAda();
  await using _ = posthorn;
  const team = await somebody(posthorn, "ADMIN");
  const page = await team.ask(`GET /contacts/${id}/consent/page?language=de`);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none';");
  expect(page.body).toContain("<h1>Nachweis der Einwilligung</h1>");
  expect(page.body).toContain("Zugestimmt über das Formular „Newsletter“, Wortlaut 3, von 203.0.113.7.");
  expect(page.body).toContain("Yes, write to me about &lt;offers&gt;.");
  expect(page.body).toContain("A &lt;browser&gt;");
  expect(page.body).not.toMatch(/<script|A <browser|<offers/);
  const english = await team.ask(`GET /contacts/${id}/consent/page`);
  expect(english.body).toContain("<h1>Proof of consent</h1>");
});

test("support gets the evidence of a person, who may not change people does not, and an export is in the audit log", async () => {
  const { posthorn, id } = await withAda();
  await using _ = posthorn;
  const viewer = await somebody(posthorn, "EDITOR");
  expect((await viewer.ask(`GET /contacts/${id}/consent`)).status).toBe(200);
  for (const path of ["evidence", "page"])
    expect((await viewer.ask(`GET /contacts/${id}/consent/${path}`)).status).toBe(403);
  const support = await somebody(posthorn, "SUPPORT");
  for (const path of ["evidence", "page"])
    expect((await support.ask(`GET /contacts/${id}/consent/${path}`)).status).toBe(200);
  expect((await support.ask(`GET /contacts/${id}/export`)).status).toBe(403);
  const admin = await somebody(posthorn, "ADMIN");
  const { body } = await admin.ask("GET /audit");
  expect(body.data[0]).toMatchObject({ action: "exportContactConsent" });
});

test("the export of a person has it as well", async () => {
  const { posthorn, id } = await withAda();
  await using _ = posthorn;
  const { body } = await ask(posthorn, `GET /contacts/${id}/export`);
  expect(body.consent.map(({ what }: Json) => what)).toEqual(["unsubscribed", "subscribed", "agreed"]);
});

test("every change has words for every door, in both languages", () => {
  const facts = { topic: "news", until: "2026-05-01T00:00:00.000Z", reason: "bounce", ip: "203.0.113.7" };
  for (const language of ["en", "de"] as const)
    for (const what of LEDGER_CHANGES)
      for (const door of DOORS) {
        const said = ledgerSentence({ what, door, at: "", ...facts } satisfies LedgerContent, language);
        expect(said).toMatch(/^[A-Z][^{}]+\.$/u);
        expect(said).not.toMatch(/undefined|null| {2}| [.,]/);
      }
});

scenarios(
  "nobody's consent",
  ["", "/evidence", "/page"].map((of) => ({
    name: `is not found: /consent${of}`,
    request: `GET /contacts/0199a3b4-0000-7000-8000-00000000abcd/consent${of}`,
    status: 404,
    code: "CONTACT_NOT_FOUND" as const,
  })),
);

test("a sentence about a suppression says who did it, then why", () => {
  const at = "2026-03-01T09:00:00.000Z";
  const by = { id: null, name: "Ada" };
  const suppressed = { what: "suppressed", at, scope: "all", by, door: "person" } as const;
  const said = (reason: string, language: "en" | "de") => ledgerSentence({ ...suppressed, reason }, language);
  expect(said("manual", "en")).toBe("Address suppressed for all email by Ada of the team.");
  expect(said("manual", "de")).toBe("Adresse gesperrt für alle Mails von Ada aus dem Team.");
  expect(said("complaint", "en")).toBe(
    "Address suppressed for all email by Ada of the team because an email was marked as spam.",
  );
  expect(ledgerSentence({ ...suppressed, door: "bounce", reason: "bounce" }, "de")).toBe(
    "Adresse gesperrt für alle Mails, weil eine Mail endgültig zurückkam.",
  );
});
