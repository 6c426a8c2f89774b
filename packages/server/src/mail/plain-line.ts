/** Line ends and other controls, and the marks that turn the direction of the text after them. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** How headers spell what is not ASCII: a name written so would be read as something else than we checked. */
const encoded = /=\?/g;

/** Text of others as one line that cannot disturb what stands around it. */
export function plainLine(text: string): string {
  return text.replace(unfit, ' ').replace(encoded, '= ?').replace(/\s+/g, ' ').trim();
}
