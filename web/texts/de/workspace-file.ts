// The reasons why a workspace's file is not imported, in German.

/** By the server's message. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^The workspace .* cannot come in: it is here already, as (.*)\.$/s,
    "Diesen Arbeitsbereich gibt es hier schon: $1.",
  ],
  [/^The workspace .* cannot come in: it is coming in/s, "Dieser Arbeitsbereich wird gerade schon importiert."],
  [/^The workspace (.*) has public ids/s, "Der Arbeitsbereich $1 enthält etwas, das auch in der Datei steht."],
  [
    /^The workspace (.*) has the key (.*), which is in the file/s,
    "Der Arbeitsbereich $1 hat ein Formular mit dem Pfad $2, den auch eines in der Datei hat. Ändern Sie zuerst dort den Pfad.",
  ],
  [/: it is no tar archive/, "Das ist kein tar-Archiv, oder es ist beschädigt."],
  [/: it is cut off/, "Die Datei ist abgeschnitten: Ihr Ende fehlt."],
  [/: it does not begin with|: it is no file of a workspace/, "Das ist nicht die Datei eines Arbeitsbereichs."],
  [
    /: it was written by Posthorn (\S+), /,
    "Posthorn $1 hat die Datei geschrieben, und ihr Format ist neuer als dieses Posthorn. Aktualisieren Sie es zuerst.",
  ],
  [/: its (\S+) (?:is missing|was changed or damaged)/, "Die Datei ist beschädigt oder wurde verändert: $1."],
  [/: its ledger of consent was changed/, "Das Einwilligungsprotokoll in der Datei wurde verändert."],
];

export function workspaceFile(message: string): string {
  for (const [pattern, sentence] of SENTENCES) {
    const found = pattern.exec(message);
    if (found) return sentence.replaceAll(/\$(\d)/g, (_, at: string) => found[Number(at)] ?? "");
  }
  return message;
}
