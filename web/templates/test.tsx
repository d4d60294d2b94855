// "Send to me": the template as it is now, to the person who looks at it.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../api.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/toast.tsx";
import { queries } from "../queries.ts";
import { useMe, useDisabledReason } from "../session.ts";
import { templatesTexts, writingTexts } from "../texts/areas.ts";
import type { Template } from "./calls.ts";

type TestProps = { readonly template: Template; readonly flush: () => Promise<void> };

export function SendToMe({ template: { id, from }, flush }: TestProps) {
  const t = useTexts(templatesTexts);
  const { preview } = useTexts(writingTexts);
  const { email } = useMe();
  const navigate = useNavigate();
  const mayNot = useDisabledReason("mail.send");
  const sending = useMutation({
    mutationFn: async () => {
      await flush();
      return unwrap(api.POST("/v1/send", { body: { to: email, template: id } }));
    },
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      const mail = data.emails[0]?.email;
      const follow = () => mail !== undefined && void navigate({ to: "/mail/$id", params: { id: mail } });
      showToast(t.sentTo(email), { name: t.follow, run: follow });
    },
  });
  const disabledReason = mayNot ?? (from === null ? t.needsSender : undefined);
  return (
    <Button
      kind="quiet"
      small
      icon="send"
      label={preview.toMe}
      disabledReason={disabledReason}
      busy={sending.isPending}
      onClick={() => sending.mutate()}
    />
  );
}
