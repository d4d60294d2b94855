// /domains: sender domains, their DNS records and their DKIM keys.
import { t } from "elysia";
import { parseDomainName } from "../../base/addresses.ts";
import { iso } from "../../base/clock.ts";
import { pageShapeOf } from "../../http/answer-shapes.ts";
import { content } from "../../http/answers.ts";
import { noteWarning } from "../../http/body/body-notes.ts";
import { answerOnce, foundBefore, type PostRequest } from "../../http/idempotency.ts";
import { pageShape, parameter, wholeNumber } from "../../http/schemas.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Access } from "../access/auth.ts";
import { alias, get, page, remove, route, routes } from "../access/route-table.ts";
import { checkDomain, type DomainContext } from "./check.ts";
import { makeDkimKey, type KeyPair } from "./dkim-key.ts";
import { addableDomain, addDomain, ownDomain, removeDomain, verifiedElsewhere } from "./domain.ts";
import { rotatable, rotateKey } from "./keys.ts";
import { countDomains, domainsPage, type Domain } from "./queries.ts";
import { zoneOf } from "./zone.ts";
import { domainRecords, domainShape, oneDomainRecord, type DomainRecord, type DomainRecordOptions } from "./record.ts";

const found = ["DOMAIN_NOT_FOUND"] as const;

/** Whether a domain is that of a provider with public mailboxes. */
export type IsProviders = (domain: string) => boolean;

export function domainRoutes(access: Access, context: DomainContext, isProviders: IsProviders) {
  const shown = shownIn(context);
  const verifyOne = route(
    "POST",
    "/domains/:id/verify",
    {
      name: "verifyDomain",
      summary: "Check the DNS records of a sender domain",
      answers: { 200: domainShape },
      permission: "domains",
      managers: true,
      refuses: [...found, "CONFLICT"],
      harmless: true,
      query: t.Object({
        maxAgeSeconds: parameter(
          wholeNumber(0, 60, 0),
          "A check that began no longer ago is answered instead of a new one, so a page may ask again and again.",
        ),
      }),
      description: "The DKIM record verifies the domain; the state of the others is only shown.",
    },
    ({ params, query, caller }) =>
      verify(context, caller.workspace, { id: params.id, maxAgeSeconds: query.maxAgeSeconds ?? 0 }),
  );
  return routes(access, [
    page(
      "/domains",
      {
        name: "listDomains",
        summary: "List sender domains",
        answers: { 200: pageShapeOf(domainShape) },
        permission: "read",
        query: t.Object(pageShape),
        managers: true,
      },
      async (reader, { caller: { workspace } }) => ({
        total: () => countDomains(reader, workspace),
        items: async (...piece) => domainRecords(reader, await domainsPage(reader, workspace, ...piece), shown),
      }),
    ),
    route(
      "POST",
      "/domains",
      {
        name: "createDomain",
        summary: "Add a sender domain",
        answers: { 201: domainShape },
        permission: "domains",
        body: t.Object(
          { domain: t.String({ minLength: 1, maxLength: 300 }) },
          { examples: [{ domain: "example.com" }] },
        ),
        managers: true,
        refuses: ["CONFLICT"],
      },
      ({ body, caller, request, set }) => {
        warnOfProvider(isProviders, body);
        return add(context, { body, caller, request, set }, body.domain);
      },
    ),
    get(
      "/domains/:id",
      {
        name: "getDomain",
        summary: "Get a sender domain",
        answers: { 200: domainShape },
        permission: "read",
        managers: true,
        refuses: found,
        description:
          "A verified domain whose DKIM record is missing has `failingSince`. It may send until `graceEndsAt`, and is verified again once the record is found.",
      },
      async (reader, { params, caller }) =>
        oneDomainRecord(reader, await ownDomain(reader, caller.workspace, params.id), shown),
    ),
    verifyOne,
    alias(verifyOne, "GET", "/domains/:id/verify", "verifyDomainAlias"),
    route(
      "GET",
      "/domains/:id/zone",
      {
        name: "getDomainZone",
        summary: "Get the DNS records of a sender domain as a zone file",
        answers: { 200: content("text/plain") },
        permission: "read",
        managers: true,
        refuses: found,
      },
      ({ params, caller }) => zoneFile(context, caller.workspace, params.id),
    ),
    route(
      "POST",
      "/domains/:id/rotate",
      {
        name: "rotateDomainKey",
        summary: "Create a second DKIM key that replaces the first",
        answers: { 200: domainShape },
        permission: "domains",
        managers: true,
        refuses: [...found, "CONFLICT"],
        description:
          "The new key, `nextSelector`, signs once its record is found; the record of the old one is needed until `removableAt`.",
      },
      ({ params, body, caller, request, set }) => rotate(context, { body, caller, request, set }, params.id),
    ),
    remove(
      "/domains/:id",
      {
        name: "deleteDomain",
        summary: "Remove a sender domain",
        answers: { 204: null },
        permission: "domains",
        managers: true,
        refuses: found,
      },
      async (tx, { params, caller }) =>
        logChange(tx, context, "a sender domain was removed", await removeDomain(tx, caller.workspace, params.id)),
    ),
  ]);
}

