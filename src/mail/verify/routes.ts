// POST /v1/verify (docs/verification.md).
import { t } from "elysia";
import type { SharedResolver } from "../../base/dns/cache.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { wrapped } from "../../http/answer-shapes.ts";
import { success } from "../../http/replies.ts";
import { addressShape } from "../../http/schemas.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { verificationShape } from "./record.ts";
import { verifyAddress } from "./verify.ts";

const question = t.Object({ email: addressShape }, { examples: [{ email: "ada@gmial.com" }] });

/** For all DNS queries about one address. */
const MAX_LOOKUP_MS = 3_000;

export function verifyRoutes(access: Access, resolver: SharedResolver) {
  return routes(access, [
    route(
      "POST",
      "/v1/verify",
      {
        name: "verifyAddress",
        summary: "Check an email address",
        answers: { 200: wrapped(verificationShape) },
        permission: "read",
        body: question,
        harmless: true,
        forSenders: true,
      },
      async ({ body, caller }) => {
        const address = requiredAddress("email", body.email);
        const asker = { who: caller.workspace, until: access.clock.timeout(MAX_LOOKUP_MS) };
        return success(await verifyAddress((name, type) => resolver.find(name, type, asker), address));
      },
    ),
  ]);
}
