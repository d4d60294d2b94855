// The frame of the import screen: a head with facts about the file, and the way back to choose another one.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { peopleTexts } from "../../texts/areas.ts";

type ImportPageProps = {
  readonly title: string;
  /** Beside the title. */
  readonly facts?: readonly string[];
  /** The button that chooses a file. */
  readonly choose?: ReactNode;
  /** Goes back to the choice of a file. */
  readonly another?: () => void;
  readonly children: ReactNode;
};

export function ImportPage({ title, facts, choose, another, children }: ImportPageProps) {
  const t = useTexts(peopleTexts);
  return (
    <>
      <header className="bar">
        <span className="trail wide-only">
          <Link to="/people">{t.title}</Link>
          <Icon name="right" />
        </span>
        <h1 className="cut">{title}</h1>
        {facts && <span className="dim row-text wide-only cut">{facts.join(", ")}</span>}
        <div className="actions">
          {choose}
          {another && (
            <Button kind="quiet" onClick={another}>
              {t.import.another}
            </Button>
          )}
        </div>
      </header>
      <div className="page">{children}</div>
    </>
  );
}
