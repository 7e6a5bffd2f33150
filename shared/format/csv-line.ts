/** The character between the cells of a line. */
export type Separator = (typeof separators)[number];
export const separators = [';', ','] as const;

/** Whether the value of a query parameter is a separator. */
export function isSeparator(value: unknown): value is Separator {
  return separators.some((separator) => separator === value);
}

const number = /^-?\d+(\.\d+)?$/;
const formula = /^[=+\-@\t\r]/;
const special = /[";,\r\n]/;

/**
 * Returns a line of CSV (RFC 4180), with its line end. Numbers stay as they are. Any other text that a spreadsheet would read as a formula
 * gets a leading apostrophe, so that opening a file executes nothing.
 */
export function csvLine(cells: readonly string[], separator: Separator): string {
  return `${cells.map(cellOf).join(separator)}\r\n`;
}

function cellOf(text: string): string {
  const harmless = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
