// Keys that releases of tests are signed with.
import { generateKeyPairSync, randomBytes } from "node:crypto";

/** As `minisign -G -W` writes it. */
export function newReleaseKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { d = "", x = "" } = privateKey.export({ format: "jwk" });
  const [seed, own] = [d, x].map((one) => Buffer.from(one, "base64url")) as [Buffer, Buffer];
  const head = Buffer.concat([Buffer.from("Ed\0\0B2"), Buffer.alloc(48), randomBytes(8)]);
  return `untrusted comment: key\n${Buffer.concat([head, seed, own, Buffer.alloc(32)]).toString("base64")}\n`;
}
