// /domains (interface-gaps.md §7 "DKIM").
import { Elysia, t } from "elysia";
import { DnsError, type Resolver } from "../dns.ts";
import { nullable, pageShapeOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { idParams, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import type { Secrets } from "../secrets.ts";
import { offsetOf, pageOf } from "../store/page.ts";
import type { Tx } from "../store/store.ts";
import { secretKey, type Gate } from "./auth.ts";
import { makeDkimKey } from "./dkim-key.ts";
import { addableDomain, addDomain, ownDomain, removeDomain, verifyDomain } from "./domain.ts";
import { mustManage } from "./key-set.ts";
import { countDomains, domainsPage, type DomainRow } from "./queries.ts";
import { domainRecord, domainShape } from "./record.ts";

export type DomainOptions = {
  readonly secrets: Secrets;
  readonly resolver: Resolver;
  readonly returnPathDomain: string | null;
};

const creation = t.Object(
  { domain: t.String({ minLength: 1, maxLength: 300 }) },
  { examples: [{ domain: "example.com" }] },
);
const checked = t.Object({
  ...domainShape.properties,
  check: t.Object({ published: t.Boolean(), found: t.Array(t.String()), problem: nullable(t.String()) }),
});
const CHECKED = "`check` says what stands in the DNS in place of the DKIM record, or why that could not be found out.";

export function domainRoutes(gate: Gate, { secrets, resolver, returnPathDomain }: DomainOptions) {
  const { store } = gate;
  const record = (row: DomainRow) => domainRecord(row, returnPathDomain);
  const found = (workspace: number, id: string) => store.read((reader) => ownDomain(reader, workspace, id));
  return new Elysia({ prefix: "/domains" })
    .use(secretKey(gate))
    .get(
      "",
      ({ query, caller }) => {
        mustManage(caller);
        const wish = { page: query.page ?? 1, pageSize: query.pageSize ?? 20 };
        return store.read(async (reader) => {
          const total = await countDomains(reader, caller.workspace);
          const rows = await domainsPage(reader, caller.workspace, wish.pageSize, offsetOf(wish));
          return pageOf(rows.map(record), total, wish);
        });
      },
      {
        query: asQuery(t.Object(pageShape)),
        detail: answers("List sender domains", { 200: pageShapeOf(domainShape) }, { refuses: ["FORBIDDEN"] }),
      },
    )
    .post(
      "",
      async ({ body, caller, request, set }) => {
        mustManage(caller);
        const { domain } = body;
        const refusal = await store
          .read((reader) => addableDomain(reader, caller.workspace, domain))
          .then(
            () => null,
            (error: unknown) => error,
          );
        // Made before the change, for a write may wait for nothing else, and only for a domain that can be added.
        const keyPair = refusal === null ? await makeDkimKey() : null;
        const work = async (tx: Tx) => {
          if (!keyPair) throw refusal;
          return record(await addDomain(tx, secrets, caller.workspace, { domain, keyPair }));
        };
        return answerOnce(store, { body, caller, request, set }, work, 201);
      },
      {
        body: asBody(creation),
        detail: answers("Add a sender domain", { 201: domainShape }, { refuses: ["FORBIDDEN", "CONFLICT"] }),
      },
    )
    .get(
      "/:id",
      async ({ params, caller }) => {
        mustManage(caller);
        return record(await found(caller.workspace, params.id));
      },
      {
        params: idParams,
        detail: answers(
          "Look at a sender domain",
          { 200: domainShape },
          { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND"] },
        ),
      },
    )
    .post(
      "/:id/verify",
      async ({ params, caller }) => {
        mustManage(caller);
        const domain = await found(caller.workspace, params.id);
        const check = await verifyDomain(store, resolver, domain).then(
          ({ published, found }) => ({ published, found: [...found], problem: null }),
          unknown,
        );
        return { ...record(await found(caller.workspace, params.id)), check };
      },
      {
        params: idParams,
        detail: answers(
          "Look for the DKIM record of a sender domain, and with it take the domain as verified",
          { 200: checked },
          { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND", "CONFLICT"], description: CHECKED, harmless: true },
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        mustManage(caller);
        await store.write((tx) => removeDomain(tx, caller.workspace, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers("Remove a sender domain", { 204: null }, { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND"] }),
      },
    );
}

/** That the DNS cannot be asked is no fault of the request, and says nothing of the domain. */
function unknown(error: unknown): { published: boolean; found: string[]; problem: string } {
  if (error instanceof DnsError) return { published: false, found: [], problem: error.message };
  throw error;
}
