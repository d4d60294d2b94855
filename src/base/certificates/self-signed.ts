// A self-signed certificate, written by hand as DER (RFC 5280): neither Bun nor Node can make one, and a package would
// bring megabytes.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import { domainToASCII } from "node:url";
import { DAY_MS } from "../clock.ts";
import { bitString, bytes, pem, sequence, tlv } from "./der.ts";

/** PEM, both. */
export type Certificate = { readonly cert: string; readonly key: string };

const YEARS = 10;
/** Clocks of clients may be slightly behind ours. */
const BACKDATED_MS = DAY_MS;
const LONGEST_COMMON_NAME = 64;

export const ECDSA_WITH_SHA256 = sequence(bytes(0x06, "2a8648ce3d040302"));
const COMMON_NAME = bytes(0x06, "550403");
export const ALTERNATIVE_NAMES = bytes(0x06, "551d11");

/** For a host name or an IP address, valid for ten years from a day before `nowMs`; with a new P-256 key. */
export function selfSigned(hostName: string, nowMs: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = isIP(hostName) ? hostName : domainToASCII(hostName);
  const commonName = tlv(0x0c, Buffer.from(name.slice(0, LONGEST_COMMON_NAME)));
  const self = sequence(tlv(0x31, sequence(COMMON_NAME, commonName)));
  const toBeSigned = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, serialNumber()),
    ECDSA_WITH_SHA256,
    self,
    sequence(time(nowMs - BACKDATED_MS), time(nowMs + YEARS * 365 * DAY_MS)),
    self,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(sequence(ALTERNATIVE_NAMES, tlv(0x04, sequence(alternativeName(name)))))),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(signature));
  return {
    cert: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

/** Positive, and with no zero in front. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

function alternativeName(name: string): Buffer {
  if (isIP(name) === 0) return tlv(0x82, Buffer.from(name));
  return tlv(0x87, isIPv4(name) ? Buffer.from(name.split(".").map(Number)) : ipv6Bytes(name));
}

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => parseInt(group, 16)));
  const [left, right] = [groups(head), groups(tail)];
  const all = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

/** UTCTime, which reaches to 2049 (RFC 5280 §4.1.2.5). */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return tlv(0x17, Buffer.from(`${text}Z`));
}
