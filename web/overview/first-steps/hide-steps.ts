// Whether the first steps are hidden. Stored with the user, so it holds in every browser.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { queries } from "../../calls/queries.ts";
import { meQuery, useMe } from "../../calls/session.ts";

type HiddenSteps = { readonly isHidden: boolean; readonly toggle: () => void };

export function useHiddenSteps(): HiddenSteps {
  const { firstStepsHidden } = useMe();
  const saving = useMutation({
    mutationFn: (hidden: boolean) => call("PATCH /me", { body: { firstStepsHidden: hidden } }),
    onMutate: (hidden) => queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, firstStepsHidden: hidden }),
    onSettled: () => queries.invalidateQueries({ queryKey: meQuery.queryKey, exact: true }),
  });
  return { isHidden: firstStepsHidden, toggle: () => saving.mutate(!firstStepsHidden) };
}
