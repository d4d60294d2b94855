// Further information about a domain: BIMI, MTA-STS, DANE. Never an error.
import { useTexts } from "../../base/language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../../parts/icons/icon.tsx";
import { Panel } from "../../parts/layout.tsx";
import { domainsTexts } from "../../texts/areas.ts";
import type { Information } from "./calls.ts";
import { Problem } from "./problem.tsx";

const MARKS: Readonly<Record<Information["state"], { readonly name: StatusIconName; readonly tone: Tone }>> = {
  PRESENT: { name: "delivered", tone: "ok" },
  ABSENT: { name: "skipped", tone: "dim" },
  INVALID: { name: "info", tone: "dim" },
  UNKNOWN: { name: "waiting", tone: "dim" },
};

/** Renders nothing before the first check. */
export function AlsoKnown({ information }: { readonly information: readonly Information[] }) {
  const t = useTexts(domainsTexts);
  if (information.every(({ state }) => state === "UNKNOWN")) return null;
  return (
    <Panel title={t.also} actions={<span className="dim small push">{t.alsoText}</span>}>
      <div className="rows also-known">
        {information.map((one) => (
          <div className="line" key={`${one.topic} ${one.name}`}>
            <StatusIcon {...MARKS[one.state]} />
            <b>{t.topics[one.topic]}</b>
            <span className="row-text breaks">
              {one.problem === null ? t.topicStates[one.state] : <Problem {...one} />}
            </span>
          </div>
        ))}
      </div>
    </Panel>
  );
}
