// Slips in well-known domains, and neighbours that are none.
import { expect, test } from "bun:test";
import { editDistance } from "../../src/base/edit-distance.ts";
import { isUnder, lists, PROVIDER_NAMES } from "../../src/mail/verify/lists.ts";
import { meantDomain } from "../../src/mail/verify/typo.ts";

test.each([
  ["gmial.com", "gmail.com"],
  ["gmai.com", "gmail.com"],
  ["gmaill.com", "gmail.com"],
  ["gnail.com", "gmail.com"],
  ["gmail.con", "gmail.com"],
  ["gmail.co", "gmail.com"],
  ["gmail.cm", "gmail.com"],
  ["gmial.con", "gmail.com"],
  ["hotmial.com", "hotmail.com"],
  ["hotmail.comm", "hotmail.com"],
  ["outlok.com", "outlook.com"],
  ["yaho.com", "yahoo.com"],
  ["yahho.co.uk", "yahoo.co.uk"],
  ["iclod.com", "icloud.com"],
  ["protnomial.com", "protonmail.com"],
  ["gmx.nte", "gmx.net"],
  ["aol.con", "aol.com"],
  ["hotmali.fr", "hotmail.fr"],
  ["outlok.fr", "outlook.fr"],
  ["hotmial.co.uk", "hotmail.co.uk"],
  ["yaho.com.br", "yahoo.com.br"],
  ["hotmail.cm", "hotmail.com"],
  ["googelmail.com", "googlemail.com"],
  ["comcats.net", "comcast.net"],
  ["t-onlin.de", "t-online.de"],
])("%s is meant to be %s", (written, meant) => {
  expect(meantDomain(written, lists().wellKnown)).toBe(meant);
});

test.each([
  ...["gmail.com", "hotmail.co.uk", "yahoo.co.uk", "hotmail.cz", "gmx.ch", "web.dk", "aol.co", "googlemail.com"],
  ...["mail.com", "ymail.com", "email.com", "wahoo.com", "cloud.com", "company.com", "example.test", "posteo.de"],
  ...["mail.gmial.com", "xn--gmil-0na.com", "a.b"],
  ...["casio.com", "iceland.com", "elvie.com", "quest.net", "spice.com", "lawyers.com", "iceland.co.uk", "photon.me"],
  ...["cloud.com", "libera.it", "telnet.be", "outlook.nl", "yahoo.at", "hotmail.ch", "roger.com", "oranges.fr"],
])("%s is no slip", (domain) => {
  expect(meantDomain(domain, lists().wellKnown)).toBeNull();
});

test("no neighbour is near to nothing", () => {
  const { neighbours, wellKnown } = lists();
  for (const domain of neighbours) expect([domain, meantDomain(domain, wellKnown)]).not.toEqual([domain, null]);
});

test.each([
  ["gmail", "gmail", 0],
  ["gmial", "gmail", 1],
  ["gmal", "gmail", 1],
  ["gmaail", "gmail", 1],
  ["gmeil", "gmail", 1],
  ["", "ab", 2],
  ["ab", "", 2],
  ["abc", "cab", 2],
] as const)("from %s to %s it is %i", (one, other, slips) => {
  expect(editDistance(one, other)).toBe(slips);
});

test("the lists are whole, in lower case, and apart", () => {
  const { disposable, personal, forwarding, wellKnown } = lists();
  expect(disposable.size).toBeGreaterThan(5_000);
  expect(personal.size).toBeGreaterThan(3_000);
  expect(wellKnown.length).toBeGreaterThan(150);
  const names = new Set(wellKnown.map((domain) => domain.split(".")[0]));
  expect(PROVIDER_NAMES.filter((name) => !names.has(name))).toEqual([]);
  const all = [...disposable, ...personal, ...forwarding];
  expect(all.filter((domain) => !/^[a-z0-9.-]+\.[a-z0-9-]+$/.test(domain))).toEqual([]);
  expect([...personal].filter((domain) => disposable.has(domain))).toEqual([]);
});

test("a name counts as under itself and what is above it, not beside it", () => {
  const set = new Set(["mailinator.com"]);
  const names = ["mailinator.com", "x.mailinator.com", "a.b.mailinator.com", "notmailinator.com", "com"];
  expect(names.map((name) => isUnder(set, name))).toEqual([true, true, true, false, false]);
});
