// The hosts of a workspace as the interface shows them.
import { isIP } from "node:net";
import { t } from "elysia";
import { nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import { proofRecord } from "./check.ts";
import { sentenceOf } from "./problems.ts";
import type { Host } from "./queries.ts";

const example = {
  host: "links.shop.example",
  state: "USED" as const,
  problem: null,
  problemCode: null,
  problemValues: {},
  verifiedAt: "2026-03-01T09:00:00.000Z",
  failingSince: null,
  checkedAt: "2026-03-01T09:00:00.000Z",
  nextCheckAt: "2026-03-02T08:30:00.000Z",
  records: [{ type: "CNAME" as const, name: "links.shop.example", value: "mail.example.com", required: true }],
};

const hostShape = t.Object(
  {
    host: t.String(),
    state: oneOf("WAITING", "CERTIFICATE", "USED", "FORMER", "FAILING"),
    problem: nullable(t.String()),
    problemCode: t.Union([t.String(), t.Null()], { description: "Which problem it is, such as `no_address`." }),
    problemValues: t.Record(t.String(), t.String(), { description: "What the sentence names." }),
    verifiedAt: nullable(timeShape),
    failingSince: nullable(timeShape),
    checkedAt: nullable(timeShape),
    nextCheckAt: nullable(timeShape),
    records: t.Array(
      t.Object({
        type: oneOf("CNAME", "A", "AAAA", "TXT"),
        name: t.String(),
        value: t.String(),
        required: t.Boolean({ description: "false: a verified sender domain that the host is below does as well." }),
      }),
      { description: "What to publish in the DNS. In place of the CNAME, A and AAAA records may lead here." },
    ),
  },
  { title: "LinkHost", examples: [example] },
);

export const hostsShape = t.Object(
  {
    base: t.String({ description: "What links of new emails begin with." }),
    host: nullable(hostShape),
    former: t.Array(hostShape, {
      description: "Hosts that links in sent emails name. They stay while they lead here.",
    }),
    updatedAt: {
      ...timeShape,
      description: "When the host was set or removed; before that, when the workspace was made.",
    },
  },
  {
    title: "LinkHosts",
    examples: [
      { base: "https://links.shop.example", host: example, former: [], updatedAt: "2026-03-01T08:55:00.000Z" },
    ],
  },
);

export function hostsRecord(bases: LinkBases, hosts: readonly Host[], updatedAt: string): typeof hostsShape.static {
  const current = hosts.find(({ isCurrent }) => isCurrent) ?? null;
  return {
    base: isUsed(current) ? bases.at(current.host) : bases.own,
    host: current && hostRecord(bases, current),
    former: hosts.filter(({ isCurrent }) => !isCurrent).map((host) => hostRecord(bases, host)),
    updatedAt,
  };
}

function isUsed(host: Host | null): host is Host {
  return host !== null && host.verifiedAt !== null && host.isReady && host.failingSince === null;
}

function stateOf(host: Host): (typeof hostShape.static)["state"] {
  if (host.verifiedAt === null) return "WAITING";
  if (host.failingSince !== null) return "FAILING";
  if (!host.isCurrent) return "FORMER";
  return host.isReady ? "USED" : "CERTIFICATE";
}

/** The type of a record that leads to the target; a server without a name has an address alone. */
function typeOf(target: string): "CNAME" | "A" | "AAAA" {
  return isIP(target) === 0 ? "CNAME" : isIP(target) === 4 ? "A" : "AAAA";
}

function hostRecord(bases: LinkBases, row: Host): typeof hostShape.static {
  const { host, problem, verifiedAt, failingSince, checkedAt, nextCheckAt } = row;
  const target = new URL(bases.own).hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    state: stateOf(row),
    problem: problem && sentenceOf(problem),
    problemCode: problem?.code ?? null,
    problemValues: { ...problem?.values },
    ...{ verifiedAt, failingSince, checkedAt, nextCheckAt },
    records: [
      { type: typeOf(target), name: host, value: target, required: true },
      { type: "TXT", ...proofRecord(row), required: false },
    ],
  };
}
