/** Characters of a caller's own text that an error repeats. */
export const maxEcho = 100;
/** Words of our own texts are shorter, addresses among them too. */
const maxWord = 120;

/**
 * A message in which no more of a caller's text stands than says what is meant: whatever is quoted, and every word, ends after
 * 100 characters, and so does a value that a parser prints at the end of its message. Takes time in proportion to its length.
 */
export function shortened(message: string): string {
  if (message.length <= maxEcho) return message;
  const words = withShortQuotes(message).replace(/\S+/g, (word) => (word.length > maxWord ? cut(word) : word));
  const printed = /\b(?:found|value:) (?=[^"\s])/.exec(words);
  if (printed === null) return words;
  const at = printed.index + printed[0].length;
  return words.slice(0, at) + cut(words.slice(at));
}

/** The beginning of a text, with a mark where the rest was left out. */
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

/** Where a quotation ends: at a quote that no backslash stands before, or with the message. */
function endOfQuote(message: string, from: number): number {
  let at = from;
  while (at < message.length && message[at] !== '"') at += message[at] === '\\' ? 2 : 1;
  return Math.min(at, message.length);
}
