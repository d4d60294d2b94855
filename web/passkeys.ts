// Passkeys: loaded when one is used. A browser without them, or without TLS, offers none.

export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in window;
}

const ceremonies = () => import("@simplewebauthn/browser");

/** @throws if the person or the browser refuses */
export async function provePasskey(options: unknown): Promise<unknown> {
  return (await ceremonies()).startAuthentication({ optionsJSON: options as never });
}

/** @throws if the person or the browser refuses */
export async function makePasskey(options: unknown): Promise<unknown> {
  return (await ceremonies()).startRegistration({ optionsJSON: options as never });
}
