// Where programs hand in mail by SMTP, as the interface tells it.
import { expect, test } from "bun:test";
import { ask } from "../support/scenario.ts";
import { startSubmission } from "../support/submission.ts";
import { workspace } from "../support/workspace.ts";

test("the ports that are on are named, with how they are secured", async () => {
  const smtp = { hostname: "mail.example.com", submissionsPort: 0 };
  const { posthorn, ports } = await startSubmission({ config: { smtp } });
  await using _ = posthorn;
  expect((await ask(posthorn, "GET /submission")).body).toEqual({
    host: "mail.example.com",
    ports: [{ port: ports.starttls, tls: "STARTTLS" }],
    user: "posthorn",
    isSelfSigned: true,
    isLocal: true,
  });
});

test("a server without a name of its own goes by that of its address (slow)", async () => {
  const config = { http: { baseUrl: "https://post.example.com" }, smtp: { host: "0.0.0.0" } };
  await using posthorn = await workspace({ config });
  const { host, ports, isLocal } = (await ask(posthorn, "GET /submission")).body;
  expect([host, ports, isLocal]).toEqual(["post.example.com", [], false]);
});
