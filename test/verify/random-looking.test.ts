// Which local parts look like noise, and that names of people in many languages do not.
import { describe, expect, test } from "bun:test";
import { looksRandom } from "../../src/mail/verify/random-looking.ts";

const NOISE = [
  "0199a3b4-7c1e-7d2f-8a3b-1c2d3e4f5a6b",
  "0199a3b47c1e7d2f8a3b1c2d3e4f5a6b",
  "d41d8cd98f00b204e9800998ecf8427e",
  "x7k2p9q4",
  "a8f3k2j9d1",
  "k3j9f8s2lq",
  "u8z2x5v1b7",
  "test.x7k2p9q4w1",
  "x7k2p9q4+shop",
  "xkqzvbnmplr",
  "wqxzjfkvbp",
  "bvcxqzlkj",
  "asdfasdf",
  "hjkl",
  "asdfghjkl",
  "lkjhgfdsa",
  "qwerty123",
  "qwertz",
  "zxcvbnm",
  "aaaaaaaa",
  '"x7k2p9q4"',
];

const NAMES: Readonly<Record<string, string>> = {
  english: "john.smith mary-jane jonathan.armstrong hwright knightley blythe lynch rhys mcknight jfitzgerald bschwartz",
  german: "anna.schmidt bschmidt hirschsprung goetzke schwarzschild pfleiderer jschroeder kschwarzkopf schuetzler",
  dutch: "jvandijk vanderbilt jeroen.schrijver vrijdag mstrijbosch wijnschenk",
  french: "jeanpierre.lefebvre guillaume lhuillier beauchamps mbourgeois xavier.quesnel",
  spanish: "juancarlos.rodriguez mvazquez etxeberria patxi.agirre jlgutierrez",
  italian: "giuseppe.sgarbi gchiaromonte mastroianni dpizzocchero",
  portuguese: "joao.goncalves tchaves mmagalhaes lfigueiredo",
  polish:
    "krzysztof.brzeczyszczykiewicz grzegorz.wrzesniewski mszczepanski pchrzanowski jswierczynski zdzislaw.szczesny",
  czech: "jiri.prchal vstrnad hrstka zdenek.smrz mkrnac",
  croatian: "hrvoje.brkljacic srdjan.crnkovic tvrtko.krpan",
  russian: "vyacheslav.shcherbakov evgeny.khrushchev alexandra.mkrtchyan dzhugashvili",
  ukrainian: "yevhen.zbrozhek oleksandr.khmelnytskyi",
  hungarian: "zsolt.nagy gyorgy.szentgyorgyi kszathmary",
  finnish: "yrjo.maenpaa pekka.vayrynen kyllikki.hyvarinen",
  swedish: "bjorn.lindqvist angstrom sven.backstrom hjalmar.kjellberg",
  icelandic: "gudmundur.thorsteinsson sigridur.hrafnsdottir",
  turkish: "yagmur.ozturk mkucukkaya cgultekin",
  greek: "christos.papadopoulos xenophon.xanthopoulos ppsychogios",
  arabic: "abdulrahman.alqahtani mqasim khawarizmi alghamdi",
  hebrew: "yitzhak.schwartzman tzvi.blumenthal",
  persian: "ashkan.khosravi mzadeh",
  indian: "venkateshwaran.krishnamurthy bhattacharjee srinivasan jyotsna.deshpande",
  chinese: "zhangxiaoming wangqiang liuxinyu xuzhiqiang zhengjunjie wangxing88",
  japanese: "watanabe.shunsuke tsutsumi ryunosuke.kyotani",
  korean: "hyungjoon.kwak seungyeon.hwang",
  vietnamese: "nguyenphuong nguyenthanhphuong phamhongquang trinhngocanh",
  nigerian: "chukwuemeka.nwosu ngozi.mgbechi akpan.ekpenyong",
  georgian: "mgeladze.mtskheta tskhadadze",
  welsh: "llewellyn.gwynfryn myfanwy.prydderch",
  "with years and numbers":
    "anna1990 peter.mueller1985 maria2001x jsmith42 john2smith3 123456789 20240117 s1234567 abc123def456",
  "with accents": "françois.lefèvre łukasz.brzęczyszczykiewicz jiří.dvořák ñandú",
  "in other scripts": "анна.иванова 山田太郎 παπαδόπουλος محمد",
  "of roles":
    "info noreply no-reply postmaster newsletter webmaster hr it support24 sales.team accounting dmarc-reports",
};

test.each(NOISE)("%s looks random", (local) => {
  expect(looksRandom(local)).toBe(true);
});

describe("people's names do not look random", () => {
  test.each(Object.entries(NAMES))("%s", (_, names) => {
    expect(names.split(" ").filter(looksRandom)).toEqual([]);
  });
});

test("most tokens of letters and digits look random", () => {
  // Numbers of a fixed sequence (Numerical Recipes' generator), so that every run sees the same tokens.
  let seed = 1;
  const next = (below: number) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8) % below;
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const tokens = Array.from({ length: 1000 }, () => Array.from({ length: 20 }, () => letters[next(36)]).join(""));
  expect(tokens.filter(looksRandom).length).toBeGreaterThan(800);
});

test("the longest local part and the oddest are looked at in no time", () => {
  for (const local of ["a".repeat(64), "0a".repeat(32), `"${".".repeat(62)}"`, "sch".repeat(21), "+", ""]) {
    expect(looksRandom(local)).toBeBoolean();
  }
});
