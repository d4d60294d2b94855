// POST /v1/verify (interface.md).
import { Elysia, t } from "elysia";
import type { SharedResolver } from "../dns/cache.ts";
import { requiredAddress } from "../http/address-field.ts";
import { wrapped } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { success } from "../http/replies.ts";
import { addressShape } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { verificationShape } from "./record.ts";
import { verifyAddress } from "./verify.ts";

const question = t.Object({ email: addressShape }, { examples: [{ email: "ada@gmial.com" }] });

/** For all that name servers are asked of one address (interface-gaps.md §8). */
const MAX_LOOKUP_MS = 3_000;

export function verifyRoutes(access: Access, resolver: SharedResolver) {
  return new Elysia().use(secretKey(access)).post(
    "/v1/verify",
    async ({ body, caller }) => {
      const address = requiredAddress("email", body.email);
      const asker = { who: caller.workspace, until: access.clock.timeout(MAX_LOOKUP_MS) };
      return success(await verifyAddress((name, type) => resolver.find(name, type, asker), address));
    },
    {
      body: asBody(question),
      detail: answers("Look at what is known of an address", { 200: wrapped(verificationShape) }, { harmless: true }),
    },
  );
}
