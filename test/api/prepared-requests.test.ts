// What is made ready of a request before its route has it: no more than the routes look at.
import { expect, test } from "bun:test";
import { anyKey, secretKey, secretKeyBodyUnread, type Access } from "../../src/tenant/access/auth.ts";
import { route, routes } from "../../src/tenant/access/route-table.ts";
import { frame } from "../../src/http/frame.ts";
import { createLog } from "../../src/base/log.ts";
import { Metrics } from "../../src/base/metrics/metrics.ts";
import { TestClock } from "../support/clock.ts";

test.each([
  ["with a secret key", secretKey],
  ["that reads its body itself", secretKeyBodyUnread],
  ["with a public key", anyKey],
])("a route %s has neither cookies nor headers read for it", (_, key) => {
  const clock = new TestClock();
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const declared = { name: "look", summary: "Look", answers: { 200: null }, permission: "read" } as const;
  const table = [route("GET", "/", declared, () => "")];
  const [handler] = frame({ clock, log, metrics: new Metrics() })
    .use(routes({} as Access, table, key))
    .compile()
    .routes.filter(({ method }) => method === "GET")
    .map((route) => String(route.compile()));
  expect(handler).toContain("transform");
  expect(handler).not.toMatch(/parseCookie|toJSON/);
});
