// Signatures by the machine's libcrypto: the same bytes as Bun's own engine makes, and nothing lost where there is
// none.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createVerify, generateKeyPairSync } from "node:crypto";
import { isWorthIt, openLibcrypto, speedsOf } from "../../src/sending/carrier/signing/libcrypto.ts";
import { signBeside } from "../../src/sending/carrier/signing/rsa.ts";
import { fastestSigner } from "../../src/sending/carrier/signing/signing-thread.ts";

const libcrypto = openLibcrypto();
const pemOf = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength }).privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const pkcs1Of = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }) as string;
const elliptic = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const input = Buffer.from("from:Ada <ada@shop.example>\r\nsubject:Hello");

describe.skipIf(libcrypto === null)("libcrypto", () => {
  const { sign } = libcrypto ?? { sign: () => Buffer.alloc(0) };

  test("signs as Bun does, with keys of every length and form (slow)", async () => {
    for (const pem of [pemOf(1024), pemOf(2048), pemOf(4096), pkcs1Of()])
      expect(Buffer.from(sign(input, pem))).toEqual(Buffer.from(await signBeside(input, pem)));
  });

  test("signs what is long", async () => {
    const [pem, bytes] = [pemOf(2048), Buffer.alloc(1_000_000, "x")];
    expect(Buffer.from(sign(bytes, pem))).toEqual(Buffer.from(await signBeside(bytes, pem)));
  });

  test("says so of a key that is none, or none of RSA, and signs with the next one", () => {
    expect(() => sign(input, "no key")).toThrow();
    expect(() => sign(input, elliptic)).toThrow("none of RSA");
    expect(sign(input, pemOf(2048))).toHaveLength(256);
  });

  test("is compared with Bun's own engine", () => {
    const speeds = speedsOf({ name: "libcrypto", sign }, pemOf(2048));
    expect(speeds?.ownMs).toBeGreaterThan(0);
    expect(speeds?.libcryptoMs).toBeGreaterThan(0);
  });
});

test("what signs something else is not used", () => {
  expect(speedsOf({ name: "broken", sign: () => Buffer.alloc(256) }, pemOf(2048))).toBeNull();
});

test("a gain of a tenth is not worth a thread", () => {
  expect(isWorthIt({ ownMs: 1, libcryptoMs: 0.9 })).toBe(false);
  expect(isWorthIt({ ownMs: 1, libcryptoMs: 0.5 })).toBe(true);
});

describe("the faster of both", () => {
  const sign = fastestSigner();
  const pems: string[] = [];
  beforeAll(() => void pems.push(pemOf(2048), pemOf(2048)));
  afterAll(() => void pems.splice(0));

  test("signs before the trial is over, while it goes on, and after it", async () => {
    for (let round = 0; round < 20; round++) {
      const bytes = Buffer.from(`round ${round}`);
      const signatures = await Promise.all(pems.map((pem) => sign(bytes, pem)));
      for (const [at, pem] of pems.entries())
        expect(
          createVerify("sha256")
            .update(bytes)
            .verify(pem, signatures[at] as Uint8Array),
        ).toBe(true);
    }
  });

  test("refuses a key that cannot be read, and signs on", async () => {
    expect(sign(input, "no key")).rejects.toThrow();
    expect(await sign(input, pems[0] as string)).toHaveLength(256);
  });
});
