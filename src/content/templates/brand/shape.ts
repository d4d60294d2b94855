// The shape of a brand: an editor's defaults for a mail, and the look of recipient pages.
import { t } from "elysia";
import { nullable } from "../../../http/answer-shapes.ts";
import { mailboxShape, nameShape, optional } from "../../../http/schemas.ts";
import { ifUpdatedAtShape } from "../../../tenant/access/saving-shape.ts";

export const MOST_COLORS = 20;
const MAX_FOOTER_CHARS = 20_000;
const MAX_PAGE_FOOTER_CHARS = 500;

const COLORS =
  "`#rrggbb` by name. Recipient pages and the web interface use `accent`, `onAccent`, `ink`, `paper` and `ground`.";
const font = t.String({ maxLength: 200, pattern: "^[^<>{}\\r\\n]*$" });
const url = t.String({ maxLength: 1_000, pattern: "^https?://[^\\s\"'<>{}]+$" });

export const brandShape = t.Object(
  {
    colors: t.Record(t.String(), t.String(), { description: COLORS }),
    font: nullable(t.String()),
    logoUrl: nullable(t.String()),
    logoAlt: nullable(t.String()),
    from: nullable(t.String()),
    fromName: nullable(t.String()),
    replyTo: nullable(t.String()),
    footer: nullable(t.String({ description: "HTML with variables." })),
    pageFooter: nullable(t.String({ description: "Below recipient pages: plain text." })),
  },
  { title: "Brand" },
);
export type Brand = Readonly<typeof brandShape.static>;

export const brandInputShape = t.Object(
  {
    colors: optional(t.Record(t.String(), t.String()), COLORS),
    font: optional(font, "As in CSS: names of fonts, with commas."),
    logoUrl: optional(url, "Best the `url` of an image."),
    logoAlt: optional(t.String({ maxLength: 200 })),
    from: optional(mailboxShape, "An address, or `Name <address>`."),
    fromName: optional(nameShape),
    replyTo: optional(mailboxShape),
    footer: optional(t.String({ maxLength: MAX_FOOTER_CHARS }), "HTML with variables."),
    pageFooter: optional(
      t.String({ maxLength: MAX_PAGE_FOOTER_CHARS }),
      "Below recipient pages: plain text, such as who you are and the URL of your legal notice.",
    ),
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ colors: { accent: "#9a5b12", ink: "#1d1b16" }, from: "News <news@example.test>" }] },
);
export type BrandInput = Readonly<typeof brandInputShape.static>;
