// How a receiver verifies the signature of a webhook.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Question } from "../../parts/form-dialog.tsx";
import { Panel } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/segmented-control.tsx";
import { showToast } from "../../parts/toast.tsx";
import { useDisabledReason } from "../../session.ts";
import { webhooksTexts } from "../../texts/areas.ts";

const LIBRARIES = {
  node: {
    name: "Node.js",
    text: (secret: string) => `// npm install standardwebhooks
import { Webhook } from "standardwebhooks";

const webhook = new Webhook("${secret}");
// Pass the raw body; throws if the signature is wrong or too old.
const event = webhook.verify(body, request.headers);
`,
  },
  python: {
    name: "Python",
    text: (secret: string) => `# pip install standardwebhooks
from standardwebhooks.webhooks import Webhook

webhook = Webhook("${secret}")
# The body as it came, before it is parsed; raises if the signature is wrong or too old.
event = webhook.verify(body, headers)
`,
  },
  php: {
    name: "PHP",
    text: (secret: string) => `<?php
$key = base64_decode(substr('${secret}', strlen('whsec_')));
$signed = $headers['webhook-id'] . '.' . $headers['webhook-timestamp'] . '.' . $body;
$expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
$is_ours = in_array(true, array_map(fn ($one) => hash_equals($expected, $one), explode(' ', $headers['webhook-signature'])))
    && abs(time() - (int) $headers['webhook-timestamp']) < 300;
`,
  },
} as const;
type Library = keyof typeof LIBRARIES;

const PLACEHOLDER = "whsec_…";

export function Signatures() {
  const t = useTexts(webhooksTexts).signatures;
  const [library, choose] = useState<Library>("node");
  const { secret, action } = useSecret();
  return (
    <Panel title={t.title} actions={<span className="push inline">{action}</span>}>
      <div className="pad stack">
        <p className="row-text">{t.text}</p>
        <Code
          what={t.lines}
          text={LIBRARIES[library].text(secret ?? PLACEHOLDER)}
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
    </Panel>
  );
}

/** Shown to people with the permission and a fresh proof. */
function useSecret() {
  const t = useTexts(webhooksTexts).signatures;
  const disabledReason = useDisabledReason("keys");
  const [isAsking, setAsking] = useState(false);
  /** Not before somebody isAsking for it: others may look on. */
  const [shown, show] = useState<string | null>(null);
  const { data } = useQuery({ queryKey: ["workspace", "secret"], queryFn: () => unwrap(api.GET("/workspace")) });
  const secret = data?.webhookSecret ?? null;
  const action = (
    <>
      {secret !== null && shown === null && (
        <Button small kind="quiet" icon="eye" onClick={() => show(secret)}>
          {t.show}
        </Button>
      )}
      <Button small icon="again" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        {t.replace}
      </Button>
      {isAsking && <Replace close={() => setAsking(false)} replaced={show} />}
    </>
  );
  return { secret: shown, action };
}

type ReplaceProps = { readonly close: () => void; readonly replaced: (secret: string | null) => void };

function Replace({ close, replaced }: ReplaceProps) {
  const t = useTexts(webhooksTexts).signatures;
  const rotation = useMutation({
    mutationFn: () => unwrap(api.POST("/workspace/rotate-webhook-secret")),
    onSuccess: ({ webhookSecret }) => {
      replaced(webhookSecret);
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
      text={t.askText}
    />
  );
}
