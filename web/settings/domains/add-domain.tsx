// The dialog that adds a sender domain.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { queries } from "../../calls/queries.ts";
import { domainsTexts } from "../../texts/areas.ts";

type AddDomainProps = { readonly close: () => void; readonly onDone?: (id: string) => void };

export function AddDomain({ close, onDone }: AddDomainProps) {
  const t = useTexts(domainsTexts);
  const adding = useMutation({
    mutationFn: (domain: string) => call("POST /domains", { body: { domain } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["domains"] });
      close();
      onDone?.(id);
    },
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.add}
      close={close}
      sending={adding}
      submit={t.add}
      onSubmit={({ domain = "" }) => adding.mutate(domain.trim())}
    >
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
    </FormDialog>
  );
}
