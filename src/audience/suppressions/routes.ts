// /suppressions: suppressing, listing and lifting.
import { t } from "elysia";
import { domainOf, parseAddress, parseDomainName, soughtInAddresses } from "../../base/addresses.ts";
import { invalidField, readAll } from "../../base/errors.ts";
import { iso } from "../../base/clock.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { countShape, cursorShapeOf, oneOf } from "../../http/answer-shapes.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { addressShape, optional, parameter, timeInputShape, wholeNumber } from "../../http/schemas.ts";
import { cursorOf, keyInCursor } from "../../store/page.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { causeOf } from "../../tenant/access/caller.ts";
import { get, post, remove, routes } from "../../tenant/access/route-table.ts";
import {
  countByReason,
  countDomains,
  countUpTo,
  suppressionsListed,
  suppressionsPage,
  type SuppressionFilter,
} from "./listing-queries.ts";
import { reachRoute } from "./reach-routes.ts";
import { REASONS } from "./queries.ts";
import { reasonShape, scopeShape, suppressionRecord, suppressionShape } from "./record.ts";
import { findSuppression, lift, suppress, type NewSuppression } from "./suppression.ts";

const DEFAULT_LIMIT = 20;
const MOST_COUNTED = 10_000;
const LIST = "suppressions";

export const filterFields = {
  kind: parameter(oneOf("address", "domain"), "Only addresses, or only whole domains."),
  reason: parameter(reasonShape, "Only those that were suppressed for this reason."),
  scope: parameter(scopeShape, "Only those that get no email at all, or only those that get no marketing email."),
  search: parameter(t.String({ maxLength: 320 }), "A part of the address or of the domain, in any case."),
};

const listing = t.Object({
  address: parameter(addressShape, "Only what is in force for this address: its own suppression and its domain's."),
  ...filterFields,
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many suppressions a page has at most."),
  cursor: parameter(t.String({ maxLength: 1000 }), "The `cursor` of the page before."),
});

export const addedSuppressionShape = t.Object({
  ...suppressionShape.properties,
  _meta: t.Object({ isNew: t.Boolean() }),
});

const { properties: pageFields } = cursorShapeOf(suppressionShape, "SuppressionPage");
export const suppressionPageShape = t.Object(
  {
    ...pageFields,
    total: t.Optional({ ...countShape, description: "On the first page only." }),
    totalIsLeast: t.Optional(
      t.Boolean({ description: `True: there are more than the ${MOST_COUNTED} that \`total\` has.` }),
    ),
  },
  { title: "SuppressionPage" },
);

const creation = t.Object(
  {
    address: optional(addressShape, "Either this or `domain`."),
    domain: optional(
      t.String({ minLength: 1, maxLength: 255 }),
      "All addresses of the domain, but not of its subdomains.",
    ),
    reason: optional(oneOf("bounce", "complaint", "soft-bounces", "manual", "import"), "`manual` unless given."),
    scope: optional(scopeShape, "`all` unless given: no email at all. `marketing`: no marketing email."),
    until: optional(timeInputShape, "It is lifted then. Unless given, it stays until somebody lifts it."),
    note: optional(t.String({ maxLength: 500 }), "For people who look at it."),
  },
  { examples: [{ address: "gone@example.net", scope: "all", note: "Asked us by phone." }] },
);

const countsShape = t.Object(
  {
    total: countShape,
    domains: { ...countShape, description: "Of the total: whole domains." },
    reasons: t.Object(Object.fromEntries(REASONS.map((reason) => [reason, countShape]))),
  },
  { title: "SuppressionCounts" },
);

const found = ["SUPPRESSION_NOT_FOUND"] as const;

