// The header fields that a caller may set (docs/sending.md).

const MAX_NAME_CHARS = 100;
const MAX_VALUE_CHARS = 998;

// A field name is a token: RFC 5322 §3.6.8 allows more, but not every relay does.
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

// Set by us, or by servers in transit.
const RESERVED = new Set(
  "from to cc bcc sender subject date message-id mime-version dkim-signature return-path received".split(" "),
);
// X-SES-… are commands to SES, for instance the configuration set that gets the bounces.
const RESERVED_PREFIXES = ["content-", "x-ses-"];

// Fields of servers that carry or forward a mail, and fields that make old servers send it, or its bounces, elsewhere.
const OF_CARRIERS = new Set(["apparently-to", "authentication-results", "errors-to", "received-spf"]);
const CARRIER_PREFIXES = ["resent-", "arc-"];

/** The reason why a caller cannot set this header field; null if it can. */
export function headerProblem(name: string, value: string): string | null {
  const problem = nameProblem(name);
  if (problem !== null) return problem;
  if (isOfCarriers(name)) return "may only be set by the servers that carry the email";
  if (value.length > MAX_VALUE_CHARS) return `must not be longer than ${MAX_VALUE_CHARS} characters`;
  if (/[\r\n\0]/.test(value)) return "must not contain line breaks or NUL";
  return null;
}

/** True for fields reserved for servers in transit: set by a sender, they would be mistaken for a server's. */
export function isOfCarriers(name: string): boolean {
  return isOneOf(name, OF_CARRIERS, CARRIER_PREFIXES);
}

/** Like `headerProblem`, for an already accepted field: only duplicates, and names that would break the header. */
export function nameProblem(name: string): string | null {
  if (!TOKEN.test(name) || name.length > MAX_NAME_CHARS) return "is not the name of a header field";
  return isOneOf(name, RESERVED, RESERVED_PREFIXES) ? "is set by the platform" : null;
}

function isOneOf(name: string, names: ReadonlySet<string>, prefixes: readonly string[]): boolean {
  const lowerName = name.toLowerCase();
  return names.has(lowerName) || prefixes.some((prefix) => lowerName.startsWith(prefix));
}
