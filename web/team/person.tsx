// A person as a row: name, email address, last seen.
import { useTexts } from "../base/language.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Time } from "../parts/time.tsx";
import { useMe } from "../calls/session.ts";
import { teamTexts } from "../texts/areas.ts";

type PersonProps = { readonly id: string; readonly name: string; readonly email: string };

export function Person({ id, name, email }: PersonProps) {
  const t = useTexts(teamTexts);
  return (
    <span className="person">
      <Avatar name={name} />
      <span>
        <b className="cut">
          {name} {useMe().id === id && <span className="dim plain">{t.you}</span>}
        </b>
        <span className="dim small cut">{email}</span>
      </span>
    </span>
  );
}

export function LastSeen({ at }: { readonly at: string | null }) {
  const t = useTexts(teamTexts);
  return <span className="dim small cut seen">{at === null ? t.neverSeen : <Time at={at} />}</span>;
}

/** Hidden from screen readers, which read the labels of each row. */
export function PeopleHead({ second }: { readonly second: string }) {
  const { heads } = useTexts(teamTexts);
  return (
    <li className="head" aria-hidden="true">
      <span>{heads.person}</span>
      <span>{second}</span>
      <span>{heads.seen}</span>
    </li>
  );
}