export function suppressionRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
    get(
      "/suppressions",
      {
        name: "listSuppressions",
        summary: "List suppressions, newest first",
        answers: { 200: suppressionPageShape },
        permission: "read",
        query: listing,
        description: "Addresses and domains that get no email, or no marketing email.",
      },
      async (reader, { query, caller: { workspace, workspaceId } }) => {
        const { limit = DEFAULT_LIMIT, cursor } = query;
        const filter = { ...filterOf(workspace, query), ...targetsAt(query.address, store.clock.nowMs()) };
        const from = cursor === undefined ? null : keyInCursor(LIST, "number", cursor);
        const rows = await suppressionsPage(reader, filter, { from, limit: limit + 1 });
        const next = rows[limit];
        const data = rows.slice(0, limit).map((one) => suppressionRecord(one, workspaceId));
        const page = { data, cursor: next ? cursorOf(LIST, next.seq) : null, hasMore: next !== undefined };
        if (cursor !== undefined) return page;
        const total = next ? await countUpTo(reader, filter, MOST_COUNTED) : data.length;
        return total > MOST_COUNTED ? { ...page, total: MOST_COUNTED, totalIsLeast: true } : { ...page, total };
      },
      "long",
    ),
    get(
      "/suppressions/counts",
      {
        name: "countSuppressions",
        summary: "Count suppressions by reason",
        answers: { 200: countsShape },
        permission: "read",
      },
      async (reader, { caller: { workspace } }) => {
        const counted = await countByReason(reader, workspace);
        const countOf = (reason: string) => counted.find((one) => one.reason === reason)?.count ?? 0;
        return {
          total: counted.reduce((sum, { count }) => sum + count, 0),
          domains: await countDomains(reader, workspace),
          reasons: Object.fromEntries(REASONS.map((reason) => [reason, countOf(reason)])),
        };
      },
      "long",
    ),
    reachRoute,
    get(
      "/suppressions/:id",
      {
        name: "getSuppression",
        summary: "Get a suppression",
        answers: { 200: suppressionShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller: { workspace, workspaceId } }) => {
        const one = await findSuppression(reader, workspace, params.id);
        const listed = await suppressionsListed(reader, workspace, [one.target]);
        return suppressionRecord(listed.find(({ id }) => id === one.id) ?? one, workspaceId);
      },
    ),
    post(
      "/suppressions",
      {
        name: "addSuppression",
        summary: "Suppress an address or a domain",
        answers: { 201: addedSuppressionShape, 200: addedSuppressionShape },
        permission: "people.write",
        body: creation,
        description:
          "No contact is made for it, and subscriptions stay as they are. What is suppressed already is answered with 200, " +
          "and is never weakened: the wider scope and the later end count. One for all email that ends before one for marketing email stays beside it.",
      },
      async (tx, { body, caller }) => {
        const { workspace, workspaceId } = caller;
        const { suppression, outcome } = await suppress(tx, workspace, inputOf(body, tx.nowMs), {
          cause: causeOf(caller),
        });
        const listed = await suppressionsListed(tx, workspace, [suppression.target]);
        const kept = listed.find(({ id }) => id === suppression.id) ?? suppression;
        return { ...suppressionRecord(kept, workspaceId), _meta: { isNew: outcome === "added" } };
      },
      { status: ({ _meta }) => (_meta.isNew ? 201 : 200), about: ({ contactId }) => (contactId ? [contactId] : []) },
    ),
    remove(
      "/suppressions/:id",
      {
        name: "liftSuppression",
        summary: "Lift a suppression",
        answers: { 204: null },
        permission: "people.write",
        refuses: found,
        description: "The address gets email again. Subscriptions stay as they are.",
      },
      async (tx, { params, caller }) =>
        lift(tx, caller.workspace, [await findSuppression(tx, caller.workspace, params.id)], {
          cause: causeOf(caller),
        }),
    ),
  ]);
}

function targetsAt(text: string | undefined, nowMs: number): Pick<SuppressionFilter, "at"> {
  const address = text === undefined ? null : parseAddress(text);
  return text === undefined ? {} : { at: { targets: address ? [address, domainOf(address)] : [""], now: iso(nowMs) } };
}

export function filterOf(
  workspace: number,
  { kind, reason, scope, search = "" }: Pick<typeof listing.static, "kind" | "reason" | "scope" | "search">,
): SuppressionFilter {
  return {
    workspace,
    kind: kind ?? null,
    reason: reason ?? null,
    scope: scope ?? null,
    search: soughtInAddresses(search),
  };
}

/** @throws AppError VALIDATION_ERROR with the faults of all fields */
function inputOf(body: typeof creation.static, nowMs: number): NewSuppression {
  const { target, until } = readAll({ target: () => targetOf(body), until: () => untilOf(body.until, nowMs) });
  return {
    target,
    until,
    reason: body.reason ?? "manual",
    scope: body.scope ?? "all",
    note: body.note?.trim() || null,
  };
}

function targetOf({ address, domain }: typeof creation.static): string {
  if (address && domain) throw invalidField("domain", "Give either address or domain.", "conflict");
  if (address) return requiredAddress("address", address);
  if (!domain) throw invalidField("address", "Give address or domain.", "required");
  const name = parseDomainName(domain);
  if (name === null) throw invalidField("domain", "This is not a domain, such as example.com.", "invalid_domain");
  return name;
}

function untilOf(text: string | null | undefined, nowMs: number): string | null {
  if (!text) return null;
  const ms = momentIn("until", text, invalidField);
  if (ms <= nowMs) throw invalidField("until", "This moment has passed.", "in_the_past");
  return iso(ms);
}
