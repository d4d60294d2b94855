// Lines for the configuration of the server, and why they are not entered here.
import { useTexts } from "../language.ts";
import { Code } from "../parts/code.tsx";
import { firstStartTexts } from "../texts/areas.ts";

export function FileLines({ text }: { readonly text: string }) {
  const t = useTexts(firstStartTexts).file;
  return (
    <>
      <p className="row-text">{t.put}</p>
      <Code title="config.toml" text={text} />
      <p className="disabled-reason">
        <span>
          {t.why} <a href="/docs/guide/configuration">{t.guide}</a>
        </span>
      </p>
    </>
  );
}
