// How a receiver verifies the signature of a webhook.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Panel } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { webhooksTexts } from "../../texts/areas.ts";
// Both screens of webhooks have this part.
import "./webhooks.css";

/** Resend signs with the libraries and headers of Svix, where the standard comes from. */
const NAMES = {
  posthorn: { npm: "standardwebhooks", header: "webhook" },
  resend: { npm: "svix", header: "svix" },
} as const;
type LibraryNames = (typeof NAMES)[keyof typeof NAMES];

const LIBRARIES = {
  node: {
    name: "Node.js",
    text: (secret: string, { npm }: LibraryNames) => `// npm install ${npm}
import { Webhook } from "${npm}";

const webhook = new Webhook("${secret}");
// Pass the raw body; throws if the signature is wrong or too old.
const event = webhook.verify(body, request.headers);
`,
  },
  python: {
    name: "Python",
    text: (secret: string, { npm }: LibraryNames) => `# pip install ${npm}
from ${npm}.webhooks import Webhook

webhook = Webhook("${secret}")
# The body as it came, before it is parsed; raises if the signature is wrong or too old.
event = webhook.verify(body, headers)
`,
  },
  php: {
    name: "PHP",
    text: (secret: string, { header }: LibraryNames) => `<?php
$key = base64_decode(substr('${secret}', strlen('whsec_')));
$signed = $headers['${header}-id'] . '.' . $headers['${header}-timestamp'] . '.' . $body;
$expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
$is_ours = in_array(true, array_map(fn ($one) => hash_equals($expected, $one), explode(' ', $headers['${header}-signature'])))
    && abs(time() - (int) $headers['${header}-timestamp']) < 300;
`,
  },
} as const;
type Library = keyof typeof LIBRARIES;

const PLACEHOLDER = "whsec_…";

type SignaturesProps = {
  /** Null if the user may not see it, or has not given a proof. */
  readonly secret: string | null;
  readonly format: keyof typeof NAMES;
  /** The text of the question before the secret is replaced. */
  readonly askText: string;
  /** Returns the new secret. */
  readonly rotate: () => Promise<string | null>;
};

export function Signatures({ secret, format, ...replacing }: SignaturesProps) {
  const t = useTexts(webhooksTexts).signatures;
  const disabledReason = useDisabledReason("keys");
  const [library, choose] = useState<Library>("node");
  const [isAsking, setAsking] = useState(false);
  /** Null until the user asks for it: others may see the screen. */
  const [shown, show] = useState<string | null>(null);
  return (
    <Panel
      title={t.title}
      actions={
        <span className="push inline">
          {secret !== null && shown === null && (
            <Button small kind="quiet" icon="eye" onClick={() => show(secret)}>
              {t.show}
            </Button>
          )}
          <Button small icon="again" disabledReason={disabledReason} onClick={() => setAsking(true)}>
            {t.replace}
          </Button>
        </span>
      }
    >
      <div className="pad stack">
        <p className="row-text">{t.text[format]}</p>
        <Code
          what={t.lines}
          text={LIBRARIES[library].text(shown ?? PLACEHOLDER, NAMES[format])}
          title={
            <SegmentedControl
              small
              label={t.library}
              choices={Object.entries(LIBRARIES).map(([value, { name }]) => ({
                value: value as Library,
                content: name,
              }))}
              value={library}
              onChange={choose}
            />
          }
        />
      </div>
      {isAsking && <Replace {...replacing} close={() => setAsking(false)} replaced={show} />}
    </Panel>
  );
}

type ReplaceProps = Omit<SignaturesProps, "secret" | "format"> & {
  readonly close: () => void;
  readonly replaced: (secret: string | null) => void;
};

function Replace({ close, replaced, rotate, askText }: ReplaceProps) {
  const t = useTexts(webhooksTexts).signatures;
  const rotation = useMutation({
    mutationFn: rotate,
    onSuccess: (secret) => {
      replaced(secret);
      showToast(t.done);
    },
    onSettled: close,
    gcTime: 0,
  });
  return (
    <Question
      title={t.ask}
      close={close}
      action={t.confirm}
      risk
      busy={rotation.isPending}
      run={() => rotation.mutate()}
      text={askText}
    />
  );
}
