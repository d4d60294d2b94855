// The API call that sends the template, with data for each variable in it.
import { Link } from "@tanstack/react-router";
import { curlOf } from "../calls/curl.ts";
import { useTexts } from "../base/language.ts";
import { Code } from "../parts/code.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Facts, Panel } from "../parts/layout.tsx";
import { templatesTexts } from "../texts/areas.ts";
import { variablesIn } from "../writing/variables-in.ts";
import type { Content } from "../writing/content.ts";
import type { Template } from "./calls.ts";

type CallProps = { readonly template: Template; readonly value: Content };

export function ApiCall({ template: { id, alias, from, type }, value }: CallProps) {
  const name = alias ?? id;
  const t = useTexts(templatesTexts);
  const names = variablesIn(value.subject, value.preheader, value.body, value.text);
  const data = Object.fromEntries(names.map((name) => [name, "…"]));
  const call = {
    method: "POST",
    path: "/v1/send",
    body: {
      to: "ada@example.com",
      ...(from === null ? { from: "hello@example.com" } : {}),
      template: name,
      ...(names.length > 0 ? { data } : {}),
    },
  } as const;
  return (
    <div className="page narrow">
      <p className="dim">{type === "MARKETING" ? t.call.marketing : t.call.text}</p>
      <Code title={t.call.send} text={curlOf(call)} />
      <Panel title={t.call.names}>
        <div className="pad">
          <Facts
            facts={[
              [
                alias === null ? t.call.id : t.alias,
                <span className="inline" key="id">
                  <code>{name}</code>
                  <CopyButton text={name} what={alias === null ? t.call.id : t.alias} />
                </span>,
              ],
              [t.call.variables, names.length > 0 ? names.join(", ") : t.call.none],
            ]}
          />
        </div>
      </Panel>
      <p className="row-text">
        <Link to="/settings/keys">{t.call.keys}</Link>
      </p>
    </div>
  );
}
