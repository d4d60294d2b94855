// The search of the guide: what people type in their own words brings the page that answers it first.
import { expect, test } from "bun:test";
import { readAskedAs } from "../src/http/guide/asked-as.ts";
import { htmlOf, pathOf } from "../src/http/guide/markdown.ts";
import { PAGES } from "../src/http/guide/pages.ts";
import { searchGuide } from "../src/http/guide/search.ts";
import { stemOf } from "../src/http/guide/stems.ts";
import { expectCpuBelow } from "./support/cpu-time.ts";

const firstPage = (question: string) => searchGuide(question).sections[0]?.path.replace(/#.*/, "") ?? "none";

test.each([
  ["verify verified verifies verifying verification"],
  ["migrate migrated migrating migration"],
  ["retry retried retries retrying"],
  ["cancel canceled cancelled cancelling"],
  ["configure configured configuration"],
  ["attach attached attachment attachments"],
  ["erase erased erasure"],
])("%s are one word", (words) => {
  expect(new Set(words.split(" ").map(stemOf)).size).toBe(1);
});

test("a misspelt word finds what the right one does (slow)", () => {
  for (const [wrong, right] of [
    ["supression lsit", "suppression list"],
    ["webhok signatur", "webhook signature"],
    ["idempotancy", "idempotency"],
  ] as const)
    expect(searchGuide(wrong).sections[0]?.path).toBe(searchGuide(right).sections[0]?.path ?? "");
});

test("a topic's own page comes before moving and screens, unless the question names them (slow)", () => {
  expect(firstPage("templates")).toBe(pathOf("templates"));
  expect(firstPage("segments")).toBe(pathOf("segments"));
  expect(firstPage("import contacts from plunk")).toBe(pathOf("moving/plunk"));
  expect(firstPage("campaign screen")).toStartWith(pathOf("face/index"));
});

test("a German word, or a part of a compound, is asked in English", () => {
  for (const [german, page] of [
    ["Warteschlange hängt", "operate/troubles"],
    ["Anhänge mitschicken", "sending"],
    ["Kontaktimport", "imports"],
    ["abgelaufenes Zertifikat", "operate/tls"],
  ] as const)
    expect(`${german}: ${firstPage(german)}`).toBe(`${german}: ${pathOf(page)}`);
});

test("a name that programs use is one word", () => {
  for (const [name, page] of [
    ["IDEMPOTENCY_KEY_REUSED", "api"],
    ["STORE_UNAVAILABLE", "operate/troubles"],
    ["POST /v1/verify", "verification"],
    ["campaign.finished", "webhooks"],
    ["bounce_rate_stop", "bounces"],
  ] as const)
    expect(`${name}: ${firstPage(name)}`).toBe(`${name}: ${pathOf(page)}`);
});

test("nothing is found for words that no page has", () => {
  expect(searchGuide("zzqxzzqx").sections).toEqual([]);
  expect(searchGuide("zzqxzzqx").unknown).toEqual(["zzqxzzqx"]);
});

test("each page and heading that is asked as something else is there", () => {
  for (const key of readAskedAs().keys()) {
    const [name = "", anchor] = key.split("#");
    expect(PAGES.has(name) || name === "face").toBe(true);
    if (anchor !== undefined) expect(htmlOf(name)).toContain(` id="${anchor}"`);
  }
});

test("a question of many misspelt words takes little time (slow)", async () => {
  const question = "templaet campaing subsribed atachmnt webhok suppresion verificaton delivrey";
  await expectCpuBelow(200, () => searchGuide(question));
});
