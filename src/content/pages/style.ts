// The style of recipient pages, in the look of a workspace.
import { SANS } from "../../base/fonts.ts";
import type { PageLook } from "./look.ts";

export function styleOf({ light, dark, font }: PageLook): string {
  return `:root { ${variables(light)}; ${dark ? SAVED : SAVED_AT_NIGHT} }
body { font: 1.0625rem/1.5 ${font ?? SANS}; max-width: 32em; margin: 12vh auto; padding: 0 1.5em; color: var(--ink); background: var(--ground) }
${light.ground === light.paper ? "" : PAPER}img { display: block; max-width: min(100%, 14em); max-height: 4.5em; margin-block-end: 1.5em }
h1 { font-size: 1.5em; line-height: 1.25 }
p { overflow-wrap: anywhere }
a { color: var(--link) }
button { font: inherit; min-height: 2.75em; padding: .5em 1.4em; border: 1px solid var(--edge); border-radius: .4em; color: var(--on-accent); background: var(--accent); cursor: pointer }
fieldset { margin: 1.5em 0 .5em; padding: 0; border: 0; min-inline-size: 0 }
legend { padding: 0; font-weight: bold }
label { display: flex; gap: .75em; align-items: start; min-height: 1.5em; padding: .5em 0; overflow-wrap: anywhere; cursor: pointer }
label input { flex: none; inline-size: 1.25em; block-size: 1.25em; margin: .15em 0 0; accent-color: var(--accent) }
label small { display: block }
h2 { margin: 0; font-size: 1em }
h2 + p, legend + p { margin: .25em 0 .75em }
section { margin-block-start: 2em }
dl { margin: .5em 0 0 }
dt { font-size: .875em }
dd { margin: 0 0 .75em; overflow-wrap: anywhere }
.row { display: flex; flex-wrap: wrap; gap: .5em }
.row button { padding: .5em .9em }
label[for] { padding: 0 0 .4em; font-weight: bold }
label + label[for] { margin-block-start: 1em }
input[name=words] { font: inherit; box-sizing: border-box; inline-size: 100%; min-height: 2.75em; padding: .25em .6em; border: 1px solid currentColor; border-radius: .4em; color: var(--ink); background: var(--paper) }
fieldset + button { margin-block-start: .75em }
select { font: inherit; min-height: 2.75em; max-width: 100%; padding: .25em .5em; border: 1px solid currentColor; border-radius: .4em; color: var(--ink); background: var(--paper) }
form + form { margin-block-start: 2em }
form + form button { color: inherit; background: none; border-color: currentColor }
input:focus-visible, select:focus-visible, button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
footer { margin-block-start: 2.5em; font-size: .875em; white-space: pre-line; overflow-wrap: anywhere; color: var(--around) }
footer a { color: inherit }
[role=status] { padding: .5em 1em; border-inline-start: .3em solid var(--mark); color: var(--saved); background: var(--note) }${
    dark
      ? `
@media (prefers-color-scheme: dark) {
:root { ${variables(dark)}; ${SAVED_AT_NIGHT} }
img { padding: .75em; border-radius: .4em; background: ${light.paper} }
}`
      : ""
  }`;
}

/** The note that a choice was saved. */
const SAVED = "--mark: #1a7f37; --saved: #1a1a1a; --note: #eaf6ec";
const SAVED_AT_NIGHT = "--mark: #57c26f; --saved: #eeeeee; --note: #17301d";

/** A sheet on the ground, as in mails. */
const PAPER = `body { padding: 0 1em }
main { padding: 2rem 1.5rem; border-radius: .5em; background: var(--paper) }
main > :first-child { margin-block-start: 0 }
footer { padding: 0 1.5rem }
`;

function variables({ ground, paper, ink, around, link, accent, onAccent, edge }: PageLook["light"]): string {
  return `--ground: ${ground}; --paper: ${paper}; --ink: ${ink}; --around: ${around}; --link: ${link}; --accent: ${accent}; --on-accent: ${onAccent}; --edge: ${edge}`;
}
