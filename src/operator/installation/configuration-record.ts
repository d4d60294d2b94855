// The configuration as owners see and change it.
import { t } from "elysia";
import { KEY_CHANGES } from "../../base/config/key.ts";
import { VALUE_FORMS } from "../../base/config/kinds.ts";
import { SETTING_SOURCES } from "../../base/config/settings.ts";
import { countShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { ifUpdatedAtShape, updatedByShape } from "../../tenant/access/saving-shape.ts";

const settingValueShape = t.Union([
  t.String(),
  t.Number(),
  t.Boolean(),
  t.Array(t.Union([t.String(), t.Number()])),
  t.Null(),
]);

const settingShape = t.Object(
  {
    key: t.String({ description: "As in the file: `http.port`, `ways.backup.host`." }),
    value: { ...settingValueShape, description: "Times are in seconds; null = unset, or a secret." },
    isSecret: t.Boolean({ description: "The value is never shown." }),
    source: oneOf(...SETTING_SOURCES),
    place: nullable(t.String({ description: "The file, the variable or the argument." })),
    fallback: { ...settingValueShape, description: "The value that counts where none is set; null = none." },
    change: {
      ...oneOf(...KEY_CHANGES),
      description:
        "LIVE: `PATCH` changes it unless the file, the environment or the command line sets it. CONFIRMED: as LIVE, but a change goes back after a minute unless an owner confirms it. While `team.oidc.only` is on, this holds for all keys of `team.oidc`. RESTART: only the file and the environment set it.",
    },
    form: { ...oneOf(...VALUE_FORMS), description: "TIME: seconds, or text such as `4h`. LIST: of texts or times." },
    choices: t.Array(t.String(), { description: "Of a CHOICE." }),
  },
  { title: "Setting" },
);

export const configurationShape = t.Object(
  {
    data: t.Array(settingShape),
    updatedAt: t.Union([timeShape, t.Null()], { description: "When a setting was saved last; null = never." }),
    updatedBy: updatedByShape,
    unconfirmed: t.Union(
      [
        t.Object({
          keys: t.Array(t.String()),
          seconds: { ...countShape, description: "Until they go back." },
        }),
        t.Null(),
      ],
      { description: "What waits to be confirmed; null = nothing does." },
    ),
    problems: t.Array(t.Object({ key: t.String(), message: t.String() }), {
      description: "What is kept and not used, such as a value that this version does not admit.",
    }),
  },
  { title: "Configuration" },
);

export type ConfigurationRecord = typeof configurationShape.static;

export const configurationChangeShape = t.Object(
  {
    values: t.Record(t.String({ maxLength: 100 }), settingValueShape, {
      description: "By key; null = back to the default.",
    }),
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ values: { "retention.mail_days": 180, "alerts.email": ["ops@example.com"] } }] },
);
