// Styles that come with a screen, which is loaded when it is first opened: `import "./mail.css"`. The bundler makes
// calls of them.

const adopted = new Set<string>();

/** They lie in layers that face.css has named already, so when they come does not matter. */
export function adopt(styles: string): void {
  if (adopted.has(styles)) return;
  adopted.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
