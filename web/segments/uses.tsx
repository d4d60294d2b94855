// The uses of a segment: draft campaigns, workflows, forms, other segments.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { State, type StateName } from "../parts/state.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import type { Uses } from "./calls.ts";

export function isUsed({ campaigns, workflows, segments, forms }: Uses): boolean {
  return campaigns.length + workflows.length + segments.length + forms.length > 0;
}

export function UsesList({ uses: { campaigns, workflows, segments, forms } }: { readonly uses: Uses }) {
  const t = useTexts(segmentsTexts);
  return (
    <div className="rows segment-uses">
      {campaigns.map(({ id, name, status }) => (
        <Link className="line" key={id} to="/campaigns/$id" params={{ id }}>
          <Icon name="campaigns" />
          <span className="cut">{name}</span>
          <State is={status as StateName} />
        </Link>
      ))}
      {workflows.map(({ id, name, enabled }) => (
        <Link className="line" key={id} to="/workflows/$id" params={{ id }}>
          <Icon name="workflows" />
          <span className="cut">{name}</span>
          <span className="dim">{enabled ? t.on : t.off}</span>
        </Link>
      ))}
      {forms.map(({ id, name }) => (
        <Link className="line" key={id} to="/forms/$id" params={{ id }}>
          <Icon name="form" />
          <span className="cut">{name}</span>
        </Link>
      ))}
      {segments.map(({ id, name }) => (
        <Link className="line" key={id} to="/segments/$id" params={{ id }}>
          <Icon name="segments" />
          <span className="cut">{name}</span>
        </Link>
      ))}
    </div>
  );
}
