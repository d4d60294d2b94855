// The forecast of a campaign as the interface shows it.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";

export const forecastShape = t.Object(
  {
    state: t.Union(
      (["NONE", "PLANNED", "RUNNING", "PAUSED", "HALTED", "DONE", "SKIPPED"] as const).map((state) => t.Literal(state)),
      { description: "Of the warm-up of its sender domain. NONE, DONE and SKIPPED: it leaves at full pace." },
    ),
    domainId: nullable(idShape),
    reason: t.Union([t.String(), t.Null()], { description: "Why the warm-up has halted." }),
    providers: t.Array(
      t.Object({
        provider: t.String({ description: "As in `GET /emails?provider=`." }),
        people: { ...countShape, description: "Recipients who wait, or would." },
        doneAt: nullable(timeShape),
      }),
      { description: "Mailbox providers that get it little by little; all others get it at once." },
    ),
    doneAt: {
      ...nullable(timeShape),
      description: "When the last of them has got it; null = at once, or it cannot be told.",
    },
    slowest: {
      ...nullable(
        t.Object({
          limit: oneOf("RATE", "PROVIDER_PACE", "WARM_UP"),
          name: nullable(
            t.String({ description: "The provider or mailbox domain that asked for less, or the sender domain." }),
          ),
          doneAt: {
            ...nullable(timeShape),
            description: "When the last email leaves; null = it cannot be told while this limit lets nothing leave.",
          },
        }),
      ),
      description:
        "Of all limits, the one by which the last email leaves latest: the rate of the server, what mailbox providers have asked for, or the warm-up. null = there is none, or it has left. Once it is being sent, the rate is in `GET /queue`.",
    },
    isEstimate: t.Boolean({ description: "People of an unsent campaign are counted for a limited time." }),
  },
  { title: "CampaignForecast" },
);

export type Forecast = typeof forecastShape.static;
