// /.well-known/security.txt (RFC 9116).
import { expect, test } from "bun:test";
import { startPosthorn } from "./support/posthorn.ts";

const PATH = "/.well-known/security.txt";

test("whoever finds a weakness reads whom to tell, and for how long that holds", async () => {
  const config = { http: { baseUrl: "https://mail.example.com" as never, securityEmail: "security@example.com" } };
  await using posthorn = await startPosthorn({ config });
  const answer = await fetch(posthorn.server.url + PATH);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect((await answer.text()).split("\n")).toEqual([
    "Contact: mailto:security@example.com",
    "Expires: 2026-03-31T09:00:00.000Z",
    "Canonical: https://mail.example.com/.well-known/security.txt",
    "",
  ]);
  posthorn.clock.advance(300 * 86_400_000);
  expect(await (await fetch(posthorn.server.url + PATH)).text()).toContain("Expires: 2027-01-25T09:00:00.000Z");
});

test("where nobody is named there is no such file", async () => {
  await using posthorn = await startPosthorn();
  expect((await fetch(posthorn.server.url + PATH)).status).toBe(404);
});
