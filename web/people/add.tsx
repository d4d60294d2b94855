// Adding one person.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { api, unwrap } from "../api.ts";
import { useTexts } from "../language.ts";
import { useOnce } from "../once.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Checkbox } from "../parts/checkbox.tsx";
import { showToast } from "../parts/toast.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { peopleChanged } from "./calls.ts";

export function Add({ close }: { readonly close: () => void }) {
  const t = useTexts(peopleTexts);
  const id = useId();
  const once = useOnce();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ email = "", name = "", subscribed }: Readonly<Record<string, string>>) => {
      const body = {
        email,
        data: name === "" ? {} : { name },
        ...(subscribed ? { subscribed: true } : { subscribed: false }),
      };
      return unwrap(api.POST("/contacts", { ...once, body }));
    },
    onSuccess: ({ id, _meta }) => {
      peopleChanged();
      close();
      showToast(_meta.isNew ? t.add.done : t.add.known);
      void navigate({ to: "/people/$id", params: { id } });
    },
    meta: { inForm: true },
  });
  const actions = (
    <>
      <Button onClick={close}>{t.cancel}</Button>
      <Button kind="first" type="submit" form={id} busy={isPending}>
        {t.add.action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen title={t.add.title} onClose={close} actions={actions}>
      <Form id={id} onSubmit={(values) => mutate(values)} fault={error} unsaved={false}>
        <Field name="email" label={t.email} type="email" autoFocus autoComplete="off" />
        <Field name="name" label={t.name} note={t.optional} autoComplete="off" />
        <Checkbox name="subscribed" defaultChecked>
          {t.add.subscribed}
        </Checkbox>
      </Form>
    </Dialog>
  );
}
