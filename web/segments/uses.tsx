// What uses a segment: draft campaigns, workflows, other segments.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { State, type StateName } from "../parts/state.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import type { Uses } from "./calls.ts";

export function isUsed({ campaigns, workflows, segments }: Uses): boolean {
  return campaigns.length + workflows.length + segments.length > 0;
}

export function UsesList({ uses: { campaigns, workflows, segments } }: { readonly uses: Uses }) {
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
      {segments.map(({ id, name }) => (
        <Link className="line" key={id} to="/segments/$id" params={{ id }}>
          <Icon name="segments" />
          <span className="cut">{name}</span>
        </Link>
      ))}
    </div>
  );
}
