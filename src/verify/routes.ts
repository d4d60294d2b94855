// POST /v1/verify (interface.md).
import { Elysia, t } from "elysia";
import { parseAddress } from "../addresses.ts";
import type { Resolver } from "../dns.ts";
import { invalidField } from "../errors.ts";
import { wrapped } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { success } from "../http/replies.ts";
import { addressShape } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import { secretKey, type Gate } from "../workspaces/auth.ts";
import { verificationShape } from "./record.ts";
import { verifyAddress } from "./verify.ts";

const question = t.Object({ email: addressShape }, { examples: [{ email: "ada@gmial.com" }] });

export function verifyRoutes(gate: Gate, resolver: Resolver) {
  return new Elysia()
    .use(secretKey(gate))
    .post("/v1/verify", async ({ body }) => success(await verifyAddress(resolver, addressIn(body.email))), {
      body: asBody(question),
      detail: answers("Look at what is known of an address", { 200: wrapped(verificationShape) }, { harmless: true }),
    });
}

function addressIn(text: string): string {
  const address = parseAddress(text);
  if (address === null) throw invalidField("email", "This is not an e-mail address.", "invalid_email");
  return address;
}
