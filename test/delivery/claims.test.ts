// How long a process may count on the mails that it has claimed.
import { expect, test } from "bun:test";
import { Claims } from "../../src/sending/delivery/claims.ts";
import type { MailToSend } from "../../src/mail/emails/queries.ts";
import { AppError } from "../../src/base/errors.ts";
import { createLog } from "../../src/base/log.ts";
import type { Store } from "../../src/store/store.ts";
import { TestClock } from "../support/clock.ts";

test("a claim is given up while the store cannot say whose it is", async () => {
  const clock = new TestClock();
  const write = () => Promise.reject(new AppError("STORE_UNAVAILABLE", "The database is away."));
  const store = { exclusive: false, write } as unknown as Store;
  const log = createLog({ level: "error", format: "text", clock, write: () => undefined });
  const claims = new Claims({ store, clock, log, leaseMs: 90_000 });
  claims.took(1, clock.monotonicMs());
  expect(claims.isOwn({ seq: 1, attempts: 1 } as MailToSend)).toBe(true);
  const hold = claims.holdOf(1);
  expect(await hold?.()).toBe(60_000);
  clock.advance(60_000);
  expect(await hold?.()).toBe(0);
});
