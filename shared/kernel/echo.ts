/** How many characters of a caller's own text an error message repeats. */
export const maxEcho = 100;
/** All words of our own messages are shorter, addresses included. */
const maxWord = 120;

/** Cuts every quotation and word of a message after 100 characters, and a value at its end. Runs in linear time. */
export function shortened(message: string): string {
  if (message.length <= maxEcho) return message;
  const words = withShortQuotes(message).replace(/\S+/g, (word) => (word.length > maxWord ? cut(word) : word));
  const printed = /\b(?:found|value:) (?=[^"\s])/.exec(words);
  if (printed === null) return words;
  const at = printed.index + printed[0].length;
  return words.slice(0, at) + cut(words.slice(at));
}

export function cut(text: string): string {
  return text.length > maxEcho ? `${text.slice(0, maxEcho)}…` : text;
}

function withShortQuotes(message: string): string {
  let short = '';
  let at = 0;
  while (at < message.length) {
    const opens = message.indexOf('"', at);
    if (opens === -1) return short + message.slice(at);
    const closes = endOfQuote(message, opens + 1);
    short += `${message.slice(at, opens)}"${cut(message.slice(opens + 1, closes))}"`;
    at = closes + 1;
  }
  return short;
}

/** Returns the position where a quotation ends: at a quote that is not escaped by a backslash, or at the end of the message. */
function endOfQuote(message: string, from: number): number {
  let at = from;
  while (at < message.length && message[at] !== '"') at += message[at] === '\\' ? 2 : 1;
  return Math.min(at, message.length);
}

/** Whether a text has more than `most` characters. Counts them only when the number of UTF-16 units leaves that open. */
export function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}
