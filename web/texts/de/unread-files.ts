// German: why the screen of imports does not open a file.
export const unreadFiles = {
  empty: "Die Datei ist leer.",
  zip: "Das ist ein ZIP-Archiv. Entpacken Sie es, und legen Sie die CSV-Dateien daraus nacheinander hier ab.",
  spreadsheet:
    "Das ist eine Tabelle, aber keine .xlsx. Speichern Sie sie als .xlsx oder CSV, und legen Sie diese hier ab.",
  protected:
    "Diese Arbeitsmappe ist mit einem Passwort geschützt. Speichern Sie sie ohne, und legen Sie diese hier ab.",
  broken: "Diese Arbeitsmappe ist beschädigt. Speichern Sie sie noch einmal als .xlsx oder CSV.",
  big: "Diese Arbeitsmappe ist zu groß. Speichern Sie ihr Blatt als CSV, und legen Sie diese Datei hier ab.",
  compressed: "Das ist eine komprimierte Datei. Entpacken Sie sie, und legen Sie die CSV-Datei daraus hier ab.",
  pdf: "Das ist ein PDF. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  picture: "Das ist ein Bild. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  page: "Das ist eine Webseite oder XML. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  json: "Das ist JSON. Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  document: "Das ist ein Textdokument. Übertragen Sie die Liste in eine Tabelle, und speichern Sie diese als CSV.",
  card: "Das ist ein Adressbuch (vCard). Exportieren Sie die Kontakte als CSV, und legen Sie diese Datei hier ab.",
  binary: "Das ist die Datei eines anderen Programms. Exportieren Sie die Kontakte dort als CSV.",
};
