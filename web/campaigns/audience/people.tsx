// The people behind a number of an audience, page by page.
import { Link } from "@tanstack/react-router";
import type { components } from "../../api.gen.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { More } from "../../parts/rows.tsx";
import { Skeleton, Panel } from "../../parts/layout.tsx";
import { Time } from "../../parts/time.tsx";
import { campaignsTexts } from "../../texts/areas.ts";
import { personOf } from "../../writing/preview/people.ts";
import { useAudiencePeople, type Audience, type AudiencePart } from "./audience-calls.ts";
import { PersonLink } from "../person-link.tsx";

type PeopleProps = { readonly audience: Audience; readonly part: AudiencePart; readonly total: number | undefined };

export function AudiencePeople({ audience, part, total }: PeopleProps) {
  const { audience: t, more } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { people, ...pages } = useAudiencePeople(audience, part);
  return (
    <Panel
      title={`${t.people[part]}${total === undefined ? "" : `: ${number(total)}`}`}
      actions={
        <Link
          className="push row-text"
          to="."
          search={({ part: _, ...rest }: { readonly part?: string }) => rest}
          resetScroll={false}
        >
          {t.close}
        </Link>
      }
    >
      {people ? (
        <div className="rows audience-people">
          {people.map((contact) => (
            <Person key={contact.id} contact={contact} />
          ))}
        </div>
      ) : (
        <Skeleton of={pages} rows={4} columns={3} className="audience-people" />
      )}
      {people?.length === 0 && !pages.hasNextPage && <p className="pad dim row-text">{t.nobody}</p>}
      <More {...pages} name={more} className="foot" />
    </Panel>
  );
}

function Person({ contact }: { readonly contact: components["schemas"]["Contact"] }) {
  const { id, name, email } = personOf(contact);
  return (
    <PersonLink className="line" id={id}>
      <span className="cut">{name}</span>
      <span className="dim cut">{name === email ? "" : email}</span>
      <span className="dim small end wide-only">
        <Time at={contact.createdAt} as="brief" />
      </span>
    </PersonLink>
  );
}
