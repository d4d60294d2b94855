// Signatures of calls by workflow steps: made with the workspace's secret.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { webhooksTexts } from "../../texts/areas.ts";
import { Signatures } from "./signatures.tsx";

export function WorkspaceSignatures() {
  const t = useTexts(webhooksTexts).signatures;
  const { data } = useQuery({ queryKey: ["workspace", "secret"], queryFn: () => call("GET /workspace") });
  return (
    <Signatures
      secret={data?.webhookSecret ?? null}
      format="posthorn"
      askText={t.askText}
      rotate={async () =>
        (await call("POST /workspace/rotate-webhook-secret", { body: { overlapHours: 24 } })).webhookSecret
      }
    />
  );
}
