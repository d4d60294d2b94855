// Sends a test email of a campaign.
import { call } from "../calls/api.ts";
import { useDisabledReason } from "../calls/session.ts";
import { SendTest } from "../test-emails/send-test.tsx";
import type { Campaign } from "./calls.ts";

type SendToMeProps = { readonly campaign: Campaign; readonly flush: () => Promise<void>; readonly small?: boolean };

export function SendToMe({ campaign: { id }, ...props }: SendToMeProps) {
  const disabledReason = useDisabledReason("campaigns.write");
  return (
    <SendTest
      {...props}
      disabledReason={disabledReason}
      send={async (body) => (await call("POST /campaigns/{id}/test", { id, body })).data.email}
    />
  );
}
