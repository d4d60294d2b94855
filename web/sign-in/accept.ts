// Accepts a sign-in link.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { signedIn, type Me } from "../calls/session.ts";
import { acceptLink } from "./calls.ts";

/** Signs in and replaces the link in the history. `to`: the next page. */
export function useAccept(to: "/" | "/first-start" = "/") {
  const router = useRouter();
  const enter = (me: Me) => {
    signedIn(me);
    void router.navigate({ to, replace: true });
  };
  return useMutation({ mutationFn: acceptLink, onSuccess: enter, meta: { inForm: true } });
}
