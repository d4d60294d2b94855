// GET /submission: the settings with which programs submit mail by SMTP
import { t } from "elysia";
import type { Config } from "../../base/config.ts";
import { countShape, oneOf } from "../../http/answer-shapes.ts";
import { isLoopback } from "../../ground/smtp-listener/offered.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";

/** Any name is accepted: the key is the password. */
const USER = "posthorn";

const submissionShape = t.Object(
  {
    host: t.String({ description: "The name that programs connect to." }),
    ports: t.Array(t.Object({ port: countShape, tls: oneOf("STARTTLS", "TLS") }), {
      description: "Those that are on: STARTTLS, or TLS from the first byte.",
    }),
    user: t.String({ description: "Any name will do; the password is a secret key." }),
    isSelfSigned: t.Boolean({
      description: "The server made its certificate itself: programs that check it refuse it.",
    }),
    isLocal: t.Boolean({ description: "Only programs on the server's own machine can connect." }),
  },
  {
    title: "Submission",
    examples: [
      {
        host: "mail.example.com",
        ports: [
          { port: 587, tls: "STARTTLS" },
          { port: 465, tls: "TLS" },
        ],
        user: USER,
        isSelfSigned: false,
        isLocal: false,
      },
    ],
  },
);

export function submissionRoutes(access: Access, config: Config) {
  const answer = submissionOf(config);
  return routes(access, [
    get(
      "/submission",
      {
        name: "getSubmission",
        summary: "Get where programs submit email by SMTP",
        answers: { 200: submissionShape },
        permission: "read",
        forSenders: true,
      },
      async () => answer,
    ),
  ]);
}

function submissionOf({ smtp, http }: Config): typeof submissionShape.static {
  const ports = [
    { port: smtp.submissionPort, tls: "STARTTLS" as const },
    { port: smtp.submissionsPort, tls: "TLS" as const },
  ];
  return {
    host: smtp.hostname ?? new URL(http.baseUrl).hostname,
    ports: ports.filter(({ port }) => port !== 0),
    user: USER,
    isSelfSigned: smtp.certFile === null,
    isLocal: smtp.host === "localhost" || isLoopback(smtp.host),
  };
}
