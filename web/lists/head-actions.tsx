// Further actions on a list, beside its filled button; on phones in a menu.
import { useRouter } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import type { IconName } from "../parts/icons/icon.tsx";
import { LazyMenu } from "../parts/overlays/lazy-menu.tsx";
import { frameTexts } from "../texts/areas.ts";

export type HeadAction = { readonly id: string; readonly name: string; readonly icon: IconName } & (
  | { readonly to: "/people/import" | "/people/duplicates" }
  | { readonly run: () => void; readonly disabledReason?: string | undefined; readonly busy?: boolean }
);

export function HeadActions({ actions }: { readonly actions: readonly HeadAction[] }) {
  const { more } = useTexts(frameTexts);
  const router = useRouter();
  const entries = actions.map((action) => ({
    run: "to" in action ? () => void router.navigate({ to: action.to }) : action.run,
    ...action,
  }));
  return (
    <>
      <span className="inline wide-only">{actions.map(InHead)}</span>
      <span className="narrow-only">
        <LazyMenu label={more} className="btn only" entries={entries} />
      </span>
    </>
  );
}

function InHead({ id, name, icon, ...action }: HeadAction) {
  if ("to" in action)
    return (
      <ButtonLink key={id} kind="quiet" icon={icon} to={action.to}>
        {name}
      </ButtonLink>
    );
  const { run, ...state } = action;
  return (
    <Button key={id} kind="quiet" icon={icon} onClick={run} {...state}>
      {name}
    </Button>
  );
}
