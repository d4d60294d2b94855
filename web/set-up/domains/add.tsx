// A domain is added by its name; its records are on its page then.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../api.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { queries } from "../../queries.ts";
import { domainsTexts, frameTexts } from "../../texts/areas.ts";

export function AddDomain({ close }: { readonly close: () => void }) {
  const t = useTexts(domainsTexts);
  const frame = useTexts(frameTexts);
  const navigate = useNavigate();
  const adding = useMutation({
    mutationFn: (domain: string) => unwrap(api.POST("/domains", { body: { domain } })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["domains"] });
      close();
      await navigate({ to: "/set-up/domains/{-$id}", params: { id } });
    },
    meta: { inForm: true },
  });
  return (
    <Dialog title={t.add} isOpen onClose={close}>
      <Form fault={adding.error} onSubmit={({ domain = "" }) => adding.mutate(domain.trim())}>
        <Field
          name="domain"
          label={t.domain}
          help={t.domainHelp}
          placeholder="example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <div className="actions">
          <Button onClick={close}>{frame.cancel}</Button>
          <Button kind="first" type="submit" busy={adding.isPending}>
            {t.add}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
