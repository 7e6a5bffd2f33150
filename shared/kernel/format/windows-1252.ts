// The characters of Windows-1252 at 0x80 to 0x9f, where ISO-8859-1 has control characters. (Not every version of Node's decoder for Windows-1252
// supports them.)
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Converts text decoded as ISO-8859-1, which programs declare for Windows-1252. Its five undefined bytes stay control characters. */
export function fromWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => windows.charAt(character.charCodeAt(0) - 0x80));
}

/** Encodes text as Windows-1252: a byte for each character, a question mark where it does not have the character. */
export function toWindows1252(text: string): Buffer {
  const byteOf = (character: string) => {
    const at = windows.indexOf(character);
    return at === -1 ? '?' : String.fromCharCode(0x80 + at);
  };
  return Buffer.from(text.replace(/[\u0080-\u009f]|[^\0-\u00ff]/g, byteOf), 'latin1');
}
