// Styles that load with a screen: `import "./mail.css"`. The bundler turns such imports into calls of this file.

const adopted = new Set<string>();

/** Their CSS layers are declared in face.css, so load order does not matter. */
export function adopt(styles: string): void {
  if (adopted.has(styles)) return;
  adopted.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
