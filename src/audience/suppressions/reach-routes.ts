// GET /suppressions/reach: the contacts that the suppression of a domain would affect.
import { t } from "elysia";
import { get } from "../../tenant/access/route-table.ts";
import { parseDomainName } from "../../base/addresses.ts";
import { invalidField } from "../../base/errors.ts";
import { countShape } from "../../http/answer-shapes.ts";
import { reachOf } from "./domain-queries.ts";

const SHOWN_OF_REACH = 5;
const reachShape = t.Object(
  {
    contacts: { ...countShape, description: "Of this domain, subscribed or not." },
    subscribed: countShape,
    sample: t.Array(t.String(), { description: "Some of their addresses, the newest contacts first." }),
  },
  { title: "SuppressionReach" },
);

export const reachRoute = get(
  "/suppressions/reach",
  {
    name: "countSuppressionReach",
    summary: "Count the contacts whom the suppression of a domain would hit",
    answers: { 200: reachShape },
    permission: "read",
    query: t.Object({
      domain: t.String({ minLength: 1, maxLength: 255, description: "Without its subdomains." }),
    }),
    refuses: ["VALIDATION_ERROR"],
    description: "Before it is added: nothing changes.",
  },
  (reader, { query, caller: { workspace } }) => {
    const domain = parseDomainName(query.domain.trim());
    if (domain === null) throw invalidField("domain", "Expected a domain.", "invalid_domain");
    return reachOf(reader, { workspace, domain }, SHOWN_OF_REACH);
  },
  "long",
);
