// A child of the bench: Bun's HTTP server alone, which reads each request whole and always answers as Posthorn does to
// /v1/send.
import { answerTasks } from "./child.ts";

const ID = "0199a3b4-0000-7000-8001-000000000000";
const ANSWER = JSON.stringify({
  success: true,
  data: {
    emails: [{ contact: { id: ID, email: "u1700000000000000.n1@example.com" }, email: ID }],
    timestamp: "2026-01-01T00:00:00.000Z",
  },
});

/** Answers the port. */
answerTasks(() => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      await request.bytes();
      return new Response(ANSWER, { headers: { "content-type": "application/json" } });
    },
  });
  return server.port;
});
