// /domains (interface-gaps.md §7 "DKIM").
import { Elysia, t } from "elysia";
import { iso } from "../../clock.ts";
import { pageShapeOf } from "../../http/answer-shapes.ts";
import { answers } from "../../http/answers.ts";
import { answerOnce } from "../../http/idempotency.ts";
import { idParams, pageShape } from "../../http/schemas.ts";
import { asBody, asQuery } from "../../http/shape.ts";
import { pageFrom } from "../../store/page.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { secretKey, type Access } from "../auth.ts";
import { makeDkimKey } from "./dkim-key.ts";
import { checkDomain, type DomainContext } from "./check.ts";
import { rotatable, rotateKey } from "./keys.ts";
import { countDomains, domainsPage, type DomainRow } from "./queries.ts";
import { domainRecords, domainShape, oneDomainRecord } from "./record.ts";
import { addableDomain, addDomain, ownDomain, removeDomain, verifiedElsewhere } from "./domain.ts";
import { mustManage } from "../key-set.ts";

const creation = t.Object(
  { domain: t.String({ minLength: 1, maxLength: 300 }) },
  { examples: [{ domain: "example.com" }] },
);
const GRACE =
  "A verified domain whose DKIM record is gone has `failingSince`, and sends until `graceEndsAt`; it is verified again as soon as the record is found.";
const ROTATED =
  "The new key, `nextSelector`, signs once its record is found; the record of the old one is needed until `removableAt`.";

export function domainRoutes(access: Access, context: DomainContext) {
  const { store } = access;
  const { secrets, log } = context;
  const shown = { ...context, service: context.identities?.service ?? null };
  const record = (reader: Reader, row: DomainRow) => oneDomainRecord(reader, row, shown);
  const tell = (tx: Tx, message: string, { domain }: DomainRow) => tx.afterCommit(() => log.info(message, { domain }));
  const current = (workspace: number, id: string) =>
    store.read(async (reader) => record(reader, await ownDomain(reader, workspace, id)));
  return new Elysia({ prefix: "/domains" })
    .use(secretKey(access))
    .get(
      "",
      ({ query, caller }) => {
        mustManage(caller);
        return store.read((reader) =>
          pageFrom(query, {
            total: () => countDomains(reader, caller.workspace),
            items: async (...piece) =>
              domainRecords(reader, await domainsPage(reader, caller.workspace, ...piece), shown),
          }),
        );
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
        const refusal = await refusalOf(store.read((reader) => addableDomain(reader, caller.workspace, domain)));
        // Made before the change, for a write may wait for nothing else, and only for a domain that can be added.
        const keyPair = refusal === null ? await makeDkimKey() : null;
        const work = async (tx: Tx) => {
          if (!keyPair) throw refusal;
          return record(tx, await addDomain(tx, secrets, caller.workspace, { domain, keyPair }));
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
        return current(caller.workspace, params.id);
      },
      {
        params: idParams,
        detail: answers(
          "Look at a sender domain",
          { 200: domainShape },
          { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND"], description: GRACE },
        ),
      },
    )
    .post(
      "/:id/verify",
      async ({ params, caller }) => {
        mustManage(caller);
        const domain = await store.read((reader) => ownDomain(reader, caller.workspace, params.id));
        const { taken } = await checkDomain(context, domain);
        if (taken) throw verifiedElsewhere(domain.domain);
        return current(caller.workspace, params.id);
      },
      {
        params: idParams,
        detail: answers(
          "Look the DNS records of a sender domain up, and take the domain as verified by its DKIM record",
          { 200: domainShape },
          { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND", "CONFLICT"], harmless: true },
        ),
      },
    )
    .post(
      "/:id/rotate",
      async ({ body, params, caller, request, set }) => {
        mustManage(caller);
        const { id } = params;
        const refusal = await refusalOf(
          store.read((reader) => rotatable(reader, caller.workspace, id, iso(access.clock.nowMs()))),
        );
        const keyPair = refusal === null ? await makeDkimKey() : null;
        const work = async (tx: Tx) => {
          if (!keyPair) throw refusal;
          const domain = await ownDomain(tx, caller.workspace, id);
          await rotateKey(tx, secrets, domain, keyPair);
          tell(tx, "a sender domain has a second DKIM key, which signs once its record is found", domain);
          return record(tx, domain);
        };
        return answerOnce(store, { body, caller, request, set }, work, 200);
      },
      {
        params: idParams,
        detail: answers(
          "Give a sender domain a second DKIM key, to take over from the first",
          { 200: domainShape },
          { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND", "CONFLICT"], description: ROTATED },
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        mustManage(caller);
        await store.write(async (tx) =>
          tell(tx, "a sender domain was removed", await removeDomain(tx, caller.workspace, params.id)),
        );
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers("Remove a sender domain", { 204: null }, { refuses: ["FORBIDDEN", "DOMAIN_NOT_FOUND"] }),
      },
    );
}

/** What it throws, null if nothing: an answer that was given before under the same Idempotency-Key comes first. */
function refusalOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => null,
    (error: unknown) => error,
  );
}
