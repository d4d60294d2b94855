// RSA signatures by the libcrypto (OpenSSL) of the machine: where the processor has AVX-512 IFMA, it takes half the
// time of Bun's own engine. Only on Linux: macOS ends a process that loads its libcrypto.
import { dlopen, FFIType, ptr } from "bun:ffi";
import { sign } from "node:crypto";
import { systemClock as clock } from "../../../base/clock.ts";
import { privateKeyOf } from "./rsa.ts";

const NAMES = ["libcrypto.so.3", "libcrypto.so.1.1"];
const { ptr: POINTER, i32: INT, u64: SIZE, i64: LONG } = FFIType;
const MAX_KEYS = 500;
const MAX_SIGNATURE_BYTES = 2_048;

export type Libcrypto = {
  readonly name: string;
  readonly sign: (input: Uint8Array, pem: string) => Uint8Array;
};

/** Null = the machine has no libcrypto that can be loaded. */
export function openLibcrypto(): Libcrypto | null {
  if (process.platform !== "linux") return null;
  for (const name of NAMES) {
    try {
      return { name, sign: signerOf(functionsOf(name)) };
    } catch {
      // Tries the next one.
    }
  }
  return null;
}

function functionsOf(name: string) {
  return dlopen(name, {
    d2i_AutoPrivateKey: { args: [POINTER, POINTER, LONG], returns: POINTER },
    EVP_PKEY_free: { args: [POINTER], returns: FFIType.void },
    EVP_MD_CTX_new: { args: [], returns: POINTER },
    EVP_MD_CTX_free: { args: [POINTER], returns: FFIType.void },
    EVP_sha256: { args: [], returns: POINTER },
    EVP_DigestSignInit: { args: [POINTER, POINTER, POINTER, POINTER, POINTER], returns: INT },
    EVP_DigestSign: { args: [POINTER, POINTER, POINTER, POINTER, SIZE], returns: INT },
  }).symbols;
}

type Functions = ReturnType<typeof functionsOf>;
type PrivateKeyHandle = NonNullable<ReturnType<Functions["d2i_AutoPrivateKey"]>>;

function signerOf(lib: Functions): Libcrypto["sign"] {
  const keys = new Map<string, PrivateKeyHandle>();
  const digest = lib.EVP_sha256();
  const [bytes, length] = [new Uint8Array(MAX_SIGNATURE_BYTES), new BigUint64Array(1)];
  const keyOf = (pem: string): PrivateKeyHandle => {
    const known = keys.get(pem);
    if (known) return known;
    if (keys.size >= MAX_KEYS) {
      for (const key of keys.values()) lib.EVP_PKEY_free(key);
      keys.clear();
    }
    const key = keyFrom(lib, pem);
    keys.set(pem, key);
    return key;
  };
  return (input, pem) => {
    const [key, context] = [keyOf(pem), lib.EVP_MD_CTX_new()];
    try {
      length[0] = BigInt(bytes.length);
      const isBegun = lib.EVP_DigestSignInit(context, null, digest, null, key) === 1;
      const isSigned = isBegun && lib.EVP_DigestSign(context, ptr(bytes), ptr(length), ptr(input), input.length) === 1;
      if (!isSigned) throw new Error("libcrypto did not sign");
      return bytes.slice(0, Number(length[0]));
    } finally {
      lib.EVP_MD_CTX_free(context);
    }
  };
}

/** @throws if it is not a key, or not an RSA key */
function keyFrom(lib: Functions, pem: string): PrivateKeyHandle {
  const read = privateKeyOf(pem);
  if (read.asymmetricKeyType !== "rsa") throw new Error("the key is none of RSA");
  const der = read.export({ type: "pkcs8", format: "der" });
  const place = new BigUint64Array([BigInt(ptr(der))]);
  const key = lib.d2i_AutoPrivateKey(null, ptr(place), der.length);
  if (!key) throw new Error("libcrypto cannot read the key");
  return key;
}

export type Speeds = { readonly ownMs: number; readonly libcryptoMs: number };

const TRIES = 15;
const SAMPLE = Buffer.from("a sample of what is signed");

/**
 * The time of a signature by each engine: the best of some tries, by turns, because a machine that starts is busy. Null
 * = libcrypto's signature differs.
 */
export function speedsOf(libcrypto: Libcrypto, pem: string): Speeds | null {
  const own = () => sign("sha256", SAMPLE, privateKeyOf(pem));
  const theirs = () => libcrypto.sign(SAMPLE, pem);
  // These signatures are deterministic: the same key makes the same bytes.
  if (Buffer.compare(own(), theirs()) !== 0) return null;
  const tries = Array.from({ length: TRIES }, () => ({ ownMs: tookMs(own), libcryptoMs: tookMs(theirs) }));
  return {
    ownMs: Math.min(...tries.map(({ ownMs }) => ownMs)),
    libcryptoMs: Math.min(...tries.map(({ libcryptoMs }) => libcryptoMs)),
  };
}

function tookMs(work: () => unknown): number {
  const startedMs = clock.monotonicMs();
  work();
  return clock.monotonicMs() - startedMs;
}

/** A smaller gain would not pay for a thread. */
const LEAST_GAIN = 0.15;

export function isWorthIt({ ownMs, libcryptoMs }: Speeds): boolean {
  return libcryptoMs <= ownMs * (1 - LEAST_GAIN);
}
