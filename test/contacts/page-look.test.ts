// Recipient pages in whatever colours a brand has: words are legible (WCAG 2.2), and a button is seen.
import { expect, test } from "bun:test";
import { lookOf } from "../../src/content/pages/look.ts";

const NONE = { font: null, logoUrl: null, logoAlt: null, pageFooter: null };

/** Relative luminance by whole bytes, as in the table of a designer. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = (colour.match(/[0-9a-f]{2}/gi) ?? [])
      .map((byte) => Number(`0x${byte}`) / 255)
      .map((share) => (share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4)));
    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  };
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a, b) / Math.min(a, b);
}

const STEPS = ["00", "80", "ff"];
const CUBE = STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)));

test("in both schemes, words are legible on every paper, ground and button, and a button is seen on its paper", () => {
  for (const one of CUBE)
    for (const other of CUBE) {
      const colors = { paper: one, ground: other, ink: other, accent: other, onAccent: one };
      const { light, dark } = lookOf({ ...NONE, colors });
      for (const { paper, ground, ink, around, link, accent, onAccent, edge } of dark ? [light, dark] : [light]) {
        const pairs = [
          contrast(ink, paper),
          contrast(around, ground),
          contrast(link, paper),
          contrast(onAccent, accent),
        ];
        expect([colors, Math.min(...pairs) >= 4.5]).toEqual([colors, true]);
        expect([colors, contrast(edge, paper) >= 3]).toEqual([colors, true]);
      }
    }
});

test("links have the accent, and as much white in it in the dark as they need to be read", () => {
  const { light, dark } = lookOf({ ...NONE, colors: { accent: "#1f7246" } });
  expect([light.link, dark?.link]).toEqual(["#1f7246", "#4c8e6b"]);
});

test("a font that readers may lack is followed by others, so that nobody reads Times", () => {
  const fontOf = (font: string) => lookOf({ ...NONE, colors: {}, font }).font ?? "";
  expect(fontOf("Söhne Breit, ")).toMatch(/^Söhne Breit, .*Arial, sans-serif$/);
  for (const font of ["Georgia, serif", "Inter,sans-serif", "ui-rounded", "Courier, MONOSPACE "])
    expect(fontOf(font)).toBe(font);
});

test("colours that are legible are kept as they are", () => {
  const colors = { paper: "#fffaf0", ground: "#f3e9d2", ink: "#222222", accent: "#22423d", onAccent: "#fff4e0" };
  const { light, dark } = lookOf({ ...NONE, colors });
  expect(light).toMatchObject(colors);
  expect(dark).toMatchObject({ accent: "#22423d", onAccent: "#fff4e0" });
});

test("a brand whose paper is dark has it in both schemes", () => {
  expect(lookOf({ ...NONE, colors: { paper: "#101820", ink: "#f2f2f2" } }).dark).toBeNull();
});

test.each([
  ["https://mail.example.com:8484/i/a.png", "https://mail.example.com:8484"],
  ["http://[::1]/a.png", "http://[::1]"],
  ["https://bücher.example/a;b,c.png", "https://xn--bcher-kva.example"],
  ["https://a.example;sandbox/a.png", undefined],
  ["https://", undefined],
])("the logo %s is loaded from %s", (logoUrl, origin) => {
  expect(lookOf({ ...NONE, colors: {}, logoUrl }).logo?.origin).toBe(origin as never);
});

test.each([
  ["Georgia, serif", true],
  ["'Segoe UI', \"Söhne Breit\", sans-serif", true],
  ['"Georgia', false],
  ["Georgia; color: red", false],
  ["url(x)", false],
])("the font %s is taken: %s", (font, isTaken) => {
  expect(lookOf({ ...NONE, colors: {}, font }).font).toBe(isTaken ? font : null);
});
