// The installation as the interface shows it to its owners; nothing here is a secret.
import { t } from "elysia";
import { HEALTHS } from "../backup/stream/health.ts";
import { relayShape } from "../../sending/open-ways/state-record.ts";
import { countShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";

const spaceShape = t.Object({ path: t.String(), freeBytes: nullable(countShape), totalBytes: nullable(countShape) });

const certificateShape = t.Object({
  subject: t.String(),
  issuer: t.String(),
  validTo: timeShape,
  isSelfSigned: t.Boolean(),
  endsSoon: t.Boolean({ description: "It should have been renewed by now." }),
  fault: t.Union([t.String(), t.Null()], {
    description: "Why ACME has got no newer one, or why the newer one cannot be read; null = nothing was wrong.",
  }),
});

export const installationShape = t.Object(
  {
    version: t.String(),
    engine: t.String(),
    schema: countShape,
    startedAt: timeShape,
    uptimeSeconds: countShape,
    residentBytes: countShape,
    baseUrl: t.String(),
    transport: t.Object({
      kind: oneOf("capture", "smtp", "ses", "graph"),
      target: t.Union([t.String(), t.Null()], {
        description: "Host and port of the relay, the region of Amazon SES, or the mailbox at Microsoft Graph.",
      }),
      returnPathDomain: nullable(t.String()),
    }),
    relay: relayShape,
    reports: t.Union(
      [
        t.Object({
          provider: t.String(),
          url: t.String({ description: "Secret: enter it at the provider. It posts there what becomes of emails." }),
          lastAt: t.Union([timeShape, t.Null()], { description: "To the minute; null = it has never reported." }),
        }),
        t.Null(),
      ],
      { description: "Of the relay's provider; null = `relay.provider` is not set." },
    ),
    limits: t.Object({
      ratePerSecond: t.Union([t.Number({ minimum: 0 }), t.Null()], { description: "null = no limit." }),
      burst: countShape,
      concurrency: countShape,
      requestsPerMinute: t.Union([countShape, t.Null()], { description: "Of a workspace; null = no limit." }),
      bodyBytes: countShape,
      importBytes: countShape,
      executionDays: t.Union([countShape, t.Null()], { description: "null = traces are kept." }),
    }),
    ports: t.Array(t.String({ description: "The number of a port where email is accepted, and what it is for." })),
    certificate: t.Union([certificateShape, t.Null()], {
      description: "Of the ports where email is accepted; null = there are none.",
    }),
    httpCertificate: t.Union([certificateShape, t.Null()], {
      description: "Of the API's port; null = it speaks plain HTTP, as behind a proxy.",
    }),
    alerts: t.Object(
      {
        email: t.Array(t.String(), { description: "`alerts.email`" }),
        from: nullable(t.String({ description: "`alerts.from`" })),
        webhookHost: t.Union([t.String(), t.Null()], {
          description: "Of `alerts.webhook`, whose path may be a secret.",
        }),
        webhookSigned: t.Boolean({ description: "`alerts.webhook_secret` is set." }),
        queueSeconds: { ...countShape, description: "`alerts.queue_after`" },
      },
      { description: "Who is told when something needs the operator." },
    ),
    dataDirectory: spaceShape,
    database: t.Object({
      bytes: nullable(countShape),
      space: t.Union([spaceShape, t.Null()], { description: "Where the file is; null = it is on a server." }),
    }),
    backup: t.Object({
      everySeconds: t.Union([countShape, t.Null()], { description: "null = only by `posthorn backup`." }),
      to: nullable(t.String()),
      isEncrypted: t.Boolean(),
      stream: t.Union(
        [
          t.Object({
            to: t.String(),
            state: oneOf(...HEALTHS),
            lagSeconds: t.Number({
              minimum: 0,
              description: "How old the oldest change is that is not there yet; 0 = all is.",
            }),
            waitingBytes: countShape,
            snapshotAt: t.Union([timeShape, t.Null()], {
              description:
                "When this server's last copy was shipped; null = nothing since its start can be restored yet.",
            }),
            isRefused: t.Boolean({ description: "Another data directory ships to this place: nothing is shipped." }),
            error: t.Union([t.String(), t.Null()], { description: "Why the last attempt failed; null = it did not." }),
            standby: t.Union(
              [
                t.Object({
                  host: t.String(),
                  seenAt: timeShape,
                  reachedAt: t.Union([timeShape, t.Null()], {
                    description: "All changes until then are in its copy; null = the copy is not whole yet.",
                  }),
                }),
                t.Null(),
              ],
              { description: "The `posthorn standby` that follows, as it last said; null = none ever did." },
            ),
          }),
          t.Null(),
        ],
        { description: "What ships each change behind its commit; null = `backup.stream` is not set." },
      ),
      last: t.Union(
        [
          t.Object({
            name: t.String(),
            startedAt: timeShape,
            endedAt: t.Union([timeShape, t.Null()], { description: "null = it is being made." }),
            databaseBytes: nullable(countShape),
            error: t.Union([t.String(), t.Null()], { description: "Why it failed; null = it did not." }),
          }),
          t.Null(),
        ],
        { description: "By schedule or by hand; null = there was none." },
      ),
    }),
    counts: t.Object({ workspaces: countShape, contacts: countShape, people: countShape }),
  },
  { title: "Installation" },
);

export type InstallationRecord = typeof installationShape.static;
