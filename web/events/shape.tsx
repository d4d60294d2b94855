// What events of a name tell: keys, types and values that were seen.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { eventsTexts } from "../texts/areas.ts";
import { shapeQuery } from "./calls.ts";
import { Uses } from "./uses.tsx";

export function Shape({ name }: { readonly name: string }) {
  const t = useTexts(eventsTexts);
  const { number } = useFormats();
  const { data } = useQuery(shapeQuery(name));
  return (
    <div className="stack l event-shape">
      <Panel title={t.shape}>
        {!data && <Skeleton rows={4} columns={2} />}
        {data && (
          <div className="pad stack">
            <p className="dim row-text">{t.looked(number(data.events))}</p>
            <dl>
              {data.fields.map(({ path, types, seen, samples }) => (
                <div key={path}>
                  <dt>
                    <code>{path}</code>
                    <span className="dim small">
                      {types.map((type) => t.types[type]).join(", ")}
                      {seen < data.events && ` · ${t.seen(number(seen))}`}
                    </span>
                  </dt>
                  {samples.length > 0 && <dd className="dim">{samples.join(" · ")}</dd>}
                </div>
              ))}
            </dl>
            {data.fields.length === 0 && <p className="row-text">{t.tellsNothing}</p>}
          </div>
        )}
      </Panel>
      <div className="inline wrap">
        <Uses name={name} />
      </div>
    </div>
  );
}
