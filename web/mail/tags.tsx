// The tags and metadata of an email. Each one lists the emails that have it.
import { Link, useNavigate } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { useTexts } from "../base/language.ts";
import { mailTexts } from "../texts/areas.ts";
import type { Mail } from "./calls.ts";

const MOST_IN_A_ROW = 3;

/** In a row, which is a link itself: a click on a tag filters the list. The page of the email has links. */
export function RowTags({ tags }: Pick<Mail, "tags">) {
  const t = useTexts(mailTexts);
  const navigate = useNavigate();
  const shown = tags.slice(0, MOST_IN_A_ROW);
  const filter = (event: MouseEvent, tag: string) => {
    event.preventDefault();
    event.stopPropagation();
    void navigate({ to: "/mail", search: { tag } });
  };
  return (
    <span className="row-tags">
      {shown.map((tag) => (
        <span className="tok" key={tag} title={t.emailsWithTag(tag)} onClick={(event) => filter(event, tag)}>
          {tag}
        </span>
      ))}
      {tags.length > shown.length && <span className="dim">{t.others(tags.length - shown.length)}</span>}
    </span>
  );
}

export function Tags({ tags }: Pick<Mail, "tags">) {
  return (
    <span className="inline wrap">
      {tags.map((tag) => (
        <Link className="tok" key={tag} to="." search={{ tag }} preload={false}>
          {tag}
        </Link>
      ))}
    </span>
  );
}

export function Metadata({ metadata }: Pick<Mail, "metadata">) {
  return (
    <span className="inline wrap">
      {Object.entries(metadata).map(([key, value]) => (
        <Link className="tok" key={key} to="." search={{ metadata: `${key}=${value}` }} preload={false}>
          <span className="cut">
            {key}={value}
          </span>
        </Link>
      ))}
    </span>
  );
}
