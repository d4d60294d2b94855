// Whether each way out accepts email of a domain.
import { useTexts } from "../../base/language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../../parts/icons/icon.tsx";
import { Panel } from "../../parts/layout.tsx";
import { Time } from "../../parts/time.tsx";
import { domainsTexts } from "../../texts/areas.ts";
import type { Domain } from "./calls.ts";
import { Problem } from "./problem.tsx";

type DomainWay = Domain["ways"][number];

const MARKS: Readonly<Record<DomainWay["state"], { readonly name: StatusIconName; readonly tone: Tone }>> = {
  OK: { name: "delivered", tone: "ok" },
  MISSING: { name: "waiting", tone: "warn" },
  WRONG: { name: "failed", tone: "bad" },
  UNKNOWN: { name: "waiting", tone: "dim" },
};

/** Renders nothing if no way has an answer. */
export function AtWays({ ways }: { readonly ways: readonly DomainWay[] }) {
  const t = useTexts(domainsTexts);
  if (ways.every(({ state }) => state === "UNKNOWN")) return null;
  return (
    <Panel title={t.ways} actions={<span className="dim small push">{t.waysText}</span>}>
      <div className="rows also-known">
        {ways.map((one) => (
          <div className="line" key={one.way}>
            <StatusIcon {...MARKS[one.state]} />
            <b>{one.way}</b>
            <span className="row-text breaks">
              {one.problem === null ? t.wayStates[one.state] : <Problem {...one} />}{" "}
              {one.since !== null && (
                <span className="dim small">
                  <Time at={one.since} as="brief" />
                </span>
              )}
            </span>
          </div>
        ))}
      </div>
    </Panel>
  );
}
