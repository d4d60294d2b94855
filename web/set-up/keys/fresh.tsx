// Keys that have just been made: the one time that they can be copied.
import { useQuery } from "@tanstack/react-query";
import { curlOf } from "../../calls.ts";
import { useTexts } from "../../language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { keysTexts } from "../../texts/keys.ts";
import { domainsQuery } from "../domains/calls.ts";
import { senderFor } from "../sender.ts";

type FreshKeysProps = {
  readonly keys: { readonly public: string; readonly secret: string; readonly domains: readonly string[] | null };
  readonly close: () => void;
};

export function FreshKeys({ keys, close }: FreshKeysProps) {
  const t = useTexts(keysTexts).fresh;
  const { data: domains = [] } = useQuery(domainsQuery);
  const own = keys.domains ? domains.filter(({ domain }) => keys.domains?.includes(domain)) : domains;
  const body = { to: "you@example.com", from: senderFor(own), subject: t.subject, body: t.body };
  const curl = curlOf({ method: "POST", path: "/v1/send", body }).replace("$KEY", keys.secret);
  return (
    <div className="stack l">
      <Banner tone="warn">
        <b>{t.once}</b> {t.onceText}
      </Banner>
      <Code title={t.secret} what={t.secret} text={keys.secret} />
      <Code title={t.public} what={t.public} text={keys.public} />
      <Code title={t.try} what={t.call} text={curl} />
      <div className="acts">
        <Button kind="first" onClick={close}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}
