// The reasons why an import does not open a file, in German.
export const unreadFiles = {
  empty: "Die Datei ist leer.",
  protected_zip:
    "Dieses Archiv ist mit einem Passwort geschützt. Entpacken Sie es, und legen Sie alle Dateien hier ab.",
  broken_zip: "Dieses Archiv ist beschädigt oder nicht lesbar. Entpacken Sie es, und legen Sie alle Dateien hier ab.",
  big_zip: "In diesem Archiv ist zu viel: höchstens 100 Dateien, entpackt 1 GB. Importieren Sie die Dateien einzeln.",
  empty_zip: "In diesem Archiv ist weder eine CSV-Datei noch eine Arbeitsmappe.",
  spreadsheet:
    "Das ist eine Tabelle, aber keine .xlsx. Speichern Sie sie als .xlsx oder CSV, und legen Sie diese hier ab.",
  protected:
    "Diese Arbeitsmappe ist mit einem Passwort geschützt. Speichern Sie sie ohne, und legen Sie diese hier ab.",
  broken: "Diese Arbeitsmappe ist beschädigt. Speichern Sie sie noch einmal als .xlsx oder CSV.",
  big: "Diese Datei ist zu groß. Speichern Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  compressed: "Das ist eine komprimierte Datei. Entpacken Sie sie, und legen Sie die CSV-Datei daraus hier ab.",
  pdf: "Das ist ein PDF. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  picture: "Das ist ein Bild. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  page: "Das ist eine Webseite oder XML. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  json: "Das ist JSON. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  document: "Das ist ein Textdokument. Übertragen Sie die Liste in eine Tabelle, und speichern Sie diese als CSV.",
  card: "Das ist ein Adressbuch (vCard). Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  binary: "Das ist die Datei eines anderen Programms. Exportieren Sie die Kontakte dort als CSV.",
};
