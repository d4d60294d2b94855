// Which moments a time in a zone means, without a browser.
import { expect, test } from "bun:test";
import { isKnownZone, momentsOf } from "../../web/base/zones.ts";

const moments = (local: string, zone = "Europe/Berlin") =>
  momentsOf(local, zone).map((ms) => new Date(ms).toISOString().replace(":00.000Z", "Z"));

test("a time means one moment, by the summer or winter of its zone", () => {
  expect(moments("2026-11-24T09:00")).toEqual(["2026-11-24T08:00Z"]);
  expect(moments("2026-07-24T09:00")).toEqual(["2026-07-24T07:00Z"]);
  expect(moments("2026-07-24T09:00", "America/New_York")).toEqual(["2026-07-24T13:00Z"]);
  expect(moments("2026-07-24T00:15", "Asia/Kathmandu")).toEqual(["2026-07-23T18:30Z"]);
  expect(moments("2026-07-24T09:00", "UTC")).toEqual(["2026-07-24T09:00Z"]);
});

test("a time over which the clocks go forward means none, and those around it one", () => {
  expect(["02:00", "02:30", "02:59"].map((time) => moments(`2026-03-29T${time}`))).toEqual([[], [], []]);
  expect(moments("2026-03-29T01:59")).toEqual(["2026-03-29T00:59Z"]);
  expect(moments("2026-03-29T03:00")).toEqual(["2026-03-29T01:00Z"]);
  expect(moments("2026-10-04T02:15", "Australia/Lord_Howe")).toEqual([]);
});

test("a time that comes twice when the clocks go back means both, earliest first", () => {
  expect(moments("2026-10-25T02:30")).toEqual(["2026-10-25T00:30Z", "2026-10-25T01:30Z"]);
  expect(moments("2026-10-25T01:59")).toEqual(["2026-10-24T23:59Z"]);
  expect(moments("2026-10-25T03:00")).toEqual(["2026-10-25T02:00Z"]);
  expect(moments("2026-11-01T01:30", "America/New_York")).toEqual(["2026-11-01T05:30Z", "2026-11-01T06:30Z"]);
});

test("what is no time means none, and a zone without tables is known to be one", () => {
  expect([moments(""), moments("2026-13-01T09:00"), moments("tomorrow")]).toEqual([[], [], []]);
  expect([isKnownZone("Europe/Berlin"), isKnownZone("Mars/Olympus")]).toEqual([true, false]);
});
