// The form of a way out, as the API takes it.
import type { SendingRoute } from "./calls.ts";
import { numberIn } from "../number-in.ts";

export type WayKind = SendingRoute["kind"];
type Values = Readonly<Record<string, string>>;

export const NONE = "none";
const NUMBERS = ["port", "timeoutSeconds", "ratePerSecond", "concurrency", "burst", "price"];
const SECRETS = [
  ...["password", "clientSecret", "refreshToken", "serviceAccount"],
  ...["providerKey", "accessKeyId", "secretAccessKey", "sessionToken"],
];
const FLAGS = ["verifyCertificate", "providerTracking"];
const OF_KIND: Readonly<Record<WayKind, readonly string[]>> = {
  smtp: [
    ...["host", "port", "tls", "user", "auth", "password", "provider", "providerKey"],
    ...["tenant", "tokenUrl", "clientId", "clientSecret", "refreshToken", "serviceAccount", "scope"],
    ...["timeoutSeconds", "verifyCertificate", "providerTracking"],
  ],
  graph: ["user", "auth", "tenant", "tokenUrl", "clientId", "clientSecret", "refreshToken", "scope"],
  ses: ["region", "configurationSet", "accessKeyId", "secretAccessKey", "sessionToken", "endpoint", "topics"],
  capture: [],
};
/** The prefix of the names of checkboxes that remove a secret. */
export const CLEAR = "clear.";
/** Removed together; a new key without a session token removes the old token. */
const KEYS = ["accessKeyId", "secretAccessKey", "sessionToken"];

export const LOGINS = ["password", "microsoft", "google", "serviceAccount", "other"] as const;
export type Login = (typeof LOGINS)[number];
/** The settings of each login; choosing it clears the others. */
const OF_LOGIN: Readonly<Record<Login, readonly string[]>> = {
  password: ["password"],
  microsoft: ["tenant", "clientId", "clientSecret", "refreshToken"],
  google: ["tokenUrl", "clientId", "clientSecret", "refreshToken"],
  serviceAccount: ["serviceAccount"],
  other: ["tokenUrl", "clientId", "clientSecret", "refreshToken", "scope"],
};
/** The required setting of each login: sent even if empty, so that the server refuses it at its field. */
const NEEDED: Readonly<Record<Login, string | null>> = {
  ...{ password: null, microsoft: "tenant", google: null, serviceAccount: "serviceAccount", other: "tokenUrl" },
};
const GOOGLE_TOKENS = "https://oauth2.googleapis.com/token";
const OF_ANY_LOGIN = new Set(Object.values(OF_LOGIN).flat());

export function loginOf(way: SendingRoute | null): Login {
  if (way === null || way.auth === "password") return "password";
  if (way.hasServiceAccount) return "serviceAccount";
  if (way.tokenUrl === GOOGLE_TOKENS && way.scope === null) return "google";
  return way.tenant === null ? "other" : "microsoft";
}

/** An empty field is the default, an empty secret is kept. `way`: null for a new one. */
export function settingsIn(values: Values, kind: WayKind, way: SendingRoute | null): Record<string, unknown> {
  const named = [...OF_KIND[kind], "ratePerSecond", "concurrency", "burst", "price"];
  const text = (name: string) => (values[name] ?? "").trim();
  const isCleared = (name: string) =>
    values[`${CLEAR}${KEYS.includes(name) ? "keys" : name}`] !== undefined ||
    (name === "sessionToken" && text("secretAccessKey") !== "");
  const login = (values["login"] ?? "password") as Login;
  return Object.fromEntries(
    named.flatMap((name): [string, unknown][] => {
      if (name === "auth") return [[name, login === "password" ? "password" : "oauth2"]];
      if (name === "tokenUrl" && login === "google") return [[name, GOOGLE_TOKENS]];
      if (OF_ANY_LOGIN.has(name) && !OF_LOGIN[login].includes(name)) return [[name, null]];
      if (name === NEEDED[login] && text(name) === "" && !way?.hasServiceAccount) return [[name, ""]];
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
