// A file of contacts such as people have: addresses in no order, four columns of data.
import { createHash } from "node:crypto";

const WORDS = ["mail", "info", "anna", "paul", "sales", "ida", "noor", "emil"];
const ROWS_A_PIECE = 5_000;

export async function writeContacts(file: string, rows: number): Promise<void> {
  const writer = Bun.file(file).writer();
  writer.write("email,subscribed,name,plan,score,active\r\n");
  for (let row = 0; row < rows; row++) {
    writer.write(lineOf(row));
    if (row % ROWS_A_PIECE === 0) await writer.flush();
  }
  await writer.end();
}

function lineOf(row: number): string {
  const word = WORDS[row % WORDS.length] ?? "";
  const address = `${word}.${createHash("md5").update(String(row)).digest("hex").slice(0, 12)}@example${row % 50}.com`;
  return `${address},${row % 7 === 0 ? "false" : "true"},"${word}, number ${row}",${row % 3 === 0 ? "free" : "pro"},${row % 1000},true\r\n`;
}
