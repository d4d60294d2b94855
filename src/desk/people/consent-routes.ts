// /contacts/{id}/consent: the ledger of one person, and the file that proves it.
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import { signerOfHeads } from "../../audience/consent/chain.ts";
import { PAGE_POLICY, evidencePage } from "../../audience/consent/evidence-page.ts";
import { consentsBefore } from "../../audience/consent/evidence-queries.ts";
import { evidenceOf } from "../../audience/consent/evidence.ts";
import { consentRecord, consentShape, contentsTold } from "../../audience/consent/record.ts";
import { findContact } from "../../audience/contacts/contact.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { content } from "../../http/answers.ts";
import { parameter, wholeNumber } from "../../http/schemas.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, route, routes } from "../../tenant/access/route-table.ts";
import type { Secrets } from "../../base/secrets.ts";
import { cursorOf, keyInCursor } from "../../store/page.ts";
import { findWorkspace } from "../../tenant/workspaces/workspace.ts";
import { formerOf } from "./standing-queries.ts";

const found = ["CONTACT_NOT_FOUND"] as const;
const LIST = "consent";
const DEFAULT_LIMIT = 50;

const language = parameter(oneOf("en", "de"), "Of the sentences; English unless it says otherwise.");
const hex = t.String({ pattern: "^[0-9a-f]*$", examples: ["9f86d081884c7d659a2feaa0c55ad015"] });

const pageShape = t.Object(
  { data: t.Array(consentShape), cursor: nullable(t.String()), hasMore: t.Boolean() },
  { title: "ConsentPage" },
);

const evidenceShape = t.Object(
  {
    exportedAt: timeShape,
    workspace: t.Object({ id: idShape, name: t.String() }),
    contact: t.Object({ id: idShape, email: t.String(), formerEmails: t.Array(t.String()) }),
    publicKey: t.String({ description: "The Ed25519 key of this installation, in hex." }),
    rows: t.Array(
      t.Object({
        ...consentShape.properties,
        content: t.String({ description: "What is hashed, byte by byte." }),
        ...{ salt: nullable(hex), digest: nullable(hex) },
      }),
    ),
    wordings: t.Array(t.Object({ digest: hex, text: t.String() })),
    proof: t.Array(
      t.Object({
        first: countShape,
        before: hex,
        digests: t.Array(hex),
        head: t.Object({ number: countShape, at: timeShape, hash: hex, signature: hex }),
      }),
      { description: "The chain, from a row of the contact to the next signed head: see the guide." },
    ),
  },
  { title: "ConsentEvidence" },
);

export function consentRoutes(access: Access, secrets: Secrets) {
  const { store, clock } = access;
  const { publicKey } = signerOfHeads(secrets);
  const madeFor = (workspace: number, workspaceId: string, id: string, said: "en" | "de") =>
    store.read(
      async (reader) => {
        const contact = await findContact(reader, workspace, id);
        const evidence = await evidenceOf(reader, { workspace, workspaceId, contact, language: said });
        const { name } = await findWorkspace(reader, workspaceId);
        return { contact, name, formerEmails: await formerOf(reader, contact.seq), evidence };
      },
      { longFor: workspace },
    );
  return routes(access, [
    get(
      "/contacts/:id/consent",
      {
        name: "listContactConsent",
        summary: "List what a contact agreed to, newest first",
        answers: { 200: pageShape },
        permission: "read",
        query: t.Object({
          language,
          limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many rows a page has at most."),
          cursor: parameter(t.String({ maxLength: 200 }), "The `cursor` of the page before."),
        }),
        refuses: found,
        description:
          "Each change of consent, with who changed it, by which door, and what proves it. The guide has the meaning of each code.",
      },
      async (reader, { params, query, caller: { workspace } }) => {
        const { seq } = await findContact(reader, workspace, params.id);
        const { limit = DEFAULT_LIMIT, cursor, language: said = "en" } = query;
        const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : keyInCursor(LIST, "number", cursor);
        const rows = await consentsBefore(reader, seq, before, limit + 1);
        const shown = await contentsTold(reader, workspace, rows.slice(0, limit));
        const hasMore = rows.length > limit;
        return {
          data: shown.map(({ number, told }) => consentRecord(number, told, said)),
          cursor: hasMore ? cursorOf(LIST, shown.at(-1)?.seq ?? 0) : null,
          hasMore,
        };
      },
    ),
    route(
      "GET",
      "/contacts/:id/consent/evidence",
      {
        name: "exportContactConsent",
        summary: "Export the proof of what a contact agreed to",
        answers: { 200: evidenceShape },
        permission: "people.write",
        proof: true,
        query: t.Object({ language }),
        refuses: found,
        description:
          "One JSON file: the rows of the ledger, the wording that the contact agreed to, and what proves to somebody without access to this server that nobody has changed them.",
      },
      async ({ params, query, caller }) => {
        const { workspace, workspaceId } = caller;
        const made = await madeFor(workspace, workspaceId, params.id, query.language ?? "en");
        if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
        const { contact, name, formerEmails, evidence } = made;
        const file = {
          exportedAt: iso(clock.nowMs()),
          workspace: { id: workspaceId, name },
          contact: { id: contact.id, email: contact.email, formerEmails },
          publicKey,
          ...evidence,
        };
        return new Response(`${JSON.stringify(file, null, 2)}\n`, {
          headers: {
            "content-type": "application/json; charset=utf-8",
            "content-disposition": `attachment; filename="consent-${contact.id}.json"`,
          },
        });
      },
    ),
    route(
      "GET",
      "/contacts/:id/consent/page",
      {
        name: "getContactConsentPage",
        summary: "Show the proof of what a contact agreed to, as a page to print",
        answers: { 200: content("text/html") },
        permission: "people.write",
        query: t.Object({ language }),
        refuses: found,
      },
      async ({ params, query, caller }) => {
        const { workspace, workspaceId } = caller;
        const said = query.language ?? "en";
        const { contact, name, evidence } = await madeFor(workspace, workspaceId, params.id, said);
        const exportedAt = iso(clock.nowMs());
        const page = { language: said, workspace: name, email: contact.email, exportedAt, publicKey, evidence };
        return new Response(evidencePage(page), {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": PAGE_POLICY,
            "content-language": said,
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
          },
        });
      },
    ),
  ]);
}
