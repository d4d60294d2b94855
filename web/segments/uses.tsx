// What uses a segment: campaigns that are not sent, workflows, other segments.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { State, type StateName } from "../parts/state.tsx";
import { segmentsTexts } from "../texts/segments.ts";
import type { Uses } from "./calls.ts";

export function isUsed({ campaigns, workflows, segments }: Uses): boolean {
  return campaigns.length + workflows.length + segments.length > 0;
}

export function UsesList({ uses: { campaigns, workflows, segments } }: { readonly uses: Uses }) {
  const t = useTexts(segmentsTexts);
  return (
    <div className="rows segment-uses">
      {campaigns.map(({ id, name, status }) => (
        <Line key={id} icon="campaigns" name={name}>
          <State is={status as StateName} />
        </Line>
      ))}
      {workflows.map(({ id, name, enabled }) => (
        <Line key={id} icon="workflows" name={name}>
          <span className="dim">{enabled ? t.on : t.off}</span>
        </Line>
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

type LineProps = { readonly icon: IconName; readonly name: string; readonly children: React.ReactNode };

function Line({ icon, name, children }: LineProps) {
  return (
    <div className="line">
      <Icon name={icon} />
      <span className="cut">{name}</span>
      {children}
    </div>
  );
}
