// The page between the app and a provider of sign-ins: redirects to the provider, and handles its answer.
import { useRef } from "react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Reason, useShown } from "../parts/failed.tsx";
import { signedIn } from "../calls/session.ts";
import { frameTexts, signInTexts } from "../texts/areas.ts";
import { goToProvider, pendingErrand, type PendingErrand } from "./provider.ts";
import { SignInHelp } from "./sign-in-help.tsx";
import { SignInPage } from "./sign-in-page.tsx";

const route = getRouteApi("/provider/$name");

export function ProviderPage() {
  const t = useTexts(signInTexts).provider;
  const { name } = route.useParams();
  const { failed } = useTexts(frameTexts);
  const { isPending, error, refetch } = useErrand(name);
  // Only this page shows the error.
  useShown(error);
  if (isPending) return null;
  if (!error)
    return (
      <SignInPage title={t.proven} story={null}>
        <p className="row-text">{t.provenWhat}</p>
      </SignInPage>
    );
  return (
    <SignInPage title={t.failed} below={location.host} story={<SignInHelp />}>
      <Banner tone="bad" role="alert">
        <Reason fault={error} />
      </Banner>
      <Button kind="first" wide onClick={() => void refetch()}>
        {failed.again}
      </Button>
      <ButtonLink to="/sign-in" wide>
        {t.otherwise}
      </ButtonLink>
    </SignInPage>
  );
}

/**
 * Redirects to the provider or completes the sign-in. Then another page is shown, except for a proof for another tab.
 */
function useErrand(name: string) {
  const router = useRouter();
  const search = route.useSearch();
  const answer = route.useLoaderData();
  // The errand of a failed attempt, for "Try again".
  const failed = useRef<PendingErrand>(null);
  return useQuery({
    queryKey: ["provider", name],
    queryFn: async () => {
      const pending = pendingErrand(name, answer);
      if (!pending) {
        const { errand = "enter", next = "" } = failed.current ?? search;
        await goToProvider(name, errand, next);
        // Never resolves: the browser is leaving.
        return new Promise<never>(() => undefined);
      }
      failed.current = pending;
      const body = { ticket: pending.ticket, answer };
      if (pending.errand === "prove") return call("POST /session/proof", { body: { provider: body } });
      if (pending.errand === "enter") signedIn(await call("POST /session/provider", { body }));
      else await call("POST /me/identities", { body });
      router.history.replace(`/app${pending.next}`);
      return new Promise<never>(() => undefined);
    },
    retry: false,
    throwOnError: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}
