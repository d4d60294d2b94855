// A reply that refuses: thrown by the code that decides, sent to the client word for word.

export class SmtpReply extends Error {
  override readonly name = "SmtpReply";

  /** `enhanced`: RFC 3463, such as `5.7.1`. */
  constructor(
    readonly responseCode: number,
    enhanced: string,
    text: string,
  ) {
    super(`${enhanced} ${oneLine(text)}`);
  }
}

// RFC 5321 §4.5.3.1.5: 512 octets with the code and the CRLF.
const LONGEST_CHARS = 480;

function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, LONGEST_CHARS);
}
