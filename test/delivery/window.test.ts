import { expect, test } from "bun:test";
import { Window } from "../../src/delivery/window.ts";

const QUICK_MS = 1;
const SLOW_MS = 20;

test("with a rate, no more is in hand than there are connections", () => {
  expect(new Window(10, true).room(0)).toBe(10);
});

test("without one, each connection has its next mails waiting", () => {
  expect(new Window(10, false).room(0)).toBe(40);
});

test("claims are made for a good part of the window, not mail by mail", () => {
  const window = new Window(10, false);
  expect(window.room(21)).toBe(0);
  expect(window.room(20)).toBe(20);
});

test("while requests wait for the store fewer mails are in hand, and never none", () => {
  const window = new Window(10, false);
  for (let claims = 0; claims < 20; claims++) window.claimTook(SLOW_MS);
  expect(window.room(0)).toBe(2);
});

test("when the pressure is gone all connections are busy again", () => {
  const window = new Window(10, false);
  for (let claims = 0; claims < 20; claims++) window.claimTook(SLOW_MS);
  for (let claims = 0; claims < 20; claims++) window.claimTook(QUICK_MS);
  expect(window.room(0)).toBe(40);
});

test("where mails leave fast, as many are in hand as leave in 50 ms, and as many as ever when they leave slowly again", () => {
  const window = new Window(10, false);
  let atMs = 0;
  const claims = (count: number, everyMs: number) => {
    for (let claim = 0; claim < 60; claim++) window.claimTook(QUICK_MS, count, (atMs += everyMs));
  };
  claims(30, 10);
  expect(window.room(0)).toBeWithin(145, 151);
  claims(400, 10);
  expect(window.room(0)).toBe(200);
  claims(40, 1000);
  expect(window.room(0)).toBe(40);
});

test("with a rate, mails that leave fast change nothing", () => {
  const window = new Window(10, true);
  for (let claim = 1; claim < 60; claim++) window.claimTook(QUICK_MS, 10, claim);
  expect(window.room(0)).toBe(10);
});
