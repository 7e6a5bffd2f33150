export type Separator = (typeof separators)[number];
export const separators = [';', ','] as const;

export function isSeparator(value: unknown): value is Separator {
  return separators.some((separator) => separator === value);
}

const number = /^-?\d+(\.\d+)?$/;
/**
 * A formula as a spreadsheet may find it in a text: at the beginning, or at that of a cell which the text has for a reader whose separator is another
 * one, or who ends a line at each line break. Such a reader may drop blanks and quotes before it.
 */
const formula = /(?<=^|[,;\t\n]|\r(?!\n))(?=[ "\u00a0]*(?:[=+\-@\t]|\r(?!\n)))/g;
const special = /[";,\r\n]/;

/**
 * Returns a line of CSV (RFC 4180), with its line end. Numbers stay as they are. In any other text each beginning that a spreadsheet would read as a
 * formula, whichever separator it goes by, gets a leading apostrophe, so that opening a file executes nothing.
 */
export function csvLine(cells: readonly string[], separator: Separator): string {
  return `${cells.map(cellOf).join(separator)}\r\n`;
}

function cellOf(text: string): string {
  const harmless = number.test(text) ? text : text.replace(formula, "'");
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
