// The blocklists that are queried, and the meaning of their answers (RFC 5782). Each refuses public name servers: an
// answer of that kind is about the query, not its subject.

export type List = {
  readonly zone: string;
  /** The zone for queries with a key (Spamhaus DQS); null = it has none. */
  readonly keyed: ((key: string) => string) | null;
  readonly of: "address" | "domain";
  /** True if it lists IPv6. */
  readonly knowsSix: boolean;
  /** An answer that says: it is on the list. */
  readonly isListed: (answer: string) => boolean;
  /** An answer that refuses the query. */
  readonly isRefusal: (answer: string) => boolean;
};

const REFUSED = /^127\.255\.255\./;
const isRefused = (answer: string) => REFUSED.test(answer);
const last = (answer: string) => Number(answer.split(".")[3]);

const SPAMHAUS = "zen.spamhaus.org";
const SPAMHAUS_DOMAINS = "dbl.spamhaus.org";

export const LISTS: readonly List[] = [
  {
    zone: SPAMHAUS,
    keyed: (key) => `${key}.zen.dq.spamhaus.net`,
    of: "address",
    knowsSix: true,
    isListed: (answer) => answer.startsWith("127.0.0."),
    isRefusal: isRefused,
  },
  {
    zone: "bl.spamcop.net",
    keyed: null,
    of: "address",
    knowsSix: false,
    isListed: (answer) => answer === "127.0.0.2",
    isRefusal: isRefused,
  },
  {
    zone: "b.barracudacentral.org",
    keyed: null,
    of: "address",
    knowsSix: false,
    isListed: (answer) => answer === "127.0.0.2",
    isRefusal: isRefused,
  },
  {
    zone: SPAMHAUS_DOMAINS,
    keyed: (key) => `${key}.dbl.dq.spamhaus.net`,
    of: "domain",
    knowsSix: false,
    // 127.0.1.255: the query was for an address.
    isListed: (answer) => answer.startsWith("127.0.1.") && answer !== "127.0.1.255",
    isRefusal: (answer) => isRefused(answer) || answer === "127.0.1.255",
  },
  {
    zone: "multi.surbl.org",
    keyed: null,
    of: "domain",
    knowsSix: false,
    isListed: (answer) => answer.startsWith("127.0.0.") && last(answer) > 1,
    isRefusal: (answer) => isRefused(answer) || answer === "127.0.0.1",
  },
  {
    zone: "multi.uribl.com",
    keyed: null,
    of: "domain",
    knowsSix: false,
    // Black and red; the grey list, 4, has senders of much mail, which is no fault.
    isListed: (answer) => answer.startsWith("127.0.0.") && (last(answer) & 0b1010) !== 0,
    isRefusal: (answer) => isRefused(answer) || answer === "127.0.0.1",
  },
];

const REASONS: Readonly<Record<string, string>> = {
  "127.255.255.252": "it does not know this question",
  "127.255.255.254": "it does not answer public name servers: set dns.servers to one of your own",
  "127.255.255.255": "it has been asked too often",
};

export function reasonOf(answer: string): string {
  return REASONS[answer] ?? `it refuses the question (${answer})`;
}

const PUBLIC_SERVERS: ReadonlySet<string> = new Set([
  ...["8.8.8.8", "8.8.4.4", "2001:4860:4860::8888", "2001:4860:4860::8844"],
  ...["1.1.1.1", "1.0.0.1", "2606:4700:4700::1111", "2606:4700:4700::1001"],
  ...["9.9.9.9", "149.112.112.112", "2620:fe::fe", "2620:fe::9"],
  ...["208.67.222.222", "208.67.220.220", "2620:119:35::35", "2620:119:53::53"],
  ...["4.2.2.1", "4.2.2.2", "64.6.64.6", "64.6.65.6", "94.140.14.14", "94.140.15.15", "185.228.168.9", "76.76.2.0"],
]);

/** The first public name server, through which the lists refuse queries; null = none. */
export function publicServerIn(servers: readonly string[]): string | null {
  const plain = servers.map((one) => one.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1"));
  return plain.find((one) => PUBLIC_SERVERS.has(one)) ?? null;
}
