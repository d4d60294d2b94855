// Where webhooks may go: only what is on the public internet, however its address is written.
import { expect, test } from "bun:test";
import { isPublicAddress } from "../../src/base/ip-addresses.ts";
import { targetOf } from "../../src/programs/webhooks/sending/target.ts";
import { closedPortOf } from "../../src/programs/webhooks/sending/url.ts";

const OPEN = [
  "1.1.1.1",
  "93.184.215.14",
  "172.15.255.255",
  "172.32.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "198.17.0.1",
  "223.255.255.255",
];
const OPEN_IPV6 = [
  "2606:4700:4700::1111",
  "2a00:1450::1",
  "2001:4860:4860::8888",
  "::ffff:1.1.1.1",
  "64:ff9b::101:101",
];

test.each([...OPEN, ...OPEN_IPV6])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const CLOSED = [
  ...[
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
  ],
  ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1"],
  ...[
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "239.1.2.3",
    "240.0.0.1",
    "255.255.255.255",
  ],
  ...["::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::ffff:0:127.0.0.1"],
  ...[
    "64:ff9b::7f00:1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::1.1.1.1",
    "100::1",
    "2001::1",
    "2001:0:53aa:64c:0:0:0:1",
  ],
  ...[
    "2001:db8::1",
    "2001:10::1",
    "2002:7f00:1::",
    "2002:0101:0101::1",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
  ],
  ...["fe80::1%eth0", "fec0::1", "ff02::1", "4000::1", "localhost", "", "1.1.1", "1.1.1.1.1", "0x7f.1"],
];

test.each(CLOSED)("%s is not", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

const interfaces = () => ({});
const nowhere = { allow: [], interfaces, lookUp: async () => ["93.184.215.14"] };
const refusedForms = [
  "http://2130706433/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://0/",
  "http://017700000001/",
  "http://[::1]/",
  "http://[::ffff:7f00:1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[::]:8080/",
  "http://169.254.169.254/latest/meta-data/",
  "http://user@example.com/",
  "http://example.com:25/",
  "http://example.com:22/",
  "ftp://example.com/",
  "file:///etc/passwd",
];

test.each(refusedForms)("%s is refused", async (url) => {
  expect(await targetOf(new URL(url), nowhere)).toEqual({ refused: expect.any(String) });
});

test.each(["http://1.1.1.1/", "http://example.com/", "https://example.com:8443/", "http://16843009/"])(
  "%s is called",
  async (url) => {
    expect(await targetOf(new URL(url), nowhere)).toEqual({ addresses: [expect.any(String)] });
  },
);

test("a name that stands for something private is refused, also among others, and with a dot at its end", async () => {
  for (const addresses of [["127.0.0.1"], ["93.184.215.14", "192.168.0.1"], ["::ffff:10.0.0.1"]]) {
    const rules = { allow: [], interfaces, lookUp: async () => addresses };
    expect(await targetOf(new URL("http://localhost./"), rules)).toEqual({ refused: expect.any(String) });
  }
});

test("the configuration opens a host, or one port of it, and nothing beside", async () => {
  const allow = ["hooks.internal", "10.0.0.5:8080", "::1"];
  const rules = { allow, interfaces, lookUp: async () => ["10.0.0.9"] };
  const isOpen = async (url: string) => "addresses" in (await targetOf(new URL(url), rules));
  expect(await isOpen("http://hooks.internal:99/")).toBe(true);
  expect(await isOpen("https://hooks.internal./")).toBe(true);
  expect(await isOpen("http://10.0.0.5:8080/")).toBe(true);
  expect(await isOpen("http://10.0.0.5/")).toBe(false);
  expect(await isOpen("http://[::1]:99/")).toBe(true);
  expect(await isOpen("http://x.hooks.internal/")).toBe(false);
});

const at = (address: string, family: "IPv4" | "IPv6", cidr: string) =>
  ({ address, family, cidr, netmask: "", mac: "", internal: false, scopeid: 0 }) as const;
const publicMachine = {
  eth0: [at("93.184.215.14", "IPv4", "93.184.215.14/24"), at("2a01:4f8:1:2::1", "IPv6", "2a01:4f8:1:2::1/64")],
  wg0: [at("2a02:898::7", "IPv6", "2a02:898::7/128")],
};
const onPublicMachine = async (url: string, allow: readonly string[] = []) =>
  targetOf(new URL(url), { allow, interfaces: () => publicMachine, lookUp: async () => ["93.184.215.14"] });

test.each([
  "http://93.184.215.14:8484/",
  "http://[::ffff:93.184.215.14]/",
  "http://[64:ff9b::93.184.215.14]/",
  "https://hooks.example.com/",
  "http://[2a01:4f8:1:2::1]/",
  "http://[2a01:4f8:1:2:ffff::9]/",
  "http://[2a02:898::7]/",
])("%s is this machine or in its IPv6 subnet, and refused", async (url) => {
  expect(await onPublicMachine(url)).toEqual({ refused: expect.stringContaining("this machine") });
});

test("what is beside this machine is called, and the configuration opens the machine itself", async () => {
  for (const url of ["http://93.184.215.15/", "http://[2a01:4f8:1:3::1]/", "http://[2a02:898::8]/"])
    expect(await onPublicMachine(url)).toEqual({ addresses: [expect.any(String)] });
  expect(await onPublicMachine("http://93.184.215.14:8484/", ["93.184.215.14:8484"])).toEqual({
    addresses: ["93.184.215.14"],
  });
});

test("port 0 can never be called, another below 1024 where the configuration opens it", () => {
  const closed = (url: string) => closedPortOf(new URL(url), ["mail.internal", "10.0.0.5:25"]) !== null;
  expect(["https://example.com:0/", "http://mail.internal:0/", "http://example.com:25/"].map(closed)).not.toContain(
    false,
  );
  expect(["http://mail.internal:25/", "http://10.0.0.5:25/", "http://example.com:6000/"].map(closed)).not.toContain(
    true,
  );
});
