// Accepting a link signs its owner in.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { signedIn, type Me } from "../session.ts";
import { acceptLink } from "./calls.ts";

/** Takes up what the link gave, and leaves the link behind. */
export function useAccept() {
  const router = useRouter();
  const enter = (me: Me) => {
    signedIn(me);
    void router.navigate({ to: "/", replace: true });
  };
  return useMutation({ mutationFn: acceptLink, onSuccess: enter, meta: { inForm: true } });
}
