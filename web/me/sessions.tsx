// The sessions of the user.
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons/icon.tsx";
import { Section } from "../parts/section.tsx";
import { Tag } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { meTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { clientName } from "./client.ts";
import { useEndOtherSessions, useEndSession, useSessions, type Session } from "./data.ts";

export function Sessions() {
  const t = useTexts(meTexts);
  const sessions = useSessions().toSorted((one, other) => Number(other.current) - Number(one.current));
  const ending = useEndOtherSessions(() => showToast(t.sessions.othersEnded));
  const disabledReason = sessions.length > 1 ? undefined : t.sessions.noOthers;
  const endOthers = () => ending.mutate(undefined);
  useCommands([{ id: "end others", name: t.sessions.endOthers, icon: "out", disabledReason, run: endOthers }]);
  return (
    <Section title={t.sessions.title} text={t.sessions.text}>
      <ul className="rows own">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div>
        <Button icon="out" disabledReason={disabledReason} busy={ending.isPending} onClick={endOthers}>
          {t.sessions.endOthers}
        </Button>
      </div>
    </Section>
  );
}

function SessionRow({ session: { id, current, client, createdAt, seenAt } }: { readonly session: Session }) {
  const t = useTexts(meTexts);
  const name = client === null ? t.sessions.unknown : clientName(client);
  const ending = useEndSession(() => showToast(t.sessions.ended(name)));
  return (
    <li className="line">
      <Icon name={/iPhone|iPad|Android/.test(client ?? "") ? "phone" : "desktop"} />
      <span>
        <span className="inline">
          <b className="cut" title={client ?? undefined}>
            {name}
          </b>
          {current && <Tag>{t.sessions.this}</Tag>}
        </span>
        <span className="dim small">
          {t.sessions.since} <Time at={createdAt} />, {t.sessions.seen} <Time at={seenAt} />
        </span>
      </span>
      {!current && (
        <Button small busy={ending.isPending} label={t.sessions.endOne(name)} onClick={() => ending.mutate(id)}>
          {t.sessions.end}
        </Button>
      )}
    </li>
  );
}
