// The mail that all measurements send: HTML of 1.5 KB without variables, and the same as text.

export const SENDER = "hello@example.test";
export const SUBJECT = "Your order 48213 is on its way";
export const BODY_BYTES = 1536;

const ROW = `<tr><td style="padding:8px 0;border-bottom:1px solid #e4e4e7">Enamel mug, blue</td><td align="right">12.50</td></tr>`;
const OPENING = `<!doctype html><html><body style="margin:0;font-family:Arial,sans-serif"><h1>Thank you for your order</h1>`;
const LETTER = `<p>Good news: we packed your parcel today. It should reach you <b>within three days</b>. You can follow it
<a href="https://shop.example.com/track/48213">on this page</a>.</p><table width="100%">${ROW.repeat(6)}</table>`;
const CLOSING = "</body></html>";

export const HTML = padded(`${OPENING}${LETTER}`);
export const TEXT =
  "THANK YOU FOR YOUR ORDER\n\nGood news: we packed your parcel today. It should reach you within three days.\n".repeat(
    4,
  );

function padded(start: string): string {
  const words = "If anything is missing or broken, answer this mail and we will make it good. ".repeat(20);
  const room = BODY_BYTES - start.length - CLOSING.length - "<p></p>".length;
  return `${start}<p>${words.slice(0, room)}</p>${CLOSING}`;
}
