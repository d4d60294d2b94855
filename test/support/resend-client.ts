// Resend's own client for Node, unchanged but for its base address.
import type { Json, Posthorn } from "./posthorn.ts";

// Its types bring React's, which take the types of elements from journeys.
const OFFICIAL: string = "resend";
const { Resend } = (await import(OFFICIAL)) as { readonly Resend: new (key: string, options: object) => Json };

export function resendClient({ server }: Pick<Posthorn, "server">, key: string): Json {
  return new Resend(key, { baseUrl: `${server.url}/compat/resend` });
}
