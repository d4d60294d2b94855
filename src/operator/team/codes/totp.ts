// The codes of an authenticator app (TOTP, RFC 6238), by otpauth, which is loaded with the first one.

const library = () => import("otpauth");

const SERVICE = "Posthorn";
const SECRET_BYTES = 20;
/** 80 random bits: a hash of one cannot be turned back by trying. */
const RECOVERY_BYTES = 10;
/** Steps of 30 seconds before and after the present one: clocks of phones differ, and people type slowly. */
const WINDOW = 1;

/** The secret for an app: as text to type, and as the address in its QR code. */
export type AppSecret = { readonly secret: string; readonly uri: string };

/** `label`: the account, as the app shows it. */
export async function newAppSecret(label: string): Promise<AppSecret> {
  const { Secret, TOTP } = await library();
  const totp = new TOTP({ issuer: SERVICE, label, secret: new Secret({ size: SECRET_BYTES }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The number of the step whose code it is; null if it is of another step. */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | null> {
  const { TOTP } = await library();
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}

/** In groups of four characters, as people copy it. */
export async function newRecoveryCode(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: RECOVERY_BYTES }).base32.replace(/.{4}(?=.)/g, "$&-");
}
