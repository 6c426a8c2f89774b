/** Line breaks, control characters, and marks that change the text direction. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The start of an encoded word in headers. A name that contains one would be decoded to text that we did not check. */
const encoded = /=\?/g;

/** Returns external text as one line that cannot affect the text around it. */
export function plainLine(text: string): string {
  return text.replace(unfit, ' ').replace(encoded, '= ?').replace(/\s+/g, ' ').trim();
}
