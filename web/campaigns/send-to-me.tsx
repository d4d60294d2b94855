// Sends a test email to the author.
import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { showFault, showToast } from "../parts/toast.tsx";
import { queries } from "../queries.ts";
import { useMe, useDisabledReason } from "../session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { useSendTest, type Campaign } from "./calls.ts";

type ToMeProps = { readonly campaign: Campaign; readonly flush: () => Promise<void>; readonly small?: boolean };

export function SendToMe({ campaign: { id }, flush, small = false }: ToMeProps) {
  const t = useTexts(campaignsTexts);
  const { email } = useMe();
  const navigate = useNavigate();
  const disabledReason = useDisabledReason("campaigns.write");
  const testing = useSendTest(id, () => {
    void queries.invalidateQueries({ queryKey: ["mails"] });
    showToast(t.sentTo(email), {
      name: t.follow,
      run: () => void navigate({ to: "/mail", search: { search: email } }),
    });
  });
  const send = () => void flush().then(() => testing.mutate(email, { onError: showFault }));
  return (
    <Button
      {...(small ? { kind: "quiet" as const, small, label: t.toMe } : { children: t.toMe })}
      icon="send"
      disabledReason={disabledReason}
      busy={testing.isPending}
      onClick={send}
    />
  );
}
