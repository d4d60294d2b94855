// The reasons for a missing certificate, in words for the operator.
import { AcmeRefusal, type AcmeProblem } from "./authority.ts";
import { Unproven } from "./order.ts";

const OF_NAMES: Readonly<Record<string, string>> = {
  dns: "the DNS has no address for NAME, or its name servers fail: make an A or AAAA record that points to this machine",
  connection: "port 80 of NAME cannot be reached: open it in the firewall, and lead it to http.plain_port",
  unauthorized: "another server answers at http://NAME/: the DNS points elsewhere, or a proxy stands in front",
  incorrectResponse: "another server answers at http://NAME/: the DNS points elsewhere, or a proxy stands in front",
  caa: "a CAA record of NAME forbids this authority",
};
const OF_ORDERS: Readonly<Record<string, string>> = {
  rateLimited: "the authority has been asked too often",
  rejectedIdentifier: "the authority gives no certificates for one of these names",
  invalidContact: "the authority does not take http.acme_email",
  externalAccountRequired: "the authority wants an account made elsewhere, which Posthorn does not know how to use",
};

/** The reason, with the authority's own words in brackets. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unproven)
    return withDetail(OF_NAMES[kindOfProof(error.problem)], error).replaceAll("NAME", error.host);
  if (error instanceof AcmeRefusal) return withDetail(OF_ORDERS[kindOf(error.problem.type)], error);
  return `the authority cannot be reached (${(error as Error).message})`;
}

/** Some authorities report a name without an address as a failed connection. */
function kindOfProof({ type, detail = "" }: AcmeProblem): string {
  const kind = kindOf(type);
  return kind === "connection" && /\bDNS\b|resolve/.test(detail) ? "dns" : kind;
}

function kindOf(type = ""): string {
  return type.split(":").at(-1) ?? "";
}

function withDetail(words: string | undefined, { message }: Error): string {
  return words === undefined ? `the authority refuses (${message})` : `${words} (${message})`;
}
