// A short name for a browser: "Firefox, Linux".

/** Browsers whose user agent contains other names come first. */
const BROWSERS = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
] as const;

type ClientNames = readonly (readonly [RegExp, string])[];

function nameIn(client: string, names: ClientNames): string | undefined {
  return names.find(([pattern]) => pattern.test(client))?.[1];
}

/** An unknown user agent is shown as it is. */
export function clientName(client: string): string {
  const parts = [nameIn(client, BROWSERS), nameIn(client, SYSTEMS)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(", ") : client;
}
