// The installation as the interface shows it to its owners; nothing here is a secret.
import { t } from "elysia";
import { relayShape } from "../delivery/queue/record.ts";
import { countShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";

const spaceShape = t.Object({ path: t.String(), freeBytes: nullable(countShape), totalBytes: nullable(countShape) });

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
      kind: oneOf("capture", "smtp", "ses"),
      target: t.Union([t.String(), t.Null()], {
        description: "Host and port of the relay, or the region of Amazon SES.",
      }),
      returnPathDomain: nullable(t.String()),
    }),
    relay: relayShape,
    limits: t.Object({
      ratePerSecond: t.Union([t.Number({ minimum: 0 }), t.Null()], { description: "null = no limit." }),
      burst: countShape,
      concurrency: countShape,
      requestsPerMinute: t.Union([countShape, t.Null()], { description: "Of a workspace; null = no limit." }),
      bodyBytes: countShape,
      importBytes: countShape,
      executionDays: t.Union([countShape, t.Null()], { description: "null = traces are kept." }),
    }),
    ports: t.Array(t.String({ description: "The number of a port where mail is accepted, and what it is for." })),
    certificate: t.Union(
      [
        t.Object({
          subject: t.String(),
          issuer: t.String(),
          validTo: timeShape,
          isSelfSigned: t.Boolean(),
        }),
        t.Null(),
      ],
      { description: "Of the ports where mail is accepted; null = there are none." },
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
