// The record of the reports on a domain, for the interface.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import type { DomainReportRow } from "./figures-queries.ts";
import type { ReportFault } from "./reading/report.ts";

const dayShape = t.String({ description: "In UTC.", examples: ["2026-03-01"] });

const saidFields = {
  sentence: t.String(),
  values: t.Record(t.String(), t.String(), { description: "What the sentence names." }),
};

const dmarcSums = {
  messages: countShape,
  passed: t.Number({
    minimum: 0,
    multipleOf: 1,
    description: "By SPF or DKIM, for a domain aligned with the author's.",
  }),
  quarantined: countShape,
  rejected: countShape,
};

const sourceShape = t.Object(
  {
    origin: t.Union(
      (["OWN", "FORWARDED", "KNOWN", "UNKNOWN"] as const).map((word) => t.Literal(word)),
      {
        description:
          "`OWN`: by your sending routes. `FORWARDED`: signed by this server, and come by another. `KNOWN`: a provider that is known. `UNKNOWN`: not recognised.",
      },
    ),
    provider: nullable(t.String()),
    address: t.Union([t.String(), t.Null()], { description: "Null = there are several." }),
    host: t.Union([t.String(), t.Null()], { description: "A name that leads back to one of its addresses." }),
    addresses: countShape,
    ...dmarcSums,
    dkim: countShape,
    spf: countShape,
    advice: nullable(t.Object({ code: t.String(), ...saidFields })),
  },
  { title: "ReportSource" },
);

export const reportsShape = t.Object(
  {
    address: t.Union([t.String(), t.Null()], {
      description: "Where reports on this domain come to; null = this server takes no email from outside.",
    }),
    firstDay: dayShape,
    lastDay: dayShape,
    policy: t.Union([oneOf("none", "quarantine", "reject"), t.Null()], {
      description: "The policy in force, from the last check, else from the latest report; null = none is known.",
    }),
    verdict: t.Object(
      {
        code: t.String({
          description:
            "`no_reports`, `failing`, `too_early`, `too_few`, `may_quarantine`, `may_reject`, `keep` or `strict`.",
        }),
        ...saidFields,
      },
      { description: "On the thirty days up to today, whatever was asked for." },
    ),
    dmarc: t.Object({
      ...dmarcSums,
      receivers: countShape,
      series: t.Array(t.Object({ day: dayShape, ...dmarcSums })),
      sources: t.Array(sourceShape, { description: "The largest 100." }),
    }),
    tls: t.Object({
      sessions: countShape,
      failed: countShape,
      series: t.Array(t.Object({ day: dayShape, sessions: countShape, failed: countShape })),
      failures: t.Array(
        t.Object({
          policyType: t.String(),
          result: t.String(),
          host: nullable(t.String()),
          sessions: countShape,
        }),
        { description: "The largest 50." },
      ),
    }),
  },
  { title: "DomainReports" },
);

/** Why a report is unreadable. */
const FAULTS: Readonly<Record<ReportFault, string>> = {
  none: "There is no report in the email.",
  unpacking: "The file cannot be unpacked: it is cut off, encrypted, or an archive of more than ten files.",
  bomb: "The file unpacks to more than 200 times its size.",
  large: "The report is larger than 32 MB, or has more in it than any report has.",
  markup: "The file is not well-formed XML, or has a document type.",
  json: "The file is not JSON.",
  fields:
    "Something that every report has is missing or impossible: an organization, an id, a time, an address, a count.",
  time: "It took too long to read.",
};

export const FAULT_CODES = Object.keys(FAULTS) as readonly ReportFault[];

export const receivedShape = t.Object(
  {
    id: idShape,
    kind: t.Union([oneOf("DMARC", "TLS"), t.Null()], { description: "Null = it could not be read." }),
    state: t.Union(
      (["COUNTED", "OTHER_DOMAIN", "UNPROVEN", "UNREADABLE"] as const).map((word) => t.Literal(word)),
      {
        description:
          "`OTHER_DOMAIN`: it is about another domain than the address it came to. `UNPROVEN`: its email fails DMARC, or names no author. Neither is counted.",
      },
    ),
    problem: t.Union([t.String(), t.Null()], { description: "Why it could not be read." }),
    problemCode: nullable(oneOf(...FAULT_CODES)),
    organization: nullable(t.String()),
    sender: t.Union([t.String(), t.Null()], { description: "The domain of the email's author." }),
    reportId: nullable(t.String()),
    domain: t.Union([t.String(), t.Null()], { description: "That it says it is about." }),
    begunAt: nullable(timeShape),
    endedAt: nullable(timeShape),
    messages: t.Number({ minimum: 0, multipleOf: 1, description: "Emails, or sessions of a TLS report." }),
    passed: countShape,
    repeats: t.Number({ minimum: 0, multipleOf: 1, description: "How often it came again." }),
    lostRows: t.Number({ minimum: 0, multipleOf: 1, description: "So many of its rows could not be read." }),
    isKept: t.Boolean({ description: "Its email can be downloaded as it came." }),
    receivedAt: timeShape,
  },
  { title: "ReceivedReport" },
);

export function receivedRecord(row: DomainReportRow): typeof receivedShape.static {
  const { id, kind, state, fault, organization, sender, reportId, messages, passed, repeats } = row;
  return {
    ...{ id, kind, state, problem: fault === null ? null : FAULTS[fault], problemCode: fault },
    ...{ organization, sender, reportId, domain: row.policyDomain, begunAt: row.begunAt, endedAt: row.endedAt },
    ...{ messages, passed, repeats, lostRows: row.lost, isKept: row.message !== null, receivedAt: row.createdAt },
  };
}
