// A passkey made of software: what a browser and its authenticator answer to the options of the server.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { Json } from "./posthorn.ts";

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #counter = 0;

  /** `isVerified`: it has asked for a finger or a PIN. */
  constructor(
    readonly origin: string,
    private readonly isVerified = true,
  ) {
    this.#keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  get id(): string {
    return this.#id.toString("base64url");
  }

  /** As `navigator.credentials.create`. */
  create({ options }: Json): Json {
    const authData = Buffer.concat([this.#head(options.rp.id, WITH_KEY), this.#credential()]);
    const attestation = map([text("fmt"), text("none"), text("attStmt"), map([]), text("authData"), bytes(authData)]);
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", options.challenge).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
    });
  }

  /** As `navigator.credentials.get`. */
  get({ options }: Json): Json {
    this.#counter++;
    const authData = this.#head(options.rpId, 0);
    const clientData = this.#clientData("webauthn.get", options.challenge);
    const signature = sign("sha256", Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
    });
  }

  #answer(response: Json): Json {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #head(host: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([
      sha256(Buffer.from(host)),
      Buffer.from([PRESENT | (this.isVerified ? VERIFIED : 0) | flags]),
      counter,
    ]);
  }

  /** Its model (none), its id, and the public key in COSE's form. */
  #credential(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const coordinates = [x, y].map((one) => bytes(Buffer.from(one, "base64url"))) as [Buffer, Buffer];
    const key = map([
      ...[unsigned(1), unsigned(2), unsigned(3), negative(7), negative(1), unsigned(1)],
      ...[negative(2), coordinates[0], negative(3), coordinates[1]],
    ]);
    const length = Buffer.from([0, this.#id.length]);
    return Buffer.concat([Buffer.alloc(16), length, this.#id, key]);
  }
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** The little of CBOR that is needed here. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

const unsigned = (value: number) => head(0, value);
/** −value */
const negative = (value: number) => head(1, value - 1);
const bytes = (data: Buffer) => Buffer.concat([head(2, data.length), data]);
const text = (words: string) => Buffer.concat([head(3, words.length), Buffer.from(words)]);
const map = (parts: readonly Buffer[]) => Buffer.concat([head(5, parts.length / 2), ...parts]);
