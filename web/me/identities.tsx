// The sign-in providers that are linked to the user, and those that can be; hidden if the server has none.
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons/icon.tsx";
import { Section } from "../parts/section.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { meTexts } from "../texts/areas.ts";
import { useIdentities, useLink, useProviders, useUnlink, type Identity, type SignInProvider } from "./data.ts";

export function Identities() {
  const providers = useProviders();
  return providers.length > 0 && <Links providers={providers} />;
}

function Links({ providers }: { readonly providers: readonly SignInProvider[] }) {
  const t = useTexts(meTexts).identities;
  const identities = useIdentities();
  const link = useLink();
  const linked = identities.map(({ provider: { name } }) => name);
  const unlinked = providers.filter(({ name }) => !linked.includes(name));
  return (
    <Section title={t.title} text={t.text}>
      {identities.length > 0 && (
        <ul className="rows own">
          {identities.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} />
          ))}
        </ul>
      )}
      {unlinked.map(({ name, label }) => (
        <div key={name}>
          <Button icon="link" busy={link.isPending && link.variables === name} onClick={() => link.mutate(name)}>
            {t.link(label)}
          </Button>
        </div>
      ))}
    </Section>
  );
}

function IdentityRow({ identity }: { readonly identity: Identity }) {
  const t = useTexts(meTexts).identities;
  const { provider, email, createdAt, usedAt } = identity;
  const removal = useUnlink(() => showToast(t.removed(provider.label)));
  return (
    <li className="line">
      <Icon name="key" />
      <span>
        <b className="cut">{provider.label}</b>
        <span className="dim small">
          {email !== null && `${email}, `}
          {t.made} <Time at={createdAt} />, {usedAt === null ? t.neverUsed : t.used}{" "}
          {usedAt !== null && <Time at={usedAt} />}
        </span>
      </span>
      <Button
        kind="quiet"
        small
        icon="trash"
        label={t.remove(provider.label)}
        busy={removal.isPending}
        onClick={() => removal.mutate(identity)}
      />
    </li>
  );
}
