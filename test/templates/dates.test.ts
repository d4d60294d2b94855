// Times in templates are the same on every machine: one without an offset is in UTC.
import { afterEach, expect, test } from "bun:test";
import { render } from "../../src/content/templates/liquid/render.ts";

const ownZone = process.env["TZ"];
afterEach(() => {
  process.env["TZ"] = ownZone ?? "UTC";
});

const SHOWN: readonly (readonly [value: string, shown: string])[] = [
  ["2026-03-14 00:00:00", "2026-03-14 00:00"],
  ["2026-03-14T00:00", "2026-03-14 00:00"],
  ["2026-03-14T23:59:59.999", "2026-03-14 23:59"],
  ["2026-03-14", "2026-03-14 00:00"],
  ["2026-3-4", "2026-03-04 00:00"],
  ["March 14, 2026", "2026-03-14 00:00"],
  ["14 March 2026 10:00 PM", "2026-03-14 22:00"],
  ["03/14/2026", "2026-03-14 00:00"],
  ["2026/03/14", "2026-03-14 00:00"],
  // Clocks in Berlin skip this.
  ["2026-03-29 02:30", "2026-03-29 02:30"],
  ["2026-03-14T00:30:00+02:00", "2026-03-13 22:30"],
  ["2026-03-14 00:30 -0500", "2026-03-14 05:30"],
  ["2026-03-14T00:30:00Z", "2026-03-14 00:30"],
  ["Sat, 14 Mar 2026 00:30:00 GMT", "2026-03-14 00:30"],
  ["Sat Mar 14 2026 00:30:00 GMT+0100 (Central European Standard Time)", "2026-03-13 23:30"],
  ["1773446400", "2026-03-14 00:00"],
  ["soon", "soon"],
];

test.each(["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Asia/Kolkata"])("in %s", (zone) => {
  process.env["TZ"] = zone;
  for (const format of ["html", "text", "url"] as const)
    for (const [value, shown] of SHOWN) {
      // As far as the machine has such a time of day at all.
      if (shown.endsWith("02:30") && zone === "Europe/Berlin") continue;
      const said = render(`{{ at | date: "%Y-%m-%d %H:%M" }}`, { at: value }, format);
      expect([value, decodeURIComponent(said)]).toEqual([value, shown]);
    }
  const texts = (source: string) => render(source, { at: "2026-03-14 00:30" }, "text");
  expect(texts("{{ at | date_to_string }}")).toBe("14 Mar 2026");
  expect(texts("{{ at | date_to_long_string }}")).toBe("14 March 2026");
  expect(texts("{{ at | date_to_xmlschema }}")).toBe("2026-03-14T00:30:00+00:00");
  expect(texts("{{ at | date_to_rfc822 }}")).toBe("Sat, 14 Mar 2026 00:30:00 +0000");
  expect(texts('{{ at | date: "%H:%M", "America/New_York" }}')).toBe("20:30");
  expect(texts('{% assign now = "now" | date: "%s" %}{{ now }}')).toMatch(/^\d{10}$/);
  expect(texts('{{ "now" | date: "%Y-%m-%d" }}')).toBe(new Date().toISOString().slice(0, 10));
});

test("a program of ours leaves the zone of its machine, so that hours which clocks skip there are shown as well", () => {
  const source = new URL("../../src/base/config.ts", import.meta.url).pathname;
  const renderer = new URL("../../src/content/templates/liquid/render.ts", import.meta.url).pathname;
  const script = `
    const { leaveTimeZone } = await import(${JSON.stringify(source)});
    leaveTimeZone();
    const { render } = await import(${JSON.stringify(renderer)});
    console.log(render('{{ "2026-03-29 02:30" | date: "%H:%M" }}', {}, "text"));`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { env: { ...process.env, TZ: "Europe/Berlin" } });
  expect(stdout.toString()).toBe("02:30\n");
});
