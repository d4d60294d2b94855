// /templates/{id}/preview: a rendered template, without a mail.
import { t } from "elysia";
import { invalidField } from "../../errors.ts";
import { answers } from "../../http/answers.ts";
import { dataShape, idInputShape, optional } from "../../http/schemas.ts";
import type { Access } from "../../workspaces/auth.ts";
import { route, routes } from "../../workspaces/route-table.ts";
import type { RenderedPart } from "./parts.ts";
import { draftOf, type PreviewOptions } from "./preview.ts";
import type { Renderer } from "./renderer.ts";

const inputShape = t.Object(
  {
    data: optional(dataShape, "Variables, as in `sendEmail`. Nothing is stored."),
    contactId: optional(idInputShape, "The contact whose data is used in addition to `data`."),
  },
  { examples: [{ data: { name: "Ada", order: { number: 4711 } } }] },
);

const previewShape = t.Object({
  subject: t.String(),
  html: t.String(),
  text: t.String({ description: "Empty if the mail would have no text part." }),
  missing: t.Array(t.String(), { description: "Variables without a value or a default, as paths." }),
});

const previewed = answers(
  "previewTemplate",
  "Render a template",
  { 200: previewShape },
  {
    permission: "read",
    body: inputShape,
    harmless: true,
    refuses: ["TEMPLATE_NOT_FOUND", "CONTACT_NOT_FOUND", "WORKSPACE_NOT_FOUND"],
    description: "Rendered like the mail itself, with the footer of marketing mail. The links in it have no effect.",
  },
);

export function previewRoutes(access: Access, renderer: Renderer, options: PreviewOptions) {
  return routes(access, [
    route("POST", "/templates/:id/preview", previewed, async ({ params, body, caller }) => {
      const input = { template: params.id, contactId: body.contactId ?? null, data: body.data ?? {} };
      const draft = await access.store.read((reader) => draftOf(reader, caller, input, options));
      const { parts, excess } = await renderer.render(caller.workspace, [{ kind: "mail", draft }]);
      if (excess) throw invalidField(excess.field, excess.reason, "over_budget");
      const { kind, ...shown } = parts[0] as RenderedPart & { readonly kind: "mail" };
      return shown;
    }),
  ]);
}
