// The rules between the settings of a relay: its login, and its provider.
import { createPublicKey } from "node:crypto";
import type { ConfigValues } from "./keys.ts";

export type ConfigRule = {
  /** The key to set or change. */
  readonly key: string;
  readonly isBroken: (settings: ConfigValues) => boolean;
  readonly message: string;
  /** Keys that would do instead: a fault of theirs is the reason. */
  readonly instead?: readonly string[];
};

type RelaySettings = ConfigValues["relay"];
const isOauth2 = ({ auth }: RelaySettings) => auth === "oauth2";
const OF_CLIENT = ["tenant", "tokenUrl", "clientId", "clientSecret", "refreshToken"] as const;

/** An access token takes the place of the password. */
const OAUTH2: readonly ConfigRule[] = [
  {
    key: "relay.auth",
    isBroken: ({ relay }) =>
      !isOauth2(relay) &&
      [...OF_CLIENT, "serviceAccount" as const, "scope" as const].some((key) => relay[key] !== null),
    message: 'must be "oauth2" when relay.client_id, relay.service_account or the like is set',
  },
  {
    key: "relay.user",
    isBroken: ({ relay }) => isOauth2(relay) && relay.user === null,
    message: 'must be set when relay.auth is "oauth2": the mailbox that sends',
  },
  {
    key: "relay.password",
    isBroken: ({ relay }) => isOauth2(relay) && relay.password !== null,
    message: 'must not be set when relay.auth is "oauth2"',
  },
  {
    key: "relay.tls",
    isBroken: ({ relay }) => isOauth2(relay) && relay.tls === "none",
    message:
      'must not be "none" when relay.auth is "oauth2": anybody on the network who reads the access token could send',
  },
  {
    key: "relay.service_account",
    isBroken: ({ relay }) => relay.serviceAccount !== null && OF_CLIENT.some((key) => relay[key] !== null),
    message: "must not be set together with relay.client_id, relay.tenant or the like: it has all of that",
  },
  {
    key: "relay.client_id",
    isBroken: ({ relay }) => isOauth2(relay) && relay.serviceAccount === null && relay.clientId === null,
    message: 'must be set when relay.auth is "oauth2", unless relay.service_account is',
    instead: ["relay.service_account"],
  },
  {
    key: "relay.token_url",
    isBroken: ({ relay }) =>
      isOauth2(relay) && relay.clientId !== null && (relay.tenant === null) === (relay.tokenUrl === null),
    message: 'or relay.tenant must be set when relay.auth is "oauth2", one of the two',
    instead: ["relay.tenant"],
  },
];

export const RELAY_RULES: readonly ConfigRule[] = [
  {
    key: "relay.host",
    isBroken: ({ delivery, relay }) => delivery.transport === "smtp" && relay.host === null,
    message: 'must be set when delivery.transport is "smtp"',
  },
  {
    key: "relay.auth",
    isBroken: ({ delivery, relay }) => delivery.transport === "graph" && !isOauth2(relay),
    message: 'must be "oauth2" when delivery.transport is "graph"',
  },
  {
    key: "relay.user",
    isBroken: ({ relay }) => relay.user === null && relay.password !== null,
    message: "must be set when relay.password is",
  },
  {
    key: "relay.password",
    isBroken: ({ relay }) => relay.auth === "password" && relay.user !== null && relay.password === null,
    message: "must be set when relay.user is",
  },
  {
    key: "relay.provider_key",
    isBroken: ({ relay }) =>
      ["mailgun", "sendgrid", "resend"].includes(relay.provider ?? "") && relay.providerKey === null,
    message: "must be set to the provider's signing key when relay.provider is mailgun, sendgrid or resend",
  },
  {
    key: "relay.provider_key",
    isBroken: ({ relay }) =>
      relay.provider === "sendgrid" && relay.providerKey !== null && !isPublicKey(relay.providerKey),
    message: "must be the verification key of SendGrid's signed event webhook",
  },
  {
    key: "relay.provider",
    isBroken: ({ relay }) => relay.provider === null && (relay.providerKey !== null || relay.providerTracking),
    message: "must be set when relay.provider_key or relay.provider_tracking is",
  },
  ...OAUTH2,
];

/** Base64 of its DER form. */
function isPublicKey(text: string): boolean {
  try {
    createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return true;
  } catch {
    return false;
  }
}
