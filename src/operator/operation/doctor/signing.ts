// The implementation of DKIM signatures: half of what a signed mail costs the processor.
import { generateKeyPairSync } from "node:crypto";
import { isWorthIt, openLibcrypto, speedsOf } from "../../../sending/carrier/signing/libcrypto.ts";
import { note, ok, type DoctorFinding } from "./finding.ts";

const CHECK = "signing";
const KEY_BITS = 2048;

export function lookAtSigning(): DoctorFinding {
  const libcrypto = openLibcrypto();
  if (libcrypto === null) return note(CHECK, "This machine has no libcrypto; Bun's own engine signs");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: KEY_BITS });
  const speeds = speedsOf(libcrypto, privateKey.export({ type: "pkcs8", format: "pem" }) as string);
  if (speeds === null) return note(CHECK, `${libcrypto.name} signs wrongly; Bun's own engine signs`);
  const [own, theirs] = [msText(speeds.ownMs), msText(speeds.libcryptoMs)];
  return isWorthIt(speeds)
    ? ok(CHECK, `${libcrypto.name} signs an email in ${theirs}; Bun's own engine would take ${own}`)
    : ok(CHECK, `Bun's own engine signs an email in ${own}; ${libcrypto.name} would take ${theirs}`);
}

function msText(ms: number): string {
  return `${ms.toFixed(2)} ms`;
}
