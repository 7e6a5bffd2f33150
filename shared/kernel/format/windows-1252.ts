// The characters of Windows-1252 at 0x80 to 0x9f, where ISO-8859-1 has control characters. (Not every version of Node's decoder for Windows-1252
// supports them.)
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Converts text that was decoded as ISO-8859-1 to Windows-1252: programs write the latter and declare the former. Five bytes that Windows-1252 does not
 * define stay control characters.
 */
export function fromWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => windows.charAt(character.charCodeAt(0) - 0x80));
}
