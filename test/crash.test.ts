// What was answered 200 survives a kill -9; and the judge of that can say no. More kills are in crash-again.test.ts.
import { describe, expect, test } from "bun:test";
import { killAgainAndAgain } from "./crash/scenarios.ts";
import { type Evidence, faultsIn } from "./crash/verdict.ts";

test("what was answered 200 survives a kill, and only what was in hand then arrives twice", async () => {
  const report = await killAgainAndAgain({ kills: 1, seed: 1 });
  expect(report.faults).toEqual([]);
  expect(report.accepted).toBeGreaterThan(1);
}, 600_000);

describe("the judge", () => {
  const ada = { id: "a", recipient: "ada@example.com" };
  const bob = { id: "b", recipient: "bob@example.com" };
  const arrival = (mail: typeof ada, run = 0, atMs = 60_000) => ({
    ...mail,
    messageId: `<${mail.id}@example.test>`,
    client: "",
    run,
    atMs,
  });
  const settled = (mail: typeof ada) => ({ ...mail, status: "SENT", sentEvents: 1 });
  const kept: Evidence = {
    exchanges: [{ recipients: [ada.recipient, bob.recipient], ids: ["a", "b"] }],
    arrivals: [arrival(ada), arrival(bob)],
    inHand: [new Set(["a"]), new Set()],
    mails: [settled(ada), settled(bob)],
  };
  const unanswered = [{ recipients: [ada.recipient, bob.recipient], ids: null }];

  test.each<[string, Partial<Evidence>]>([
    ["one that was kept", {}],
    ["a mail in hand at the kill that arrives again", { arrivals: [...kept.arrivals, arrival(ada, 1)] }],
    [
      "a mail that arrived while the database was away",
      { arrivals: [...kept.arrivals, arrival(bob)], outages: [{ fromMs: 59_000, toMs: 61_000 }] },
    ],
    [
      "a refused request that left nothing",
      { exchanges: [...kept.exchanges, { recipients: ["eve@example.com"], ids: [] }] },
    ],
    ["a request without an answer that was stored", { exchanges: unanswered }],
    ["a request without an answer that was not stored", { exchanges: unanswered, arrivals: [], mails: [] }],
  ])("finds nothing in %s", (_, change) => {
    expect(faultsIn({ ...kept, ...change })).toEqual([]);
  });

  test.each<[string, Partial<Evidence>, string]>([
    ["an accepted mail that is missing", { arrivals: [arrival(ada)] }, "b was accepted and never arrived"],
    [
      "an arrival that nobody stored",
      { arrivals: [...kept.arrivals, arrival({ ...ada, id: "x" }, 1)] },
      "<x@example.test> arrived",
    ],
    ["a duplicate that was not in hand", { arrivals: [...kept.arrivals, arrival(bob, 1)] }, "b arrived again"],
    [
      "a duplicate long before the database was away",
      { arrivals: [...kept.arrivals, arrival(bob, 1)], outages: [{ fromMs: 62_000, toMs: 63_000 }] },
      "b arrived again",
    ],
    [
      "a refused request that was stored",
      { exchanges: [{ recipients: [ada.recipient, bob.recipient], ids: [] }] },
      "left a,b",
    ],
    ["a duplicate without a kill", { arrivals: [...kept.arrivals, arrival(ada)] }, "a arrived twice in run 0"],
    [
      "a duplicate of another name",
      { arrivals: [...kept.arrivals, { ...arrival(ada, 1), messageId: "<a@x>" }] },
      "then <a@x>",
    ],
    [
      "a mail that was left in hand",
      { mails: [settled(ada), { ...settled(bob), status: "SENDING" }] },
      "b ended as SENDING",
    ],
    ["a second event", { mails: [settled(ada), { ...settled(bob), sentEvents: 2 }] }, "with 2 email.sent"],
    ["half a request", { exchanges: unanswered, arrivals: [arrival(ada)], mails: [settled(ada)] }, "left a,"],
    ["a second mail for one recipient", { mails: [...kept.mails, settled({ ...ada, id: "c" })] }, "left a+c,b"],
  ])("finds %s", (_, change, fault) => {
    expect(faultsIn({ ...kept, ...change }).join("\n")).toContain(fault);
  });
});
