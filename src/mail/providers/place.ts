// The address for a provider's reports: a path that only this installation can make.
import type { Secrets } from "../../base/secrets.ts";

const PURPOSE = "reports of a provider";
const TOKEN_BYTES = 18;

export function providerUrl(secrets: Secrets, baseUrl: string, provider: string): string {
  const token = secrets.sign(PURPOSE, Buffer.from(provider), TOKEN_BYTES).toString("base64url");
  return `${baseUrl}/providers/${provider}/${token}`;
}

export function isTokenOf(secrets: Secrets, provider: string, token: string): boolean {
  const bytes = Buffer.from(token, "base64url");
  return bytes.length === TOKEN_BYTES && secrets.verify(PURPOSE, Buffer.from(provider), bytes);
}
