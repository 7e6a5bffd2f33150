/** Returns a number that was typed with a decimal comma with a point; anything else as it was typed, for the server to reject. */
export function plain(typed: string): string {
  const text = typed.trim();
  return /^\d+,\d+$/.test(text) ? text.replace(',', '.') : text;
}
