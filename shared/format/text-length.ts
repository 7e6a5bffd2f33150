/** Whether a text has more than so many characters. They are counted only where its UTF-16 units leave that open. */
export function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}
