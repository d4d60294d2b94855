// What the form of a way out says, as the API takes it.
import type { SendingRoute } from "./calls.ts";
import { numberIn } from "./number-in.ts";

export type WayKind = SendingRoute["kind"];
type Values = Readonly<Record<string, string>>;

export const NONE = "none";
const NUMBERS = ["port", "timeoutSeconds", "ratePerSecond", "concurrency", "burst", "price"];
const SECRETS = ["password", "providerKey", "accessKeyId", "secretAccessKey", "sessionToken"];
const FLAGS = ["verifyCertificate", "providerTracking"];
const OF_KIND: Readonly<Record<WayKind, readonly string[]>> = {
  smtp: [
    ...["host", "port", "tls", "user", "password", "provider", "providerKey"],
    ...["timeoutSeconds", "verifyCertificate", "providerTracking"],
  ],
  ses: ["region", "configurationSet", "accessKeyId", "secretAccessKey", "sessionToken", "endpoint", "topics"],
  capture: [],
};
/** Of the name of a box that is ticked if a secret is to be removed. */
export const CLEAR = "clear.";
/** They belong together: a new key without a token has none. */
const KEYS = ["accessKeyId", "secretAccessKey", "sessionToken"];

/** An empty field is a setting's default, and an empty secret stays as it is. */
export function settingsIn(values: Values, kind: WayKind): Record<string, unknown> {
  const named = [...OF_KIND[kind], "ratePerSecond", "concurrency", "burst", "price"];
  const text = (name: string) => (values[name] ?? "").trim();
  const isCleared = (name: string) =>
    values[`${CLEAR}${KEYS.includes(name) ? "keys" : name}`] !== undefined ||
    (name === "sessionToken" && text("secretAccessKey") !== "");
  return Object.fromEntries(
    named.flatMap((name): [string, unknown][] => {
      if (FLAGS.includes(name)) return [[name, values[name] !== undefined]];
      if (SECRETS.includes(name) && text(name) === "") return isCleared(name) ? [[name, null]] : [];
      if (name === "topics")
        return [
          [
            name,
            text(name)
              .split(/\s+/)
              .filter((one) => one !== ""),
          ],
        ];
      if (NUMBERS.includes(name)) return [[name, numberIn(text(name))]];
      return [[name, text(name) === "" || (name === "provider" && text(name) === NONE) ? null : text(name)]];
    }),
  );
}