/** The words about a domain that `IsProviders`. */
export function ofProvider(domain: string): string {
  return `${domain} is a provider's domain, at which anybody has a mailbox: only the provider sets its DNS records, so you cannot verify it. Add a domain of your own.`;
}

function warnOfProvider(isProviders: IsProviders, body: { readonly domain: string }): void {
  const domain = parseDomainName(body.domain);
  if (domain === null || !isProviders(domain)) return;
  noteWarning(body, { field: "domain", message: ofProvider(domain) });
}

function add(context: DomainContext, post: PostRequest, name: string): Promise<DomainRecord> {
  const { workspace } = post.caller;
  const isAddable = (reader: Reader) => addableDomain(reader, workspace, name);
  return withNewKey(context, { post, isAllowed: isAddable, status: 201 }, (tx, keyPair) =>
    addDomain(tx, context.secrets, workspace, { domain: name, keyPair }),
  );
}

function rotate(context: DomainContext, post: PostRequest, id: string): Promise<DomainRecord> {
  const { workspace } = post.caller;
  const isRotatable = (reader: Reader) => rotatable(reader, workspace, id, iso(context.clock.nowMs()));
  return withNewKey(context, { post, isAllowed: isRotatable, status: 200 }, async (tx, keyPair) => {
    const domain = await ownDomain(tx, workspace, id);
    await rotateKey(tx, context.secrets, domain, keyPair);
    logChange(tx, context, "a sender domain has a second DKIM key, which signs once its record is found", domain);
    return domain;
  });
}

/** `isAllowed` throws for a request that does not need a key. */
type KeyRequest = {
  readonly post: PostRequest;
  readonly isAllowed: (reader: Reader) => Promise<unknown>;
  readonly status: number;
};

/** The key is made before the transaction, since a write may await nothing else. */
async function withNewKey(
  context: DomainContext,
  { post, isAllowed, status }: KeyRequest,
  work: (tx: Tx, keyPair: KeyPair) => Promise<Domain>,
): Promise<DomainRecord> {
  const keyPair = await foundBefore(async () => {
    await context.store.read(isAllowed);
    return makeDkimKey();
  });
  const answer = async (tx: Tx) => oneDomainRecord(tx, await work(tx, keyPair()), shownIn(context));
  return answerOnce(context.store, post, answer, status);
}

type VerifyRequest = { readonly id: string; readonly maxAgeSeconds: number };

async function verify(context: DomainContext, workspace: number, wanted: VerifyRequest): Promise<DomainRecord> {
  const domain = await context.store.read((reader) => ownDomain(reader, workspace, wanted.id));
  if (!isYoung(domain, wanted.maxAgeSeconds, context.clock.nowMs())) {
    const { taken } = await checkDomain(context, domain);
    if (taken) throw verifiedElsewhere(domain.domain);
  }
  return oneRecord(context, workspace, wanted.id);
}

/** Whether its last check began no longer ago. */
function isYoung({ checkedAt }: Domain, maxAgeSeconds: number, nowMs: number): boolean {
  const ageMs = checkedAt === null ? Infinity : nowMs - Date.parse(checkedAt);
  return ageMs >= 0 && ageMs < maxAgeSeconds * 1000;
}

function oneRecord(context: DomainContext, workspace: number, id: string): Promise<DomainRecord> {
  return context.store.read(async (reader) =>
    oneDomainRecord(reader, await ownDomain(reader, workspace, id), shownIn(context)),
  );
}

async function zoneFile(context: DomainContext, workspace: number, id: string): Promise<Response> {
  const record = await oneRecord(context, workspace, id);
  const disposition = `attachment; filename="${record.domain}.zone"`;
  const headers = { "content-type": "text/plain; charset=utf-8", "content-disposition": disposition };
  return new Response(zoneOf(record), { headers });
}

function shownIn(context: DomainContext): DomainRecordOptions {
  return {
    get graceMs() {
      return context.graceMs;
    },
    get service() {
      return context.identities?.service ?? null;
    },
    get ways() {
      return context.wayNames;
    },
    // The ways out may have changed by the next request.
    get settings() {
      return context.settings;
    },
  };
}

function logChange(tx: Tx, { log }: DomainContext, message: string, { domain }: Domain): void {
  tx.afterCommit(() => log.info(message, { domain }));
}
