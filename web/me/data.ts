// API calls for the signed-in user's account.
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { call, proveFirst } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { makePasskey } from "../calls/passkeys.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, query } from "../calls/query.ts";
import { meQuery } from "../calls/session.ts";
import { goToProvider } from "../sign-in/provider.ts";

export type Session = Schemas["Session"];
export type Passkey = Schemas["Passkey"];
export type Identity = Schemas["Identity"];
export type SignInProvider = ReturnType<typeof useProviders>[number];

export const useSessions = () => useSuspenseQuery(query("GET /me/sessions")).data;

export const usePasskeys = () => useSuspenseQuery(query("GET /me/passkeys")).data;

/** Whether this server supports passkeys, and if not, why. */
export const usePasskeyOffer = () => useSuspenseQuery(query("GET /session")).data.passkeys;

/** A change of the account. A form shows its own errors. */
function useChange<Given, Answer>(
  mutationFn: (given: Given) => Promise<Answer>,
  done: (given: Given) => void,
  inForm = false,
) {
  return useMutation({
    mutationFn,
    onSuccess: (_, given) => {
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      done(given);
    },
    meta: { inForm },
  });
}

export const useProfile = (done: () => void) =>
  useChange((body: Schemas["UpdateMeRequest"]) => call("PATCH /me", { body }), done, true);

export const useRequirePasskey = () =>
  useChange(
    (passkeyRequired: boolean) => call("PATCH /me", { body: { passkeyRequired } }),
    () => undefined,
  );

export const useChangePassword = (done: () => void) =>
  useChange(
    (body: Schemas["SetPasswordRequest"]) => call("PUT /me/password", { body }),
    () => {
      void queries.invalidateQueries({ queryKey: keyOf("GET /me/passkeys") });
      done();
    },
    true,
  );

export const useAddPasskey = (done: () => void) =>
  useChange(
    async (name: string) => {
      const { options } = await call("POST /me/passkeys/options");
      return call("POST /me/passkeys", { body: { name, passkey: await makePasskey(options) } });
    },
    done,
    true,
  );

export const useRemovePasskey = (done: (passkey: Passkey) => void) =>
  useChange(({ id }: Passkey) => call("DELETE /me/passkeys/{id}", { id }), done);

export const useSetUpTotp = () => useMutation({ mutationFn: () => call("POST /me/totp") });

export const useConfirmTotp = () =>
  useChange(
    (body: Schemas["ConfirmTotpRequest"]) => call("POST /me/totp/confirm", { body }),
    () => undefined,
    true,
  );

export const useRenewRecoveryCodes = () =>
  useChange(
    () => call("POST /me/totp/recovery-codes"),
    () => undefined,
  );

export const useRemoveTotp = (done: () => void) => useChange(() => call("DELETE /me/totp"), done);

/** The providers of sign-ins on this server. */
export const useProviders = () => useSuspenseQuery(query("GET /session")).data.providers;

export const useIdentities = () => useSuspenseQuery(query("GET /me/identities")).data;

/** Leaves this page for the provider, so the proof that the link needs is given before. */
export const useLink = () =>
  useMutation({
    mutationFn: async (name: string) => {
      if (await proveFirst()) await goToProvider(name, "link", "/me");
    },
  });

export const useUnlink = (done: (identity: Identity) => void) =>
  useChange(
    ({ id }: Identity) => call("DELETE /me/identities/{id}", { id }),
    (identity) => {
      void queries.invalidateQueries({ queryKey: keyOf("GET /me/identities") });
      done(identity);
    },
  );

export const useEndSession = (done: () => void) =>
  useChange((id: string) => call("DELETE /me/sessions/{id}", { id }), done);

export const useEndOtherSessions = (done: () => void) => useChange(() => call("DELETE /me/sessions"), done);
