// What Windows-1252 has at 0x80 to 0x9f, where ISO-8859-1 has control characters. (Node's own decoder of that name does not
// know it in every version.)
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Returns text that was read byte by byte as ISO-8859-1 as Windows-1252 has it: programs write that and call it ISO-8859-1. Five bytes that
 * Windows-1252 does not have stay control characters.
 */
export function fromWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => windows.charAt(character.charCodeAt(0) - 0x80));
}
