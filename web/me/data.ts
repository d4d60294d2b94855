// API calls for the signed-in user's account.
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api.ts";
import type { Schemas } from "../schemas.ts";
import { makePasskey } from "../passkeys.ts";
import { queries } from "../queries.ts";
import { meQuery } from "../session.ts";

export type Session = Schemas["Session"];
export type Passkey = Schemas["Passkey"];

const SESSIONS = ["me", "sessions"];
const PASSKEYS = ["me", "passkeys"];

export const useSessions = () =>
  useSuspenseQuery({ queryKey: SESSIONS, queryFn: () => unwrap(api.GET("/me/sessions")) }).data;

export const usePasskeys = () =>
  useSuspenseQuery({ queryKey: PASSKEYS, queryFn: () => unwrap(api.GET("/me/passkeys")) }).data;

/** Whether this server supports passkeys, and if not, why. */
export const usePasskeyOffer = () =>
  useSuspenseQuery({ queryKey: ["session"], queryFn: () => unwrap(api.GET("/session")) }).data.passkeys;

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
  useChange((body: Schemas["UpdateMeRequest"]) => unwrap(api.PATCH("/me", { body })), done, true);

export const useRequirePasskey = () =>
  useChange(
    (passkeyRequired: boolean) => unwrap(api.PATCH("/me", { body: { passkeyRequired } })),
    () => undefined,
  );

export const useChangePassword = (done: () => void) =>
  useChange(
    (body: Schemas["SetPasswordRequest"]) => unwrap(api.PUT("/me/password", { body })),
    () => {
      void queries.invalidateQueries({ queryKey: PASSKEYS });
      done();
    },
    true,
  );

export const useAddPasskey = (done: () => void) =>
  useChange(
    async (name: string) => {
      const { options } = await unwrap(api.POST("/me/passkeys/options"));
      return unwrap(api.POST("/me/passkeys", { body: { name, passkey: await makePasskey(options) } }));
    },
    done,
    true,
  );

const byId = (id: string) => ({ params: { path: { id } } });

export const useRemovePasskey = (done: (passkey: Passkey) => void) =>
  useChange(({ id }: Passkey) => unwrap(api.DELETE("/me/passkeys/{id}", byId(id))), done);

export const useEndSession = (done: () => void) =>
  useChange((id: string) => unwrap(api.DELETE("/me/sessions/{id}", byId(id))), done);

export const useEndOtherSessions = (done: () => void) => useChange(() => unwrap(api.DELETE("/me/sessions")), done);
