// Signing in with a provider, and a fresh proof by it.
import { AppError } from "../../../base/errors.ts";
import type { Store } from "../../../store/store.ts";
import type { User } from "../queries.ts";
import type { SignInFailures } from "../session/failures.ts";
import type { SignInLimits } from "../session/sign-in-limits.ts";
import type { SignInClient, SignInResult } from "../sign-in.ts";
import { entrant } from "./identity.ts";
import type { ProviderReturn, Providers } from "./providers.ts";
import { identityWith } from "../identities/queries.ts";

type ProviderDeps = {
  readonly store: Store;
  readonly providers: Providers;
  readonly limits: SignInLimits;
  readonly failures: SignInFailures;
};

/** `provenAtMs`: when they entered a password or the like there; null = it does not say. */
export type ProviderEntry = {
  readonly user: User;
  readonly issuer: string;
  readonly label: string;
  readonly provenAtMs: number | null;
};

/**
 * Roles are as the provider says once this is answered. @throws AppError SIGN_IN_FAILED, CONFLICT, RATE_LIMIT_EXCEEDED
 */
export async function byProvider(
  deps: ProviderDeps,
  answer: ProviderReturn,
  trying: SignInClient,
): Promise<ProviderEntry> {
  let refusal: AppError | null = null;
  const attempt = { client: trying.client, account: `provider ${trying.client ?? answer.ticket}` };
  const entry = await deps.limits.run(attempt, () =>
    entered(deps, answer).catch((error) => {
      if (!isRefusal(error)) throw error;
      refusal = error;
      return null;
    }),
  );
  if (entry) return entry;
  await deps.failures.note({ ...trying, user: null });
  throw refusal as unknown as AppError;
}

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "SIGN_IN_FAILED";
}

async function entered({ store, providers }: ProviderDeps, answer: ProviderReturn): Promise<ProviderEntry> {
  const { provider, person, record } = await providers.proven(answer, "sign in");
  const user = await store.write(async (tx) => {
    await record(tx);
    return entrant(tx, provider, person);
  });
  if (user instanceof AppError) throw user;
  return { user, issuer: provider.issuer, label: provider.label, provenAtMs: person.authenticatedAtMs };
}

/**
 * @throws AppError SIGN_IN_FAILED for another person, or if the provider did not ask them for a password or the like
 * just now
 */
export async function againByProvider(
  { store, providers }: ProviderDeps,
  user: User,
  answer: ProviderReturn,
): Promise<SignInResult> {
  const { provider, person, isFresh, record } = await providers.proven(answer, `user ${user.seq}`);
  const { issuer, label } = provider;
  const values = { provider: label };
  const identity = await store.read((reader) => identityWith(reader, issuer, person.subject));
  if (identity?.person !== user.seq)
    throw new AppError("SIGN_IN_FAILED", `This is somebody else at ${label}.`, { reason: "provider_other", values });
  if (!isFresh)
    throw new AppError("SIGN_IN_FAILED", `${label} does not say that you have entered your password just now.`, {
      reason: "provider_not_fresh",
      values,
      suggestion: "Use a password or a passkey.",
    });
  return { user, record };
}
