// What looking up the address for complaints costs: src/tenant/domains/feedback-address.ts.
import { expect, test } from "bun:test";
import { FeedbackAddresses } from "../../src/tenant/domains/feedback-address.ts";
import { workspace } from "../support/workspace.ts";

test("emails that leave at once share one look at their domain, and a look that failed is none", async () => {
  await using posthorn = await workspace();
  let reads = 0;
  let isDown = true;
  const store = Object.create(posthorn.store) as typeof posthorn.store;
  store.read = (work) => {
    reads++;
    return isDown ? Promise.reject(new Error("down")) : posthorn.store.read(work);
  };
  const config = {
    http: { baseUrl: "https://mail.example.test" },
    smtp: { hostname: null, inboundPort: 25 },
    delivery: { transport: "smtp", returnPathDomain: "bounces.example.test" },
  };
  const ground = { config, clock: posthorn.clock, store, ways: { used: [] } } as never;
  const addresses = new FeedbackAddresses(ground);
  expect(await addresses.of("example.test").catch(({ message }: Error) => message)).toBe("down");
  isDown = false;
  const all = await Promise.all(Array.from({ length: 50 }, () => addresses.of("example.test")));
  expect(new Set(all)).toEqual(new Set(["fbl@bounces.example.test"]));
  expect(reads).toBe(2);
  posthorn.clock.advance(11 * 60_000);
  await addresses.of("example.test");
  expect(reads).toBe(3);
});
