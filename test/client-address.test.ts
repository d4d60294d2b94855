// Which client a request comes from, and how clients are counted.
import { describe, expect, test } from "bun:test";
import { ClientAddresses } from "../src/http/client-address.ts";
import { hostOf, networkOf } from "../src/base/ip-addresses.ts";
import { SlidingLimit } from "../src/base/brakes/sliding-limit.ts";

describe("the client", () => {
  const cases: readonly [
    what: string,
    trusted: string[],
    peer: string,
    forwarded: string | null,
    client: string | null,
  ][] = [
    ["is who is connected", [], "203.0.113.9", null, "203.0.113.9"],
    ["is not whom a stranger names", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["is unknown behind a proxy that nobody has named", [], "127.0.0.1", "198.51.100.1", null],
    ["is unknown in a private network", [], "::ffff:10.1.2.3", null, null],
    ["is an IPv4 address that is written as IPv6", [], "::ffff:198.51.100.1", null, "198.51.100.1"],
    ["is the same address in hexadecimal groups", [], "::ffff:c633:6401", null, "198.51.100.1"],
    ["is the same address at full length", [], "0:0:0:0:0:FFFF:C633:6401", null, "198.51.100.1"],
    ["is named so by a trusted proxy too", ["127.0.0.1"], "::ffff:7f00:1", "::ffff:c633:6401", "198.51.100.1"],
    ["is not an IPv4 address for a few zeros", [], "::fffe:c633:6401", null, "::fffe:c633:6401"],
    ["is whom a trusted proxy names", ["127.0.0.1"], "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    [
      "is the last that is no proxy",
      ["10.0.0.0/8", "::1"],
      "::1",
      "192.0.2.66, 198.51.100.1, 10.0.0.7",
      "198.51.100.1",
    ],
    ["is found behind IPv6 proxies", ["2001:db8::/32"], "2001:db8::5", "2a00:1450::99", "2a00:1450::99"],
    ["may be written with a port", ["127.0.0.1"], "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["may be written with brackets", ["127.0.0.1"], "127.0.0.1", "[2a00:1450::99]:4711", "2a00:1450::99"],
    ["is unknown where the proxy names none", ["127.0.0.1"], "127.0.0.1", null, null],
    ["is unknown where what it names is no address", ["127.0.0.1"], "127.0.0.1", "198.51.100.1, unknown", null],
    ["is not a proxy", ["127.0.0.1", "192.0.2.0/24"], "127.0.0.1", "192.0.2.4", null],
  ];
  test.each(cases)("%s", (_, trusted, peer, forwarded, client) => {
    expect(new ClientAddresses(trusted).clientOf(peer, forwarded)).toBe(client);
  });

  test("has a house and a network", () => {
    const places = ["198.51.100.1", "2001:db8:1:2:3::4", "2001:db8::", "::ffff:0:1"].map((one) => [
      hostOf(one),
      networkOf(one),
    ]);
    expect(places).toEqual([
      ["198.51.100.1", "198.51.100"],
      ["2001:db8:1:2", "2001:db8:1"],
      ["2001:db8:0:0", "2001:db8:0"],
      ["0:0:0:0", "0:0:0"],
    ]);
  });
});

describe("a sliding limit", () => {
  test("lets through so many in any window, and tells when there is room again", () => {
    const limit = new SlidingLimit(2, 10_000);
    const through: number[] = [];
    for (let nowMs = 0; nowMs <= 30_000; nowMs += 1_000) {
      if (limit.waitSeconds("a", nowMs) > 0) continue;
      limit.count("a", nowMs);
      through.push(nowMs / 1000);
    }
    expect(through).toEqual([0, 1, 10, 11, 20, 21, 30]);
    expect(limit.waitSeconds("a", 30_500)).toBe(1);
    expect(limit.waitSeconds("b", 30_500)).toBe(0);
  });

  test("forgets clients that have left the window, and never remembers more than ten thousand", () => {
    const limit = new SlidingLimit(1, 10_000);
    for (let key = 0; key < 12_000; key++) limit.count(String(key), 0);
    expect(limit.size).toBe(10_000);
    expect(limit.waitSeconds("11999", 1)).toBe(10);
    limit.count("new", 10_000);
    expect(limit.size).toBe(1);
  });
});
