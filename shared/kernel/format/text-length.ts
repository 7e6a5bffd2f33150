/** Whether a text has more than `most` characters. Counts them only when the number of UTF-16 units leaves that open. */
export function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}
