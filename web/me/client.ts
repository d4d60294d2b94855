// What a browser calls itself, in short: "Firefox, Linux".

/** Those that call themselves by the names of others come first. */
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

type Names = readonly (readonly [RegExp, string])[];

function named(client: string, names: Names): string | undefined {
  return names.find(([pattern]) => pattern.test(client))?.[1];
}

/** As it is, if we do not know it. */
export function clientName(client: string): string {
  const parts = [named(client, BROWSERS), named(client, SYSTEMS)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(", ") : client;
}
