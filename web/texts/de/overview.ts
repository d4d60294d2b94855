// The overview, in German.
import type { overview as english } from "../en/overview.ts";

export const overview: typeof english = {
  title: "Übersicht",
  first: {
    title: "Eine erste Mail senden",
    text: "Dieser Aufruf sendet eine Mail. Setzen Sie einen Schlüssel dieses Arbeitsbereichs für $KEY ein.",
  },
};
