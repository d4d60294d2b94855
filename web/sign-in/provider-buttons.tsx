// A button for each provider of sign-ins.
import { ButtonLink } from "../parts/button.tsx";
import { useTexts } from "../base/language.ts";
import { signInTexts } from "../texts/areas.ts";
import type { ProviderErrand } from "./provider.ts";

type ProviderButtonsProps = {
  readonly providers: readonly { readonly name: string; readonly label: string }[];
  readonly errand?: Exclude<ProviderErrand, "link">;
  /** The page after the sign-in. */
  readonly next?: string | undefined;
  /** Opens another tab, so that this page keeps its state. */
  readonly beside?: boolean;
};

export function ProviderButtons({ providers, errand = "enter", next, beside }: ProviderButtonsProps) {
  const t = useTexts(signInTexts).provider;
  return providers.map(({ name, label }) => (
    <ButtonLink
      key={name}
      to="/provider/$name"
      params={{ name }}
      search={{ next, errand: errand === "enter" ? undefined : errand }}
      wide={!beside}
      icon="key"
      {...(beside ? { target: "_blank" } : {})}
    >
      {errand === "prove" ? t.prove(label) : t.enter(label)}
    </ButtonLink>
  ));
}
