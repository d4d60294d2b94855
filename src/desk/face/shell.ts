// The page that every address under /app answers with: it loads the face, under a policy that lets it do little else.
import type { Face } from "./face.ts";
import { FILES_PATH, MAIN, type FaceFile } from "./face-file.ts";
import { neededBy } from "./lazy-files.ts";

const NONCE_BYTES = 16;

export type ShellView = {
  /** Below /app. */
  readonly path: string;
  /** True if a user is signed in, so that their pages can begin to show. */
  readonly isKnown: boolean;
  readonly language: "en" | "de";
};

export function shellAnswer(face: Face, opened: ShellView): Response {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)).toBase64();
  return new Response(page(face, nonce, opened), { headers: headersWith(nonce) });
}

function headersWith(nonce: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    // The nonce is for one answer.
    "cache-control": "no-store",
    "content-security-policy": policy(nonce),
    "cross-origin-opener-policy": "same-origin",
    // Referrers are for ourselves alone: without them, a form of ours would not name its origin.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
}

/**
 * Libraries add a few rules of style, which need the nonce. No text becomes HTML or a script, except pasted text in the
 * visual editor: it is read in a document of its own, without scripts.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types ProseMirrorClipboard pasted",
  ].join("; ");
}

function page(face: Face, nonce: string, opened: ShellView): string {
  const name = (pattern: RegExp) => fileMatching(face, pattern);
  const main = mainOf(face);
  const preloads = preloaded(face, main, opened).map((one) => `<link rel="modulepreload" href="${FILES_PATH}${one}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>Posthorn</title>
<link rel="icon" href="${FILES_PATH}${name(/^icon-/)}" type="image/svg+xml">
<script src="${FILES_PATH}${name(/^scheme-/)}"></script>
<link rel="stylesheet" href="${FILES_PATH}${name(/^face-.*\.css$/)}">
${preloads.join("\n")}
<script type="module" src="${FILES_PATH}${main}"></script>
</head>
<body><div id="root"></div><div class="${opened.isKnown ? "starting known" : "starting"}" role="progressbar" aria-label="Posthorn"></div><noscript>These pages need JavaScript. The API does not: <a href="/docs">/docs</a>.</noscript></body>
</html>
`;
}

export function mainOf(face: Face): string {
  return fileMatching(face, MAIN);
}

function fileMatching({ files }: Face, pattern: RegExp): string {
  return [...files.keys()].find((one) => pattern.test(one)) ?? "";
}

/** The file that the frame loads as soon as it is there. */
const LATER = "frame/later.ts";

/** The files that the page will need: fetched together, instead of one after the other. */
function preloaded(face: Face, main: string, { path, isKnown, language }: ShellView): readonly string[] {
  const files = [...face.files.values()];
  const texts = files.find(({ source }) => source === `texts/groups/frame.${language}.ts`);
  const own = screenOf(files, path);
  const screen = isKnown || own?.source?.startsWith("sign-in/") ? own : screenOf(files, "/sign-in");
  const later = isKnown ? files.find(({ source }) => source === LATER) : undefined;
  const wanted = [screen, later, texts].flatMap((file) => (file ? [file.name] : []));
  const needed = [main, ...wanted].flatMap((one) => [...neededBy(face.files, one)]);
  return [...new Set([...wanted, ...needed])].filter((one) => one !== main);
}

/** The screen whose route has most parts of the path; `/people/import` before `/people/$id`. */
function screenOf(files: readonly FaceFile[], path: string): FaceFile | undefined {
  const parts = partsOf(path);
  const matching = files.flatMap((file) => {
    const routes = file.routes.map(partsOf).filter((route) => opens(route, parts));
    return routes.map((route) => ({ file, rank: rankOf(route, parts) }));
  });
  return matching.toSorted((one, other) => other.rank - one.rank)[0]?.file;
}

const partsOf = (path: string) => path.split("/").filter(Boolean);
const isOpen = (part: string) => part.includes("$");

function opens(route: readonly string[], parts: readonly string[]): boolean {
  if (route.length === 0) return parts.length === 0;
  return route.every((part, at) => part === parts[at] || (isOpen(part) && (part.startsWith("{-") || at in parts)));
}

function rankOf(route: readonly string[], parts: readonly string[]): number {
  return route.reduce((rank, part, at) => rank + (part === parts[at] ? 2 : 1), 0);
}
